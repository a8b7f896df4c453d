package golang

import (
	"bytes"
	"go/build/constraint"
	"path"
	"strings"

	"github.com/plumbkit/plumb/index"
)

// header reads what the file says of itself: its package, origin and build
// constraint. comments are its comment nodes.
func (x *extractor) header() {
	clause := x.t.ChildOfKind(0, x.g.packageClause)
	limit := uint32(len(x.src))
	if clause >= 0 {
		limit = x.nodes[clause].Start
		if name := x.firstNamed(clause); name >= 0 && x.f.Module == "" {
			x.f.Module = string(x.t.Text(name))
		}
	}
	generated := false
	var build constraint.Expr
	var plus []constraint.Expr
	for _, n := range x.Comments {
		if x.nodes[n].Start >= limit {
			break
		}
		for line := range bytes.Lines(x.t.Text(n)) {
			text := strings.TrimRight(string(line), "\r\n")
			generated = generated || isGenerated(text)
			if !strings.Contains(text, "build") {
				continue
			}
			if expr, err := constraint.Parse(text); err == nil && constraint.IsGoBuild(text) {
				build = expr
			} else if err == nil {
				plus = append(plus, expr)
			}
		}
	}
	if x.f.Constraint == "" {
		x.f.Constraint = constraintText(x.f.Path, build, plus)
	}
	switch {
	case x.f.Origin == index.Vendored:
	case generated:
		x.f.Origin = index.Generated
	case isTestFile(x.f.Path):
		x.f.Origin = index.Test
	}
}

// isGenerated follows https://go.dev/s/generatedcode.
func isGenerated(line string) bool {
	return strings.HasPrefix(line, "// Code generated ") && strings.HasSuffix(line, " DO NOT EDIT.")
}

// constraintText joins a file's //go:build line, or else all its +build lines,
// and what its name says, into one expression in the form of //go:build.
func constraintText(file string, build constraint.Expr, plus []constraint.Expr) string {
	if build == nil {
		for _, p := range plus {
			build = both(build, p)
		}
	}
	for _, tag := range nameTags(file) {
		build = both(build, &constraint.TagExpr{Tag: tag})
	}
	if build == nil {
		return ""
	}
	return build.String()
}

// directive records a //go:generate line.
func (x *extractor) directive(n int32) {
	text := string(x.t.Text(n))
	command, ok := strings.CutPrefix(text, "//go:generate")
	if !ok || command == "" || command[0] != ' ' && command[0] != '\t' || !lineStart(x.src, x.nodes[n].Start) {
		return
	}
	command = strings.TrimSpace(command)
	if strings.HasPrefix(command, "-command ") {
		return
	}
	d := index.Directive{Range: index.Range{Start: x.nodes[n].Start, End: x.nodes[n].End}, Command: command}
	for _, out := range generatorOutputs(strings.Fields(command)) {
		if !path.IsAbs(out) && !strings.ContainsAny(out, "$`*") {
			d.Outputs = append(d.Outputs, path.Join(path.Dir(x.f.Path), out))
		}
	}
	x.f.Directives = append(x.f.Directives, d)
}

func lineStart(src []byte, at uint32) bool { return at == 0 || src[at-1] == '\n' }

// generatorOutputs returns the files that a command names as its output: a
// redirection, the value of an output flag, or stringer's default.
func generatorOutputs(words []string) (out []string) {
	types, named := "", false
	for i, w := range words {
		name, value, joined := strings.Cut(strings.TrimLeft(w, "-"), "=")
		flag := len(w) > 1 && w[0] == '-'
		if flag && !joined && i+1 < len(words) {
			value = words[i+1]
		}
		switch {
		case w == ">" || w == ">>":
			if i+1 < len(words) {
				out = append(out, unquoted(words[i+1]))
			}
		case !flag && strings.HasPrefix(w, ">") && len(w) > 1:
			out = append(out, unquoted(strings.TrimLeft(w, ">")))
		case flag && isOutputFlag(name) && value != "":
			out, named = append(out, unquoted(value)), true
		case flag && name == "type":
			types = value
		}
	}
	if types != "" && !named && strings.Contains(strings.Join(words, " "), "stringer") {
		first, _, _ := strings.Cut(types, ",")
		out = append(out, strings.ToLower(first)+"_string.go")
	}
	return out
}

func isOutputFlag(name string) bool {
	switch name {
	case "o", "out", "output", "outfile", "output-file", "destination", "dest":
		return true
	}
	return false
}

func unquoted(s string) string { return strings.Trim(s, `"'`) }

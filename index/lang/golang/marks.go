package golang

import (
	"bytes"
	"strings"

	"github.com/plumbkit/plumb/index"
	"github.com/plumbkit/plumb/index/lang/internal/extract"
)

func (x *extractor) mark(kind index.MarkKind, n int32, text, form string, strength uint8) {
	x.markRange(kind, index.Range{Start: x.nodes[n].Start, End: x.nodes[n].End}, text, form, strength)
}

func (x *extractor) markRange(kind index.MarkKind, r index.Range, text, form string, strength uint8) {
	x.marks = append(x.marks, index.MarkFact{Kind: kind, Strength: strength, In: -1, Range: r, Text: text, Form: form})
}

// textOf returns the text of a mark of node n.
func (x *extractor) textOf(n int32) string { return extract.MarkText(x.t, n) }

// literals marks strings and comments, and what comments say to tools.
func (x *extractor) literals() {
	for _, n := range x.Strings {
		if x.kind(x.nodes[n].Parent) != kImportSpec {
			x.mark(index.MarkString, n, "", "", 0)
		}
	}
	for _, n := range x.Comments {
		x.directive(n)
	}
	x.marks = append(x.marks, extract.CommentMarks(x.t, x.Comments, isSuppression, x.continues)...)
}

// isSuppression reports whether a comment tells a checker to look away.
func isSuppression(comment []byte) bool {
	text, ok := bytes.CutPrefix(comment, []byte("//"))
	if !ok {
		return false
	}
	text = bytes.TrimLeft(text, " \t")
	for _, s := range []string{"nolint", "lint:", "#nosec", "gosec:disable", "noinspection", "revive:disable",
		"exhaustive:ignore", "coverage:ignore"} {
		if bytes.HasPrefix(text, []byte(s)) {
			return true
		}
	}
	return false
}

// continues reports whether the line comment at next belongs to the group of
// line comments at r.
func (x *extractor) continues(r, next index.Range) bool {
	return bytes.HasPrefix(x.src[r.Start:], []byte("//")) && bytes.HasPrefix(x.src[next.Start:], []byte("//")) &&
		extract.FirstOnLine(x.src, r.Start) && oneLineOn(x.src[r.End:next.Start])
}

// finishMarks puts the marks in order, adds those that need all definitions,
// and finds each one's definition.
func (x *extractor) finishMarks() {
	if isTestFile(x.f.Path) {
		x.testFunctions()
		if x.f.Constraint != "" {
			x.markRange(index.MarkSkip, index.Range{}, x.f.Constraint, "build", 0)
		}
	}
	extract.PlaceMarks(x.marks, x.defs, -1)
	x.outputs()
}

// markCall marks the call at n, whose callee stands for callee. It returns the
// name of the subtest that the call runs, "" if it runs none.
func (x *extractor) markCall(n, callee int32) (subtest string) {
	if callee < 0 {
		return ""
	}
	r := x.Role(n)
	c := x.calleeOf(callee)
	switch {
	case r&extract.RoleTest != 0 && c.testing && c.name == "Run":
		return x.subtests(n)
	case r&extract.RoleSkip != 0 && (c.testing && c.name != "Short"):
		x.mark(index.MarkSkip, n, x.textOf(n), "skip", 0)
	case r&extract.RoleSkip != 0 && c.pkg == "testing" && c.name == "Short":
		x.mark(index.MarkSkip, n, x.textOf(n), "short", 0)
	case r&extract.RoleAssertion != 0 && x.assertionCall(n, c):
	case r&extract.RoleDebug != 0:
		if form := x.debugForm(n, c); form != "" {
			x.mark(index.MarkDebug, n, x.textOf(n), form, 0)
		}
	case r&extract.RolePlaceholder != 0 && !c.local && x.saysNotImplemented(n):
		x.mark(index.MarkPlaceholder, n, x.textOf(n), "", 0)
	}
	return ""
}

// A callee is what marks need to know of a call's function.
type callee struct {
	name    string // its last name
	pkg     string // the name before it, where that is no local
	on      string // the name before it, whatever it is
	local   bool   // a function's local is called
	testing bool   // its receiver is a *testing.T or the like
}

func (x *extractor) calleeOf(e int32) (c callee) {
	f := &x.Exprs[e]
	if f.Op == opIndex && f.A >= 0 {
		f = &x.Exprs[f.A]
	}
	switch f.Op {
	case opLocal:
		c.local, c.name = true, string(x.text(int32(x.locals[f.A].Name)))
	case opName:
		c.name = string(x.text(f.Name))
	case opSelect:
		c.name = string(x.text(f.Name))
		if f.A < 0 {
			return c
		}
		c.testing = x.isTesting(f.A)
		switch a := &x.Exprs[f.A]; a.Op {
		case opName:
			c.pkg = string(x.text(a.Name))
			c.on = c.pkg
		case opLocal:
			c.on = string(x.text(int32(x.locals[a.A].Name)))
		case opCall:
			if a.A >= 0 && x.Exprs[a.A].Op == opSelect {
				c.on = string(x.text(x.Exprs[a.A].Name))
			}
		}
	}
	return c
}

// isTesting reports whether e is a testing.TB: by its declared type, by the
// usual name in a test file, or as the T() of a suite.
func (x *extractor) isTesting(e int32) bool {
	v := &x.Exprs[e]
	switch v.Op {
	case opLocal:
		l := &x.locals[v.A]
		if l.Type >= 0 {
			return x.isTestingType(l.Type)
		}
		return isTestFile(x.f.Path) && isTestingName(string(x.text(int32(l.Name))))
	case opSelect:
		return isTestingName(string(x.text(v.Name)))
	case opCall:
		return v.A >= 0 && x.Exprs[v.A].Op == opSelect && string(x.text(x.Exprs[v.A].Name)) == "T"
	}
	return false
}

func isTestingName(s string) bool { return s == "t" || s == "b" || s == "f" || s == "tb" || s == "T" }

func (x *extractor) isTestingType(e int32) bool {
	t := &x.Exprs[e]
	if t.Op == opPointer && t.A >= 0 {
		t = &x.Exprs[t.A]
	}
	if t.Op != opSelect || t.A < 0 || x.Exprs[t.A].Op != opName || string(x.text(x.Exprs[t.A].Name)) != "testing" {
		return false
	}
	switch string(x.text(t.Name)) {
	case "T", "B", "F", "TB":
		return true
	}
	return false
}

// debugForm classes a call that prints or stops for the sake of a person, "" for others.
func (x *extractor) debugForm(n int32, c callee) string {
	if c.local || c.pkg == "" && c.on != "" {
		return ""
	}
	switch c.pkg + "." + c.name {
	case "fmt.Print", "fmt.Println", "fmt.Printf":
		return "print"
	case "fmt.Fprint", "fmt.Fprintln", "fmt.Fprintf":
		if to := string(x.t.Text(x.argument(n, 0))); to == "os.Stdout" || to == "os.Stderr" {
			return "print"
		}
	case "log.Print", "log.Println", "log.Printf":
		return "log"
	case ".print", ".println":
		return "builtin"
	case "runtime.Breakpoint":
		return "breakpoint"
	case "debug.PrintStack":
		return "dump"
	}
	if c.pkg == "spew" {
		return "dump"
	}
	return ""
}

// argument returns the i-th argument of the call at n, or n itself if there is none.
func (x *extractor) argument(n int32, i int) int32 {
	args := x.child(n, x.g.arguments)
	if args < 0 {
		return n
	}
	for c, end := args+1, x.nodes[args].Next; c < end; c = x.nodes[c].Next {
		if !x.nodes[c].Named() || x.kind(c) == kComment {
			continue
		}
		if i == 0 {
			return c
		}
		i--
	}
	return n
}

func (x *extractor) saysNotImplemented(n int32) bool {
	arg := x.argument(n, 0)
	if k := x.kind(arg); k != kString && k != kRawString {
		return false
	}
	text := strings.ToLower(string(x.t.Text(arg)))
	for _, s := range []string{"not implemented", "unimplemented", "not yet implemented", "implement me", "todo", "fixme"} {
		if strings.Contains(text, s) {
			return true
		}
	}
	return false
}

package python

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

// line returns the text of a mark of node n.
func (x *extractor) line(n int32) string { return extract.MarkText(x.t, n) }

// stringMarks marks strings; a docstring is a comment.
func (x *extractor) stringMarks() {
	for _, n := range x.Strings {
		r := index.Range{Start: x.nodes[n].Start, End: x.nodes[n].End}
		switch parent := x.nodes[n].Parent; {
		case parent >= 0 && x.kind(parent) == kExpressionStatement:
			x.markRange(index.MarkComment, r, "", "", 0)
		case x.src[r.Start] == '"' || x.src[r.Start] == '\'':
			x.markRange(index.MarkString, r, "", "", 0)
		default:
			x.markRange(index.MarkString, r, x.content(n), "", 0)
		}
	}
}

// content returns what stands between the quotes of a string.
func (x *extractor) content(n int32) string {
	if x.nodes[n].Next < n+2 {
		return ""
	}
	start, end := x.nodes[n+1].End, x.nodes[x.lastChild(n)].Start
	if end < start {
		return ""
	}
	return strings.ToValidUTF8(string(x.src[start:min(end, start+8*extract.MaxMarkText)]), "")
}

// commentMarks marks comments, those on successive lines as one, and what they
// say to tools.
func (x *extractor) commentMarks() {
	x.marks = append(x.marks, extract.CommentMarks(x.t, x.Comments, isSuppression, x.continues)...)
}

// continues reports whether the comment at next belongs to the group at r: both
// stand alone on their lines, one below the other.
func (x *extractor) continues(r, next index.Range) bool {
	if r.End > next.Start || bytes.Count(x.src[r.End:next.Start], []byte("\n")) != 1 || len(bytes.TrimSpace(x.src[r.End:next.Start])) > 0 {
		return false
	}
	line := bytes.LastIndexByte(x.src[:r.Start], '\n') + 1
	return len(bytes.TrimSpace(x.src[line:r.Start])) == 0
}

// isSuppression reports whether a comment tells a checker to look away.
func isSuppression(comment []byte) bool {
	text := bytes.ToLower(bytes.TrimLeft(bytes.TrimLeft(comment, "#"), " \t!:"))
	for _, s := range []string{"type: ignore", "type:ignore", "noqa", "pylint:", "pragma: no cover", "pragma: no branch", "nosec", "mypy:",
		"ruff:", "pyright:", "flake8:", "pytype:", "nosonar", "bandit:", "skipcq", "noinspection", "pyre-ignore", "pyre-fixme", "coverage: ignore"} {
		if bytes.HasPrefix(text, []byte(s)) || bytes.Contains(text, append([]byte("# "), s...)) || bytes.Contains(text, append([]byte("#"), s...)) {
			return true
		}
	}
	return false
}

// nest sets In of each mark to the innermost definition that it stands in. An
// attribute that a method binds stands in the method and is a child of the class,
// so that one which ends before the mark does is passed over.
func (x *extractor) nest() {
	next, in := 0, int32(-1)
	for i := range x.marks {
		m := &x.marks[i]
		for next < len(x.defs) && x.defs[next].Range.Start <= m.Range.Start {
			if d := &x.defs[next]; d.Kind != index.KindPackage && d.Range.End >= m.Range.End {
				in = int32(next)
			}
			next++
		}
		for in >= 0 && x.defs[in].Range.End < m.Range.End {
			in = x.defs[in].Parent
		}
		m.In = in
	}
}

// markCall marks a call that asserts, skips, or prints for a person.
func (x *extractor) markCall(n, function int32) {
	r := x.Role(n)
	if r&(extract.RoleAssertion|extract.RoleSkip|extract.RoleDebug) == 0 && x.lastWord(function) != "suppress" {
		return
	}
	full := x.text(function)
	switch {
	case r&extract.RoleSkip != 0 && x.skipCall(n, full):
	case r&extract.RoleDebug != 0 && x.debugCall(n, function, full):
	case r&extract.RoleAssertion != 0:
		x.assertionCall(n, function, full)
	case x.lastWord(function) == "suppress":
		if args := x.child(n, x.g.arguments); args >= 0 && takesEverything(x.lastWord(x.first(args))) {
			x.mark(index.MarkSuppression, n, x.line(n), "exception", 0)
		}
	}
}

func (x *extractor) skipCall(n int32, full string) bool {
	switch full {
	case "pytest.skip", "pytest.importorskip", "self.skipTest", "skip", "importorskip", "SkipTest", "unittest.SkipTest", "pytest.exit":
		if full == "skip" && !x.test {
			return false
		}
		x.mark(index.MarkSkip, n, x.line(n), "skip", 0)
	case "pytest.xfail", "xfail":
		x.mark(index.MarkSkip, n, x.line(n), "xfail", 0)
	default:
		return false
	}
	return true
}

// debugCall marks a call that prints or stops for the sake of a person.
func (x *extractor) debugCall(n, function int32, full string) bool {
	form := ""
	switch full {
	case "print", "pprint", "pp", "pprint.pprint", "pprint.pp":
		form = "print"
	case "breakpoint", "pdb.set_trace", "ipdb.set_trace", "pudb.set_trace", "set_trace", "IPython.embed", "pdb.post_mortem", "web_pdb.set_trace",
		"pytest.set_trace", "celery.contrib.rdb.set_trace", "rdb.set_trace":
		form = "breakpoint"
	case "ic", "traceback.print_stack":
		form = "dump"
	case "traceback.print_exc":
		form = "log"
	}
	if x.kind(function) == kIdentifier {
		if f, v := x.find(x.word(function)); f != nil && !v.sited {
			return false
		}
	}
	if form == "" || x.toFile(n) {
		return false
	}
	x.mark(index.MarkDebug, n, x.line(n), form, 0)
	return true
}

// toFile reports whether a print writes to a file that it names, other than
// the standard streams.
func (x *extractor) toFile(n int32) bool {
	args := x.child(n, x.g.arguments)
	if args < 0 {
		return false
	}
	other := false
	x.each(args, func(c int32) {
		if x.kind(c) != kKeywordArgument {
			return
		}
		name, value := x.child(c, x.g.name), x.child(c, x.g.value)
		if name >= 0 && value >= 0 && x.text(name) == "file" {
			to := x.text(value)
			other = to != "sys.stdout" && to != "sys.stderr"
		}
	})
	return other
}

// markHandler marks an except clause that takes every exception: without type,
// or silently.
func (x *extractor) markHandler(n int32) {
	class, body := int32(-1), int32(-1)
	x.each(n, func(c int32) {
		if x.kind(c) == kBlock {
			body = c
		} else if class < 0 {
			class = c
		}
	})
	if class >= 0 && x.kind(class) == kAsPattern {
		class = x.first(class)
	}
	switch {
	case class < 0 && body >= 0 && !x.raises(body):
		x.markRange(index.MarkSuppression, x.head(n, body), "except:", "exception", 0)
	case class >= 0 && body >= 0 && takesEverything(x.lastWord(class)) && x.idle(body):
		x.markRange(index.MarkSuppression, x.head(n, body), "except "+x.text(class)+": pass", "exception", 0)
	}
}

// head returns the range of a clause up to the colon before its body.
func (x *extractor) head(n, body int32) index.Range {
	return index.Range{Start: x.nodes[n].Start, End: x.colon(n, body) + 1}
}

func takesEverything(class string) bool { return class == "Exception" || class == "BaseException" }

// raises reports whether a block holds a raise statement.
func (x *extractor) raises(n int32) bool {
	for i, end := n, x.nodes[n].Next; i < end; i++ {
		if x.kind(i) == kRaiseStatement {
			return true
		}
	}
	return false
}

// idle reports whether a block does nothing: pass, continue or "..." alone, a
// docstring aside.
func (x *extractor) idle(block int32) bool {
	does := false
	x.each(block, func(c int32) {
		switch x.kind(c) {
		case kPassStatement, kContinueStatement:
		case kExpressionStatement:
			if e := x.first(c); e < 0 || x.kind(e) != kEllipsis && x.kind(e) != kString {
				does = true
			}
		default:
			does = true
		}
	})
	return !does
}

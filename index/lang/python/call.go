package python

import (
	"strings"

	"github.com/plumbkit/plumb/index"
)

// call reads a call, the reference to what is called, and its arguments.
func (x *extractor) call(n int32) int32 {
	function, args := x.child(n, x.g.function), x.child(n, x.g.arguments)
	if function < 0 {
		x.operands(n)
		return -1
	}
	typing := x.typing
	x.typing = false
	sites := len(x.sites)
	callee := x.callee(function, args)
	x.constructor(function, callee, sites)
	from := len(x.Stack)
	if args >= 0 {
		x.argumentValues(n, function, args, callee)
	}
	x.typing = typing
	x.markCall(n, function)
	if e := x.superCall(function, args); e >= 0 {
		x.Stack = x.Stack[:from]
		return e
	}
	if callee < 0 {
		x.Stack = x.Stack[:from]
		return -1
	}
	return x.MakeList(opCall, -1, callee, -1, from)
}

func (x *extractor) callee(n, args int32) int32 {
	switch x.kind(n) {
	case kIdentifier:
		return x.use(n, index.RefCall, args)
	case kAttribute:
		return x.attribute(n, index.RefCall, args)
	}
	return x.expr(n)
}

// constructor records that a call of what is named like a class calls its
// constructor too. sites is where the site of the call's name begins.
func (x *extractor) constructor(function, callee int32, sites int) {
	if callee < 0 || len(x.sites) == sites {
		return
	}
	s := x.sites[len(x.sites)-1]
	name := strings.TrimLeft(x.words[s.Name], "_")
	if s.Kind != index.RefCall || s.Start < x.nodes[function].Start || name == "" || name[0] < 'A' || name[0] > 'Z' {
		return
	}
	s.Expr = x.Make(opInit, -1, callee, -1)
	x.sites = append(x.sites, s)
}

// superCall returns what super() stands for, -1 for any other call.
func (x *extractor) superCall(function, args int32) int32 {
	if x.kind(function) != kIdentifier || string(x.t.Text(function)) != "super" {
		return -1
	}
	class := x.method()
	if class < 0 {
		return -1
	}
	if args >= 0 {
		if first := x.first(args); first >= 0 {
			if x.kind(first) != kIdentifier || x.text(first) != x.words[x.defs[class].Name] {
				return -1
			}
		}
	}
	return x.Make(opSuper, -1, class, -1)
}

// argumentValues reads the arguments of the call n and pushes what they are.
func (x *extractor) argumentValues(n, function, args, callee int32) {
	if x.kind(args) == kGeneratorExpression {
		x.Push(x.expr(args))
		return
	}
	name := x.lastWord(function)
	i := 0
	x.each(args, func(c int32) {
		switch {
		case x.kind(c) == kKeywordArgument:
			x.keyword(c, callee, name == "TypeVar")
		case i == 0 && name == "cast", i == 1 && name == "NewType":
			x.Push(x.annotation(c))
		case i == 1 && (name == "isinstance" || name == "issubclass"):
			e := x.expr(c)
			x.Push(e)
			x.checks[n] = check{x.first(args), e}
		case i == 1 && x.kind(c) == kString && namesMember(name), i == 0 && x.kind(c) == kString && name == "attrgetter":
			x.Push(x.memberString(c, args))
		case x.kind(c) == kString && isPatcher(x.text(function)) && i == 0:
			x.Push(x.pathString(c))
		default:
			x.Push(x.expr(c))
		}
		i++
	})
	if full := x.text(function); strings.HasPrefix(full, "sys.path.") || full == "site.addsitedir" {
		x.paths = true
	}
}

// keyword reads name=value. The name is a reference where the callee turns out
// to be a class whose fields are its parameters.
func (x *extractor) keyword(n, callee int32, typing bool) {
	name, value := x.child(n, x.g.name), x.child(n, x.g.value)
	if name < 0 || value < 0 {
		x.operands(n)
		return
	}
	word := x.word(name)
	if callee >= 0 {
		x.site(name, word, index.RefKey, x.Make(opKeyword, word, callee, -1), -1)
	}
	e := int32(-1)
	if typing && x.words[word] == "bound" {
		e = x.annotation(value)
	} else {
		e = x.expr(value)
	}
	x.Push(x.Make(opKw, word, e, -1))
}

// namesMember reports whether the second argument of a function names a member
// of the first.
func namesMember(function string) bool {
	switch function {
	case "getattr", "setattr", "hasattr", "delattr", "object":
		return true
	}
	return false
}

// isPatcher reports whether a function replaces what its first argument, a
// dotted path, names.
func isPatcher(function string) bool {
	switch function {
	case "mock.patch", "patch", "mocker.patch", "monkeypatch.setattr", "monkeypatch.delattr", "unittest.mock.patch",
		"importlib.import_module", "import_module", "import_string", "__import__":
		return true
	}
	return false
}

// memberString records the string n that names a member of the first argument.
func (x *extractor) memberString(n, args int32) int32 {
	text, ok := x.literal(n)
	if !ok || !isIdentifier(text) {
		return x.expr(n)
	}
	base := int32(-1)
	if object := x.first(args); object >= 0 && object != n && x.isPath(object) {
		base = x.reread(object)
	}
	word := x.internText(text)
	x.siteAt(x.stringStart(n), word, index.RefString, x.Make(opAttr, word, base, -1), -1)
	x.docs[n] = true
	return x.constant("str")
}

// pathString records the string n that names something by its dotted path.
func (x *extractor) pathString(n int32) int32 {
	text, ok := x.literal(n)
	if !ok || !strings.Contains(text, ".") || !isIdentifier(strings.ReplaceAll(text, ".", "_")) {
		return x.expr(n)
	}
	start := x.stringStart(n)
	e := int32(-1)
	for at := 0; at <= len(text); {
		end := strings.IndexByte(text[at:], '.')
		if end < 0 {
			end = len(text) - at
		}
		if end == 0 {
			break
		}
		word := x.internText(text[at : at+end])
		if at == 0 {
			e = x.Make(opPath, word, -1, -1)
		} else {
			e = x.Make(opAttr, word, e, -1)
		}
		x.siteAt(start+uint32(at), word, index.RefString, e, -1)
		at += end + 1
	}
	x.docs[n] = true
	return x.constant("str")
}

// reread returns what the chain of names n, which has been read, stands for.
func (x *extractor) reread(n int32) int32 {
	sites := len(x.sites)
	e := x.expr(n)
	x.sites = x.sites[:sites] // they have been recorded already
	return e
}

// stringStart returns where the value of a string begins.
func (x *extractor) stringStart(n int32) uint32 { return x.nodes[n+1].End }

// literal returns the value of a string without escapes and interpolation.
func (x *extractor) literal(n int32) (string, bool) {
	if x.kind(n) != kString || x.nodes[n].Next < n+3 {
		return "", false
	}
	start, end := x.nodes[n+1].End, x.nodes[x.lastChild(n)].Start
	prefix := x.src[x.nodes[n+1].Start:start]
	for _, c := range prefix {
		if c == 'f' || c == 'F' || c == 'b' || c == 'B' {
			return "", false
		}
	}
	if start > end {
		return "", false
	}
	text := string(x.src[start:end])
	return text, !strings.ContainsAny(text, "\\\n")
}

func (x *extractor) lastChild(n int32) int32 {
	last := n + 1
	for c := n + 1; c < x.nodes[n].Next; c = x.nodes[c].Next {
		last = c
	}
	return last
}

func isIdentifier(s string) bool {
	if s == "" || s[0] >= '0' && s[0] <= '9' {
		return false
	}
	for i := 0; i < len(s); i++ {
		if c := s[i]; c != '_' && (c < '0' || c > '9') && (c|0x20 < 'a' || c|0x20 > 'z') && c < 0x80 {
			return false
		}
	}
	return true
}

// arguments describes an argument list and returns its place in Calls.
func (x *extractor) arguments(n int32) int32 {
	a := index.Args{Start: int(x.nodes[n].Start), End: int(x.nodes[n].End)}
	if x.kind(n) == kGeneratorExpression {
		a.Count = 1
	} else {
		x.each(n, func(c int32) {
			switch x.kind(c) {
			case kKeywordArgument:
				if name := x.child(c, x.g.name); name >= 0 {
					a.Names = append(a.Names, x.words[x.word(name)])
				}
			case kListSplat, kDictionarySplat, kParenthesizedListSplat:
				a.Spread = true
			default:
				a.Count++
			}
		})
	}
	x.calls = append(x.calls, a)
	return int32(len(x.calls) - 1)
}

// A check is a call of isinstance: the node of what is checked, and the class.
type check struct {
	object, class int32
}

// refineIf is refine for a condition that may be missing.
func (x *extractor) refineIf(n int32, holds bool) {
	if n >= 0 {
		x.refine(n, holds)
	}
}

// refine takes up what is known of variables where the condition n, which has
// been read, holds or does not hold.
func (x *extractor) refine(n int32, holds bool) {
	if !x.down() {
		x.up()
		return
	}
	switch x.kind(n) {
	case kParenthesizedExpression:
		x.refineIf(x.first(n), holds)
	case kNotOperator:
		x.refineIf(x.first(n), !holds)
	case kBooleanOperator:
		op := x.child(n, x.g.operator)
		if op >= 0 && (x.src[x.nodes[op].Start] == 'a') == holds {
			x.refineIf(x.child(n, x.g.left), holds)
			x.refineIf(x.child(n, x.g.right), holds)
		}
	case kCall:
		if c, ok := x.checks[n]; ok && c.object >= 0 {
			x.narrow(c, holds)
		}
	}
	x.up()
}

// narrow binds what isinstance checked to what it then is.
func (x *extractor) narrow(c check, holds bool) {
	f := x.function()
	if f.kind != frameFunction && f.kind != frameLambda {
		return
	}
	op := opNarrow
	if !holds {
		op = opExclude
	}
	switch x.kind(c.object) {
	case kIdentifier:
		of, v := x.find(x.word(c.object))
		if of != nil && v.cur != unbound && (of == f || of.kind == frameBrief) && x.here(of) {
			v.cur = x.Make(op, -1, v.cur, c.class)
		}
	case kAttribute:
		if holds && x.isPath(c.object) && x.fn == f {
			was := x.reread(c.object)
			v := x.bind(f, x.intern(x.t.Text(c.object)))
			v.path, v.cur = true, x.Make(op, -1, was, c.class)
		}
	}
}

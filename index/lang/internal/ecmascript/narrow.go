package ecmascript

import "strings"

// A fact is what a condition around says of a value. Each narrows the type of
// its value: "is" (a call a of a type predicate), "asserts" (a call a of an
// assertion), "instance" (of the class b), "in" (it has the property named by
// the opText b), "equal" (its member a equals b), "typeof" (b names its type),
// "array", "truthy" (its member a is true). With "!" in front the opposite holds.
type fact struct {
	value  int32 // an Expr without opGuarded
	narrow int32 // an opNarrow
}

// maxFacts bounds what is known at one place.
const maxFacts = 48

// narrowed returns e with what is known of it at this place.
func (x *extractor) narrowed(e int32) int32 {
	if len(x.facts) == 0 || e < 0 {
		return e
	}
	bare := x.bare(e)
	for _, f := range x.facts {
		if f.value == bare {
			e = x.Make(opGuarded, -1, e, f.narrow)
		}
	}
	return e
}

// bare returns a reference as it would be without anything known.
func (x *extractor) bare(e int32) int32 {
	for e >= 0 && x.Exprs[e].Op == opGuarded {
		e = x.Exprs[e].A
	}
	if e >= 0 && x.Exprs[e].Op == opMember {
		if a := x.bare(x.Exprs[e].A); a != x.Exprs[e].A {
			return x.Make(opMember, x.Exprs[e].Name, a, -1)
		}
	}
	return e
}

// forget drops what is known of a value that is assigned to, and of its members.
func (x *extractor) forget(e int32) {
	if len(x.facts) == 0 || e < 0 {
		return
	}
	bare := x.bare(e)
	kept := x.facts[:0]
	for _, f := range x.facts {
		if !x.within(f.value, bare) {
			kept = append(kept, f)
		}
	}
	for len(kept) < len(x.facts) { // keep the length, which marks on the way out rely on
		kept = append(kept, fact{-1, -1})
	}
	x.facts = kept
}

func (x *extractor) within(e, of int32) bool {
	for e >= 0 {
		if e == of {
			return true
		}
		if x.Exprs[e].Op != opMember {
			return false
		}
		e = x.Exprs[e].A
	}
	return false
}

// assume adds what holds where the condition at n is true, or false. The
// condition must have been read.
func (x *extractor) assume(n int32, yes bool) {
	if n < 0 || len(x.facts) >= maxFacts || !x.down() {
		if n >= 0 && len(x.facts) < maxFacts {
			x.up()
		}
		return
	}
	defer x.up()
	switch x.kind(n) {
	case kParenthesized, kNonNull:
		x.assume(x.firstNamed(n), yes)
	case kUnary:
		if x.has(n, "!") {
			x.assume(x.child(n, x.g.argument), !yes)
		}
	case kBinary:
		x.assumeBinary(n, yes)
	case kCall:
		x.assumeCall(n, yes)
	case kMember:
		m := x.reference(n)
		if m >= 0 && x.Exprs[m].Op == opMember {
			x.know(x.Exprs[m].A, "truthy", yes, m, -1)
		}
	}
}

func (x *extractor) know(value int32, what string, yes bool, a, b int32) {
	if value < 0 {
		return
	}
	if !yes {
		what = "!" + what
	}
	x.facts = append(x.facts, fact{value, x.Make(opNarrow, x.internText(what), a, b)})
}

// reference returns the bare expression of a name or member, -1 for anything
// else. Nothing is recorded.
func (x *extractor) reference(n int32) int32 {
	switch x.kind(n) {
	case kIdentifier:
		return x.meaning(x.word(n), false)
	case kThis:
		return x.this
	case kParenthesized, kNonNull:
		if c := x.firstNamed(n); c >= 0 {
			return x.reference(c)
		}
	case kMember:
		object, name := x.child(n, x.g.object), x.child(n, x.g.property)
		if object >= 0 && name >= 0 && x.down() {
			e := x.reference(object)
			x.up()
			if e >= 0 {
				return x.Make(opMember, x.word(name), e, -1)
			}
		}
	}
	return -1
}

func (x *extractor) assumeBinary(n int32, yes bool) {
	left, right, op := x.child(n, x.g.left), x.child(n, x.g.right), x.child(n, x.g.operator)
	if left < 0 || right < 0 || op < 0 {
		return
	}
	switch sign := string(x.t.Text(op)); sign {
	case "&&":
		if yes {
			x.assume(left, true)
			x.assume(right, true)
		}
	case "||":
		if !yes {
			x.assume(left, false)
			x.assume(right, false)
		}
	case "instanceof":
		x.know(x.reference(left), "instance", yes, -1, x.reference(right))
	case "in":
		if f := x.childOf(left, kFragment); f >= 0 {
			x.know(x.reference(right), "in", yes, -1, x.Make(opText, x.word(f), -1, -1))
		}
	case "===", "==", "!==", "!=":
		x.assumeEqual(left, right, yes == (sign[0] == '='))
	}
}

func (x *extractor) assumeEqual(left, right int32, yes bool) {
	value := x.constant(right)
	if value < 0 {
		return
	}
	if x.kind(left) == kUnary && x.has(left, "typeof") {
		if c := x.child(left, x.g.argument); c >= 0 {
			x.know(x.reference(c), "typeof", yes, -1, value)
		}
		return
	}
	if m := x.reference(left); m >= 0 && x.Exprs[m].Op == opMember {
		x.know(x.Exprs[m].A, "equal", yes, m, value)
	}
}

// constant returns a literal or a name for comparison, -1 for anything else.
func (x *extractor) constant(n int32) int32 {
	switch x.kind(n) {
	case kString:
		if f := x.childOf(n, kFragment); f >= 0 && x.nodes[f].End-x.nodes[f].Start <= maxLiteral {
			return x.Make(opText, x.word(f), -1, -1)
		}
	case kTrue:
		return x.Make(opText, x.word(n), -1, -1)
	case kIdentifier, kMember:
		return x.reference(n)
	}
	return -1
}

func (x *extractor) assumeCall(n int32, yes bool) {
	function, args := x.child(n, x.g.function), x.child(n, x.g.arguments)
	if function < 0 || args < 0 || x.kind(args) != kArguments {
		return
	}
	callee := x.reference(function)
	if callee < 0 {
		return
	}
	what := "is"
	if x.kind(function) == kMember && string(x.t.Text(function)) == "Array.isArray" {
		what = "array"
	}
	x.knowArguments(callee, args, what, yes)
}

// knowArguments adds a fact for each argument that is a reference. Which of them
// the predicate speaks of, and whether it is one, is for linking to find out: a
// call of the bare arguments stands for it.
func (x *extractor) knowArguments(callee, args int32, what string, yes bool) {
	from := len(x.Stack)
	for c, end := args+1, x.nodes[args].Next; c < end; c = x.nodes[c].Next {
		if x.nodes[c].Named() && x.kind(c) != kComment {
			x.Push(x.reference(c))
		}
	}
	list := append([]int32(nil), x.Stack[from:]...)
	call := x.MakeList(opCall, -1, callee, -1, from)
	for _, e := range list {
		if e >= 0 {
			x.know(e, what, yes, call, -1)
		}
	}
}

// assumeAsserted adds what an assertion that stands as a statement says.
func (x *extractor) assumeAsserted(n int32) {
	if x.kind(n) != kCall || len(x.facts) >= maxFacts {
		return
	}
	function, args := x.child(n, x.g.function), x.child(n, x.g.arguments)
	if function < 0 || args < 0 || x.kind(args) != kArguments {
		return
	}
	text := strings.ToLower(string(x.t.Text(function)))
	if !strings.Contains(text, "assert") && !strings.Contains(text, "invariant") {
		return
	}
	if callee := x.reference(function); callee >= 0 {
		x.knowArguments(callee, args, "asserts", true)
	}
	if c := x.firstNamed(args); c >= 0 {
		x.assume(c, true)
	}
}

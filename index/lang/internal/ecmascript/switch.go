package ecmascript

// switchStatement reads a switch: all its cases are one scope, and in a case
// that is not fallen into the value is known to equal the case's.
func (x *extractor) switchStatement(n int32) {
	value, body := x.child(n, x.g.fields.value), x.child(n, x.g.body)
	if value >= 0 {
		x.expr(value, -1)
	}
	if body < 0 {
		return
	}
	mark, inside, namespace := x.open(), x.inside, x.namespace
	x.inside, x.namespace = true, false
	for c, end := body+1, x.nodes[body].Next; c < end; c = x.nodes[c].Next {
		x.hoist(c)
	}
	falls := false
	for c, end := body+1, x.nodes[body].Next; c < end; c = x.nodes[c].Next {
		if x.kind(c) == kSwitchCase {
			falls = x.switchCase(c, value, falls)
		}
	}
	x.inside, x.namespace = inside, namespace
	x.close(mark)
}

// switchCase reads one case and reports whether the next is fallen into.
func (x *extractor) switchCase(n, value int32, falls bool) bool {
	facts := len(x.facts)
	equals := x.child(n, x.g.fields.value)
	last := int32(-1)
	if equals >= 0 {
		x.expr(equals, -1)
		if value >= 0 && !falls && len(x.facts) < maxFacts {
			x.assumeCase(value, equals)
		}
	}
	outer := x.doc
	x.doc = docs{}
	for c, end := n+1, x.nodes[n].Next; c < end; c = x.nodes[c].Next {
		if x.nodes[c].Field == x.g.body && x.nodes[c].Named() {
			x.statement(c)
			last = c
		}
	}
	x.doc = outer
	x.facts = x.facts[:facts]
	return last < 0 || !x.leaves(last)
}

// assumeCase adds that the value of a switch equals that of a case.
func (x *extractor) assumeCase(value, equals int32) {
	for x.kind(value) == kParenthesized && x.firstNamed(value) >= 0 {
		value = x.firstNamed(value)
	}
	if x.kind(value) == kTrue { // switch (true)
		x.assume(equals, true)
		return
	}
	x.assumeEqual(value, equals, true)
}

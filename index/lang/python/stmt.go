package python

import (
	"bytes"

	"github.com/plumbkit/plumb/index"
)

// statements reads the children of a block, a module, or an error.
func (x *extractor) statements(n int32) {
	for c, end := n+1, x.nodes[n].Next; c < end; c = x.nodes[c].Next {
		if x.nodes[c].Named() && x.kind(c) != kComment {
			x.statement(c)
		}
	}
}

// statement reads one statement.
func (x *extractor) statement(n int32) {
	if !x.down() {
		x.up()
		return
	}
	switch x.kind(n) {
	case kBlock, kError, kModule:
		x.statements(n)
	case kExpressionStatement:
		x.each(n, func(c int32) { x.simple(c) })
	case kFunctionDefinition:
		x.functionDef(n, n, nil)
	case kClassDefinition:
		x.classDef(n, n, nil)
	case kDecoratedDefinition:
		x.decorated(n)
	case kImportStatement, kImportFromStatement, kFutureImportStatement:
		x.importStatement(n)
	case kReturnStatement:
		x.returns(n)
	case kRaiseStatement:
		x.operands(n)
		x.raised(n)
		x.function().dead = true
	case kBreakStatement:
		x.leave(false)
	case kContinueStatement:
		x.leave(true)
	case kAssertStatement:
		x.operands(n)
		x.assertStatement(n)
		if c := x.first(n); c >= 0 {
			x.refine(c, true)
		}
	case kGlobalStatement, kNonlocalStatement:
		x.each(n, func(c int32) { x.use(c, index.RefRead, -1) })
	case kPassStatement:
	case kTypeAliasStatement:
		x.typeAlias(n)
	default:
		x.compound(n)
	}
	x.up()
}

func (x *extractor) compound(n int32) {
	switch x.kind(n) {
	case kIfStatement:
		x.ifStatement(n)
	case kForStatement:
		x.forStatement(n)
	case kWhileStatement:
		x.whileStatement(n)
	case kTryStatement:
		x.tryStatement(n)
	case kWithStatement:
		x.withStatement(n)
	case kMatchStatement:
		x.matchStatement(n)
	case kPrintStatement:
		x.operands(n)
		x.mark(index.MarkDebug, n, x.line(n), "print", 0)
	default:
		x.simple(n)
	}
}

// simple reads what an expression statement holds.
func (x *extractor) simple(n int32) {
	switch x.kind(n) {
	case kAssignment:
		x.assignment(n)
	case kAugmentedAssignment:
		x.augmented(n)
	case kExpressionStatement, kBlock, kFunctionDefinition, kClassDefinition, kDecoratedDefinition:
		x.statement(n)
	default:
		x.expr(n)
		if x.kind(n) == kCall && x.exits(n) {
			x.function().dead = true
		}
	}
}

// exits reports whether a call never returns.
func (x *extractor) exits(n int32) bool {
	f := x.child(n, x.g.function)
	if f < 0 {
		return false
	}
	switch string(x.t.Text(f)) {
	case "sys.exit", "exit", "quit", "os._exit", "os.abort", "pytest.fail", "pytest.skip", "self.fail", "self.skipTest":
		return true
	}
	return false
}

// operands reads every expression among n's children.
func (x *extractor) operands(n int32) {
	x.each(n, func(c int32) { x.expr(c) })
}

func (x *extractor) returns(n int32) {
	value := x.Make(opConst, x.internText("None"), -1, -1)
	if c := x.first(n); c >= 0 {
		value = x.expr(c)
	}
	if f := x.function(); f.kind == frameFunction {
		f.returns = append(f.returns, value)
		f.dead = true
	}
}

func (x *extractor) ifStatement(n int32) {
	cond := x.child(n, x.g.condition)
	if cond >= 0 {
		x.expr(cond)
		x.mainGuard(cond)
	}
	f := x.function()
	f.conditional++
	before := x.save()
	var ends []state
	var dead []bool
	outer := f.branch
	branch := func(block int32) {
		f.branch = branch{n, len(ends) + 1}
		f.dead = false
		if block >= 0 {
			x.statement(block)
		}
		ends, dead = append(ends, x.save()), append(dead, f.dead)
	}
	x.refineIf(cond, true)
	branch(x.child(n, x.g.consequence))
	x.restore(before)
	x.refineIf(cond, false)
	closed := false
	for c, end := n+1, x.nodes[n].Next; c < end; c = x.nodes[c].Next {
		switch x.kind(c) {
		case kElifClause:
			cond := x.child(c, x.g.condition)
			if cond >= 0 {
				x.expr(cond)
			}
			rest := x.save()
			x.refineIf(cond, true)
			branch(x.child(c, x.g.consequence))
			x.restore(rest)
			x.refineIf(cond, false)
		case kElseClause:
			branch(x.child(c, x.g.body))
			closed = true
		}
	}
	if !closed {
		branch(-1)
	}
	f.branch = outer
	f.conditional--
	x.joinLive(ends, dead)
}

// mainGuard notes the condition that makes a file a program.
func (x *extractor) mainGuard(cond int32) {
	text := x.t.Text(cond)
	if x.fn.kind == frameModule && bytes.Contains(text, []byte("__name__")) && bytes.Contains(text, []byte("__main__")) &&
		bytes.Contains(text, []byte("==")) {
		x.guard = true
	}
}

func (x *extractor) forStatement(n int32) {
	value := int32(-1)
	if right := x.child(n, x.g.right); right >= 0 {
		if value = x.expr(right); value >= 0 {
			op := opIter
			if x.src[x.nodes[n].Start] == 'a' { // async for
				op = opAsyncIter
			}
			value = x.Make(op, -1, value, -1)
		}
	}
	l := x.enter(n)
	start := x.save()
	if left := x.child(n, x.g.left); left >= 0 {
		x.target(left, value, -1, left)
	}
	x.loopBody(n, l, start)
}

func (x *extractor) whileStatement(n int32) {
	l := x.enter(n)
	cond := x.child(n, x.g.condition)
	if cond >= 0 {
		x.expr(cond)
	}
	start := x.save()
	x.refineIf(cond, true)
	x.loopBody(n, l, start)
	x.refineIf(cond, false)
}

// loopBody reads the body and the else clause of a loop. start is the state in
// which no further pass is made.
func (x *extractor) loopBody(n int32, l *loop, start state) {
	f := x.function()
	was := f.dead
	f.dead = false
	if body := x.child(n, x.g.body); body >= 0 {
		x.statement(body)
	}
	x.again(l)
	x.restore(start)
	f.dead = false
	if other := x.child(n, x.g.alternative); other >= 0 {
		if body := x.child(other, x.g.body); body >= 0 {
			x.statement(body)
		}
	}
	if len(l.breaks) > 0 {
		states := append(l.breaks, x.save())
		x.joinLive(states, append(make([]bool, len(states)-1), f.dead))
	}
	f.dead = was
}

func (x *extractor) tryStatement(n int32) {
	f := x.function()
	f.conditional++
	before, outer := x.save(), f.branch
	f.dead, f.branch = false, branch{n, 0}
	if body := x.child(n, x.g.body); body >= 0 {
		x.statement(body)
	}
	broken := x.save()
	ends, dead := []state{broken}, []bool{f.dead}
	var finally int32 = -1
	for c, end := n+1, x.nodes[n].Next; c < end; c = x.nodes[c].Next {
		switch x.kind(c) {
		case kExceptClause, kExceptGroupClause:
			x.join(before, broken)
			f.dead, f.branch = false, branch{n, len(ends)}
			x.exceptClause(c)
			ends, dead = append(ends, x.save()), append(dead, f.dead)
		case kElseClause:
			x.restore(broken)
			f.dead, f.branch = dead[0], branch{n, 0}
			if body := x.child(c, x.g.body); body >= 0 {
				x.statement(body)
			}
			ends[0], dead[0] = x.save(), f.dead
		case kFinallyClause:
			finally = c
		}
	}
	f.conditional--
	f.branch = outer
	x.joinLive(ends, dead)
	if finally >= 0 {
		was := f.dead
		x.each(finally, func(c int32) { x.statement(c) })
		f.dead = f.dead || was
	}
}

// exceptClause reads one handler. A handler that takes everything is a suppression.
func (x *extractor) exceptClause(n int32) {
	x.each(n, func(c int32) {
		switch x.kind(c) {
		case kBlock:
			x.statement(c)
		case kAsPattern:
			class := int32(-1)
			if v := x.first(c); v >= 0 {
				class = x.expr(v)
			}
			if class >= 0 {
				class = x.Make(opExcept, -1, class, -1)
			}
			if t := x.child(c, x.g.alias); t >= 0 {
				if name := x.first(t); name >= 0 {
					x.target(name, class, -1, name)
				}
			}
		default:
			x.expr(c)
		}
	})
	x.markHandler(n)
}

func (x *extractor) withStatement(n int32) {
	op := opEnter
	if x.src[x.nodes[n].Start] == 'a' { // async with
		op = opAsyncEnter
	}
	swallows := false
	for i, end := n+1, x.nodes[n].Next; i < end; i = x.nodes[i].Next {
		if x.kind(i) != kWithClause {
			continue
		}
		x.each(i, func(item int32) {
			value := x.child(item, x.g.value)
			if value < 0 {
				return
			}
			swallows = swallows || bytes.Contains(x.t.Text(value), []byte("raises")) || bytes.Contains(x.t.Text(value), []byte("suppress"))
			if x.kind(value) != kAsPattern {
				x.expr(value)
				return
			}
			e := int32(-1)
			if v := x.first(value); v >= 0 {
				e = x.expr(v)
			}
			if e >= 0 {
				e = x.Make(op, -1, e, -1)
			}
			if t := x.child(value, x.g.alias); t >= 0 {
				if target := x.first(t); target >= 0 {
					x.target(target, e, -1, target)
				}
			}
		})
	}
	f := x.function()
	was := f.dead
	if body := x.child(n, x.g.body); body >= 0 {
		x.statement(body)
	}
	if swallows {
		f.dead = was
	}
}

func (x *extractor) matchStatement(n int32) {
	f := x.function()
	for c, end := n+1, x.nodes[n].Next; c < end; c = x.nodes[c].Next {
		if x.nodes[c].Field == x.g.subject {
			x.expr(c)
		}
	}
	body := x.child(n, x.g.body)
	if body < 0 {
		return
	}
	f.conditional++
	before := x.save()
	ends, dead := []state{before}, []bool{f.dead}
	x.each(body, func(c int32) {
		x.restore(before)
		f.dead = false
		x.each(c, func(part int32) {
			switch {
			case x.nodes[part].Field == x.g.consequence:
				x.statement(part)
			case x.nodes[part].Field == x.g.guard:
				x.operands(part)
			default:
				x.pattern(part)
			}
		})
		ends, dead = append(ends, x.save()), append(dead, f.dead)
	})
	f.conditional--
	x.joinLive(ends, dead)
}

// pattern reads one pattern of a match statement: what it compares with is
// used, what it captures is bound to something not known.
func (x *extractor) pattern(n int32) {
	if !x.down() {
		x.up()
		return
	}
	switch x.kind(n) {
	case kDottedName:
		x.dotted(n)
	case kClassPattern:
		x.each(n, func(c int32) { x.pattern(c) })
	case kKeywordPattern:
		first := true
		x.each(n, func(c int32) {
			if name := x.capture(n, c); !first && name >= 0 {
				x.target(name, notKnown, -1, name)
			} else if !first {
				x.pattern(c)
			}
			first = false
		})
	case kIdentifier:
		x.target(n, notKnown, -1, n)
	default:
		x.each(n, func(c int32) {
			if name := x.capture(n, c); name >= 0 {
				x.target(name, notKnown, -1, name)
			} else {
				x.pattern(c)
			}
		})
	}
	x.up()
}

// capture returns the identifier that the child c of pattern n captures, or -1.
func (x *extractor) capture(n, c int32) int32 {
	if k := x.kind(n); k != kCasePattern && k != kKeywordPattern || x.kind(c) != kDottedName {
		return -1
	}
	return x.captured(n)
}

// dotted reads a.b.c where no expression stands.
func (x *extractor) dotted(n int32) int32 {
	e, first := int32(-1), true
	x.each(n, func(c int32) {
		if first {
			e, first = x.use(c, index.RefRead, -1), false
			return
		}
		word := x.word(c)
		e = x.Make(opAttr, word, e, -1)
		x.site(c, word, index.RefRead, e, -1)
	})
	return e
}

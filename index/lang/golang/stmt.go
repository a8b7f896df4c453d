package golang

import (
	"github.com/plumbkit/plumb/index"
	"github.com/plumbkit/plumb/internal/syntax"
)

// visit reads whatever stands at n: a declaration, statement, expression or type.
func (x *extractor) visit(n int32) {
	if !x.down() {
		x.up()
		return
	}
	defer x.up()
	switch x.kind(n) {
	case kComment, kLabel, kBreak, kPackageClause, kComma, kSemicolon, kNewline, kClose, kFieldIdentifier:
	case kFunctionDeclaration, kMethodDeclaration:
		x.function(n)
	case kImportDeclaration, kConstDeclaration, kVarDeclaration, kTypeDeclaration:
		x.declaration(n)
	case kBlock, kIf, kFor, kSwitch, kSelect, kExpressionCase, kDefaultCase, kCommunicationCase:
		mark := x.open()
		x.children(n)
		x.close(mark)
	case kTypeSwitch:
		x.typeSwitch(n)
	case kShortVar:
		x.shortVar(n)
	case kAssignment:
		x.assignment(n)
	case kIncrement, kDecrement:
		if c := x.firstNamed(n); c >= 0 {
			x.assignTo(c)
		}
	case kRangeClause:
		x.rangeClause(n)
	case kReceive:
		x.receive(n)
	case kFieldDeclaration:
		from := len(x.Stack)
		x.structField(n)
		x.Stack = x.Stack[:from]
	case kMethodElem:
		x.abstractMethod(n)
	case kParameterList:
		from := len(x.Stack)
		x.parameters(n, false, nil)
		x.Stack = x.Stack[:from]
	default:
		x.expr(n, false)
	}
}

// children visits the children of n.
func (x *extractor) children(n int32) {
	for c, end := n+1, x.nodes[n].Next; c < end; c = x.nodes[c].Next {
		if x.nodes[c].Named() {
			x.visit(c)
		}
	}
}

// visitOther reads the children of a node that has no meaning of its own.
func (x *extractor) visitOther(n int32) {
	if x.inside {
		x.children(n)
		return
	}
	x.declarations(n)
}

// shortVar reads left := right. Of the names on the left those that the scope
// has already are assigned to, the rest is declared.
func (x *extractor) shortVar(n int32) {
	left, right := x.child(n, x.g.left), x.child(n, x.g.right)
	from := len(x.Stack)
	if right >= 0 {
		x.operands(right, true)
	}
	if left >= 0 {
		x.declare(left, from)
	}
	x.Stack = x.Stack[:from]
}

// operands pushes the expressions of a list, or the one expression at n.
func (x *extractor) operands(n int32, want bool) {
	if x.kind(n) == kExpressionList {
		x.list(n, want)
		return
	}
	x.Push(x.expr(n, want))
}

// declare declares the names of the list at n with the values on the stack from from on.
func (x *extractor) declare(n int32, from int) {
	count, i := 0, 0
	x.each(n, func(int32) { count++ })
	x.each(n, func(c int32) {
		value := x.valueOf(x.Stack[from:], i, count)
		i++
		if x.kind(c) != kIdentifier {
			x.visit(c)
			return
		}
		if !x.isBlank(c) && !x.boundHere(x.word(c)) {
			x.bindLocal(c, -1, value)
		}
	})
}

// each calls f with each expression of the list at n, or with n itself.
func (x *extractor) each(n int32, f func(int32)) {
	if x.kind(n) != kExpressionList {
		f(n)
		return
	}
	for c, end := n+1, x.nodes[n].Next; c < end; c = x.nodes[c].Next {
		if x.nodes[c].Named() && x.kind(c) != kComment {
			f(c)
		}
	}
}

func (x *extractor) assignment(n int32) {
	if left := x.child(n, x.g.left); left >= 0 {
		x.each(left, x.assignTo)
	}
	if right := x.child(n, x.g.right); right >= 0 {
		x.each(right, func(c int32) { x.expr(c, false) })
	}
}

func (x *extractor) assignTo(n int32) { x.target(n, index.RefWrite, -1, false) }

func (x *extractor) rangeClause(n int32) {
	left, right := x.child(n, x.g.left), x.child(n, x.g.right)
	over := int32(-1)
	declares := left >= 0 && x.hasToken(n, ":=")
	if left >= 0 && !declares {
		x.each(left, x.assignTo)
	}
	if right >= 0 {
		over = x.expr(right, declares)
	}
	if !declares {
		return
	}
	from := len(x.Stack)
	if over >= 0 {
		x.Push(x.Make(opRangeKey, -1, over, -1))
		x.Push(x.Make(opRangeElem, -1, over, -1))
	} else {
		x.Push(-1)
		x.Push(-1)
	}
	x.declare(left, from)
	x.Stack = x.Stack[:from]
}

// receive reads v, ok := <-ch and v, ok = <-ch in a select.
func (x *extractor) receive(n int32) {
	left, right := x.child(n, x.g.left), x.child(n, x.g.right)
	declares := left >= 0 && x.hasToken(n, ":=")
	if left >= 0 && !declares {
		x.each(left, x.assignTo)
	}
	from := len(x.Stack)
	if right >= 0 {
		x.Push(x.expr(right, declares))
	}
	if declares {
		x.declare(left, from)
	}
	x.Stack = x.Stack[:from]
}

// hasToken reports whether one of n's children is the token text, even where
// the grammar does not expect it.
func (x *extractor) hasToken(n int32, text string) bool {
	for c, end := n+1, x.nodes[n].Next; c < end; c = x.nodes[c].Next {
		if node := &x.nodes[c]; (!node.Named() || node.Is(syntax.Error)) && int(node.End-node.Start) == len(text) && string(x.src[node.Start:node.End]) == text {
			return true
		}
	}
	return false
}

func (x *extractor) typeSwitch(n int32) {
	mark := x.open()
	alias, over := x.child(n, x.g.alias), int32(-1)
	for c, end := n+1, x.nodes[n].Next; c < end; c = x.nodes[c].Next {
		switch k := x.kind(c); {
		case c == alias || !x.nodes[c].Named() || k == kComment:
		case k == kTypeCase || k == kDefaultCase:
			x.typeCase(c, alias, over)
		case x.nodes[c].Field == x.g.value:
			over = x.expr(c, alias >= 0)
		default:
			x.visit(c)
		}
	}
	x.close(mark)
}

// typeCase reads one clause, in which the switch's variable has a type of its own.
func (x *extractor) typeCase(n, alias, over int32) {
	mark, from := x.open(), len(x.Stack)
	c, end := n+1, x.nodes[n].Next
	for ; c < end; c = x.nodes[c].Next {
		if x.nodes[c].Field == x.g.typ {
			if x.nodes[c].Named() {
				x.Push(x.typ(c, index.RefType))
			}
			continue
		}
		if x.nodes[c].Named() && x.kind(c) != kComment {
			break
		}
	}
	if alias >= 0 {
		e := x.MakeList(opSwitch, -1, over, -1, from)
		x.each(alias, func(name int32) {
			if x.kind(name) == kIdentifier {
				x.bindLocal(name, -1, e)
			}
		})
	}
	x.Stack = x.Stack[:from]
	for ; c < end; c = x.nodes[c].Next {
		if x.nodes[c].Named() {
			x.visit(c)
		}
	}
	x.close(mark)
}

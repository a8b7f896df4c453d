package python

import "github.com/plumbkit/plumb/index/lang/internal/extract"

// The operations of index.Expr for Python. Extraction writes them and linking
// reads them; nothing else does. "name" is Expr.Name, a and b are Expr.A and
// Expr.B, list is Lists[L0:L1]; what an operation does not use is -1 or empty.
// An operand that should be an Expr can be -1: not known.
//
// A name that is bound in a function around it (parameter, variable, function-
// level import) makes no Site; a nested function or class does. Values follow the
// order of the text: a use of a variable is the expression that it was last
// bound to, a union where branches meet, and an opLocal where a loop or a
// closure leaves that open.
const (
	opUnknown uint8 = iota

	opName  // name: a name of the module, or a builtin
	opLocal // a: index into Locals
	opDef   // a: index into Defs: a function or class defined in a function
	opOwn   // name, bound in the body of class Defs[a], used in that body; b: what it is where the class does not bind it
	opSelf  // a: index into Defs: the first parameter of a method of that class
	opCls   // a: index into Defs: that of a class method, or __class__
	opSuper // a: index into Defs: super() in a method of that class

	opAttr      // a.name
	opImport    // a: index into Imports, b: which of its Symbols, -1: the module that the import binds
	opComponent // a: index into Imports, b: how many parts of the dotted path, from the left, are meant
	opCall      // a(list); opKw stands for a keyword argument, opSpread for *x and **x
	opKw        // name=a
	opSpread    // *a, **a
	opIndex     // a[list], of values and types alike
	opSlice     // a[x:y]

	opAwait      // await a
	opIter       // an element of a
	opAsyncIter  // an element of a, in async for
	opEnter      // with a as …
	opAsyncEnter // async with a as …
	opItem       // the b-th value of a unpacked; b is -1 for the rest behind a star
	opExcept     // except a as …

	opUnion    // list
	opNarrow   // a where isinstance(a, b) holds
	opExclude  // a where isinstance(a, b) does not hold
	opConst    // a literal; name: its builtin type, or "None"
	opTuple    // list
	opList     // list: elements
	opSet      // list: elements
	opDict     // a: keys, b: values
	opGen      // a generator of a
	opOr       // a | b
	opBinary   // a, b with any other operator
	opLambda   // a function without name; a: what it returns
	opDeclared // a: the declared type, b: the value bound, -1 if none

	opTypeParam // name; a: the bound, -1 if none
	opFunc      // a function's type; list: types of its parameters, -1 without annotation; a: the declared result; b: its decorators (opTuple)
	opAsync     // a: what an async function returns when awaited
	opClass     // list: bases, opKw among them; b: its decorators (opTuple)
	opReturns   // list: what the return statements of a function without declared result return
	opYields    // list: what the yields of a generator yield

	opKeyword // the keyword argument name of a call of a
	opFixture // name: a parameter of a test that may name a fixture
	opPath    // name: the first part of a dotted path in a string
	opInit    // a: what is called, that may be a class: its constructor
	opSited   // a: what a variable holds there, that functions, classes or imports (list) are bound to as well
)

// operandsOf tells what A and B of an operation are. Name always refers to Names.
func operandsOf(op uint8) (a, b extract.Operand, name bool) {
	switch op {
	case opLocal:
		return extract.ToLocal, extract.Plain, true
	case opDef, opSelf, opCls, opSuper:
		return extract.ToDef, extract.Plain, true
	case opOwn:
		return extract.ToDef, extract.ToExpr, true
	case opUnknown, opName, opImport, opComponent, opUnion, opConst, opTuple, opList, opSet, opReturns, opYields, opFixture, opPath:
		return extract.Plain, extract.Plain, true
	case opNarrow, opExclude, opDict, opOr, opBinary, opDeclared, opFunc:
		return extract.ToExpr, extract.ToExpr, true
	case opClass:
		return extract.Plain, extract.ToExpr, true
	}
	return extract.ToExpr, extract.Plain, true
}

// inDefs reports whether A of an operation is an index into Defs.
func inDefs(op uint8) bool {
	a, _, _ := operandsOf(op)
	return a == extract.ToDef
}

// The bits of index.Def.Flags that this language adds to index's own.
const (
	defConditional uint16 = 1 << (15 - iota) // it stands under an if or try of its scope
)

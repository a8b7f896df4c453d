package golang

// The operations of index.Expr for Go. Extraction writes them and linking
// reads them; nothing else does. "name" is Expr.Name, a and b are Expr.A and
// Expr.B, list is Lists[L0:L1].
const (
	// opUnknown is an expression whose type extraction cannot say.
	opUnknown uint8 = iota

	// Values and types alike.

	opName     // name: an identifier that is no local: package level, imported package, or predeclared
	opLocal    // a: index into Locals
	opSelect   // a.name
	opIndex    // a[list]: index expression or instantiation; list holds the indices
	opStar     // *a: dereference or pointer type
	opFuncLit  // a function literal; a: its opFuncType
	opDef      // a: index into Defs; stands for that definition itself (receiver base type, iota's constant …)

	// Values.

	opCall      // a(list)
	opResult    // the b-th (0-based) value of the call, comma-ok or range expression a
	opAddr      // &a
	opRecv      // <-a
	opSlice     // a[i:j]
	opAssert    // a.(b)
	opComposite // a{…}: value of type a; a is -1 for an elided type: name is then unused and b is the enclosing composite, list empty
	opBasic     // a literal; name: its predeclared default type ("string", "int", "float64", "rune", "complex128")
	opUnary     // op a, with the type of a (not & or <-); comparison and logic give opBasic "bool"
	opBinary    // a op b
	opRangeKey  // first range variable over a
	opRangeElem // second range variable over a
	opSwitch    // the variable of a type switch over a; list holds the case's types, empty for default
	opMethodOf  // method expression base, reserved for (*T).M: same as opSelect on a type

	// Types.

	opPointer   // *a where only a type can stand
	opArray     // [n]a
	opSliceType // []a
	opMap       // map[a]b
	opChan      // chan a
	opFuncType  // list: parameter types then result types; a: number of parameters; b: 1 when the last parameter is variadic (its list entry is the element type)
	opStruct    // a literal struct type; its fields are Defs whose Parent is a; list: the types of embedded fields
	opInterface // a literal interface type; its methods are Defs whose Parent is a; list: embedded interfaces and union terms
	opUnion     // list: terms of a constraint union or ~T
	opTypeParam // a: index into Params of the type parameter; b: its constraint expression
)

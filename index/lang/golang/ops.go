package golang

// The operations of index.Expr for Go. Extraction writes them and linking
// reads them; nothing else does. "name" is Expr.Name, a and b are Expr.A and
// Expr.B, list is Lists[L0:L1]; what an operation does not use is -1 or empty.
// Where the source is broken, an operand that should be an Expr can be -1.
//
// An identifier that names a function's own local (parameter, result, variable,
// constant, label, type parameter) makes no Site. The Site of a plain name has
// opName or opDef as its Expr, that of a selector opSelect, that of f in
// f[int](x) the plain name's own. Predeclared types make no Site unless the same
// file declares that name. RefString and RefImport sites have no Expr; the name
// of a RefImport site is the import's path.
const (
	// opUnknown is an expression whose type extraction cannot say.
	opUnknown uint8 = iota

	// Values and types alike.

	opName // name: an identifier that is no local: package level, imported package, or predeclared (nil, true, false and iota are opBasic)
	// opLocal's a is an index into Locals.
	opLocal
	// opSelect is a.name. In the key of a composite literal b is what the name
	// stands for if a turns out to be no struct; elsewhere b is -1.
	opSelect
	opIndex   // a[list]: index expression or instantiation; list holds the indices
	opStar    // *a: dereference or pointer type
	opFuncLit // a function literal; a: its opFuncType
	opDef     // a: index into Defs: a type that is declared in a function body

	// Values.

	opCall // a(list), conversions included; f(xs...) lists xs as it stands
	// opResult is the b-th (0-based) value of a: of a call, or of one of the
	// comma-ok forms opIndex, opAssert and opRecv, whose 0th value is their own
	// type and whose 1st is bool.
	opResult
	opAddr   // &a
	opRecv   // <-a
	opSlice  // a[i:j]
	opAssert // a.(b)
	// opComposite is a{…}, a value of type a. For an elided type a is -1, b is the
	// enclosing composite, and name is 1 when the literal is the key of a map entry,
	// -1 when it is an element.
	opComposite
	opBasic     // a literal; name: its predeclared default type ("string", "int", "float64", "rune", "complex128", "bool"), or "nil"
	opUnary     // op a, with the type of a (not & or <-); comparison and logic give opBasic "bool"
	opBinary    // a op b
	opRangeKey  // first range variable over a
	opRangeElem // second range variable over a
	opSwitch    // the variable of one clause of a type switch over a; list holds the clause's types (nil is opBasic), empty for default
	opMethodOf  // method expression base, reserved for (*T).M: same as opSelect on a type; not written

	// Types.

	opPointer   // *a where only a type can stand
	opArray     // [n]a
	opSliceType // []a
	opMap       // map[a]b
	opChan      // chan a
	opFuncType  // list: parameter types then result types; a: number of parameters; b: 1 when the last parameter is variadic (its list entry is the element type)
	// opStruct is a literal struct type. Its fields are the Defs in [b, name) whose
	// Parent is a; a is -1 outside of any definition, and two literals in one
	// function have the same a. list: the types of its embedded fields.
	opStruct
	// opInterface is a literal interface type. Its methods are the Defs in
	// [b, name) whose Parent is a. list: embedded interfaces and union terms.
	opInterface
	opUnion // list: terms of a constraint union or ~T
	// opTypeParam's a is the index into Params of the type parameter and b its
	// constraint. A receiver's type parameters stand in the method's own [P2, P3)
	// and have b -1: the i-th is the i-th argument of the receiver type's opIndex.
	opTypeParam
)

package ecmascript

import "github.com/plumbkit/plumb/index/lang/internal/extract"

// The operations of index.Expr for TypeScript and JavaScript. Extraction writes
// them and linking reads them; nothing else does. "name" is Expr.Name, a and b
// are Expr.A and Expr.B, list is Lists[L0:L1]; what an operation does not use is
// -1 or empty. Any operand that should be an Expr can be -1: not known.
//
// An expression stands for a value or for a type, as the place says that refers
// to it: Def.Value, Local.Value and operands of values are values; Def.Type,
// Local.Type and operands of types are types. opTypeof and opCast lead from one
// to the other.
//
// An identifier that names a local variable, parameter or type parameter makes
// no Site. Functions, classes and types that are declared inside a function are
// Defs, and their uses Sites with opDef.
const (
	// opUnknown is an expression whose type extraction cannot say.
	opUnknown uint8 = iota

	// Values and types alike.

	opName   // name: what the module, an import or the global scope means by it
	opLocal  // a: index into Locals
	opDef    // a: index into Defs
	opMember // a.name
	opInst   // a<list>

	// Values.

	opCall       // a(list), or a<b>(list) where b is an opArguments
	opNew        // new a(list), b as in opCall
	opArgument   // b-th argument of the opCall or opNew a, as its callee expects it: a type
	opArguments  // type arguments: list; a: the type that the call's result should have
	opIndex      // a[b]
	opAwait      // await a
	opEach       // an element of a in for…of, or of a spread
	opRest       // what a destructuring of a leaves over
	opAt         // the b-th element (0-based) of a
	opEither     // one of list
	opBasic      // name: string, number, boolean, bigint, null, undefined, void, RegExp, symbol
	opText       // name: a string literal's value
	opArray      // [list]; a spread element is an opSpread
	opSpread     // ...a
	opObject     // {…}: list: opProperty, and opSpread of what is spread
	opProperty   // a: Def of the property, b: its value or type
	opFunction   // a: number of parameters, b: function flags, list: types of the parameters, then of the results (one, or each that a return statement gives)
	opThis       // this, in the class a (a Def)
	opThisObject // this in a method of the object literal a, a value, of which the type b is expected
	opSuper      // super, in the class a (a Def)
	opCast       // a value of type a
	opGuarded    // a where b, an opNarrow, holds
	opNarrow     // name: "is", "instance", "in", "equal", "typeof", "truthy", with a "!" in front for its opposite; a: value, b: type or value, see narrow.go
	opImport     // name: module path: the namespace that import("…") or require("…") gives, a: 1 for a promise of it
	opMeta       // import.meta
	opElement    // a JSX element
	opYield      // what yield gives
	opPrototype  // a.prototype

	// Types.

	opTypeof      // type of the value a
	opGeneric     // a with the type parameters list
	opTypeParam   // a: number of the type parameter in the file, b: constraint, list: default
	opUnion       // one of list
	opBoth        // all of list
	opArrayOf     // a[]
	opTuple       // [list]; a rest element is an opSpread
	opShape       // an object type; list: opProperty, and the signatures opFunction, opConstruct, opIndexed, opMapped
	opConstruct   // new a, an opFunction
	opIndexed     // [a]: b, an index signature
	opMapped      // { [list[0] in a]: b }, name: what "as" and modifiers say, -1
	opKeyof       // keyof a
	opLookup      // a[b] of types
	opChoice      // list: check extends what ? yes : no
	opInfer       // infer a, an opTypeParam
	opThisType    // this
	opPredicate   // a: index of the parameter, -1 for this; b: its type; name: "asserts" or -1
	opParameter   // b-th parameter of the function type a
	opResult      // result of the function type a
	opPropertyOf  // a.name of types, for what is expected there
	opElementOf   // element of the type a, for what is expected there
	opProps       // properties that the JSX component a, a value, takes
	opAwaited     // Awaited<a>
	opClass       // class: a: 1 when it extends; list: the value it extends, then the types it implements
	opInterface   // interface: a: number of types it extends; list: these, then its signatures as in opShape
	opEnum        // enum
	opNamespace   // namespace
	opReturnOfGet // type that the getter, an opFunction, gives

	// The module's own; see module.go.

	opModule   // a: module flags; list: of the following
	opImported // name: the local name; a: index into Imports; b: opName of what is imported, "default", "*" or "export="
	opExported // name: the exported name; a: value or type; b: Def of the declared module it stands in, -1 for the file
	opReexport // name: the exported name; a: index into Imports; b: opName of what is imported, "*" for the namespace
	opStar     // a: index into Imports: all its names are exported
	opAlias    // name: the local name; a: what it is an alias of
)

// Function flags, in the b of an opFunction.
const (
	fnAsync = 1 << iota
	fnGenerator
	fnRest     // the last parameter takes all that is left
	fnDeclared // the result is declared
	fnArrow
)

// Module flags, in the a of an opModule.
const (
	modES       = 1 << iota // has an import or export
	modCommonJS             // assigns module.exports or exports
	modGlobal               // declares global names
)

// Flags of a Def beside index's own.
const (
	flagStatic uint16 = 1 << (iota + 9)
	flagGet
	flagSet
	flagGlobal // declared in the global scope
	flagValue  // of a namespace: quoted, a module
	flagHidden // exported, but no name in the module's scope
	flagOptional
)

// operandsOf tells what A and B of an operation are, and whether Name refers to
// Names. Lists always refer to Exprs.
func operandsOf(op uint8) (a, b extract.Operand, name bool) {
	switch op {
	case opLocal:
		return extract.ToLocal, extract.Plain, false
	case opDef, opThis, opSuper:
		return extract.ToDef, extract.Plain, false
	case opProperty:
		return extract.ToDef, extract.ToExpr, false
	case opName, opText, opBasic, opImport:
		return extract.Plain, extract.Plain, true
	case opExported:
		return extract.ToExpr, extract.ToDef, true
	case opMember, opPropertyOf, opAlias:
		return extract.ToExpr, extract.Plain, true
	case opImported, opReexport:
		return extract.Plain, extract.ToExpr, true
	case opNarrow:
		return extract.ToExpr, extract.ToExpr, true
	case opPredicate:
		return extract.Plain, extract.ToExpr, true
	case opMapped:
		return extract.ToExpr, extract.ToExpr, true
	case opThisObject, opCall, opNew, opIndex, opIndexed, opLookup, opGuarded:
		return extract.ToExpr, extract.ToExpr, false
	case opArguments:
		return extract.ToExpr, extract.Plain, false
	case opInst, opArgument, opAwait, opEach, opRest, opAt, opSpread, opCast, opPrototype, opTypeof, opGeneric, opArrayOf,
		opConstruct, opKeyof, opInfer, opParameter, opResult, opElementOf, opProps, opAwaited, opReturnOfGet:
		return extract.ToExpr, extract.Plain, false
	case opTypeParam:
		return extract.Plain, extract.ToExpr, false
	}
	return extract.Plain, extract.Plain, false
}

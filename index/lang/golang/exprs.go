package golang

import "github.com/plumbkit/plumb/index/lang/internal/extract"

// operandsOf tells what A and B of an operation are, and whether Name refers to
// Names.
func operandsOf(op uint8) (a, b extract.Operand, name bool) {
	switch op {
	case opLocal:
		return extract.ToLocal, extract.Plain, true
	case opDef:
		return extract.ToDef, extract.Plain, true
	case opComposite:
		return extract.ToExpr, extract.ToExpr, false
	case opSelect, opAssert, opBinary, opMap:
		return extract.ToExpr, extract.ToExpr, true
	case opTypeParam:
		return extract.Plain, extract.ToExpr, true
	case opStruct, opInterface:
		return extract.Plain, extract.Plain, false
	case opUnknown, opName, opBasic, opFuncType, opUnion:
		return extract.Plain, extract.Plain, true
	}
	return extract.ToExpr, extract.Plain, true
}

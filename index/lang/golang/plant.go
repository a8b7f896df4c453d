package golang

import (
	"slices"

	"github.com/plumbkit/plumb/index"
)

// plant writes a failure into Go source: a panic at the start of a function's
// body, else a declaration that does not compile. A line that already stands
// there keeps its number.
func plant(src []byte, at index.Symbol) ([]byte, bool) {
	switch at.Kind {
	case index.KindFunction, index.KindMethod, index.KindConstructor:
		if at.Body < 0 || at.Body >= at.Span.End || at.Span.End > len(src) || src[at.Body] != '{' {
			return nil, false
		}
		return slices.Concat(src[:at.Body+1], []byte(` if true { panic("`+index.PlantMark+`") }; `), src[at.Body+1:]), true
	}
	if at.Span.End > len(src) {
		return nil, false
	}
	return slices.Concat(src, []byte("\nvar _ = "+index.PlantMark+"\n")), true
}

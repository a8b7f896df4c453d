package python

import "github.com/plumbkit/plumb/index/lang/internal/extract"

// mend reads a file that does not follow the grammar so that a mistake costs
// only the definition it stands in. The parts begin with def, class or a
// decorator at the start of a line. It returns false when that does not single
// out the mistakes.
func (x *extractor) mend() bool {
	if !x.mender.Mend(x.g.lang, x.src, partStarts(x.src), 1, x.read) {
		return false
	}
	found := x.found()
	if place := found.SortDefs(); place != nil {
		x.defs, x.values = found.Defs, extract.Moved(x.values, place)
	}
	return true
}

// partStarts returns the file's beginning and the offsets of the lines at which
// a top-level definition begins, its decorators included. Brackets are not
// counted: that one is missing may be the mistake.
func partStarts(src []byte) []int {
	starts := []int{0}
	decorated := false
	for _, t := range lex(src) {
		if t.at > 0 && src[t.at-1] != '\n' || t.continued {
			continue
		}
		switch t.text {
		case "def", "class", "async", "@":
			if !decorated && t.at > 0 {
				starts = append(starts, t.at)
			}
			decorated = t.text == "@"
		default:
			decorated = decorated && t.kind == lexComment
		}
	}
	return starts
}

package index

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

// covers: ARC-12
func TestOwnTextIsWhatStandsAtTheMark(t *testing.T) {
	src := []byte("// a\n//  b\n\"x\\ty\" `raw` 'c'")
	mark := func(kind MarkKind, from, to uint32) string {
		return ownText(MarkFact{Kind: kind, Range: Range{from, to}}, src)
	}
	assert.Equal(t, "// a // b", mark(MarkComment, 0, 10))
	assert.Equal(t, "x\ty", mark(MarkString, 11, 17))
	assert.Equal(t, "raw", mark(MarkString, 18, 23))
	assert.Equal(t, "c", mark(MarkString, 24, 27))
	assert.Empty(t, mark(MarkString, 24, 99))
}

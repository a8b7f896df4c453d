package ecmascript_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/plumbkit/plumb/index"
	"github.com/plumbkit/plumb/index/indextest"
)

// Each case of testdata/marks begins with a sentence saying why; want/FILE holds
// what is marked in FILE, but for strings and comments.
//
// covers: ARC-12
func TestMarkCases(t *testing.T) {
	eachCase(t, "marks", func(t *testing.T, files indextest.Files, want func(name, got string)) {
		s := indextest.Index(t, &index.TreeSitter{Languages: family()}, files, nil)
		for _, file := range files.Sorted() {
			var b strings.Builder
			for _, m := range s.Marks(file) {
				if m.Kind != index.MarkString && m.Kind != index.MarkComment {
					fmt.Fprintf(&b, "%d %s %s %d %s\n", m.Span.Line, m.Kind, m.Form, m.Strength, m.Text)
				}
			}
			want(file, b.String())
		}
	})
}

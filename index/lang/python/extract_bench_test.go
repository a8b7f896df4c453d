//go:build unix

package python

import (
	"os"
	"testing"
)

// BenchmarkExtract measures extraction on the sources of the test cases, or on
// the folder in PLUMB_PYTHON_ROOT.
func BenchmarkExtract(b *testing.B) {
	files := kit().Sources(b, "*/*.txtar")
	if root := os.Getenv("PLUMB_PYTHON_ROOT"); root != "" {
		files = kit().FilesBelow(b, root)
	}
	kit().Bench(b, files)
}

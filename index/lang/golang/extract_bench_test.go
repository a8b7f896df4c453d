//go:build unix

package golang

import (
	gobuild "go/build"
	"os"
	"path/filepath"
	"testing"
)

// BenchmarkExtract measures extraction on a few packages of the standard library,
// or on the folder in PLUMB_GO_ROOT.
func BenchmarkExtract(b *testing.B) {
	roots := []string{filepath.Join(gobuild.Default.GOROOT, "src/encoding"), filepath.Join(gobuild.Default.GOROOT, "src/text")}
	if root := os.Getenv("PLUMB_GO_ROOT"); root != "" {
		roots = []string{root}
	}
	kit().Bench(b, kit().FilesBelow(b, roots...))
}

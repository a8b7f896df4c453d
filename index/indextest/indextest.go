// Package indextest holds the conformance suites for what a host can bring to
// package index: an Indexer, and a Language with its Linker. The defaults pass
// them too. Snapshots that Build makes of foreign facts are held to the same
// rules by Snapshot.
package indextest

import (
	"context"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/plumbkit/plumb/index"
)

// Files is a repository's contents by path.
type Files map[string]string

// FS returns the files as a file system of their own.
func (f Files) FS() fs.FS {
	m := make(fstest.MapFS, len(f))
	for p, data := range f {
		m[p] = &fstest.MapFile{Data: []byte(data)}
	}
	return m
}

// Overlay returns what turns from into f: nil for a file that is gone.
func (f Files) Overlay(from Files) map[string][]byte {
	out := make(map[string][]byte)
	for p := range from {
		if _, stays := f[p]; !stays {
			out[p] = nil
		}
	}
	for p, data := range f {
		if old, was := from[p]; !was || old != data {
			out[p] = []byte(data)
		}
	}
	return out
}

// Index indexes files and fails the test on an error.
func Index(t testing.TB, ix index.Indexer, files Files, prev *index.Snapshot) *index.Snapshot {
	t.Helper()
	s, err := ix.Index(context.Background(), index.Input{FS: files.FS(), Prev: prev})
	require.NoError(t, err)
	return s
}

// Same fails the test unless both snapshots tell the same.
func Same(t testing.TB, want, got *index.Snapshot, why string) {
	t.Helper()
	assert.Equal(t, want.Digest(), got.Digest(), "digest: "+why)
	if diff := firstDifferences(Dump(want), Dump(got)); diff != "" {
		require.Fail(t, "the snapshots differ: "+why, diff)
	}
	require.Equal(t, want.Facts(), got.Facts(), "facts: "+why)
}

// firstDifferences returns lines that stand in one text only.
func firstDifferences(want, got string) string {
	const most = 10
	var out []string
	only := func(sign, a, b string) {
		other := make(map[string]bool)
		for line := range strings.SplitSeq(b, "\n") {
			other[line] = true
		}
		n := 0
		for line := range strings.SplitSeq(a, "\n") {
			if !other[line] && n < most {
				n++
				out = append(out, sign+line)
			}
		}
	}
	if want != got {
		only("- ", want, got)
		only("+ ", got, want)
		out = append(out, fmt.Sprintf("(%d and %d bytes)", len(want), len(got)))
	}
	return strings.Join(out, "\n")
}

// Dump renders everything that a snapshot says of files, symbols, references,
// marks and members as text, one thing a line.
func Dump(s *index.Snapshot) string {
	var b strings.Builder
	for _, f := range s.Files() {
		fmt.Fprintf(&b, "file %s %s %.8s lines=%d pkg=%q %s skipped=%q errors=%d\n", f.Path, f.Language, f.Hash, f.Lines, f.Package,
			f.Origin, f.Skipped, len(f.Errors))
		for _, m := range s.Marks(f.Path) {
			fmt.Fprintf(&b, "mark %s:%d %s in=%s %q %s %d\n", f.Path, m.Span.Line, m.Kind, m.In, m.Text, m.Form, m.Strength)
		}
	}
	for sym := range s.Symbols() {
		fmt.Fprintf(&b, "symbol %s %s %s parent=%s at %d:%d-%d sig=%q doc=%q %s\n", sym.ID, sym.Kind, sym.Visibility, sym.Parent,
			sym.Ident.Line, sym.Ident.Col, sym.Span.End, sym.Signature.Text, sym.Doc, sym.Fingerprint)
	}
	for r := range s.Refs() {
		fmt.Fprintf(&b, "ref %s:%d:%d %s %s in=%s %s/%s reason=%q module=%q -> %s\n", r.Span.File, r.Span.Line, r.Span.Col, r.Name, r.Kind,
			r.In, r.Status, r.Rule, r.Reason, r.Module, strings.Join(r.Targets, " "))
	}
	for sym := range s.Symbols() {
		_, by := s.Kin(sym.ID)
		for _, i := range by {
			fmt.Fprintf(&b, "relation %s %s %s %v\n", i.ID, i.Via, sym.ID, i.Sure)
		}
	}
	return b.String()
}

// Sorted returns the paths of files in order.
func (f Files) Sorted() []string { return slices.Sorted(maps.Keys(f)) }

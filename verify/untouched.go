package verify

import (
	"fmt"
	"io/fs"
	"maps"
	"slices"

	"github.com/plumbkit/plumb/host/fault"
	"github.com/plumbkit/plumb/index"
)

// sources returns the hashes of the files of a known language in a scratch tree:
// of those that either Snapshot lists, since the trees hold nothing else of the
// repository's.
func (q *inquiry) sources(tree fs.FS) map[string]string {
	out := map[string]string{}
	for _, s := range []*index.Snapshot{q.in.Before, q.in.After} {
		for _, f := range s.Files() {
			if _, done := out[f.Path]; done || f.Language == "" {
				continue
			}
			if data, err := fs.ReadFile(tree, f.Path); err == nil {
				out[f.Path] = index.ContentHash(data)
			}
		}
	}
	return out
}

// untouched is an environment fault when tests rewrote the sources of the tree
// that they ran in: the same tree serves several runs, and a later one would
// judge what the tests wrote and not the change (VER-21, VER-24).
func untouched(before, after map[string]string, name string) error {
	var changed []string
	for _, p := range slices.Sorted(maps.Keys(before)) {
		if before[p] != after[p] {
			changed = append(changed, p)
		}
	}
	if len(changed) == 0 {
		return nil
	}
	f := &fault.Fault{Class: fault.Environment, Op: "verify.run", Subject: fault.Subject{File: changed[0], Text: name},
		Detail: fmt.Sprintf("the tests changed %d source files of the tree that they ran in, so that what they show is not about this change", len(changed)),
		State:  "the workspace is as it was", Next: "let the tests write into a folder of their own (t.TempDir), and run again"}
	for _, p := range changed {
		f.Candidates = append(f.Candidates, fault.Subject{File: p})
	}
	return f
}

package verify

import (
	"bytes"
	"context"
	"io/fs"

	"github.com/plumbkit/plumb/host/fault"
	"github.com/plumbkit/plumb/index"
	"github.com/plumbkit/plumb/patch"
)

// schema is the version of a Report's JSON form.
const schema = 1

// changedPaths returns the files whose content differs, sorted: changed,
// created and deleted ones.
func changedPaths(before, after *index.Snapshot) []string {
	a, b := before.Files(), after.Files()
	var out []string
	for i, j := 0, 0; i < len(a) || j < len(b); {
		switch {
		case j == len(b) || i < len(a) && a[i].Path < b[j].Path:
			out = append(out, a[i].Path)
			i++
		case i == len(a) || b[j].Path < a[i].Path:
			out = append(out, b[j].Path)
			j++
		default:
			if a[i].Hash != b[j].Hash || a[i].Skipped != b[j].Skipped {
				out = append(out, b[j].Path)
			}
			i, j = i+1, j+1
		}
	}
	return out
}

// between works out the Set that leads from one state to the other. Files that
// cannot be read, such as links, are left out of it and returned.
func between(ctx context.Context, before, after *index.Snapshot) (set *patch.Set, left []string, err error) {
	back := &patch.Set{Schema: patch.SetSchema}
	for _, path := range changedPaths(before, after) {
		if err := ctx.Err(); err != nil {
			return nil, nil, fault.From(err, "verify.changes", "run it again")
		}
		if unread(before, path) || unread(after, path) {
			left = append(left, path)
			continue
		}
		f := patch.File{Path: path, Op: patch.Modified}
		if _, ok := before.File(path); !ok {
			f.Op = patch.Deleted // of the way back, which creates it on the way there
		} else if f.New, err = before.Source(path); err != nil {
			return nil, nil, err
		}
		if _, ok := after.File(path); !ok {
			f.Op = patch.Created
		} else if f.Old, err = after.Source(path); err != nil {
			return nil, nil, err
		}
		f.OldMode, f.NewMode = mode(path, after, before), mode(path, before, after)
		back.Files = append(back.Files, f)
	}
	set = back.Reverse()
	set.Base = before.Digest()
	return set, left, nil
}

// unread reports whether a listed file has no bytes to be had: a link, a nested
// repository, one that could not be read.
func unread(s *index.Snapshot, path string) bool {
	f, ok := s.File(path)
	if !ok || f.Skipped == "" {
		return false
	}
	_, err := s.Source(path)
	return err != nil
}

// mode is a file's mode in the first of the snapshots that tells, 0644 if none does.
func mode(path string, in ...*index.Snapshot) fs.FileMode {
	for _, s := range in {
		if m, ok := s.Mode(path); ok {
			return m
		}
	}
	return 0o644
}

// A lineRange is a half-open range of 1-based lines.
type lineRange struct{ from, to int }

// changedLines returns, by file, the lines of the result that a Set writes. A
// place where lines were only taken away counts as the line that follows it.
func changedLines(set *patch.Set) map[string][]lineRange {
	out := make(map[string][]lineRange)
	for _, h := range set.Hunks {
		out[h.File] = append(out[h.File], lineRange{h.NewLine, h.NewLine + max(h.NewCount, 1)})
	}
	return out
}

// overlaps reports whether one of the ranges holds a line from..to, both included.
func overlaps(ranges []lineRange, from, to int) bool {
	for _, r := range ranges {
		if from < r.to && r.from <= to {
			return true
		}
	}
	return false
}

// splitLines splits a text behind each "\n"; the last part may lack it.
func splitLines(text []byte) [][]byte {
	lines := bytes.SplitAfter(text, []byte("\n"))
	if n := len(lines); len(lines[n-1]) == 0 {
		lines = lines[:n-1]
	}
	return lines
}

package gate

import (
	"bytes"
	"cmp"
	"io/fs"
	"slices"

	"github.com/plumbkit/plumb/index"
	"github.com/plumbkit/plumb/patch"
)

// changesOf lists the changed files of an input: those of the Set and those in
// which the two Snapshots differ, so that a file that got into place some other
// way is looked at too. A file that vanished in one place and appeared with
// almost the same content in another is one moved file, however it was done.
func changesOf(in Input) []Change {
	var all []Change
	seen := map[string]bool{}
	if in.Set != nil {
		for i := range in.Set.Files {
			f := &in.Set.Files[i]
			all = append(all, changeOf(f))
			seen[f.Path] = true
			if f.Op == patch.Renamed {
				seen[f.From] = true
			}
		}
	}
	all = append(all, differences(in.Before, in.After, seen)...)
	all = pairMoved(all)
	slices.SortFunc(all, func(a, b Change) int { return cmp.Compare(a.Path(), b.Path()) })
	return all
}

func changeOf(f *patch.File) Change {
	c := Change{Old: f.Path, New: f.Path, Before: f.Old, After: f.New, Link: (f.OldMode|f.NewMode)&fs.ModeSymlink != 0}
	switch f.Op {
	case patch.Created, patch.Copied:
		c.Old, c.Before = "", nil
	case patch.Deleted:
		c.New, c.After = "", nil
	case patch.Renamed:
		c.Old = f.From
	}
	return c
}

// differences are the files that differ between the Snapshots and are not in known.
func differences(before, after *index.Snapshot, known map[string]bool) []Change {
	if before == nil || after == nil {
		return nil
	}
	var out []Change
	for _, f := range before.Files() {
		now, ok := after.File(f.Path)
		if known[f.Path] || ok && now.Hash == f.Hash {
			continue
		}
		c := Change{Old: f.Path, Before: source(before, f.Path)}
		if ok {
			c.New, c.After = f.Path, source(after, f.Path)
		}
		out = append(out, c)
	}
	for _, f := range after.Files() {
		if _, ok := before.File(f.Path); !ok && !known[f.Path] {
			out = append(out, Change{New: f.Path, After: source(after, f.Path)})
		}
	}
	return out
}

// source returns a file's bytes, nil where they cannot be had: the rules then
// have the path alone.
func source(s *index.Snapshot, path string) []byte {
	data, err := s.Source(path)
	if err != nil {
		return nil
	}
	return data
}

// movedAlike is the share of lines that a deleted and a created file must have
// in common to be one moved file. Git takes one half for the same question.
const movedAlike = 0.5

// pairMoved joins deleted and created files to moved ones, the most alike first.
func pairMoved(all []Change) []Change {
	type pair struct {
		gone, came int
		alike      float64
	}
	var pairs []pair
	for i := range all {
		if !all[i].Deleted() || len(all[i].Before) == 0 {
			continue
		}
		for j := range all {
			if !all[j].Created() || len(all[j].After) == 0 {
				continue
			}
			if a := alikeLines(all[i].Before, all[j].After); a >= movedAlike {
				pairs = append(pairs, pair{i, j, a})
			}
		}
	}
	slices.SortStableFunc(pairs, func(a, b pair) int { return cmp.Compare(b.alike, a.alike) })
	used := map[int]bool{}
	for _, p := range pairs {
		if used[p.gone] || used[p.came] {
			continue
		}
		used[p.gone], used[p.came] = true, true
		all[p.came].Old, all[p.came].Before = all[p.gone].Old, all[p.gone].Before
		all[p.gone].Old = ""
	}
	return slices.DeleteFunc(all, func(c Change) bool { return c.Old == "" && c.New == "" })
}

// alikeLines is the share of lines, not blank, that two contents have in common.
func alikeLines(a, b []byte) float64 {
	if bytes.Equal(a, b) {
		return 1
	}
	count := map[string]int{}
	total := 0
	for line := range bytes.Lines(a) {
		if line = bytes.TrimSpace(line); len(line) > 0 {
			count[string(line)]++
			total++
		}
	}
	common := 0
	for line := range bytes.Lines(b) {
		if line = bytes.TrimSpace(line); len(line) > 0 {
			total++
			if count[string(line)] > 0 {
				count[string(line)]--
				common++
			}
		}
	}
	if total == 0 {
		return 0
	}
	return 2 * float64(common) / float64(total)
}

// A line is one line of a file with its 1-based number.
type line struct {
	number int
	text   string
}

// lineChanges returns the lines that only the old and only the new content has,
// moved lines left out.
func lineChanges(before, after []byte) (gone, came []line) {
	return differing(linesOf(before), linesOf(after))
}

// differing returns the lines that only one of two lists has, moved ones left out.
func differing(old, now []line) (gone, came []line) {
	count := map[string]int{}
	for _, l := range now {
		count[l.text]++
	}
	for _, l := range old {
		if count[l.text] > 0 {
			count[l.text]--
		} else {
			gone = append(gone, l)
		}
	}
	clear(count)
	for _, l := range old {
		count[l.text]++
	}
	for _, l := range now {
		if count[l.text] > 0 {
			count[l.text]--
		} else {
			came = append(came, l)
		}
	}
	return gone, came
}

func linesOf(data []byte) []line {
	var out []line
	n := 0
	for l := range bytes.Lines(data) {
		n++
		if l = bytes.TrimSpace(l); len(l) > 0 {
			out = append(out, line{n, string(l)})
		}
	}
	return out
}

// at is a place at a line of a changed file; the zero Span for a path of "".
func at(path string, number int) index.Span {
	if path == "" {
		return index.Span{}
	}
	return index.Span{File: path, Line: max(number, 1), Col: 1}
}

package patch

import (
	"io/fs"
	"slices"
	"strings"
)

func sortFiles(files []File) {
	slices.SortFunc(files, func(a, b File) int { return strings.Compare(a.Path, b.Path) })
}

// sorted sorts paths and drops repeated ones.
func sorted(paths []string) []string {
	slices.Sort(paths)
	return slices.Compact(paths)
}

// hunksOf lists the changed lines of all files. Binary contents and symbolic
// links have none.
func hunksOf(files []File) []Hunk {
	var out []Hunk
	for i := range files {
		out = append(out, fileHunks(&files[i])...)
	}
	return out
}

func fileHunks(f *File) []Hunk {
	if isBinary(f.Old) || isBinary(f.New) || (f.OldMode|f.NewMode)&fs.ModeSymlink != 0 {
		return nil
	}
	old, now := splitLines(f.before()), splitLines(f.New)
	var out []Hunk
	for _, c := range diffLines(old, now) {
		out = append(out, Hunk{File: f.Path, Block: f.Block, Class: Meant,
			OldLine: c.A0 + 1, OldCount: c.A1 - c.A0, NewLine: c.B0 + 1, NewCount: c.B1 - c.B0,
			Old: bareAll(old[c.A0:c.A1]), New: bareAll(now[c.B0:c.B1])})
	}
	return out
}

// before is the content that the file's lines are compared with: none for a
// file that did not exist, the source's for a copy.
func (f *File) before() []byte {
	if f.Op == Created {
		return nil
	}
	return f.Old
}

func bareAll(lines []string) []string {
	out := make([]string, len(lines))
	for i, l := range lines {
		out[i] = bare(l)
	}
	return out
}

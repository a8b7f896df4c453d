package patch

import (
	"bytes"
	"fmt"
	"io/fs"

	"github.com/sourcegraph/go-diff/diff"
)

// contextLines is how many unchanged lines stand around a change, as in git.
const contextLines = 3

// Diff writes the Set as a unified diff in git's extended form, which
// "git apply" turns into exactly the Set's bytes and modes. Files whose content
// is binary (holds a NUL byte) can only be renamed, copied, or change mode that
// way; a changed binary file is written as git's "Binary files differ" line,
// which git refuses to apply. Diff is pure.
//
// The hunks are printed by go-diff; file headers are written here, because
// go-diff does not quote names.
func (s *Set) Diff() []byte {
	var b bytes.Buffer
	for i := range s.Files {
		printFile(&b, &s.Files[i])
	}
	return b.Bytes()
}

func printFile(b *bytes.Buffer, f *File) {
	from := f.Path
	if f.From != "" {
		from = f.From
	}
	old, now := f.before(), f.New
	if f.Op == Deleted {
		now = nil
	}
	same := bytes.Equal(old, now)
	if f.Op == Modified && same && (f.NewMode == 0 || gitMode(f.OldMode) == gitMode(f.NewMode)) {
		return
	}
	fmt.Fprintf(b, "diff --git %s %s\n", quotePath("a/"+from), quotePath("b/"+f.Path))
	printHead(b, f, from)
	switch {
	case same:
	case isBinary(old) || isBinary(now):
		fmt.Fprintf(b, "Binary files %s and %s differ\n", name("a/", from, f.Op == Created), name("b/", f.Path, f.Op == Deleted))
	default:
		fmt.Fprintf(b, "--- %s\n+++ %s\n", name("a/", from, f.Op == Created), name("b/", f.Path, f.Op == Deleted))
		body, err := diff.PrintHunks(printHunks(splitLines(old), splitLines(now)))
		if err != nil {
			panic(err) // the printer writes to memory only
		}
		b.Write(body)
	}
}

func printHead(b *bytes.Buffer, f *File, from string) {
	switch f.Op {
	case Created:
		fmt.Fprintf(b, "new file mode %s\n", gitMode(f.NewMode))
		return
	case Deleted:
		fmt.Fprintf(b, "deleted file mode %s\n", gitMode(f.OldMode))
		return
	}
	if f.NewMode != 0 && f.OldMode != 0 && gitMode(f.OldMode) != gitMode(f.NewMode) {
		fmt.Fprintf(b, "old mode %s\nnew mode %s\n", gitMode(f.OldMode), gitMode(f.NewMode))
	}
	switch f.Op {
	case Renamed:
		fmt.Fprintf(b, "rename from %s\nrename to %s\n", quotePath(from), quotePath(f.Path))
	case Copied:
		fmt.Fprintf(b, "copy from %s\ncopy to %s\n", quotePath(from), quotePath(f.Path))
	}
}

// name is a file's name in a "---" or "+++" line; a tab ends one with blanks.
func name(prefix, path string, none bool) string {
	if none {
		return "/dev/null"
	}
	q := quotePath(prefix + path)
	if q[0] != '"' && bytes.IndexByte([]byte(q), ' ') >= 0 {
		q += "\t"
	}
	return q
}

// gitMode is the mode as git records it; an unknown one is a plain file.
func gitMode(m fs.FileMode) string {
	switch {
	case m&fs.ModeSymlink != 0:
		return "120000"
	case m&0o100 != 0:
		return "100755"
	}
	return "100644"
}

// printHunks groups the changes with their context.
func printHunks(old, now []string) []*diff.Hunk {
	var out []*diff.Hunk
	changes := diffLines(old, now)
	for len(changes) > 0 {
		n := 1
		for n < len(changes) && changes[n].A0-changes[n-1].A1 <= 2*contextLines {
			n++
		}
		out = append(out, printHunk(old, now, changes[:n]))
		changes = changes[n:]
	}
	return out
}

func printHunk(old, now []string, changes []change) *diff.Hunk {
	first, last := changes[0], changes[len(changes)-1]
	lead := min(contextLines, first.A0)
	end := min(last.A1+contextLines, len(old))
	h := &diff.Hunk{
		OrigStartLine: int32(first.A0 - lead + 1), OrigLines: int32(end - first.A0 + lead),
		NewStartLine: int32(first.B0 - lead + 1), NewLines: int32(end - last.A1 + last.B1 - first.B0 + lead),
	}
	if h.OrigLines == 0 {
		h.OrigStartLine--
	}
	if h.NewLines == 0 {
		h.NewStartLine--
	}
	at := first.A0 - lead
	for _, c := range changes {
		addLines(h, ' ', old[at:c.A0])
		addLines(h, '-', old[c.A0:c.A1])
		addLines(h, '+', now[c.B0:c.B1])
		at = c.A1
	}
	addLines(h, ' ', old[at:end])
	return h
}

// addLines appends lines to a hunk's body. An old last line without a newline
// is marked in the way that go-diff's printer expects; a new one simply ends
// the body.
func addLines(h *diff.Hunk, sign byte, lines []string) {
	for _, l := range lines {
		h.Body = append(h.Body, sign)
		h.Body = append(h.Body, l...)
		if sign == '-' && lineEnd(l) == "" {
			h.Body = append(h.Body, '\n')
			h.OrigNoNewlineAt = int32(len(h.Body))
		}
	}
}

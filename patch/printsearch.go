package patch

import (
	"bytes"
	"fmt"
	"io/fs"
	"strings"

	"github.com/plumbkit/plumb/host/fault"
)

// SearchReplace writes the Set as SEARCH/REPLACE blocks that ParseBlocks reads.
// Every block has as many lines around its change as make it stand once in its
// file, and markers that its content cannot be taken for.
//
// The format has changes and new files only: a deletion, a move, a mode, a
// symbolic link or binary content is a fault of class unsupported. Pure.
func (s *Set) SearchReplace() ([]byte, error) {
	var b bytes.Buffer
	for i := range s.Files {
		f := s.Files[i].withoutOrigin()
		if err := f.plain(Modified, Created); err != nil {
			return nil, err
		}
		if f.Op != Created && bytes.Equal(f.Old, f.New) {
			continue
		}
		var part bytes.Buffer
		if err := printBlocks(&part, f); err != nil {
			return nil, err
		}
		if err := f.reads(part.Bytes(), ParseBlocks); err != nil {
			return nil, err
		}
		b.Write(part.Bytes())
	}
	return b.Bytes(), nil
}

// withoutOrigin makes a copied file a new one.
func (f *File) withoutOrigin() *File {
	if f.Op != Copied {
		return f
	}
	return &File{Path: f.Path, Op: Created, New: f.New, NewMode: f.NewMode}
}

// plain refuses what a format of lines cannot say about a file.
func (f *File) plain(ops ...FileOp) error {
	known := false
	for _, op := range ops {
		known = known || f.Op == op
	}
	what := ""
	switch {
	case !known:
		what = "that it is " + string(f.Op)
	case isBinary(f.Old) || isBinary(f.New):
		what = "its binary content"
	case f.Op != Deleted && (f.NewMode|f.OldMode)&fs.ModeSymlink != 0:
		what = "a symbolic link"
	case f.Op == Created && f.NewMode != 0 && gitMode(f.NewMode) != "100644",
		f.Op != Created && f.Op != Deleted && f.NewMode != 0 && f.OldMode != 0 && gitMode(f.NewMode) != gitMode(f.OldMode):
		what = "its mode"
	}
	if what == "" {
		return nil
	}
	return f.unsaid(what)
}

func (f *File) unsaid(what string) error {
	return &fault.Fault{Class: fault.Unsupported, Op: "patch.print", Subject: fault.Subject{File: f.Path}, State: unchanged,
		Detail: fmt.Sprintf("this format cannot say %s of %s", what, f.Path), Next: "write the set as a unified diff"}
}

// reads proves a printed part by reading it again.
func (f *File) reads(part []byte, parse func([]byte) ([]Edit, error)) error {
	edits, err := parse(part)
	if err != nil {
		return err
	}
	if f.Op == Deleted {
		return nil
	}
	t, got := newText(f.before()), []byte(nil)
	w := &fileWork{path: f.Path, text: t}
	for i := range edits {
		e := &edits[i]
		if e.Op == WriteFile || e.Op == CreateFile {
			got = []byte(e.Text)
			continue
		}
		for k, at := range placeHunks(e, t, nil, nil) {
			if at.err != nil {
				return f.unsaid(fmt.Sprintf("where the change of its line %d is", e.Hunks[k].OldStart))
			}
			for _, s := range e.Hunks[k].splices(t, at.line, "") {
				s.unit = &unit{edit: e, hunk: k}
				w.splices = append(w.splices, s)
			}
		}
	}
	if len(w.splices) > 0 {
		if got, err = w.spliced(); err != nil {
			return err
		}
	} else if f.Op == Renamed {
		got = t.data
	}
	if !bytes.Equal(got, f.New) {
		return f.unsaid("the exact bytes")
	}
	return nil
}

func printBlocks(b *bytes.Buffer, f *File) error {
	fmt.Fprintf(b, "%s\n", nameLine(f.Path))
	if len(f.before()) == 0 {
		return f.printBlock(b, nil, newText(f.New).lines)
	}
	for _, h := range provenHunks(f.before(), f.New) {
		if err := f.printBlock(b, h.old, h.now); err != nil {
			return err
		}
	}
	return nil
}

// nameLine is a path in the form in which it stands above a block.
func nameLine(path string) string {
	if name, err := fileName(path); err == nil && name == path && !fence(path) && quotePath(path) == path {
		return path
	}
	return quoted(path)
}

func (f *File) printBlock(b *bytes.Buffer, old, now []string) error {
	n := 0
	for _, k := range []int{7, 5, 6, 8, 9} {
		if !marked(old, k) && !marked(now, k) {
			n = k
			break
		}
	}
	if n == 0 {
		return f.unsaid("the content, in which markers of every length stand")
	}
	fmt.Fprintf(b, "%s SEARCH\n", strings.Repeat("<", n))
	writeSide(b, old)
	fmt.Fprintf(b, "%s\n", strings.Repeat("=", n))
	writeSide(b, now)
	fmt.Fprintf(b, "%s REPLACE\n", strings.Repeat(">", n))
	return nil
}

// marked reports whether a line could be taken for a marker of n signs.
func marked(lines []string, n int) bool {
	for _, l := range lines {
		l = bare(l)
		if blockMark(l, '<', "SEARCH") == n || blockMark(l, '=', "") == n || blockMark(l, '>', "REPLACE") == n {
			return true
		}
	}
	return false
}

func writeSide(b *bytes.Buffer, lines []string) {
	for _, l := range lines {
		b.WriteString(l)
		if !strings.HasSuffix(l, "\n") {
			b.WriteString("\n" + noNewline + "\n")
		}
	}
}

// A provenHunk is a change with so much around it that it stands once in its file.
type provenHunk struct {
	old, now []string // lines with their ends
	changes  []change
	from     int // 0-based line in the old file
}

// provenHunks groups the changes from old, which is not empty, to now.
func provenHunks(old, now []byte) []provenHunk {
	t, after := newText(old), splitLines(now)
	type extent struct {
		lo, hi  int
		changes []change
	}
	var all []extent
	for _, c := range diffLines(t.lines, after) {
		x := extent{max(0, c.A0-contextLines), min(len(t.lines), c.A1+contextLines), []change{c}}
		for a := unique(t, x.lo, x.hi); !a; a = unique(t, x.lo, x.hi) {
			x.lo, x.hi = max(0, x.lo-contextLines), min(len(t.lines), x.hi+contextLines)
		}
		for n := len(all); n > 0 && all[n-1].hi >= x.lo; n = len(all) {
			x = extent{min(all[n-1].lo, x.lo), max(all[n-1].hi, x.hi), append(all[n-1].changes, x.changes...)}
			all = all[:n-1]
		}
		all = append(all, x)
	}
	var out []provenHunk
	for _, x := range all {
		first, last := x.changes[0], x.changes[len(x.changes)-1]
		out = append(out, provenHunk{t.lines[x.lo:x.hi], after[first.B0-(first.A0-x.lo) : last.B1+(x.hi-last.A1)], x.changes, x.lo})
	}
	return out
}

// unique reports whether lines [lo,hi) stand once in their file.
func unique(t *text, lo, hi int) bool {
	if lo == 0 && hi == len(t.lines) {
		return true
	}
	lines := make([]anchorLine, 0, hi-lo)
	for _, l := range t.lines[lo:hi] {
		lines = append(lines, anchorLine{text: strings.TrimSuffix(l, "\n")})
	}
	a := newAnchor(lines)
	return len(a.lines) > 0 && len(a.places(t, 0, len(t.lines), "")) == 1
}

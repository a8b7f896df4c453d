package patch

import (
	"fmt"
	"slices"
	"strings"
)

// noNewline ends a side of a block, or a line of an envelope, that ends its file
// without a newline; it is the line that a unified diff has for that.
const noNewline = `\ No newline at end of file`

// ParseBlocks reads SEARCH/REPLACE blocks:
//
//	path/of/the/file.go
//	<<<<<<< SEARCH
//	lines that stand in the file
//	=======
//	lines to put in their place
//	>>>>>>> REPLACE
//
// A marker has five to nine signs; in a block whose content looks like a marker,
// the ones as long as the block's first hold. The file's name stands on a line of
// its own above the block, before or behind the opening of a code fence; further
// blocks below it are of the same file. An empty SEARCH is a new file, or an
// empty one. A side that ends with the line "\ No newline at end of file" ends
// its file so. Lines that both sides have in common become context, so that the
// file keeps its own bytes of them; every block is based on the file as it is
// before any of them.
//
// Errors are faults as for Parse. Left-out lines ("...") are not filled in: what
// stands in SEARCH has to stand in the file.
func ParseBlocks(data []byte) ([]Edit, error) {
	r := &blockReader{lines: splitLines(data)}
	if len(r.lines) > 0 {
		r.lines[0] = strings.TrimPrefix(r.lines[0], bom)
	}
	var edits []Edit
	above := 0 // the first line behind the block before
	for i := 0; i < len(r.lines); {
		if err := mixed(r.lines, i, textBlocks); err != nil {
			return nil, err
		}
		if blockMark(bare(r.lines[i]), '<', "SEARCH") == 0 {
			if err := r.stray(i); err != nil {
				return nil, err
			}
			i++
			continue
		}
		if err := r.nameAbove(above, i); err != nil {
			return nil, err
		}
		e, next, err := r.block(i)
		if err != nil {
			return nil, err
		}
		edits = append(edits, e)
		i, above = next, next
	}
	if len(edits) == 0 {
		return nil, malformed(parseOp, max(1, len(r.lines)), "", "no block was found: there is no \"<<<<<<< SEARCH\" line")
	}
	return edits, nil
}

// blockMark returns how many signs a marker line has, 0 when it is none.
func blockMark(line string, sign byte, word string) int {
	line = strings.TrimRight(line, " \t\r")
	n := 0
	for n < len(line) && line[n] == sign {
		n++
	}
	if n < 5 || n > 9 || strings.TrimLeft(line[n:], " ") != word || (word != "" && line[n] != ' ') {
		return 0
	}
	return n
}

// A blockReader reads blocks; file is the one that the coming block is of.
type blockReader struct {
	lines []string
	file  string
}

func (r *blockReader) fail(at int, format string, args ...any) error {
	return malformed(parseOp, at+1, bare(r.lines[at]), format, args...)
}

// stray refuses the other markers outside of a block.
func (r *blockReader) stray(i int) error {
	if l := bare(r.lines[i]); blockMark(l, '>', "REPLACE") > 0 {
		return r.fail(i, "a block ends here, and none was begun; each begins with \"<<<<<<< SEARCH\"")
	} else if blockMark(strings.TrimLeft(l, " \t"), '<', "SEARCH") > 0 {
		return r.fail(i, "the marker is indented; markers stand at the beginning of a line")
	}
	return nil
}

// block reads the block that begins at line i and returns the line behind it.
func (r *blockReader) block(i int) (Edit, int, error) {
	e := Edit{File: r.file, From: fmt.Sprintf("block:%d", i+1)}
	middle, end, err := r.extent(i)
	if err != nil {
		return e, 0, err
	}
	old, oldOpen := r.side(i, i+1, middle)
	now, nowOpen := r.side(i, middle+1, end)
	if at, why := foreign(now, func(l string) bool { return slices.Contains(old, l) }); at >= 0 {
		return e, 0, r.fail(middle+1+at, "%s", why)
	}
	if len(old) == 0 {
		e.Op, e.Text = WriteFile, textOf(now, nowOpen)
		return e, end + 1, nil
	}
	h := Lines{Lines: hunkOf(old, now, oldOpen, nowOpen), OldNoEOL: oldOpen, NewNoEOL: nowOpen, At: i + 1}
	if !slices.ContainsFunc(h.Lines, func(l string) bool { return l[0] != ' ' }) {
		return e, 0, r.fail(i, "nothing changes: both sides of the block are the same")
	}
	e.Op, e.Hunks = Hunks, []Lines{h}
	return e, end + 1, nil
}

// extent finds a block's divider and its end.
func (r *blockReader) extent(i int) (middle, end int, err error) {
	n := blockMark(bare(r.lines[i]), '<', "SEARCH")
	end = -1
	for j := i + 1; j < len(r.lines); j++ {
		if m := blockMark(bare(r.lines[j]), '>', "REPLACE"); m == n {
			end = j
			break
		} else if m > 0 && end < 0 {
			end = j // unless one as long as the first follows before another block
		}
		if m := blockMark(bare(r.lines[j]), '<', "SEARCH"); m == n {
			break
		}
	}
	if end < 0 {
		return 0, 0, r.fail(i, "the block does not end: there is no \"%s REPLACE\" line before the next block or the end of the input", strings.Repeat(">", n))
	}
	var same, other []int
	for j := i + 1; j < end; j++ {
		switch m := blockMark(bare(r.lines[j]), '=', ""); {
		case m == n:
			same = append(same, j)
		case m > 0:
			other = append(other, j)
		}
	}
	if len(same) == 0 {
		same = other
	}
	switch len(same) {
	case 1:
		return same[0], end, nil
	case 0:
		return 0, 0, r.fail(end, "the block of line %d has no \"%s\" line between its sides", i+1, strings.Repeat("=", n))
	}
	return 0, 0, r.fail(same[1], "the block of line %d has a second divider, and it is not said which one holds; write the block's markers with another number of signs, five to nine, than this line has", i+1)
}

// side returns the lines [from,to) of a block that begins at line head, and
// whether they end their file without a newline.
func (r *blockReader) side(head, from, to int) (lines []string, open bool) {
	sent := strings.HasSuffix(r.lines[head], "\r\n")
	for _, l := range r.lines[from:to] {
		l = strings.TrimSuffix(l, "\n")
		if sent {
			l = strings.TrimSuffix(l, "\r")
		}
		lines = append(lines, l)
	}
	if n := len(lines); n > 1 && lines[n-1] == noNewline {
		return lines[:n-1], true
	}
	return lines, false
}

// textOf joins lines to a file's content.
func textOf(lines []string, open bool) string {
	if len(lines) == 0 {
		return ""
	}
	text := strings.Join(lines, "\n")
	if open {
		return text
	}
	return text + "\n"
}

// hunkOf makes a hunk's lines of two sides: what both have is context.
func hunkOf(old, now []string, oldOpen, nowOpen bool) []string {
	ended := func(lines []string, open bool) []string { return splitLines([]byte(textOf(lines, open))) }
	a, b := ended(old, oldOpen), ended(now, nowOpen)
	var out []string
	add := func(sign string, lines []string) {
		for _, l := range lines {
			out = append(out, sign+strings.TrimSuffix(l, "\n"))
		}
	}
	at := 0
	for _, c := range diffLines(a, b) {
		add(" ", a[at:c.A0])
		add("-", a[c.A0:c.A1])
		add("+", b[c.B0:c.B1])
		at = c.A1
	}
	add(" ", a[at:])
	return out
}

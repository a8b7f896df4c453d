package patch

import (
	"fmt"
	"slices"
	"strings"
)

// The lines of an envelope.
const (
	envelopeBegin  = "*** Begin Patch"
	envelopeEnd    = "*** End Patch"
	envelopeAdd    = "*** Add File:"
	envelopeDelete = "*** Delete File:"
	envelopeUpdate = "*** Update File:"
	envelopeMove   = "*** Move to:"
	envelopeEOF    = "*** End of File"
)

// ParseEnvelope reads the envelope between "*** Begin Patch" and "*** End
// Patch": "*** Add File:", "*** Delete File:" and "*** Update File:" with
// "*** Move to:". An update's hunks begin with "@@" lines that name lines above
// them, the outermost first; their own lines begin with ' ', '-' or '+';
// "*** End of File" says that the last of them ends the file. The line
// "\ No newline at end of file" says of the line above it what it says in a diff.
// What stands around an envelope (a shell's heredoc, a code fence) is skipped.
//
// The order of hunks is no proof of their place: each is found by its own lines
// and the lines that its "@@" lines name, as they stand in the file before any of
// them. Errors are faults as for Parse.
func ParseEnvelope(data []byte) ([]Edit, error) {
	r := &envelopeReader{lines: splitLines(data)}
	if len(r.lines) > 0 {
		r.lines[0] = strings.TrimPrefix(r.lines[0], bom)
	}
	found := false
	for ; r.at < len(r.lines); r.at++ {
		if err := mixed(r.lines, r.at, textEnvelope); err != nil {
			return nil, err
		}
		if opens(r.lines, r.at) == textEnvelope {
			found = true
			if err := r.envelope(); err != nil {
				return nil, err
			}
		} else if key, _ := header(r.line(0)); key != "" || r.line(0) == envelopeEnd {
			return nil, r.fail("this line stands outside of an envelope, which begins with \"%s\"", envelopeBegin)
		}
	}
	if !found {
		return nil, malformed(parseOp, max(1, len(r.lines)), "", "there is no \"%s\" line", envelopeBegin)
	}
	return r.edits, nil
}

// An envelopeReader reads lines; at is the 0-based one that comes next.
type envelopeReader struct {
	lines []string
	at    int
	crlf  bool // the envelope was sent with CRLF line ends
	edits []Edit
}

// line returns line at+n without line end and trailing blanks, "" past the end.
func (r *envelopeReader) line(n int) string {
	if r.at+n >= len(r.lines) {
		return ""
	}
	return strings.TrimRight(bare(r.lines[r.at+n]), " \t")
}

// body returns a content line without its newline.
func (r *envelopeReader) body() string {
	l := strings.TrimSuffix(r.lines[r.at], "\n")
	if r.crlf {
		l = strings.TrimSuffix(l, "\r")
	}
	return l
}

func (r *envelopeReader) fail(format string, args ...any) error {
	return r.failAt(r.at, format, args...)
}

func (r *envelopeReader) failAt(at int, format string, args ...any) error {
	at = min(at, len(r.lines)-1)
	return malformed(parseOp, at+1, bare(r.lines[at]), format, args...)
}

// header splits the line that begins a file's part.
func header(line string) (key, value string) {
	for _, k := range []string{envelopeAdd, envelopeDelete, envelopeUpdate, envelopeMove} {
		if v, ok := strings.CutPrefix(line, k); ok {
			return k, strings.TrimSpace(v)
		}
	}
	return "", ""
}

// envelope reads up to "*** End Patch" and stays on that line.
func (r *envelopeReader) envelope() error {
	begin, before := r.at, len(r.edits)
	r.crlf = strings.HasSuffix(r.lines[r.at], "\r\n")
	for r.at++; r.at < len(r.lines); {
		l := r.line(0)
		if l == envelopeEnd {
			if len(r.edits) == before {
				return r.failAt(begin, "the envelope holds no file; it has \"%s\", \"%s\" or \"%s\" lines", envelopeUpdate, envelopeAdd, envelopeDelete)
			}
			return nil
		}
		key, value := header(l)
		switch {
		case l == "":
			r.at++
			continue
		case key == "" || key == envelopeMove:
			return r.fail("a line with \"%s\", \"%s\", \"%s\" or \"%s\" was expected", envelopeUpdate, envelopeAdd, envelopeDelete, envelopeEnd)
		}
		if err := r.file(key, value); err != nil {
			return err
		}
	}
	return r.failAt(begin, "the envelope does not end: there is no \"%s\" line, and the input may be cut off", envelopeEnd)
}

// path reads a path, quoted as git does or bare.
func (r *envelopeReader) path(value string) (string, error) {
	if strings.HasPrefix(value, `"`) {
		p, rest, err := unquotePath(value)
		if err == nil && rest != "" {
			return "", r.fail("%q follows the quoted path", rest)
		}
		if err != nil {
			return "", r.fail("%v", err)
		}
		value = p
	}
	if value == "" {
		return "", r.fail("the path is empty")
	}
	return value, nil
}

// file reads the part of one file.
func (r *envelopeReader) file(key, value string) error {
	e := Edit{From: fmt.Sprintf("envelope:%d", r.at+1)}
	var err error
	if e.File, err = r.path(value); err != nil {
		return err
	}
	head := r.at
	r.at++
	switch key {
	case envelopeAdd:
		e.Op = CreateFile
		e.Text, err = r.added()
	case envelopeDelete:
		e.Op, e.Rewrite = DeleteFile, true // the format gives no content
	default:
		e.Op = Hunks
		err = r.update(&e, head)
	}
	if err != nil {
		return err
	}
	r.edits = append(r.edits, e)
	return nil
}

// ends reports whether the line that comes next begins another part.
func (r *envelopeReader) ends() bool {
	key, _ := header(r.line(0))
	return r.at >= len(r.lines) || key != "" || r.line(0) == envelopeEnd
}

// added reads the lines of a new file.
func (r *envelopeReader) added() (string, error) {
	from := r.at
	var lines []string
	open := false
	for ; !r.ends(); r.at++ {
		l := r.body()
		switch {
		case strings.TrimSpace(l) == "" && r.blankTail():
			continue
		case open:
			return "", r.fail("a line follows the one said to end the file without a newline")
		case l == noNewline && len(lines) > 0:
			open = true
		case l == "" || l[0] != '+':
			return "", r.fail("every line of a new file begins with '+'")
		default:
			lines = append(lines, l[1:])
		}
	}
	if at, why := foreign(lines, nil); at >= 0 {
		return "", r.failAt(from+at, "%s", why)
	}
	return textOf(lines, open), nil
}

// blankTail reports whether only blank lines come before the next part.
func (r *envelopeReader) blankTail() bool {
	sub := &envelopeReader{lines: r.lines, at: r.at}
	for !sub.ends() && sub.line(0) == "" {
		sub.at++
	}
	return sub.ends() || strings.HasPrefix(sub.line(0), "@@")
}

// update reads the move and the hunks of an existing file.
func (r *envelopeReader) update(e *Edit, head int) error {
	if key, value := header(r.line(0)); key == envelopeMove {
		to, err := r.path(value)
		if err != nil {
			return err
		}
		if to == e.File {
			return r.fail("%s is moved onto itself", to)
		}
		e.Op, e.To = RenameFile, to
		r.at++
	}
	for !r.ends() {
		if r.line(0) == "" && r.blankTail() {
			r.at++
			continue
		}
		h, err := r.hunk()
		if err != nil {
			return err
		}
		e.Hunks = append(e.Hunks, h)
	}
	if len(e.Hunks) == 0 && e.To == "" {
		return r.failAt(head, "nothing changes: %s has neither a hunk nor a \"%s\" line", e.File, envelopeMove)
	}
	return nil
}

// hunk reads one hunk with the "@@" lines above it.
func (r *envelopeReader) hunk() (Lines, error) {
	h := Lines{At: r.at + 1}
	head := r.at
	for ; strings.HasPrefix(r.line(0), "@@") && !r.ends(); r.at++ {
		if err := r.heading(&h); err != nil {
			return h, err
		}
	}
	from := r.at
	var at []int // the input's line of each of the hunk's
	for ; !r.ends() && !strings.HasPrefix(r.line(0), "@@"); r.at++ {
		if r.line(0) == envelopeEOF {
			h.AtEnd = true
			r.at++
			break
		}
		if r.line(0) == "" && r.blankTail() && r.body() == "" {
			break
		}
		if err := r.content(&h, &at); err != nil {
			return h, err
		}
	}
	if len(h.Lines) == 0 {
		return h, r.failAt(head, "the hunk has no line")
	}
	return h, r.checkHunk(&h, from, at)
}

// heading takes one "@@" line.
func (r *envelopeReader) heading(h *Lines) error {
	l := bare(r.lines[r.at])
	if _, _, err := hunkHeader(l, h); err == nil {
		return nil // of a unified diff: its numbers are no proof, its heading is a hint
	}
	if strings.HasPrefix(l, "@@ -") {
		return r.fail("this is neither a line to be found (\"@@ line\") nor the header of a diff's hunk")
	}
	text := strings.TrimSuffix(strings.TrimRight(strings.TrimPrefix(l, "@@"), " \t\r"), " @@")
	if text = strings.TrimPrefix(text, " "); strings.TrimSpace(text) != "" {
		h.Under = append(h.Under, text)
	}
	return nil
}

// content takes one line of a hunk.
func (r *envelopeReader) content(h *Lines, at *[]int) error {
	l := r.body()
	if l == "" || l == "\r" {
		l = " " + l // the blank of an empty context line is often lost
	}
	switch {
	case l == noNewline && len(h.Lines) > 0:
		c := h.Lines[len(h.Lines)-1][0]
		h.OldNoEOL, h.NewNoEOL = h.OldNoEOL || c != '+', h.NewNoEOL || c != '-'
		return nil
	case !strings.ContainsRune(" -+", rune(l[0])):
		return r.fail("a hunk's line begins with ' ', '-' or '+', and a line that names what encloses the hunk with \"@@ \"")
	case l[0] != '+' && h.OldNoEOL, l[0] != '-' && h.NewNoEOL:
		return r.fail("a line follows the one said to end the file without a newline")
	}
	h.Lines = append(h.Lines, l)
	*at = append(*at, r.at)
	return nil
}

// checkHunk refuses what is well formed but means nothing safe.
func (r *envelopeReader) checkHunk(h *Lines, head int, at []int) error {
	var added, old []string
	var where []int
	for i, l := range h.Lines {
		if l[0] == '+' {
			added, where = append(added, l[1:]), append(where, at[i])
		} else {
			old = append(old, bare(l[1:]))
		}
	}
	switch {
	case len(added) == 0 && h.count('+') == len(h.Lines):
		return r.failAt(head, "nothing changes: the hunk has neither a '-' nor a '+' line")
	case len(old) == 0 && !h.AtEnd:
		return r.failAt(head, "this hunk only adds lines and has no line that stands in the file, so its place is not known; give the lines around it, or \"%s\" to add behind the last one", envelopeEOF)
	}
	if i, why := foreign(added, func(l string) bool { return slices.Contains(old, l) }); i >= 0 {
		return r.failAt(where[i], "%s", why)
	}
	return nil
}

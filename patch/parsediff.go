package patch

import (
	"fmt"
	"strconv"
	"strings"
)

// parseOp names this stage's reading in faults.
const parseOp = "patch.parse"

// ParseDiff reads a unified diff, plain or git extended: creations, deletions,
// renames, copies, modes, quoted names and missing final newlines. A name's
// first component is dropped when it is a/ on the old and b/ on the new side.
// What stands between the parts of the diff (a commit message) is skipped.
//
// Hunk headers have to count their lines rightly; their line numbers are kept
// as hints. Errors are faults as for Parse.
//
// go-diff's reader is not used here: it neither checks the counts of a hunk nor
// knows the line of an error behind the first file, reads a removed line that
// begins with "-- " as a header, and drops mode lines without content.
func ParseDiff(data []byte) ([]Edit, error) {
	p := &diffReader{lines: splitLines(data)}
	if len(p.lines) > 0 {
		p.lines[0] = strings.TrimPrefix(p.lines[0], bom)
	}
	var edits []Edit
	for p.skip() {
		e, err := p.file()
		if err != nil {
			return nil, err
		}
		edits = append(edits, e...)
	}
	if p.err != nil {
		return nil, p.err
	}
	if len(edits) == 0 {
		return nil, malformed(parseOp, max(1, len(p.lines)), "", "no change was found: there is neither a \"diff --git\" nor a \"--- \" line")
	}
	return edits, nil
}

// A diffReader reads lines; at is the 0-based one that comes next.
type diffReader struct {
	lines []string
	at    int
	crlf  bool // the diff itself was sent with CRLF line ends
	err   error
}

// peek returns line at+n without its line end, "" past the end.
func (p *diffReader) peek(n int) string {
	if p.at+n >= len(p.lines) {
		return ""
	}
	return p.header(p.lines[p.at+n])
}

func (p *diffReader) header(line string) string { return bare(line) }

// body returns a content line without its newline; a carriage return stays
// unless the whole diff was sent with CRLF.
func (p *diffReader) body(line string) string {
	line = strings.TrimSuffix(line, "\n")
	if p.crlf {
		line = strings.TrimSuffix(line, "\r")
	}
	return line
}

func (p *diffReader) fail(format string, args ...any) error {
	at := min(p.at, len(p.lines)-1)
	return malformed(parseOp, at+1, bare(p.lines[at]), format, args...)
}

// skip moves to the next header; it refuses hunks that belong to no file.
func (p *diffReader) skip() bool {
	for ; p.at < len(p.lines); p.at++ {
		l := p.peek(0)
		if strings.HasPrefix(l, "diff --git ") || p.plainHeader() {
			return true
		}
		if strings.HasPrefix(l, "@@ -") {
			p.err = p.fail("a hunk stands before any \"--- \" and \"+++ \" line, so its file is not known")
			return false
		}
	}
	return false
}

func (p *diffReader) plainHeader() bool {
	return strings.HasPrefix(p.peek(0), "--- ") && strings.HasPrefix(p.peek(1), "+++ ")
}

func (p *diffReader) file() ([]Edit, error) {
	h := fileHead{line: p.at + 1}
	p.crlf = strings.HasSuffix(p.lines[p.at], "\r\n")
	if strings.HasPrefix(p.peek(0), "diff --git ") {
		if err := p.gitHead(&h); err != nil {
			return nil, err
		}
	}
	if p.plainHeader() {
		if err := p.names(&h); err != nil {
			return nil, err
		}
	}
	hunks, err := p.hunks(&h)
	if err != nil {
		return nil, err
	}
	return p.edits(&h, hunks)
}

// hunks reads every hunk of one file.
func (p *diffReader) hunks(h *fileHead) ([]Lines, error) {
	var out []Lines
	for strings.HasPrefix(p.peek(0), "@@") {
		hunk, err := p.hunk(h)
		if err != nil {
			return nil, err
		}
		out = append(out, hunk)
	}
	if len(out) == 0 && !h.git {
		return nil, p.fail("a hunk (\"@@ -line,count +line,count @@\") was expected after the file's header")
	}
	if l := p.peek(0); len(out) > 0 && l != "" && strings.ContainsRune("+- \\", rune(l[0])) && !p.plainHeader() && l != "-- " && l != "--" {
		return nil, p.fail("the hunk before this line is already complete by its counts (%d old, %d new lines), but goes on",
			out[len(out)-1].count('-'), out[len(out)-1].count('+'))
	}
	return out, nil
}

// count counts the lines of one side.
func (l Lines) count(side byte) int {
	n := 0
	for _, s := range l.Lines {
		if s[0] == ' ' || s[0] == side {
			n++
		}
	}
	return n
}

// hunk reads one hunk, exactly as long as its header says.
func (p *diffReader) hunk(h *fileHead) (Lines, error) {
	out := Lines{At: p.at + 1}
	oldN, newN, err := hunkHeader(p.peek(0), &out)
	if err != nil {
		return out, p.fail("%v", err)
	}
	head := p.at
	var added []string
	for p.at++; oldN > 0 || newN > 0; p.at++ {
		if p.at >= len(p.lines) {
			return out, p.fail("the input ends inside the hunk of line %d: %d old and %d new lines are missing", head+1, oldN, newN)
		}
		line := p.body(p.lines[p.at])
		if line == "" || line == "\r" {
			line = " " + line // some tools drop the blank of an empty context line
		}
		o, n := 0, 0
		switch line[0] {
		case ' ':
			o, n = 1, 1
		case '-':
			o = 1
		case '+':
			n = 1
			added = append(added, line[1:])
		case '\\':
			if err := p.noEOL(&out); err != nil {
				return out, err
			}
			continue
		default:
			return out, p.fail("a hunk's line begins with ' ', '-', '+' or '\\'; the hunk of line %d lacks %d old and %d new lines", head+1, oldN, newN)
		}
		if o > oldN || n > newN {
			return out, p.fail("the hunk of line %d has more lines than its header counts", head+1)
		}
		if (o > 0 && out.OldNoEOL) || (n > 0 && out.NewNoEOL) {
			return out, p.fail("a line follows the one said to end the file without a newline")
		}
		oldN, newN = oldN-o, newN-n
		out.Lines = append(out.Lines, line)
	}
	if strings.HasPrefix(p.peek(0), "\\") {
		if err := p.noEOL(&out); err != nil {
			return out, err
		}
		p.at++
	}
	return out, p.checkHunk(h, &out, head, added)
}

// hunkHeader reads "@@ -l,n +l,n @@".
func hunkHeader(s string, out *Lines) (oldN, newN int, err error) {
	fields := strings.SplitN(s, " ", 5)
	if len(fields) < 4 || fields[0] != "@@" || fields[3] != "@@" || !strings.HasPrefix(fields[1], "-") || !strings.HasPrefix(fields[2], "+") {
		return 0, 0, fmt.Errorf("a hunk header has the form \"@@ -line,count +line,count @@\"")
	}
	if len(fields) == 5 {
		out.Section = strings.TrimSpace(fields[4])
	}
	if out.OldStart, oldN, err = hunkRange(fields[1][1:]); err != nil {
		return 0, 0, err
	}
	if out.NewStart, newN, err = hunkRange(fields[2][1:]); err != nil {
		return 0, 0, err
	}
	if oldN == 0 && newN == 0 {
		return 0, 0, fmt.Errorf("the hunk header counts no line at all")
	}
	return oldN, newN, nil
}

func hunkRange(s string) (start, count int, err error) {
	a, b, comma := strings.Cut(s, ",")
	count = 1
	if start, err = strconv.Atoi(a); err == nil && comma {
		count, err = strconv.Atoi(b)
	}
	if err != nil || start < 0 || count < 0 || start > 1<<30 || count > 1<<30 {
		return 0, 0, fmt.Errorf("%q is no line number with a count", s)
	}
	return start, count, nil
}

// noEOL takes a "\ No newline at end of file" line for the line before it.
func (p *diffReader) noEOL(out *Lines) error {
	if len(out.Lines) == 0 {
		return p.fail("this says that a line has no newline, but no line stands before it")
	}
	c := out.Lines[len(out.Lines)-1][0]
	if c != '+' {
		out.OldNoEOL = true
	}
	if c != '-' {
		out.NewNoEOL = true
	}
	return nil
}

// checkHunk refuses what is well counted but means nothing safe.
func (p *diffReader) checkHunk(h *fileHead, out *Lines, head int, added []string) error {
	here := &diffReader{lines: p.lines, at: head}
	if len(added) == len(out.Lines) && !h.created && out.OldStart != 0 && h.hash == "" {
		return here.fail("this hunk only adds lines and has no context line, so its place is not known")
	}
	known := map[string]bool{}
	for _, l := range out.Lines {
		if l[0] != '+' {
			known[bare(l[1:])] = true
		}
	}
	i, why := foreign(added, func(l string) bool { return known[l] })
	if i < 0 {
		return nil
	}
	for at := head + 1; ; at++ {
		if l := p.lines[at]; l[0] == '+' && p.body(l)[1:] == added[i] {
			return (&diffReader{lines: p.lines, at: at}).fail("%s", why)
		}
	}
}

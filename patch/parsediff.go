package patch

import (
	"fmt"
	"io/fs"
	"strconv"
	"strings"

	"github.com/plumbkit/plumb/host/fault"
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

// A fileHead is what the lines before the first hunk say.
type fileHead struct {
	line             int // 1-based
	git              bool
	old, new         string // as given, prefixes dropped; "" for /dev/null or not given
	from, to         string // of a rename or copy
	created, deleted bool
	rename, copied   bool
	oldMode, newMode fs.FileMode
	hash             string
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

// gitHead reads "diff --git" and the extended header lines below it.
func (p *diffReader) gitHead(h *fileHead) error {
	h.git = true
	old, new, ok := gitNames(strings.TrimPrefix(p.peek(0), "diff --git "))
	if ok {
		h.old, h.new = old, new
	}
	for p.at++; p.at < len(p.lines); p.at++ {
		l := p.peek(0)
		key, value := extended(l)
		if key == "" {
			if strings.HasPrefix(l, "GIT binary patch") || strings.HasPrefix(l, "Binary files ") {
				return p.unsupported("a binary patch", "write the file whole by other means, outside of this set")
			}
			return nil
		}
		if err := p.extend(h, key, value); err != nil {
			return err
		}
	}
	return nil
}

// extended splits an extended header line into its key and value.
func extended(line string) (key, value string) {
	for _, k := range []string{"old mode ", "new mode ", "deleted file mode ", "new file mode ", "copy from ", "copy to ",
		"rename from ", "rename to ", "similarity index ", "dissimilarity index ", "index "} {
		if v, ok := strings.CutPrefix(line, k); ok {
			return k, v
		}
	}
	return "", ""
}

func (p *diffReader) extend(h *fileHead, key, value string) (err error) {
	switch key {
	case "old mode ":
		h.oldMode, err = p.mode(value)
	case "new mode ":
		h.newMode, err = p.mode(value)
	case "deleted file mode ":
		h.deleted = true
		h.oldMode, err = p.mode(value)
	case "new file mode ":
		h.created = true
		h.newMode, err = p.mode(value)
	case "copy from ", "rename from ":
		h.copied, h.rename = key == "copy from ", key == "rename from "
		h.from, err = p.name(value, "")
	case "copy to ", "rename to ":
		h.to, err = p.name(value, "")
	case "index ":
		ids, mode, _ := strings.Cut(value, " ")
		if old, _, ok := strings.Cut(ids, ".."); ok && strings.Trim(old, "0") != "" && len(old) >= 7 {
			h.hash = "git:" + old
		}
		if mode != "" {
			_, err = p.mode(mode)
		}
	}
	return err
}

// mode reads git's octal file mode.
func (p *diffReader) mode(s string) (fs.FileMode, error) {
	switch strings.TrimSpace(s) {
	case "100644", "100664":
		return 0o644, nil
	case "100755":
		return 0o755, nil
	case "120000":
		return fs.ModeSymlink | 0o777, nil
	case "160000":
		return 0, p.unsupported("a submodule", "move the submodule with git, outside of this set")
	}
	return 0, p.fail("the file mode %q is none that git knows (100644, 100755, 120000)", s)
}

func (p *diffReader) unsupported(what, next string) error {
	return &fault.Fault{Class: fault.Unsupported, Op: parseOp, Subject: fault.Subject{Line: p.at + 1, Text: p.peek(0)},
		Detail: fmt.Sprintf("line %d of the input is %s, which is not applied", p.at+1, what), State: unchanged, Next: next}
}

// name reads one path: quoted, or up to a tab (a time stamp follows it).
func (p *diffReader) name(s, prefix string) (string, error) {
	if strings.HasPrefix(s, `"`) {
		path, rest, err := unquotePath(s)
		if err != nil {
			return "", p.fail("%v", err)
		}
		if r := strings.TrimSpace(rest); r != "" && !strings.HasPrefix(rest, "\t") {
			return "", p.fail("%q follows the quoted path", r)
		}
		s = path
	} else if prefix != "" {
		s, _, _ = strings.Cut(s, "\t")
	}
	if s == "/dev/null" {
		return "", nil
	}
	if prefix != "" {
		s = strings.TrimPrefix(s, prefix)
	}
	if s == "" {
		return "", p.fail("the path is empty")
	}
	return s, nil
}

// names reads the "--- " and "+++ " lines.
func (p *diffReader) names(h *fileHead) (err error) {
	old, new := p.peek(0)[4:], p.peek(1)[4:]
	pa, pb := "a/", "b/"
	if !prefixed(old, "a/") || !prefixed(new, "b/") {
		pa, pb = "\x00", "\x00" // no prefixes: keep names whole
	}
	if h.old, err = p.name(old, pa); err != nil {
		return err
	}
	p.at++
	if h.new, err = p.name(new, pb); err != nil {
		return err
	}
	p.at++
	if h.old == "" && h.new == "" {
		p.at--
		return p.fail("both sides are /dev/null")
	}
	h.created, h.deleted = h.created || h.old == "", h.deleted || h.new == ""
	return nil
}

// prefixed reports whether a name as written has the prefix, or is /dev/null.
func prefixed(name, prefix string) bool {
	n := strings.TrimPrefix(name, `"`)
	return strings.HasPrefix(n, prefix) || strings.HasPrefix(n, "/dev/null")
}

// gitNames splits the rest of a "diff --git" line. Names with blanks are not
// quoted there, so both sides have to be the same but for their prefix.
func gitNames(s string) (old, new string, ok bool) {
	if strings.HasPrefix(s, `"`) {
		o, rest, err := unquotePath(s)
		if err != nil || !strings.HasPrefix(rest, " ") {
			return "", "", false
		}
		n := rest[1:]
		if strings.HasPrefix(n, `"`) {
			if n, _, err = unquotePath(n); err != nil {
				return "", "", false
			}
		}
		return strings.TrimPrefix(o, "a/"), strings.TrimPrefix(n, "b/"), true
	}
	if i := strings.Index(s, ` "`); i >= 0 && strings.HasSuffix(s, `"`) {
		n, _, err := unquotePath(s[i+1:])
		return strings.TrimPrefix(s[:i], "a/"), strings.TrimPrefix(n, "b/"), err == nil
	}
	for i := 1; i < len(s); i++ {
		if s[i] != ' ' {
			continue
		}
		o, n := strings.TrimPrefix(s[:i], "a/"), strings.TrimPrefix(s[i+1:], "b/")
		if o == n || strings.Count(s, " ") == 1 {
			return o, n, true
		}
	}
	return "", "", false
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
	if len(fields) < 4 || fields[0] != "@@" || fields[3] != "@@" || fields[1][:1] != "-" || fields[2][:1] != "+" {
		return 0, 0, fmt.Errorf("a hunk header has the form \"@@ -line,count +line,count @@\"")
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

// edits turns one file's part into edits.
func (p *diffReader) edits(h *fileHead, hunks []Lines) ([]Edit, error) {
	here := &diffReader{lines: p.lines, at: h.line - 1}
	e := Edit{Op: Hunks, File: h.old, Hunks: hunks, Hash: h.hash, From: fmt.Sprintf("diff:%d", h.line)}
	switch {
	case h.created && h.deleted:
		return nil, here.fail("the file is both created and deleted")
	case h.created:
		return here.create(h, e)
	case h.deleted:
		return here.remove(h, e)
	case h.rename || h.copied:
		if h.from == "" || h.to == "" {
			return nil, here.fail("a rename or copy has to name both files")
		}
		e.File, e.To = h.from, h.to
		if e.File == e.To {
			return nil, here.fail("%s is moved onto itself", e.File)
		}
	case h.old == "" || h.new == "":
		return nil, here.fail("the file's name cannot be read from the \"diff --git\" line")
	case h.old != h.new:
		return nil, here.fail("the sides name different files (%s, %s) without \"rename from\" and \"rename to\"", h.old, h.new)
	}
	if h.newMode != 0 {
		e.Mode = h.newMode
	}
	if len(hunks) == 0 && e.To == "" && h.newMode == 0 {
		return nil, here.fail("nothing changes: there is no hunk, rename, copy or mode")
	}
	if e.To == "" && len(hunks) == 0 {
		e.Op = ChangeMode
	}
	if h.copied {
		e.Op = CopyFile
	}
	if h.rename {
		e.Op = RenameFile
	}
	return []Edit{e}, nil
}

func (p *diffReader) create(h *fileHead, e Edit) ([]Edit, error) {
	e.Op, e.File, e.Mode, e.Hash = CreateFile, h.new, h.newMode, ""
	if e.File == "" {
		return nil, p.fail("the new file's name cannot be read from the \"diff --git\" line")
	}
	if len(e.Hunks) > 1 || (len(e.Hunks) == 1 && e.Hunks[0].count('-') > 0) {
		return nil, p.fail("a new file has exactly one hunk, with added lines only")
	}
	if len(e.Hunks) == 1 {
		e.Text = e.Hunks[0].side('+', e.Hunks[0].NewNoEOL)
	}
	e.Hunks = nil
	return []Edit{e}, nil
}

func (p *diffReader) remove(h *fileHead, e Edit) ([]Edit, error) {
	e.Op = DeleteFile
	if e.File == "" {
		return nil, p.fail("the deleted file's name cannot be read from the \"diff --git\" line")
	}
	if len(e.Hunks) > 1 || (len(e.Hunks) == 1 && e.Hunks[0].count('+') > 0) {
		return nil, p.fail("a deleted file has exactly one hunk, with removed lines only")
	}
	if len(e.Hunks) == 1 {
		e.Expect = e.Hunks[0].side('-', e.Hunks[0].OldNoEOL)
	}
	e.Hunks = nil
	return []Edit{e}, nil
}

// side joins the lines of one side to text.
func (l Lines) side(side byte, noEOL bool) string {
	var b strings.Builder
	for _, s := range l.Lines {
		if s[0] == ' ' || s[0] == side {
			b.WriteString(s[1:])
			b.WriteByte('\n')
		}
	}
	if noEOL {
		return strings.TrimSuffix(b.String(), "\n")
	}
	return b.String()
}

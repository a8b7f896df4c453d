package selfcheck

import (
	"bytes"
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/plumbkit/plumb/index"
	"github.com/plumbkit/plumb/patch"
)

// residue looks for what the work has left behind, in added lines only (SLF-3).
func residue(r *review) (outcome, error) {
	switch {
	case r.Set == nil:
		return lacking("there is no set")
	case r.After == nil:
		return lacking("there is no snapshot of the state after")
	}
	var left []leftover
	for i := range r.Set.Files {
		f := &r.Set.Files[i]
		if f.Op == patch.Deleted {
			continue
		}
		if f.Op == patch.Created && temporary(f.Path) {
			left = append(left, leftover{index.Span{File: f.Path, Line: 1, Col: 1}, "a temporary file"})
			continue
		}
		left = append(left, r.markers(f)...)
		left = append(left, r.marked(f)...)
	}
	if len(left) == 0 {
		return outcome{signal: fmt.Sprintf("nothing was left behind in the added lines of %d files", len(r.Set.Files))}, nil
	}
	o := outcome{failed: true}
	for _, l := range left {
		o.signal = join(o.signal, fmt.Sprintf("%s:%d: %s", l.place.File, l.place.Line, l.what))
		o.places = append(o.places, l.place)
	}
	return o, nil
}

// A leftover is one thing left behind.
type leftover struct {
	place index.Span
	what  string
}

// temporary reports whether a new file is one that editors, merges and trials
// leave behind.
func temporary(file string) bool {
	name := strings.ToLower(path.Base(file))
	for _, end := range []string{".orig", ".rej", ".bak", ".tmp", ".temp", ".swp", ".swo", "~", ".log", ".prof", ".pid", ".test"} {
		if strings.HasSuffix(name, end) {
			return true
		}
	}
	switch name {
	case ".ds_store", "thumbs.db", "core", "a.out", "nohup.out", "debug.test", "__debug_bin":
		return true
	}
	top, _, _ := strings.Cut(strings.ToLower(file), "/")
	return (top == "tmp" || top == "temp" || top == "scratch") && strings.Contains(file, "/") || strings.HasPrefix(name, "scratch.") || strings.HasPrefix(name, "#")
}

var (
	conflict = regexp.MustCompile(`^(<<<<<<<|>>>>>>>|\|\|\|\|\|\|\|)( |$)|^=======$`)
	// elision are words that stand in place of code that was to be kept.
	elision = regexp.MustCompile(`(?i)^\s*(//|#|/\*|--|<!--|\*)\s*(\.\.\.|…)?\s*(rest of|the rest|remaining|existing|previous|other|same|unchanged)\b.{0,40}\b(code|file|function|method|unchanged|omitted|as before|here|remains?)\b|^\s*(//|#)\s*(\.\.\.|…)\s*$`)
	notes   = regexp.MustCompile(`\b(NOCOMMIT|DO NOT COMMIT|DONOTCOMMIT|DO NOT MERGE|REMOVEME|REMOVE ME|DELETEME|TEMPORARY HACK)\b`)
	todo    = regexp.MustCompile(`\b(TODO|FIXME|XXX|HACK)\b`)
	// reference is where the open point is kept: an issue, a requirement or an address.
	reference = regexp.MustCompile(`#\d+|\b[A-Z][A-Z0-9]+-\d+\b|https?://\S+|\b(issue|ticket|bug)s?[ /#:]*\d+`)
)

// markers looks at the text of added lines: conflict markers and elisions.
func (r *review) markers(f *patch.File) []leftover {
	var out []leftover
	n := 0
	for l := range bytes.Lines(f.New) {
		n++
		if !r.isAdded(f.Path, n) {
			continue
		}
		s := strings.TrimRight(string(l), "\r\n")
		place := index.Span{File: f.Path, Line: n, Col: 1}
		switch {
		case conflict.MatchString(s) && !document(f.Path):
			out = append(out, leftover{place, fmt.Sprintf("a conflict marker: %q", s)})
		case elision.MatchString(s) && !document(f.Path):
			out = append(out, leftover{place, fmt.Sprintf("words in place of code: %q", strings.TrimSpace(s))})
		case notes.MatchString(s) && !document(f.Path):
			out = append(out, leftover{place, fmt.Sprintf("a note to remove it: %q", strings.TrimSpace(s))})
		}
	}
	return out
}

func document(file string) bool {
	return slices.Contains([]string{".md", ".rst", ".adoc", ".txt"}, strings.ToLower(path.Ext(file)))
}

// marked looks at the marks of added lines.
func (r *review) marked(f *patch.File) []leftover {
	var out []leftover
	examples := r.examples(f.Path)
	for _, m := range r.After.Marks(f.Path) {
		if !r.addedWithin(m.Span, f.New) {
			continue
		}
		switch m.Kind {
		case index.MarkDebug:
			if !examples[m.In] && r.isDebug(f.Path, m) {
				out = append(out, leftover{m.Span, fmt.Sprintf("output or a stop for debugging: %q", m.Text)})
			}
		case index.MarkPlaceholder:
			out = append(out, leftover{m.Span, fmt.Sprintf("a placeholder in place of code: %q", m.Text)})
		case index.MarkComment:
			if m.Span.End <= len(f.New) {
				out = append(out, r.comment(f, m)...)
			}
		}
	}
	return out
}

// addedWithin reports whether any line of a mark was added.
func (r *review) addedWithin(s index.Span, src []byte) bool {
	if s.End > len(src) {
		return r.isAdded(s.File, s.Line)
	}
	last := s.Line + bytes.Count(src[s.Start:s.End], []byte("\n"))
	for n := s.Line; n <= last; n++ {
		if r.isAdded(s.File, n) {
			return true
		}
	}
	return false
}

// examples are the symbols whose output is what a test compares.
func (r *review) examples(file string) map[string]bool {
	out := map[string]bool{}
	for _, m := range r.After.Marks(file) {
		if m.Kind == index.MarkAssertion && m.Form == "output" {
			out[m.In] = true
		}
	}
	return out
}

// isDebug tells output for debugging from a program's own: breakpoints and
// dumps are always for debugging, prints and logs only where the package has
// not printed or logged in that way before.
func (r *review) isDebug(file string, m index.Mark) bool {
	if m.Form != "print" && m.Form != "log" {
		return true
	}
	if r.program(file) {
		return false
	}
	if r.Before == nil {
		return true
	}
	dir := path.Dir(file)
	for _, f := range r.Before.Files() {
		if path.Dir(f.Path) != dir || f.Origin == index.Test {
			continue
		}
		if slices.ContainsFunc(r.Before.Marks(f.Path), func(o index.Mark) bool { return o.Kind == index.MarkDebug && o.Form == m.Form }) {
			return false
		}
	}
	return true
}

// program reports whether a file belongs to a program, whose output is its own.
func (r *review) program(file string) bool {
	for _, p := range r.After.Packages() {
		if p.Program && slices.Contains(p.Files, file) {
			return true
		}
	}
	return false
}

// comment looks at one comment: open points without a reference, and code.
func (r *review) comment(f *patch.File, m index.Mark) []leftover {
	text := string(f.New[m.Span.Start:m.Span.End])
	var out []leftover
	n := m.Span.Line
	code := 0
	var first index.Span
	lang := r.After.Language(f.Path)
	if lang == nil {
		lang = &index.Language{}
	}
	marks := lang.Comments
	old := r.oldLines(f.Path, marks)
	for l := range strings.Lines(text) {
		place := index.Span{File: f.Path, Hash: m.Span.Hash, Line: n, Col: 1}
		n++
		if !r.isAdded(f.Path, place.Line) {
			continue
		}
		if todo.MatchString(l) && !reference.MatchString(l) {
			out = append(out, leftover{place, fmt.Sprintf("an open point without a reference: %q", strings.TrimSpace(l))})
			continue
		}
		body, sample := uncomment(l, marks)
		sample = sample && !(lang.Indentation && code > 0) // the block below a head is no sample
		if known := old[body]; !sample && body != "" && (known || looksLikeCode(lang, body)) {
			if code++; code == 1 {
				first = place
			}
			if known {
				code++
			}
		}
	}
	if code >= 2 || code == 1 && strings.Count(strings.TrimSpace(text), "\n") == 0 && r.insideBody(m) {
		out = append(out, leftover{first, "code that is commented out"})
	}
	return out
}

// oldLines are the lines that the change replaced or removed in a file.
func (r *review) oldLines(file string, marks index.Comments) map[string]bool {
	out := map[string]bool{}
	for _, h := range r.Set.Hunks {
		if h.File == file {
			for _, l := range h.Old {
				l = strings.TrimSpace(l)
				if body, _ := uncomment(l, marks); len(l) > 3 && body == l {
					out[l] = true
				}
			}
		}
	}
	return out
}

// insideBody reports whether a comment stands in a function's body.
func (r *review) insideBody(m index.Mark) bool {
	s, ok := r.After.Symbol(m.In)
	return ok && m.Span.Start > s.Body && (s.Kind == index.KindFunction || s.Kind == index.KindMethod || s.Kind == index.KindConstructor)
}

// uncomment takes a comment's marker off a line. A line that is indented behind
// its marker is a sample in a document.
func uncomment(l string, marks index.Comments) (body string, sample bool) {
	l = strings.TrimSpace(l)
	begins := marks.Line
	for _, pair := range marks.Block {
		begins = append(slices.Clip(begins), pair[0], pair[0][len(pair[0])-1:]) // and lines in between, as of a column of stars
		l = strings.TrimSuffix(l, pair[1])
	}
	for _, begin := range begins {
		if rest, ok := strings.CutPrefix(l, begin); ok {
			l = rest
			break
		}
	}
	return strings.TrimSpace(l), strings.HasPrefix(l, "\t") || strings.HasPrefix(l, "    ")
}

// code are shapes of statements that prose does not take, in whatever language:
// an assignment, a call, and what is left of brackets.
var code = regexp.MustCompile(`^[\w.\[\]*]+(\s*,\s*[\w.\[\]*]+)*\s*(:=|[-+*/|&]?=)\s*\S(.*[\w)\]}"';])?$` +
	`|^[a-z_]\w*(\.\w+)*\([^ ].*\);?$|^[a-z_]\w*(\.\w+)*\(\);?$|^\w+\.\w+(\.\w+)*\(.*\)[;{]?$|^[})\]]+[;,)]*$`)

// prose is three plain words in a row, which statements do not have.
var prose = regexp.MustCompile(`\b[a-z]{2,},?\s+[a-z]{2,},?\s+[a-z]{2,}\b`)

func looksLikeCode(lang *index.Language, s string) bool {
	return (code.MatchString(s) || isStatement(lang, s)) && (strings.ContainsAny(s, "\"`") || !prose.MatchString(s))
}

// firstWord is the word that a line begins with.
var firstWord = regexp.MustCompile(`^\w+\b`)

// isStatement reports whether a line begins with a word of the language and ends
// as no sentence does; a colon ends the head of a block where indentation is syntax.
func isStatement(lang *index.Language, s string) bool {
	if !slices.Contains(lang.Statements, firstWord.FindString(s)) {
		return false
	}
	ends := []string{"{", ";", ")", "]", ":=", "==", "!="}
	if lang.Indentation {
		ends = append(ends, ":")
	}
	s = strings.TrimSpace(s)
	return slices.ContainsFunc(ends, func(end string) bool { return strings.HasSuffix(s, end) })
}

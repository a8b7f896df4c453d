package patch

import (
	"fmt"
	"strings"

	"github.com/plumbkit/plumb/host/fault"
	"github.com/plumbkit/plumb/index"
)

// symbol finds the one symbol that an edit names (PAT-3).
func (b *builder) symbol(e *Edit) (index.Symbol, error) {
	answer := b.in.Before.Definitions(e.Symbol)
	all := append(append([]index.Symbol{}, answer.Sure...), answer.Confirm...)
	var found []index.Symbol
	for _, s := range all {
		if (e.File == "" || s.Span.File == e.File) && (e.Kind == "" || s.Kind.String() == e.Kind) {
			found = append(found, s)
		}
	}
	if len(found) > 1 {
		found = exactly(found, e.Symbol)
	}
	switch len(found) {
	case 1:
		return found[0], nil
	case 0:
		return index.Symbol{}, b.noSymbol(e, all)
	}
	f := refuse(fault.Ambiguous, e, fmt.Sprintf("%q names %d symbols", e.Symbol, len(found)), "give the canonical name or ID of one, its kind, or its file")
	f.Candidates = subjects(found)
	return index.Symbol{}, f
}

// exactly keeps those whose ID or canonical name is the name as given, if any.
func exactly(found []index.Symbol, name string) []index.Symbol {
	var ids, canonical []index.Symbol
	for _, s := range found {
		if s.ID == name {
			ids = append(ids, s)
		}
		if s.Canonical == name {
			canonical = append(canonical, s)
		}
	}
	switch {
	case len(ids) > 0:
		return ids
	case len(canonical) > 0:
		return canonical
	}
	return found
}

func subjects(symbols []index.Symbol) []fault.Subject {
	var out []fault.Subject
	for _, s := range symbols {
		out = append(out, fault.Subject{File: s.Span.File, Line: s.Span.Line, Symbol: s.Canonical, Text: s.Kind.String()})
	}
	return out
}

// noSymbol says that a symbol is gone, has moved, or is of another kind.
func (b *builder) noSymbol(e *Edit, elsewhere []index.Symbol) error {
	f := refuse(fault.AnchorMismatch, e, "", "look the symbol up again and send the edit for one of the candidates")
	f.Candidates = subjects(elsewhere)
	switch {
	case len(elsewhere) > 0 && e.Kind != "":
		f.Detail = fmt.Sprintf("no %s named %q is defined where the edit says, but there are others of that name", e.Kind, e.Symbol)
	case len(elsewhere) > 0:
		f.Detail = fmt.Sprintf("%q is not defined in %s; it stands elsewhere", e.Symbol, e.File)
	default:
		f.Detail = fmt.Sprintf("no symbol named %q is defined in the repository", e.Symbol)
		for _, n := range b.in.Before.Near(e.Symbol, 5) {
			f.Candidates = append(f.Candidates, fault.Subject{Symbol: n})
		}
	}
	if f.Subject.File == "" && len(elsewhere) > 0 {
		f.Subject.File = elsewhere[0].Span.File
	}
	return f
}

// fileOf returns the file that an edit works on, that of its symbol if it names none.
func (b *builder) fileOf(e *Edit) (string, error) {
	if e.File != "" {
		return e.File, nil
	}
	s, err := b.symbol(e)
	return s.Span.File, err
}

// A region is a half-open range of offsets.
type region struct{ start, end int }

// extent returns the symbol's definition with the comment that stands directly
// above it, from the start of its first line.
func (b *builder) extent(w *fileWork, s index.Symbol) region {
	r := region{lineStart(w.text, s.Span.Start), s.Span.End}
	all := b.commentsOf(s.Span.File)
	for i := len(all) - 1; i >= 0; i-- {
		c := all[i]
		if c.End > r.start {
			continue
		}
		between := string(w.text.data[c.End:r.start])
		first := lineStart(w.text, c.Start)
		if strings.TrimSpace(between) != "" || strings.Count(between, "\n") > 1 || first == c.Start && first != w.text.starts[w.text.lineAt(first)-1] {
			break // not directly above, or behind code in its line
		}
		r.start = first
	}
	return r
}

// commentsOf remembers the comments of a file, which many symbols ask for.
func (b *builder) commentsOf(path string) []index.Span {
	all, ok := b.commented[path]
	if !ok {
		all = comments(b.in.Before, path)
		if b.commented == nil {
			b.commented = map[string][]index.Span{}
		}
		b.commented[path] = all
	}
	return all
}

// lineStart returns the offset at which the line of the offset begins, if only
// blanks stand in front of it, else the offset itself.
func lineStart(t *text, offset int) int {
	start := t.starts[t.lineAt(offset)-1]
	if strings.TrimSpace(strings.TrimPrefix(string(t.data[start:offset]), bom)) != "" {
		return offset
	}
	if start == 0 && strings.HasPrefix(t.lines0(), bom) {
		return len(bom)
	}
	return start
}

// lineEndAfter returns the offset behind the line end that follows, if only
// blanks stand before it, else the offset itself.
func lineEndAfter(t *text, offset int) int {
	end := t.starts[t.lineAt(max(0, offset-1))]
	if strings.TrimSpace(string(t.data[offset:end])) != "" {
		return offset
	}
	return end
}

// symbolSplice places an edit that is anchored at a symbol.
func (b *builder) symbolSplice(w *fileWork, e *Edit) (splice, error) {
	sym, err := b.symbol(e)
	if err != nil {
		return splice{}, err
	}
	full := b.extent(w, sym)
	span := region{sym.Span.Start, sym.Span.End}
	if full.start <= len(w.text.data) && lineStart(w.text, span.start) < span.start {
		span.start = lineStart(w.text, span.start) // indentation belongs to the definition
	}
	r := span
	switch e.Op {
	case ReplaceBody:
		if sym.Body >= sym.Span.End {
			return splice{}, refuse(fault.InvalidInput, e, fmt.Sprintf("%s has no body", sym.Canonical), "replace the whole definition with replace_node")
		}
		r = region{sym.Body, sym.Span.End}
	case DeleteSymbol:
		r = full
	}
	if err := w.checkRegion(e, r); err != nil {
		return splice{}, err
	}
	return w.symbolText(e, span, full, r), nil
}

// checkRegion holds what stands at a symbol against what the edit says of it.
func (w *fileWork) checkRegion(e *Edit, r region) error {
	have := string(w.text.data[r.start:r.end])
	insert := e.Op == InsertBefore || e.Op == InsertAfter
	if !insert && e.Expect == "" && e.ExpectContains == "" && e.Hash == "" {
		return refuse(fault.AnchorMismatch, e, fmt.Sprintf("%s has to say which text it is based on", e.Op),
			"send \"expect\", \"expect_contains\" or the file's \"hash\" as they were read")
	}
	if e.Expect != "" && strings.TrimSpace(plainEnds(have)) != strings.TrimSpace(plainEnds(e.Expect)) {
		return w.regionMismatch(e, r)
	}
	if e.ExpectContains != "" && !strings.Contains(plainEnds(have), plainEnds(e.ExpectContains)) {
		f := refuse(fault.AnchorMismatch, e, fmt.Sprintf("%s does not contain %q", e.Symbol, e.ExpectContains), "read the symbol again and send the edit for what stands there now")
		f.Subject.File, f.Subject.Line = w.path, w.text.lineAt(r.start)
		return f
	}
	return nil
}

func plainEnds(s string) string { return strings.ReplaceAll(s, "\r\n", "\n") }

// regionMismatch names the first line of a symbol that is not as expected.
func (w *fileWork) regionMismatch(e *Edit, r region) error {
	have := splitLines(w.text.data[r.start:r.end])
	want := splitLines([]byte(strings.TrimSpace(plainEnds(e.Expect))))
	k := 0
	for k < len(want) && k < len(have) && strings.TrimSpace(have[k]) == strings.TrimSpace(want[k]) {
		k++
	}
	expected := "the end of the symbol"
	if k < len(want) {
		expected = fmt.Sprintf("%q", bare(want[k]))
	}
	at := w.text.lineAt(r.start) - 1 + min(k, len(have)-1)
	f := refuse(fault.AnchorMismatch, e, fmt.Sprintf("the text that the edit is based on (%s) is not the symbol's: line %d reads %q where %s is expected",
		origin(e), at+1, bare(w.text.lines[at]), expected), "read the symbol again and send the edit for what stands there now")
	f.Subject = fault.Subject{File: w.path, Symbol: e.Symbol, Line: at + 1, Text: bare(w.text.lines[at])}
	return f
}

// symbolText is the replacement for a symbol edit.
func (w *fileWork) symbolText(e *Edit, span, full, r region) splice {
	end := w.text.mostEnd()
	text := strings.Trim(plainEnds(e.Text), "\n")
	switch e.Op {
	case ReplaceBody:
		return splice{start: r.start, end: r.end, text: withEnds(text, end)}
	case ReplaceNode:
		if startsWithComment(w, full, span, text) {
			span.start = full.start
		}
		return splice{start: span.start, end: span.end, text: withEnds(text, end)}
	case DeleteSymbol:
		return w.deletion(full)
	case InsertBefore:
		return splice{start: full.start, end: full.start, text: withEnds(text+"\n"+w.gap(full, span, text), end)}
	}
	after := lineEndAfter(w.text, span.end)
	text = w.gap(full, span, text) + text
	if after == len(w.text.data) && !strings.HasSuffix(string(w.text.data), "\n") {
		return splice{start: after, end: after, text: withEnds("\n"+text, end)}
	}
	if after == span.end { // something follows on the same line
		return splice{start: after, end: after, text: withEnds("\n"+text, end)}
	}
	return splice{start: after, end: after, text: withEnds(text+"\n", end)}
}

// startsWithComment reports whether a replacement brings the doc comment along:
// its first line is the first of the comment that stands there.
func startsWithComment(w *fileWork, full, span region, text string) bool {
	if full.start >= span.start {
		return false
	}
	first, _, _ := strings.Cut(text, "\n")
	have, _, _ := strings.Cut(plainEnds(string(w.text.data[full.start:span.start])), "\n")
	n := min(2, len(strings.TrimSpace(have)))
	return strings.HasPrefix(strings.TrimSpace(first), strings.TrimSpace(have)[:n])
}

// gap is the blank line that separates definitions, none between one-line ones.
func (w *fileWork) gap(full, span region, text string) string {
	if w.text.lineAt(full.start) == w.text.lineAt(max(full.start, span.end-1)) && !strings.Contains(text, "\n") {
		return ""
	}
	return "\n"
}

// deletion removes a symbol's lines with one of the blank lines around it.
func (w *fileWork) deletion(full region) splice {
	s := splice{start: full.start, end: lineEndAfter(w.text, full.end)}
	data := string(w.text.data)
	if s.end == full.end && s.end < len(data) { // part of a line only
		return s
	}
	blankBefore := s.start == 0 || strings.HasSuffix(plainEnds(data[:s.start]), "\n\n")
	if next := w.text.lineAt(s.end) - 1; blankBefore && s.end < len(data) && strings.TrimSpace(bare(w.text.lines[next])) == "" {
		s.end = w.text.starts[next+1]
	} else if s.end == len(data) && blankBefore && s.start > 0 {
		s.start = w.text.starts[w.text.lineAt(s.start-1)-1]
	}
	return s
}

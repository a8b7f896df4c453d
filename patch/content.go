package patch

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/plumbkit/plumb/host/fault"
	"github.com/plumbkit/plumb/index"
)

// hashOf is the content hash that edits pin files with.
func hashOf(data []byte) string { return index.ContentHash(data) }

// anchorLines cuts text into the lines of an anchor.
func anchorLines(s string) []anchorLine {
	lines := splitLines([]byte(s))
	out := make([]anchorLine, len(lines))
	for i, l := range lines {
		out[i].text = strings.TrimSuffix(l, "\n")
	}
	return out
}

// place works out where every content edit belongs, against original bytes.
func (b *builder) place() error {
	for _, path := range b.order {
		w := b.files[path]
		for _, u := range w.units {
			if err := b.placeUnit(w, u); err != nil {
				return err
			}
		}
	}
	return nil
}

func (b *builder) placeUnit(w *fileWork, u *unit) error {
	e := u.edit
	if len(e.Hunks) > 0 {
		return b.placeHunks(w, u)
	}
	s, err := b.locate(w, u)
	if err != nil {
		return u.fail(err)
	}
	if err := w.admit(u, s); err != nil {
		return u.fail(err)
	}
	return nil
}

// placeHunks places the hunks of one edit, each in the block of the symbol that
// it falls in.
func (b *builder) placeHunks(w *fileWork, u *unit) error {
	at := placeHunks(u.edit, w.text, b.a.Loosen, b.symbolScopes(w))
	for i := range u.edit.Hunks {
		h := &u.edit.Hunks[i]
		part := &unit{edit: u.edit, order: u.order, hunk: i, block: u.block}
		if at[i].err != nil {
			return part.fail(at[i].err)
		}
		part.block = b.plan.blockAt(u.edit, w.path, w.text, at[i].line, u.block)
		if b.refused[part.block] != nil {
			continue
		}
		for _, s := range h.splices(w.text, at[i].line, at[i].tier) {
			if err := w.admit(part, s); err != nil {
				return part.fail(err)
			}
		}
		b.loosened(u.edit, at[i].tier, at[i].line)
	}
	return nil
}

func (b *builder) loosened(e *Edit, tier Loosening, line int) {
	if tier != "" {
		b.looseNotes = append(b.looseNotes, fmt.Sprintf("%s landed at %s:%d by %s", origin(e), e.File, line+1, tier))
	}
}

// admit adds a splice after checking that it can be written in the file's own encoding.
func (w *fileWork) admit(u *unit, s splice) error {
	if i := strings.IndexByte(s.text, 0); i >= 0 {
		return refuse(fault.InvalidInput, u.edit, "the new text holds a NUL byte", "send text only")
	}
	if !utf8.Valid(w.text.data) && utf8.ValidString(s.text) && !isASCII(s.text) {
		return refuse(fault.Unsupported, u.edit, w.path+" is not UTF-8, and the new text has characters beyond ASCII: the file's encoding would be mixed",
			"write those characters in the file's own encoding, in a unified diff, or as escapes")
	}
	s.unit = u
	w.splices = append(w.splices, s)
	return nil
}

func isASCII(s string) bool {
	for i := 0; i < len(s); i++ {
		if s[i] >= 0x80 {
			return false
		}
	}
	return true
}

// locate finds the place of an edit that is no hunk.
func (b *builder) locate(w *fileWork, u *unit) (splice, error) {
	switch u.edit.Op {
	case InsertLine:
		return b.insertLine(w, u.edit)
	case ReplaceText:
		return b.replaceText(w, u.edit)
	case AddImport:
		return b.addImport(w, u.edit)
	}
	return b.symbolSplice(w, u.edit)
}

// insertLine puts text in front of a line that is known by its text.
func (b *builder) insertLine(w *fileWork, e *Edit) (splice, error) {
	at := e.Line - 1
	if e.Expect != "" {
		a := newAnchor(anchorLines(e.Expect))
		found, tier := a.search(w.text, 0, len(w.text.lines), b.a.Loosen)
		switch {
		case len(found) == 0 && len(w.text.lines) > 0:
			return splice{}, a.missing(e, w.text, 0, len(w.text.lines), at)
		case len(found) == 0:
			return splice{}, refuse(fault.AnchorMismatch, e, w.path+" is empty, so no such line stands in it", "create the file's content with write_file")
		case len(found) > 1 && e.Hash == "":
			return splice{}, a.several(e, w.text, found)
		case len(found) == 1:
			at = found[0]
		}
		b.loosened(e, tier, at)
		if e.Hash != "" {
			if _, ok := a.at(w.text, e.Line-1, tier); !ok {
				return splice{}, a.missing(e, w.text, 0, len(w.text.lines), e.Line-1)
			}
			at = e.Line - 1
		}
	}
	if at > len(w.text.lines) {
		f := refuse(fault.AnchorMismatch, e, fmt.Sprintf("the file has %d lines, so nothing can be inserted at line %d", len(w.text.lines), e.Line), "read the file again")
		f.Subject.Line = len(w.text.lines)
		return splice{}, f
	}
	return w.insertLines(at, e.Text), nil
}

// insertLines puts whole lines in front of line at (0-based), or behind the last.
func (w *fileWork) insertLines(at int, text string) splice {
	t := w.text
	if !strings.HasSuffix(text, "\n") {
		text += "\n"
	}
	text = withEnds(text, t.endNear(at))
	start := t.starts[at]
	switch {
	case at == 0 && strings.HasPrefix(t.lines0(), bom):
		start += len(bom)
	case at == len(t.lines) && at > 0 && lineEnd(t.lines[at-1]) == "":
		end := t.endNear(at - 1)
		text = end + strings.TrimSuffix(text, lineEnd(text))
	}
	return splice{start: start, end: start, text: text}
}

// replaceText replaces Expect, which must stand exactly once in its scope.
func (b *builder) replaceText(w *fileWork, e *Edit) (splice, error) {
	lo, hi := 0, len(w.text.data)
	if e.Symbol != "" {
		sym, err := b.symbol(e)
		if err != nil {
			return splice{}, err
		}
		r := b.extent(w, sym)
		lo, hi = r.start, r.end
	}
	scope := string(w.text.data[lo:hi])
	expect, text := e.Expect, e.Text
	found := occurrences(scope, expect)
	if len(found) == 0 && strings.Contains(expect, "\n") && !strings.Contains(expect, "\r") {
		expect = withEnds(expect, "\r\n")
		found = occurrences(scope, expect)
	}
	switch {
	case len(found) == 1:
		at := lo + found[0]
		if strings.Contains(w.text.endNear(w.text.lineAt(at)-1), "\r") {
			text = withEnds(text, "\r\n")
		}
		return splice{start: at, end: at + len(expect), text: text}, nil
	case len(found) > 1:
		return splice{}, w.manyTexts(e, lo, found)
	}
	return b.looseText(w, e, w.text.lineAt(lo)-1, w.text.lineAt(max(lo, hi-1)))
}

// occurrences returns the offsets of s in scope, overlapping ones included.
func occurrences(scope, s string) []int {
	var out []int
	for from := 0; ; {
		i := strings.Index(scope[from:], s)
		if i < 0 {
			return out
		}
		out = append(out, from+i)
		from += i + 1
	}
}

func (w *fileWork) manyTexts(e *Edit, lo int, found []int) error {
	lines := make([]int, 0, len(found))
	for _, at := range found {
		lines = append(lines, w.text.lineAt(lo+at)-1)
	}
	a := newAnchor(anchorLines(e.Expect))
	return a.several(e, w.text, lines)
}

// looseText finds Expect as whole lines by the loosenings allowed, or says why not.
func (b *builder) looseText(w *fileWork, e *Edit, lo, hi int) (splice, error) {
	a := newAnchor(anchorLines(e.Expect))
	hi = min(hi, len(w.text.lines))
	found, tier := a.search(w.text, lo, hi, b.a.Loosen)
	switch {
	case tier == "" || len(found) == 0:
		if lo >= hi {
			return splice{}, refuse(fault.AnchorMismatch, e, w.path+" is empty, so the text does not stand in it", "read the file again")
		}
		return splice{}, a.missing(e, w.text, lo, hi, max(lo, e.Line-1))
	case len(found) > 1:
		return splice{}, a.several(e, w.text, found)
	}
	b.loosened(e, tier, found[0])
	text := e.Text
	if tier == UniformIndentation {
		move, _ := a.shift(w.text, found[0])
		lines := splitLines([]byte(text))
		for i := range lines {
			lines[i] = move.apply(lines[i])
		}
		text = strings.Join(lines, "")
	}
	end := w.text.starts[found[0]+len(a.lines)]
	if !strings.HasSuffix(e.Expect, "\n") {
		end -= len(lineEnd(w.text.lines[found[0]+len(a.lines)-1]))
	}
	return splice{start: w.text.starts[found[0]], end: end, text: withEnds(text, w.text.endNear(found[0]))}, nil
}

// addImport puts an import where the language's imports stand: behind the last
// one, in the same form, or before the first definition.
func (b *builder) addImport(w *fileWork, e *Edit) (splice, error) {
	text := strings.TrimRight(e.Text, "\r\n")
	for _, l := range w.text.lines {
		if strings.TrimSpace(bare(l)) == strings.TrimSpace(text) {
			return splice{}, refuse(fault.InvalidInput, e, w.path+" has this import already", "leave the edit out")
		}
	}
	imports := b.in.Before.Imports(w.path)
	if len(imports) > 0 {
		last := w.text.lineAt(int(imports[len(imports)-1].Range.Start)) - 1
		line := w.text.lines[last]
		indent := line[:len(line)-len(strings.TrimLeft(line, " \t"))]
		return w.insertLines(w.text.lineAt(max(0, int(imports[len(imports)-1].Range.End)-1)), indent+strings.TrimLeft(text, " \t")), nil
	}
	outline := b.in.Before.Outline(w.path)
	if len(outline) == 0 {
		return splice{}, refuse(fault.Unsupported, e, "it is not known where imports stand in "+w.path+": it has neither imports nor definitions",
			"insert the line with insert_line")
	}
	r := b.extent(w, outline[0])
	at := w.text.lineAt(r.start) - 1
	return w.insertLines(at, text+"\n\n"), nil
}

package index

import "strings"

const (
	maxDeclaration = 2000 // bytes of a declaration that are kept
	maxValue       = 200  // of one that has a value
	maxDoc         = 4000 // of a doc comment
)

// SetText fills Text and Texts from the file's bytes. Call it after Extract.
func (f *Facts) SetText(src []byte) {
	if len(f.Defs) == 0 {
		return
	}
	var b strings.Builder
	b.Grow(len(src)/4 + 64)
	f.Texts = make([]uint32, 1, 2*len(f.Defs)+1)
	for i := range f.Defs {
		d := &f.Defs[i]
		declaration(&b, d, src)
		f.Texts = append(f.Texts, uint32(b.Len()))
		b.WriteString(docText(src[d.Doc.Start:d.Doc.End]))
		f.Texts = append(f.Texts, uint32(b.Len()))
	}
	f.Text = b.String()
}

// declaration writes the source up to the body, white space normalized.
func declaration(b *strings.Builder, d *Def, src []byte) {
	text := src[d.Range.Start:min(d.Body, d.Range.End)]
	limit := maxDeclaration
	switch d.Kind {
	case KindVariable, KindConstant, KindField, KindEnumMember:
		limit = maxValue
	}
	cut := len(text) > limit
	if cut {
		text = text[:limit]
	}
	space, any := false, false
	for _, c := range text {
		if c == ' ' || c == '\t' || c == '\n' || c == '\r' {
			space = any
			continue
		}
		if space {
			b.WriteByte(' ')
		}
		b.WriteByte(c)
		space, any = false, true
	}
	if cut {
		b.WriteString(" …")
	}
}

// docText returns a comment without its markers and the white space around each line.
func docText(doc []byte) string {
	if len(doc) == 0 {
		return ""
	}
	doc = doc[:min(len(doc), maxDoc)]
	lines := strings.Split(string(doc), "\n")
	for i, line := range lines {
		line = strings.TrimSpace(line)
		for _, marker := range []string{"///", "//!", "//", "/**", "/*", "*/", "#", "\"\"\"", "'''"} {
			if rest, ok := strings.CutPrefix(line, marker); ok {
				line = rest
				break
			}
		}
		for _, marker := range []string{"*/", "\"\"\"", "'''"} {
			line = strings.TrimSuffix(line, marker)
		}
		if rest, ok := strings.CutPrefix(line, "* "); ok {
			line = rest
		} else if line == "*" {
			line = ""
		}
		lines[i] = strings.TrimSpace(line)
	}
	return strings.Trim(strings.Join(lines, "\n"), "\n")
}

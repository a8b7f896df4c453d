package patch

import (
	"slices"
	"strings"

	"github.com/plumbkit/plumb/index"
)

// inOldOrder arranges what stands now in the order in which it stood: removed
// items stay removed, new ones follow the item they were put behind. It returns
// nil when nothing that stood before has moved.
func inOldOrder(old, now []string) []string {
	var common []string
	for _, o := range old {
		if slices.Contains(now, o) {
			common = append(common, o)
		}
	}
	kept := filterStrings(now, func(s string) bool { return slices.Contains(common, s) })
	if slices.Equal(common, kept) || len(common) != len(kept) {
		return nil
	}
	followers := map[string][]string{}
	last := ""
	for _, n := range now {
		if slices.Contains(common, n) {
			last = n
		} else {
			followers[last] = append(followers[last], n)
		}
	}
	out := slices.Clone(followers[""])
	for _, c := range common {
		out = append(append(out, c), followers[c]...)
	}
	return out
}

// importBlock returns the lines [from,to) from the first import to the last, if
// nothing but imports and blank lines stands there.
func importBlock(t *text, imports []index.Import) (from, to int, ok bool) {
	if len(imports) < 2 {
		return 0, 0, false
	}
	lines := map[int]bool{}
	from, to = len(t.lines), 0
	for _, i := range imports {
		if int(i.Range.End) > len(t.data) {
			return 0, 0, false
		}
		first, last := t.lineAt(int(i.Range.Start))-1, t.lineAt(max(int(i.Range.Start), int(i.Range.End)-1))-1
		from, to = min(from, first), max(to, last+1)
		if first != last {
			return 0, 0, false // an import over several lines is not moved line by line
		}
		lines[first] = true
	}
	for i := from; i < to; i++ {
		if !lines[i] && strings.TrimSpace(bare(t.lines[i])) != "" {
			return 0, 0, false
		}
	}
	return from, to, true
}

// backInImports returns the result with its imports in their old order, nil
// when they are. It is done within each group that blank lines set apart.
func backInImports(oldImports, newImports []index.Import, old, now []byte) []byte {
	o, n := newText(old), newText(now)
	o0, o1, ok1 := importBlock(o, oldImports)
	n0, n1, ok2 := importBlock(n, newImports)
	if !ok1 || !ok2 {
		return nil
	}
	before, after := trimmed(o.lines[o0:o1]), trimmed(n.lines[n0:n1])
	if slices.Contains(before, "") != slices.Contains(after, "") || slices.Contains(after, "") {
		before, after = groupKeys(before), groupKeys(after)
	}
	ordered := inOldOrder(before, after)
	if ordered == nil || len(ordered) != n1-n0 {
		return nil
	}
	var b strings.Builder
	b.WriteString(strings.Join(n.lines[:n0], ""))
	for _, key := range ordered {
		b.WriteString(n.lines[n0+slices.Index(after, key)])
	}
	b.WriteString(strings.Join(n.lines[n1:], ""))
	return []byte(b.String())
}

func trimmed(lines []string) []string {
	out := make([]string, len(lines))
	for i, l := range lines {
		out[i] = strings.TrimSpace(bare(l))
	}
	return out
}

// groupKeys makes the blank lines between groups distinct.
func groupKeys(lines []string) []string {
	out := slices.Clone(lines)
	for i, l := range out {
		if l == "" {
			out[i] = "\x00" + strings.Repeat("b", 1+len(filterStrings(lines[:i], func(s string) bool { return s == "" })))
		}
	}
	return out
}

// A chunk is a definition at the left margin, with the comment above it and
// everything up to the next one.
type chunk struct{ id, text string }

// chunks cuts a file at its top definitions; head is what stands before them.
func chunks(s *index.Snapshot, path string, data []byte) (head string, out []chunk) {
	w := &fileWork{path: path, text: newText(data)}
	b := &builder{in: Input{Before: s}}
	var starts []int
	end := 0
	for _, sym := range s.Outline(path) {
		if sym.Kind == index.KindPackage || sym.Span.Start < end || sym.Span.End > len(data) {
			continue // the module that the file is, or inside the one before
		}
		end = sym.Span.End
		at := b.extent(w, sym).start
		if at != w.text.starts[w.text.lineAt(at)-1] || strings.TrimLeft(string(data[at:at+1]), " \t") == "" {
			continue // indented: a member of a group
		}
		starts = append(starts, at)
		out = append(out, chunk{id: sym.ID})
	}
	for i := range out {
		stop := len(data)
		if i+1 < len(out) {
			stop = starts[i+1]
		}
		out[i].text = string(data[starts[i]:stop])
	}
	if len(out) == 0 {
		return string(data), nil
	}
	return string(data[:starts[0]]), out
}

// backInOrder returns the result with its top definitions in their old order,
// nil when they are.
func (b *builder) backInOrder(from string, f *File, now []byte) []byte {
	if string(now) != string(f.New) {
		return nil // positions of the result's symbols no longer hold
	}
	_, was := chunks(b.in.Before, from, f.Old)
	head, is := chunks(b.after, f.Path, now)
	rename := func(id string) string { return strings.Replace(id, "@"+from, "@"+f.Path, 1) }
	var before, after []string
	byID := map[string]chunk{}
	for _, c := range was {
		before = append(before, rename(c.id))
	}
	for _, c := range is {
		after = append(after, c.id)
		byID[c.id] = c
	}
	ordered := inOldOrder(before, after)
	if ordered == nil || len(byID) != len(is) || len(ordered) != len(is) {
		return nil
	}
	var out strings.Builder
	out.WriteString(head)
	end := is[len(is)-1].text
	tail := end[len(strings.TrimRight(end, " \t\r\n")):]
	for i, id := range ordered {
		body := strings.TrimRight(byID[id].text, " \t\r\n")
		gap := byID[id].text[len(body):]
		if id == is[len(is)-1].id && len(is) > 1 {
			gap = is[0].text[len(strings.TrimRight(is[0].text, " \t\r\n")):]
		}
		if i == len(ordered)-1 {
			gap = tail
		}
		out.WriteString(body + gap)
	}
	return []byte(out.String())
}

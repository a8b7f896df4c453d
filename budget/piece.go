package budget

import (
	"fmt"
	"path"
	"slices"
	"sort"
	"strings"

	"github.com/plumbkit/plumb/index"
)

// A piece is a candidate with the forms in which it can get in, most first.
type piece struct {
	*candidate
	q     *collection
	forms []cut // made so far
	cost  []int // tokens of each form made, as rendered, heading included
	cuts  *cutter
	took  int // the form taken, -1 if dropped
}

// tokens returns what the i-th form costs; ok is false when there is no such
// form. Forms after the first are made when they are first asked for.
func (p *piece) tokens(i int) (n int, ok bool) {
	if i > 0 && p.cuts != nil {
		p.forms = append(p.forms, p.cuts.forms(p.layer == Tests)...)
		p.cuts = nil
	}
	if i >= len(p.forms) {
		return 0, false
	}
	for len(p.cost) <= i {
		p.cost = append(p.cost, p.q.counter.Count(p.q.item(p, len(p.cost)).render()))
	}
	return p.cost[i], true
}

// least returns the last form, and what it costs.
func (p *piece) least() (form, n int) {
	for i := 0; ; i++ {
		cost, ok := p.tokens(i)
		if !ok {
			return form, n
		}
		form, n = i, cost
	}
}

// most returns what the first form costs.
func (p *piece) most() int {
	n, _ := p.tokens(0)
	return n
}

// pieces makes the forms of all candidates, layer by layer in order of score.
// Content that is the same enters once; what repeats it becomes a Drop.
func (q *collection) pieces(all []*candidate) map[Layer][]*piece {
	sort.SliceStable(all, func(i, j int) bool { return before(all[i], all[j]) })
	out := make(map[Layer][]*piece)
	seen := make(map[string]*piece)
	for _, c := range all {
		p := &piece{candidate: c, q: q, took: -1}
		if err := q.cutAll(p); err != nil {
			q.drop(p, 0, "its source cannot be read: "+err.Error())
			continue
		}
		if c.layer == Definitions || c.layer == Tests || c.layer == Contracts {
			key := index.ContentHash([]byte(p.forms[0].text))
			if twin := seen[key]; twin != nil {
				twin.extra = append(twin.extra, fmt.Sprintf("same content: %s:%d", c.sym.Span.File, c.sym.Span.Line))
				q.drop(p, 0, fmt.Sprintf("same content as %s:%d, which stands for it", twin.sym.Span.File, twin.sym.Span.Line))
				continue
			}
			seen[key] = p
		}
		out[c.layer] = append(out[c.layer], p)
	}
	return out
}

// before orders candidates: what must be in first, then by score, place and name.
func before(a, b *candidate) bool {
	switch {
	case a.must != b.must:
		return a.must
	case a.score != b.score:
		return a.score > b.score
	case a.sym.Span.File != b.sym.Span.File:
		return a.sym.Span.File < b.sym.Span.File
	case a.lines != b.lines:
		return a.lines[0] < b.lines[0] || a.lines[0] == b.lines[0] && a.lines[1] < b.lines[1]
	}
	return a.sym.Span.Start < b.sym.Span.Start || a.sym.Span.Start == b.sym.Span.Start && a.sym.ID < b.sym.ID
}

// cutAll makes the first form of a piece.
func (q *collection) cutAll(p *piece) error {
	if p.ready != nil {
		p.forms = []cut{*p.ready}
		return nil
	}
	file := p.sym.Span.File
	if p.layer == CallSites {
		file = p.file
	}
	src, err := q.sources.get(file)
	if err != nil {
		return err
	}
	switch p.layer {
	case CallSites:
		p.forms = []cut{window(src, p.sym, p.lines[0], p.lines[1])}
	case Signatures:
		p.forms = []cut{signature(src, p.sym)}
	default:
		p.cuts = newCutter(src, q.sources, p.sym)
		p.forms = []cut{p.cuts.whole()}
	}
	return nil
}

// signature is a symbol's declaration without body, on one line, and the first
// sentence of its doc comment.
func signature(src *source, sym index.Symbol) cut {
	first, last := src.line(sym.Span.Start), src.line(max(sym.Span.Start, sym.Span.End-1))
	end := min(src.line(min(max(sym.Body, sym.Span.Start), max(sym.Span.Start, sym.Span.End-1))), last)
	text := sym.Signature.Text
	if text == "" {
		text = strings.TrimSpace(src.lines(first, first)[0])
	}
	if doc := sentence(sym.Doc); doc != "" {
		text += "  // " + doc
	}
	return cut{form: Line, text: text, from: first, to: end}
}

// sentence returns the first sentence of a doc comment, at most 160 bytes of whole words.
func sentence(doc string) string {
	doc = strings.Join(strings.Fields(doc), " ")
	if i := strings.Index(doc, ". "); i >= 0 {
		doc = doc[:i+1]
	}
	if len(doc) > 160 {
		doc = doc[:strings.LastIndexByte(doc[:160], ' ')+1] + "…"
	}
	return doc
}

// mergeSites joins the windows of one file that touch, and the calls of one symbol in them.
func mergeSites(sites []*candidate) []*candidate {
	sorted := slices.Clone(sites)
	sort.SliceStable(sorted, func(i, j int) bool {
		a, b := sorted[i], sorted[j]
		return a.file < b.file || a.file == b.file && a.lines[0] < b.lines[0]
	})
	var out []*candidate
	for _, s := range sorted {
		if n := len(out) - 1; n >= 0 && out[n].file == s.file && out[n].sym.ID == s.sym.ID && s.lines[0] <= out[n].lines[1]+1 {
			last := out[n]
			last.lines[1] = max(last.lines[1], s.lines[1])
			last.score = max(last.score, s.score)
			if s.root < last.root {
				last.root, last.of, last.recv = s.root, s.of, s.recv
			}
			if !strings.Contains(last.why, s.why) {
				last.why += "; " + s.why
			}
			continue
		}
		own := *s
		out = append(out, &own)
	}
	return out
}

// heading is the line that stands above an item's text.
func heading(it Item) string {
	var b strings.Builder
	fmt.Fprintf(&b, "## %s:%d", it.Span.File, it.Span.Line)
	if it.Symbol != "" {
		b.WriteString(" " + path.Base(index.CanonicalOf(it.Symbol)))
	}
	fmt.Fprintf(&b, " [%s, %s", it.Layer, it.Form)
	if it.Omitted > 0 {
		fmt.Fprintf(&b, ", %d lines omitted", it.Omitted)
	}
	if it.Origin != index.Handwritten {
		b.WriteString(", " + it.Origin.String())
	}
	b.WriteString("] " + it.Why)
	return b.String()
}

// render is an item as it stands in Context.Text.
func (it Item) render() string {
	if it.Layer == Signatures && it.Form == Line {
		text := fmt.Sprintf("%s:%d %s", it.Span.File, it.Span.Line, it.Text)
		if len(it.Callers) > 0 {
			text += "\n  callers: " + strings.Join(it.Callers, ", ")
		}
		return text + "\n"
	}
	text := heading(it) + "\n"
	if it.Receiver != "" {
		text += "receiver: " + it.Receiver + "\n"
	}
	if len(it.Callers) > 0 {
		text += "callers: " + strings.Join(it.Callers, ", ") + "\n"
	}
	return text + it.Text + "\n\n"
}

// item makes the Item of a piece in its i-th form.
func (q *collection) item(p *piece, i int) Item {
	f := p.forms[i]
	it := Item{Layer: p.layer, Symbol: p.sym.ID, Form: f.form, Why: p.why, Origin: p.origin, Complete: f.omitted == 0, Omitted: f.omitted, Receiver: p.recv, Text: f.text}
	file := p.sym.Span.File
	if p.file != "" {
		file = p.file
	}
	it.Span = index.Span{File: file, Line: f.from + 1, Col: 1}
	if src, err := q.sources.get(file); err == nil && f.to < len(src.starts) {
		it.Span = src.span(f.from, f.to)
	}
	if p.layer == Signatures || p.layer == Definitions {
		it.Callers = q.callersOf(p)
	}
	it.Callers = append(it.Callers, p.extra...)
	return it
}

// mostCallers bounds the list of callers of one item; the rest is counted.
const mostCallers = 8

func (q *collection) callersOf(p *piece) []string {
	all := q.callers[p.sym.ID]
	if len(all) <= mostCallers {
		return slices.Clone(all)
	}
	return append(slices.Clone(all[:mostCallers]), fmt.Sprintf("and %d more", len(all)-mostCallers))
}

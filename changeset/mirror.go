package changeset

import (
	"fmt"

	"github.com/plumbkit/plumb/index"
)

// mirrors names the behaviour twins of what changes (third rule of CHG-2):
// definitions of the same name and kind whose normalized tokens are the same.
// A twin that is a copy in a generated file follows its source.
func (v *derivation) mirrors() error {
	for _, a := range append([]Action(nil), v.actions.all...) {
		sym, ok := v.snap.Symbol(a.Symbol)
		if !ok || a.Kind != Define || sym.Fingerprint == "" || sym.Body >= sym.Span.End {
			continue
		}
		for _, twin := range v.snap.Named(sym.Name) {
			if twin.ID == sym.ID || twin.Kind != sym.Kind || twin.Fingerprint != sym.Fingerprint {
				continue
			}
			if _, generated := v.snap.Derived(twin.Span.File); generated {
				continue
			}
			v.act(Action{Kind: Mirror, Capability: a.Capability, Symbol: twin.ID, Target: spanOf(v.snap, twin), Block: a.Block,
				Why: fmt.Sprintf("its body is the same as that of %s, which changes", sym.Canonical), Grade: Medium, Source: "same normalized tokens"})
		}
	}
	return nil
}

// documents puts what names a changed contract in words on the list: comments
// elsewhere and documents. The source of truth and the doc comment of the
// symbol itself are left out: the one is not the plan's to change, the other
// changes with its symbol.
func (v *derivation) documents() error {
	for _, c := range v.contracts {
		if !c.declared || !c.changesWords() {
			continue
		}
		if err := v.named(c); err != nil {
			return err
		}
	}
	return nil
}

// changesWords reports whether words about the symbol become wrong: its name
// goes, or its parameters are others.
func (c contract) changesWords() bool {
	return c.remove || c.rename != "" || c.sym.Signature.Text != c.now.Signature.Text
}

func (v *derivation) named(c contract) error {
	name := lastTwo(c.sym.Canonical)
	answer, err := v.snap.Search(v.ctx, index.Pattern{Text: name, Word: true, Limit: 200})
	if err != nil {
		return err
	}
	for _, h := range answer.Sure {
		f, _ := v.snap.File(h.Span.File)
		switch {
		case h.Kind != "comment" && h.Kind != "text":
			continue
		case v.in.Task.Source != nil && h.Span.File == v.in.Task.Source.Document:
			v.leave(NotDone{Place: h.Span, Why: "it is the source of truth, which a plan does not change"})
			continue
		case h.In == c.sym.ID || f.Origin == index.Vendored || f.Origin == index.Generated:
			continue
		}
		what := "comment"
		if h.Kind == "text" {
			what = "document"
		}
		place := h.Span
		place.Hash = f.Hash
		v.act(Action{Kind: Document, Capability: v.pointOf(c.sym.ID), Target: place, Block: c.block, Why: fmt.Sprintf("this %s names %s, which becomes %s", what, c.sym.Canonical, c.after()),
			Grade: Medium, Source: "text search for " + name, Weak: true})
	}
	return nil
}

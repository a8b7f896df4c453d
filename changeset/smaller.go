package changeset

import (
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/plumbkit/plumb/index"
)

// A need is something that requirements imply more often than they state, and
// that code which already has it speaks of in these words.
type need struct {
	name string
	// constraint is what the first point concerned absorbs.
	constraint string
	// effects are words of requirements that imply the need.
	effects []string
	// signs are words; something that bears two of them in its name,
	// parameters or description has the need met.
	signs []string
}

// needs are the implied needs that are looked for.
func needs() []need {
	return []need{{
		name: "idempotency", constraint: "The same request sent twice takes effect once.",
		effects: []string{"start", "send", "charge", "pay", "refund", "create", "order", "book", "transfer", "submit", "issue", "twice", "repeat", "repeated", "again", "retry", "idempotent"},
		signs:   []string{"key", "repeated", "repeat", "once", "twice", "idempotent", "idempotency", "duplicate", "again", "retry"},
	}}
}

// smaller asks where something that exists already does what a point would
// build: a definition with the name that the point wants to introduce, or an
// implied need that a symbol of the point has met (CHG-5).
func (v *derivation) smaller() error {
	for i := range v.points {
		v.sameName(&v.points[i])
	}
	for _, n := range needs() {
		v.implied(n)
	}
	return nil
}

// sameName looks for definitions whose names are made of the same words as one to be created.
func (v *derivation) sameName(p *point) {
	for _, name := range p.Creates {
		want := words(lastTwo(name)[strings.LastIndexByte(lastTwo(name), '.')+1:])
		var found []index.Symbol
		for _, canonical := range v.snap.Near(name, 8) {
			for _, d := range definitions(v.snap, canonical) {
				if have := words(d.Name); slices.Equal(have, want) && d.Origin == index.Handwritten {
					found = append(found, d)
				}
			}
		}
		if len(found) == 0 {
			continue
		}
		q := Question{Kind: Smaller, Text: fmt.Sprintf("%s wants to create %s, and something of that name exists. Is it what is wanted?", p.ID, name), Recommended: 1, Options: smallerOptions("extend what exists", "create another one")}
		for _, d := range found {
			q.Evidence = append(q.Evidence, fmt.Sprintf("%s at %s:%d: %s", d.Canonical, d.Span.File, d.Span.Line, oneLine(orElse(d.Doc, d.Signature.Text))))
		}
		v.ask(q, func(option int) {
			if option == 1 {
				v.not(found[0], fmt.Sprintf("it exists and is used; %s is not created beside it", name))
				v.dropCreate(p, name)
			}
		})
	}
}

func smallerOptions(use, build string) []Option {
	return []Option{
		{Text: strings.ToUpper(use[:1]) + use[1:], Effect: "the plan rests on what exists and builds nothing beside it"},
		{Text: strings.ToUpper(build[:1]) + build[1:], Effect: "the plan builds it anew"},
		{Text: "What exists is enough: change nothing", Effect: "the plan is refused, because a smaller way exists"},
	}
}

func (v *derivation) dropCreate(p *point, name string) {
	v.actions.all = slices.DeleteFunc(v.actions.all, func(a Action) bool {
		return a.Kind == Create && a.Capability == p.ID && strings.HasSuffix(a.Why, " introduces "+name)
	})
}

// implied asks about a need that the points imply and that one of their symbols
// has met already. The first point concerned absorbs it as a constraint.
func (v *derivation) implied(n need) {
	for i := range v.points {
		p := &v.points[i]
		if !bears(p.Sentence+" "+strings.Join(p.Constraints, " "), n.effects, 1) {
			continue
		}
		met := v.met(p, n)
		if len(met) == 0 {
			continue
		}
		q := Question{Kind: Smaller, Text: fmt.Sprintf("%s implies %s, and it is there already. Does the change rest on it?", p.ID, n.name), Recommended: 1,
			Options: smallerOptions("use what is there", "build it anew"), Evidence: met}
		v.ask(q, func(option int) {
			if option == 1 && !slices.Contains(p.Constraints, n.constraint) {
				p.Constraints = append(slices.Clone(p.Constraints), n.constraint)
			}
		})
		return
	}
}

// met lists the symbols of a point, and their types, that show that a need is met.
func (v *derivation) met(p *point, n need) []string {
	var out []string
	for _, s := range p.symbols {
		candidates := []index.Symbol{s}
		if parent, ok := v.snap.Symbol(s.Parent); ok {
			candidates = append(candidates, parent)
		}
		for _, c := range candidates {
			text := c.Name + " " + c.Doc
			for _, x := range c.Signature.Params {
				text += " " + x.Name
			}
			line := fmt.Sprintf("%s at %s:%d: %s", c.Canonical, c.Span.File, c.Span.Line, oneLine(c.Doc))
			if bears(text, n.signs, 2) && !slices.Contains(out, line) {
				out = append(out, line)
			}
		}
	}
	return out
}

// bears reports whether a text has at least least different words of a list.
func bears(text string, list []string, least int) bool {
	have := make(map[string]bool)
	for _, w := range words(text) {
		if slices.Contains(list, w) || slices.Contains(list, strings.TrimSuffix(w, "s")) {
			have[strings.TrimSuffix(w, "s")] = true
		}
	}
	return len(have) >= least
}

// words splits text and identifiers at everything but letters and at changes of
// case, in lower case.
func words(text string) []string {
	var out []string
	var word []rune
	flush := func() {
		if len(word) > 0 {
			out = append(out, strings.ToLower(string(word)))
		}
		word = word[:0]
	}
	for _, r := range text {
		if !unicode.IsLetter(r) {
			flush()
			continue
		}
		if len(word) > 0 && unicode.IsUpper(r) && unicode.IsLower(word[len(word)-1]) {
			flush()
		}
		word = append(word, r)
	}
	flush()
	return out
}

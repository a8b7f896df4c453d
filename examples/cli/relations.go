package main

import (
	"context"
	"flag"
	"fmt"
	"slices"
	"strings"

	"github.com/plumbkit/plumb/index"
)

func impactCommand(fs *flag.FlagSet) action {
	depth := fs.Int("depth", 2, "how many edges to follow")
	limit := fs.Int("limit", 0, "at most this many in each list, nearest first; 0 is all")
	return ask("a name", func(_ context.Context, e *env, s *index.Snapshot, name string) error {
		for flag, n := range map[string]int{"-depth": *depth, "-limit": *limit} {
			if err := atLeastZero(flag, n); err != nil {
				return err
			}
		}
		id, err := e.meant(s, name)
		if err != nil {
			return err
		}
		i := s.ImpactUpTo(id, *depth, *limit)
		i.Basis.Notes = append(slices.Clone(i.Basis.Notes), e.notes...)
		total := i.SameTotal + i.CrossTotal + i.ConfirmTotal
		if e.structured() {
			if err := e.emit(struct {
				Schema int `json:"schema"`
				index.Impact
			}{1, i}); err != nil {
				return err
			}
			return unknown(i.Basis, total)
		}
		effects(e, s, "same package: may have to adapt", i.Same, i.SameTotal)
		effects(e, s, "other packages: rely on the contract, verify again", i.Cross, i.CrossTotal)
		effects(e, s, "to confirm", i.Confirm, i.ConfirmTotal)
		places(e, s, i.Basis)
		e.printf("%s reached over at most %s\n", plural(total, "symbol", "symbols"), plural(*depth, "edge", "edges"))
		if i.HighRisk {
			e.printf("high risk: it is public and used from other packages\n")
		}
		basis(e, i.Basis)
		return unknown(i.Basis, total)
	})
}

func effects(e *env, s *index.Snapshot, title string, list []index.Effect, total int) {
	if total == 0 {
		return
	}
	e.printf("%s (%d):\n", title, total)
	for _, x := range list {
		risk := ""
		if x.HighRisk {
			risk = ", high risk"
		}
		e.printf("  %s:%d: %s  weight %.2f, %s%s; %s\n", x.Symbol.Span.File, x.Symbol.Span.Line, x.Symbol.Canonical, x.Weight, x.Origin.String(), risk, way(s, x.Path))
	}
	if len(list) < total {
		e.printf("  %d of %d shown\n", len(list), total)
	}
}

// way renders the edges by which a change travels.
func way(s *index.Snapshot, path []index.Edge) string {
	var steps []string
	for i, edge := range path {
		step := fmt.Sprintf("%s at %s:%d", edge.Kind, edge.Span.File, edge.Span.Line)
		if x, ok := s.Symbol(edge.To); ok && i < len(path)-1 {
			step += " by " + x.Name
		}
		if !edge.Sure {
			step += " (to confirm)"
		}
		steps = append(steps, step)
	}
	return strings.Join(steps, ", then ")
}

func membersCommand(*flag.FlagSet) action {
	return ask("a name", func(_ context.Context, e *env, s *index.Snapshot, name string) error {
		id, err := e.meant(s, name)
		if err != nil {
			return err
		}
		m := s.Members(id)
		m.Basis.Notes = append(slices.Clone(m.Basis.Notes), e.notes...)
		total := len(m.Fields) + len(m.Methods) + len(m.Implementations) + len(m.Implements)
		if e.structured() {
			if err := e.emit(struct {
				Schema int `json:"schema"`
				index.Members
			}{1, m}); err != nil {
				return err
			}
			return unknown(m.Basis, total)
		}
		symbols(e, "fields", m.Fields)
		symbols(e, "methods", m.Methods)
		related(e, "implementations", m.Implementations)
		related(e, "implements", m.Implements)
		for _, lack := range m.Missing {
			e.printf("%s lacks %s of %s\n", canonical(s, lack.Type), strings.Join(lack.Methods, ", "), canonical(s, lack.Of))
		}
		places(e, s, m.Basis)
		if total == 0 && m.Basis.Tier != "lexical" {
			e.printf("it has no members, implementations or types that it implements\n")
		}
		basis(e, m.Basis)
		return unknown(m.Basis, total)
	})
}

// canonical is the name that people read of an ID.
func canonical(s *index.Snapshot, id string) string {
	if x, ok := s.Symbol(id); ok {
		return x.Canonical
	}
	return id
}

func symbols(e *env, title string, list []index.Symbol) {
	if len(list) == 0 {
		return
	}
	e.printf("%s (%d):\n", title, len(list))
	for _, x := range list {
		e.printf("  %s:%d: %s%s\n", x.Span.File, x.Span.Line, x.Canonical, signature(x))
	}
}

func related(e *env, title string, list []index.Related) {
	if len(list) == 0 {
		return
	}
	e.printf("%s (%d):\n", title, len(list))
	for _, r := range list {
		sure := ""
		if !r.Sure {
			sure = " (to confirm: by names and arity alone)"
		}
		e.printf("  %s:%d: %s %s%s\n", r.Symbol.Span.File, r.Symbol.Span.Line, r.Kind.String(), r.Symbol.Canonical, sure)
	}
}

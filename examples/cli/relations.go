package main

import (
	"context"
	"flag"
	"strings"

	"github.com/plumbkit/plumb/index"
)

func impactCommand(fs *flag.FlagSet) action {
	depth := fs.Int("depth", 2, "how many edges to follow")
	return func(ctx context.Context, e *env, args []string) error {
		name, err := one(args, "a name")
		if err != nil {
			return err
		}
		if err := atLeastZero("-depth", *depth); err != nil {
			return err
		}
		s, err := e.snapshot(ctx)
		if err != nil {
			return err
		}
		x, err := symbol(s, name)
		if err != nil {
			return err
		}
		i := s.Impact(x.ID, *depth)
		if e.structured() {
			return e.emit(struct {
				Schema int `json:"schema"`
				index.Impact
			}{1, i})
		}
		effects(e, "same layer: may have to adapt", i.Same)
		effects(e, "other layers: rely on the contract, verify again", i.Cross)
		effects(e, "to confirm", i.Confirm)
		basis(e, i.Basis)
		return nil
	}
}

func effects(e *env, title string, list []index.Effect) {
	if len(list) == 0 {
		return
	}
	e.printf("%s (%d):\n", title, len(list))
	for _, x := range list {
		risk := ""
		if x.HighRisk {
			risk = " high risk"
		}
		e.printf("  %s:%d: %s weight %.2f, %s, %d edges%s\n", x.Symbol.Span.File, x.Symbol.Span.Line, x.Symbol.Canonical, x.Weight, x.Origin.String(), len(x.Path), risk)
	}
}

func membersCommand(*flag.FlagSet) action {
	return func(ctx context.Context, e *env, args []string) error {
		name, err := one(args, "a name")
		if err != nil {
			return err
		}
		s, err := e.snapshot(ctx)
		if err != nil {
			return err
		}
		x, err := symbol(s, name)
		if err != nil {
			return err
		}
		m := s.Members(x.ID)
		if e.structured() {
			return e.emit(struct {
				Schema int `json:"schema"`
				index.Members
			}{1, m})
		}
		symbols(e, "fields", m.Fields)
		symbols(e, "methods", m.Methods)
		related(e, "implementations", m.Implementations)
		related(e, "implements", m.Implements)
		for _, lack := range m.Missing {
			e.printf("%s lacks %s of %s\n", lack.Type, strings.Join(lack.Methods, ", "), lack.Of)
		}
		basis(e, m.Basis)
		return nil
	}
}

func symbols(e *env, title string, list []index.Symbol) {
	if len(list) == 0 {
		return
	}
	e.printf("%s (%d):\n", title, len(list))
	for _, x := range list {
		e.printf("  %s:%d: %s\n", x.Span.File, x.Span.Line, x.Canonical)
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

// known refuses a file that the index does not hold.
func known(s *index.Snapshot, file string) error {
	if _, ok := s.File(file); ok {
		return nil
	}
	return unknownFile(file)
}

package main

import (
	"context"
	"flag"
	"fmt"
	"strings"

	"github.com/plumbkit/plumb/host/fault"
	"github.com/plumbkit/plumb/index"
)

type action = func(ctx context.Context, e *env, args []string) error

func definitionsCommand(*flag.FlagSet) action {
	return func(ctx context.Context, e *env, args []string) error {
		name, err := one(args, "a name")
		if err != nil {
			return err
		}
		s, err := e.snapshot(ctx)
		if err != nil {
			return err
		}
		return show(e, s.Definitions(name), func(x index.Symbol) {
			e.printf("%s:%d:%d: %s %s\n", x.Span.File, x.Ident.Line, x.Ident.Col, x.Kind.String(), x.Canonical)
		})
	}
}

// named is a query on one symbol with a limit.
func named(query func(s *index.Snapshot, e *env, id string, limit int) error) func(*flag.FlagSet) action {
	return func(fs *flag.FlagSet) action {
		limit := fs.Int("limit", 0, "at most this many results; 0 is all")
		return func(ctx context.Context, e *env, args []string) error {
			name, err := one(args, "a name")
			if err != nil {
				return err
			}
			if err := atLeastZero("-limit", *limit); err != nil {
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
			return query(s, e, x.ID, *limit)
		}
	}
}

func referencesCommand(fs *flag.FlagSet) action {
	return named(func(s *index.Snapshot, e *env, id string, limit int) error {
		return show(e, s.References(id, limit), func(r index.Ref) {
			e.printf("%s:%d:%d: %s %s (%s)%s\n", r.Span.File, r.Span.Line, r.Span.Col, r.Status.String(), r.Kind.String(), r.Rule, reason(r))
		})
	})(fs)
}

func reason(r index.Ref) string {
	if r.Reason == "" {
		return ""
	}
	return ": " + r.Reason
}

func callersCommand(fs *flag.FlagSet) action {
	return named(func(s *index.Snapshot, e *env, id string, limit int) error {
		return show(e, s.Callers(id, limit), func(c index.Call) {
			e.printf("%s:%d:%d: %s (%s)\n", c.Ref.Span.File, c.Ref.Span.Line, c.Ref.Span.Col, c.From, c.Ref.Rule)
		})
	})(fs)
}

func calleesCommand(fs *flag.FlagSet) action {
	return named(func(s *index.Snapshot, e *env, id string, limit int) error {
		return show(e, s.Callees(id, limit), func(c index.Call) {
			to := c.To
			if to == "" {
				to = c.Ref.Name
			}
			e.printf("%s:%d:%d: %s (%s %s)\n", c.Ref.Span.File, c.Ref.Span.Line, c.Ref.Span.Col, to, c.Ref.Status.String(), c.Ref.Rule)
		})
	})(fs)
}

func testsCommand(*flag.FlagSet) action {
	return func(ctx context.Context, e *env, args []string) error {
		name, err := one(args, "a file or a name")
		if err != nil {
			return err
		}
		s, err := e.snapshot(ctx)
		if err != nil {
			return err
		}
		if _, ok := s.File(name); !ok {
			x, err := symbol(s, name)
			if err != nil {
				return err
			}
			name = x.ID
		}
		return show(e, s.TestsFor(name), func(l index.TestLink) {
			if l.Test.Name == "" {
				e.printf("%s: the whole file (%s)\n", l.File, string(l.Source))
				return
			}
			e.printf("%s:%d: %s (%s)\n", l.File, l.Test.Span.Line, l.Test.Name, string(l.Source))
		})
	}
}

func outlineCommand(*flag.FlagSet) action {
	return func(ctx context.Context, e *env, args []string) error {
		name, err := one(args, "a file")
		if err != nil {
			return err
		}
		s, err := e.snapshot(ctx)
		if err != nil {
			return err
		}
		if err := known(s, name); err != nil {
			return err
		}
		list := s.Outline(name)
		if e.structured() {
			return e.emit(struct {
				Schema  int            `json:"schema"`
				File    string         `json:"file"`
				Symbols []index.Symbol `json:"symbols"`
			}{1, name, list})
		}
		for _, x := range list {
			e.printf("%d: %s %s%s\n", x.Span.Line, x.Kind.String(), x.Canonical, signature(x))
		}
		return nil
	}
}

func signature(x index.Symbol) string {
	if x.Signature.Text == "" {
		return ""
	}
	return "  " + strings.Join(strings.Fields(x.Signature.Text), " ")
}

func searchCommand(fs *flag.FlagSet) action {
	limit := fs.Int("limit", 100, "at most this many hits; 0 is all")
	expr := fs.Bool("regexp", false, "TEXT is a regular expression")
	word := fs.Bool("word", false, "whole words only")
	return func(ctx context.Context, e *env, args []string) error {
		text, err := one(args, "a text")
		if err != nil {
			return err
		}
		if err := atLeastZero("-limit", *limit); err != nil {
			return err
		}
		s, err := e.snapshot(ctx)
		if err != nil {
			return err
		}
		p := index.Pattern{Text: text, Limit: *limit, Word: *word}
		if *expr {
			p.Text, p.Regexp = "", text
		}
		a, err := s.Search(ctx, p)
		if err != nil {
			return err
		}
		return show(e, a, func(h index.Hit) { e.printf("%s:%d:%d: %s\n", h.Span.File, h.Span.Line, h.Span.Col, h.Line) })
	}
}

// show prints an answer: what is certain, what has to be confirmed, and what
// the answer rests on, also when it is empty.
func show[T any](e *env, a index.Answer[T], line func(T)) error {
	if e.structured() {
		return e.emit(struct {
			Schema int `json:"schema"`
			index.Answer[T]
		}{1, a})
	}
	for _, x := range a.Sure {
		line(x)
	}
	if len(a.Confirm) > 0 {
		e.printf("to confirm:\n")
		for _, x := range a.Confirm {
			line(x)
		}
	}
	shown := len(a.Sure) + len(a.Confirm)
	if shown < a.Total {
		e.printf("%d of %d shown\n", shown, a.Total)
	}
	basis(e, a.Basis)
	return nil
}

func basis(e *env, b index.Basis) {
	e.printf("basis: %s tier, confidence %s, %d files, %d skipped; same name: %d ambiguous, %d dynamic, %d unresolved\n",
		b.Tier, b.Confidence, b.Files, b.Skipped, b.Ambiguous, b.Dynamic, b.Unresolved)
	for _, n := range b.Notes {
		e.printf("note: %s\n", n)
	}
}

// atLeastZero refuses a negative number, which would mean nothing.
func atLeastZero(flag string, n int) error {
	if n >= 0 {
		return nil
	}
	return &fault.Fault{Class: fault.InvalidInput, Op: "plumb", Subject: fault.Subject{Text: flag},
		Detail: fmt.Sprintf("%s is %d", flag, n), Next: "give 0 or more"}
}

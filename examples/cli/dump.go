package main

import (
	"context"
	"flag"
	"fmt"
	"iter"

	"github.com/plumbkit/plumb/index"
)

// definition is one line of plumb dump definitions.
type definition struct {
	Def       bool         `json:"def"`
	File      string       `json:"file"`
	Line      int          `json:"line"`
	EndLine   int          `json:"end_line"`
	Col       int          `json:"col"`
	Name      string       `json:"name"`
	Kind      index.Kind   `json:"kind"`
	Parent    string       `json:"parent"`
	Canonical string       `json:"canonical"`
	Origin    index.Origin `json:"origin"`
}

// reference is one line of plumb dump references.
type reference struct {
	File    string        `json:"file"`
	Line    int           `json:"line"`
	Col     int           `json:"col"`
	Name    string        `json:"name"`
	Kind    index.RefKind `json:"kind"`
	Status  index.Status  `json:"status"`
	Rule    string        `json:"rule"`
	Reason  string        `json:"reason,omitempty"`
	Module  string        `json:"module,omitempty"`
	Targets []target      `json:"targets"`
}

type target struct {
	File      string `json:"file"`
	Line      int    `json:"line"`
	Name      string `json:"name"`
	Canonical string `json:"canonical"`
}

func dumpCommand(*flag.FlagSet) action {
	return func(ctx context.Context, e *env, args []string) error {
		what, err := one(args, "definitions or references")
		if err != nil {
			return err
		}
		if what != "definitions" && what != "references" {
			f := wrong("there is nothing of this name to dump", "say definitions or references")
			f.Subject.Text = what
			return f
		}
		s, err := e.snapshot(ctx)
		if err != nil {
			return err
		}
		if what == "definitions" {
			return dump(e, what, definitions(s), func(d definition) {
				e.names("%s:%d:%d: %s %s\n", d.File, d.Line, d.Col, d.Kind.String(), d.Canonical)
			})
		}
		return dump(e, what, references(s), func(r reference) {
			e.names("%s:%d:%d: %s %s %s (%s)%s\n", r.File, r.Line, r.Col, r.Status.String(), r.Kind.String(), r.Name, r.Rule, r.to())
		})
	}
}

// dump prints a list as it comes, for people or for programs.
func dump[T any](e *env, name string, list iter.Seq[T], print func(T)) error {
	if e.structured() {
		return stream(e, name, list)
	}
	for x := range list {
		print(x)
	}
	return nil
}

func definitions(s *index.Snapshot) iter.Seq[definition] {
	return func(yield func(definition) bool) {
		for x := range s.Symbols() {
			if !yield(definition{true, x.Span.File, x.Ident.Line, s.Line(x.Span.File, x.Span.End), x.Ident.Col, x.Name, x.Kind, x.Parent, x.Canonical, x.Origin}) {
				return
			}
		}
	}
}

func references(s *index.Snapshot) iter.Seq[reference] {
	return func(yield func(reference) bool) {
		for r := range s.Refs() {
			out := reference{r.Span.File, r.Span.Line, r.Span.Col, r.Name, r.Kind, r.Status, r.Rule, r.Reason, r.Module, []target{}}
			for _, id := range r.Targets {
				if x, ok := s.Symbol(id); ok {
					out.Targets = append(out.Targets, target{x.Span.File, x.Ident.Line, x.Name, x.Canonical})
				}
			}
			if !yield(out) {
				return
			}
		}
	}
}

// to says where a reference leads.
func (r reference) to() string {
	switch {
	case len(r.Targets) == 1:
		return " -> " + r.Targets[0].Canonical
	case len(r.Targets) > 1:
		return fmt.Sprintf(" -> %s and %d more", r.Targets[0].Canonical, len(r.Targets)-1)
	case r.Module != "":
		return " -> " + r.Module
	}
	return ""
}

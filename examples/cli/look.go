package main

import (
	"context"
	"flag"
	"path"
	"strings"

	"github.com/plumbkit/plumb/host/fault"
	"github.com/plumbkit/plumb/index"
)

func testsCommand(*flag.FlagSet) action {
	return ask("a file or a name", func(_ context.Context, e *env, s *index.Snapshot, name string) error {
		id := name
		if _, ok := s.File(name); !ok {
			var err error
			if id, err = e.meant(s, name); err != nil {
				return err
			}
		}
		return show(e, s, s.TestsFor(id), "tests", func(l index.TestLink) {
			way := ""
			if l.Depth > 1 {
				way = " over " + plural(l.Depth, "call", "calls")
			}
			if l.Test.Name == "" {
				e.printf("%s: the whole file (%s)%s\n", l.File, string(l.Source), way)
				return
			}
			e.printf("%s:%d: %s (%s)%s\n", l.File, l.Test.Span.Line, l.Test.Name, string(l.Source), way)
		})
	})
}

func outlineCommand(*flag.FlagSet) action {
	return ask("a file", func(ctx context.Context, e *env, s *index.Snapshot, name string) error {
		file, ok := s.File(name)
		if !ok {
			return unknownFile(s, name)
		}
		list := s.Outline(name)
		if err := e.cover(ctx, list); err != nil {
			return err
		}
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
		e.printf("%s, %s\n", plural(len(list), "symbol", "symbols"), plural(file.Lines, "line", "lines"))
		switch {
		case file.Skipped != "":
			e.printf("note: not read in full: %s\n", file.Skipped)
		case s.Language(name) == nil:
			e.printf("note: plumb has no language for this file\n")
		}
		return nil
	})
}

// unknownFile names files of the same base name.
func unknownFile(s *index.Snapshot, file string) error {
	f := &fault.Fault{Class: fault.InvalidInput, Op: "plumb", Subject: fault.Subject{File: file},
		Detail: "the index holds no such file: it is missing, or ignored by git", Next: "give a path relative to the repository, with /"}
	for _, x := range s.Files() {
		if path.Base(x.Path) == path.Base(file) && len(f.Candidates) < 5 {
			f.Candidates = append(f.Candidates, fault.Subject{File: x.Path})
		}
	}
	return f
}

// signatureWidth is where a signature is cut in a list for people.
const signatureWidth = 160

func signature(x index.Symbol) string {
	if x.Signature.Text == "" {
		return ""
	}
	return "  " + cut(strings.Join(strings.Fields(x.Signature.Text), " "), signatureWidth)
}

func searchCommand(fs *flag.FlagSet) action {
	limit := fs.Int("limit", 100, "at most this many hits; 0 is all")
	expr := fs.Bool("regexp", false, "TEXT is a regular expression")
	word := fs.Bool("word", false, "whole words only")
	return ask("a text", func(ctx context.Context, e *env, s *index.Snapshot, text string) error {
		if err := atLeastZero("-limit", *limit); err != nil {
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
		if a.Total == 0 {
			e.notes = append(e.notes, "no line has it; what git ignores and what the index skips was not looked at")
		}
		return show(e, s, a, "hits", func(h index.Hit) {
			kind := ""
			if h.Kind == "comment" || h.Kind == "string" {
				kind = " (" + h.Kind + ")"
			}
			e.printf("%s:%d:%d:%s %s\n", h.Span.File, h.Span.Line, h.Span.Col, kind, strings.TrimSpace(h.Line))
		})
	})
}

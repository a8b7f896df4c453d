package main

import (
	"bufio"
	"context"
	"encoding/json"
	"flag"
	"time"

	"github.com/plumbkit/plumb/host/fault"
	"github.com/plumbkit/plumb/index"
)

// figures are what plumb index prints.
type figures struct {
	Schema     int    `json:"schema"`
	Digest     string `json:"digest"`
	Files      int    `json:"files"`
	Skipped    int    `json:"skipped"`
	Symbols    int    `json:"symbols"`
	References int    `json:"references"`
	Static     int    `json:"static"`
	Ambiguous  int    `json:"ambiguous"`
	Dynamic    int    `json:"dynamic"`
	External   int    `json:"external"`
	Unresolved int    `json:"unresolved"`
	Lines      int    `json:"lines"`
	Small      bool   `json:"small"`
	ElapsedMS  int64  `json:"elapsed_ms"`
	CPUMS      int64  `json:"cpu_ms"`
	ParseCPUMS int64  `json:"parse_cpu_ms"`
	PeakRSSMB  int64  `json:"peak_rss_mb"`
}

func indexCommand(fs *flag.FlagSet) action {
	fs.Bool("no-cache", true, "build from nothing; this version keeps no cache, so it always does")
	return func(ctx context.Context, e *env, args []string) error {
		if err := none(args); err != nil {
			return err
		}
		start := time.Now()
		s, err := e.snapshot(ctx)
		if err != nil {
			return err
		}
		t := s.Stats()
		cpu, rss := usageOfProcess()
		f := figures{1, s.Digest(), t.Files, t.Skipped, t.Symbols, t.References, t.Static, t.Ambiguous, t.Dynamic, t.External, t.Unresolved,
			t.Lines, s.Small(), time.Since(start).Milliseconds(), cpu.Milliseconds(), t.ParseCPU.Milliseconds(), rss >> 20}
		if e.structured() {
			return e.emit(f)
		}
		e.printf("%d files (%d skipped), %d lines, %d symbols\n", f.Files, f.Skipped, f.Lines, f.Symbols)
		e.printf("%d references: %d static, %d ambiguous, %d dynamic, %d external, %d unresolved\n", f.References, f.Static, f.Ambiguous, f.Dynamic, f.External, f.Unresolved)
		e.printf("%d ms, %d ms of CPU (%d in the parser), %d MB\n", f.ElapsedMS, f.CPUMS, f.ParseCPUMS, f.PeakRSSMB)
		for _, file := range s.Files() {
			if file.Skipped != "" {
				e.printf("skipped %s: %s\n", file.Path, file.Skipped)
			}
		}
		if f.Small {
			e.printf("the repository is small: a host may take it whole\n")
		}
		return nil
	}
}

func none(args []string) error {
	if len(args) == 0 {
		return nil
	}
	return &fault.Fault{Class: fault.InvalidInput, Op: "plumb", Subject: fault.Subject{Text: args[0]},
		Detail: "this command takes no arguments", Next: "leave it out; plumb help lists what each command takes"}
}

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
			return &fault.Fault{Class: fault.InvalidInput, Op: "plumb dump", Subject: fault.Subject{Text: what},
				Detail: "there is nothing of this name to dump", Next: "say definitions or references"}
		}
		s, err := e.snapshot(ctx)
		if err != nil {
			return err
		}
		w := bufio.NewWriterSize(e.stdout, 1<<16)
		enc := json.NewEncoder(escaped{w})
		enc.SetEscapeHTML(false)
		if what == "definitions" {
			err = dumpDefinitions(s, enc)
		} else {
			err = dumpReferences(s, enc)
		}
		if err != nil {
			return err
		}
		return w.Flush()
	}
}

func dumpDefinitions(s *index.Snapshot, enc *json.Encoder) error {
	for x := range s.Symbols() {
		d := definition{true, x.Span.File, x.Ident.Line, s.Line(x.Span.File, x.Span.End), x.Ident.Col, x.Name, x.Kind, x.Parent, x.Canonical, x.Origin}
		if err := enc.Encode(d); err != nil {
			return err
		}
	}
	return nil
}

func dumpReferences(s *index.Snapshot, enc *json.Encoder) error {
	for r := range s.Refs() {
		out := reference{r.Span.File, r.Span.Line, r.Span.Col, r.Name, r.Kind, r.Status, r.Rule, r.Reason, r.Module, []target{}}
		for _, id := range r.Targets {
			if x, ok := s.Symbol(id); ok {
				out.Targets = append(out.Targets, target{x.Span.File, x.Ident.Line, x.Name, x.Canonical})
			}
		}
		if err := enc.Encode(out); err != nil {
			return err
		}
	}
	return nil
}

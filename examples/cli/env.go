package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/plumbkit/plumb/host/fault"
	"github.com/plumbkit/plumb/index"
	"github.com/plumbkit/plumb/index/lang/all"
)

// env is what a command line runs in.
type env struct {
	stdin          io.Reader
	stdout, stderr io.Writer
	dir            string
	json, lines    bool
	typed          *bufio.Reader // over stdin, made when something is asked
}

// languages are those compiled into this host.
func languages() []*index.Language { return all.Languages() }

// snapshot builds the index of the repository.
func (e *env) snapshot(ctx context.Context) (*index.Snapshot, error) {
	root, err := e.root()
	if err != nil {
		return nil, err
	}
	return (&index.TreeSitter{Languages: languages()}).Index(ctx, index.Input{FS: root, Progress: e.progress()})
}

// root opens the repository for reading; no link leads out of it.
func (e *env) root() (fs.FS, error) {
	r, err := os.OpenRoot(e.dir)
	if err != nil {
		return nil, &fault.Fault{Class: fault.InvalidInput, Op: "plumb", Subject: fault.Subject{File: e.dir},
			Detail: "the repository cannot be opened", Next: "give an existing folder with -C", Err: err}
	}
	return r.FS(), nil
}

// emit prints one JSON document.
func (e *env) emit(v any) error {
	enc := json.NewEncoder(escaped{e.stdout})
	enc.SetEscapeHTML(false)
	if !e.lines {
		enc.SetIndent("", "  ")
	}
	return enc.Encode(v)
}

// structured reports whether a program reads the output.
func (e *env) structured() bool { return e.json || e.lines }

// printf prints lines for people. Strings are single values, such as a path or
// a name: a line end in one is shown escaped, so that it cannot pass for output.
func (e *env) printf(format string, args ...any) {
	for i, a := range args {
		if s, ok := a.(string); ok {
			args[i] = line(s)
		}
	}
	fmt.Fprintf(e.stdout, format, args...)
}

// text prints a document of several lines, such as a diff.
func (e *env) text(s string) { fmt.Fprint(e.stdout, plain(s)) }

// progress draws one line on a terminal, and nothing elsewhere.
func (e *env) progress() index.Progress {
	f, ok := e.stderr.(*os.File)
	if !ok || e.structured() {
		return nil
	}
	info, err := f.Stat()
	if err != nil || info.Mode()&os.ModeCharDevice == 0 {
		return nil
	}
	last := -1
	return func(stage string, done, total int, item string) {
		percent := 0
		if total > 0 {
			percent = done * 100 / total
		}
		if percent == last && done != total {
			return
		}
		last = percent
		if done == total && total > 0 {
			fmt.Fprintf(f, "\r\x1b[K")
			return
		}
		fmt.Fprintf(f, "\r\x1b[K%s %d%% %.60s", stage, percent, plain(item))
	}
}

// input reads a file, or standard input for "-".
func (e *env) input(name string) ([]byte, error) {
	if name == "-" {
		return io.ReadAll(e.stdin)
	}
	data, err := os.ReadFile(name)
	if err != nil {
		return nil, &fault.Fault{Class: fault.InvalidInput, Op: "plumb", Subject: fault.Subject{File: filepath.ToSlash(name)},
			Detail: "the file cannot be read", Next: "give an existing file, or - for standard input", Err: err}
	}
	return data, nil
}

// one returns the only argument of a command.
func one(args []string, what string) (string, error) {
	if len(args) == 1 && args[0] != "" {
		return args[0], nil
	}
	return "", &fault.Fault{Class: fault.InvalidInput, Op: "plumb", Subject: fault.Subject{Text: strings.Join(args, " ")},
		Detail: fmt.Sprintf("one argument is expected (%s), not %d", what, len(args)), Next: "give " + what}
}

// symbol finds the one symbol that a name means; several are an ambiguous
// fault, none an invalid one with near names.
func symbol(s *index.Snapshot, name string) (index.Symbol, error) {
	a := s.Definitions(name)
	all := append(append([]index.Symbol{}, a.Sure...), a.Confirm...)
	canonical := map[string]bool{}
	for _, x := range all {
		canonical[x.Canonical] = true
	}
	if len(canonical) == 1 {
		return all[0], nil
	}
	f := &fault.Fault{Class: fault.Ambiguous, Op: "plumb", Subject: fault.Subject{Symbol: name},
		Detail: fmt.Sprintf("%d symbols have this name", len(canonical)), Next: "give the canonical name of one of the candidates"}
	for _, x := range all {
		f.Candidates = append(f.Candidates, fault.Subject{File: x.Span.File, Line: x.Span.Line, Symbol: x.Canonical})
	}
	if len(all) == 0 {
		f.Class, f.Detail, f.Next = fault.InvalidInput, "no symbol of this name is in the index; plumb search finds it as text", "take one of the near names, or search"
		for _, near := range s.Near(name, 5) {
			f.Candidates = append(f.Candidates, fault.Subject{Symbol: near})
		}
	}
	return index.Symbol{}, f
}

func unknownFile(file string) error {
	return &fault.Fault{Class: fault.InvalidInput, Op: "plumb", Subject: fault.Subject{File: file},
		Detail: "the index holds no such file: it is missing, or ignored by git", Next: "give a path relative to the repository, with /"}
}

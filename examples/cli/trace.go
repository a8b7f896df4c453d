package main

import (
	"context"
	"flag"
	"io/fs"
	"os"
	"path/filepath"
	"sort"
	"strings"

	"github.com/plumbkit/plumb/changeset/requirement"
	"github.com/plumbkit/plumb/host/fault"
)

// paths is a flag that may be given several times, and takes several values at once.
type paths []string

// String returns the values, comma separated.
func (p *paths) String() string { return strings.Join(*p, ",") }

// Set adds values.
func (p *paths) Set(v string) error {
	*p = append(*p, strings.Split(v, ",")...)
	return nil
}

func traceCommand(set *flag.FlagSet) action {
	var where paths
	set.Var(&where, "requirements", "documents or folders of documents, relative to the repository; may be given several times")
	return func(ctx context.Context, e *env, args []string) error {
		names, err := e.documents(append(where, args...))
		if err != nil {
			return err
		}
		docs, err := requirement.ReadDocuments(names, func(name string) ([]byte, error) { return os.ReadFile(filepath.Join(e.dir, filepath.FromSlash(name))) })
		if err != nil {
			return err
		}
		s, err := e.snapshot(ctx)
		if err != nil {
			return err
		}
		t := requirement.Trace(s, docs)
		if e.structured() {
			err = e.emit(t)
		} else {
			e.text(t.Text())
		}
		if err == nil && len(t.Gaps) > 0 {
			err = errFindings
		}
		return err
	}
}

// documents lists the Markdown files that the paths name, in order of name.
func (e *env) documents(where []string) ([]string, error) {
	var out []string
	for _, w := range where {
		err := filepath.WalkDir(filepath.Join(e.dir, filepath.FromSlash(w)), func(p string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() || filepath.Ext(p) != ".md" {
				return err
			}
			rel, err := filepath.Rel(e.dir, p)
			out = append(out, filepath.ToSlash(rel))
			return err
		})
		if err != nil {
			return nil, &fault.Fault{Class: fault.InvalidInput, Op: "plumb trace", Subject: fault.Subject{File: w},
				Detail: "the documents cannot be read", Next: "give Markdown files or folders relative to the repository", Err: err}
		}
	}
	if len(out) == 0 {
		return nil, &fault.Fault{Class: fault.InvalidInput, Op: "plumb trace", Detail: "there are no requirements to trace", Next: "give Markdown documents with -requirements"}
	}
	sort.Strings(out)
	return out, nil
}

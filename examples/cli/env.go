package main

import (
	"bufio"
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/hashicorp/go-hclog"

	"github.com/plumbkit/plumb/gate/secrets"
	"github.com/plumbkit/plumb/host/fault"
	"github.com/plumbkit/plumb/index"
	"github.com/plumbkit/plumb/index/lang/all"
)

// env is what a command line runs in.
type env struct {
	stdin       io.Reader
	out         *bufio.Writer
	stderr      io.Writer
	dir         string
	json, lines bool
	verbose     bool
	notes       []string // sentences that join the basis of an answer
	noCache     bool
	bar         *bar          // nil as long as nothing is drawn
	typed       *bufio.Reader // over stdin, made when something is asked
	veil        secrets.Veil  // hides credentials in all that is printed
}

// log is where -v writes to; silent without it.
func (e *env) log() hclog.Logger {
	if !e.verbose {
		return hclog.NewNullLogger()
	}
	return hclog.New(&hclog.LoggerOptions{Name: "plumb", Level: hclog.Debug, Output: escaped{masked{e.stderr}}})
}

// indexer is the indexer of every command.
func (e *env) indexer() *index.TreeSitter {
	t := &index.TreeSitter{Languages: all.Languages(), Logger: e.log()}
	if !e.noCache {
		t.Store = &index.FileStore{Dir: index.CacheDir(e.dir)} // open until the process ends
	}
	return t
}

// snapshot builds the index of the repository.
func (e *env) snapshot(ctx context.Context) (*index.Snapshot, error) {
	root, err := e.root()
	if err != nil {
		return nil, err
	}
	return e.indexed(ctx, root)
}

// indexed builds the index of a file system.
func (e *env) indexed(ctx context.Context, root fs.FS) (*index.Snapshot, error) {
	return e.indexer().Index(ctx, index.Input{FS: root, Progress: e.progress()})
}

// folder checks that -C names a folder that can be read.
func (e *env) folder() error {
	d, err := os.Open(e.dir)
	if err == nil {
		_, err = d.ReadDir(1)
		d.Close()
	}
	if err == nil || errors.Is(err, io.EOF) {
		return nil
	}
	return &fault.Fault{Class: fault.InvalidInput, Op: "plumb", Subject: fault.Subject{File: e.dir},
		Detail: "the repository cannot be opened", State: "nothing was done", Next: "give an existing folder that can be read with -C", Err: err}
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

// input reads a file, or standard input for "-".
func (e *env) input(ctx context.Context, name string) ([]byte, error) {
	if name == "-" {
		return e.piped(ctx)
	}
	data, err := os.ReadFile(name)
	if err != nil {
		return nil, &fault.Fault{Class: fault.InvalidInput, Op: "plumb", Subject: fault.Subject{File: filepath.ToSlash(name)},
			Detail: "the file cannot be read", Next: "give an existing file, or - for standard input", Err: err}
	}
	return data, nil
}

// piped reads standard input to its end, or until ctx ends.
func (e *env) piped(ctx context.Context) ([]byte, error) {
	type read struct {
		data []byte
		err  error
	}
	done := make(chan read, 1)
	go func() {
		data, err := io.ReadAll(e.stdin)
		done <- read{data, err}
	}()
	select {
	case r := <-done:
		return r.data, r.err
	case <-ctx.Done():
		return nil, fault.From(ctx.Err(), "plumb", "run the command again")
	}
}

package index

import (
	"context"
	"io/fs"
	"sync/atomic"
	"time"

	"github.com/hashicorp/go-hclog"
	"golang.org/x/sync/errgroup"

	"github.com/plumbkit/plumb/host/fault"
	"github.com/plumbkit/plumb/internal/syntax"
	"github.com/plumbkit/plumb/internal/walk"
)

// The limits of a TreeSitter that sets none.
const (
	DefaultMaxFileSize  = 4 << 20         // bytes
	DefaultMaxParseTime = 1 * time.Second // a file
)

// TreeSitter is the default Indexer: it chooses files as git would, parses
// those of its Languages with their tree-sitter grammars, and links them. The
// zero value with Languages is useful; without Languages every file is listed
// and none is parsed. Its fields must not change while Index runs; it is
// otherwise safe for concurrent use.
//
// It runs nothing, writes nothing but what Store does, follows no symbolic link and reads nothing
// outside of Input.FS, so that in a linked git worktree, whose .git file points
// elsewhere, .git/info/exclude is not seen, and files that it leaves out are
// indexed. With Input.Prev it does not read files whose inode, size and change
// time are as they were, where the file system tells them.
//
// To bound the memory of a parse, the first one sets tree-sitter's allocator for
// the whole process, unless the host has set one of its own before; other users
// of tree-sitter in the process then allocate through it, without a bound.
type TreeSitter struct {
	Languages []*Language
	// Jobs is how many files are worked on at once; 0 means GOMAXPROCS.
	Jobs int
	// MaxFileSize in bytes; larger files are listed and hashed, but not parsed.
	// 0 means DefaultMaxFileSize.
	MaxFileSize int64
	// MaxParseTime is the longest time for one file; 0 means DefaultMaxParseTime.
	MaxParseTime time.Duration
	// Ignore leaves out paths beyond those that git would.
	Ignore func(path string) bool
	// Nested enters submodules and nested repositories, which are otherwise
	// only named.
	Nested bool
	// Store, if not nil, keeps facts from one run to the next (IDX-23), and with a
	// *FileStore the last Snapshot of the folder too, which stands in for
	// Input.Prev where that is nil. It changes nothing but the time that Index
	// takes, and no fault of it is one of Index.
	Store  Store
	Logger hclog.Logger // nil: silent
}

// Index implements Indexer. Beyond its faults, invalid_input is returned for
// a language whose query does not compile, once a file of it is parsed.
func (t *TreeSitter) Index(ctx context.Context, in Input) (*Snapshot, error) {
	if in.FS == nil {
		return nil, &fault.Fault{Class: fault.InvalidInput, Op: "index.build", Detail: "there is no file system to index",
			Next: "set Input.FS to the repository's root"}
	}
	e, err := t.engine(in)
	if err != nil {
		return nil, err
	}
	start := time.Now()
	warm := make(chan *warmth, 1)
	go func() {
		var w *warmth
		if in.Prev == nil {
			w = e.warm(ctx, in.FS)
		}
		warm <- w
	}()
	entries, err := walk.Walk(ctx, in.FS, e.walk)
	w := <-warm
	if err != nil {
		return nil, fault.From(err, "index.walk", "check that the repository's root exists and can be read")
	}
	if w != nil && w.loaded != nil {
		in.Prev = w.loaded
	}
	s, err := e.build(ctx, in, start, entries)
	if err == nil {
		w.keep(ctx, s)
	}
	return s, err
}

// build reads the entries and puts the Snapshot together.
func (e *engine) build(ctx context.Context, in Input, start time.Time, entries []walk.Entry) (*Snapshot, error) {
	p := &progress{call: in.Progress}
	files, err := e.readAll(ctx, in, start, entries, p)
	if err != nil {
		return nil, fault.From(err, "index.build", "index the repository again")
	}
	manifests, err := e.manifests(files, func(f *file) ([]byte, error) { return readVerified(in.FS, f) })
	if err != nil {
		return nil, err
	}
	return assemble(ctx, in.Prev, assembly{fsys: in.FS, engine: e, files: files, manifests: manifests, progress: p})
}

func (t *TreeSitter) engine(in Input) (*engine, error) {
	e := newEngine(t.Languages, in.Tiers)
	e.jobs = jobsOr(t.Jobs)
	e.walk = walk.Options{Nested: t.Nested, Ignore: t.Ignore}
	if t.MaxFileSize > 0 {
		e.maxSize = t.MaxFileSize
	}
	if t.MaxParseTime > 0 {
		e.maxTime = t.MaxParseTime
	}
	if t.Logger != nil {
		e.log = t.Logger
	}
	if t.Store != nil {
		e.keep(t.Store)
	}
	if in.Prev != nil {
		return e, e.compile(in.Prev.engine)
	}
	return e, e.compile(nil)
}

// readAll reads, and where they are new extracts, all entries.
func (e *engine) readAll(ctx context.Context, in Input, start time.Time, entries []walk.Entry, p *progress) ([]*file, error) {
	files := make([]*file, len(entries))
	var next, done atomic.Int64
	group, ctx := errgroup.WithContext(ctx)
	for range min(e.jobs, len(entries)) {
		group.Go(func() error {
			w := e.worker(len(entries) > 64)
			w.start = start
			defer w.close()
			for {
				i := int(next.Add(1)) - 1
				if i >= len(entries) {
					return nil
				}
				if err := ctx.Err(); err != nil {
					return err
				}
				f, err := w.read(ctx, in.FS, entries[i], in.Prev)
				if err != nil {
					return err
				}
				files[i] = f
				p.step("parse", int(done.Add(1)), len(entries), f.path)
			}
		})
	}
	err := group.Wait()
	syntax.Trim()
	return files, err
}

func readVerified(fsys fs.FS, f *file) ([]byte, error) {
	data, err := fs.ReadFile(fsys, f.path)
	if err != nil {
		return nil, unavailable(f.path, "the file can no longer be read", err)
	}
	if hashOf(data) != f.hash {
		return nil, unavailable(f.path, "the file changed while it was indexed", nil)
	}
	return data, nil
}

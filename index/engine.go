package index

import (
	"context"
	"path"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/hashicorp/go-hclog"

	"github.com/plumbkit/plumb/host/fault"
	"github.com/plumbkit/plumb/internal/syntax"
	"github.com/plumbkit/plumb/internal/walk"
)

// An engine turns files into their versions. A Snapshot keeps it for Overlay.
// It is immutable once compiled, but for its clock.
type engine struct {
	languages  []*Language
	families   []*family
	byName     map[string]*Language
	grammars   map[string]func() (*syntax.Language, error) // compiled when a file is first parsed
	extensions map[string]*Language
	filenames  map[string]*Language
	tiers      Tiers
	jobs       int
	maxSize    int64
	maxTime    time.Duration
	walk       walk.Options
	log        hclog.Logger
	parseNanos atomic.Int64
	store      Store               // nil: none
	recipe     string              // set with store
	keys       map[string][32]byte // by language, set with store
}

func newEngine(languages []*Language, tiers Tiers) *engine {
	e := &engine{languages: languages, families: families(languages), tiers: tiers, jobs: jobsOr(0), maxSize: DefaultMaxFileSize,
		maxTime: DefaultMaxParseTime, log: hclog.NewNullLogger(), grammars: make(map[string]func() (*syntax.Language, error)),
		byName: make(map[string]*Language), extensions: make(map[string]*Language), filenames: make(map[string]*Language)}
	for _, l := range languages {
		if e.byName[l.Name] == nil {
			e.byName[l.Name] = l
		}
		for _, x := range l.Extensions {
			if e.extensions[x] == nil {
				e.extensions[x] = l
			}
		}
		for _, n := range l.Filenames {
			if e.filenames[n] == nil {
				e.filenames[n] = l
			}
		}
	}
	return e
}

// compile prepares every language's query, which is compiled and checked when a
// file is first parsed: an index that is only taken up needs none. What prev, if
// not nil, has of the same text serves again.
func (e *engine) compile(prev *engine) error {
	for _, l := range e.languages {
		if l.Name == "" || slices.ContainsFunc(e.languages, func(o *Language) bool { return o != l && o.Name == l.Name }) {
			return &fault.Fault{Class: fault.InvalidInput, Op: "index.language", Subject: fault.Subject{Text: l.Name},
				Detail: "two languages bear the same name, or one has none", Next: "pass each language once"}
		}
		if l.Grammar == nil {
			continue
		}
		if old := prev.compiled(l); old != nil {
			e.grammars[l.Name] = old
			continue
		}
		e.grammars[l.Name] = sync.OnceValues(func() (*syntax.Language, error) {
			g, err := syntax.NewLanguage(l.Name, l.Grammar, l.Query)
			if err != nil {
				return nil, fault.From(err, "index.language", "correct the language's query")
			}
			return g, nil
		})
	}
	return nil
}

func (e *engine) compiled(l *Language) func() (*syntax.Language, error) {
	if e == nil {
		return nil
	}
	if old := e.language(l.Name); old != nil && old.Grammar == l.Grammar && old.Query == l.Query {
		return e.grammars[l.Name]
	}
	return nil
}

func (e *engine) language(name string) *Language {
	return e.byName[name]
}

// of returns the language of a path, nil when none claims it.
func (e *engine) of(p string) *Language {
	if l := e.filenames[path.Base(p)]; l != nil {
		return l
	}
	return e.extensions[path.Ext(p)]
}

// compatible reports whether versions made by e can stand beside those made by o.
func (e *engine) compatible(o *engine) bool {
	return e.tiers == o.tiers && e.maxSize == o.maxSize && slices.EqualFunc(e.languages, o.languages, func(a, b *Language) bool {
		return a.Name == b.Name && a.Family == b.Family && a.Version == b.Version && slices.Equal(a.Extensions, b.Extensions) && slices.Equal(a.Filenames, b.Filenames)
	})
}

// manifests returns each family's manifests among the files.
func (e *engine) manifests(files []*file, read func(*file) ([]byte, error)) (map[string][]Manifest, error) {
	out := make(map[string][]Manifest)
	for _, of := range e.families {
		for _, f := range files {
			if !f.read || f.skipped != "" && f.skipped != skipBinary || !of.manifest(path.Base(f.path)) {
				continue
			}
			data, err := read(f)
			if err != nil {
				return nil, err
			}
			out[of.key] = append(out[of.key], Manifest{Path: f.path, Data: data})
		}
	}
	return out, nil
}

// progress serializes calls of the host's callback.
type progress struct {
	mu   sync.Mutex
	call Progress
}

func (p *progress) step(stage string, done, total int, item string) {
	if p == nil || p.call == nil {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.call(stage, done, total, item)
}

// keep makes the engine use a store.
func (e *engine) keep(store Store) {
	e.store, e.recipe, e.keys = store, recipe(), make(map[string][32]byte)
	for _, l := range e.languages {
		e.keys[l.Name] = e.languageKey(l)
	}
}

func (e *engine) worker(large bool) *worker {
	w := &worker{engine: e}
	if large {
		w.segments = &segments{}
	}
	return w
}

// overlayFile makes the version of a file whose content is given.
func (e *engine) overlayFile(ctx context.Context, p string, data []byte) (*file, error) {
	w := e.worker(false)
	w.passing = true
	defer w.close()
	return w.content(ctx, p, data, hashOf(data))
}

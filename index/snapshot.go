package index

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"io/fs"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/plumbkit/plumb/host/fault"
)

// A Snapshot is the index of one exact state of a repository. It is immutable
// and safe for any number of concurrent readers. Only Source, Search, Drift
// and the lexical answer to unknown names read the file system again, and what
// they read is compared with what was indexed.
type Snapshot struct {
	fsys    fs.FS
	over    map[string][]byte // contents that stand in for fsys; nil for deleted
	engine  *engine
	share   *interner
	slots   []*file // nil where a file is gone
	order   []int32 // slots in order of path
	byPath  map[string]int32
	names   *names
	syms    numbered
	sites   numbered
	symEnd  uint32 // first number not yet given
	siteEnd uint32
	root    *postings // of all files at the last full build
	rootSym uint32    // symEnd and siteEnd of the root
	rootSit uint32
	delta   *postings                // of files linked since
	linked  map[string]*linkedFamily // by family
	// deadSites are ranges of the root's sites that hold no longer.
	deadSites [][2]uint32
	digest    string
	stale     []string
	skipped   int // files listed with a reason
	work      Update
	lazy      *lazy
}

// lazy are the parts that are made when first asked for.
type lazy struct {
	relations atomic.Pointer[relations]
	relMu     sync.Mutex
	facts     func() string
	imports   func() map[string][]importSite
	derived   func() map[string]Derivation
	packages  func() []Package
	graph     func() *packageGraph
	stats     func() Stats
}

func (s *Snapshot) prepare() {
	s.lazy = &lazy{}
	s.lazy.facts = sync.OnceValue(s.computeFacts)
	s.lazy.imports = sync.OnceValue(s.computeImports)
	s.lazy.derived = sync.OnceValue(s.computeDerived)
	s.lazy.packages = sync.OnceValue(s.computePackages)
	s.lazy.stats = sync.OnceValue(s.computeStats)
	s.lazy.graph = sync.OnceValue(s.computeGraph)
}

// ContentHash returns the SHA-256 of data in hexadecimal.
func ContentHash(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}

// Digest identifies the inputs: the SHA-256, in hexadecimal, over the path and
// content hash of every listed file. Equal digests mean equal content.
func (s *Snapshot) Digest() string { return s.digest }

func (s *Snapshot) computeDigest() string {
	h := sha256.New()
	var b []byte
	for _, slot := range s.order {
		f := s.slots[slot]
		if f.skipped != "" {
			s.skipped++
		}
		b = appendString(b[:0], f.path)
		b = appendString(b, f.skipped)
		b = append(b, f.hash[:]...)
		h.Write(b)
	}
	return hex.EncodeToString(h.Sum(nil))
}

// Files returns every listed file, in order of path.
func (s *Snapshot) Files() []File {
	out := make([]File, len(s.order))
	for i, slot := range s.order {
		out[i] = s.slots[slot].view()
	}
	return out
}

// File returns the listed file of that path.
func (s *Snapshot) File(path string) (File, bool) {
	if f := s.file(path); f != nil {
		return f.view(), true
	}
	return File{}, false
}

func (s *Snapshot) file(path string) *file {
	if slot, ok := s.byPath[path]; ok {
		return s.slots[slot]
	}
	return nil
}

// Language returns the language of the file, nil when it has none or is not listed.
func (s *Snapshot) Language(path string) *Language {
	if f := s.file(path); f != nil {
		return s.engine.language(f.lang)
	}
	return nil
}

// Languages returns the languages that the snapshot was made with, each once, in
// the order in which they were given. The values are shared and must not be changed.
func (s *Snapshot) Languages() []*Language { return slices.Clone(s.engine.languages) }

// Source returns exactly the bytes that were indexed. Faults: invalid_input
// for a file that is not listed; index_unavailable, naming the file, when its
// content has changed since or cannot be read any more.
func (s *Snapshot) Source(path string) ([]byte, error) {
	f := s.file(path)
	if f == nil {
		return nil, &fault.Fault{Class: fault.InvalidInput, Op: "index.source", Subject: fault.Subject{File: path},
			Detail: "the snapshot lists no such file", Next: "ask for one of Snapshot.Files"}
	}
	return s.source(f)
}

func (s *Snapshot) source(f *file) ([]byte, error) {
	if data, ok := s.over[f.path]; ok && data != nil {
		return slices.Clone(data), nil
	}
	if !f.read || f.skipped == skipLink {
		return nil, unavailable(f.path, "the file was not read: "+f.skipped, nil)
	}
	if s.fsys == nil {
		return nil, unavailable(f.path, "the snapshot was built without a file system", nil)
	}
	data, err := fs.ReadFile(s.fsys, f.path)
	if err != nil {
		return nil, unavailable(f.path, "the file can no longer be read", err)
	}
	if sha256.Sum256(data) != f.hash {
		return nil, unavailable(f.path, "the file has changed since it was indexed", nil)
	}
	return data, nil
}

func unavailable(path, detail string, err error) *fault.Fault {
	return &fault.Fault{Class: fault.IndexUnavailable, Op: "index.source", Subject: fault.Subject{File: path},
		Detail: detail, Next: "index the repository again", Err: err}
}

// WithStale returns the same Snapshot with paths, which the host knows to have
// changed since (from Drift), listed in the Basis of every answer. The state
// and memory are shared.
func (s *Snapshot) WithStale(paths []string) *Snapshot {
	c := *s
	c.stale = slices.Sorted(slices.Values(paths))
	return &c
}

// Stale returns the paths given to WithStale.
func (s *Snapshot) Stale() []string { return s.stale }

// Overlay returns the Snapshot of a state in which the given files have other
// contents; nil content means that the file is deleted. Nothing is written.
// Memory is shared with s; only files whose resolution can be affected are
// linked again. Paths are slash-separated and relative to the repository.
// Faults: invalid_input for a path that is not such, canceled.
func (s *Snapshot) Overlay(ctx context.Context, files map[string][]byte) (*Snapshot, error) {
	return s.overlay(ctx, files)
}

func appendString(b []byte, s string) []byte {
	b = append(b, byte(len(s)), byte(len(s)>>8), byte(len(s)>>16), byte(len(s)>>24))
	return append(b, s...)
}

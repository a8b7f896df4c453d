package index

import (
	"encoding/hex"
	"runtime"
	"sync/atomic"
	"weak"
)

// A File is one listed file. Files that plumb has no language for, and those
// that could not be read, are listed too.
type File struct {
	Path     string `json:"path"`
	Language string `json:"language,omitempty"`
	// Hash is the ContentHash of the bytes; of the target for a symbolic link;
	// "" for what was not read.
	Hash  string `json:"hash,omitempty"`
	Size  int    `json:"size"` // bytes
	Lines int    `json:"lines"`
	// Origin says where the file comes from (IDX-15).
	Origin Origin `json:"origin"`
	// Package is the import path or module name of the file's package, where a
	// language gives it one.
	Package string `json:"package,omitempty"`
	// Skipped is the reason why the file was not extracted (in full), "" when
	// it was, or when it is a plain file of no known language.
	Skipped    string `json:"skipped,omitempty"`
	Constraint string `json:"constraint,omitempty"` // build constraint as written
	// Errors are the places of syntax errors.
	Errors []Span `json:"errors,omitempty"`
}

// file is one version of one file in a Snapshot. It is immutable but for two
// caches, its unpacked head and its stamp, and shared by Snapshots that hold the same version.
type file struct {
	path       string
	lang       string
	family     string // key of the language's family, set when placed
	hash       [32]byte
	read       bool // hash is set
	size       int
	lines      int
	origin     Origin
	skipped    string
	module     string
	constraint string
	packed     *packed  // nil when there are no facts
	key        [32]byte // of the facts in the store; zero when they are not there
	api        [32]byte // what other files' resolution can depend on
	defs       uint32
	sites      uint32
	idents     int  // number of Facts.Names
	timeout    bool // not parsed for lack of time: the same content may do better next time
	derived    bool // has a directive, or says that it is generated
	imports    []Import
	tests      []int32 // definitions that are tests
	loose      bool    // has tests that are no definitions

	head  atomic.Pointer[weak.Pointer[Facts]]
	stamp atomic.Pointer[stamp] // as of when the content was last compared with the disk

	linked
}

// linked is what linking adds to a file's version.
type linked struct {
	names    []uint32 // local name -> number in the Snapshot's name table
	symBase  uint32   // number of the first definition, the others following
	numbers  *numbering
	siteBase uint32 // number of the first site
	pkg      string
	deps     []int32 // slots whose definitions can influence this file's resolution
	res      *resolution
}

// A numbering numbers the definitions of a version that kept some numbers of
// an earlier one; without it they follow symBase.
type numbering struct {
	of  []uint32 // by definition
	def map[uint32]int32
}

func newNumbering(of []uint32) *numbering {
	n := &numbering{of: of, def: make(map[uint32]int32, len(of))}
	for def, number := range of {
		n.def[number] = int32(def)
	}
	return n
}

// number returns the symbol number of a definition.
func (f *file) number(def int) uint32 {
	if f.numbers != nil {
		return f.numbers.of[def]
	}
	return f.symBase + uint32(def)
}

// numbered returns the definition of a symbol number, if it is one of the version's.
func (f *file) numbered(n uint32) (int, bool) {
	if f.numbers != nil {
		def, ok := f.numbers.def[n]
		return int(def), ok
	}
	return int(n - f.symBase), n >= f.symBase && n-f.symBase < f.defs
}

func (f *file) hashString() string {
	if !f.read {
		return ""
	}
	return hex.EncodeToString(f.hash[:])
}

// relinked returns a copy that shares everything but l.
func (f *file) relinked(l linked) *file {
	c := &file{path: f.path, lang: f.lang, family: f.family, hash: f.hash, read: f.read, size: f.size, lines: f.lines, origin: f.origin,
		skipped: f.skipped, module: f.module, constraint: f.constraint, packed: f.packed, key: f.key, api: f.api,
		defs: f.defs, sites: f.sites, idents: f.idents, timeout: f.timeout, derived: f.derived, imports: f.imports, tests: f.tests, loose: f.loose, linked: l}
	c.head.Store(f.head.Load())
	c.stamp.Store(f.stamp.Load())
	return c
}

// facts unpacks the pack. One made in this process is never damaged.
func (f *file) facts(e extent) *Facts {
	facts, ok := f.pack().unpack(e)
	runtime.KeepAlive(f.packed)
	if !ok {
		return &Facts{Path: f.path, Language: f.lang}
	}
	return facts
}

// headFacts unpacks what definitions need, and keeps it as long as anybody else does.
func (f *file) headFacts() *Facts {
	if w := f.head.Load(); w != nil {
		if facts := w.Value(); facts != nil {
			return facts
		}
	}
	facts, ok := f.pack().unpack(headOnly)
	runtime.KeepAlive(f.packed)
	if !ok {
		facts = &Facts{Path: f.path, Language: f.lang}
	}
	w := weak.Make(facts)
	f.head.Store(&w)
	return facts
}

// sketch is the first step of Universe: where the file belongs.
func (f *file) sketch() *Facts {
	return &Facts{Path: f.path, Language: f.lang, Hash: f.hashString(), Size: f.size, Origin: f.origin,
		Skipped: f.skipped, Module: f.module, Constraint: f.constraint, Imports: f.imports}
}

// position returns the 1-based line and column of a 0-based offset.
func (f *file) position(offset uint32) (line, col int) {
	part := f.pack().part(partLines)
	lines := openColumn(part)
	i := max(0, lines.search(max(1, columnLen(part)), offset))
	return i + 1, int(offset-lines.at(i)) + 1
}

func (f *file) span(start, end uint32) Span {
	line, col := f.position(start)
	return Span{File: f.path, Hash: f.hashString(), Start: int(start), End: int(end), Line: line, Col: col}
}

func (f *file) view() File {
	v := File{Path: f.path, Language: f.lang, Hash: f.hashString(), Size: f.size, Lines: f.lines, Origin: f.origin,
		Package: f.pkg, Skipped: f.skipped, Constraint: f.constraint}
	if f.packed == nil {
		return v
	}
	s := stream{b: f.pack().part(partErrors)}
	for len(s.b) > 0 {
		start := uint32(s.uint())
		v.Errors = append(v.Errors, f.span(start, start+uint32(s.uint())))
	}
	runtime.KeepAlive(f.packed)
	return v
}

package index

import (
	"bytes"
	"encoding/binary"

	"github.com/klauspost/compress/s2"
)

// A saved Snapshot is everything that linking made of one state, so that it can
// be taken up as Input.Prev would be without linking again; the packs of its
// files stand in the Store under their keys. It is no answer by itself: files are
// compared with the file system first, and what differs is updated.
//
// Format: of each section its length in the file and its true length, which
// differ when it is compressed, as 8 bytes each, little-endian; then the sections,
// each filled up to a multiple of 8 bytes. Numbers in columns are
// 4 bytes, little-endian, and are read where they lie; the rest are streams of
// varints, in which a string is its number among the strings. The store checks
// the whole; the first section says which program, options and languages made it,
// and whoever loads it must be the same.
const savedVersion = 2

// The sections of a saved Snapshot.
const (
	savedKey = iota
	savedCounts
	savedStringEnds
	savedStringBytes
	savedFiles  // stream
	savedHashes // 32 bytes a file
	savedKeys   // 32 bytes a file
	savedAPIs   // 32 bytes a file
	savedNameEnds
	savedNameBytes
	savedNameHash
	savedIdents // of all files, by f.idents
	savedHead   // of all sites
	savedRule
	savedAux
	savedMulti    // of all files, by their count
	savedDepEnds  // of distinct lists
	savedDepItems // slots
	savedEdges    // from, to, kind and sure in one; of all families, by their count
	savedFamilies // stream
	savedPostings // start and items of five lookups follow
	savedSections = savedPostings + 2*5
)

// A saver writes the sections in order.
type saver struct {
	parts   [][]byte
	lengths [2 * savedSections]uint64
	at      int
	stream  []byte
	numbers map[string]uint64 // of strings
	strings [][]byte
}

// end closes the current section.
func (w *saver) end(section int, parts ...[]byte) {
	if section != w.at {
		panic("index: sections out of order")
	}
	w.at++
	n := 0
	for _, p := range parts {
		n += len(p)
	}
	w.lengths[2*section+1] = uint64(n)
	if small := squeezed(parts, n); small != nil {
		parts, n = [][]byte{small}, len(small)
	}
	w.lengths[2*section] = uint64(n)
	w.parts = append(w.parts, parts...)
	if rest := padded(n) - n; rest > 0 {
		w.parts = append(w.parts, make([]byte, rest))
	}
}

// squeezed returns the parts as one, compressed, nil where that saves little.
func squeezed(parts [][]byte, n int) []byte {
	if n < 1<<10 {
		return nil
	}
	if small := s2.Encode(nil, bytes.Join(parts, nil)); len(small) < n-n/4 {
		return small
	}
	return nil
}

func (w *saver) uint(v uint64) { w.stream = binary.AppendUvarint(w.stream, v) }

func (w *saver) string(s string) {
	n, ok := w.numbers[s]
	if !ok {
		n = uint64(len(w.strings))
		w.numbers[s] = n
		w.strings = append(w.strings, []byte(s))
	}
	w.uint(n)
}

func (w *saver) texts(all []string) {
	w.uint(uint64(len(all)))
	for _, s := range all {
		w.string(s)
	}
}

// take returns the stream and begins another.
func (w *saver) take() []byte {
	out := w.stream
	w.stream = nil
	return out
}

// save returns the Snapshot as parts that stand one after the other; it is
// nil for one that is not numbered from nothing, or has files whose facts are
// not in the store. The parts share the Snapshot's memory.
func (s *Snapshot) save() [][]byte {
	files := s.files(nil)
	if s.delta != nil || s.root == nil || s.names.root != nil || len(files) != len(s.slots) {
		return nil
	}
	for i, f := range files {
		if f != s.slots[i] || f.numbers != nil || f.packed != nil && f.key == [32]byte{} {
			return nil
		}
	}
	w := &saver{numbers: make(map[string]uint64)}
	deps, depEnds, depItems := distinctDeps(files)
	for i, f := range files {
		w.file(f, deps[i])
	}
	stream := w.take()
	families, edges := s.saveFamilies(w)
	w.end(savedKey, []byte(s.engine.version()))
	w.uint(uint64(len(files)))
	w.uint(uint64(s.symEnd))
	w.uint(uint64(s.siteEnd))
	w.end(savedCounts, w.take())
	ends, at := make([]uint32, len(w.strings)), 0
	for i, b := range w.strings {
		at += len(b)
		ends[i] = uint32(at)
	}
	w.end(savedStringEnds, appendRaw32(nil, ends))
	w.end(savedStringBytes, bytes.Join(w.strings, nil))
	w.end(savedFiles, stream)
	w.digests(files)
	w.columns(s, files)
	w.end(savedDepEnds, appendRaw32(nil, depEnds))
	w.end(savedDepItems, appendRaw32(nil, depItems))
	w.end(savedEdges, appendRaw32(nil, edges))
	w.end(savedFamilies, families)
	section := savedPostings
	for _, l := range []*lookup{&s.root.defs, &s.root.sure, &s.root.confirm, &s.root.byName, &s.root.unknown} {
		w.end(section, appendRaw32(nil, l.start))
		w.end(section+1, appendRaw32(nil, l.items))
		section += 2
	}
	var directory []byte
	for _, n := range w.lengths {
		directory = binary.LittleEndian.AppendUint64(directory, n)
	}
	return append([][]byte{directory}, w.parts...)
}

func (w *saver) digests(files []*file) {
	for section, of := range []func(*file) *[32]byte{
		func(f *file) *[32]byte { return &f.hash }, func(f *file) *[32]byte { return &f.key }, func(f *file) *[32]byte { return &f.api }} {
		b := make([]byte, 0, 32*len(files))
		for _, f := range files {
			b = append(b, of(f)[:]...)
		}
		w.end(savedHashes+section, b)
	}
}

// columns writes what lies in the Snapshot as columns, by file.
func (w *saver) columns(s *Snapshot, files []*file) {
	table := s.names.fixed
	if table == nil {
		table = newNameTable(s.names.list)
	}
	w.end(savedNameEnds, appendRaw32(nil, table.ends))
	w.end(savedNameBytes, table.bytes)
	w.end(savedNameHash, appendRaw32(nil, table.hash))
	var idents, heads, rules, aux, multi [][]byte
	for _, f := range files {
		idents = append(idents, appendRaw32(nil, f.linked.names))
		if r := f.res; r != nil {
			heads, rules = append(heads, r.head), append(rules, r.rule)
			aux, multi = append(aux, appendRaw32(nil, r.aux)), append(multi, appendRaw32(nil, r.multi))
		}
	}
	w.end(savedIdents, idents...)
	w.end(savedHead, heads...)
	w.end(savedRule, rules...)
	w.end(savedAux, aux...)
	w.end(savedMulti, multi...)
}

// Flags of a saved file.
const (
	savedRead = 1 << iota
	savedTimeout
	savedDerived
	savedPacked
	savedResolved
	savedLoose
)

func (w *saver) file(f *file, deps uint32) {
	w.uint(uint64(bits(f.read, f.timeout, f.derived, f.packed != nil, f.res != nil, f.loose)))
	for _, s := range []string{f.path, f.lang, f.skipped, f.module, f.constraint, f.pkg} {
		w.string(s)
	}
	for _, n := range []int{f.size, f.lines, int(f.origin), int(f.defs), int(f.sites), f.idents, int(deps), len(f.tests), len(f.imports)} {
		w.uint(uint64(n))
	}
	for _, t := range f.tests {
		w.uint(uint64(t))
	}
	for i := range f.imports {
		im := &f.imports[i]
		w.string(im.Path)
		w.string(im.Alias)
		w.uint(uint64(im.Range.Start))
		w.uint(uint64(im.Range.End))
		w.texts(im.Symbols)
		w.texts(im.Aliases)
	}
	if r := f.res; r != nil {
		w.uint(uint64(len(r.multi)))
		w.texts(r.rules)
		w.texts(r.texts)
	}
}

// distinctDeps numbers the lists of dependencies, of which most files share theirs.
func distinctDeps(files []*file) (of []uint32, ends, items []uint32) {
	seen := make(map[string]uint32)
	of = make([]uint32, len(files))
	var last []int32
	for i, f := range files {
		if i > 0 && len(f.deps) == len(last) && len(last) > 0 && &f.deps[0] == &last[0] {
			of[i] = of[i-1]
			continue
		}
		last = f.deps
		var b []byte
		for _, d := range f.deps {
			b = binary.AppendUvarint(b, uint64(d))
		}
		n, ok := seen[string(b)]
		if !ok {
			n = uint32(len(ends))
			seen[string(b)] = n
			for _, d := range f.deps {
				items = append(items, uint32(d))
			}
			ends = append(ends, uint32(len(items)))
		}
		of[i] = n
	}
	return of, ends, items
}

// saveFamilies returns the stream of families, and their edges.
func (s *Snapshot) saveFamilies(w *saver) (stream []byte, edges []uint32) {
	for _, f := range s.engine.families {
		l := s.linked[f.key]
		all, err, known := l.edges.known()
		w.uint(uint64(bits(known && err == nil)))
		w.uint(uint64(len(all)))
		for _, e := range all {
			edges = append(edges, e.from, e.to, uint32(e.kind)<<1|uint32(bits(e.sure)))
		}
		w.uint(uint64(len(l.manifests)))
		for _, m := range l.manifests {
			w.string(m.Path)
			w.string(string(m.Data))
		}
		asked := l.asked.list()
		w.uint(uint64(len(asked)))
		for _, a := range asked {
			w.string(a.path)
			w.uint(uint64(bits(a.yes)))
		}
	}
	return w.take(), edges
}

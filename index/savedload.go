package index

import (
	"encoding/binary"
	"io/fs"

	"github.com/klauspost/compress/s2"
	"golang.org/x/sync/errgroup"
)

// A loader reads a saved Snapshot.
type loader struct {
	engine   *engine
	sections [savedSections][]byte
	strings  []string
	stream   stream
	fetch    func(key [32]byte) *packed
}

// load makes the Snapshot that save wrote, nil when it does not fit or one of
// its packs is gone. data must not change after.
func (e *engine) load(fsys fs.FS, data []byte, fetch func(key [32]byte) *packed) (s *Snapshot) {
	l := &loader{engine: e, fetch: fetch}
	// The bytes are those that were written, as their checksum says: what could
	// go wrong is this code, and that must cost no more than building anew.
	defer func() {
		if r := recover(); r != nil {
			e.log.Warn("a saved snapshot could not be read", "problem", r)
			s = nil
		}
	}()
	if !l.split(data) || string(l.sections[savedKey]) != e.version() {
		return nil
	}
	return l.snapshot(fsys)
}

// split cuts the data into its sections.
func (l *loader) split(data []byte) bool {
	at := 16 * savedSections
	var group errgroup.Group
	group.SetLimit(l.engine.jobs)
	for i := range l.sections {
		if len(data) < at {
			return false
		}
		n, whole := binary.LittleEndian.Uint64(data[16*i:]), binary.LittleEndian.Uint64(data[16*i+8:])
		if n > uint64(len(data)-at) || whole > maxEntry {
			return false
		}
		part := data[at : at+int(n) : at+int(n)]
		at += padded(int(n))
		if n == whole {
			l.sections[i] = part
			continue
		}
		group.Go(func() (err error) {
			l.sections[i], err = s2.Decode(make([]byte, whole), part)
			return err
		})
	}
	return group.Wait() == nil
}

func (l *loader) column(section int) []uint32 { return raw32(l.sections[section]) }

func (l *loader) uint() int { return int(l.stream.uint()) }

func (l *loader) string() string { return l.strings[l.uint()] }

func (l *loader) texts() []string {
	n := l.uint()
	if n == 0 {
		return nil
	}
	out := make([]string, n)
	for i := range out {
		out[i] = l.string()
	}
	return out
}

func (l *loader) snapshot(fsys fs.FS) *Snapshot {
	s := &Snapshot{fsys: fsys, engine: l.engine, share: newInterner()}
	s.prepare()
	s.names = &names{fixed: &nameTable{ends: l.column(savedNameEnds), bytes: l.sections[savedNameBytes], hash: l.column(savedNameHash)}}
	l.readStrings()
	l.stream.b = l.sections[savedCounts]
	n, symEnd, siteEnd := l.uint(), l.uint(), l.uint()
	if !l.files(s, n) || int(s.symEnd) != symEnd || int(s.siteEnd) != siteEnd {
		return nil
	}
	s.rootSym, s.rootSit = s.symEnd, s.siteEnd
	s.root = &postings{}
	for i, to := range []*lookup{&s.root.defs, &s.root.sure, &s.root.confirm, &s.root.byName, &s.root.unknown} {
		*to = lookup{start: l.column(savedPostings + 2*i), items: l.column(savedPostings + 2*i + 1)}
	}
	s.sort()
	l.families(s)
	s.digest = s.computeDigest()
	return s
}

func (l *loader) readStrings() {
	table := nameTable{ends: l.column(savedStringEnds), bytes: l.sections[savedStringBytes]}
	l.strings = make([]string, table.len())
	for i := range l.strings {
		l.strings[i] = table.string(uint32(i))
	}
}

// files places the files in order; it reports whether all packs are there.
func (l *loader) files(s *Snapshot, n int) bool {
	l.stream.b = l.sections[savedFiles]
	c := &cursor{idents: l.column(savedIdents), head: l.sections[savedHead], rule: l.sections[savedRule],
		aux: l.column(savedAux), multi: l.column(savedMulti)}
	deps := l.deps()
	all := make([]file, n)
	resolutions := make([]resolution, n)
	s.slots = make([]*file, n)
	for i := range all {
		f := &all[i]
		s.slots[i] = f
		flags := l.uint()
		of := l.file(f, flags)
		f.deps = deps[of]
		copy(f.hash[:], l.sections[savedHashes][32*i:])
		copy(f.key[:], l.sections[savedKeys][32*i:])
		copy(f.api[:], l.sections[savedAPIs][32*i:])
		f.family = l.engine.familyOf(f.lang)
		f.linked.names = c.names(f.idents)
		f.symBase, f.siteBase = s.numberSyms(int32(i), f.defs), s.numberSites(int32(i), f.sites)
		if flags&savedResolved != 0 {
			f.res = &resolutions[i]
			c.resolve(f.res, int(f.sites), l.uint())
			f.res.rules, f.res.texts = l.texts(), l.texts()
		}
		if flags&savedPacked != 0 {
			if f.packed = l.fetch(f.key); f.packed == nil {
				return false
			}
		}
	}
	return !l.stream.bad
}

// file reads what save's file wrote up to the resolution; it returns the number
// of the file's list of dependencies.
func (l *loader) file(f *file, flags int) (deps int) {
	f.read, f.timeout, f.derived, f.loose = flags&savedRead != 0, flags&savedTimeout != 0, flags&savedDerived != 0, flags&savedLoose != 0
	for _, to := range []*string{&f.path, &f.lang, &f.skipped, &f.module, &f.constraint, &f.pkg} {
		*to = l.string()
	}
	f.size, f.lines, f.origin = l.uint(), l.uint(), Origin(l.uint())
	f.defs, f.sites, f.idents = uint32(l.uint()), uint32(l.uint()), l.uint()
	deps = l.uint()
	tests, imports := l.uint(), l.uint()
	for range tests {
		f.tests = append(f.tests, int32(l.uint()))
	}
	if imports > 0 {
		f.imports = make([]Import, imports)
	}
	for i := range f.imports {
		im := &f.imports[i]
		im.Path, im.Alias = l.string(), l.string()
		im.Range = Range{uint32(l.uint()), uint32(l.uint())}
		im.Symbols, im.Aliases = l.texts(), l.texts()
	}
	return deps
}

func (l *loader) deps() [][]int32 {
	ends, items := l.column(savedDepEnds), signed32(l.column(savedDepItems))
	out := make([][]int32, len(ends))
	start := uint32(0)
	for i, end := range ends {
		out[i] = items[start:end:end]
		start = end
	}
	return out
}

// A cursor hands out each file's part of the columns.
type cursor struct {
	idents     []uint32
	head, rule []byte
	aux, multi []uint32
}

func (c *cursor) names(n int) []uint32 {
	out := c.idents[:n:n]
	c.idents = c.idents[n:]
	return out
}

func (c *cursor) resolve(r *resolution, sites, multi int) {
	r.head, c.head = c.head[:sites:sites], c.head[sites:]
	r.rule, c.rule = c.rule[:sites:sites], c.rule[sites:]
	r.aux, c.aux = c.aux[:sites:sites], c.aux[sites:]
	r.multi, c.multi = c.multi[:multi:multi], c.multi[multi:]
}

func (l *loader) families(s *Snapshot) {
	s.linked = make(map[string]*linkedFamily, len(l.engine.families))
	l.stream.b = l.sections[savedFamilies]
	edges := l.column(savedEdges)
	for _, of := range l.engine.families {
		f := s.placeFamily(of)
		known := l.uint() != 0
		for range l.uint() {
			f.edges.all = append(f.edges.all, edge{edges[0], edges[1], RelationKind(edges[2] >> 1), edges[2]&1 != 0})
			edges = edges[3:]
		}
		for range l.uint() {
			f.manifests = append(f.manifests, Manifest{Path: l.string(), Data: []byte(l.string())})
		}
		for range l.uint() {
			path := l.string()
			f.asked.saved = append(f.asked.saved, askedPath{path, l.uint() != 0})
		}
		if !known {
			panic("relations that are not known were saved")
		}
	}
}

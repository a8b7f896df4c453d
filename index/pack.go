package index

import (
	"encoding/binary"
	"encoding/hex"
)

// A pack is one file's Facts as bytes, self-contained and the same on every
// machine. Most parts are columns that queries read in place; what only
// linking needs (expressions, parameters, locals) are streams of varints.
//
// Format: packVersion, then partCount little-endian uint32 end offsets, then
// the parts in order. A change of any part's meaning is a new packVersion.
type pack []byte

const packVersion = 2

// The parts of a pack, in the order in which they are written.
const (
	partMeta = iota
	partLines
	partNameEnds
	partNameBytes
	partImports
	partDefName
	partDefKind
	partDefVisibility
	partDefFlags
	partDefParent
	partDefOwner
	partDefStart
	partDefLength
	partDefIdent
	partDefIdentLength
	partDefBody // relative to the start
	partDefDoc
	partDefDocLength
	partDefFingerprint
	partDefParams
	partDefP1 // number of parameters, results, type parameters
	partDefP2
	partDefP3
	partDefType
	partDefValue
	partDefTwin // ordinal among definitions of the same name in the file, 0 for the first
	partTexts
	partText
	partParams
	partSiteName
	partSiteStart
	partSiteIn
	partSiteKind
	partSiteExpr
	partSiteCall
	partCallCount
	partCallFlags
	partCallStart
	partCallLength
	partCallNames
	partLocals
	partExprs
	partLists
	partMarkKind
	partMarkStrength
	partMarkIn
	partMarkStart
	partMarkLength
	partMarkForm
	partMarkEnds
	partMarkText
	partDirectives
	partErrors
	partMissed
	partStringEnds // strings of imports, params, calls, forms and directives, each kept once
	partStringBytes
	partCount
)

// A packer builds packs. It is reused from file to file, by one goroutine.
type packer struct {
	buf     []byte
	strings map[string]uint32
	bytes   []byte
	ends    []uint32
}

// pack returns f as a pack that is valid until the next call.
func (p *packer) pack(f *Facts) pack {
	p.buf = append(p.buf[:0], make([]byte, 1+4*partCount)...)
	p.buf[0] = packVersion
	p.strings, p.bytes, p.ends = make(map[string]uint32), p.bytes[:0], p.ends[:0]
	p.meta(f)
	p.column(partLines, len(f.LineStarts), func(i int) uint32 { return f.LineStarts[i] })
	p.blobs(partNameEnds, f.Names)
	p.imports(f.Imports)
	p.defs(f)
	p.params(f.Params)
	p.sites(f.Sites)
	p.calls(f.Calls)
	p.expressions(f)
	p.marks(f.Marks)
	p.directives(f.Directives)
	p.ranges(partErrors, f.Errors)
	p.ranges(partMissed, f.Missed)
	p.column(partStringEnds, len(p.ends), func(i int) uint32 { return p.ends[i] })
	p.buf = append(p.buf, p.bytes...)
	p.end(partStringBytes)
	return p.buf
}

func (p *packer) end(part int) {
	binary.LittleEndian.PutUint32(p.buf[1+4*part:], uint32(len(p.buf)))
}

func (p *packer) column(part, n int, at func(i int) uint32) {
	p.buf = appendColumn(p.buf, n, at)
	p.end(part)
}

func (p *packer) uint(v uint64) { p.buf = binary.AppendUvarint(p.buf, v) }

func (p *packer) int(v int64) { p.buf = binary.AppendVarint(p.buf, v) }

// string appends the number of s in the table of strings.
func (p *packer) string(s string) { p.uint(uint64(p.intern(s))) }

func (p *packer) intern(s string) uint32 {
	n, ok := p.strings[s]
	if !ok {
		n = uint32(len(p.ends))
		p.bytes = append(p.bytes, s...)
		p.ends = append(p.ends, uint32(len(p.bytes)))
		p.strings[s] = n
	}
	return n
}

func (p *packer) inline(s string) {
	p.uint(uint64(len(s)))
	p.buf = append(p.buf, s...)
}

// blobs writes the ends of all strings as part and their bytes as part+1.
func (p *packer) blobs(part int, all []string) {
	ends := make([]uint32, len(all))
	n := 0
	for i, s := range all {
		n += len(s)
		ends[i] = uint32(n)
	}
	p.column(part, len(ends), func(i int) uint32 { return ends[i] })
	for _, s := range all {
		p.buf = append(p.buf, s...)
	}
	p.end(part + 1)
}

func (p *packer) meta(f *Facts) {
	for _, s := range []string{f.Path, f.Language, f.Skipped, f.Module, f.Constraint} {
		p.inline(s)
	}
	hash, err := hex.DecodeString(f.Hash)
	if err != nil {
		hash = nil
	}
	p.inline(string(hash))
	for _, n := range []int{f.Size, int(f.Origin), len(f.LineStarts), len(f.Names), len(f.Imports), len(f.Defs),
		len(f.Params), len(f.Sites), len(f.Calls), len(f.Locals), len(f.Exprs), len(f.Lists), len(f.Marks),
		len(f.Directives), len(f.Errors), int(f.HeadExprs), int(f.HeadLists), int(f.HeadLocals), int(f.Bound), len(f.Missed)} {
		p.uint(uint64(n))
	}
	p.end(partMeta)
}

func (p *packer) imports(all []Import) {
	for _, im := range all {
		p.string(im.Path)
		p.string(im.Alias)
		p.uint(uint64(im.Range.Start))
		p.uint(uint64(im.Range.End - im.Range.Start))
		p.strs(im.Symbols)
		p.strs(im.Aliases)
	}
	p.end(partImports)
}

func (p *packer) strs(all []string) {
	p.uint(uint64(len(all)))
	for _, s := range all {
		p.string(s)
	}
}

func (p *packer) defs(f *Facts) {
	d := f.Defs
	of := func(part int, at func(d *Def) uint32) {
		p.column(part, len(d), func(i int) uint32 { return at(&d[i]) })
	}
	of(partDefName, func(d *Def) uint32 { return d.Name })
	of(partDefKind, func(d *Def) uint32 { return uint32(d.Kind) })
	of(partDefVisibility, func(d *Def) uint32 { return uint32(d.Visibility) })
	of(partDefFlags, func(d *Def) uint32 { return uint32(d.Flags) })
	of(partDefParent, func(d *Def) uint32 { return uint32(d.Parent + 1) })
	of(partDefOwner, func(d *Def) uint32 { return uint32(d.Owner + 1) })
	of(partDefStart, func(d *Def) uint32 { return d.Range.Start })
	of(partDefLength, func(d *Def) uint32 { return d.Range.End - d.Range.Start })
	of(partDefIdent, func(d *Def) uint32 { return d.Ident.Start })
	of(partDefIdentLength, func(d *Def) uint32 { return d.Ident.End - d.Ident.Start })
	of(partDefBody, func(d *Def) uint32 { return d.Body - d.Range.Start })
	of(partDefDoc, func(d *Def) uint32 { return d.Doc.Start })
	of(partDefDocLength, func(d *Def) uint32 { return d.Doc.End - d.Doc.Start })
	p.buf = appendWide(p.buf, len(d), func(i int) uint64 { return d[i].Fingerprint })
	p.end(partDefFingerprint)
	of(partDefParams, func(d *Def) uint32 { return d.P0 })
	of(partDefP1, func(d *Def) uint32 { return d.P1 - d.P0 })
	of(partDefP2, func(d *Def) uint32 { return d.P2 - d.P1 })
	of(partDefP3, func(d *Def) uint32 { return d.P3 - d.P2 })
	of(partDefType, func(d *Def) uint32 { return uint32(d.Type + 1) })
	of(partDefValue, func(d *Def) uint32 { return uint32(d.Value + 1) })
	twins := twins(f)
	p.column(partDefTwin, len(d), func(i int) uint32 { return twins[int32(i)] })
	p.column(partTexts, len(f.Texts), func(i int) uint32 { return f.Texts[i] })
	p.buf = append(p.buf, f.Text...)
	p.end(partText)
}

// twins returns, for each definition that is not the first of its canonical
// name in the file, its 0-based ordinal.
func twins(f *Facts) map[int32]uint32 {
	type key struct {
		scope uint32 // number of the scope's canonical name, 0 for none
		name  uint32
	}
	numbers := make(map[key]uint32, len(f.Defs))
	number := func(k key) uint32 {
		n, ok := numbers[k]
		if !ok {
			n = uint32(len(numbers)) + 1
			numbers[k] = n
		}
		return n
	}
	canonical := make([]uint32, len(f.Defs))
	seen := make(map[uint32]uint32, len(f.Defs))
	var out map[int32]uint32
	for i := range f.Defs {
		d := &f.Defs[i]
		scope := uint32(0)
		if d.Parent >= 0 {
			scope = canonical[d.Parent]
		} else if d.Owner >= 0 {
			scope = number(key{0, uint32(d.Owner)})
		}
		canonical[i] = number(key{scope, d.Name})
		if n := seen[canonical[i]]; n > 0 {
			if out == nil {
				out = make(map[int32]uint32)
			}
			out[int32(i)] = n
		}
		seen[canonical[i]]++
	}
	return out
}

func (p *packer) params(all []Param) {
	for i := range all {
		a := &all[i]
		p.buf = append(p.buf, bits(a.Variadic, a.Keyword, a.Optional, a.Default != ""))
		p.string(a.Name)
		p.string(a.Type)
		if a.Default != "" {
			p.string(a.Default)
		}
	}
	p.end(partParams)
}

func bits(set ...bool) byte {
	var b byte
	for i, s := range set {
		if s {
			b |= 1 << i
		}
	}
	return b
}

func (p *packer) sites(s []Site) {
	of := func(part int, at func(s *Site) uint32) {
		p.column(part, len(s), func(i int) uint32 { return at(&s[i]) })
	}
	of(partSiteName, func(s *Site) uint32 { return s.Name })
	of(partSiteStart, func(s *Site) uint32 { return s.Start })
	of(partSiteIn, func(s *Site) uint32 { return uint32(s.In + 1) })
	of(partSiteKind, func(s *Site) uint32 { return uint32(s.Kind) })
	of(partSiteExpr, func(s *Site) uint32 { return uint32(s.Expr + 1) })
	of(partSiteCall, func(s *Site) uint32 { return uint32(s.Call + 1) })
}

func (p *packer) calls(c []Args) {
	of := func(part int, at func(a *Args) uint32) {
		p.column(part, len(c), func(i int) uint32 { return at(&c[i]) })
	}
	of(partCallCount, func(a *Args) uint32 { return uint32(a.Count) })
	of(partCallFlags, func(a *Args) uint32 { return uint32(bits(a.Spread, len(a.Names) > 0)) })
	of(partCallStart, func(a *Args) uint32 { return uint32(a.Start) })
	of(partCallLength, func(a *Args) uint32 { return uint32(a.End - a.Start) })
	for i := range c {
		if len(c[i].Names) > 0 {
			p.uint(uint64(i))
			p.strs(c[i].Names)
		}
	}
	p.end(partCallNames)
}

func (p *packer) expressions(f *Facts) {
	for _, l := range f.Locals {
		p.uint(uint64(l.Name))
		p.int(int64(l.Type))
		p.int(int64(l.Value))
	}
	p.end(partLocals)
	next := uint32(0)
	for i := range f.Exprs {
		e := &f.Exprs[i]
		p.buf = append(p.buf, e.Op, bits(e.Name != -1, e.A != -1, e.B != -1, e.L1 != e.L0, e.L0 != next))
		p.operand(int64(e.Name), 0)
		p.operand(int64(e.A), i)
		p.operand(int64(e.B), i)
		if e.L0 != next {
			p.uint(uint64(e.L0))
		}
		if e.L1 != e.L0 {
			p.uint(uint64(e.L1 - e.L0))
		}
		next = e.L1
	}
	p.end(partExprs)
	for i, v := range f.Lists {
		p.int(int64(v) - int64(i))
	}
	p.end(partLists)
}

// operand appends v relative to base, and nothing for -1.
func (p *packer) operand(v int64, base int) {
	if v != -1 {
		p.int(v - int64(base))
	}
}

func (p *packer) marks(m []MarkFact) {
	of := func(part int, at func(m *MarkFact) uint32) {
		p.column(part, len(m), func(i int) uint32 { return at(&m[i]) })
	}
	of(partMarkKind, func(m *MarkFact) uint32 { return uint32(m.Kind) })
	of(partMarkStrength, func(m *MarkFact) uint32 { return uint32(m.Strength) })
	of(partMarkIn, func(m *MarkFact) uint32 { return uint32(m.In + 1) })
	of(partMarkStart, func(m *MarkFact) uint32 { return m.Range.Start })
	of(partMarkLength, func(m *MarkFact) uint32 { return m.Range.End - m.Range.Start })
	of(partMarkForm, func(m *MarkFact) uint32 { return p.intern(m.Form) })
	texts := make([]string, len(m))
	for i := range m {
		texts[i] = m[i].Text
	}
	p.blobs(partMarkEnds, texts)
}

func (p *packer) directives(all []Directive) {
	for _, d := range all {
		p.uint(uint64(d.Range.Start))
		p.uint(uint64(d.Range.End - d.Range.Start))
		p.string(d.Command)
		p.strs(d.Outputs)
	}
	p.end(partDirectives)
}

func (p *packer) ranges(part int, all []Range) {
	for _, r := range all {
		p.uint(uint64(r.Start))
		p.uint(uint64(r.End - r.Start))
	}
	p.end(part)
}

package index

import (
	"encoding/binary"
	"encoding/hex"
)

// part returns the bytes of one part; nil when the pack is damaged.
func (p pack) part(i int) []byte {
	if len(p) < 1+4*partCount || p[0] != packVersion {
		return nil
	}
	start := uint32(1 + 4*partCount)
	if i > 0 {
		start = binary.LittleEndian.Uint32(p[1+4*(i-1):])
	}
	end := binary.LittleEndian.Uint32(p[1+4*i:])
	if start > end || int(end) > len(p) {
		return nil
	}
	return p[start:end]
}

func (p pack) column(i int) column { return openColumn(p.part(i)) }

// A stream reads what packer.uint, int and inline write. After damaged input it
// yields zeros and bad is set.
type stream struct {
	b   []byte
	bad bool
}

func (s *stream) uint() uint64 {
	v, n := binary.Uvarint(s.b)
	if n <= 0 {
		s.bad, s.b = true, nil
		return 0
	}
	s.b = s.b[n:]
	return v
}

func (s *stream) int() int64 {
	v, n := binary.Varint(s.b)
	if n <= 0 {
		s.bad, s.b = true, nil
		return 0
	}
	s.b = s.b[n:]
	return v
}

func (s *stream) byte() byte {
	if len(s.b) == 0 {
		s.bad = true
		return 0
	}
	v := s.b[0]
	s.b = s.b[1:]
	return v
}

func (s *stream) inline() string {
	n := s.uint()
	if n > uint64(len(s.b)) {
		s.bad, s.b = true, nil
		return ""
	}
	v := string(s.b[:n])
	s.b = s.b[n:]
	return v
}

// counts are the numbers at the end of partMeta.
type counts struct {
	size, origin, lines, names, imports, defs, params, sites, calls, locals, exprs, lists, marks,
	directives, errors, headExprs, headLists, headLocals, bound, missed int
}

func (c *counts) fields() []*int {
	return []*int{&c.size, &c.origin, &c.lines, &c.names, &c.imports, &c.defs, &c.params, &c.sites, &c.calls,
		&c.locals, &c.exprs, &c.lists, &c.marks, &c.directives, &c.errors, &c.headExprs, &c.headLists, &c.headLocals, &c.bound, &c.missed}
}

// meta fills f's plain fields and returns the counts.
func (p pack) meta(f *Facts) (counts, bool) {
	s := stream{b: p.part(partMeta)}
	f.Path, f.Language, f.Skipped, f.Module, f.Constraint = s.inline(), s.inline(), s.inline(), s.inline(), s.inline()
	f.Hash = hex.EncodeToString([]byte(s.inline()))
	var c counts
	for _, to := range c.fields() {
		*to = int(s.uint())
	}
	f.Size, f.Origin = c.size, Origin(c.origin)
	f.Bound = uint32(c.bound)
	f.HeadExprs, f.HeadLists, f.HeadLocals = uint32(c.headExprs), uint32(c.headLists), uint32(c.headLocals)
	return c, !s.bad
}

// An unpacker turns a pack back into Facts.
type unpacker struct {
	pack    pack
	counts  counts
	strings []string
	facts   *Facts
	bad     bool
}

// How much unpack unpacks.
type extent uint8

const (
	headOnly extent = iota // what Universe.Head promises
	forLinks               // what Universe.Load promises
	complete
)

// unpack returns the Facts in p. It reports false for a damaged pack.
func (p pack) unpack(e extent) (*Facts, bool) {
	u := unpacker{pack: p, facts: new(Facts)}
	var ok bool
	if u.counts, ok = p.meta(u.facts); !ok || !u.plausible() {
		return nil, false
	}
	u.strings = u.blobs(partStringEnds, -1)
	u.facts.Names = u.blobs(partNameEnds, u.counts.names)
	u.imports()
	u.defs()
	u.params()
	u.expressions(e == headOnly)
	if e >= forLinks {
		u.sites()
		u.calls()
	}
	if e == complete {
		u.facts.LineStarts = numbers(p.column(partLines), u.counts.lines)
		u.facts.Texts = numbers(p.column(partTexts), columnLen(p.part(partTexts)))
		u.facts.Text = string(p.part(partText))
		u.marks()
		u.directives()
		u.facts.Errors, u.facts.Missed = u.ranges(partErrors, u.counts.errors), u.ranges(partMissed, u.counts.missed)
	}
	return u.facts, !u.bad
}

// plausible guards against counts that no part of this size can hold: a
// damaged pack must not make unpack allocate without bound.
func (u *unpacker) plausible() bool {
	c := &u.counts
	for _, n := range []int{c.names, c.imports, c.defs, c.params, c.calls, c.locals, c.exprs, c.lists,
		c.directives, c.errors, c.missed} {
		if n < 0 || n > len(u.pack) {
			return false
		}
	}
	// Sites, marks and lines may all be zero and so take no room in their columns.
	return c.sites >= 0 && c.sites <= 1<<28 && c.marks >= 0 && c.marks <= 1<<28 && c.lines >= 0 && c.lines <= 1<<30
}

// columnLen returns how many numbers the column holds, 0 for one of zeros only.
func columnLen(b []byte) int {
	if len(b) == 0 || b[0] == 0 {
		return 0
	}
	return (len(b) - 1) / int(b[0])
}

func numbers(c column, n int) []uint32 {
	if n == 0 {
		return nil
	}
	out := make([]uint32, n)
	for i := range out {
		out[i] = c.at(i)
	}
	return out
}

// blobs returns n strings (all when n is -1) that share one allocation.
func (u *unpacker) blobs(part, n int) []string {
	ends := u.pack.part(part)
	if n < 0 {
		if n = columnLen(ends); n == 0 && len(u.pack.part(part+1)) == 0 && len(ends) > 0 {
			return []string{""} // at most the empty string: its end is 0 and takes no room
		}
	}
	if n == 0 {
		return nil
	}
	col, all := openColumn(ends), string(u.pack.part(part+1))
	out := make([]string, n)
	at := 0
	for i := range out {
		end := int(col.at(i))
		if end < at || end > len(all) {
			u.bad = true
			return out
		}
		out[i] = all[at:end]
		at = end
	}
	return out
}

func (u *unpacker) string(s *stream) string { return u.str(s.uint()) }

func (u *unpacker) str(n uint64) string {
	if n >= uint64(len(u.strings)) {
		u.bad = true
		return ""
	}
	return u.strings[n]
}

func (u *unpacker) strs(s *stream) []string {
	n := s.uint()
	if n > uint64(len(s.b)) {
		s.bad = true
		return nil
	}
	if n == 0 {
		return nil
	}
	out := make([]string, n)
	for i := range out {
		out[i] = u.string(s)
	}
	return out
}

func (u *unpacker) rng(s *stream) Range {
	start := uint32(s.uint())
	return Range{start, start + uint32(s.uint())}
}

func (u *unpacker) imports() {
	if u.counts.imports == 0 {
		return
	}
	s := stream{b: u.pack.part(partImports)}
	out := make([]Import, u.counts.imports)
	for i := range out {
		out[i] = Import{Path: u.string(&s), Alias: u.string(&s), Range: u.rng(&s), Symbols: u.strs(&s), Aliases: u.strs(&s)}
	}
	u.facts.Imports, u.bad = out, u.bad || s.bad
}

func (u *unpacker) defs() {
	if u.counts.defs == 0 {
		return
	}
	v := openDefs(u.pack)
	out := make([]Def, u.counts.defs)
	for i := range out {
		v.read(i, &out[i])
	}
	u.facts.Defs = out
}

func (u *unpacker) params() {
	if u.counts.params == 0 {
		return
	}
	s := stream{b: u.pack.part(partParams)}
	out := make([]Param, u.counts.params)
	for i := range out {
		flags := s.byte()
		out[i] = Param{Name: u.string(&s), Type: u.string(&s), Variadic: flags&1 != 0, Keyword: flags&2 != 0, Optional: flags&4 != 0}
		if flags&8 != 0 {
			out[i].Default = u.string(&s)
		}
	}
	u.facts.Params, u.bad = out, u.bad || s.bad
}

func (u *unpacker) sites() {
	if u.counts.sites == 0 {
		return
	}
	v := openSites(u.pack)
	out := make([]Site, u.counts.sites)
	for i := range out {
		out[i] = v.read(i)
	}
	u.facts.Sites = out
}

func (u *unpacker) calls() {
	if u.counts.calls == 0 {
		return
	}
	count, flags := u.pack.column(partCallCount), u.pack.column(partCallFlags)
	start, length := u.pack.column(partCallStart), u.pack.column(partCallLength)
	names := stream{b: u.pack.part(partCallNames)}
	out := make([]Args, u.counts.calls)
	for i := range out {
		at := int(start.at(i))
		out[i] = Args{Count: int(count.at(i)), Spread: flags.at(i)&1 != 0, Start: at, End: at + int(length.at(i))}
		if flags.at(i)&2 != 0 {
			names.uint()
			out[i].Names = u.strs(&names)
		}
	}
	u.facts.Calls, u.bad = out, u.bad || names.bad
}

func (u *unpacker) expressions(head bool) {
	locals, exprs, lists := u.counts.locals, u.counts.exprs, u.counts.lists
	if h := &u.counts; head && h.headExprs+h.headLists+h.headLocals > 0 {
		locals, exprs, lists = min(locals, h.headLocals), min(exprs, h.headExprs), min(lists, h.headLists)
	}
	f := u.facts
	s := stream{b: u.pack.part(partLocals)}
	f.Locals = filled(locals, func(int) Local {
		return Local{Name: uint32(s.uint()), Type: int32(s.int()), Value: int32(s.int())}
	})
	e := stream{b: u.pack.part(partExprs)}
	next := uint32(0)
	f.Exprs = filled(exprs, func(i int) Expr {
		x := Expr{Op: e.byte(), Name: -1, A: -1, B: -1, L0: next}
		flags := e.byte()
		operand(&e, flags&1 != 0, 0, &x.Name)
		operand(&e, flags&2 != 0, i, &x.A)
		operand(&e, flags&4 != 0, i, &x.B)
		if flags&16 != 0 {
			x.L0 = uint32(e.uint())
		}
		x.L1 = x.L0
		if flags&8 != 0 {
			x.L1 += uint32(e.uint())
		}
		next = x.L1
		return x
	})
	l := stream{b: u.pack.part(partLists)}
	f.Lists = filled(lists, func(i int) int32 { return int32(l.int() + int64(i)) })
	u.bad = u.bad || s.bad || e.bad || l.bad
}

func operand(s *stream, present bool, base int, to *int32) {
	if present {
		*to = int32(s.int() + int64(base))
	}
}

func filled[T any](n int, at func(i int) T) []T {
	if n == 0 {
		return nil
	}
	out := make([]T, n)
	for i := range out {
		out[i] = at(i)
	}
	return out
}

func (u *unpacker) marks() {
	if u.counts.marks == 0 {
		return
	}
	v := openMarks(u.pack)
	texts := u.blobs(partMarkEnds, u.counts.marks)
	out := make([]MarkFact, u.counts.marks)
	for i := range out {
		out[i] = v.read(i)
		out[i].Text = texts[i]
		out[i].Form = u.str(uint64(v.form.at(i)))
	}
	u.facts.Marks = out
}

func (u *unpacker) directives() {
	s := stream{b: u.pack.part(partDirectives)}
	u.facts.Directives = filled(u.counts.directives, func(int) Directive {
		return Directive{Range: u.rng(&s), Command: u.string(&s), Outputs: u.strs(&s)}
	})
	u.bad = u.bad || s.bad
}

func (u *unpacker) ranges(part, n int) []Range {
	s := stream{b: u.pack.part(part)}
	out := filled(n, func(int) Range { return u.rng(&s) })
	u.bad = u.bad || s.bad
	return out
}

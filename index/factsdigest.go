package index

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"runtime"
	"slices"
)

// Facts identifies the outputs: the SHA-256, in hexadecimal, over every
// symbol, reference, resolution and relation. It does not depend on how the
// Snapshot came about. It is computed when first asked for.
func (s *Snapshot) Facts() string { return s.lazy.facts() }

func (s *Snapshot) computeFacts() string {
	h := sha256.New()
	rank := make(map[*file]uint32, len(s.order))
	for i, slot := range s.order {
		rank[s.slots[slot]] = uint32(i)
	}
	var b []byte
	target := func(n uint32) {
		r, _ := s.symbol(n)
		b = binary.LittleEndian.AppendUint32(b, rank[r.file])
		b = binary.LittleEndian.AppendUint32(b, uint32(r.def))
	}
	for _, slot := range s.order {
		f := s.slots[slot]
		b = appendString(b[:0], f.path)
		b = appendString(b, f.pkg)
		b = appendString(b, f.skipped)
		b = append(b, byte(f.origin))
		b = append(b, f.hash[:]...)
		b = binary.LittleEndian.AppendUint32(b, uint32(len(f.pack)))
		h.Write(b)
		h.Write(f.pack)
		runtime.KeepAlive(f.segment)
		b = b[:0]
		for i := range f.res.len() {
			r := f.res
			if r.dropped(i) {
				b = append(b, headDropped)
				continue
			}
			b = append(b, r.head[i])
			b = appendString(b, r.ruleOf(i))
			b = appendString(b, r.reason(i))
			b = appendString(b, r.module(i))
			for _, t := range r.targets(i) {
				target(t)
			}
			if len(b) > 1<<16 {
				h.Write(b)
				b = b[:0]
			}
		}
		h.Write(b)
	}
	b = b[:0]
	out := s.relations().out
	keys := make([]uint32, 0, len(out))
	for k := range out {
		keys = append(keys, k)
	}
	slices.SortFunc(keys, func(x, y uint32) int {
		a, _ := s.symbol(x)
		c, _ := s.symbol(y)
		if a.file != c.file {
			return int(rank[a.file]) - int(rank[c.file])
		}
		return a.def - c.def
	})
	for _, k := range keys {
		for _, e := range out[k] {
			target(k)
			target(e.other)
			b = append(b, byte(e.kind), bits(e.sure))
		}
	}
	h.Write(b)
	return hex.EncodeToString(h.Sum(nil))
}

package index

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"hash"
	"runtime"
	"slices"
)

// Facts identifies the outputs: the SHA-256, in hexadecimal, over every
// symbol, reference, resolution and relation. It does not depend on how the
// Snapshot came about. It is computed when first asked for.
func (s *Snapshot) Facts() string { return s.lazy.facts() }

func (s *Snapshot) computeFacts() string {
	d := factsDigest{s: s, h: sha256.New(), rank: make(map[*file]uint32, len(s.order))}
	for i, slot := range s.order {
		d.rank[s.slots[slot]] = uint32(i)
	}
	for _, slot := range s.order {
		d.file(s.slots[slot])
	}
	d.relations()
	return hex.EncodeToString(d.h.Sum(nil))
}

type factsDigest struct {
	s    *Snapshot
	h    hash.Hash
	rank map[*file]uint32 // in order of path
	b    []byte
}

func (d *factsDigest) flush() {
	d.h.Write(d.b)
	d.b = d.b[:0]
}

// target appends a symbol by place, because its number depends on history.
func (d *factsDigest) target(n uint32) {
	r, _ := d.s.symbol(n)
	d.b = binary.LittleEndian.AppendUint32(d.b, d.rank[r.file])
	d.b = binary.LittleEndian.AppendUint32(d.b, uint32(r.def))
}

func (d *factsDigest) file(f *file) {
	d.b = appendString(d.b, f.path)
	d.b = appendString(d.b, f.pkg)
	d.b = appendString(d.b, f.skipped)
	d.b = append(d.b, byte(f.origin))
	d.b = append(d.b, f.hash[:]...)
	d.b = binary.LittleEndian.AppendUint32(d.b, uint32(len(f.pack())))
	d.flush()
	d.h.Write(f.pack())
	runtime.KeepAlive(f.packed)
	r := f.res
	for i := range r.len() {
		if len(d.b) > 1<<16 {
			d.flush()
		}
		if r.dropped(i) {
			d.b = append(d.b, headDropped)
			continue
		}
		d.b = append(d.b, r.head[i])
		d.b = appendString(d.b, r.ruleOf(i))
		d.b = appendString(d.b, r.reason(i))
		d.b = appendString(d.b, r.module(i))
		for _, t := range r.targets(i) {
			d.target(t)
		}
	}
	d.flush()
}

func (d *factsDigest) relations() {
	out := d.s.relations().out
	keys := make([]uint32, 0, len(out))
	for k := range out {
		keys = append(keys, k)
	}
	slices.SortFunc(keys, func(x, y uint32) int {
		a, _ := d.s.symbol(x)
		b, _ := d.s.symbol(y)
		if a.file != b.file {
			return int(d.rank[a.file]) - int(d.rank[b.file])
		}
		return a.def - b.def
	})
	for _, k := range keys {
		for _, e := range out[k] {
			d.target(k)
			d.target(e.other)
			d.b = append(d.b, byte(e.kind), bits(e.sure))
		}
	}
	d.flush()
}

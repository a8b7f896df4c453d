package extract

import (
	"encoding/binary"
	"math/bits"
)

// Odd constants with an even mix of bits, after splitmix64.
const (
	mixA = 0x9e3779b97f4a7c15
	// Seed begins a hash that Mix continues: never mixA, which Mix would cancel.
	Seed = 0xbf58476d1ce4e5b9
)

// Mix returns a hash of both numbers.
func Mix(a, b uint64) uint64 {
	hi, lo := bits.Mul64(a^mixA, b^Seed)
	return hi ^ lo
}

// Hash is a 64-bit hash that is the same on every machine. It resists accidents,
// not adversaries.
func Hash(b []byte) uint64 {
	h := uint64(len(b)) + Seed
	for len(b) > 8 {
		h = Mix(h, binary.LittleEndian.Uint64(b))
		b = b[8:]
	}
	return Mix(h, Head(b))
}

// Head returns the first eight bytes of b as a number, zeros behind its end.
func Head(b []byte) uint64 {
	if len(b) >= 8 {
		return binary.LittleEndian.Uint64(b)
	}
	var h uint64
	for i, c := range b {
		h |= uint64(c) << (8 * i)
	}
	return h
}

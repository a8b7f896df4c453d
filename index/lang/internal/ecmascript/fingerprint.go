package ecmascript

import "encoding/binary"

// fingerprints gives each Def from first on the hash of its tokens. Comments, line ends,
// commas before a closing bracket, semicolons and the kind of quotes do not
// count, so that formatting changes nothing.
//
// Definitions are taken from the last to the first, so that each finds those
// inside it done: every node is looked at once.
func (x *extractor) fingerprints(first int) {
	if cap(x.hashed) < len(x.nodes) {
		x.hashed = make([]uint64, len(x.nodes), len(x.nodes)+len(x.nodes)/2)
	} else {
		x.hashed = x.hashed[:len(x.nodes)]
		clear(x.hashed)
	}
	for i := len(x.defs) - 1; i >= first; i-- {
		n := x.defNode[i]
		if n < 0 {
			continue
		}
		if x.hashed[n] == 0 {
			x.hashed[n] = x.fingerprint(n) | 1
		}
		x.defs[i].Fingerprint = x.hashed[n]
	}
}

func (x *extractor) fingerprint(n int32) uint64 {
	h := uint64(mixB)
	comma := false
	for i, end := n, x.nodes[n].Next; i < end; {
		node := &x.nodes[i]
		if i != n && x.hashed[i] != 0 {
			if comma {
				h, comma = mix(h, ','), false
			}
			h = mix(h, x.hashed[i])
			i = node.Next
			continue
		}
		if node.Next != i+1 {
			i++
			continue
		}
		i = node.Next
		switch x.g.kinds[node.Kind] {
		case kComment, kSemicolon, kQuote:
			continue
		case kComma:
			comma = true
			continue
		case kClose:
			comma = false
		}
		if node.Start == node.End {
			continue
		}
		if comma {
			h, comma = mix(h, ','), false
		}
		h = mix(h, hashBytes(x.src[node.Start:node.End]))
	}
	return h
}

// Odd constants with an even mix of bits, after splitmix64.
const (
	mixA = 0x9e3779b97f4a7c15
	mixB = 0xbf58476d1ce4e5b9
)

func mix(a, b uint64) uint64 {
	h := (a ^ mixA) * mixB
	h ^= h >> 29
	h = (h + b) * mixA
	return h ^ h>>32
}

// hashBytes is a 64-bit hash that is the same on every machine. It resists
// accidents, not adversaries.
func hashBytes(b []byte) uint64 {
	h := uint64(len(b)) + mixB
	for len(b) >= 8 {
		h = mix(h, binary.LittleEndian.Uint64(b))
		b = b[8:]
	}
	var tail uint64
	for i, c := range b {
		tail |= uint64(c) << (8 * i)
	}
	return mix(h, tail)
}

package index

import "unsafe"

// A nameTable is a fixed table of distinct names: what a saved Snapshot holds,
// read where it lies. Name i is bytes[ends[i-1]:ends[i]]; hash has the numbers,
// plus one, at the places that probing from the name's hash comes to, 0 where
// there is none; its length is a power of two.
type nameTable struct {
	ends  []uint32
	bytes []byte
	hash  []uint32
}

func newNameTable(list []string) *nameTable {
	size := 2
	for size < 2*len(list) {
		size *= 2
	}
	t := &nameTable{ends: make([]uint32, len(list)), hash: make([]uint32, size)}
	for i, s := range list {
		t.bytes = append(t.bytes, s...)
		t.ends[i] = uint32(len(t.bytes))
		at := hashName(s) & uint32(len(t.hash)-1)
		for t.hash[at] != 0 {
			at = (at + 1) & uint32(len(t.hash)-1)
		}
		t.hash[at] = uint32(i) + 1
	}
	return t
}

func (t *nameTable) len() int {
	if t == nil {
		return 0
	}
	return len(t.ends)
}

// string returns a name as a view.
func (t *nameTable) string(i uint32) string {
	start := uint32(0)
	if i > 0 {
		start = t.ends[i-1]
	}
	return viewString(t.bytes[start:t.ends[i]])
}

func (t *nameTable) lookup(s string) (uint32, bool) {
	if t == nil || len(t.hash) == 0 {
		return 0, false
	}
	for at := hashName(s) & uint32(len(t.hash)-1); t.hash[at] != 0; at = (at + 1) & uint32(len(t.hash)-1) {
		if i := t.hash[at] - 1; t.string(i) == s {
			return i, true
		}
	}
	return 0, false
}

// hashName is FNV-1a with its last bits mixed.
func hashName(s string) uint32 {
	h := uint64(14695981039346656037)
	for i := range len(s) {
		h = (h ^ uint64(s[i])) * 1099511628211
	}
	return uint32(h ^ h>>32)
}

// viewString returns b as a string without copying: b must not change after.
func viewString(b []byte) string { return unsafe.String(unsafe.SliceData(b), len(b)) }

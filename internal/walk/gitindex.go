package walk

import (
	"bytes"
	"encoding/binary"
	"io/fs"
	"path"
)

// An index holds the paths that git tracks, read from .git/index
// (gitformat-index(5), versions 2 to 4). A nil index tracks nothing.
type index struct {
	files   map[string]bool // true for a submodule
	folders map[string]bool
}

func (x *index) has(rel string) bool {
	if x == nil {
		return false
	}
	_, ok := x.files[rel]
	return ok
}

func (x *index) submodule(rel string) bool { return x != nil && x.files[rel] }

func (x *index) below(rel string) bool { return x != nil && x.folders[rel] }

func readIndex(fsys fs.FS, name string) *index {
	data := readSmall(fsys, name)
	if len(data) < 12 || !bytes.HasPrefix(data, []byte("DIRC")) {
		return nil
	}
	version, count := binary.BigEndian.Uint32(data[4:]), binary.BigEndian.Uint32(data[8:])
	if version < 2 || version > 4 {
		return nil
	}
	x := &index{files: make(map[string]bool), folders: make(map[string]bool)}
	at, prev := 12, ""
	for range count {
		const fixed = 62 // bytes before the path
		if at+fixed > len(data) {
			return x
		}
		mode, flags := binary.BigEndian.Uint32(data[at+24:]), binary.BigEndian.Uint16(data[at+60:])
		start := at + fixed
		if version >= 3 && flags&0x4000 != 0 {
			start += 2
		}
		p, next, ok := entryPath(data, at, start, version, prev)
		if !ok {
			return x
		}
		x.add(p, mode)
		at, prev = next, p
	}
	return x
}

// entryPath reads the path of the entry at offset at, whose path begins at start.
func entryPath(data []byte, at, start int, version uint32, prev string) (p string, next int, ok bool) {
	if start > len(data) {
		return "", 0, false
	}
	drop := 0
	if version == 4 {
		var width int
		if drop, width = offsetVarint(data[start:]); width == 0 || drop > len(prev) {
			return "", 0, false
		}
		start += width
	}
	end := bytes.IndexByte(data[start:], 0)
	if end < 0 {
		return "", 0, false
	}
	p = string(data[start : start+end])
	if version == 4 {
		return prev[:len(prev)-drop] + p, start + end + 1, true
	}
	return p, at + (start+end-at)/8*8 + 8, true // one to eight bytes of zero follow
}

// offsetVarint reads the variable-width number that git uses in packs for offsets.
func offsetVarint(b []byte) (v, width int) {
	for i, c := range b {
		if i > 4 {
			return 0, 0
		}
		if i > 0 {
			v++
		}
		v = v<<7 | int(c&0x7f)
		if c&0x80 == 0 {
			return v, i + 1
		}
	}
	return 0, 0
}

func (x *index) add(p string, mode uint32) {
	x.files[p] = mode&0o170000 == 0o160000
	for dir := path.Dir(p); dir != "." && dir != "/" && !x.folders[dir]; dir = path.Dir(dir) {
		x.folders[dir] = true
	}
}

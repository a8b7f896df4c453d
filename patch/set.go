package patch

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"hash"
	"io/fs"
)

// SetSchema is the version of a Set's JSON form.
const SetSchema = 1

// Digest returns the SHA-256, in hexadecimal, of the Set's base and of every
// path, operation, mode and byte before and after. Two Sets with the same
// digest write the same; an Authorization holds for exactly one digest (PAT-21).
func (s *Set) Digest() string {
	h := sha256.New()
	part(h, []byte("plumb set 1"), []byte(s.Base))
	for _, f := range s.Files {
		part(h, []byte(f.Path), []byte(f.From), []byte(f.Op), f.Old, f.New)
		number(h, uint64(f.OldMode), uint64(f.NewMode))
	}
	return hex.EncodeToString(h.Sum(nil))
}

// part writes values so that no two lists of them look alike.
func part(h hash.Hash, values ...[]byte) {
	for _, v := range values {
		number(h, uint64(len(v)))
		h.Write(v)
	}
}

func number(h hash.Hash, values ...uint64) {
	for _, v := range values {
		var b [8]byte
		binary.BigEndian.PutUint64(b[:], v)
		h.Write(b[:])
	}
}

// Overlay returns the Set's results for index.Snapshot.Overlay: content by
// path, nil for a path that is gone. Symbolic links are left out. The contents
// are the Set's own and must not be changed.
func (s *Set) Overlay() map[string][]byte {
	over := make(map[string][]byte, len(s.Files))
	for _, f := range s.Files {
		if f.Op == Renamed {
			if _, written := over[f.From]; !written {
				over[f.From] = nil
			}
		}
		switch {
		case f.Op == Deleted:
			over[f.Path] = nil
		case f.NewMode&fs.ModeSymlink != 0:
		case f.New == nil:
			over[f.Path] = []byte{}
		default:
			over[f.Path] = f.New
		}
	}
	return over
}

// Reverse returns the Set that undoes s: applied after s it gives back every
// byte. Its Base is empty, since the Snapshot after s is not known here.
func (s *Set) Reverse() *Set {
	r := &Set{Schema: s.Schema}
	for _, f := range s.Files {
		b := File{Path: f.Path, Op: f.Op, Old: f.New, New: f.Old, OldMode: f.NewMode, NewMode: f.OldMode, Block: f.Block}
		switch f.Op {
		case Created, Copied:
			b.Op, b.New = Deleted, nil
		case Deleted:
			b.Op, b.Old = Created, nil
		case Renamed:
			b.Path, b.From = f.From, f.Path
		}
		r.Files = append(r.Files, b)
	}
	sortFiles(r.Files)
	r.Hunks = hunksOf(r.Files)
	return r
}

// paths returns every path that the Set names, those it only reads too.
func (s *Set) paths() []string {
	var out []string
	for _, f := range s.Files {
		out = append(out, f.Path)
		if f.From != "" {
			out = append(out, f.From)
		}
	}
	return sorted(out)
}

// Touched returns every path that the Set writes or removes, sorted, renamed
// files under both names.
func (s *Set) Touched() []string {
	var paths []string
	for _, f := range s.Files {
		paths = append(paths, f.Path)
		if f.Op == Renamed {
			paths = append(paths, f.From)
		}
	}
	return sorted(paths)
}

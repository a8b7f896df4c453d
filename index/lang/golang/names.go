package golang

import (
	"encoding/binary"
	"slices"
	"strings"

	"github.com/plumbkit/plumb/index/lang/internal/extract"
)

// names interns the words of one file. A word is held as its place in the
// source until finish makes strings of those that are kept.
type names struct {
	src   []byte
	extra []byte  // words that do not stand in the source as they are
	table []int32 // id+1 by hash, a power of two long
	words []word
	// bound is, for each word, what it stands for in the innermost scope; see scope.go.
	bound  []binding
	basics [basicCount]int32 // words of basic types, -1 until used
}

// A word's head and tail are its first and last eight bytes as numbers; they
// overlap in a word of less than sixteen, and are the whole word with zeros
// behind it in one of less than eight.
type word struct {
	head, tail uint64
	start, end uint32 // in src, or in extra
	use        uint8
	special    uint8 // see special
	isExtra    bool
}

// Why a word is kept.
const (
	useIndex  uint8 = 1 << iota // referred to by index
	useString                   // its string is needed
)

func (s *names) reset(src []byte) {
	s.src, s.extra = src, s.extra[:0]
	s.words, s.bound = s.words[:0], s.bound[:0]
	if len(s.table) == 0 {
		s.table = make([]int32, 1<<10)
	}
	clear(s.table)
	for i := range s.basics {
		s.basics[i] = -1
	}
}

func (s *names) text(id int32) []byte {
	w := &s.words[id]
	if w.isExtra {
		return s.extra[w.start:w.end]
	}
	return s.src[w.start:w.end]
}

// intern returns the id of the word at src[start:end].
func (s *names) intern(start, end uint32) int32 {
	n := end - start
	var head, tail uint64
	switch {
	case n >= 8:
		head = binary.LittleEndian.Uint64(s.src[start:])
		tail = binary.LittleEndian.Uint64(s.src[end-8:])
	case int(start)+8 <= len(s.src):
		head = binary.LittleEndian.Uint64(s.src[start:]) & (1<<(8*n) - 1)
		tail = head
	default:
		head = extract.Head(s.src[start:end])
		tail = head
	}
	mask := uint64(len(s.table) - 1)
	for at := hashWord(head, tail, n) & mask; ; at = (at + 1) & mask {
		id := s.table[at] - 1
		if id < 0 {
			return s.addWord(at, word{head: head, tail: tail, start: start, end: end})
		}
		w := &s.words[id]
		if w.head == head && w.tail == tail && w.end-w.start == n &&
			(n <= 16 || string(s.text(id)) == string(s.src[start:end])) {
			return id
		}
	}
}

// internExtra returns the id of a word that need not stand in the source.
func (s *names) internExtra(text string) int32 {
	start := uint32(len(s.extra))
	s.extra = append(s.extra, text...)
	w := word{start: start, end: uint32(len(s.extra)), isExtra: true}
	w.head = extract.Head(s.extra[start:])
	w.tail = extract.Head(s.extra[max(int(start), len(s.extra)-8):])
	mask := uint64(len(s.table) - 1)
	for at := hashWord(w.head, w.tail, w.end-w.start) & mask; ; at = (at + 1) & mask {
		id := s.table[at] - 1
		if id < 0 {
			return s.addWord(at, w)
		}
		if string(s.text(id)) == text {
			s.extra = s.extra[:start]
			return id
		}
	}
}

// hashWord hashes a word for the table. Words that differ in the middle alone
// fall together, which is rare.
func hashWord(head, tail uint64, n uint32) uint64 { return extract.Mix(head+uint64(n), tail) }

func (s *names) addWord(at uint64, w word) int32 {
	s.words = append(s.words, w)
	s.bound = append(s.bound, binding{})
	s.table[at] = int32(len(s.words))
	if 2*len(s.words) > len(s.table) {
		s.growTable()
	}
	return int32(len(s.words) - 1)
}

func (s *names) growTable() {
	s.table = make([]int32, 2*len(s.table))
	mask := uint64(len(s.table) - 1)
	for id := range s.words {
		w := &s.words[id]
		at := hashWord(w.head, w.tail, w.end-w.start) & mask
		for s.table[at] != 0 {
			at = (at + 1) & mask
		}
		s.table[at] = int32(id) + 1
	}
}

// finish returns the strings of all kept words, "" for others, the list of
// those referred to by index, and each word's place in that list. The strings
// share one piece of memory.
func (s *names) finish() (all, list []string, place []uint32) {
	size := 0
	for id := range s.words {
		if s.words[id].use != 0 {
			size += len(s.text(int32(id)))
		}
	}
	var b strings.Builder
	b.Grow(size)
	all, place = make([]string, len(s.words)), make([]uint32, len(s.words))
	n := 0
	for id := range s.words {
		if s.words[id].use == 0 {
			continue
		}
		from := b.Len()
		b.Write(s.text(int32(id)))
		all[id] = b.String()[from:]
		if s.words[id].use&useIndex != 0 {
			place[id] = uint32(n)
			n++
		}
	}
	list = make([]string, 0, n)
	for id := range s.words {
		if s.words[id].use&useIndex != 0 {
			list = append(list, all[id])
		}
	}
	return all, slices.Clip(list), place
}

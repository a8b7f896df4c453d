package python

import "math/bits"

// names interns the words of one file.
type names struct {
	ids   map[string]int32
	words []string
	used  []bool // by word: Facts.Names needs it
}

func (s *names) reset() {
	if s.ids == nil || len(s.ids) > 1<<14 {
		s.ids = make(map[string]int32, 1<<9)
	}
	clear(s.ids)
	s.words, s.used = nil, s.used[:0]
}

func (s *names) intern(b []byte) int32 {
	if id, ok := s.ids[string(b)]; ok {
		return id
	}
	return s.add(string(b))
}

func (s *names) internText(text string) int32 {
	if id, ok := s.ids[text]; ok {
		return id
	}
	return s.add(text)
}

func (s *names) add(text string) int32 {
	id := int32(len(s.words))
	s.ids[text] = id
	s.words = append(s.words, text)
	s.used = append(s.used, false)
	return id
}

// kept returns the words that are used, and each word's place among them.
func (s *names) kept() (list []string, place []int32) {
	place = make([]int32, len(s.words))
	for id, used := range s.used {
		if place[id] = -1; used {
			place[id] = int32(len(list))
			list = append(list, s.words[id])
		}
	}
	return list, place
}

// Odd constants with an even mix of bits, after splitmix64.
const (
	mixA = 0x9e3779b97f4a7c15
	mixB = 0xbf58476d1ce4e5b9
)

func mix(a, b uint64) uint64 {
	hi, lo := bits.Mul64(a^mixA, b^mixB)
	return hi ^ lo
}

// hashBytes is a 64-bit hash that is the same on every machine. It resists
// accidents, not adversaries.
func hashBytes(b []byte) uint64 {
	h := uint64(len(b)) + mixB
	for len(b) > 8 {
		h = mix(h, word64(b))
		b = b[8:]
	}
	return mix(h, word64(b))
}

// word64 returns the first eight bytes of b as a number, zeros behind its end.
func word64(b []byte) uint64 {
	var h uint64
	for i := 0; i < len(b) && i < 8; i++ {
		h |= uint64(b[i]) << (8 * i)
	}
	return h
}

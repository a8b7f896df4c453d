package index

// A segment is a block of memory for packs. Packs hold no pointers; kept
// outside the Go heap, the packs of a large tree do not double the memory that
// the garbage collector lets the process grow to. A segment is released when
// no file refers to it any more.
type segment struct{ data []byte }

const segmentSize = 4 << 20

// A segments allocator hands out room for packs, for one goroutine.
type segments struct {
	current *segment
	used    int
}

// keep copies p to where it can stay.
func (s *segments) keep(p pack) *packed {
	if s == nil || len(p) > segmentSize/2 {
		return &packed{pack: append(pack(nil), p...)}
	}
	to, segment := s.take(len(p))
	copy(to, p)
	return &packed{pack: to, segment: segment}
}

// take returns n bytes, at most half of a segment, and the segment that holds
// them; nil when they are on the heap.
func (s *segments) take(n int) ([]byte, *segment) {
	if s.current == nil || s.used+n > len(s.current.data) {
		if s.current = newSegment(segmentSize); s.current == nil {
			return make([]byte, n), nil
		}
		s.used = 0
	}
	to := s.current.data[s.used : s.used+n : s.used+n]
	s.used += n
	return to, s.current
}

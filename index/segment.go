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
func (s *segments) keep(p pack) (pack, *segment) {
	if s == nil || len(p) > segmentSize/2 {
		return append(pack(nil), p...), nil
	}
	if s.current == nil || s.used+len(p) > len(s.current.data) {
		if s.current = newSegment(segmentSize); s.current == nil {
			return append(pack(nil), p...), nil
		}
		s.used = 0
	}
	to := s.current.data[s.used : s.used+len(p) : s.used+len(p)]
	copy(to, p)
	s.used += len(p)
	return pack(to), s.current
}

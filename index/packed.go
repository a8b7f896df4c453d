package index

import (
	"sync"

	"github.com/klauspost/compress/s2"
)

// packed holds one file's pack: as it is, or compressed, as it came from a
// store, until it is first asked for. It is shared by all versions of the file
// that hold the same facts, and safe for concurrent use.
type packed struct {
	pack    pack
	segment *segment // holds pack's memory; nil when it is on the heap

	small []byte   // compressed; nil when pack was there from the start
	from  *segment // holds small's memory
	room  *sharedSegments
	once  sync.Once
}

func (p *packed) open() pack {
	if p == nil {
		return nil
	}
	if p.small != nil {
		p.once.Do(p.inflate)
	}
	return p.pack
}

// inflate is not called for what is not whole: who took the bytes in has
// compared their checksum.
func (p *packed) inflate() {
	if n := inflated(p.small); n > 0 {
		to, segment := p.room.take(n)
		if out, err := s2.Decode(to, p.small); err == nil {
			p.pack, p.segment = out, segment
		}
	}
}

// maxPack bounds what a compressed pack can say of its size: a file's facts are
// seldom larger than the file, whose size is bounded too.
const maxPack = 256 << 20

// inflated returns the size of a compressed pack, 0 when it is not plausible.
func inflated(small []byte) int {
	n, err := s2.DecodedLen(small)
	if err != nil || n > maxPack || n/200 > len(small) {
		return 0
	}
	return n
}

// pack returns the file's pack, nil when it has none.
func (f *file) pack() pack { return f.packed.open() }

// sharedSegments hand out room to several goroutines.
type sharedSegments struct {
	mu sync.Mutex
	segments
}

// take returns n bytes and the segment that holds them, nil for the heap.
func (s *sharedSegments) take(n int) ([]byte, *segment) {
	if s == nil || n > segmentSize/2 {
		return make([]byte, n), nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.segments.take(n)
}

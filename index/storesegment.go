package index

import (
	"bytes"
	"encoding/binary"
	"hash/crc32"
	"os"
	"time"
)

// A segment file is records one after the other: a head of 48 bytes, then the
// data, filled up to a multiple of 8 bytes. The head is, little-endian: a magic
// number (4 bytes), the CRC-32C of the rest of the head and the data (4), the
// data's length (8) and the key (32). Reading stops at the first record that is
// not whole. A snapshot file is one such record.
const (
	recordMagic  = 0x31426c70 // "plB1"
	recordHeader = 48
	maxEntry     = 1 << 30

	segmentExt   = ".facts"
	snapshotExt  = ".snapshot"
	temporaryExt = ".part"
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// recordHead returns the head of a record whose data are the parts, one after the other.
func recordHead(key [32]byte, parts ...[]byte) []byte {
	h := make([]byte, recordHeader)
	n := 0
	for _, p := range parts {
		n += len(p)
	}
	binary.LittleEndian.PutUint32(h, recordMagic)
	binary.LittleEndian.PutUint64(h[8:], uint64(n))
	copy(h[16:], key[:])
	sum := crc32.Checksum(h[8:], castagnoli)
	for _, p := range parts {
		sum = crc32.Update(sum, castagnoli, p)
	}
	binary.LittleEndian.PutUint32(h[4:], sum)
	return h
}

// readRecord returns the key of the record at an offset and where its data
// stands; ok is false when it is not whole, or not that of want.
func readRecord(b []byte, offset int, want *[32]byte) (key [32]byte, at, n int, ok bool) {
	if offset < 0 || len(b)-offset < recordHeader || binary.LittleEndian.Uint32(b[offset:]) != recordMagic {
		return key, 0, 0, false
	}
	h := b[offset : offset+recordHeader]
	size := binary.LittleEndian.Uint64(h[8:])
	at = offset + recordHeader
	if size > maxEntry || size > uint64(len(b)-at) {
		return key, 0, 0, false
	}
	n = int(size)
	if sum := crc32.Update(crc32.Checksum(h[8:], castagnoli), castagnoli, b[at:at+n]); sum != binary.LittleEndian.Uint32(h[4:]) {
		return key, 0, 0, false
	}
	copy(key[:], h[16:])
	return key, at, n, want == nil || bytes.Equal(key[:], want[:])
}

// padded returns the length of a record's data as it stands in the file.
func padded(n int) int { return (n + 7) &^ 7 }

// place is where an entry's data stands in a segment file.
type place struct{ at, n int }

// A storeSegment is one mapped segment file.
type storeSegment struct {
	path    string
	memory  *segment
	entries map[[32]byte]place
	used    bool
}

// openSegment maps a file and checks its records; nil when it has none.
func openSegment(path string) *storeSegment {
	memory := mapFile(path)
	if memory == nil {
		return nil
	}
	s := &storeSegment{path: path, memory: memory, entries: make(map[[32]byte]place, len(memory.data)>>13)}
	for offset := 0; ; {
		key, at, n, ok := readRecord(memory.data, offset, nil)
		if !ok {
			break
		}
		s.entries[key] = place{at, n}
		offset = at + padded(n)
	}
	if len(s.entries) == 0 {
		return nil
	}
	return s
}

func (s *storeSegment) get(key [32]byte) ([]byte, bool) {
	p, ok := s.entries[key]
	if !ok {
		return nil, false
	}
	if !s.used {
		s.used = true
		touch(s.path)
	}
	return s.memory.data[p.at : p.at+p.n : p.at+p.n], true
}

// touch notes that a file was used, once a minute at most.
func touch(path string) {
	now := time.Now()
	if info, err := os.Stat(path); err == nil && now.Sub(info.ModTime()) > time.Minute {
		_ = os.Chtimes(path, now, now)
	}
}

// An ownSegment is the file that this process appends to.
type ownSegment struct {
	file *os.File
	name string
	buf  []byte
	size int // bytes written, buf left out
	at   map[[32]byte]place
}

const bufferSize = 1 << 20

func (o *ownSegment) append(key [32]byte, data []byte) error {
	if _, there := o.at[key]; there {
		return nil
	}
	o.buf = append(o.buf, recordHead(key, data)...)
	o.at[key] = place{o.size + len(o.buf), len(data)}
	o.buf = append(o.buf, data...)
	o.buf = append(o.buf, make([]byte, padded(len(data))-len(data))...)
	if len(o.buf) < bufferSize {
		return nil
	}
	return o.flush()
}

func (o *ownSegment) flush() error {
	n, err := o.file.Write(o.buf)
	o.size += n
	o.buf = o.buf[:0]
	return err
}

// get returns a copy of an entry, nil when there is none.
func (o *ownSegment) get(key [32]byte) []byte {
	p, ok := o.at[key]
	if !ok {
		return nil
	}
	if p.at >= o.size {
		return append([]byte(nil), o.buf[p.at-o.size:p.at-o.size+p.n]...)
	}
	data := make([]byte, p.n)
	if _, err := o.file.ReadAt(data, int64(p.at)); err != nil {
		return nil
	}
	return data
}

func (o *ownSegment) close() { _ = o.file.Close() }

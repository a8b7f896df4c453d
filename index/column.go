package index

import "encoding/binary"

// A column is a slice of numbers, all in the fewest bytes that hold the
// largest: one byte of width (0, 1, 2, 4 or 8; 0 means that all are zero),
// then the numbers, little-endian. It is read in place.
type column struct {
	width uint8
	data  []byte
}

func openColumn(b []byte) column {
	if len(b) == 0 {
		return column{}
	}
	return column{width: b[0], data: b[1:]}
}

// at returns the i-th number, 0 where the column is too short, so that a
// damaged pack gives wrong data but never a crash.
func (c column) at(i int) uint32 {
	switch c.width {
	case 1:
		if i < len(c.data) {
			return uint32(c.data[i])
		}
	case 2:
		if 2*i+2 <= len(c.data) {
			return uint32(binary.LittleEndian.Uint16(c.data[2*i:]))
		}
	case 4:
		if 4*i+4 <= len(c.data) {
			return binary.LittleEndian.Uint32(c.data[4*i:])
		}
	case 8:
		return uint32(c.wide(i))
	}
	return 0
}

// signed returns the i-th number of a column that holds each number plus one.
func (c column) signed(i int) int32 { return int32(c.at(i)) - 1 }

func (c column) wide(i int) uint64 {
	if c.width != 8 {
		return uint64(c.at(i))
	}
	if 8*i+8 <= len(c.data) {
		return binary.LittleEndian.Uint64(c.data[8*i:])
	}
	return 0
}

// search returns the last i in [0, n) whose number is at most v, or -1. The
// column ascends.
func (c column) search(n int, v uint32) int {
	lo, hi := 0, n
	for lo < hi {
		mid := int(uint(lo+hi) >> 1)
		if c.at(mid) <= v {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	return lo - 1
}

// appendColumn appends the n numbers that at returns.
func appendColumn(b []byte, n int, at func(i int) uint32) []byte {
	var all uint32
	for i := range n {
		all |= at(i)
	}
	switch {
	case all == 0:
		return append(b, 0)
	case all < 1<<8:
		b = append(b, 1)
		for i := range n {
			b = append(b, byte(at(i)))
		}
	case all < 1<<16:
		b = append(b, 2)
		for i := range n {
			b = binary.LittleEndian.AppendUint16(b, uint16(at(i)))
		}
	default:
		b = append(b, 4)
		for i := range n {
			b = binary.LittleEndian.AppendUint32(b, at(i))
		}
	}
	return b
}

func appendWide(b []byte, n int, at func(i int) uint64) []byte {
	b = append(b, 8)
	for i := range n {
		b = binary.LittleEndian.AppendUint64(b, at(i))
	}
	return b
}

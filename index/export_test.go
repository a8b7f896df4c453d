package index

// PackBytes returns how many bytes each part of all packs takes, and their sum.
func PackBytes(s *Snapshot) (parts []int, sum int) {
	parts = make([]int, partCount)
	for _, slot := range s.order {
		p := s.slots[slot].pack()
		sum += len(p)
		for i := range parts {
			parts[i] += len(p.part(i))
		}
	}
	return parts, sum
}

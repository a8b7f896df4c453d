package index

import "fmt"

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

// Differ says in which file and part two snapshots of one state differ.
func Differ(a, b *Snapshot) (out []string) {
	for _, slot := range a.order {
		f := a.slots[slot]
		g := b.file(f.path)
		if string(f.pack()) != string(g.pack()) {
			for i := range partCount {
				if string(f.pack().part(i)) != string(g.pack().part(i)) {
					out = append(out, fmt.Sprint(f.path, " part ", i, f.pack().part(i), g.pack().part(i)))
				}
			}
		}
		for i := range f.res.len() {
			if f.res.head[i] != g.res.head[i] || f.res.reason(i) != g.res.reason(i) {
				out = append(out, fmt.Sprintf("%s site %d %+v: %x %x %q %q", f.path, i, a.renderRef(siteRef{f, i}), f.res.head[i], g.res.head[i], f.res.reason(i), g.res.reason(i)))
			}
		}
	}
	return out
}

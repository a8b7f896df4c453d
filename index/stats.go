package index

import "time"

// Stats are the numbers of one Snapshot.
type Stats struct {
	Files      int `json:"files"`
	Skipped    int `json:"skipped"` // listed with a reason
	Lines      int `json:"lines"`
	Symbols    int `json:"symbols"`
	References int `json:"references"` // Static + Ambiguous + Dynamic + External + Unresolved
	Static     int `json:"static"`
	Ambiguous  int `json:"ambiguous"`
	Dynamic    int `json:"dynamic"`
	External   int `json:"external"`
	Unresolved int `json:"unresolved"`
	// ParseCPU is the time spent inside the parser by the Indexer that made
	// this Snapshot and its overlays so far.
	ParseCPU time.Duration `json:"parse_cpu"`
}

// Stats returns the Snapshot's numbers.
func (s *Snapshot) Stats() Stats {
	st := s.lazy.stats()
	st.ParseCPU = time.Duration(s.engine.parseNanos.Load())
	return st
}

func (s *Snapshot) computeStats() Stats {
	var st Stats
	h := s.hollows()
	byStatus := [...]*int{Unresolved: &st.Unresolved, Static: &st.Static, Ambiguous: &st.Ambiguous, Dynamic: &st.Dynamic,
		External: &st.External}
	for _, slot := range s.order {
		f := s.slots[slot]
		st.Files++
		st.Lines += f.lines
		st.Symbols += int(f.defs)
		if f.skipped != "" {
			st.Skipped++
		}
		for i := range f.res.len() {
			if r := (siteRef{f, i}); h.refers(r) {
				*byStatus[h.status(r)]++
				st.References++
			}
		}
	}
	return st
}

// Small reports whether the repository has so few lines, at most 5,000, that a
// host may do without an index and take everything (IDX-30).
func (s *Snapshot) Small() bool {
	n := 0
	for _, slot := range s.order {
		n += s.slots[slot].lines
	}
	return n <= 5000
}

package index

import (
	"context"
	"io/fs"
	"time"

	"github.com/plumbkit/plumb/host/fault"
	"github.com/plumbkit/plumb/internal/walk"
)

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
			if status := int(f.res.status(i)); status < len(byStatus) {
				*byStatus[status]++
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

// Drift returns the paths whose content now differs from what was indexed:
// changed, new and gone files, sorted. It reads every file. Faults: canceled,
// environment.
func (s *Snapshot) Drift(ctx context.Context) ([]string, error) {
	if s.fsys == nil {
		return nil, &fault.Fault{Class: fault.InvalidInput, Op: "index.drift", Detail: "the snapshot was built without a file system",
			Next: "compare with a snapshot that an Indexer made"}
	}
	entries, err := walk.Walk(ctx, s.fsys, s.engine.walk)
	if err != nil {
		return nil, fault.From(err, "index.drift", "check that the repository's root exists and can be read")
	}
	now, err := s.engine.hashAll(ctx, s.fsys, entries)
	if err != nil {
		return nil, fault.From(err, "index.drift", "ask again")
	}
	return s.compare(entries, now), nil
}

// compare lists the paths at which the entries differ from the Snapshot. An
// overlay's contents count as what should stand there.
func (s *Snapshot) compare(entries []walk.Entry, now []*file) []string {
	var out []string
	i, j := 0, 0
	for i < len(s.order) || j < len(entries) {
		switch {
		case j == len(entries) || i < len(s.order) && s.slots[s.order[i]].path < entries[j].Path:
			out = append(out, s.slots[s.order[i]].path)
			i++
		case i == len(s.order) || entries[j].Path < s.slots[s.order[i]].path:
			out = append(out, entries[j].Path)
			j++
		default:
			if old := s.slots[s.order[i]]; old.read != now[j].read || old.hash != now[j].hash || !old.read && old.skipped != now[j].skipped {
				out = append(out, old.path)
			}
			i, j = i+1, j+1
		}
	}
	return out
}

// overlay makes the Snapshot of other contents.
func (s *Snapshot) overlay(ctx context.Context, contents map[string][]byte) (*Snapshot, error) {
	over := make(map[string][]byte, len(s.over)+len(contents))
	for p, data := range s.over {
		over[p] = data
	}
	fresh := make([]*file, 0, len(contents))
	for p, data := range contents {
		if !fs.ValidPath(p) || p == "." {
			return nil, &fault.Fault{Class: fault.InvalidInput, Op: "index.overlay", Subject: fault.Subject{File: p},
				Detail: "this is no slash-separated path inside the repository", Next: "give paths relative to the repository's root"}
		}
		if data == nil {
			over[p] = nil
			continue
		}
		own := append(make([]byte, 0, len(data)), data...)
		over[p] = own
		f, err := s.engine.overlayFile(ctx, p, own)
		if err != nil {
			return nil, fault.From(err, "index.overlay", "ask again; nothing has to be cleaned up")
		}
		if old := s.file(p); old != nil && old.read && old.hash == f.hash && old.skipped == f.skipped {
			f = old
		}
		fresh = append(fresh, f)
	}
	files := s.merged(fresh, contents)
	manifests, err := s.overlayManifests(files, over)
	if err != nil {
		return nil, err
	}
	return assemble(ctx, s, assembly{fsys: s.fsys, over: over, engine: s.engine, files: files, manifests: manifests})
}

// merged returns the files in order of path with fresh ones in their place.
func (s *Snapshot) merged(fresh []*file, contents map[string][]byte) []*file {
	out := make([]*file, 0, len(s.order)+len(fresh))
	for _, slot := range s.order {
		if _, replaced := contents[s.slots[slot].path]; !replaced {
			out = append(out, s.slots[slot])
		}
	}
	return sortFiles(append(out, fresh...))
}

// overlayManifests reads again only those that an overlay replaced.
func (s *Snapshot) overlayManifests(files []*file, over map[string][]byte) (map[string][]Manifest, error) {
	return s.engine.manifests(files, func(f *file) ([]byte, error) {
		if data := over[f.path]; data != nil {
			return data, nil
		}
		for _, l := range s.linked {
			for _, m := range l.manifests {
				if m.Path == f.path {
					return m.Data, nil
				}
			}
		}
		return readVerified(s.fsys, f)
	})
}

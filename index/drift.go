package index

import (
	"context"

	"github.com/plumbkit/plumb/host/fault"
	"github.com/plumbkit/plumb/internal/walk"
)

// Drift returns the paths whose content now differs from what was indexed:
// changed, new and gone files, sorted. It reads every file but those whose inode,
// size and change time are as they were. Faults: canceled,
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
	now, err := s.engine.hashAll(ctx, s.fsys, entries, s.onDisk)
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

// onDisk returns the version of a file whose stamp is of the file system's
// file: none for what an overlay has replaced.
func (s *Snapshot) onDisk(path string) *file {
	if _, replaced := s.over[path]; replaced {
		return nil
	}
	return s.file(path)
}

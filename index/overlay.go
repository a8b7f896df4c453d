package index

import (
	"context"
	"io/fs"
	"path"
	"slices"

	"github.com/plumbkit/plumb/host/fault"
)

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
	return assemble(ctx, s, assembly{fsys: s.fsys, over: over, engine: s.engine, files: files,
		manifests: s.overlayManifests(contents)})
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

// overlayManifests returns each family's manifests with the overlay's in
// their place.
func (s *Snapshot) overlayManifests(contents map[string][]byte) map[string][]Manifest {
	out := make(map[string][]Manifest)
	for _, of := range s.engine.families {
		var list []Manifest
		for _, m := range s.linked[of.key].manifests {
			if _, replaced := contents[m.Path]; !replaced {
				list = append(list, m)
			}
		}
		for p, data := range contents {
			if data != nil && of.manifest(path.Base(p)) {
				list = append(list, Manifest{Path: p, Data: slices.Clone(data)})
			}
		}
		slices.SortFunc(list, func(a, b Manifest) int { return comparePaths(a.Path, b.Path) })
		out[of.key] = list
	}
	return out
}

package gate

import (
	"io/fs"
	"maps"
	"slices"

	"github.com/plumbkit/plumb/index"
	"github.com/plumbkit/plumb/patch"
)

// elsewhere names a file of the set whose content in Before or After is not the
// set's own, "" without one: a host may hand over the Snapshots of another change,
// and what the rules found in those says nothing about this set.
func elsewhere(c *Case) string {
	const seen = ": the rules looked at other content than the set writes"
	over := c.Set.Overlay()
	for _, path := range slices.Sorted(maps.Keys(over)) {
		info, ok := c.After.File(path)
		switch {
		case over[path] == nil && ok:
			return "the snapshot after the change still has " + path + seen
		case over[path] != nil && !ok && c.Before.Digest() == c.After.Digest():
			return "the snapshot after the change is the one before it, without " + path + seen
		case over[path] != nil && ok && info.Hash != "" && info.Hash != index.ContentHash(over[path]):
			return "the snapshot after the change has another " + path + seen
		}
	}
	for _, f := range c.Set.Files {
		was := f.Path
		switch {
		case f.Op == patch.Created || f.Op == patch.Copied || f.OldMode&fs.ModeSymlink != 0:
			continue
		case f.Op == patch.Renamed:
			was = f.From
		}
		if info, ok := c.Before.File(was); ok && info.Hash != "" && info.Hash != index.ContentHash(f.Old) {
			return "the snapshot before the change has another " + was + seen
		}
	}
	return ""
}

package index

import (
	"cmp"
	"os"
	"path/filepath"
	"slices"
	"time"
)

const (
	smallSegment  = 4 << 20
	manySegments  = 16
	restBefore    = 10 * time.Minute // a segment that nobody has written to for so long may be merged
	forgottenPart = time.Hour
	lockName      = "lock"
)

// A stored file of the folder.
type stored struct {
	path string
	size int64
	when time.Time
}

// maintain merges small segments and removes what was used longest ago. Of
// several processes one does it; the others lose nothing by going on, since a
// file that is removed stays mapped where it is in use.
func (s *FileStore) maintain() {
	unlock := lockFile(filepath.Join(s.Dir, lockName))
	if unlock == nil {
		return
	}
	defer unlock()
	files := s.files()
	if small := mergeable(files, s.ownPath()); len(small) > manySegments && mergeSegments(s.Dir, small) {
		files = s.files()
	}
	s.trim(files)
}

func (s *FileStore) ownPath() string {
	if s.own == nil {
		return ""
	}
	return filepath.Join(s.Dir, s.own.name)
}

// files lists what counts against the bound, and removes what a killed process
// left half-written.
func (s *FileStore) files() []stored {
	list, err := os.ReadDir(s.Dir)
	if err != nil {
		return nil
	}
	var out []stored
	for _, e := range list {
		info, err := e.Info()
		if err != nil || !info.Mode().IsRegular() {
			continue
		}
		path := filepath.Join(s.Dir, e.Name())
		switch filepath.Ext(e.Name()) {
		case segmentExt, snapshotExt:
			out = append(out, stored{path, info.Size(), info.ModTime()})
		case temporaryExt:
			if time.Since(info.ModTime()) > forgottenPart {
				_ = os.Remove(path)
			}
		}
	}
	slices.SortFunc(out, func(a, b stored) int { return cmp.Or(a.when.Compare(b.when), cmp.Compare(a.path, b.path)) })
	return out
}

// trim removes files, the one used longest ago first, until the rest is within the bound.
func (s *FileStore) trim(files []stored) {
	limit := s.MaxBytes
	if limit <= 0 {
		limit = DefaultMaxBytes
	}
	total := int64(0)
	for _, f := range files {
		total += f.size
	}
	if total <= limit {
		return
	}
	for _, f := range files {
		if total <= limit-limit/8 {
			return
		}
		if os.Remove(f.path) == nil {
			total -= f.size
		}
		if f.path == s.ownPath() {
			s.own.close()
			s.own = nil
		}
	}
}

// mergeable returns the small segments that nobody writes to any more.
func mergeable(files []stored, own string) []stored {
	var out []stored
	for _, f := range files {
		if filepath.Ext(f.path) == segmentExt && f.path != own && f.size < smallSegment && time.Since(f.when) > restBefore {
			out = append(out, f)
		}
	}
	return out
}

// mergeSegments writes what several segments hold into one, and removes them.
func mergeSegments(dir string, files []stored) bool {
	var parts [][]byte
	var keep []*segment
	seen := make(map[[32]byte]bool)
	for _, f := range files {
		seg := openSegment(f.path)
		if seg == nil {
			continue
		}
		keep = append(keep, seg.memory)
		for key, p := range seg.entries {
			if !seen[key] {
				seen[key] = true
				data := seg.memory.data[p.at : p.at+p.n]
				parts = append(parts, recordHead(key, data), data, make([]byte, padded(p.n)-p.n))
			}
		}
	}
	if err := replaceFile(filepath.Join(dir, "merged-"+filepath.Base(files[len(files)-1].path)), parts); err != nil {
		return false
	}
	for _, f := range files {
		_ = os.Remove(f.path)
	}
	return len(keep) > 0
}

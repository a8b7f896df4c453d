package index

import "io/fs"

// Mode returns the permissions of a file in the snapshot's file system as it is
// now; ok is false where that does not have the file, as for one that an overlay
// adds, or has something else at its path, as a link.
func (s *Snapshot) Mode(path string) (mode fs.FileMode, ok bool) {
	if s.file(path) == nil || s.fsys == nil {
		return 0, false
	}
	info, err := fs.Lstat(s.fsys, path)
	if err != nil || !info.Mode().IsRegular() {
		return 0, false
	}
	return info.Mode().Perm(), true
}

//go:build !unix

package index

import "os"

// mapFile reads a file, nil when it cannot be.
func mapFile(path string) *segment {
	data, err := os.ReadFile(path)
	if err != nil || len(data) == 0 {
		return nil
	}
	return &segment{data: data}
}

// ownFolder reports whether a folder is this user's own, as far as the system tells.
func ownFolder(string) bool { return true }

// lockFile takes the lock of a file by making it; nil when another has it.
func lockFile(path string) (unlock func()) {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_RDWR, 0o600)
	if err != nil {
		return nil
	}
	return func() {
		_ = f.Close()
		_ = os.Remove(path)
	}
}

package index

import (
	"path"
	"slices"
	"strings"
)

// Locks returns the base names of the files that a package manager writes from the
// manifest: those that the snapshot's languages name, and where none does, those of
// manifests that no language reads. It is safe for concurrent use.
func (s *Snapshot) Locks(manifest string) []string {
	base := strings.ToLower(path.Base(manifest))
	for _, l := range s.engine.languages {
		if names := l.Locks[base]; len(names) > 0 {
			return slices.Clone(names)
		}
	}
	return slices.Clone(foreignLocks()[base])
}

// IsLock reports whether a package manager writes the file from a manifest: whether
// Locks names it for any.
func (s *Snapshot) IsLock(file string) bool {
	base := path.Base(file)
	names := func(locks map[string][]string) bool {
		for _, of := range locks {
			if slices.Contains(of, base) {
				return true
			}
		}
		return false
	}
	return names(foreignLocks()) || slices.ContainsFunc(s.engine.languages, func(l *Language) bool { return names(l.Locks) })
}

// foreignLocks are the lock files of manifests that no language reads.
func foreignLocks() map[string][]string {
	return map[string][]string{
		"cargo.toml": {"Cargo.lock"}, "gemfile": {"Gemfile.lock"}, "composer.json": {"composer.lock"},
		"mix.exs": {"mix.lock"}, "pubspec.yaml": {"pubspec.lock"}, "deno.json": {"deno.lock"}, "deno.jsonc": {"deno.lock"},
	}
}

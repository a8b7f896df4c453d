package index

import (
	"crypto/sha256"
	"encoding/hex"
	"os"
	"path/filepath"
	"strings"
)

// CacheDir returns the folder in which a FileStore for the repository at root
// belongs: one below the user's cache folder (os.UserCacheDir), named for the git
// folder that all worktrees of the repository share, or for root itself when that
// is in no checkout. It is "", which a FileStore takes as keeping nothing, where
// the user has no cache folder. It makes nothing.
//
// The cache does not lie inside of the repository, because what came with a
// repository from elsewhere must not be able to say what its files contain.
func CacheDir(root string) string {
	base, err := os.UserCacheDir()
	if err != nil {
		return ""
	}
	abs, err := filepath.Abs(root)
	if err != nil {
		return ""
	}
	if real, err := filepath.EvalSymlinks(abs); err == nil {
		abs = real
	}
	shared := abs
	for dir := abs; ; dir = filepath.Dir(dir) {
		if git := commonGitDir(dir); git != "" {
			shared = git
			break
		}
		if dir == filepath.Dir(dir) {
			break
		}
	}
	sum := sha256.Sum256([]byte(shared))
	return filepath.Join(base, "plumb", hex.EncodeToString(sum[:12]))
}

// commonGitDir returns the git folder that the worktrees of the repository with
// its top at dir share, "" when dir is no such top.
func commonGitDir(dir string) string {
	git := filepath.Join(dir, ".git")
	info, err := os.Stat(git)
	if err != nil {
		return ""
	}
	if !info.IsDir() {
		to, ok := pointer(git, "gitdir:")
		if !ok {
			return ""
		}
		git = within(dir, to)
	}
	if to, ok := pointer(filepath.Join(git, "commondir"), ""); ok {
		git = within(git, to)
	}
	if info, err := os.Stat(filepath.Join(git, "HEAD")); err != nil || !info.Mode().IsRegular() {
		return ""
	}
	return git
}

// pointer returns what a small file of one line says after a prefix.
func pointer(name, prefix string) (string, bool) {
	info, err := os.Stat(name)
	if err != nil || !info.Mode().IsRegular() || info.Size() > 1<<16 {
		return "", false
	}
	data, err := os.ReadFile(name)
	if err != nil {
		return "", false
	}
	to, ok := strings.CutPrefix(strings.TrimSpace(string(data)), prefix)
	return strings.TrimSpace(to), ok && strings.TrimSpace(to) != ""
}

func within(dir, to string) string {
	if filepath.IsAbs(to) {
		return to
	}
	return filepath.Join(dir, to)
}

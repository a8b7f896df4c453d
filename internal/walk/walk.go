// Package walk chooses a repository's files as git would (IDX-5): everything
// tracked, and everything else that no .gitignore, at any level, and no
// .git/info/exclude leaves out. It needs no git and works on a plain folder.
//
// It reads through fs.FS only, follows no symbolic link and opens nothing but
// directories and the regular files that hold the rules. The user's own
// core.excludesFile is not read: the same repository gives the same files on
// every machine. Where .git is a file, the folder that it points to is read if
// it lies inside of the root, as that of a submodule does; that of a linked
// worktree lies outside and is not, so that only the .gitignore files speak there.
//
// No library was found to do this well over fs.FS: go-git's matcher builds on
// filepath.Match, and sabhiram/go-gitignore on regular expressions; both differ
// from git in brackets, escapes or "**". The rules are tested against git itself.
package walk

import (
	"context"
	"errors"
	"io/fs"
	"path"
	"slices"
	"strings"
	"unicode/utf8"
)

// Options choose what is walked.
type Options struct {
	// Nested enters submodules and nested repositories.
	Nested bool
	// Ignore, if not nil, leaves out further paths; a folder is then not entered.
	Ignore func(path string) bool
}

// An Entry is one file, or something that is named in a file's place.
type Entry struct {
	Path string
	Size int64       // bytes, of a regular file
	Info fs.FileInfo // of a regular file
	// Skip is the reason why the entry is not to be opened, "" for a regular file.
	Skip string
	// Link is the target of a symbolic link, where it could be read.
	Link string
}

// The reasons of Entry.Skip that others compare with.
const (
	SkipLink   = "symbolic link"
	SkipNested = "nested repository"
)

const maxDepth = 4096

// Walk returns the entries below the root, in order of path. A folder that
// cannot be read is an entry with the reason; only a root that cannot be read,
// or the end of ctx, is an error.
func Walk(ctx context.Context, fsys fs.FS, opt Options) ([]Entry, error) {
	w := &walker{ctx: ctx, fsys: fsys, opt: opt}
	if _, err := fs.ReadDir(fsys, "."); err != nil {
		return nil, err
	}
	if err := w.repository(".", 0); err != nil {
		return nil, err
	}
	slices.SortFunc(w.entries, func(a, b Entry) int { return strings.Compare(a.Path, b.Path) })
	return w.entries, nil
}

type walker struct {
	ctx     context.Context
	fsys    fs.FS
	opt     Options
	entries []Entry
}

// repository walks one repository whose top is dir: neither rules nor tracked
// files of the one around it reach into it.
func (w *walker) repository(dir string, depth int) error {
	own, common := w.gitFolders(dir)
	r := &repo{top: dir, tracked: readIndex(w.fsys, path.Join(own, "index"))}
	exclude := readRules(w.fsys, path.Join(common, "info/exclude"), "")
	return w.folder(r, dir, []rules{exclude}, false, depth)
}

// gitFolders returns the folder of a repository's own state, and that which its
// worktrees share: .git, or where a file of that name and one named commondir
// point to. A folder outside of the root is one that is not there.
func (w *walker) gitFolders(dir string) (own, common string) {
	own = path.Join(dir, ".git")
	if to, ok := strings.CutPrefix(strings.TrimSpace(string(readSmall(w.fsys, own))), "gitdir:"); ok {
		own = pointed(dir, strings.TrimSpace(to))
	}
	if to := strings.TrimSpace(string(readSmall(w.fsys, path.Join(own, "commondir")))); to != "" {
		return own, pointed(own, to)
	}
	return own, own
}

// pointed returns where a path written in from leads to, .git/none if not to a
// place inside of the root.
func pointed(from, to string) string {
	if p := path.Join(from, to); !path.IsAbs(to) && fs.ValidPath(p) {
		return p
	}
	return ".git/none"
}

// A repo is what is known of one repository.
type repo struct {
	top     string
	tracked *index
}

// rel returns p relative to the repository's top.
func (r *repo) rel(p string) string {
	if r.top == "." {
		return p
	}
	return strings.TrimPrefix(p, r.top+"/")
}

// folder walks dir. ignored says that dir itself is ignored, so that only
// tracked files below it count.
func (w *walker) folder(r *repo, dir string, stack []rules, ignored bool, depth int) error {
	if err := w.ctx.Err(); err != nil {
		return err
	}
	if depth > maxDepth {
		w.add(Entry{Path: dir, Skip: "folders are nested too deeply"})
		return nil
	}
	list, err := fs.ReadDir(w.fsys, dir)
	if err != nil {
		w.add(Entry{Path: dir, Skip: "the folder cannot be read: " + reason(err)})
	}
	if hasRules(list) {
		base := ""
		if dir != r.top {
			base = r.rel(dir) + "/"
		}
		stack = append(slices.Clip(stack), readRules(w.fsys, path.Join(dir, ".gitignore"), base))
	}
	for _, e := range list {
		if e.Name() == ".git" {
			continue
		}
		if err := w.entry(r, path.Join(dir, e.Name()), e, stack, ignored, depth); err != nil {
			return err
		}
	}
	return nil
}

func hasRules(list []fs.DirEntry) bool {
	return slices.ContainsFunc(list, func(e fs.DirEntry) bool { return e.Name() == ".gitignore" && e.Type().IsRegular() })
}

func (w *walker) entry(r *repo, p string, e fs.DirEntry, stack []rules, ignored bool, depth int) error {
	if w.opt.Ignore != nil && w.opt.Ignore(p) {
		return nil
	}
	rel := r.rel(p)
	out := ignored || excluded(stack, rel, e.IsDir())
	if e.IsDir() {
		switch {
		case !utf8.ValidString(e.Name()):
			w.add(Entry{Path: p, Skip: "the folder's name is not UTF-8"})
		case w.isRepository(p) || r.tracked.submodule(rel):
			if !out || r.tracked.has(rel) {
				return w.nested(p, depth)
			}
		case !out || r.tracked.below(rel):
			return w.folder(r, p, stack, out, depth+1)
		}
		return nil
	}
	if !out || r.tracked.has(rel) {
		w.file(p, e)
	}
	return nil
}

// nested names a repository inside of the repository, and enters it when asked.
func (w *walker) nested(p string, depth int) error {
	if !w.opt.Nested {
		w.add(Entry{Path: p, Skip: SkipNested})
		return nil
	}
	return w.repository(p, depth+1)
}

// isRepository reports whether dir is the top of a repository: .git is a
// folder with a HEAD, or a file that points to one.
func (w *walker) isRepository(dir string) bool {
	if info, err := fs.Stat(w.fsys, path.Join(dir, ".git/HEAD")); err == nil && info.Mode().IsRegular() {
		return true
	}
	data := readSmall(w.fsys, path.Join(dir, ".git"))
	return strings.HasPrefix(string(data), "gitdir:")
}

func (w *walker) file(p string, e fs.DirEntry) {
	entry := Entry{Path: p}
	switch t := e.Type(); {
	case t.IsRegular():
		w.regular(&entry, e)
	case t&fs.ModeSymlink != 0:
		entry.Skip = SkipLink
		if link, err := fs.ReadLink(w.fsys, p); err == nil {
			entry.Link = link
		}
	case t&fs.ModeNamedPipe != 0:
		entry.Skip = "named pipe"
	case t&fs.ModeSocket != 0:
		entry.Skip = "socket"
	case t&fs.ModeDevice != 0:
		entry.Skip = "device"
	default:
		entry.Skip = "not a regular file"
	}
	w.add(entry)
}

func (w *walker) regular(entry *Entry, e fs.DirEntry) {
	if !fs.ValidPath(entry.Path) {
		entry.Skip = "the name is not UTF-8"
		return
	}
	info, err := e.Info()
	switch {
	case err != nil:
		entry.Skip = "the file cannot be read: " + reason(err)
	case !info.Mode().IsRegular():
		entry.Skip = "not a regular file"
	default:
		entry.Size, entry.Info = info.Size(), info
	}
}

func (w *walker) add(e Entry) { w.entries = append(w.entries, e) }

// reason returns an error's text without the path, which may lie outside of the repository.
func reason(err error) string {
	var pathError *fs.PathError
	if errors.As(err, &pathError) {
		return pathError.Err.Error()
	}
	return err.Error()
}

// readSmall returns a regular file's bytes, nil when there is none.
func readSmall(fsys fs.FS, name string) []byte {
	info, err := fs.Lstat(fsys, name)
	if err != nil || !info.Mode().IsRegular() || info.Size() > 64<<20 {
		return nil
	}
	data, err := fs.ReadFile(fsys, name)
	if err != nil {
		return nil
	}
	return data
}

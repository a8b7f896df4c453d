package patch

import (
	"context"
	"errors"
	"io/fs"
	"path"
	"strings"

	"github.com/plumbkit/plumb/host/fault"
	"github.com/plumbkit/plumb/internal/gitcmd"
)

// A listed is one file or link of the workspace that is not ignored.
type listed struct {
	path string
	mode fs.FileMode
	size int64
}

// listing lists the workspace's files: in a git checkout those that git tracks
// or does not ignore, as they stand in the tree now; elsewhere all. Git's and
// plumb's own folders are left out.
func (w *Workspace) listing(ctx context.Context) ([]listed, error) {
	var out []listed
	if w.state == ".plumb" {
		return out, w.walk(ctx, ".", &out)
	}
	names, err := gitcmd.Git{Dir: w.dir}.Output(ctx, "ls-files", "-z", "--cached", "--others", "--exclude-standard")
	if err != nil {
		return nil, fault.From(err, "patch.list", "make git able to read the workspace")
	}
	seen := map[string]bool{}
	for _, p := range strings.Split(string(names), "\x00") {
		p = strings.TrimSuffix(p, "/")
		if p == "" || seen[p] {
			continue
		}
		seen[p] = true
		if err := w.listPath(ctx, p, &out); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// listPath adds one path; a folder (a repository inside this one) with all of its files.
func (w *Workspace) listPath(ctx context.Context, p string, out *[]listed) error {
	if private(path.Base(p)) || w.disk.straight(p) != nil {
		return nil
	}
	info, err := w.disk.root.Lstat(p)
	switch {
	case errors.Is(err, fs.ErrNotExist) || isNotDir(err):
		return nil // tracked, but deleted in the tree
	case err != nil:
		return fault.From(err, "patch.list", "make the files readable")
	case info.IsDir():
		return w.walk(ctx, p, out)
	case info.Mode().IsRegular() || info.Mode()&fs.ModeSymlink != 0:
		*out = append(*out, listed{p, info.Mode(), info.Size()})
	}
	return nil
}

func (w *Workspace) walk(ctx context.Context, dir string, out *[]listed) error {
	if err := ctx.Err(); err != nil {
		return fault.From(err, "patch.list", "run it again")
	}
	f, err := w.disk.root.Open(dir)
	if err != nil {
		return fault.From(err, "patch.list", "make the files readable")
	}
	names, err := f.Readdirnames(-1)
	_ = f.Close()
	if err != nil {
		return fault.From(err, "patch.list", "make the files readable")
	}
	for _, n := range sorted(names) {
		if err := w.listPath(ctx, join(dir, n), out); err != nil {
			return err
		}
	}
	return nil
}

package patch

import (
	"context"
	"crypto/sha1"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"regexp"
	"strings"
	"unicode/utf8"

	"github.com/plumbkit/plumb/host/fault"
	"github.com/plumbkit/plumb/index"
	"github.com/plumbkit/plumb/internal/gitcmd"
)

// A Difference is a change that stands in the workspace already: what it was
// made from, and the Set that leads from there to now.
type Difference struct {
	// Revision is the name of the commit or tree that the change began at.
	Revision string
	Before   *index.Snapshot
	Set      *Set
	// Left are paths that were not compared, each with the reason.
	Left []string
}

// Since returns what the workspace holds beside a git revision: files that are
// committed, changed, or new and not ignored. now is the Snapshot of the
// workspace as it stands; Before is derived from it, so that nothing is checked
// out. Nothing of the repository runs: contents are compared as they are stored,
// without filters and conversions. In the Set every file is deleted, created or
// modified; noise is classed and stays, no limit holds, and nothing is refused,
// as the change is made already.
//
// Errors are faults: invalid_input when there is no such revision or no git
// repository, environment when git is missing, index_unavailable when the
// workspace has changed since now was made.
func (w *Workspace) Since(ctx context.Context, now *index.Snapshot, rev string) (*Difference, error) {
	s := &since{w: w, ctx: ctx, now: now, git: gitcmd.Git{Dir: w.dir}, was: map[string]gitcmd.Blob{}, old: map[string][]byte{}}
	name, tree, err := s.git.Tree(ctx, rev)
	if err != nil {
		return nil, revisionFault(rev, err)
	}
	for _, b := range tree {
		s.was[b.Path] = b
	}
	if err := s.compare(); err != nil {
		return nil, err
	}
	before, err := now.Overlay(ctx, s.old)
	if err != nil {
		return nil, err
	}
	set := &Set{Schema: SetSchema, Base: before.Digest(), Files: s.files}
	sortFiles(set.Files)
	if err := describe(ctx, set, before, now); err != nil {
		return nil, err
	}
	return &Difference{Revision: name, Before: before, Set: set, Left: sorted(s.left)}, nil
}

func revisionFault(rev string, err error) error {
	f := &fault.Fault{Class: fault.InvalidInput, Op: "patch.since", Subject: fault.Subject{Text: rev}, State: unchanged, Err: err,
		Detail: "git knows no such revision here", Next: "name a commit, branch or tag of this repository, and fetch it if the clone is shallow"}
	var e *gitcmd.Error
	if !errors.As(err, &e) || e.Code < 0 {
		return fault.From(err, "patch.since", "install git, or make it able to read the repository")
	}
	if strings.Contains(e.Stderr, "not a git repository") {
		f.Detail, f.Next = "the folder is in no git repository, so that there is nothing to compare with", "give the change as a patch instead"
	}
	return f
}

// since is one comparison.
type since struct {
	w     *Workspace
	ctx   context.Context
	now   *index.Snapshot
	git   gitcmd.Git
	was   map[string]gitcmd.Blob
	files []File
	left  []string
	// old is the overlay that takes now back to the revision.
	old map[string][]byte
}

// compare fills files and old.
func (s *since) compare() error {
	out, err := s.git.Output(s.ctx, "ls-files", "-z", "--cached", "--others", "--exclude-standard")
	if err != nil {
		return fault.From(err, "patch.since", "make git able to read the workspace")
	}
	var changed []File
	seen := map[string]bool{}
	for _, p := range strings.Split(string(out), "\x00") {
		if p == "" || seen[p] || s.leave(p) {
			continue
		}
		seen[p] = true
		f, err := s.standing(p)
		if err != nil {
			return err
		}
		if f != nil {
			changed = append(changed, *f)
		}
	}
	for p, b := range s.was {
		if !seen[p] && !s.leave(p) && b.Mode != "160000" {
			changed = append(changed, File{Path: p, Op: Deleted, OldMode: modeOf(b.Mode)})
		}
	}
	return s.fill(changed)
}

// leave notes paths that are none of a Set's.
func (s *since) leave(p string) bool {
	switch {
	case private(path.Base(p)):
	case strings.HasSuffix(p, "/"), s.was[strings.TrimSuffix(p, "/")].Mode == "160000":
		s.left = append(s.left, strings.TrimSuffix(p, "/")+": a repository inside of this one")
	case !utf8.ValidString(p):
		s.left = append(s.left, fmt.Sprintf("%q: the name is not UTF-8", p))
	default:
		return false
	}
	return true
}

// standing compares a file of the workspace with the revision's; nil when it is
// the same, or gone without having been there.
func (s *since) standing(p string) (*File, error) {
	if err := s.ctx.Err(); err != nil {
		return nil, fault.From(err, "patch.since", "run it again")
	}
	b, had := s.was[p]
	if s.w.disk.straight(p) != nil {
		return s.gone(p), nil
	}
	st, data, err := s.w.disk.stand(p)
	switch {
	case err != nil && st.Exists && !st.Mode.IsRegular() && st.Mode&fs.ModeSymlink == 0:
		s.left = append(s.left, p+": neither a file nor a link")
		return nil, nil
	case err != nil:
		return nil, fault.From(err, "patch.since", "make the file readable")
	case !st.Exists:
		return s.gone(p), nil
	}
	if listed, ok := s.now.File(p); ok && listed.Hash != "" && listed.Hash != hashOf(data) {
		return nil, &fault.Fault{Class: fault.IndexUnavailable, Op: "patch.since", Subject: fault.Subject{File: p}, State: unchanged,
			Detail: "the file has changed since it was indexed", Next: "index the workspace again"}
	}
	f := &File{Path: p, Op: Modified, New: data, NewMode: st.Mode, OldMode: modeOf(b.Mode)}
	if !had {
		f.Op, f.OldMode = Created, 0
		return f, nil
	}
	if gitMode(f.NewMode) == b.Mode && blobName(data, len(b.Hash)) == b.Hash {
		return nil, nil
	}
	return f, nil
}

func (s *since) gone(p string) *File {
	if b, had := s.was[p]; had {
		return &File{Path: p, Op: Deleted, OldMode: modeOf(b.Mode)}
	}
	return nil
}

// fill reads what the revision holds of the changed files.
func (s *since) fill(changed []File) error {
	var want []string
	for _, f := range changed {
		if b, had := s.was[f.Path]; had {
			want = append(want, b.Hash)
		}
	}
	blobs, err := s.git.Blobs(s.ctx, sorted(want))
	if err != nil {
		return fault.From(err, "patch.since", "fetch the objects of the revision: the clone may be partial")
	}
	for _, f := range changed {
		if f.Op == Created {
			s.old[f.Path] = nil
			s.files = append(s.files, f)
			continue
		}
		f.Old = nonNil(blobs[s.was[f.Path].Hash])
		if f.Op == Modified && keptElsewhere(f.Old, f.New) && gitMode(f.OldMode) == gitMode(f.NewMode) {
			continue
		}
		if f.OldMode&fs.ModeSymlink == 0 {
			s.old[f.Path] = f.Old
		} else if f.NewMode&fs.ModeSymlink == 0 && f.Op != Deleted {
			s.old[f.Path] = nil
		}
		s.files = append(s.files, f)
	}
	return nil
}

// lfsPointer is what git stores of a file whose content git-lfs keeps
// (git-lfs docs/spec.md).
var lfsPointer = regexp.MustCompile(`\Aversion https://git-lfs\.github\.com/spec/v1\n(?:ext-.*\n)*oid sha256:([0-9a-f]{64})\n`)

// keptElsewhere reports whether old is the pointer to the content of now.
func keptElsewhere(old, now []byte) bool {
	if len(old) > 1024 {
		return false
	}
	m := lfsPointer.FindSubmatch(old)
	return m != nil && string(m[1]) == hashOf(now)
}

// blobName is git's name of a content, in a repository whose names have this
// many digits: 64 is SHA-256, else SHA-1.
func blobName(data []byte, digits int) string {
	head := fmt.Sprintf("blob %d\x00", len(data))
	if digits == 2*sha256.Size {
		sum := sha256.Sum256(append([]byte(head), data...))
		return hex.EncodeToString(sum[:])
	}
	sum := sha1.Sum(append([]byte(head), data...))
	return hex.EncodeToString(sum[:])
}

// modeOf is the file mode that git's mode stands for, 0 for none.
func modeOf(git string) fs.FileMode {
	switch git {
	case "":
		return 0
	case "120000":
		return fs.ModeSymlink | 0o777
	case "100755":
		return 0o755
	}
	return 0o644
}

func nonNil(b []byte) []byte {
	if b == nil {
		return []byte{}
	}
	return b
}

// describe adds the hunks of a Set that is made already, each with its class and
// symbol, and counts its noise.
func describe(ctx context.Context, set *Set, before, after *index.Snapshot) error {
	all := func(string) bool { return true }
	b := &builder{a: &Anchored{KeepNoise: true, MayBreak: all}, ctx: ctx, in: Input{Before: before}, files: map[string]*fileWork{},
		plan: newPlanView(nil, before), set: set, after: after}
	files := set.Files
	set.Files = append([]File(nil), files...)
	if err := b.cleanNoise(); err != nil {
		return err
	}
	set.Files = files
	for i := range files {
		f := &files[i]
		hunks := fileHunks(f)
		classes(before.Language(f.Path), f, hunks)
		view := b.view(f)
		for j := range hunks {
			view.symbols(&hunks[j])
		}
		set.Hunks = append(set.Hunks, hunks...)
	}
	return nil
}

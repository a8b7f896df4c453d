package verify

import (
	"context"
	"errors"
	"io/fs"
	"slices"

	"github.com/plumbkit/plumb/host/fault"
	"github.com/plumbkit/plumb/index"
	"github.com/plumbkit/plumb/patch"
)

// trees are the scratch trees of one inquiry, made when first asked for.
type trees struct {
	workspace     *patch.Workspace
	in            Input
	set           *patch.Set
	applied       bool // the workspace already holds the result
	checked       bool
	first, second *patch.Scratch
	open          []*patch.Scratch
}

// before returns the tree as it was.
func (t *trees) before(ctx context.Context) (*patch.Scratch, error) {
	if t.first != nil {
		return t.first, nil
	}
	if err := t.check(ctx); err != nil {
		return nil, err
	}
	var err error
	if t.applied {
		t.first, err = t.make(ctx, t.set.Reverse())
	} else {
		t.first, err = t.make(ctx)
	}
	return t.first, err
}

// after returns the tree as it is after the change.
func (t *trees) after(ctx context.Context) (*patch.Scratch, error) {
	if t.second != nil {
		return t.second, nil
	}
	var err error
	t.second, err = t.with(ctx, t.set)
	return t.second, err
}

// with returns a fresh tree that holds another set in place of the change.
func (t *trees) with(ctx context.Context, set *patch.Set) (*patch.Scratch, error) {
	if err := t.check(ctx); err != nil {
		return nil, err
	}
	switch {
	case !t.applied:
		return t.make(ctx, set)
	case set == t.set:
		return t.make(ctx)
	}
	return t.make(ctx, t.set.Reverse(), set)
}

func (t *trees) make(ctx context.Context, sets ...*patch.Set) (*patch.Scratch, error) {
	s, err := t.workspace.Scratch(ctx, sets...)
	if err != nil {
		return nil, err
	}
	t.open = append(t.open, s)
	return s, nil
}

// drop removes a tree that is of no more use.
func (t *trees) drop(s *patch.Scratch) error {
	t.open = slices.DeleteFunc(t.open, func(o *patch.Scratch) bool { return o == s })
	return s.Close()
}

func (t *trees) close() error {
	var errs []error
	for _, s := range t.open {
		errs = append(errs, s.Close())
	}
	t.open, t.first, t.second = nil, nil, nil
	return errors.Join(errs...)
}

// check finds out whether the workspace stands at Before or at After, so that
// what is run is what the snapshots describe.
func (t *trees) check(ctx context.Context) error {
	if t.checked {
		return nil
	}
	if t.workspace == nil {
		return &fault.Fault{Class: fault.InvalidInput, Op: "verify.tree", Detail: "tests run in scratch trees of a workspace, and none was given",
			State: "nothing was run", Next: "give Input.Workspace, or ask for L0 and L1 only"}
	}
	fsys := t.workspace.FS()
	drift, err := differs(ctx, fsys, t.in.Before)
	if err != nil {
		return err
	}
	if len(drift) > 0 {
		now, err := differs(ctx, fsys, t.in.After)
		if err != nil {
			return err
		}
		if len(now) > 0 {
			return drifted(drift)
		}
		t.applied = true
	}
	t.checked = true
	return nil
}

func drifted(paths []string) error {
	f := &fault.Fault{Class: fault.IndexUnavailable, Op: "verify.tree", Subject: fault.Subject{File: paths[0]},
		Detail: "the workspace holds neither the state Before nor the state After", State: "nothing was run",
		Next: "index the workspace again and make the set anew"}
	for _, p := range paths {
		f.Candidates = append(f.Candidates, fault.Subject{File: p})
	}
	return f
}

// differs returns the files of the snapshot whose content in fsys is another.
func differs(ctx context.Context, fsys fs.FS, s *index.Snapshot) ([]string, error) {
	var out []string
	for _, f := range s.Files() {
		if err := ctx.Err(); err != nil {
			return nil, fault.From(err, "verify.tree", "run it again")
		}
		if f.Hash == "" || f.Skipped != "" {
			continue
		}
		data, err := fs.ReadFile(fsys, f.Path)
		if err != nil || index.ContentHash(data) != f.Hash {
			out = append(out, f.Path)
		}
	}
	return out, nil
}

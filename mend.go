package plumb

import (
	"context"
	"slices"
	"strings"

	"github.com/plumbkit/plumb/index"
	"github.com/plumbkit/plumb/patch"
	"github.com/plumbkit/plumb/selfcheck"
)

// mend carries out the actions of the self-check that need no model (SLF-2):
// residue that the patch itself added is removed, and files that belong to no
// action are rolled back. It returns the edits of the smaller set, nil when the
// action is none of these or nothing is left to do. A change that was decided on
// elsewhere is not rewritten: what is wrong with it is for its author to hear.
func (r *run) mend(set *patch.Set, failed selfcheck.Check) ([]patch.Edit, error) {
	if set.Noise.AsCame {
		return nil, nil
	}
	smaller := *set
	switch failed.Action {
	case selfcheck.CleanAndRerun:
		smaller.Files = without(set, failed.Places)
	case selfcheck.RollBackFile:
		smaller.Files = slices.DeleteFunc(slices.Clone(set.Files), func(f patch.File) bool {
			return slices.ContainsFunc(failed.Places, func(p index.Span) bool { return p.File == f.Path })
		})
	default:
		return nil, nil
	}
	diff := smaller.Diff()
	if len(smaller.Files) == 0 || len(diff) == 0 || string(diff) == string(set.Diff()) {
		return nil, nil
	}
	return patch.Parse(diff)
}

// without returns the set's files without the added lines at the places. A line
// that the patch did not add stays.
func without(set *patch.Set, places []index.Span) []patch.File {
	drop := map[string]map[int]bool{}
	for _, p := range places {
		for _, h := range set.Hunks {
			if h.File == p.File && p.Line >= h.NewLine && p.Line < h.NewLine+h.NewCount && !slices.Contains(h.Old, h.New[p.Line-h.NewLine]) {
				if drop[p.File] == nil {
					drop[p.File] = map[int]bool{}
				}
				drop[p.File][p.Line] = true
			}
		}
	}
	files := slices.Clone(set.Files)
	for i, f := range files {
		lines := strings.SplitAfter(string(f.New), "\n")
		var kept strings.Builder
		for n, line := range lines {
			if !drop[f.Path][n+1] {
				kept.WriteString(line)
			}
		}
		if f.New != nil {
			files[i].New = []byte(kept.String())
		}
	}
	return files
}

// checked runs overlay checks, gate, tests and self-check on a set. When the
// self-check names an action that needs no model, it is carried out once and
// everything that it may have changed runs again.
func (r *run) checked(ctx context.Context, set *patch.Set, edits []patch.Edit) (again bool, err error) {
	for mended := false; ; mended = true {
		if set, err = r.overlay(ctx, set, edits); err != nil || r.feedback != nil {
			return r.feedback != nil, err
		}
		if err := r.screen(ctx, set); err != nil {
			return false, err
		}
		if again, err := r.test(ctx, set); again || err != nil {
			return again, err
		}
		failed, err := r.check(ctx)
		if err != nil || failed == nil {
			return false, err
		}
		if !mended {
			smaller, err := r.mend(set, *failed)
			if err != nil {
				return false, err
			}
			if smaller != nil {
				edits = smaller
				if set, err = r.patch(ctx, edits); err != nil {
					return r.retry(ctx, StageCheck, err)
				}
				continue
			}
		}
		return r.sendBack(ctx, *failed)
	}
}

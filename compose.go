package plumb

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/plumbkit/plumb/changeset"
	"github.com/plumbkit/plumb/host/ledger"
	"github.com/plumbkit/plumb/index"
	"github.com/plumbkit/plumb/patch"
)

// further works edits out that adapt the uses, written for the state after the
// run's set, and returns the edits that make both together from the state
// before. What they touch in the files of these uses joins the plan: the planner
// could not know of it, and the reader who settled the uses answers for it.
func (r *run) further(ctx context.Context, set *patch.Set, more []patch.Edit, uses []index.Ref) ([]patch.Edit, error) {
	second, err := r.chain.Patcher.Patch(ctx, patch.Input{Before: r.result.After, Edits: more})
	if err != nil {
		return nil, err
	}
	if r.result.Plan = r.widened(second, uses); r.result.Plan != nil {
		if _, err := r.note(ctx, ledger.KindPlan, StageConfirm, r.result.Plan); err != nil {
			return nil, err
		}
	}
	return patch.Parse(compose(set, second).Diff())
}

// widened returns the plan with an action for each symbol that the set changes
// in a file that holds one of the uses.
func (r *run) widened(set *patch.Set, uses []index.Ref) *changeset.Plan {
	if r.result.Plan == nil {
		return nil
	}
	plan := *r.result.Plan
	plan.Actions = slices.Clone(plan.Actions)
	for _, h := range set.Hunks {
		i := slices.IndexFunc(uses, func(u index.Ref) bool { return u.Span.File == h.File })
		if i < 0 || h.Symbol == "" {
			continue
		}
		for _, s := range r.before.Definitions(h.Symbol).Sure {
			if s.Span.File != h.File || slices.ContainsFunc(plan.Actions, func(a changeset.Action) bool { return a.Symbol == s.ID && a.Kind == changeset.Sync }) {
				continue
			}
			plan.Actions = append(plan.Actions, changeset.Action{
				ID: fmt.Sprintf("A-%d", len(plan.Actions)+1), Kind: changeset.Sync, Capability: firstCapability(plan), Symbol: s.ID, Target: s.Span,
				Block: string(StageConfirm), Grade: changeset.Low, Source: "a reader settled " + uses[i].Name + " at " + uses[i].Span.String(),
				Why: "adapts a use that only a reader can settle", Verify: []string{"the selected tests"}, Weak: true,
			})
		}
	}
	return &plan
}

func firstCapability(p changeset.Plan) string {
	if len(p.Capabilities) == 0 {
		return ""
	}
	return p.Capabilities[0].ID
}

// compose joins two sets of which the second is based on the first's result.
// What generators wrote for the first is left out: they run again for both.
func compose(first, second *patch.Set) *patch.Set {
	files := map[string]patch.File{}
	for _, f := range first.Files {
		if !slices.ContainsFunc(first.Commands, func(c patch.Command) bool { return slices.Contains(c.Outputs, f.Path) }) {
			files[f.Path] = f
		}
	}
	for _, f := range second.Files {
		source := f.Path
		if f.Op == patch.Renamed {
			source = f.From
		}
		was, ok := files[source]
		switch {
		case f.Op == patch.Copied:
			files[f.Path] = copied(f, files)
		case !ok:
			files[f.Path] = f
		default:
			delete(files, source)
			if both, left := joined(was, f); left {
				files[both.Path] = both
			}
		}
	}
	out := &patch.Set{Schema: first.Schema, Base: first.Base}
	for _, f := range files {
		out.Files = append(out.Files, f)
	}
	slices.SortFunc(out.Files, func(a, b patch.File) int { return strings.Compare(a.Path, b.Path) })
	return out
}

// copied is a copy beside the files of the first set: one of a file that they
// change has no source in the state before, so it is a new file.
func copied(f patch.File, first map[string]patch.File) patch.File {
	if _, changed := first[f.From]; changed {
		f.Op, f.From, f.Old, f.OldMode = patch.Created, "", nil, 0
	}
	return f
}

// joined makes one change of two to the same file; false when they cancel out.
func joined(was, f patch.File) (patch.File, bool) {
	born := was.Op == patch.Created || was.Op == patch.Copied
	switch {
	case f.Op == patch.Deleted && born:
		return was, false
	case f.Op == patch.Deleted:
		was.Path, was.From, was.Op, was.New, was.NewMode = origin(was), "", patch.Deleted, nil, 0
		return was, true
	case was.Op == patch.Deleted:
		was.Op = patch.Modified
	case f.Op == patch.Renamed && !born:
		was.Op, was.From = patch.Renamed, origin(was)
	}
	was.Path, was.New, was.NewMode = f.Path, f.New, f.NewMode
	return was, true
}

// origin is the path that a file had before the first set.
func origin(f patch.File) string {
	if f.From != "" {
		return f.From
	}
	return f.Path
}

// withNoise returns the set with the noise of the set that it was composed from
// counted in: it was restored there already.
func withNoise(set *patch.Set, noise patch.Noise) *patch.Set {
	out := *set
	out.Noise.Before = max(out.Noise.Before, noise.Before)
	out.Noise.Restored += noise.Restored
	out.Noise.ByClass = maps.Clone(noise.ByClass)
	if out.Noise.ByClass == nil {
		out.Noise.ByClass = map[patch.HunkClass]int{}
	}
	for class, n := range set.Noise.ByClass {
		out.Noise.ByClass[class] += n
	}
	return &out
}

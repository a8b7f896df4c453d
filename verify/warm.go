package verify

import (
	"context"
	"path"
	"slices"
	"time"

	"github.com/plumbkit/plumb/host/sandbox"
)

// A Builder is a Runner whose tool builds before it tests. Build makes what a
// run of these packages needs and runs no test; what it cannot build it leaves
// to Run, which reports it. Errors are those of Runner.
type Builder interface {
	Build(ctx context.Context, box sandbox.Sandbox, run Run) error
}

// defaultWarm is the time for building before the first tests run.
const defaultWarm = 5 * time.Minute

// warm builds what the tests of the changed packages need, once, before the
// time of a layer with tests begins: on a machine with an empty build cache the
// compiler would use it up. Whatever goes wrong here the layer meets again and
// reports.
func (q *inquiry) warm(ctx context.Context) {
	b, ok := q.v.Runner.(Builder)
	if !ok || q.warmed || q.change == nil || q.trees.check(ctx) != nil {
		return
	}
	q.warmed = true
	limit := q.v.Warm
	if limit <= 0 {
		limit = defaultWarm
	}
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	tree, err := q.trees.before(ctx)
	if err != nil {
		return
	}
	var dirs []string
	for _, file := range q.change.files {
		dir, ok := q.packageAbove(file)
		if !ok {
			continue
		}
		dirs = append(dirs, dir)
		for _, ref := range q.in.Before.ByPath(file).Sure {
			dirs = append(dirs, path.Dir(ref.Span.File))
		}
	}
	slices.Sort(dirs)
	if dirs = slices.Compact(dirs); len(dirs) > 0 {
		if q.equip(ctx) != nil {
			return
		}
		run, err := q.placed(ctx, tree, Run{Packages: dirs})
		if err != nil {
			return
		}
		_ = b.Build(ctx, q.box.in(tree.Dir(), "before").at(run.At), run)
	}
}

package patch

import (
	"context"
	"errors"
	"io/fs"

	"github.com/plumbkit/plumb/host/fault"
	"github.com/plumbkit/plumb/index"
)

// Anchored is the default Patcher. Every edit has to prove where it belongs by
// the text it is based on, by a symbol or by a content hash; edits of one file
// are all worked out against its original bytes, so their order does not
// matter. The zero value is exact, all or nothing, and restores noise.
//
// An Anchored is safe for concurrent use as long as nobody changes its fields.
type Anchored struct {
	// Loosen are the tiers of looser comparison allowed, in the order given.
	Loosen []Loosening
	// Partial lets independent blocks land although others are refused; those
	// are in Set.Refused. A block declared after a refused one is refused too.
	Partial bool
	// KeepNoise leaves noise in; it is then only classed and counted. Keep
	// names classes that the task asks for.
	KeepNoise bool
	Keep      []HunkClass
	// MaxFileLines limits the changed lines of an existing file (0: 200),
	// NewFileLines the lines of a new one (0: 1,000), RewriteLines the changed
	// lines of a file whose rewrite is declared (0: 2,000). Negative: no limit.
	// Lock files, which a package manager writes, are not counted.
	MaxFileLines, NewFileLines, RewriteLines int
	// MayBreak names files whose results need not parse, such as fixtures of
	// parsers. Nil: every result must.
	MayBreak func(path string) bool
	// FS, if not nil, is the workspace: it tells file modes and holds files
	// that the Snapshot does not list.
	FS fs.FS
	// Generate runs the command of a derived file whose source changed, in a
	// sandbox, and returns its outputs. Nil: such commands are in Set.Pending.
	Generate func(ctx context.Context, g Generation) (Generated, error)
}

// A unit is one edit, or one hunk of one, on its way into a Set.
type unit struct {
	edit  *Edit
	order int // index of the edit
	hunk  int // index of the hunk, -1 for other edits
	block string
}

// A blockFault is a fault that concerns one block only.
type blockFault struct {
	block string
	err   error
}

func (b *blockFault) Error() string { return b.err.Error() }
func (b *blockFault) Unwrap() error { return b.err }

// Patch implements Patcher.
func (a *Anchored) Patch(ctx context.Context, in Input) (*Set, error) {
	if in.Before == nil {
		return nil, &fault.Fault{Class: fault.IndexUnavailable, Op: "patch.patch", Detail: "there is no snapshot to work on",
			State: unchanged, Next: "index the workspace and pass the snapshot as Before"}
	}
	if len(in.Edits) == 0 {
		return nil, &fault.Fault{Class: fault.InvalidInput, Op: "patch.patch", Detail: "there is no edit", State: unchanged, Next: "pass at least one edit"}
	}
	if err := checkEdits(in.Edits); err != nil {
		return nil, err
	}
	refused := map[string]*fault.Fault{}
	var order []string
	for {
		set, err := a.build(ctx, in, refused)
		var blocked *blockFault
		switch {
		case err == nil:
			if len(set.Files) == 0 && len(order) > 0 {
				return nil, refused[order[0]] // nothing is left that could land
			}
			for _, b := range order {
				set.Refused = append(set.Refused, Refusal{b, refused[b]})
			}
			return set, nil
		case !errors.As(err, &blocked) || !a.Partial || refused[blocked.block] != nil:
			if blocked != nil {
				err = blocked.err
			}
			return nil, fault.From(err, "patch.patch", "correct the edits and send them again")
		}
		refused[blocked.block] = fault.From(blocked.err, "patch.patch", "correct the edits of the block and send it again")
		order = append(order, blocked.block)
	}
}

// checkEdits refuses edits that are wrong on their own, whoever made them.
func checkEdits(edits []Edit) error {
	for i := range edits {
		e := &edits[i]
		if why := checkEdit(e); why != "" {
			return refuse(fault.InvalidInput, e, origin(e)+": "+why, "correct the edit and send it again")
		}
		if e.File != "" {
			if err := checkPath(e.File, e.Op == CreateFile); err != nil {
				return err
			}
		}
		if e.To != "" {
			if err := checkPath(e.To, true); err != nil {
				return err
			}
		}
	}
	return nil
}

// build works the edits out into a Set, leaving out the refused blocks.
func (a *Anchored) build(ctx context.Context, in Input, refused map[string]*fault.Fault) (*Set, error) {
	b := &builder{a: a, ctx: ctx, in: in, files: map[string]*fileWork{}, refused: refused, plan: newPlanView(in.Plan, in.Before)}
	for _, step := range []func() error{b.gather, b.place, b.orderBlocks, b.compose,
		b.overlay, b.cleanNoise, b.classify, b.limits, b.generate} {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if err := step(); err != nil {
			return nil, err
		}
	}
	return b.set, nil
}

// A builder is the state of one Patch call.
type builder struct {
	a       *Anchored
	ctx     context.Context
	in      Input
	refused map[string]*fault.Fault
	plan    *planView
	files   map[string]*fileWork // by the path that edits name
	order   []string             // keys of files, in order of first mention
	units   []*unit
	blocks  []Block
	set     *Set
	after   *index.Snapshot
	// looseNotes are Set.Loosened.
	looseNotes []string
	commented  map[string][]index.Span // comments of Before by file
}

// fail ties a fault to the block of a unit.
func (u *unit) fail(err error) error { return &blockFault{u.block, err} }

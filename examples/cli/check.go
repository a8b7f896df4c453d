package main

import (
	"context"
	"flag"

	"github.com/plumbkit/plumb/gate"
	"github.com/plumbkit/plumb/patch"
)

// checked is what plumb check prints.
type checked struct {
	Schema   int            `json:"schema"`
	Set      string         `json:"set"` // digest
	Files    []checkedFile  `json:"files"`
	Hunks    []patch.Hunk   `json:"hunks"`
	Noise    patch.Noise    `json:"noise"`
	Loosened []string       `json:"loosened,omitempty"`
	Gate     *gate.Decision `json:"gate"`
	// Diff is what git apply takes, byte for byte, unless Masked says that
	// credentials are left out of it.
	Diff   string `json:"diff"`
	Masked bool   `json:"masked,omitempty"`
}

type checkedFile struct {
	Path string       `json:"path"`
	From string       `json:"from,omitempty"`
	Op   patch.FileOp `json:"op"`
}

func checkCommand(fs *flag.FlagSet) action {
	from := patchFlag(fs)
	from.mayStand = true
	return func(ctx context.Context, e *env, args []string) error {
		if err := none(args); err != nil {
			return err
		}
		c, err := e.prepare(ctx, from)
		if err != nil {
			return err
		}
		if c.stands != nil {
			return e.printAlready(c.stands)
		}
		d, err := c.decide(ctx, nil, nil)
		if err != nil {
			return err
		}
		out := checked{Schema: 1, Set: c.set.Digest(), Hunks: c.set.Hunks, Noise: c.set.Noise, Loosened: c.set.Loosened, Gate: d, Diff: string(c.set.Diff())}
		for _, f := range c.set.Files {
			out.Files = append(out.Files, checkedFile{f.Path, f.From, f.Op})
		}
		out.Masked = e.hide(out.Diff) != out.Diff
		if e.structured() {
			if err := e.emit(out); err != nil {
				return err
			}
			return refused(d, "check")
		}
		e.text(out.Diff)
		if out.Masked {
			e.printf("note: a credential is shown as [redacted]; this is no diff to apply\n")
		}
		e.printf("set %s: %d files, %d hunks; %d noise lines restored (noise %.0f%% before, %.0f%% after)\n",
			out.Set, len(out.Files), len(out.Hunks), out.Noise.Restored, 100*out.Noise.Before, 100*out.Noise.After)
		for _, l := range out.Loosened {
			e.printf("loosened: %s\n", l)
		}
		showDecision(e, d)
		return refused(d, "check")
	}
}

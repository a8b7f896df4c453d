package sandbox

import (
	"context"
	"errors"
	"fmt"

	"github.com/plumbkit/plumb/host/fault"
)

// Auto runs commands in Bubblewrap. Where isolation cannot be had it refuses
// with an Environment fault, or, when the host allows it, runs them in Direct;
// those Results are marked Unsandboxed and their promises say why. The zero
// value refuses.
type Auto struct {
	// Bubblewrap is tried first for every command.
	Bubblewrap Bubblewrap
	// AllowUnsandboxed lets commands run without isolation where it cannot be had.
	AllowUnsandboxed bool
}

// Run runs the command; see Sandbox.
func (a Auto) Run(ctx context.Context, c Command) (Result, error) {
	r, err := a.Bubblewrap.Run(ctx, c)
	if err == nil || !a.AllowUnsandboxed || !errors.Is(err, ErrNoIsolation) {
		return r, err
	}
	// Nothing was run: isolation was missing before the command could begin.
	why := fault.From(err, "sandbox.run", "install bubblewrap").Detail
	r, err = Direct{}.Run(ctx, c)
	for i, p := range r.Promises {
		if !p.Held {
			r.Promises[i].How = fmt.Sprintf("%s (%s)", p.How, why)
		}
	}
	return r, err
}

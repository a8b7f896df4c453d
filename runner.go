package plumb

import (
	"context"

	"github.com/plumbkit/plumb/host/fault"
	"github.com/plumbkit/plumb/host/sandbox"
	"github.com/plumbkit/plumb/index"
	"github.com/plumbkit/plumb/verify"
	"github.com/plumbkit/plumb/verify/runner/gotest"
)

// RunnerFor returns a Runner for the tests of these languages: go test for Go.
// Tests of a language that no runner is known for are reported as not run.
func RunnerFor(languages ...*index.Language) *verify.Runners {
	r := &verify.Runners{}
	for _, lang := range languages {
		takes := lang.TestFile
		if takes == nil {
			continue
		}
		switch lang.Name {
		case "go":
			r.Tools = append(r.Tools, verify.Tool{Runner: &gotest.Runner{}, Takes: takes, ByFile: lang.TestsByFile})
		}
	}
	return r
}

// chosen is the runner that the chain has when it is asked.
type chosen struct{ chain *Chain }

func (r chosen) Run(ctx context.Context, box sandbox.Sandbox, run verify.Run) ([]verify.Outcome, error) {
	if r.chain.Runner == nil {
		return nil, &fault.Fault{Class: fault.Environment, Op: "chain.test", Detail: "the chain has no runner, so that no test can be run",
			State: "nothing was run", Next: "set Chain.Runner"}
	}
	return r.chain.Runner.Run(ctx, box, run)
}

func (r chosen) Build(ctx context.Context, box sandbox.Sandbox, run verify.Run) error {
	if b, ok := r.chain.Runner.(verify.Builder); ok {
		return b.Build(ctx, box, run)
	}
	return nil
}

func (r chosen) Tooling(ctx context.Context, dir string) (verify.Tooling, error) {
	if e, ok := r.chain.Runner.(verify.Equipped); ok {
		return e.Tooling(ctx, dir)
	}
	return verify.Tooling{}, nil
}

package plumb

import (
	"path/filepath"

	"github.com/plumbkit/plumb/budget"
	"github.com/plumbkit/plumb/changeset"
	"github.com/plumbkit/plumb/gate"
	"github.com/plumbkit/plumb/gate/secrets"
	"github.com/plumbkit/plumb/host/fault"
	"github.com/plumbkit/plumb/host/ledger"
	"github.com/plumbkit/plumb/host/sandbox"
	"github.com/plumbkit/plumb/index"
	"github.com/plumbkit/plumb/patch"
	"github.com/plumbkit/plumb/selfcheck"
	"github.com/plumbkit/plumb/verify"
)

// New opens a workspace and returns a Chain with a default in every field but
// Editor, Model, Answerer and Approver: set Editor or Model before Run.
//
// The defaults run tests with the languages' own tools (RunnerFor) inside
// bubblewrap; where that is missing, a run stops with an environment fault,
// unless the host replaces the sandbox by one that may go without (Isolate).
//
// Errors are those of patch.Open, which also recovers an interrupted write.
func New(workspace string, languages ...*index.Language) (*Chain, error) {
	if len(languages) == 0 {
		return nil, &fault.Fault{Class: fault.InvalidInput, Op: "plumb.new", Subject: fault.Subject{File: workspace},
			Detail: "no language was given, so no file could be read", State: "nothing was opened", Next: "pass at least one, such as golang.Language()"}
	}
	ws, err := patch.Open(workspace)
	if err != nil {
		return nil, err
	}
	c := &Chain{
		Workspace: ws,
		Indexer:   &index.TreeSitter{Languages: languages},
		Collector: &budget.LayeredQuota{History: budget.Git{Dir: ws.Dir()}},
		Planner:   &changeset.Derived{},
		Gate:      &gate.Rules{Extra: []gate.Rule{secrets.Rule()}},
		Checker:   &selfcheck.Ten{Redact: secrets.Mask},
		Store:     &ledger.Files{Dir: filepath.Join(ws.State(), "ledger")},
		Runner:    RunnerFor(languages...),
	}
	c.Isolate(sandbox.Auto{})
	return c, nil
}

// Isolate makes the stages that run commands use this sandbox: the generators of
// derived files and the tests. It gives Patcher and Verifier their defaults anew;
// a Patcher or Verifier that the host put in place of these is left as it is.
func (c *Chain) Isolate(box sandbox.Sandbox) {
	g := generator{workspace: c.Workspace, box: box, runner: chosen{c}}
	if c.Patcher == nil || c.Patcher == patch.Patcher(c.patcher) {
		c.patcher = &patch.Anchored{FS: c.Workspace.FS(), Generate: g.run}
		c.Patcher = c.patcher
	}
	if c.Verifier == nil || c.Verifier == verify.Verifier(c.verifier) {
		c.verifier = &verify.Layered{Runner: chosen{c}, Sandbox: box, Mutate: true, Progress: func(stage string, done, total int, item string) {
			if c.Progress != nil {
				c.Progress(stage, done, total, item)
			}
		}}
		c.Verifier = c.verifier
	}
}

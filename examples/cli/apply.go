package main

import (
	"context"
	"encoding/json"
	"flag"
	"path/filepath"
	"time"

	"github.com/plumbkit/plumb/gate"
	"github.com/plumbkit/plumb/gate/secrets"
	"github.com/plumbkit/plumb/host/fault"
	"github.com/plumbkit/plumb/host/ledger"
	"github.com/plumbkit/plumb/patch"
)

func applyCommand(fs *flag.FlagSet) action {
	from := patchFlag(fs)
	from.mayStand = true
	reason := fs.String("override", "", "the `reason` for applying what lacks evidence; hard blocks stand all the same")
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
		auth, err := override(ctx, c, d, *reason)
		if err != nil {
			return err
		}
		receipt, err := c.workspace.Apply(ctx, c.set, auth)
		if err != nil {
			return err
		}
		if e.structured() {
			return e.emit(receipt)
		}
		e.printf("%s: %s, %s; plumb undo %s takes it back\n", receipt.ID, receipt.Status, plural(len(receipt.Files), "file", "files"), receipt.ID)
		return nil
	}
}

// override is the host's own authorization of a set that no test has seen: the
// person at the command line decides and the ledger keeps the record. What lacks
// evidence needs a reason; the gate's hard blocks stand whatever the reason.
func override(ctx context.Context, c *change, d *gate.Decision, reason string) (patch.Authorization, error) {
	for _, f := range d.Findings {
		if !f.Blocks || f.Strength != gate.Block && reason != "" {
			continue
		}
		next := f.Alternative
		if f.Strength != gate.Block {
			next += "; or give a reason with -override, which the ledger keeps"
		}
		return patch.Authorization{}, &fault.Fault{Class: fault.Dangerous, Op: "plumb apply", Subject: fault.Subject{File: f.After.File, Line: f.After.Line, Text: f.Rule},
			Detail: f.Reason, State: "workspace unchanged", Next: next}
	}
	if reason == "" {
		reason = "plumb apply: applied on request, without tests; the gate blocks nothing in it"
	}
	by := person()
	auth := patch.Authorization{Set: c.set.Digest(), By: by, Policy: "override", At: time.Now().UTC(),
		Reason: reason}
	data, err := json.Marshal(auth)
	if err != nil {
		return auth, err
	}
	log := &ledger.Log{Store: &ledger.Files{Dir: ledgerDir(c.workspace)}, Redact: secrets.Mask}
	auth.Entry, err = log.Record(ctx, ledger.Entry{Task: "apply", Kind: ledger.KindAuthorization, Stage: "apply", By: by, Index: c.before.Digest(), Data: data})
	return auth, err
}

// ledgerDir is where the tasks' records are, as plumb.New has it.
func ledgerDir(ws *patch.Workspace) string { return filepath.Join(ws.State(), "ledger") }

package main

import (
	"context"
	"encoding/json"
	"flag"
	"path/filepath"
	"slices"
	"time"

	"github.com/plumbkit/plumb/gate"
	"github.com/plumbkit/plumb/host/fault"
	"github.com/plumbkit/plumb/host/ledger"
	"github.com/plumbkit/plumb/index"
	"github.com/plumbkit/plumb/patch"
)

// change is the work that check, apply, verify and gate share: the workspace,
// the state before, the set, and the state after it.
type change struct {
	workspace     *patch.Workspace
	before, after *index.Snapshot
	set           *patch.Set
}

// prepare opens the workspace, indexes it and works the edits out; it writes nothing.
func (e *env) prepare(ctx context.Context, file string) (*change, error) {
	if file == "" {
		return nil, &fault.Fault{Class: fault.InvalidInput, Op: "plumb", Detail: "no edits were given", Next: "give them with -patch FILE, or -patch - for standard input"}
	}
	data, err := e.input(file)
	if err != nil {
		return nil, err
	}
	edits, err := patch.Parse(data)
	if err != nil {
		return nil, err
	}
	ws, err := patch.Open(e.dir)
	if err != nil {
		return nil, err
	}
	c := &change{workspace: ws}
	if c.before, err = (&index.TreeSitter{Languages: languages()}).Index(ctx, index.Input{FS: ws.FS(), Progress: e.progress()}); err != nil {
		return nil, err
	}
	patcher := &patch.Anchored{FS: ws.FS()}
	if c.set, err = patcher.Patch(ctx, patch.Input{Before: c.before, Edits: edits}); err != nil {
		return nil, err
	}
	c.after, err = c.before.Overlay(ctx, c.set.Overlay())
	return c, err
}

// checked is what plumb check prints.
type checked struct {
	Schema   int            `json:"schema"`
	Set      string         `json:"set"` // digest
	Files    []checkedFile  `json:"files"`
	Hunks    []patch.Hunk   `json:"hunks"`
	Noise    patch.Noise    `json:"noise"`
	Loosened []string       `json:"loosened,omitempty"`
	Gate     *gate.Decision `json:"gate"`
	Diff     string         `json:"diff"`
}

type checkedFile struct {
	Path string       `json:"path"`
	From string       `json:"from,omitempty"`
	Op   patch.FileOp `json:"op"`
}

func checkCommand(fs *flag.FlagSet) action {
	file := fs.String("patch", "", "the edits, in any format; - is standard input")
	return func(ctx context.Context, e *env, args []string) error {
		if err := none(args); err != nil {
			return err
		}
		c, err := e.prepare(ctx, *file)
		if err != nil {
			return err
		}
		d, err := (&gate.Rules{}).Decide(ctx, gate.Input{Before: c.before, After: c.after, Set: c.set})
		if err != nil {
			return err
		}
		out := checked{Schema: 1, Set: c.set.Digest(), Hunks: c.set.Hunks, Noise: c.set.Noise, Loosened: c.set.Loosened, Gate: d, Diff: string(c.set.Diff())}
		for _, f := range c.set.Files {
			out.Files = append(out.Files, checkedFile{f.Path, f.From, f.Op})
		}
		if e.structured() {
			return blocked(e.emit(out), d)
		}
		e.text(out.Diff)
		e.printf("set %s: %d files, %d hunks; %d noise lines restored (noise %.0f%% before, %.0f%% after)\n",
			out.Set, len(out.Files), len(out.Hunks), out.Noise.Restored, 100*out.Noise.Before, 100*out.Noise.After)
		return findings(e, d)
	}
}

// findings prints a gate's decision; a block is the error that the exit code 1 stands for.
func findings(e *env, d *gate.Decision) error {
	for _, f := range d.Findings {
		at := f.After
		if at.File == "" {
			at = f.Before
		}
		e.printf("%s:%d: %s %s: %s; instead: %s\n", at.File, at.Line, string(f.Strength), f.Rule, f.Reason, f.Alternative)
	}
	e.printf("gate: %s: %s\n", string(d.Verdict), d.Why)
	for _, n := range d.Notes {
		e.printf("note: %s\n", n)
	}
	return blocked(nil, d)
}

// blocked returns err, or the error of a decision that keeps the change out.
func blocked(err error, d *gate.Decision) error {
	if err == nil && slices.ContainsFunc(d.Findings, func(f gate.Finding) bool { return f.Blocks }) {
		return errFindings
	}
	return err
}

func applyCommand(fs *flag.FlagSet) action {
	file := fs.String("patch", "", "the edits, in any format; - is standard input")
	reason := fs.String("override", "", "the reason for applying what lacks evidence; hard blocks stand all the same")
	return func(ctx context.Context, e *env, args []string) error {
		if err := none(args); err != nil {
			return err
		}
		c, err := e.prepare(ctx, *file)
		if err != nil {
			return err
		}
		d, err := (&gate.Rules{}).Decide(ctx, gate.Input{Before: c.before, After: c.after, Set: c.set})
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
		e.printf("%s: %s, %d files; plumb undo %s takes it back\n", receipt.ID, receipt.Status, len(receipt.Files), receipt.ID)
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
	log := &ledger.Log{Store: &ledger.Files{Dir: filepath.Join(c.workspace.State(), "ledger")}}
	auth.Entry, err = log.Record(ctx, ledger.Entry{Task: "apply", Kind: ledger.KindAuthorization, Stage: "apply", By: by, Index: c.before.Digest(), Data: data})
	return auth, err
}

func undoCommand(*flag.FlagSet) action {
	return func(ctx context.Context, e *env, args []string) error {
		id, err := one(args, "the ID of a transaction")
		if err != nil {
			return err
		}
		ws, err := patch.Open(e.dir)
		if err != nil {
			return err
		}
		if err := ws.Undo(ctx, id); err != nil {
			return err
		}
		if e.structured() {
			return e.emit(struct {
				Schema int    `json:"schema"`
				ID     string `json:"id"`
				Status string `json:"status"`
			}{1, id, "undone"})
		}
		e.printf("%s: undone\n", id)
		return nil
	}
}

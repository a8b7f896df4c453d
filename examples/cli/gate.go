package main

import (
	"context"
	"flag"
	"os"
	"path/filepath"
	"strings"

	"github.com/plumbkit/plumb/gate"
	"github.com/plumbkit/plumb/host/fault"
)

func gateCommand(fs *flag.FlagSet) action {
	from := sourceFlags(fs)
	policy := policyFlag(fs)
	log := fs.String("sarif", "", "write the findings to this `file` too, as SARIF 2.1.0")
	return func(ctx context.Context, e *env, args []string) error {
		if err := none(args); err != nil {
			return err
		}
		rules, err := policy(ctx, e)
		if err != nil {
			return err
		}
		c, err := e.prepare(ctx, from)
		if err != nil {
			return err
		}
		d, err := c.decide(ctx, rules, nil)
		if err != nil {
			return err
		}
		d.Notes = append(d.Notes, c.caveats()...)
		if *log != "" {
			if err := e.writeSARIF(*log, d); err != nil {
				return err
			}
		}
		if e.structured() {
			if err := e.emit(d); err != nil {
				return err
			}
			return refused(d, "gate")
		}
		c.about(e)
		showDecision(e, d)
		return refused(d, "gate")
	}
}

// policyFlag declares -policy and returns what reads it; nil is the default policy.
func policyFlag(fs *flag.FlagSet) func(ctx context.Context, e *env) (*gate.Policy, error) {
	file := fs.String("policy", "", "the gate's policy, a YAML `file`; empty is the default policy")
	return func(ctx context.Context, e *env) (*gate.Policy, error) {
		if *file == "" {
			return nil, nil
		}
		data, err := e.input(ctx, *file)
		if err != nil {
			return nil, err
		}
		if saysNothing(data) {
			return nil, &fault.Fault{Class: fault.InvalidInput, Op: "plumb gate", Subject: fault.Subject{File: filepath.ToSlash(*file)},
				Detail: "the policy is empty", State: "nothing was judged", Next: "leave -policy out for the default policy, or give the file a key, such as schema: 1"}
		}
		return gate.ReadPolicy(data)
	}
}

// saysNothing reports whether a YAML document holds blanks and comments only.
func saysNothing(data []byte) bool {
	for l := range strings.Lines(string(data)) {
		if l = strings.TrimSpace(l); l != "" && l[0] != '#' && l != "---" && l != "..." && l != "{}" {
			return false
		}
	}
	return true
}

// showDecision prints what the gate found and decided.
func showDecision(e *env, d *gate.Decision) {
	for _, f := range d.Findings {
		at := f.After
		if at.File == "" {
			at = f.Before
		}
		blocks := ""
		if f.Blocks {
			blocks = ", blocks"
		}
		e.printf("%s: %s %s%s: %s\n", at.String(), string(f.Strength), f.Rule, blocks, f.Reason)
		for _, p := range f.Present {
			e.printf("  evidence: %s\n", p)
		}
		for _, m := range f.Missing {
			e.printf("  missing: %s\n", m)
		}
		if f.Justified != "" {
			e.printf("  justified: %s\n", f.Justified)
		}
		if f.Alternative != "" {
			e.printf("  instead: %s\n", f.Alternative)
		}
	}
	e.printf("gate: %s: %s\n", string(d.Verdict), d.Why)
	for _, n := range d.Notes {
		e.printf("note: %s\n", n)
	}
}

// refused is the error that a decision ends a command with: a hard block is
// dangerous, what lacks evidence and what was not evaluated are findings.
func refused(d *gate.Decision, command string) error {
	found := d.Verdict == gate.NotEvaluated
	for _, f := range d.Findings {
		if f.Blocks && f.Strength == gate.Block {
			return &fault.Fault{Class: fault.Dangerous, Op: "plumb " + command, Subject: fault.Subject{File: f.After.File, Line: f.After.Line, Text: f.Rule},
				Detail: f.Reason, State: "workspace unchanged", Next: f.Alternative}
		}
		found = found || f.Blocks
	}
	if found {
		return errFindings
	}
	return nil
}

// writeSARIF writes a decision for other programs, readable by everybody that the
// umask allows.
func (e *env) writeSARIF(name string, d *gate.Decision) error {
	data, err := gate.SARIF(d)
	if err != nil {
		return err
	}
	if err := os.WriteFile(name, e.hideJSON(data), 0o666); err != nil {
		return fault.From(err, "plumb gate", "give a file that can be written with -sarif")
	}
	return nil
}

// Package selfchecktest is the conformance suite of selfcheck.Checker.
package selfchecktest

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/plumbkit/plumb/changeset"
	"github.com/plumbkit/plumb/gate"
	"github.com/plumbkit/plumb/host/fault"
	"github.com/plumbkit/plumb/host/ledger"
	"github.com/plumbkit/plumb/host/task"
	"github.com/plumbkit/plumb/index"
	"github.com/plumbkit/plumb/patch"
	"github.com/plumbkit/plumb/selfcheck"
	"github.com/plumbkit/plumb/verify"
)

// Run checks what Checker promises of every implementation, one subtest for
// each promise. The change it shows is of plain files.
func Run(t *testing.T, c selfcheck.Checker) {
	for name, check := range map[string]func(*testing.T, selfcheck.Checker){
		"passes a finished change":                 passes,
		"judges nothing without evidence":          nothing,
		"takes a foreign report for none":          foreign,
		"stops at the first failed check":          stops,
		"names an action for each failure":         actions,
		"says first that tests ran unsandboxed":    unsandboxed,
		"says the essential in the first 40 lines": head,
		"writes a page that needs nothing else":    page,
		"keeps text from outside text":             escapes,
		"writes a hand-off that can be read back":  roundTrip,
		"stops when canceled":                      canceled,
	} {
		t.Run(name, func(t *testing.T) { check(t, c) })
	}
}

// Evidence is that of a small finished change: one capability point, two files,
// green tests, an allowing gate, a written workspace and a ledger.
func Evidence(t testing.TB) selfcheck.Evidence {
	t.Helper()
	ctx := context.Background()
	old, now := map[string]string{"price.cfg": "vat = 19\n", "notes.txt": "n\n"}, map[string]string{"price.cfg": "vat = 20\n", "price_check.cfg": "want = 20\n"}
	fs := fstest.MapFS{}
	for p, c := range old {
		fs[p] = &fstest.MapFile{Data: []byte(c), Mode: 0o644}
	}
	before, err := (&index.TreeSitter{}).Index(ctx, index.Input{FS: fs})
	require.NoError(t, err)
	set := &patch.Set{Schema: 1, Base: before.Digest(), Files: []patch.File{
		{Path: "price.cfg", Op: patch.Modified, Old: []byte(old["price.cfg"]), New: []byte(now["price.cfg"]), OldMode: 0o644, NewMode: 0o644},
		{Path: "price_check.cfg", Op: patch.Created, New: []byte(now["price_check.cfg"]), NewMode: 0o644},
	}, Hunks: []patch.Hunk{
		{File: "price.cfg", OldLine: 1, OldCount: 1, NewLine: 1, NewCount: 1, Old: []string{"vat = 19"}, New: []string{"vat = 20"}, Action: "A1", Capability: "VAT-1", Class: patch.Meant},
		{File: "price_check.cfg", OldLine: 1, NewLine: 1, NewCount: 1, New: []string{"want = 20"}, Action: "A2", Capability: "VAT-1", Class: patch.Meant},
	}}
	after, err := before.Overlay(ctx, set.Overlay())
	require.NoError(t, err)
	ev := selfcheck.Evidence{Before: before, After: after, Set: set, Plan: plan(before), Report: report(set)}
	ev.Task = task.Task{ID: "vat", Requirement: "The rate of VAT is 20 %.", Capabilities: ev.Plan.Capabilities}
	ev.Decision = &gate.Decision{Schema: 1, Set: set.Digest(), Verdict: gate.Allowed, Why: "no finding keeps the change out", Findings: []gate.Finding{}, Rules: []string{"paths.protected"}}
	ev.Receipt = &patch.Receipt{Schema: 1, ID: "tx-1", Set: set.Digest(), Status: "applied", Files: []string{"price.cfg", "price_check.cfg"}, Rollback: "patch"}
	ev.Entries = entries(set)
	ev.Spent = []selfcheck.Spent{{Budget: "information", Unit: "tokens", Limit: 8000, Used: 1200}, {Budget: "feedback", Unit: "ms", Limit: 60000, Used: 800}}
	return ev
}

func plan(s *index.Snapshot) *changeset.Plan {
	return &changeset.Plan{Schema: 1, Task: "vat", Requirement: "The rate of VAT is 20 %.", Index: s.Digest(),
		Capabilities: []task.Capability{{ID: "VAT-1", Sentence: "Prices hold 20 % VAT.", Requirement: "REQ-7", Symbols: []string{"vat"}}},
		Actions: []changeset.Action{
			{ID: "A1", Kind: changeset.Define, Capability: "VAT-1", Target: index.Span{File: "price.cfg", Line: 1}, Why: "it holds the rate", Grade: changeset.High, Source: "task"},
			{ID: "A2", Kind: changeset.AddTest, Capability: "VAT-1", Target: index.Span{File: "price_check.cfg", Line: 1}, Why: "nothing checks the rate", Grade: changeset.Medium, Source: "pattern"},
		},
		NotDone: []changeset.NotDone{{Place: index.Span{File: "notes.txt", Line: 1}, Why: "it names no rate"}},
		Limit:   changeset.Limit{Lines: 20, Files: 4, Minutes: 1}}
}

func report(set *patch.Set) *verify.Report {
	id := verify.TestID{Dir: ".", Name: "TestRate"}
	return &verify.Report{Schema: 1, Set: set.Digest(),
		Layers: []verify.Layer{{Name: verify.L0, Status: verify.LayerPassed, Elapsed: time.Millisecond}, {Name: verify.L1, Status: verify.LayerPassed, Elapsed: 2 * time.Millisecond},
			{Name: verify.L2, Status: verify.LayerPassed, Elapsed: 800 * time.Millisecond}},
		Selection:    verify.Selection{Selected: []verify.Selected{{Test: id, Source: "input", Why: "it reads price.cfg"}}, Skipped: []verify.Selected{{Test: verify.TestID{Dir: "other", Name: "TestOther"}, Why: "nothing leads to it"}}},
		Tests:        []verify.Result{{Test: id, Before: verify.Passed, After: verify.Passed, Attribution: verify.Unchanged, Layer: verify.L2}},
		Capabilities: []verify.Coverage{{Capability: "VAT-1", Assertions: []verify.Assertion{{Test: id, Text: "want = 20", Strength: 3}}}},
		Mutants:      []verify.Mutant{{Capability: "VAT-1", Kind: "revert", Place: index.Span{File: "price.cfg", Line: 1}, Result: "killed", Killed: []verify.TestID{id}}},
		Unverified:   []verify.Unverified{{What: "rounding", Why: "no test rounds"}},
		Commands:     []verify.Executed{{Args: []string{"check", "./..."}, Dir: ".", Tree: "before", Elapsed: time.Second}, {Args: []string{"check", "./..."}, Dir: ".", Tree: "after", Elapsed: time.Second}},
		Environment:  verify.Environment{OS: "linux", Arch: "amd64", Tools: map[string]string{"check": "1.2"}, Sandboxed: true}}
}

func entries(set *patch.Set) []ledger.Entry {
	at := time.Date(2024, 5, 6, 7, 8, 9, 0, time.UTC)
	data, err := json.Marshal(map[string]string{"set": set.Digest()})
	if err != nil {
		return nil
	}
	return []ledger.Entry{
		{Schema: 1, ID: "vat-1", Task: "vat", Seq: 1, Time: at, Kind: ledger.KindPlan, Stage: "plan", By: "plumb"},
		{Schema: 1, ID: "vat-2", Task: "vat", Seq: 2, Time: at, Kind: ledger.KindHunks, Stage: "patch", By: "plumb", Data: data},
		{Schema: 1, ID: "vat-3", Task: "vat", Seq: 3, Time: at, Kind: ledger.KindRun, Stage: "test", By: "plumb", Data: data},
		{Schema: 1, ID: "vat-4", Task: "vat", Seq: 4, Time: at, Kind: ledger.KindBudget, Stage: "handoff", By: "plumb"},
	}
}

func handoff(t *testing.T, c selfcheck.Checker, ev selfcheck.Evidence) *selfcheck.Handoff {
	t.Helper()
	h, err := c.Check(context.Background(), ev)
	require.NoError(t, err)
	require.NotNil(t, h)
	return h
}

func passes(t *testing.T, c selfcheck.Checker) {
	ev := Evidence(t)
	h := handoff(t, c, ev)
	assert.Empty(t, h.Failed)
	require.NotEmpty(t, h.Checks)
	for _, k := range h.Checks {
		assert.True(t, k.Judged && k.Passed, "%s: %s", k.Name, k.Signal)
		assert.Empty(t, k.Action)
	}
	assert.Equal(t, ev.Set.Digest(), h.Set)
	assert.Equal(t, "tx-1", h.Written)
	require.NotEmpty(t, h.Changed)
	assert.Equal(t, "VAT-1", h.Changed[0].Capability)
	assert.Equal(t, 2, h.Changed[0].Lines)
	assert.NotEmpty(t, h.NotChanged)
	assert.NotEmpty(t, h.NotVerified)
	assert.NotEmpty(t, h.Risks, "at least the platforms that were not tried")
	assert.NotEmpty(t, h.Reproduce)
	assert.NotEmpty(t, h.RollBack)
}

func nothing(t *testing.T, c selfcheck.Checker) {
	h := handoff(t, c, selfcheck.Evidence{})
	assert.Empty(t, h.Failed)
	for _, k := range h.Checks {
		assert.False(t, k.Judged || k.Passed, k.Name)
		assert.NotEmpty(t, k.Signal, k.Name)
	}
	assert.NotEmpty(t, h.NotVerified)
}

func foreign(t *testing.T, c selfcheck.Checker) {
	ev := Evidence(t)
	ev.Report.Set, ev.Decision.Set = "another", "another"
	h := handoff(t, c, ev)
	open := 0
	for _, k := range h.Checks {
		if !k.Judged {
			open++
		}
	}
	assert.GreaterOrEqual(t, open, 4)
	assert.Empty(t, h.Verified.Commands)
}

func stops(t *testing.T, c selfcheck.Checker) {
	ev := Evidence(t)
	ev.Plan.Limit.Lines = 1
	ev.Report.Tests[0].Attribution = verify.Regression
	h := handoff(t, c, ev)
	require.NotEmpty(t, h.Checks)
	last := h.Checks[len(h.Checks)-1]
	assert.Equal(t, last.Name, h.Failed)
	assert.Equal(t, selfcheck.Shrink, last.Action)
	for _, k := range h.Checks[:len(h.Checks)-1] {
		assert.False(t, k.Judged && !k.Passed)
	}
}

// actions breaks the change in one way after the other.
func actions(t *testing.T, c selfcheck.Checker) {
	for want, spoil := range map[selfcheck.Action]func(*selfcheck.Evidence){
		selfcheck.Shrink:       func(ev *selfcheck.Evidence) { ev.Plan.Limit.Files = 1 },
		selfcheck.Restore:      func(ev *selfcheck.Evidence) { ev.Set.Noise.After = 0.9 },
		selfcheck.RollBackFile: func(ev *selfcheck.Evidence) { ev.Plan.Actions = ev.Plan.Actions[:1] },
		selfcheck.AddCallSites: func(ev *selfcheck.Evidence) {
			ev.Report.Missing = []verify.Missing{{Symbol: "vat", Reason: "it lacks a rate"}}
		},
		selfcheck.AddTest:       func(ev *selfcheck.Evidence) { ev.Report.Capabilities[0].Missing = "no assertion" },
		selfcheck.Stop:          func(ev *selfcheck.Evidence) { ev.Decision.Verdict = gate.Blocked },
		selfcheck.CleanAndRerun: func(ev *selfcheck.Evidence) { leftOver(ev) },
		selfcheck.Regenerate: func(ev *selfcheck.Evidence) {
			ev.Set.Pending = []patch.Command{{Command: "gen", Outputs: []string{"out.cfg"}}}
		},
		selfcheck.BackToPatch: func(ev *selfcheck.Evidence) { ev.Report.Tests[0].Attribution = verify.NewFailing },
		selfcheck.BackToPlan: func(ev *selfcheck.Evidence) {
			ev.Plan.Capabilities = append(ev.Plan.Capabilities, task.Capability{ID: "VAT-2", Sentence: "s"})
			ev.Report.Capabilities = append(ev.Report.Capabilities, verify.Coverage{Capability: "VAT-2", Assertions: []verify.Assertion{{Text: "x"}}})
		},
	} {
		ev := Evidence(t)
		spoil(&ev)
		h := handoff(t, c, ev)
		require.NotEmpty(t, h.Failed, want)
		last := h.Checks[len(h.Checks)-1]
		assert.Equal(t, want, last.Action, last.Signal)
		assert.NotEmpty(t, last.Signal)
	}
}

// leftOver puts a conflict marker into an added line.
func leftOver(ev *selfcheck.Evidence) {
	f, h := &ev.Set.Files[1], &ev.Set.Hunks[1]
	f.New = []byte("<<<<<<< ours\nwant = 20\n")
	h.New, h.NewCount = []string{"<<<<<<< ours", "want = 20"}, 2
	digest := ev.Set.Digest()
	ev.Report.Set, ev.Decision.Set = digest, digest
	after, err := ev.Before.Overlay(context.Background(), ev.Set.Overlay())
	if err == nil {
		ev.After = after
	}
}

func unsandboxed(t *testing.T, c selfcheck.Checker) {
	ev := Evidence(t)
	ev.Report.Environment.Sandboxed = false
	h := handoff(t, c, ev)
	assert.False(t, h.Verified.Sandboxed)
	require.NotEmpty(t, h.Warnings)
	top := strings.Join(strings.SplitN(h.Markdown(), "\n", 7)[:6], "\n")
	assert.Contains(t, strings.ToLower(top), "unsandboxed")
	html, err := h.HTML()
	require.NoError(t, err)
	assert.Contains(t, strings.ToLower(string(html)), "unsandboxed")
}

func head(t *testing.T, c selfcheck.Checker) {
	ev := Evidence(t)
	for range 100 {
		ev.Report.Commands = append(ev.Report.Commands, ev.Report.Commands[0])
		ev.Report.Selection.Skipped = append(ev.Report.Selection.Skipped, ev.Report.Selection.Skipped[0])
	}
	md := handoff(t, c, ev).Markdown()
	lines := strings.Split(md, "\n")
	top := strings.Join(lines[:min(40, len(lines))], "\n")
	for _, s := range []string{"check ./...", "1 tests selected", "1 unchanged", "TestOther", "killed"} {
		assert.Contains(t, top, s)
	}
}

func page(t *testing.T, c selfcheck.Checker) {
	html, err := handoff(t, c, Evidence(t)).HTML()
	require.NoError(t, err)
	text := string(html)
	for _, s := range []string{"<!doctype html>", "prefers-color-scheme: dark", "VAT-1", "vat = 20", "plumb undo tx-1", "vat-3"} {
		assert.Contains(t, strings.ToLower(text), strings.ToLower(s))
	}
	for _, s := range []string{"<script", "http://", "https://", "src=", "@import", "url("} {
		assert.NotContains(t, text, s)
	}
}

func escapes(t *testing.T, c selfcheck.Checker) {
	ev := Evidence(t)
	ev.Task.Requirement = "a\n# heading <script>alert(1)</script> [x](y)"
	ev.Set.Hunks[0].New = []string{"```", "<b>"}
	ev.Set.Hunks[0].NewCount = 2
	h := handoff(t, c, ev)
	html, err := h.HTML()
	require.NoError(t, err)
	assert.NotContains(t, string(html), "<script>")
	assert.NotContains(t, h.Markdown(), "<script>")
	assert.NotContains(t, h.Markdown(), "\n# heading")
}

func roundTrip(t *testing.T, c selfcheck.Checker) {
	h := handoff(t, c, Evidence(t))
	data, err := json.Marshal(h)
	require.NoError(t, err)
	var back selfcheck.Handoff
	require.NoError(t, json.Unmarshal(data, &back))
	assert.Equal(t, h.Markdown(), back.Markdown())
	again, err := json.Marshal(&back)
	require.NoError(t, err)
	assert.JSONEq(t, string(data), string(again))
	assert.Positive(t, h.Schema)
}

func canceled(t *testing.T, c selfcheck.Checker) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	_, err := c.Check(ctx, Evidence(t))
	require.Error(t, err)
	assert.True(t, errors.Is(err, fault.Canceled), "%v", err)
}

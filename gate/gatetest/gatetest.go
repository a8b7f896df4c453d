// Package gatetest is the conformance suite of gate.Gate.
package gatetest

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/plumbkit/plumb/gate"
	"github.com/plumbkit/plumb/host/fault"
	"github.com/plumbkit/plumb/index"
	"github.com/plumbkit/plumb/patch"
	"github.com/plumbkit/plumb/verify"
)

// Run checks what Gate promises of every implementation, one subtest for each
// promise. The changes it shows are of plain files, so that it holds for gates
// of every language.
func Run(t *testing.T, g gate.Gate) {
	for name, check := range map[string]func(*testing.T, gate.Gate){
		"evaluates nothing without files":           noFiles,
		"evaluates nothing on an empty base":        emptyBase,
		"authorizes exactly the set":                authorizes,
		"authorizes nothing without a report":       noReport,
		"authorizes nothing by another set's":       foreignReport,
		"authorizes nothing with a red test":        redTest,
		"blocks secrets and pipelines":              protectedPaths,
		"decides the same twice":                    twice,
		"writes a decision that can be read back":   roundTrip,
		"stops when canceled":                       canceled,
		"says what it looked at and why it decided": explains,
	} {
		t.Run(name, func(t *testing.T) { check(t, g) })
	}
}

// Input is a change of plain files: before and after by path, "" in one of them
// meaning that the file does not exist there. The Report, for the Set, is green.
func Input(t testing.TB, before, after map[string]string) gate.Input {
	t.Helper()
	fs := fstest.MapFS{}
	for p, c := range before {
		if c != "" {
			fs[p] = &fstest.MapFile{Data: []byte(c), Mode: 0o644}
		}
	}
	b, err := (&index.TreeSitter{}).Index(context.Background(), index.Input{FS: fs})
	require.NoError(t, err)
	set := &patch.Set{Schema: 1, Base: b.Digest()}
	for p, now := range after {
		old := before[p]
		f := patch.File{Path: p, Op: patch.Modified, Old: []byte(old), New: []byte(now), OldMode: 0o644, NewMode: 0o644}
		switch {
		case old == "":
			f.Op, f.Old, f.OldMode = patch.Created, nil, 0
		case now == "":
			f.Op, f.New, f.NewMode = patch.Deleted, nil, 0
		}
		set.Files = append(set.Files, f)
	}
	slices.SortFunc(set.Files, func(x, y patch.File) int { return strings.Compare(x.Path, y.Path) })
	a, err := b.Overlay(context.Background(), set.Overlay())
	require.NoError(t, err)
	return gate.Input{Before: b, After: a, Set: set, Report: Green(set)}
}

// Green is a report for the set in which everything passed.
func Green(set *patch.Set) *verify.Report {
	r := &verify.Report{Schema: 1, Set: set.Digest(), Environment: verify.Environment{Sandboxed: true}}
	for _, name := range []verify.LayerName{verify.L0, verify.L1, verify.L2} {
		r.Layers = append(r.Layers, verify.Layer{Name: name, Status: verify.LayerPassed})
	}
	r.Tests = []verify.Result{{Test: verify.TestID{Dir: ".", Name: "TestIt"}, Before: verify.Passed, After: verify.Passed, Attribution: verify.Unchanged, Layer: verify.L2}}
	return r
}

func plain(t *testing.T) gate.Input {
	return Input(t, map[string]string{"notes.txt": "one\n", "other.txt": "x\n"}, map[string]string{"notes.txt": "one\ntwo\n"})
}

func decide(t *testing.T, g gate.Gate, in gate.Input) *gate.Decision {
	t.Helper()
	d, err := g.Decide(context.Background(), in)
	require.NoError(t, err)
	require.NotNil(t, d)
	return d
}

func noFiles(t *testing.T, g gate.Gate) {
	in := plain(t)
	in.Set = &patch.Set{Schema: 1, Base: in.Before.Digest()}
	in.After, in.Report = in.Before, Green(in.Set)
	d := decide(t, g, in)
	assert.Equal(t, gate.NotEvaluated, d.Verdict)
	assert.Nil(t, d.Authorization)
}

func emptyBase(t *testing.T, g gate.Gate) {
	d := decide(t, g, Input(t, nil, map[string]string{"notes.txt": "one\n"}))
	assert.Equal(t, gate.NotEvaluated, d.Verdict)
	assert.Nil(t, d.Authorization)
}

func authorizes(t *testing.T, g gate.Gate) {
	in := plain(t)
	d := decide(t, g, in)
	require.Equal(t, gate.Allowed, d.Verdict, d.Why)
	require.NotNil(t, d.Authorization)
	assert.Equal(t, in.Set.Digest(), d.Set)
	assert.Equal(t, in.Set.Digest(), d.Authorization.Set)
	assert.NotEmpty(t, d.Authorization.By)
	assert.NotEmpty(t, d.Authorization.Policy)
	assert.False(t, d.Authorization.At.IsZero())
}

func noReport(t *testing.T, g gate.Gate) {
	in := plain(t)
	in.Report = nil
	assert.Nil(t, decide(t, g, in).Authorization)
}

func foreignReport(t *testing.T, g gate.Gate) {
	in := plain(t)
	in.Report.Set = "another"
	assert.Nil(t, decide(t, g, in).Authorization)
}

func redTest(t *testing.T, g gate.Gate) {
	for _, a := range []verify.Attribution{verify.Regression, verify.NewFailing} {
		in := plain(t)
		in.Report.Tests[0].Attribution = a
		assert.Nil(t, decide(t, g, in).Authorization, a)
	}
	for _, s := range []verify.LayerStatus{verify.LayerFailed, verify.LayerEnvironment, verify.LayerNotRun} {
		in := plain(t)
		in.Report.Layers[2].Status = s
		assert.Nil(t, decide(t, g, in).Authorization, s)
	}
}

func protectedPaths(t *testing.T, g gate.Gate) {
	for _, p := range []string{".env", "deploy/.env.production", "id_rsa", ".github/workflows/ci.yml", "Dockerfile", ".github/CODEOWNERS"} {
		d := decide(t, g, Input(t, map[string]string{"a.txt": "a\n"}, map[string]string{p: "x\n"}))
		assert.Equal(t, gate.Blocked, d.Verdict, p)
		assert.Nil(t, d.Authorization, p)
	}
}

func twice(t *testing.T, g gate.Gate) {
	in := Input(t, map[string]string{"a.txt": "a\n", "b.txt": "see a.txt\n"}, map[string]string{".env": "x\n", "a.txt": ""})
	a, b := decide(t, g, in), decide(t, g, in)
	assert.Equal(t, a.Findings, b.Findings)
	assert.Equal(t, a.Verdict, b.Verdict)
	prints := map[string]bool{}
	for _, f := range a.Findings {
		assert.False(t, prints[f.Fingerprint], "two findings with one fingerprint")
		prints[f.Fingerprint] = true
	}
}

func roundTrip(t *testing.T, g gate.Gate) {
	d := decide(t, g, Input(t, map[string]string{"a.txt": "a\n"}, map[string]string{".env": "x\n"}))
	data, err := json.Marshal(d)
	require.NoError(t, err)
	var back gate.Decision
	require.NoError(t, json.Unmarshal(data, &back))
	again, err := json.Marshal(&back)
	require.NoError(t, err)
	assert.JSONEq(t, string(data), string(again))
}

func canceled(t *testing.T, g gate.Gate) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	_, err := g.Decide(ctx, plain(t))
	require.Error(t, err)
	assert.True(t, errors.Is(err, fault.Canceled), "%v", err)
}

func explains(t *testing.T, g gate.Gate) {
	d := decide(t, g, Input(t, map[string]string{"a.txt": "a\n"}, map[string]string{".env": "x\n"}))
	assert.Positive(t, d.Schema)
	assert.NotEmpty(t, d.Why)
	assert.NotEmpty(t, d.Rules)
	for _, f := range d.Findings {
		assert.NotEmpty(t, f.Rule)
		assert.NotEmpty(t, f.Reason)
		assert.NotEmpty(t, f.Alternative)
		assert.NotEmpty(t, f.Before.File+f.After.File)
	}
}

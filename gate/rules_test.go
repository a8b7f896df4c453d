package gate_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/plumbkit/plumb/changeset"
	"github.com/plumbkit/plumb/gate"
	"github.com/plumbkit/plumb/gate/gatetest"
	"github.com/plumbkit/plumb/host/fault"
	"github.com/plumbkit/plumb/host/task"
	"github.com/plumbkit/plumb/index"
	"github.com/plumbkit/plumb/patch"
)

// covers: GAT-2, GAT-7, GAT-11, GAT-13
func TestRulesConform(t *testing.T) { gatetest.Run(t, &gate.Rules{}) }

func decide(t *testing.T, g *gate.Rules, in gate.Input) *gate.Decision {
	t.Helper()
	d, err := g.Decide(context.Background(), in)
	require.NoError(t, err)
	return d
}

func note(t *testing.T) gate.Input {
	return gatetest.Input(t, map[string]string{"notes.txt": "one\n"}, map[string]string{"notes.txt": "one\ntwo\n"})
}

func policy(t *testing.T, yaml string) *gate.Policy {
	t.Helper()
	p, err := gate.ReadPolicy([]byte(yaml))
	require.NoError(t, err)
	return p
}

// covers: GAT-2
func TestPolicyRefuses(t *testing.T) {
	for name, c := range map[string]struct{ yaml, says string }{
		"an unknown key":                  {"deleted_file: 3\n", "deleted_file"},
		"an unknown strength":             {"strengths: {tests: maybe}\n", "maybe"},
		"an unknown rule":                 {"strengths: {taste: block}\n", "taste"},
		"a hard block's rule lowered":     {"strengths: {tests.removed: evidence}\n", "tests.removed"},
		"a hard block's class lowered":    {"strengths: {tests: pass}\n", "cannot be lowered"},
		"protected paths lowered":         {"strengths: {paths: evidence}\n", "paths.protected"},
		"a suppression lowered":           {"strengths: {suppression: evidence}\n", "suppression.added"},
		"a threshold below zero":          {"references: -1\n", "references"},
		"a glob that does not parse":      {"protected: ['[a']\n", "[a"},
		"an empty glob":                   {"fixtures: ['']\n", "fixtures"},
		"a value of the wrong kind":       {"deleted_files: many\n", "deleted_files"},
		"a newer schema than is readable": {"schema: 99\n", "99"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := gate.ReadPolicy([]byte(c.yaml))
			require.Error(t, err)
			assert.Contains(t, err.Error(), c.says)
			class := fault.ClassOf(err)
			assert.Contains(t, []fault.Class{fault.InvalidInput, fault.Unsupported}, class)
		})
	}
}

// covers: GAT-2
func TestPolicyRaises(t *testing.T) {
	p := policy(t, "deleted_files: 1\nprotected: ['secret-plans/**']\nstrengths: {dependencies: block, imports.changed: evidence}\n")
	in := gatetest.Input(t, map[string]string{"Cargo.toml": "[package]\n", "a.txt": "a\n", "b.txt": "b\n"},
		map[string]string{"Cargo.toml": "[package]\n[dependencies]\nx = \"1\"\n", "secret-plans/A": "x\n"})
	d := decide(t, &gate.Rules{Policy: p}, in)
	found := map[string]gate.Strength{}
	for _, f := range d.Findings {
		found[f.Rule] = f.Strength
	}
	assert.Equal(t, gate.Block, found["dependencies.changed"])
	assert.Equal(t, gate.Block, found["paths.protected"])

	in = gatetest.Input(t, map[string]string{"a.txt": "see b.txt\n", "b.txt": "b\n", "c.csv": "a.txt\nb.txt"}, map[string]string{"a.txt": "", "b.txt": ""})
	assert.Contains(t, decide(t, &gate.Rules{Policy: p}, in).Why, "deletion.many")
	assert.NotContains(t, decide(t, &gate.Rules{}, in).Why, "deletion.many")
}

// covers: GAT-2
func TestPolicyCannotTakeAwayBuiltinPaths(t *testing.T) {
	in := gatetest.Input(t, map[string]string{"a.txt": "a\n"}, map[string]string{".ENV": "x\n"})
	assert.Equal(t, gate.Blocked, decide(t, &gate.Rules{Policy: policy(t, "protected: []\n")}, in).Verdict)
}

// covers: GAT-2
func TestPolicyGlobsThatMatchNothingAreReported(t *testing.T) {
	d := decide(t, &gate.Rules{Policy: policy(t, "protected: ['no/such/**', '**/notes.txt']\n")}, gatetest.Input(t, map[string]string{"notes.txt": "a\n", "b": "b\n"}, map[string]string{"b": "c\n"}))
	notes := strings.Join(d.Notes, "\n")
	assert.Contains(t, notes, "no/such/**")
	assert.NotContains(t, notes, "notes.txt")
}

// covers: GAT-2
func TestNothingEvaluatedIsNotPass(t *testing.T) {
	d := decide(t, &gate.Rules{Use: []gate.Rule{}}, note(t))
	assert.Equal(t, gate.NotEvaluated, d.Verdict)
	assert.Nil(t, d.Authorization)
	in := note(t)
	in.After = nil
	assert.Equal(t, gate.NotEvaluated, decide(t, &gate.Rules{}, in).Verdict)
	in = note(t)
	in.Before = nil
	assert.Equal(t, gate.NotEvaluated, decide(t, &gate.Rules{}, in).Verdict)
}

func TestRulesOfAHost(t *testing.T) {
	rule := gate.Rule{ID: "house.notes", Class: "house", Strength: gate.Evidence, Justifiable: true,
		Check: func(_ context.Context, c *gate.Case) ([]gate.Finding, error) {
			return []gate.Finding{{After: index.Span{File: c.Changes[0].New, Line: 1}, Reason: "notes change", Missing: []string{"a signature"}, Alternative: "sign"}}, nil
		}}
	d := decide(t, &gate.Rules{Extra: []gate.Rule{rule}}, note(t))
	assert.Equal(t, gate.Blocked, d.Verdict)
	assert.Contains(t, d.Rules, "house.notes")

	for _, bad := range []gate.Rule{{Class: "x", Strength: gate.Pass, Check: rule.Check}, {ID: "x", Class: "x", Strength: gate.Pass}, {ID: "x", Class: "x", Strength: "?", Check: rule.Check}, {ID: "tests.removed", Class: "x", Strength: gate.Pass, Check: rule.Check}} {
		_, err := (&gate.Rules{Extra: []gate.Rule{bad}}).Decide(context.Background(), note(t))
		assert.True(t, errors.Is(err, fault.InvalidInput), "%v", err)
	}
}

// person is an Approver that keeps what it was asked.
type person struct {
	asked []gate.Operation
	no    bool
}

func (p *person) Approve(_ context.Context, op gate.Operation) (string, error) {
	p.asked = append(p.asked, op)
	if p.no {
		return "", &fault.Fault{Class: fault.Dangerous, Op: "approve", Detail: "refused", Next: "ask again another day"}
	}
	return "maria", nil
}

func waiting(what string, n int) gate.Rule {
	return gate.Rule{ID: "house." + what, Class: "house", Strength: gate.Evidence,
		Check: func(context.Context, *gate.Case) ([]gate.Finding, error) {
			var out []gate.Finding
			for i := range n {
				out = append(out, gate.Finding{After: index.Span{File: "notes.txt", Line: i + 1}, Reason: fmt.Sprint(what, i), Approve: what, Alternative: "leave it"})
			}
			return out, nil
		}}
}

// covers: GAT-10
func TestApproverIsAskedOnceForEachOperation(t *testing.T) {
	p := &person{}
	g := &gate.Rules{Approver: p, Extra: []gate.Rule{waiting("rename", 3), waiting("publish", 1)}}
	d := decide(t, g, note(t))
	require.Equal(t, gate.Allowed, d.Verdict, d.Why)
	require.Len(t, p.asked, 2)
	assert.NotEqual(t, p.asked[0].Digest, p.asked[1].Digest)
	assert.Len(t, p.asked[0].Findings, 3)
	require.NotNil(t, d.Authorization)
	assert.Contains(t, d.Authorization.By, "maria")
}

// covers: GAT-10
func TestApproverIsNotAskedForWhatIsBlockedAnyway(t *testing.T) {
	p := &person{}
	g := &gate.Rules{Approver: p, Extra: []gate.Rule{waiting("rename", 1)}}
	in := note(t)
	in.Report = nil
	d := decide(t, g, in)
	assert.Equal(t, gate.Blocked, d.Verdict)
	assert.Contains(t, strings.Join(d.Findings[len(d.Findings)-1].Missing, " "), "there is no report for the set", "what stands in the way is said")
	in = gatetest.Input(t, map[string]string{"notes.txt": "one\n"}, map[string]string{"notes.txt": "two\n", ".env": "x\n"})
	assert.Equal(t, gate.Blocked, decide(t, g, in).Verdict)
	assert.Empty(t, p.asked)
}

// covers: GAT-10
func TestWithoutApprovalTheChangeIsBlocked(t *testing.T) {
	for name, g := range map[string]*gate.Rules{"nobody": {}, "refused": {Approver: &person{no: true}}} {
		g.Extra = []gate.Rule{waiting("rename", 1)}
		d := decide(t, g, note(t))
		assert.Equal(t, gate.Blocked, d.Verdict, name)
		assert.Contains(t, strings.Join(d.Findings[len(d.Findings)-1].Missing, " "), "approval by a person", name)
	}
	broken := gate.ApproverFunc(func(context.Context, gate.Operation) (string, error) { return "", errors.New("unreachable") })
	_, err := (&gate.Rules{Approver: broken, Extra: []gate.Rule{waiting("rename", 1)}}).Decide(context.Background(), note(t))
	assert.True(t, errors.Is(err, fault.Environment), "%v", err)
}

// covers: GAT-13
func TestOneByteVoidsTheAuthorization(t *testing.T) {
	in := note(t)
	d := decide(t, &gate.Rules{}, in)
	require.NotNil(t, d.Authorization)
	changed := *in.Set
	changed.Files = append([]patch.File(nil), in.Set.Files...)
	changed.Files[0].New = append([]byte(nil), changed.Files[0].New...)
	changed.Files[0].New[0]++
	assert.NotEqual(t, d.Authorization.Set, changed.Digest())
	in.Set = &changed
	assert.Nil(t, decide(t, &gate.Rules{}, in).Authorization, "the report is for the set as it was")
}

// covers: GAT-13
func TestUnsandboxedRunsAreNoted(t *testing.T) {
	in := note(t)
	in.Report.Environment.Sandboxed = false
	d := decide(t, &gate.Rules{}, in)
	require.NotNil(t, d.Authorization)
	assert.Contains(t, strings.Join(d.Notes, "\n"), "without a sandbox")
}

// covers: GAT-8
func TestReasonInThePlanAnswersOneFinding(t *testing.T) {
	in := gatetest.Input(t, map[string]string{"Makefile": "test:\n\tgo test ./...\n", "ci/Makefile": "test:\n\tgo test ./...\n"},
		map[string]string{"Makefile": "test:\n\tgo test -short ./...\n", "ci/Makefile": "test:\n\tgo test -short ./...\n"})
	in.Plan = &changeset.Plan{Justifications: []task.Justification{
		{Rule: "tests.runner-narrowed", File: "Makefile", Reason: "the long tests run at night"},
		{Rule: "tests.removed", File: "ci/Makefile", Reason: "of another rule"},
		{Rule: "tests.runner-narrowed", File: "ci/Makefile", Reason: " "},
		{Rule: "tests.runner-narrowed", Reason: "for everything"},
	}}
	d := decide(t, &gate.Rules{}, in)
	require.Len(t, d.Findings, 2)
	assert.Equal(t, "the long tests run at night", d.Findings[0].Justified)
	assert.False(t, d.Findings[0].Blocks)
	assert.Empty(t, d.Findings[1].Justified)
	assert.True(t, d.Findings[1].Blocks)
}

// covers: GAT-7
func TestNoReasonAnswersAProtectedPath(t *testing.T) {
	in := gatetest.Input(t, map[string]string{"a": "a\n"}, map[string]string{".env": "x\n"})
	in.Plan = &changeset.Plan{Justifications: []task.Justification{{Rule: "paths.protected", File: ".env", Reason: "please"}}}
	assert.Equal(t, gate.Blocked, decide(t, &gate.Rules{}, in).Verdict)
}

// covers: GAT-7, GAT-12
func TestProtectedPathThroughASymbolicLink(t *testing.T) {
	in := gatetest.Input(t, map[string]string{"a": "a\n"}, map[string]string{"conf": "deploy/.env"})
	in.Set.Files[0].NewMode |= os.ModeSymlink
	assert.Equal(t, gate.Blocked, decide(t, &gate.Rules{}, in).Verdict)
}

// covers: GAT-1
func TestManyMovedFiles(t *testing.T) {
	before, after := map[string]string{}, map[string]string{}
	for i := range 12 {
		p := fmt.Sprintf("a/%02d.txt", i)
		before[p], after[p], after["b/"+filepath.Base(p)] = fmt.Sprintf("text %d\n", i), "", fmt.Sprintf("text %d\n", i)
	}
	d := decide(t, &gate.Rules{}, gatetest.Input(t, before, after))
	require.NotEmpty(t, d.Findings)
	assert.Equal(t, "rename.mass", d.Findings[0].Rule)
	assert.False(t, d.Findings[0].Blocks, "no edge leads to them: %v", d.Findings[0].Missing)
}

// covers: GAT-11
func TestDecisionDocument(t *testing.T) {
	in := gatetest.Input(t, map[string]string{"Makefile": "all:\n\ttrue\ntest:\n\tgo test ./...\n"},
		map[string]string{"Makefile": "all:\n\ttrue\ntest:\n\tgo test -run A ./...\n", ".env": "x\n"})
	d := decide(t, &gate.Rules{}, in)
	got, err := json.MarshalIndent(d, "", "  ")
	require.NoError(t, err)
	golden(t, "testdata/decision.json", append(got, '\n'))
}

// covers: GAT-11
func TestFingerprintHoldsWhenLinesMove(t *testing.T) {
	print := func(above string) string {
		in := gatetest.Input(t, map[string]string{"Makefile": above + "test:\n\tgo test ./...\n"}, map[string]string{"Makefile": above + "test:\n\tgo test -run A ./...\n"})
		d := decide(t, &gate.Rules{}, in)
		require.Len(t, d.Findings, 1)
		return d.Findings[0].Fingerprint
	}
	assert.Equal(t, print(""), print("# one\n# two\n"))
}

func golden(t *testing.T, file string, got []byte) {
	t.Helper()
	if os.Getenv("UPDATE_GOLDEN") == "1" {
		require.NoError(t, os.WriteFile(file, got, 0o644))
	}
	want, err := os.ReadFile(file)
	require.NoError(t, err)
	assert.Equal(t, string(want), string(got))
}

func TestClockOfTheHost(t *testing.T) {
	at := time.Date(2024, 1, 2, 3, 4, 5, 0, time.UTC)
	d := decide(t, &gate.Rules{Now: func() time.Time { return at }}, note(t))
	require.NotNil(t, d.Authorization)
	assert.Equal(t, at, d.Authorization.At)
}

package gate

import (
	"encoding/json"
	"fmt"
	"testing"

	"github.com/owenrumney/go-sarif/v3/pkg/report/v210/sarif"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/plumbkit/plumb/host/fault"
	"github.com/plumbkit/plumb/host/fault/faulttest"
	"github.com/plumbkit/plumb/index"
)

func decided() *Decision {
	return &Decision{Schema: 1, Set: "5e7", Verdict: Blocked, Why: "1 of 3 findings keep the change out: tests.skipped",
		Rules: []string{"paths.protected", "tests.skipped", "deletion.unreferenced", "imports.changed", "house.own"},
		Notes: []string{"there is no plan"},
		Findings: []Finding{
			{Rule: "tests.skipped", Strength: Block, Blocks: true, Before: index.Span{File: "a_test.go", Line: 3}, After: index.Span{File: "a_test.go", Line: 5, Col: 2},
				Symbol: "a.TestA", Reason: "TestA is skipped", Present: []string{}, Missing: []string{}, Alternative: "keep it running", Fingerprint: "f1"},
			{Rule: "deletion.unreferenced", Strength: Evidence, Before: index.Span{File: "d/ü b.go", Line: 1}, Reason: "d/ü b.go goes", Present: []string{"no import"},
				Missing: []string{"a name stands in x.go:3"}, Justified: "replaced by e.go", Fingerprint: "f2"},
			{Rule: "imports.changed", Strength: Pass, After: index.Span{File: "a.go", Line: 2}, Reason: "a.go imports \"os\" now.", Fingerprint: "f3", Approved: "ann"},
		}}
}

// covers: GAT-11
func TestSARIF(t *testing.T) {
	data, err := SARIF(decided())
	require.NoError(t, err)
	log, err := sarif.FromBytes(data, sarif.WithStrictValidation())
	require.NoError(t, err)
	require.NoError(t, log.Validate(), "against the schema of SARIF 2.1.0")
	assert.Equal(t, "2.1.0", log.Version)
	require.Len(t, log.Runs, 1)
	run := log.Runs[0]
	require.Len(t, run.Results, 3)
	for _, r := range run.Results {
		assert.Equal(t, *r.RuleID, *run.Tool.Driver.Rules[r.RuleIndex].ID)
	}
	for _, rule := range run.Tool.Driver.Rules {
		assert.NotEmpty(t, *rule.Help.Text)
		assert.NotEmpty(t, *rule.ShortDescription.Text)
	}
	skipped, gone, passed := run.Results[0], run.Results[1], run.Results[2]
	assert.Equal(t, "error", skipped.Level)
	assert.Equal(t, "TestA is skipped. Instead: keep it running.", *skipped.Message.Text)
	assert.Equal(t, 5, *skipped.Locations[0].PhysicalLocation.Region.StartLine)
	assert.Equal(t, 3, *skipped.RelatedLocations[0].PhysicalLocation.Region.StartLine)
	assert.Equal(t, "a.TestA", *skipped.Locations[0].LogicalLocations[0].FullyQualifiedName)
	assert.Equal(t, map[string]string{"plumb/v1": "f1"}, skipped.PartialFingerprints)
	assert.Empty(t, skipped.Suppressions)
	assert.Equal(t, "warning", gone.Level)
	assert.Equal(t, "d/%C3%BC%20b.go", *gone.Locations[0].PhysicalLocation.ArtifactLocation.URI)
	require.Len(t, gone.Suppressions, 1)
	assert.Equal(t, "replaced by e.go", *gone.Suppressions[0].Justification)
	assert.Equal(t, "note", passed.Level)
	assert.Equal(t, "approved by ann", *passed.Suppressions[0].Justification)
	assert.True(t, *run.Invocations[0].ExecutionSuccessful)
}

// covers: GAT-11, GAT-2
func TestSARIFOfNothing(t *testing.T) {
	data, err := SARIF(&Decision{Verdict: NotEvaluated, Why: "nothing was evaluated: the base is empty"})
	require.NoError(t, err)
	log, err := sarif.FromBytes(data, sarif.WithStrictValidation())
	require.NoError(t, err)
	require.NoError(t, log.Validate())
	assert.False(t, *log.Runs[0].Invocations[0].ExecutionSuccessful)
	assert.Contains(t, *log.Runs[0].Invocations[0].ToolExecutionNotifications[0].Message.Text, "nothing was evaluated")
	var raw struct{ Runs []map[string]json.RawMessage }
	require.NoError(t, json.Unmarshal(data, &raw))
	assert.JSONEq(t, "[]", string(raw.Runs[0]["results"]), "a run that looked has results, though none")
	_, err = SARIF(nil)
	assert.ErrorIs(t, err, fault.InvalidInput)
	assert.Empty(t, faulttest.Check(err))
}

// A finding keeps its fingerprint when lines are inserted above it.
//
// covers: GAT-11
func TestFingerprintsHoldWhenLinesMove(t *testing.T) {
	at := func(line int) string {
		f := Finding{Rule: "tests.skipped", After: index.Span{File: "a_test.go", Line: line}, Symbol: "a.TestA", Reason: fmt.Sprintf("TestA is skipped at a_test.go:%d", line)}
		return fingerprint(&f, map[string]int{})
	}
	assert.Equal(t, at(3), at(7))
}

// covers: GAT-11
func TestEveryClassHasHelp(t *testing.T) {
	for _, r := range append(Default(), Rule{ID: "secrets.content", Class: ClassSecrets}) {
		class, short, help := helpFor(r.ID)
		assert.Equal(t, r.Class, class)
		assert.NotContains(t, help, "host's own", r.ID)
		assert.NotEmpty(t, short)
	}
	_, short, help := helpFor("house.no-tabs")
	assert.Equal(t, "house: no tabs.", short)
	assert.Contains(t, help, "host's own")
}

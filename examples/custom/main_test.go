package main

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/plumbkit/plumb/gate"
)

// covers: ARC-2
func TestAHostSwapsItsRunnerClassifierAndModel(t *testing.T) {
	dir := t.TempDir()
	var asked []gate.Operation
	approve := gate.ApproverFunc(func(_ context.Context, op gate.Operation) (string, error) {
		asked = append(asked, op)
		return "the host", nil
	})
	r, err := work(t.Context(), dir, approve)
	require.NoError(t, err)
	require.Nil(t, r.Stopped, "%+v", r.Stopped)
	require.NotNil(t, r.Receipt)

	require.Len(t, asked, 1, "the classifier's label made it a person's decision")
	assert.Equal(t, "bank.risk", asked[0].Findings[0].Rule)
	assert.Contains(t, r.Decision.Rules, "bank.risk")
	for _, c := range r.Report.Commands {
		assert.Equal(t, []string{"go", "test", "./..."}, c.Args, "the host's own runner ran")
	}
	assert.NotEmpty(t, r.Report.Commands)
	assert.Equal(t, "BANK-1", r.Plan.Capabilities[0].ID, "the host's own model split the requirement")
	data, err := os.ReadFile(filepath.Join(dir, "limit.go"))
	require.NoError(t, err)
	assert.Contains(t, string(data), "amount > 0 && amount <= 100")
}

// covers: ARC-2
func TestTheHostIsShort(t *testing.T) {
	source, err := os.ReadFile("main.go")
	require.NoError(t, err)
	assert.Less(t, bytes.Count(source, []byte("\n")), 100)
}

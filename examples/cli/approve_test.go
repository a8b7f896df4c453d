package main

import (
	"bytes"
	"flag"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/plumbkit/plumb/gate"
	"github.com/plumbkit/plumb/verify"
)

// covers: GAT-10
func TestApprovalIsGivenForOneOperation(t *testing.T) {
	op := gate.Operation{Digest: strings.Repeat("a", 64), What: "change 25 uses"}
	other := gate.Operation{Digest: strings.Repeat("b", 64), What: "move all"}
	assert.Nil(t, approver(&env{}, nil, false), "nobody can be asked")

	by, err := approver(&env{}, []string{op.Digest}, false).Approve(t.Context(), op)
	require.NoError(t, err)
	assert.NotEmpty(t, by)
	by, err = approver(&env{}, []string{op.Digest}, false).Approve(t.Context(), other)
	require.NoError(t, err)
	assert.Empty(t, by, "an approval is for one operation")

	var shown bytes.Buffer
	a := approver(&env{stdin: strings.NewReader("yes\nno\n"), stderr: &shown}, nil, true)
	for _, want := range []bool{true, false, false} { // the third time nobody answers
		by, err := a.Approve(t.Context(), op)
		require.NoError(t, err)
		assert.Equal(t, want, by != "")
	}
	assert.Contains(t, shown.String(), "change 25 uses")
}

// covers: VER-1
func TestLayersGetTheTimeTheyAreGiven(t *testing.T) {
	fs := flag.NewFlagSet("verify", flag.ContinueOnError)
	fs.SetOutput(io.Discard)
	b := withinFlag(fs)
	require.NoError(t, fs.Parse([]string{"-within", "L2=5m,L3=20m"}))
	assert.Equal(t, verify.Budgets{L2: 5 * time.Minute, L3: 20 * time.Minute}, *b)
	for _, wrong := range []string{"L9=1m", "L2", "L2=soon", "L2=-1m"} {
		assert.Error(t, fs.Parse([]string{"-within", wrong}), wrong)
	}
}

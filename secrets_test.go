package plumb_test

import (
	"encoding/json"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/plumbkit/plumb/gate"
	"github.com/plumbkit/plumb/gate/secrets"
	"github.com/plumbkit/plumb/host/fault"
	"github.com/plumbkit/plumb/host/ledger"
	"github.com/plumbkit/plumb/selfcheck"
)

// A credential that an editor brings in keeps the change out, and stands in
// nothing that the run leaves behind: the ledger, its failure records, the
// hand-off, the report of the gate.
//
// covers: GAT-7, SEC-3
func TestACredentialIsKeptOutAndNeverShown(t *testing.T) {
	token := "dop" + "_v1_" + strings.Repeat("3f9a1c7e5b2d8064", 4) // of a form that the ledger does not know by itself
	e := &attempts{t: t, diffs: []string{strings.Replace(whole, "return Hello(name, \"\") + \" \"", "return Hello(name, \"\") + \""+token+"\"", 1)}}
	b := quick(t, greeter, e)
	b.Gate, b.Checker = &gate.Rules{Extra: []gate.Rule{secrets.Rule()}}, &selfcheck.Ten{Redact: secrets.Mask}
	r, err := b.Run(t.Context(), shout())
	require.ErrorIs(t, err, fault.Dangerous)
	assert.NotContains(t, err.Error(), token)
	refused, marshal := json.Marshal(fault.From(err, "", ""))
	require.NoError(t, marshal)
	assert.NotContains(t, string(refused), token)
	require.NotNil(t, r)
	assert.Nil(t, r.Receipt)
	assert.Equal(t, b.start, fingerprint(t, b.dir))
	found := false
	require.NotNil(t, r.Decision)
	for _, f := range r.Decision.Findings {
		found = found || f.Rule == secrets.RuleID && f.Blocks && f.After.File == "greet/greet.go"
	}
	assert.True(t, found, "%+v", r.Decision)

	log, err := gate.SARIF(r.Decision)
	require.NoError(t, err)
	assert.Contains(t, string(log), secrets.RuleID)
	assert.NotContains(t, string(log), token)
	decision, err := json.Marshal(r.Decision)
	require.NoError(t, err)
	assert.NotContains(t, string(decision), token)
	if r.Handoff != nil {
		page, err := json.Marshal(r.Handoff)
		require.NoError(t, err)
		assert.NotContains(t, string(page), token)
		assert.NotContains(t, r.Handoff.Markdown(), token)
	}
	entries, err := ledger.Entries(t.Context(), b.Store, "shout")
	require.NoError(t, err)
	require.NotEmpty(t, entries)
	require.NoError(t, filepath.WalkDir(b.dir, func(p string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := os.ReadFile(p)
		assert.NotContains(t, string(data), token, p)
		return err
	}))
}

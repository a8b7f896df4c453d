package selfcheck_test

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/plumbkit/plumb/selfcheck/selfchecktest"
)

// covers: SEC-3
func TestHandoffHoldsNoSecrets(t *testing.T) {
	token := "ghp_" + "abcdefghijklmnopqrstuvwxyz0123456789"
	ev := selfchecktest.Evidence(t)
	plain := check(t, ev)

	ev.Task.Requirement = "Prices carry a tax; try it with postgres://u:s3cr3tpw@db/x."
	ev.Plan.Capabilities[0].Sentence = "The rate is asked for with " + token
	ev.Set.Hunks[0].New = append(ev.Set.Hunks[0].New, "var token = \""+token+"\"",
		"-----BEGIN RSA PRIVATE KEY-----", "MIIEpAIBAAKCAQEA", "", "-----END RSA PRIVATE KEY-----", "var after = 1")
	h := check(t, ev)

	page, err := h.HTML()
	require.NoError(t, err)
	doc, err := json.Marshal(h)
	require.NoError(t, err)
	for _, out := range []string{h.Markdown(), string(page), string(doc)} {
		for _, secret := range []string{token, "s3cr3tpw", "MIIEpAIBAAKCAQEA"} {
			assert.NotContains(t, out, secret)
		}
		assert.Contains(t, out, "var after = 1", "what stands behind a secret stays")
		assert.Contains(t, out, "looks like a credential", "and it says that something is left out")
	}
	assert.Len(t, h.Hunks[0].New, len(ev.Set.Hunks[0].New), "lines keep their places")
	assert.Contains(t, ev.Set.Hunks[0].New[len(ev.Set.Hunks[0].New)-6], token, "the change itself stays as it is")
	assert.Equal(t, plain.Ledger, h.Ledger)
}

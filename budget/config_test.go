package budget_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/plumbkit/plumb/budget"
	"github.com/plumbkit/plumb/host/fault"
	"github.com/plumbkit/plumb/host/fault/faulttest"
)

const specimen = `
budget: {total_tokens: 16000, policy: layered_quota, rule: small on purpose}
layers:
  signatures:     {quota: 0.12}
  definitions:    {quota: 0.28, rule: whole where possible}
  call_sites:     {quota: 0.22, window: 2}
  contracts:      {quota: 0.15}
  tests:          {quota: 0.13}
  config_history: {quota: 0.10, commits: 7}
seeds:
  - {symbol: PaymentGateway.charge, why: the requirement names it, confidence: high}
ambiguities:
  - {symbol: notify, reason: 7 definitions with this name, action: ask_before_edit}
`

// covers: BUD-5
func TestReadConfig(t *testing.T) {
	c, err := budget.ReadConfig([]byte(specimen))
	require.NoError(t, err)
	assert.Equal(t, 16000, c.Total)
	assert.Equal(t, budget.Standard().Shares, c.Shares)
	assert.Equal(t, 2, c.Window)
	assert.Equal(t, 7, c.Commits)
	assert.Equal(t, []budget.SeedConfig{{Symbol: "PaymentGateway.charge", Why: "the requirement names it", Confidence: "high"}}, c.Seeds)
	assert.Equal(t, "notify", c.Ambiguities[0].Symbol)
}

// covers: BUD-5
func TestConfigErrorsNameTheKey(t *testing.T) {
	edit := func(old, new string) string { return strings.Replace(specimen, old, new, 1) }
	cases := map[string]struct{ text, key string }{
		"unknown key":     {edit("commits: 7", "comits: 7"), "comits"},
		"unknown at top":  {specimen + "seed: []\n", "seed"},
		"unknown layer":   {edit("  tests: ", "  docs: {quota: 0}\n  tests: "), "layers.docs"},
		"sum":             {edit("0.28", "0.38"), "layers"},
		"negative":        {edit("0.28", "-0.28"), "layers.definitions.quota"},
		"zero total":      {edit("16000", "0"), "budget.total_tokens"},
		"missing layer":   {edit("  contracts:      {quota: 0.15}\n", ""), "layers.contracts"},
		"policy":          {edit("layered_quota", "greedy"), "budget.policy"},
		"preset":          {"budget: {preset: fast}\n", "budget.preset"},
		"window":          {edit("quota: 0.28", "quota: 0.28, window: 1"), "layers.definitions.window"},
		"negative window": {edit("window: 2", "window: -2"), "layers.call_sites.window"},
		"commits":         {edit("window: 2", "commits: 2"), "layers.call_sites.commits"},
		"confidence":      {edit("confidence: high", "confidence: sure"), "seeds[0]"},
		"action":          {edit("ask_before_edit", "guess"), "ambiguities[0]"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			_, err := budget.ReadConfig([]byte(c.text))
			require.ErrorIs(t, err, fault.InvalidInput)
			assert.Empty(t, faulttest.Check(err))
			var f *fault.Fault
			require.ErrorAs(t, err, &f)
			assert.Equal(t, c.key, f.Subject.Text)
		})
	}
}

// covers: BUD-5
func TestPresets(t *testing.T) {
	standard := budget.Standard().Shares
	for name, c := range map[string]struct {
		config budget.Config
		up     budget.Layer
	}{
		"cross_file":  {budget.CrossFile(), budget.Contracts},
		"addition":    {budget.Addition(), budget.Tests},
		"refactoring": {budget.Refactoring(), budget.Definitions},
	} {
		require.NoError(t, c.config.Check(), name)
		assert.Greater(t, c.config.Shares[c.up], standard[c.up], name)
		read, err := budget.ReadConfig([]byte("budget: {preset: " + name + ", total_tokens: 5}\n"))
		require.NoError(t, err)
		assert.Equal(t, c.config.Shares, read.Shares, name)
	}
	require.NoError(t, budget.Standard().Check())
}

package changeset_test

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/plumbkit/plumb/changeset"
	"github.com/plumbkit/plumb/changeset/changesettest"
	"github.com/plumbkit/plumb/host/fault/faulttest"
)

// covers: CHG-2, CHG-3, CHG-5, CHG-11
func TestCases(t *testing.T) {
	names, err := filepath.Glob("testdata/*.txtar")
	require.NoError(t, err)
	require.NotEmpty(t, names)
	for _, path := range names {
		name := strings.TrimSuffix(filepath.Base(path), ".txtar")
		t.Run(name, func(t *testing.T) {
			c := readCase(t, name)
			p, err := c.plan(t, &changeset.Derived{})
			if err != nil {
				assert.Empty(t, faulttest.Check(err))
			}
			c.golden(t, brief(p, err))
		})
	}
}

// covers: CHG-4
func TestConformance(t *testing.T) {
	for _, name := range []string{"interface", "variadic", "rename", "derived"} {
		c := readCase(t, name)
		t.Run(name, func(t *testing.T) {
			changesettest.Run(t, changesettest.Suite{Planner: &changeset.Derived{}, Input: changeset.Input{Task: c.task, Snapshot: c.snap}})
		})
	}
}

// covers: CHG-2
func TestContractSyncListsOnlyWhatBreaks(t *testing.T) {
	c := readCase(t, "interface")
	p, err := c.plan(t, &changeset.Derived{})
	require.NoError(t, err)
	for _, name := range []string{"Card.Refund", "Wallet.Refund", "shop.Back", "shop.Direct"} {
		a := find(p, changeset.Sync, name)
		if assert.NotNil(t, a, name) {
			assert.Equal(t, changeset.High, a.Grade, name)
		}
	}
	assert.NotNil(t, find(p, changeset.FixTest, "fake.Refund"), "a test double is an implementation too")
	for _, a := range p.Actions {
		assert.NotContains(t, a.Symbol, "Voucher", "another method of the same name")
		assert.NotContains(t, a.Symbol, "Other", "its caller")
	}
}

package index_test

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/plumbkit/plumb/host/fault"
	"github.com/plumbkit/plumb/index"
)

// covers: ARC-4
func TestEnumerationsAreWords(t *testing.T) {
	type all struct {
		Kind       index.Kind
		Visibility index.Visibility
		Origin     index.Origin
		RefKind    index.RefKind
		Status     index.Status
		Mark       index.MarkKind
		Relation   index.RelationKind
		Tier       index.Tiers
	}
	v := all{index.KindEnumMember, index.PackageWide, index.Vendored, index.RefString, index.External, index.MarkPlaceholder,
		index.Overrides, index.TierBuild}
	data, err := json.Marshal(v)
	require.NoError(t, err)
	assert.JSONEq(t, `{"Kind":"enum_member","Visibility":"package","Origin":"vendored","RefKind":"string","Status":"external",
		"Mark":"placeholder","Relation":"overrides","Tier":"build"}`, string(data))
	var back all
	require.NoError(t, json.Unmarshal(data, &back))
	assert.Equal(t, v, back)
	assert.ErrorIs(t, new(index.Kind).UnmarshalText([]byte("klass")), fault.InvalidInput)
	assert.Equal(t, "unknown_99", index.Kind(99).String())
}

// covers: IDX-15
func TestOriginsHaveWeights(t *testing.T) {
	last := 1.1
	for _, o := range []index.Origin{index.Handwritten, index.Test, index.Generated, index.Vendored} {
		w := index.OriginWeight(o)
		assert.Less(t, w, last)
		assert.Positive(t, w)
		last = w
	}
}

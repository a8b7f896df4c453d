package verify_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/plumbkit/plumb/host/sandbox"
	"github.com/plumbkit/plumb/verify"
)

// A builder is a tool that builds before it tests.
type builder struct {
	*tool
	built    []verify.Run
	deadline time.Time
	ranFirst bool
}

func (b *builder) Build(ctx context.Context, _ sandbox.Sandbox, run verify.Run) error {
	b.built = append(b.built, run)
	b.deadline, _ = ctx.Deadline()
	b.ranFirst = b.ranFirst || len(b.runs) > 0
	return nil
}

// A compiler with an empty cache must not use up the time of the tests.
//
// covers: VER-1
func TestBuildingDoesNotCountForTheLayer(t *testing.T) {
	s := open(t, bank)
	s.replace(t, "account/account.go", "return 1", "return 2 - 1")
	b := &builder{tool: &tool{}}
	v := scripted(b.tool)
	v.Runner, v.Warm = b, time.Hour
	v.Budgets.L2, v.Budgets.L3 = time.Minute, time.Minute
	_, err := v.Verify(t.Context(), s.input())
	require.NoError(t, err)
	require.Len(t, b.built, 1, "once for all layers")
	assert.NotEmpty(t, b.built[0].Packages)
	assert.False(t, b.ranFirst, "before the first test")
	assert.Greater(t, time.Until(b.deadline), 30*time.Minute, "with a time of its own")
}

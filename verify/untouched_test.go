package verify_test

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/plumbkit/plumb/host/sandbox"
	"github.com/plumbkit/plumb/verify"
)

// Tests that rewrite the sources of their tree would be judged by what they
// wrote: another test could be emptied, and its regression read as flaky.
// covers: VER-21, VER-24
func TestTestsThatRewriteSourcesAreNotGreen(t *testing.T) {
	writing := func(file string) verify.Report {
		s := open(t, bank)
		s.replace(t, "account/account.go", "return 1", "return 2 - 1")
		return *verified(t, &tool{}, s, func(v *verify.Layered, _ *verify.Input) {
			v.Sandbox = sandbox.Func(func(_ context.Context, c sandbox.Command) (sandbox.Result, error) {
				f, err := os.OpenFile(filepath.Join(c.Dir, file), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
				require.NoError(t, err)
				_, err = f.WriteString("\n// written by a test\n")
				require.NoError(t, err)
				require.NoError(t, f.Close())
				return sandbox.Result{}, nil
			})
		})
	}
	r := writing("account/account_test.go")
	l := layer(t, &r, verify.L2)
	assert.Equal(t, verify.LayerEnvironment, l.Status)
	assert.Contains(t, l.Findings[0].Text, "account/account_test.go")
	assert.Contains(t, l.Next, "t.TempDir")

	r = writing("account/output.txt")
	assert.Equal(t, verify.LayerPassed, layer(t, &r, verify.L2).Status, "what is no source may be written")
}

package gate_test

import (
	"context"
	"errors"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/plumbkit/plumb/gate"
	"github.com/plumbkit/plumb/gate/gatetest"
	"github.com/plumbkit/plumb/host/fault"
	"github.com/plumbkit/plumb/host/fault/faulttest"
)

func judged(t *testing.T, before, after map[string]string) *gate.Decision {
	t.Helper()
	d, err := (&gate.Rules{}).Decide(context.Background(), gatetest.Input(t, before, after))
	require.NoError(t, err)
	return d
}

func blocks(d *gate.Decision, file string) bool {
	for _, f := range d.Findings {
		if f.Blocks && f.After.File == file {
			return true
		}
	}
	return false
}

// covers: GAT-2
func TestRepositoryPolicy(t *testing.T) {
	policy := "protected:\n  - \"auth/**\"\n"
	base := map[string]string{"auth/a.txt": "a\n", "b.txt": "b\n", gate.PolicyFile: policy}
	t.Run("applies without one of the host's", func(t *testing.T) {
		assert.True(t, blocks(judged(t, base, map[string]string{"auth/a.txt": "c\n"}), "auth/a.txt"))
		d, err := (&gate.Rules{Policy: &gate.Policy{}}).Decide(context.Background(), gatetest.Input(t, base, map[string]string{"auth/a.txt": "c\n"}))
		require.NoError(t, err)
		assert.False(t, blocks(d, "auth/a.txt"), "the host's own comes first")
	})
	t.Run("not as the change itself makes it, which is blocked", func(t *testing.T) {
		d := judged(t, base, map[string]string{"auth/a.txt": "c\n", gate.PolicyFile: "references: 9\n"})
		assert.True(t, blocks(d, "auth/a.txt"))
		assert.True(t, blocks(d, gate.PolicyFile))
		assert.True(t, blocks(judged(t, map[string]string{"b.txt": "b\n"}, map[string]string{gate.PolicyFile: "references: 9\n"}), gate.PolicyFile), "a new one too")
	})
	t.Run("a glob that matches nothing is reported with its line", func(t *testing.T) {
		d := judged(t, map[string]string{"b.txt": "b\n", gate.PolicyFile: policy}, map[string]string{"b.txt": "c\n"})
		assert.Contains(t, strings.Join(d.Notes, "\n"), `"auth/**" under protected (line 2)`)
	})
	t.Run("one that sets nothing is said to", func(t *testing.T) {
		for text, said := range map[string]bool{"\n": true, "\n# protected: [auth]\n": true, "{}\n": true, "---\n": true, "schema: 1\n": false, policy: false} {
			d := judged(t, map[string]string{"auth/a.txt": "a\n", "b.txt": "b\n", gate.PolicyFile: text}, map[string]string{"b.txt": "c\n"})
			assert.Equal(t, said, strings.Contains(strings.Join(d.Notes, "\n"), gate.PolicyFile+" sets nothing"), "%q: %v", text, d.Notes)
		}
	})
	t.Run("one that cannot be read decides nothing", func(t *testing.T) {
		_, err := (&gate.Rules{}).Decide(context.Background(), gatetest.Input(t, map[string]string{"b.txt": "b\n", gate.PolicyFile: "\nprotect: []\n"}, map[string]string{"b.txt": "c\n"}))
		var f *fault.Fault
		require.True(t, errors.As(err, &f))
		assert.Equal(t, fault.InvalidInput, f.Class)
		assert.Equal(t, gate.PolicyFile, f.Subject.File)
		assert.Equal(t, 2, f.Subject.Line)
		assert.Empty(t, faulttest.Check(err))
	})
}

// covers: GAT-2
func TestPolicyFaultsNameTheLine(t *testing.T) {
	for name, c := range map[string]struct {
		text string
		line int
	}{
		"a hard block lowered":        {"references: 3\nstrengths:\n  signature: block\n  tests: pass\n", 4},
		"credentials lowered":         {"strengths: {secrets: evidence}\n", 1},
		"an unknown class":            {"strengths:\n  signature: block\n  tset: block\n", 3},
		"a glob that does not parse":  {"documents: []\nprotected:\n  - ok\n  - \"[a\"\n", 4},
		"a negative threshold":        {"schema: 1\n\nmoved_files: -1\n", 3},
		"an unknown key in the third": {"schema: 1\nreferences: 2\nrefs: 3\n", 3},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := gate.ReadPolicy([]byte(c.text))
			var f *fault.Fault
			require.True(t, errors.As(err, &f), "%v", err)
			assert.Equal(t, fault.InvalidInput, f.Class)
			assert.Equal(t, c.line, f.Subject.Line, "%v", err)
		})
	}
}

// The example of the document is a policy, and names every key.
//
// covers: GAT-2
func TestDocumentedPolicy(t *testing.T) {
	doc, err := os.ReadFile("../docs/policy.md")
	require.NoError(t, err)
	_, example, ok := strings.Cut(string(doc), "```yaml\n")
	require.True(t, ok)
	example, _, _ = strings.Cut(example, "```")
	p, err := gate.ReadPolicy([]byte(example))
	require.NoError(t, err)
	assert.Equal(t, gate.Block, p.Strengths[gate.ClassSignature])
	assert.Equal(t, 1, p.Schema)
	for _, set := range []bool{p.DeletedFiles > 0, p.MovedFiles > 0, p.References > 0, len(p.Protected) > 0, len(p.Dependencies) > 0,
		len(p.Documents) > 0, len(p.Fixtures) > 0, len(p.Runners) > 0, len(p.Unrun) > 0} {
		assert.True(t, set)
	}
}

package gate_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/plumbkit/plumb/gate"
	"github.com/plumbkit/plumb/host/fault"
	"github.com/plumbkit/plumb/index"
	"github.com/plumbkit/plumb/index/lang/golang"
)

// A file of tests that somebody changes while the gate decides is no longer the
// one that was indexed: that is a fault, and never a judgement on half of it.
//
// covers: GAT-1, IDX-22
func TestATestThatChangesMeanwhileIsAFault(t *testing.T) {
	const name = "pay_test.go"
	text := "package pay\n\nimport \"testing\"\n\nfunc TestPay(t *testing.T) {\n\tif 1+1 != 2 {\n\t\tt.Fatal(\"sums\")\n\t}\n}\n"
	for how, content := range map[string]string{"longer": text + "\n// more\n", "empty": "", "gone": "-"} {
		t.Run(how, func(t *testing.T) {
			dir := t.TempDir()
			for file, data := range map[string]string{"go.mod": "module pay\n", "pay.go": "package pay\n\nfunc Pay() {}\n", name: text} {
				require.NoError(t, os.WriteFile(filepath.Join(dir, file), []byte(data), 0o644))
			}
			before, err := (&index.TreeSitter{Languages: []*index.Language{golang.Language()}}).Index(t.Context(), index.Input{FS: os.DirFS(dir)})
			require.NoError(t, err)
			after, err := before.Overlay(t.Context(), map[string][]byte{name: []byte("package pay\n\nimport \"testing\"\n\nfunc TestPay(t *testing.T) {}\n")})
			require.NoError(t, err)
			if content == "-" {
				require.NoError(t, os.Remove(filepath.Join(dir, name)))
			} else {
				require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(content), 0o644))
			}
			d, err := (&gate.Rules{}).Decide(t.Context(), gate.Input{Before: before, After: after})
			require.ErrorIs(t, err, fault.IndexUnavailable)
			assert.Contains(t, err.Error(), name)
			assert.Nil(t, d)
		})
	}
}

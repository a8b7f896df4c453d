package plumb_test

import (
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// suites are the packages whose interfaces a host may implement.
var suites = []string{"host/model", "host/ledger", "host/sandbox", "index", "budget", "changeset", "patch", "verify", "gate", "selfcheck"}

// covers: ARC-3
func TestEachStageShipsASuiteThatItsDefaultPasses(t *testing.T) {
	all := packages(t)
	for _, stage := range suites {
		suite := stage + "/" + path.Base(stage) + "test"
		require.Containsf(t, all, suite, "%s ships no conformance suite", stage)
		takes := false
		for _, f := range all[suite] {
			if !f.test {
				data, err := os.ReadFile(filepath.FromSlash(f.path))
				require.NoError(t, err)
				takes = takes || regexp.MustCompile(`(?m)^func [A-Z]\w*\(.*\*testing\.T`).Match(data)
			}
		}
		assert.Truef(t, takes, "%s has no function that tests an implementation", suite)
		assert.Truef(t, importedByTests(all, suite), "nothing passes %s", suite)
	}
}

// importedByTests reports whether the suite runs on an implementation: a test
// of the stage, of the suite itself or of another implementation imports it.
func importedByTests(all map[string][]source, suite string) bool {
	for _, files := range all {
		for _, f := range files {
			if f.test && slices.Contains(f.imports, module+"/"+suite) {
				return true
			}
		}
	}
	return false
}

// covers: ARC-12
func TestNothingRightOfTheIndexParsesLanguages(t *testing.T) {
	right := []string{"budget", "changeset", "patch", "verify", "gate", "selfcheck", "."}
	for pkg, files := range packages(t) {
		stage, _, _ := strings.Cut(pkg, "/")
		if !slices.Contains(right, stage) {
			continue
		}
		for _, f := range files {
			if f.test {
				continue
			}
			for _, imp := range f.imports {
				forbidden := strings.HasPrefix(imp, "go/") || strings.Contains(imp, "tree-sitter") || strings.HasPrefix(imp, module+"/internal/syntax")
				assert.Falsef(t, forbidden, "%s imports %s: what it wants to know belongs to index.Language", f.path, imp)
			}
		}
	}
}

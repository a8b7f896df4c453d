package all_test

import (
	"path/filepath"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/plumbkit/plumb/index/lang/all"
)

// A language that is added as a folder has to be added to the list as well.
//
// covers: ARC-5
func TestEveryLanguageIsListed(t *testing.T) {
	folders, err := filepath.Glob(filepath.Join("..", "*", "queries"))
	require.NoError(t, err)
	require.NotEmpty(t, folders)
	listed := all.Languages()
	assert.GreaterOrEqual(t, len(listed), len(folders), "a folder beside this one is not in the list")
	var names []string
	taken := map[string]string{}
	for _, l := range listed {
		names = append(names, l.Name)
		require.NotEmpty(t, l.Extensions, l.Name)
		for _, ext := range l.Extensions {
			assert.Emptyf(t, taken[ext], "%s is claimed by %s too", ext, l.Name)
			taken[ext] = l.Name
		}
	}
	slices.Sort(names)
	assert.Equal(t, names, slices.Compact(slices.Clone(names)), "each once")
}

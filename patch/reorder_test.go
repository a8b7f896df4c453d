package patch

import (
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/plumbkit/plumb/index"
	"github.com/plumbkit/plumb/index/lang/golang"
	"github.com/plumbkit/plumb/index/lang/python"
	"github.com/plumbkit/plumb/index/lang/typescript"
)

// An empty file, as the __init__.py of a package, is a module that begins at its
// end: it has no definitions in an order, and gains its first lines as any other.
//
// covers: PAT-13
func TestAnEmptyFileGainsContent(t *testing.T) {
	files := fstest.MapFS{"shop/__init__.py": {}, "web/index.ts": {}, "pay/pay.go": {}, "blank/__init__.py": {Data: []byte("\n")}}
	s, err := (&index.TreeSitter{Languages: []*index.Language{golang.Language(), python.Language(), typescript.Language()}}).Index(t.Context(), index.Input{FS: files})
	require.NoError(t, err)
	for name, now := range map[string]string{
		"shop/__init__.py": "\"\"\"Shop.\"\"\"\n\n\ndef pay():\n    pass\n", "blank/__init__.py": "VERSION = 1\n",
		"web/index.ts": "export const a = 1;\n", "pay/pay.go": "package pay\n",
	} {
		t.Run(name, func(t *testing.T) {
			old := string(files[name].Data)
			set, err := (&Anchored{}).Patch(t.Context(), Input{Before: s, Edits: []Edit{whole(name, old, now)}, AsCame: true})
			require.NoError(t, err)
			require.Len(t, set.Files, 1)
			assert.Equal(t, now, string(set.Files[0].New))
			_, parts := chunks(s, name, []byte(old))
			assert.Empty(t, parts)
		})
	}
}

// Package javascript gives the index JavaScript and JSX. All that is shared with
// TypeScript stands in index/lang/internal/ecmascript.
package javascript

import (
	_ "embed"

	"github.com/smacker/go-tree-sitter/javascript"

	"github.com/plumbkit/plumb/index"
	"github.com/plumbkit/plumb/index/lang/internal/ecmascript"
)

//go:embed queries/javascript.scm
var query string

// Language returns JavaScript with JSX. Each call returns a fresh value.
func Language() *index.Language {
	return ecmascript.New("javascript", []string{".js", ".mjs", ".cjs", ".jsx"}, javascript.GetLanguage(), query)
}

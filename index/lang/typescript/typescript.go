// Package typescript gives the index TypeScript and TSX. All that is shared with
// JavaScript stands in index/lang/internal/ecmascript.
package typescript

import (
	_ "embed"

	"github.com/smacker/go-tree-sitter/typescript/tsx"
	"github.com/smacker/go-tree-sitter/typescript/typescript"

	"github.com/plumbkit/plumb/index"
	"github.com/plumbkit/plumb/index/lang/internal/ecmascript"
)

//go:embed queries/typescript.scm
var query string

// Language returns TypeScript: .ts, .mts, .cts and their declaration files. Each
// call returns a fresh value.
func Language() *index.Language {
	return ecmascript.New("typescript", []string{".ts", ".mts", ".cts"}, typescript.GetLanguage(), query)
}

// TSX returns TypeScript with JSX. Each call returns a fresh value.
func TSX() *index.Language {
	return ecmascript.New("tsx", []string{".tsx"}, tsx.GetLanguage(), query)
}

// Package all brings every language that plumb reads. A host that wants to
// compile fewer grammars imports the languages it needs instead.
package all

import (
	"github.com/plumbkit/plumb/index"
	"github.com/plumbkit/plumb/index/lang/golang"
	"github.com/plumbkit/plumb/index/lang/javascript"
	"github.com/plumbkit/plumb/index/lang/python"
	"github.com/plumbkit/plumb/index/lang/typescript"
)

// Languages returns every language, each once, in a fixed order. The values are
// shared and must not be changed.
func Languages() []*index.Language {
	return []*index.Language{
		golang.Language(),
		javascript.Language(),
		python.Language(),
		typescript.Language(),
		typescript.TSX(),
	}
}

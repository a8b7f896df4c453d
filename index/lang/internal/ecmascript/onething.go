package ecmascript

import (
	"strings"

	"github.com/plumbkit/plumb/index"
)

// oneThing reports whether two definitions of one canonical name are one thing:
// overloads of a function or method with their implementation, blocks of an
// interface, of a namespace or of a class and its interface that are merged, and
// a declaration file's beside the code that it declares. Functions that are local
// to a block are told apart by linking alone: two blocks may each have one. Methods
// without a parent are members of objects that have no name, each of its own.
func oneThing(a, b index.Symbol) bool {
	if a.Span.File != b.Span.File && declaration(a.Span.File) == declaration(b.Span.File) {
		return false
	}
	switch {
	case a.Kind == index.KindFunction && b.Kind == index.KindFunction:
		return a.Visibility != index.Private && b.Visibility != index.Private
	case callable(a.Kind) && callable(b.Kind):
		return a.Parent != "" && b.Parent != "" && modified(a.Signature.Text, a.Name, "static") == modified(b.Signature.Text, b.Name, "static")
	}
	return a.Kind == b.Kind && a.Kind != index.KindType && a.Kind != index.KindEnum || merged(a.Kind) && merged(b.Kind) ||
		a.Kind == b.Kind && a.Span.File != b.Span.File
}

func callable(k index.Kind) bool { return k == index.KindMethod || k == index.KindConstructor }

func merged(k index.Kind) bool { return k == index.KindClass || k == index.KindInterface }

// declaration reports whether a file declares what another one defines.
func declaration(file string) bool {
	return strings.HasSuffix(file, ".d.ts") || strings.HasSuffix(file, ".d.mts") || strings.HasSuffix(file, ".d.cts")
}

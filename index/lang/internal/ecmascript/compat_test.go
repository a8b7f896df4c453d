package ecmascript_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/plumbkit/plumb/index"
	"github.com/plumbkit/plumb/index/indextest"
	"github.com/plumbkit/plumb/index/lang/typescript"
)

// A use written for the declaration before is judged against the one after. The
// use is the last reference of the name "f" (or "C", "T") in the source that
// stands behind the declaration.
//
// covers: CHG-2
func TestCompatible(t *testing.T) {
	const (
		fits    = "fits"
		breaks  = "breaks"
		unknown = "unknown"
	)
	for _, c := range []struct{ before, after, use, want, reason string }{
		{"function f(a: number) {}", "function f(a: number, b: number) {}", "f(1)", breaks, "parameter b, which has no default"},
		{"function f(a: number) {}", "function f(a: number, b?: number) {}", "f(1)", fits, ""},
		{"function f(a: number) {}", "function f(a: number, b = 2) {}", "f(1)", fits, ""},
		{"function f(a: number) {}", "function f(a: number, ...b: number[]) {}", "f(1)", fits, ""},
		{"function f(a: number) {}", "function f(first: number) {}", "f(1)", fits, ""},
		{"function f(a: number, b: number) {}", "function f(a: number) {}", "f(1, 2)", breaks, "2 arguments; 1 are taken"},
		{"function f(a: number, b?: number) {}", "function f(a: number) {}", "f(1)", fits, ""},
		{"function f(a: number, b: number) {}", "function f(b: number, a: number) {}", "f(1, 2)", breaks, "moved from place 1 to 2"},
		{"function f(a: number, b: number, c?: number) {}", "function f(a: number, c?: number) {}", "f(1, 2)", breaks, "now taken as c"},
		{"function f(a: number, b?: string, c?: number) {}", "function f(a: number, c?: number, b?: string) {}", "f(1)", fits, ""},
		{"function f(a: number, b: number) {}", "function f(a: number, b: number, c: number) {}", "f(...xs)", unknown, "spreads"},
		{"function f(a: number) {}", "function f(a: number | string) {}", "f(1)", fits, ""},
		{"function f(a: number | string) {}", "function f(a: number) {}", "f(1)", unknown, "type of parameter a changed"},
		{"function f(a: number): number { return 1 }", "function f(a: number): string { return '' }", "f(1)", unknown, "what it returns"},
		{"function f() {}", "async function f() {}", "f()", unknown, "became async"},
		{"const f = () => 1;", "const f = async () => 1;", "f()", unknown, "became async"},
		{"function f(a: number) {}", "function g(a: number) {}", "f(1)", breaks, "name changed"},
		{"function f(a: number) {}", "", "f(1)", breaks, "gone"},
		{"function f(a: number) {}", "function f(a: number, b?: number) {}", "xs.map(f)", unknown, "used as a value"},
		{"function f(a: number) { return 1 }", "function f(a: number) { return 2 }", "xs.map(f)", fits, ""},
		{"function f({ a }: { a: number }) {}", "function f({ a, b }: { a: number; b: number }) {}", "f({ a: 1 })", unknown, "property b"},
		{"function f({ a }: { a: number }) {}", "function f({ a, b = 1 }: { a: number; b?: number }) {}", "f({ a: 1 })", fits, ""},
		{"function f({ a, b }: { a: number; b: number }) {}", "function f({ a }: { a: number }) {}", "f({ a: 1, b: 2 })", unknown, "no longer taken"},
		{"function f(o: { a: number }) {}", "function f(o: { a: number; b?: string }) {}", "f({ a: 1 })", fits, ""},
		{"function f(o: { a: number }) {}", "function f(o: { a: number; b: string }) {}", "f(o)", unknown, "property b"},
		{"function f<A>(a: A) {}", "function f<A, B>(a: A) {}", "f(1)", fits, ""},
		{"class C { constructor(a: number) {} }", "class C { constructor(a: number, b: number) {} }", "new C(1)", breaks, "parameter b"},
		{"class C { constructor(a: number) {} }", "class C { constructor(a: number, b = 1) {} }", "new C(1)", fits, ""},
		{"class C {}", "abstract class C {}", "new C()", breaks, "abstract"},
		{"class C {}", "interface C {}", "new C()", breaks, "changed from a class"},
		{"class C {}", "interface C {}", "let x: C", unknown, "changed from a class"},
		{"interface T { a: number }", "interface T { a: number; b: number }", "let x: T", unknown, "must have them all"},
		{"type T = 1;", "type T = 2;", "let x: T", unknown, "stands for"},
		{"interface T { a: number }", "interface T<A> { a: A }", "let x: T", breaks, "needs 1 type arguments"},
		{"interface T { a: number }", "interface T<A = 1> { a: A }", "let x: T", unknown, ""},
		{"function C(p: { a: number }) { return null }", "function C(p: { a: number; b: number }) { return null }", "<C a={1} />", breaks, "property b is needed"},
		{"function C(p: { a: number }) { return null }", "function C(p: { a: number; b: number }) { return null }", "<C a={1} {...rest} />", unknown, "property b"},
		{"function C(p: { a?: number }) { return null }", "function C(p: { a?: number; b: number }) { return null }", "<C />", breaks, "property b is needed"},
		{"function C({ a }: { a: number }) { return null }", "function C({ a, b = 1 }: { a: number; b?: number }) { return null }", "<C a={1} />", fits, ""},
		{"function C(p: { a: number; b: number }) { return null }", "function C(p: { a: number }) { return null }", "<C a={1} b={2} />", breaks, "no longer taken"},
		{"const f = 1;", "let f = 1;", "f", fits, ""},
		{"const f: number = 1;", "const f: string = '';", "f", unknown, "type changed"},
	} {
		t.Run(c.before+" → "+c.after+" in "+c.use, func(t *testing.T) {
			before, use := judged(t, c.before, c.use)
			after, _ := judged(t, c.after, "")
			if c.after == "function g(a: number) {}" {
				after.ID = before.ID
			}
			ok, known, reason := typescript.TSX().Compatible(before, after, use)
			got := map[[2]bool]string{{true, true}: fits, {false, true}: breaks, {true, false}: unknown, {false, false}: unknown}[[2]bool{ok, known}]
			assert.Equal(t, c.want, got, reason)
			assert.Contains(t, reason, c.reason)
			if got != fits {
				assert.NotEmpty(t, reason)
			}
		})
	}
}

// judged returns the first definition of a source, and the last reference to it
// in the use behind it.
func judged(t *testing.T, decl, use string) (index.Symbol, index.Ref) {
	t.Helper()
	s := indextest.Index(t, &index.TreeSitter{Languages: family()}, indextest.Files{"a.tsx": "export " + decl + "\n" + use + "\n"}, nil)
	var sym index.Symbol
	for d := range s.Symbols() {
		if sym.ID == "" && d.Kind != index.KindPackage || d.Kind == index.KindConstructor {
			sym = d
		}
	}
	var ref index.Ref
	if use != "" {
		for r := range s.Refs() {
			if (r.Name == sym.Name || sym.Kind == index.KindConstructor && r.Name == "C") && r.Span.Start > len(decl) {
				ref = r
			}
		}
		require.NotEmpty(t, ref.Name, "the use refers to the definition")
	}
	return sym, ref
}

// What a call in JavaScript passes beyond what is taken is ignored: nothing
// breaks, and somebody has to look at it.
//
// covers: CHG-2
func TestCompatibleInJavaScript(t *testing.T) {
	before, use := judged(t, "function f(a, b) {}", "f(1, 2)")
	after, _ := judged(t, "function f(a) {}", "")
	use.Span.File = strings.TrimSuffix(use.Span.File, ".tsx") + ".js"
	ok, known, reason := typescript.Language().Compatible(before, after, use)
	assert.True(t, ok)
	assert.False(t, known)
	assert.Contains(t, reason, "the rest is ignored")
}

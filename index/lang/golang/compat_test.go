package golang

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

// covers: IDX-3
func TestCompatible(t *testing.T) {
	const (
		fits    = "fits"
		breaks  = "breaks"
		unknown = "unknown"
	)
	cases := []struct {
		name, before, after, use string
		want, reason             string
	}{
		{"same", "func F(a int) {}", "func F(b int) {}", "F(1)", fits, ""},
		{"parameter added", "func F(a int) {}", "func F(a, b int) {}", "F(1)", breaks, "passes 1 values; at least 2"},
		{"parameter removed", "func F(a, b int) {}", "func F(a int) {}", "F(1, 2)", breaks, "passes 2 values; 1 are taken"},
		{"variadic added", "func F(a int) {}", "func F(a int, o ...Option) {}", "F(1)", fits, ""},
		{"variadic added to a value", "func F(a int) {}", "func F(a int, o ...Option) {}", "g = F", unknown, "used as a value"},
		{"variadic dropped, none passed", "func F(a ...int) {}", "func F() {}", "F()", fits, ""},
		{"variadic dropped, spread", "func F(a ...int) {}", "func F(a []int) {}", "F(x, y...)", unknown, ""},
		{"second variadic dropped, spread", "func F(a int, b ...int) {}", "func F(a int) {}", "F(x, y...)", breaks, "spreads a slice"},
		{"results passed on", "func F(a, b int) {}", "func F(a, b, c int) {}", "F(g())", breaks, "passes 2 values"},
		{"one result passed on", "func F(a int) {}", "func F(a int, b ...int) {}", "F(g())", fits, ""},
		{"type of a parameter", "func F(a int) {}", "func F(a int64) {}", "F(1)", unknown, "type of parameter a changed from int to int64"},
		{"result added", "func F() int { return 1 }", "func F() (int, error) { return 1, nil }", "F()", unknown, "returns 2 values where it returned 1"},
		{"result's type", "func F() int { return 1 }", "func F() int64 { return 1 }", "F()", unknown, "type of result 1"},
		{"renamed", "func F() {}", "func G() {}", "F()", breaks, "the definition is gone"},
		{"method value", "func (t T) F(a int) {}", "func (t T) F(a, b int) {}", "x.F", unknown, "method value"},
		{"receiver", "func (t T) F() {}", "func (t *T) F() {}", "x.F()", unknown, "the receiver changed from T to *T"},
		{"field kept", "type T struct { F int }", "type T struct { F int `x`; G int }", "_ = x.F", fits, ""},
		{"field's type", "type T struct { E, F int }", "type T struct { E, F string }", "_ = x.F", unknown, "the type changed from int to string"},
		{"field gone", "type T struct { F int }", "type T struct { G int }", "_ = T{F: 1}", breaks, "the definition is gone"},
		{"variable's type", "var F int = 1", "var F int = 2", "F++", fits, ""},
		{"variable's inferred type", "var F = f()", "var F = g()", "F++", unknown, "perhaps the type"},
		{"variable to constant", "var F int = 1", "const F int = 1", "F = 2", breaks, "variable to a constant"},
		{"constant's type", "const (\n F T = 1\n)", "const (\n F U = 1\n)", "_ = F", unknown, "from T to U"},
		{"function to variable", "func F() {}", "var F func()", "F()", unknown, "function to a variable"},
		{"type parameters", "type F[T any] struct{}", "type F[T, U any] struct{}", "var x F[int]", breaks, "2 type parameters"},
		{"underlying type", "type F int", "type F string", "var x F", unknown, "from int to string"},
		{"struct grew", "type F struct{ a int }", "type F struct{ a, b int }", "var x F", fits, ""},
		{"struct grew under a literal", "type F struct{ a int }", "type F struct{ a, b int }", "_ = F(x)", unknown, "members"},
		{"interface grew", "type F interface{ A() }", "type F interface{ A(); B() }", "var x F", unknown, "must have them all"},
		{"hint", "func F(a int) {}", "func F() {}", "_ = F", unknown, "used as a value"},
	}
	r := newReader(t)
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			ok, known, reason := Language().Compatible(r.Symbol(t, "a.go", "package a\n"+c.before, "F"), r.Symbol(t, "a.go", "package a\n"+c.after, "F"), r.Use(t, "b.go", "package b\nfunc b() { "+c.use+" }", "F"))
			got := unknown
			if known {
				got = map[bool]string{true: fits, false: breaks}[ok]
			}
			assert.Equal(t, c.want, got, reason)
			assert.Contains(t, reason, c.reason)
			assert.Equal(t, c.want == fits, reason == "", reason)
		})
	}
}

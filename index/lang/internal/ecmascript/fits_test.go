package ecmascript_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/plumbkit/plumb/index"
	"github.com/plumbkit/plumb/index/indextest"
)

// covers: CHG-2
func TestOverridesThatCanBeCalledAsTheirBase(t *testing.T) {
	for _, c := range []struct {
		base, impl string
		breaks     string
		known      bool
	}{
		{"f(a: string): void", "f(a: string): void", "", true},
		{"f(a: string, b: number): void", "f(a: string): void", "", true},
		{"f(a: string): void", "f(a: string, b?: number): void", "", true},
		{"f(a: string): void", "f(a: string, b = 1): void", "", true},
		{"f(a: string): void", "f(...all: string[]): void", "", true},
		{"f(a: string): void", "f(a: string | number): void", "", true},
		{"f(a: string): string | null", "f(a: string): string", "", true},
		{"f(a: string): void", "f(a)", "", true},
		{"f(a: string): void", "f(a: string, b: number): void", "it requires b, which nobody passes", true},
		{"f(a?: string): void", "f(a: string): void", "it requires a, which may be left out", true},
		{"f(a: number): void", "f(a: string): void", "its parameter a is of type string, not number", false},
		{"f(a: string): number", "f(a: string): string", "it gives string, not number", false},
	} {
		s := indextest.Index(t, &index.TreeSitter{Languages: family()}, indextest.Files{
			"m.ts": "export interface A { " + c.base + " }\nexport class B implements A { " + c.impl + " { return null as any; } }\n",
		}, nil)
		base, impl := s.Definitions("m.A.f").Sure[0], s.Definitions("m.B.f").Sure[0]
		ok, known, reason := s.Language("m.ts").Fits(base, impl)
		assert.Equal(t, c.breaks, reason, "%s / %s", c.base, c.impl)
		assert.Equal(t, c.known, known, "%s / %s", c.base, c.impl)
		assert.Equal(t, c.breaks == "", ok)
	}
}

package golang

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

// covers: REL-2, IDX-4
func FuzzExtract(f *testing.F) { kit().Fuzz(f, nil) }

// covers: IDX-4, REL-4
func TestDeepNestingCostsOnlyItself(t *testing.T) {
	r := newReader(t)
	for _, around := range [][2]string{{"(", ")"}, {"[]", ""}, {"f(", ")"}, {"T{", "}"}, {"func() { ", " }"}, {"-", ""}} {
		src := "package a\n\nfunc before() {}\n\nvar x = " + strings.Repeat(around[0], 20_000) + "y" + strings.Repeat(around[1], 20_000) +
			"\n\nfunc after() {}\n"
		f := r.Facts(t, "a.go", []byte(src))
		if f.Skipped != "" {
			assert.Contains(t, f.Skipped, "nested")
		}
		names := map[string]bool{}
		for _, d := range f.Defs {
			names[f.Names[d.Name]] = true
		}
		assert.True(t, names["before"], around[0])
	}
}

package syntax

import (
	"context"
	"testing"
	"time"

	"github.com/plumbkit/plumb/host/fault"
	"github.com/stretchr/testify/require"
)

// FuzzParse feeds any bytes to every sample grammar: no crash, no hang, arrays
// that agree with each other, and the runtime's tree.
// covers: REL-2, IDX-4
func FuzzParse(f *testing.F) {
	all := grammars(f, everything)
	for i, g := range all {
		f.Add(uint8(i), []byte(g.sample))
		for _, src := range inputs(g) {
			f.Add(uint8(i), src[:min(len(src), 400)])
		}
	}
	p := NewParser()
	p.Limits.Timeout = 2 * time.Second
	f.Fuzz(func(t *testing.T, which uint8, src []byte) {
		g := all[int(which)%len(all)]
		tree, err := p.Parse(context.Background(), g.lang, src)
		if err != nil {
			require.ErrorIs(t, err, fault.BudgetExceeded)
			return
		}
		checkShape(t, tree)
		checkAgainstBinding(t, p, g, src)
	})
}

// FuzzQuery feeds any text as a query: it compiles or is refused with a place.
// covers: REL-2
func FuzzQuery(f *testing.F) {
	raw := samples[0].get()
	for _, q := range []string{everything, "(call_expression function: [(identifier) @a \"x\"]+ . !name) ; c",
		"((comment)* @d . (_ name: (_)? @n) (#eq? @n \"\\\"\"))", "(", "\"", "(#", "[", "(identifier) @"} {
		f.Add(q)
	}
	p := NewParser()
	p.Limits.Timeout = 2 * time.Second
	f.Fuzz(func(t *testing.T, query string) {
		if len(query) > 400 {
			t.Skip()
		}
		lang, err := NewLanguage("go", raw, query)
		if err != nil {
			require.ErrorIs(t, err, fault.InvalidInput)
			return
		}
		tree, err := p.Parse(context.Background(), lang, []byte(samples[0].sample))
		if err == nil {
			checkShape(t, tree)
		}
	})
}

package verify_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/plumbkit/plumb/index/lang/python"
	"github.com/plumbkit/plumb/verify"
)

// A call of the changed name through something that the index cannot follow is
// named, unless it fits the new signature as well; of very many the rest are counted.
//
// covers: VER-3, IDX-35
func TestCallsOfUnknownTargetAreNamed(t *testing.T) {
	many := strings.Repeat("    p.refund(1)\n", 25)
	before, ws := indexed(t, python.Language(), map[string]string{
		"shop/__init__.py": "",
		"shop/pay.py":      "def refund(order):\n    return order\n",
		"shop/desk.py":     "from shop import pay\n\n\ndef seven(p=pay):\n    p.refund(1)\n",
		"shop/many.py":     "from shop import pay\n\n\ndef all(p=pay):\n" + many,
	})
	for signature, asked := range map[string]bool{"order, fee": true, "order, fee=0": false} {
		t.Run(signature, func(t *testing.T) {
			after, err := before.Overlay(t.Context(), map[string][]byte{"shop/pay.py": []byte("def refund(" + signature + "):\n    return order + fee\n")})
			require.NoError(t, err)
			r, err := (&verify.Layered{}).Verify(t.Context(), verify.Input{Before: before, After: after, Workspace: ws, Layers: []verify.LayerName{verify.L1}})
			require.NoError(t, err)
			var got []string
			for _, ref := range r.Confirm {
				got = append(got, fmt.Sprintf("%s:%d", ref.Span.File, ref.Span.Line))
			}
			assert.Equal(t, asked, slices.Contains(got, "shop/desk.py:5"), got)
			assert.Contains(t, unverified(r), "more references named refund whose target is not known")
		})
	}
}

package selfcheck_test

import (
	"context"
	"fmt"

	"github.com/plumbkit/plumb/patch"
	"github.com/plumbkit/plumb/selfcheck"
)

// Without evidence nothing is judged, and the hand-off says so.
func ExampleTen() {
	set := &patch.Set{Noise: patch.Noise{Before: 0.5, After: 0.25}}
	h, err := (&selfcheck.Ten{}).Check(context.Background(), selfcheck.Evidence{Set: set})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, c := range h.Checks {
		fmt.Printf("%s: judged %t, passed %t, next %q\n", c.Name, c.Judged, c.Passed, c.Action)
	}
	fmt.Println(h.Failed)
	// Output:
	// diff_size: judged false, passed false, next ""
	// format_noise: judged true, passed false, next "restore"
	// format_noise
}

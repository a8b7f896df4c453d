package verify_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/plumbkit/plumb/host/sandbox"
	"github.com/plumbkit/plumb/verify"

	"context"
)

// covers: VER-11
func TestFailuresAreCompressed(t *testing.T) {
	for _, c := range []struct {
		name, output                string
		assertion, want, got, frame string
		omitted                     int
	}{
		{"got and want", "=== RUN   TestOpen\n    account_test.go:7: Open() = 2, want 1\n--- FAIL: TestOpen (0.00s)\n",
			"account_test.go:7: Open() = 2, want 1", "1", "2", "account/account_test.go:7", 0},
		{"got first", "    account_test.go:7: got \"a, b\", want \"c\"\n", "account_test.go:7: got \"a, b\", want \"c\"", `"c"`, `"a, b"`, "account/account_test.go:7", 0},
		{"expected but got", "    account_test.go:7: expected 5 items but got 3\n", "account_test.go:7: expected 5 items but got 3", "5 items", "3", "account/account_test.go:7", 0},
		{"testify", `    account_test.go:7:
        	Error Trace:	/tmp/plumb-scratch-1/account/account_test.go:7
        	Error:      	Not equal:
        	            	expected: 1
        	            	actual  : 2
        	Test:       	TestOpen
`, "Error:      	Not equal:", "1", "2", "account/account_test.go:7", 0},
		{"a panic with its stack", "panic: no twos [recovered]\n\tpanic: no twos\n\ngoroutine 7 [running]:\ntesting.tRunner.func1.2({0x1, 0x2})\n\t/usr/lib/go/src/testing/testing.go:1545 +0x1c8\n" +
			"example.com/bank/account.Open()\n\t/tmp/plumb-scratch-1/account/account.go:3 +0x1d\nexample.com/bank/account.TestOpen()\n\t/tmp/plumb-scratch-1/account/account_test.go:6 +0x20\n" +
			strings.Repeat("created by someone\n\t/usr/lib/go/src/testing/testing.go:1648 +0x3ad\n", 10),
			"panic: no twos [recovered]", "", "", "account/account.go:3", 17},
		{"pytest", "    def test_open():\n>       assert open_() == 1\nE       assert 2 == 1\naccount/account_test.go:7: AssertionError\n", "E       assert 2 == 1", "1", "2", "account/account_test.go:7", 0},
		{"jest", "    expect(received).toBe(expected)\n\n    Expected: 1\n    Received: 2\n", "expect(received).toBe(expected)", "1", "2", ":0", 0},
		{"nothing at all", "", "the test is failed and wrote no reason", "", "", ":0", 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := open(t, bank)
			s.replace(t, "account/account.go", "return 1", "return 2")
			f := &tool{}
			v := scripted(f)
			v.Repeat = -1
			v.Runner = verify.RunnerFunc(func(ctx context.Context, box sandbox.Sandbox, run verify.Run) ([]verify.Outcome, error) {
				out, err := f.Run(ctx, box, run)
				for i := range out {
					if out[i].Test.Name == "TestOpen" && len(f.runs) > 1 && out[i].Status == verify.Passed {
						out[i].Status, out[i].Output = verify.Failed, c.output
					}
				}
				return out, err
			})
			r, err := v.Verify(t.Context(), s.input())
			require.NoError(t, err)
			var failure *verify.Failure
			for _, x := range r.Tests {
				if x.Test.Name == "TestOpen" {
					failure = x.Failure
				}
			}
			require.NotNil(t, failure)
			assert.Equal(t, c.assertion, failure.Assertion)
			assert.Equal(t, c.want, failure.Expected)
			assert.Equal(t, c.got, failure.Actual)
			assert.Equal(t, c.frame, fmt.Sprintf("%s:%d", failure.Frame.File, failure.Frame.Line))
			assert.Equal(t, c.omitted, failure.Omitted)
			assert.LessOrEqual(t, strings.Count(failure.Output, "\n"), 12)
			assert.NotContains(t, failure.Output, "--- FAIL")
		})
	}
}

package verify_test

import (
	"context"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/plumbkit/plumb/host/sandbox"
	"github.com/plumbkit/plumb/verify"
)

// A table of hundreds of skipped rows is one line of what was not verified, and
// what test code calls and says is none.
//
// covers: VER-15
func TestNotVerifiedIsShortAndOfTheProgram(t *testing.T) {
	s := open(t, shelf)
	s.change(t, nil, "lamp/lamp.go", "true", "!false", "lamp/lamp_test.go", `import "testing"

func TestOn(t *testing.T) { On() }`, `import (
	"testing"

	"example.net/check"
)

func TestOn(t *testing.T) { check.That(t, On(), "the lamp is on") }`)
	inner := &tool{}
	rows := func(ctx context.Context, box sandbox.Sandbox, run verify.Run) ([]verify.Outcome, error) {
		out, err := inner.Run(ctx, box, run)
		for _, o := range out {
			if o.Test.Name == "TestOn" && o.Status == verify.Passed {
				for _, row := range []string{"red", "green", "blue"} {
					out = append(out, verify.Outcome{Test: verify.TestID{Dir: o.Test.Dir, Name: "TestOn/" + row}, Of: o.Test, Status: verify.Skipped, Reason: "no " + row + " bulb"})
				}
			}
		}
		return out, err
	}
	r := verified(t, &tool{}, s, func(v *verify.Layered, in *verify.Input) {
		v.Runner = verify.RunnerFunc(rows)
		in.Layers = []verify.LayerName{verify.L0, verify.L2}
	})
	said := unverified(r)
	assert.Contains(t, said, "and 2 more subtests of TestOn because skipped: no ")
	assert.Equal(t, 1, strings.Count(said, "bulb"), said)
	assert.NotContains(t, said, "example.net/check")
	assert.NotContains(t, said, "the lamp is on")
}

// What a type is called for, such as a buffer's writer, stores nothing.
//
// covers: VER-15
func TestAWriterIsNoStore(t *testing.T) {
	s := open(t, shelf+"-- desk/desk.go --\npackage desk\n\ntype bufWriter struct{ n int }\n\nfunc (b *bufWriter) reset() { b.n = 0 }\n\ntype store struct{ n int }\n\nfunc (s *store) Save() { s.n++ }\n\nfunc Work(b *bufWriter, s *store) int {\n\tb.reset()\n\ts.Save()\n\treturn 1\n}\n"+
		"-- desk/desk_test.go --\npackage desk\n\nimport \"testing\"\n\nfunc TestWork(t *testing.T) { Work(&bufWriter{}, &store{}) }\n")
	s.change(t, nil, "desk/desk.go", "return 1", "return 2")
	r := verified(t, &tool{}, s, func(_ *verify.Layered, in *verify.Input) { in.Layers = []verify.LayerName{verify.L0, verify.L1} })
	said := unverified(r)
	assert.Contains(t, said, "desk.store.Save records")
	assert.NotContains(t, said, "bufWriter.reset records")
}

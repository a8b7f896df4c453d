package typescript

import (
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/plumbkit/plumb/index"
)

const refundSpec = `import { refund } from "../src/refund";

const table = [1];

describe("refund", () => {
  function paid() {
    return refund(2);
  }
  it("takes the amount", () => {
    expect(paid()).toBe(2);
  });
  it("does nothing", () => {
    expect(1).toBe(1);
  });
  it.each(table)("takes row %s", (row) => {
    const shop = { refund: () => refund(row) };
    expect(shop.refund()).toBe(row);
  });
});

describe("hooked", () => {
  beforeEach(() => { refund(3); });
  it("is given back", () => {});
  describe("inside", () => {
    it("is given back as well", () => {});
  });
});
`

// Tests that are calls are told apart: a reference belongs to the test it stands
// in, also in a member of an object there; what a helper of a block does to the
// tests that call it; what a hook or a block does to all tests of the block.
//
// covers: IDX-27
func TestTestsThatAreCallsAreLinkedOneByOne(t *testing.T) {
	at := func(t *testing.T, spec string) map[string]string {
		s, err := (&index.TreeSitter{Languages: []*index.Language{Language()}}).Index(t.Context(), index.Input{FS: fstest.MapFS{
			"package.json":        {Data: []byte(`{"name": "shop"}`)},
			"src/refund.ts":       {Data: []byte("export function refund(n: number) {\n  return n;\n}\n")},
			"test/refund.spec.ts": {Data: []byte(spec)},
		}})
		require.NoError(t, err)
		defs := s.Named("refund")
		require.NotEmpty(t, defs)
		got := map[string]string{}
		for _, d := range defs {
			if d.Span.File != "src/refund.ts" || d.Kind != index.KindFunction {
				continue
			}
			for _, l := range s.TestsFor(d.ID).Sure {
				assert.Equal(t, "test/refund.spec.ts", l.File)
				assert.Empty(t, l.Test.ID)
				got[l.Mark.Text] = l.Mark.Form
			}
		}
		return got
	}
	t.Run("of a block, a helper, a table and a hook", func(t *testing.T) {
		assert.Equal(t, map[string]string{
			"refund > takes the amount": "", "refund > takes row %s": index.FormOpen,
			"hooked > is given back": "", "hooked > inside > is given back as well": "",
		}, at(t, refundSpec))
	})
	t.Run("of the file", func(t *testing.T) {
		assert.Contains(t, at(t, refundSpec+"\nrefund(4);\n"), "refund > does nothing")
	})
	t.Run("of a file whose tests are not known", func(t *testing.T) {
		assert.Equal(t, map[string]string{"": ""}, at(t, "import { refund } from \"../src/refund\";\nrun(refund(1));\n"))
	})
}

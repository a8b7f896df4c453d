package index_test

import (
	"testing"

	"github.com/plumbkit/plumb/index"
	"github.com/plumbkit/plumb/index/indextest"
)

// shop is a small repository in the toy language.
var shop = indextest.Files{
	"toy.mod":             "shop\n",
	"pay/refund.toy":      "import store\ndef Refund\ncall store.Save\ncall check\n\ndef check\ncall ?.Close\n\n",
	"pay/gate.toy":        "interface Gate\nabstract Gate.Send\nabstract Gate.Close\n\ntype Live : Gate\ndef Live.Send\ndef Live.Close\n\ndef Use\ncall ?.Send\n\n",
	"pay/refund_test.toy": "test TestRefund\ncall Refund\n\ntest TestOther\ncall other\n\n",
	"store/store.toy":     "# the store\ndef Save\ncall write\n\ndef write\ncall fmt.Print\n\ntype File\ndef File.Close\n\n",
	"store/twice.toy":     "def Twice\n\ndef Twice\ncall Twice\n\n",
	"web/web.toy":         "import pay\nimport net/outside\ndef Handle\ncall pay.Refund\ncall outside.Go\ncall pay.check\n\n",
	"README.md":           "A shop. See pay/refund.toy and Refund.\n",
}

func toy() *index.TreeSitter { return &index.TreeSitter{Languages: []*index.Language{indextest.Toy()}} }

// covers: ARC-3, IDX-21, IDX-24
func TestTreeSitterConforms(t *testing.T) { indextest.Language(t, indextest.Toy(), shop) }

// covers: IDX-21
func TestIncrementalEqualsFull(t *testing.T) {
	for seed := range uint64(6) {
		indextest.Incremental(t, toy(), shop, 40, seed)
	}
}

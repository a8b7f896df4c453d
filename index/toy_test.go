package index_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

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

// mixed is a repository of both languages of the toy family: packages of both,
// and each imports the other.
func mixed() indextest.Files {
	files := with(shop, "toy2.mod", "mixed\n")
	files["pay/more.toy2"] = "import store\ndef More\ncall Refund\ncall store.Twin\n\ntype Card : Gate\ndef Card.Send\n\n"
	files["store/twin.toy2"] = "def Twin\ncall Save\ncall write\n\n"
	files["pay/more_test.toy2"] = "test TestMore\ncall More\n\n"
	files["web/page.toy"] = "import pay\ndef Page\ncall pay.More\n\n"
	return files
}

// covers: IDX-21, IDX-12
func TestAFamilyIsLinkedAsOne(t *testing.T) {
	langs := indextest.ToyFamily()
	indextest.Languages(t, langs, mixed())
	ix := &index.TreeSitter{Languages: langs}
	s := indextest.Index(t, ix, mixed(), nil)
	assert.Equal(t, []string{"pay/more.toy2:3", "pay/refund_test.toy:2", "web/web.toy:4"}, brief(s.References("pay.Refund", 0).Sure))
	assert.Equal(t, []string{"pay/more_test.toy2:2", "web/page.toy:3"}, brief(s.References("pay.More", 0).Sure))
	file, _ := s.File("pay/more.toy2")
	assert.Equal(t, "toy2", file.Language)
	assert.Equal(t, "mixed/pay", file.Package, "one prefix for both, read from the second language's manifest")
	assert.Len(t, s.Packages()[0].Files, 5, "a package has files of both")
	impl, _ := s.Kin(s.Definitions("pay.Card").Sure[0].ID)
	require.Len(t, impl, 1)
	assert.Equal(t, s.Definitions("pay.Gate").Sure[0].ID, impl[0].ID)
	for seed := range uint64(4) {
		indextest.Incremental(t, ix, mixed(), 40, seed)
	}
}

// covers: IDX-12
func TestManifestsOfAFamilyComeOnce(t *testing.T) {
	langs := indextest.ToyFamily()
	link := langs[0].Link
	var got []string
	langs[0].Link = func(ctx context.Context, u index.Universe) (index.Linker, error) {
		got = nil
		for _, m := range u.Manifests {
			got = append(got, m.Path)
		}
		return link(ctx, u)
	}
	langs[1].Link = func(context.Context, index.Universe) (index.Linker, error) {
		t.Error("the second language of a family is asked for a linker")
		return nil, nil
	}
	s := indextest.Index(t, &index.TreeSitter{Languages: langs}, mixed(), nil)
	assert.Equal(t, []string{"toy.mod", "toy2.mod"}, got)
	_, err := s.Overlay(context.Background(), map[string][]byte{"a/toy2.mod": []byte("x"), "toy2.mod": nil})
	require.NoError(t, err)
	assert.Equal(t, []string{"a/toy2.mod", "toy.mod"}, got)
}

// covers: IDX-21
func TestLanguagesOfDifferentFamiliesStandApart(t *testing.T) {
	langs := indextest.ToyFamily()
	langs[1].Family = "toy" // neither the name of the first language nor its family
	ix := &index.TreeSitter{Languages: langs}
	s := indextest.Index(t, ix, mixed(), nil)
	assert.Equal(t, []string{"pay/refund_test.toy:2", "web/web.toy:4"}, brief(s.References("pay.Refund", 0).Sure))
	indextest.Incremental(t, ix, mixed(), 20, 1)
}

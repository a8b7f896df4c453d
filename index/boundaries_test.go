package index_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/plumbkit/plumb/host/fault"
	"github.com/plumbkit/plumb/index"
	"github.com/plumbkit/plumb/index/indextest"
)

// layers is a repository in which the layers use each other both ways.
var layers = indextest.Files{
	"ui/page/p.toy":   "import app\nimport db\ndef Page\ncall app.Run\ncall db.Get\n",
	"app/a.toy":       "import db\ndef Run\ncall db.Get\n",
	"db/first.toy":    "def Other\n",
	"db/get.toy":      "import app\ndef Get\ncall app.Run\n",
	"db/get_test.toy": "import ui/page\ntest TestGet\ncall page.Page\n",
}

// covers: IDX-18
func TestBoundaries(t *testing.T) {
	s := indextest.Index(t, toy(), layers, nil)
	domains := "domains:\n  - {name: ui, packages: [\"ui/**\"]}\n  - {name: app, packages: [app]}\n  - {name: db, packages: [db]}\n"
	for policy, want := range map[string][]string{
		domains: nil,
		domains + "deny:\n  - {from: ui, to: db}\n":                              {"ui/page/p.toy:2 db/get.toy deny ui -> db"},
		domains + "allow:\n  - {from: ui, to: \"*\"}\n  - {from: app, to: db}\n": {"db/get.toy:1 app/a.toy allow lists no db -> app", "db/get_test.toy:1 ui/page/p.toy allow lists no db -> ui"},
		domains + "no_cycles: true\n":                                            {"db/get.toy:1 app/a.toy no_cycles"},
		"no_cycles: true\n":                                                      {"db/get.toy:1 app/a.toy no_cycles"},
		"domains:\n  - {name: db, packages: [\"db\"], internal: true}\n":         {"app/a.toy:1 db/get.toy internal db", "ui/page/p.toy:2 db/get.toy internal db"},
		"": nil,
	} {
		b, err := index.ReadBoundaries([]byte(policy))
		if policy == "" {
			b, err = index.Boundaries{}, nil
		}
		require.NoError(t, err)
		var got []string
		for _, v := range s.Violations(b) {
			got = append(got, place(v.From)+" "+v.To+" "+v.Rule)
			if v.Rule == "no_cycles" {
				assert.Len(t, v.Cycle, 3)
			}
		}
		assert.Equal(t, want, got, policy)
	}
}

// covers: IDX-18
func TestBadPoliciesAreRefused(t *testing.T) {
	for _, bad := range []string{"domain: []\n", "deny:\n  - {from: a, to: b}\n", "domains:\n  - {name: a, packages: [\"[\"]}\n",
		"domains:\n  - {packages: [a]}\n", "domains:\n  - {name: a, packages: []}\n  - {name: a, packages: []}\n", "schema: 2\n", "- x\n"} {
		_, err := index.ReadBoundaries([]byte(bad))
		assert.ErrorIs(t, err, fault.InvalidInput, bad)
	}
}

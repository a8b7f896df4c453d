package strictyaml

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

type inner struct {
	Quota float64 `yaml:"quota"`
}

type doc struct {
	Name   string           `yaml:"name"`
	Total  int              `yaml:"total"`
	Layers map[string]inner `yaml:"layers"`
	List   []inner          `yaml:"list"`
}

// covers: CLI-3, BUD-5
func TestDecodeNamesTheKeyAndTheLine(t *testing.T) {
	cases := map[string]struct {
		text, key string
		line      int
		unknown   bool
	}{
		"unknown at the top":  {"name: a\ntotals: 3\n", "totals", 2, true},
		"unknown in a map":    {"layers:\n  tests: {quota: 1}\n  docs:\n    qouta: 1\n", "qouta", 4, true},
		"unknown in a list":   {"list:\n  - {quota: 1}\n  - {quotum: 1}\n", "quotum", 3, true},
		"given twice":         {"name: a\nname: b\n", "name", 2, false},
		"wrong kind":          {"name: a\ntotal: many\n", "total", 2, false},
		"list for a number":   {"total: [1]\n", "total", 1, false},
		"a map for a text":    {"name: {a: b}\n", "name", 1, false},
		"not YAML":            {"name: [a\n", "", 1, false},
		"number out of range": {"total: 99999999999999999999\n", "total", 1, false},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			var d doc
			var e *Error
			require.ErrorAs(t, Decode([]byte(c.text), &d), &e)
			assert.Equal(t, c.key, e.Key, e.Message)
			assert.Equal(t, c.line, e.Line, e.Message)
			assert.Equal(t, c.unknown, e.Unknown)
			assert.NotContains(t, e.Error(), "\n")
		})
	}
}

func TestDecode(t *testing.T) {
	var d doc
	require.NoError(t, Decode([]byte("name: a\nlayers: {tests: {quota: 0.5}}\n"), &d))
	assert.Equal(t, doc{Name: "a", Layers: map[string]inner{"tests": {Quota: 0.5}}}, d)
	require.NoError(t, Decode([]byte(" \n"), &d))
	assert.Equal(t, "a", d.Name, "an empty document changes nothing")
}

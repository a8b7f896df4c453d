package index_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/plumbkit/plumb/index"
)

// covers: IDX-6
func TestCanonicalOf(t *testing.T) {
	for id, want := range map[string]string{
		"":                                "",
		"net/http.Client.Do":              "net/http.Client.Do",
		"net/http.Get@net/http/client.go": "net/http.Get",
		"shop.f@shop.py#2":                "shop.f",
		"@pinia/testing/src/t.make@packages/testing/src/t.ts": "@pinia/testing/src/t.make",
		"@pinia/testing/src/t.make":                           "@pinia/testing/src/t.make",
		"web/@scope/a.f@web/@scope/a.ts":                      "web/@scope/a.f",
	} {
		assert.Equal(t, want, index.CanonicalOf(id), id)
	}
}

package secrets

import (
	"encoding/base64"
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Each form that the rule finds in a change is hidden in a text about it, and
// what stands beside it stays.
//
// covers: GAT-7, SEC-3
func TestVeilHidesWhatTheRuleFinds(t *testing.T) {
	token, named := githubToken(1), made(9, 32, alnum)
	key := []string{made(3, 64, alnum), made(4, 64, alnum)}
	cases := []struct{ name, text, hidden string }{
		{"in code", "var t = \"" + token + "\"", token},
		{"goes by its name", "apiKey := \"" + named + "\"", named},
		{"split", "var t = \"" + token[:10] + "\" + \"" + token[10:] + "\"", token[10:]},
		{"split over lines", "var t = \"" + token[:10] + "\" +\n\t\"" + token[10:20] + "\" +\n\t\"" + token[20:] + "\"", token[20:]},
		{"encoded", "b: " + base64.StdEncoding.EncodeToString([]byte("token = "+token+"\n")), base64.StdEncoding.EncodeToString([]byte("token = " + token + "\n"))},
		{"of several lines", "k = `-----BEGIN RSA " + "PRIVATE KEY-----\n" + strings.Join(key, "\n") + "\n-----END RSA " + "PRIVATE KEY-----`", key[1]},
		{"with characters that nobody sees", "x " + token[:8] + "\u200b" + token[8:], token[8:]},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			before := map[string]string{"x.go": "package a\n"}
			after := map[string]string{"x.go": "package a\n", "a.go": "package a\n\n" + c.text + "\n\n// stays\n"}
			in := input(t, before, after)
			for _, back := range []bool{false, true} {
				var v Veil
				if back { // what a change takes away is shown too
					in = input(t, after, before)
				}
				require.NoError(t, v.AddSet(t.Context(), in.Before, in.After, in.Set))
				diff := "+" + strings.ReplaceAll(after["a.go"], "\n", "\n+")
				shown := v.Hide(diff)
				assert.NotContains(t, shown, c.hidden)
				assert.Contains(t, shown, "[redacted]")
				assert.Contains(t, shown, "+// stays")
				for _, l := range strings.Split(c.text, "\n") { // as the lines of a hunk
					assert.NotContains(t, v.Hide(l), c.hidden)
				}
				doc, err := json.Marshal([]string{c.text, "stays"})
				require.NoError(t, err)
				masked := v.HideJSON(doc)
				assert.True(t, json.Valid(masked))
				assert.NotContains(t, string(masked), c.hidden)
				assert.Contains(t, string(masked), `"stays"`)
			}
		})
	}
}

// The lines between the parts of a credential are everywhere else too: what is
// short is hidden only where it is a part, and no line is hidden as a key.
//
// covers: SEC-3
func TestVeilLeavesWhatStandsBetweenTheParts(t *testing.T) {
	token := githubToken(5)
	var v Veil
	h := hit{secret: token, at: 1, last: 7}
	for _, l := range h.lines("'" + token[:7] + "'\nreturn\n\"data\",\n\"settings of all\":\n'" + token[7:11] + "'\n" + token[11:] + "\n") {
		v.pieces = longestFirst(append(v.pieces, l))
	}
	assert.Equal(t, "return [redacted] \"data\",", v.Hide("return '"+token[7:11]+"' \"data\","))
	assert.NotContains(t, v.Hide("x '"+token[:7]+"' y"), token[:7])
	doc := v.HideJSON([]byte(`{"\"settings of all\":": "\"settings of all\":", "data": "return"}`))
	assert.JSONEq(t, `{"\"settings of all\":": "[redacted]", "data": "return"}`, string(doc))
	assert.Equal(t, `{"[redacted]":1}`, string(v.HideJSON([]byte(`{"`+token+`":1}`))), "a key that is one itself")
}

// covers: SEC-3
func TestVeilOfATextWithoutALanguage(t *testing.T) {
	token := githubToken(2)
	text := "@@ -1 +1 @@\n it's\n+t = '" + token[:9] + "' + '" + token[9:] + "'\n+u = 1\n"
	var v Veil
	require.NoError(t, v.AddText(t.Context(), text))
	shown := v.Hide(text)
	assert.NotContains(t, shown, token[9:])
	assert.Contains(t, shown, "+u = 1")
	assert.Equal(t, "nothing to hide", v.Hide("nothing to hide"))
	assert.Equal(t, token[9:], new(Veil).Hide(token[9:]), "a part alone is known to nobody else")
}

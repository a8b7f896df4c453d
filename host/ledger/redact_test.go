package ledger_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/plumbkit/plumb/host/ledger"
)

// covers: SEC-3
func TestMaskSecrets(t *testing.T) {
	// The samples are put together here so that no scanner takes them for real ones.
	long := strings.Repeat("aB3", 14)
	for name, c := range map[string]struct{ text, want string }{
		"private key":     {"x -----BEGIN RSA PRIVATE " + "KEY-----\nMIIE\n-----END RSA PRIVATE KEY----- y", "x [redacted] y"},
		"cut private key": {"-----BEGIN PRIVATE " + "KEY-----\nMIIE", "[redacted]"},
		"aws":             {"id AK" + "IAIOSFODNN7EXAMPLE.", "id [redacted]."},
		"github":          {"gh" + "p_" + long, "[redacted]"},
		"gitlab":          {"gl" + "pat-" + long, "[redacted]"},
		"slack":           {"xo" + "xb-1234567890-abc", "[redacted]"},
		"google":          {"AI" + "za" + long[:35], "[redacted]"},
		"stripe":          {"sk" + "_live_" + long, "[redacted]"},
		"model service":   {"s" + "k-ant-" + long, "[redacted]"},
		"web token":       {"ey" + "J" + long + ".ey" + "J" + long + "." + long, "[redacted]"},
		"header":          {"Authorization: Bearer " + long + "==", "Authorization: Bearer [redacted]"},
		"url":             {"git clone https://me:hunter22@example.org/x", "git clone https://me:[redacted]@example.org/x"},
		"literal":         {`password := "correct-horse"`, `password := "[redacted]"`},
		"literal in json": {`{"api_key": "abcdef123"}`, `{"api_key": "[redacted]"}`},
		"environment":     {"A=1\nexport DB_PASSWORD=hunter22\nB=2", "A=1\nexport DB_PASSWORD=[redacted]\nB=2"},
	} {
		assert.Equal(t, c.want, ledger.MaskSecrets(c.text), name)
	}
}

// covers: SEC-3, LED-6
func TestMaskSecretsLeavesOrdinaryTextAlone(t *testing.T) {
	for _, text := range []string{
		"", "token := lexer.Next()", `password := os.Getenv("DB_PASSWORD")`, "func (s *Secret) Password() string {",
		"sha256 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08", "see https://example.org:8080/a@b",
		"PASSWORD=$SECRET_FROM_VAULT", "the basic idea", `secret: ""`, "task-risk-assessment-of-everything-else",
	} {
		assert.Equal(t, text, ledger.MaskSecrets(text))
	}
}

// covers: SEC-3
func TestSecretsNeverReachTheStore(t *testing.T) {
	log, store := newLog()
	secret := "hunter22hunter22"
	doc := `{"b" : [ {"password":"` + secret + `"}, {"Client-Secret": "` + secret + `"} ],
		"note":"say \"PASSWORD=` + secret + `\"", "url":"https://u:` + secret + `@h/", "n":10000000000000000000001, "a":1.0, "password":["kept"],
		"out":"x\nDB_TOKEN=` + secret + `\n<&>", "PASSWORD=` + secret + `": 1}`
	mustRecord(t, log, ledger.Entry{Task: "t", Kind: ledger.KindRun, By: "Bearer " + secret, Stage: "Basic " + secret, Data: json.RawMessage(doc)})
	got := entries(t, store, "t")[0]
	all, err := json.Marshal(got)
	assert.NoError(t, err)
	assert.NotContains(t, string(all), secret)
	assert.Equal(t, 8, got.Masked, "stage, by, two values by their keys, three texts and a key")
	assert.Contains(t, string(got.Data), `"n":10000000000000000000001,"a":1.0,"password":["kept"]`, "the rest is untouched")
	assert.Contains(t, string(got.Data), `{"password":"[redacted]"},{"Client-Secret":"[redacted]"}`)
}

// covers: SEC-3, LED-6
func TestAMaskedStageIsNotTakenForWhatItHandedOn(t *testing.T) {
	log, store := newLog()
	for input, output := range map[string]string{"kept": `"kept"`, "masked": `"PASSWORD=hunter22"`} {
		mustRecord(t, log, ledger.Finished{Stage: "patch", Input: input, Output: json.RawMessage(output)}.Entry("t"))
	}
	all := entries(t, store, "t")
	_, ok, err := ledger.FinishedOn(all, "patch", "kept")
	assert.NoError(t, err)
	assert.True(t, ok)
	_, ok, err = ledger.FinishedOn(all, "patch", "masked")
	assert.NoError(t, err)
	assert.False(t, ok)
}

// covers: SEC-3
func TestRedactIsTheHosts(t *testing.T) {
	log, store := newLog()
	log.Redact = func(text string) string { return strings.ReplaceAll(text, "Ada", "[name]") }
	mustRecord(t, log, ledger.Entry{Task: "t", Kind: ledger.KindAnswer, By: "Ada", Data: json.RawMessage(`{"Ada":["Ada\u0041da"], "x":"\u0041da"}`)})
	got := entries(t, store, "t")[0]
	assert.Equal(t, "[name]", got.By)
	assert.JSONEq(t, `{"[name]":["[name][name]"],"x":"[name]"}`, string(got.Data))
}

func FuzzRedactionKeepsJSONValid(f *testing.F) {
	f.Add(`{"password":"x"}`, "t")
	f.Add(`["\\\"",{"secret" : "a\u0022"}]`, "x")
	f.Add(`"\ud800"`, "PASSWORD=123456")
	f.Fuzz(func(t *testing.T, doc, by string) {
		log, store := newLog()
		_, err := log.Record(t.Context(), ledger.Entry{Task: "t", Kind: ledger.KindRun, By: by, Data: json.RawMessage(doc)})
		if (err == nil) != json.Valid([]byte(doc)) && doc != "" {
			t.Fatalf("%q: %v", doc, err)
		}
		if err == nil && !json.Valid(entries(t, store, "t")[0].Data) && doc != "" {
			t.Fatalf("%q is stored as something that is not JSON", doc)
		}
	})
}

// A short value is told by its name alone.
//
// covers: SEC-3
func TestShortSecretsAreMasked(t *testing.T) {
	for _, text := range []string{"TOKEN=abc", "export DB_PASSWORD=pw1", "run --token abc", "run --password=hunter"} {
		masked := ledger.MaskSecrets(text)
		assert.Contains(t, masked, "[redacted]", text)
		assert.Equal(t, masked, ledger.MaskSecrets(masked), "masking twice changes nothing more")
	}
	for _, text := range []string{"MAX_TOKENS=100", "TOKEN=$TOKEN", "token := next()", "run --token-file x", "tokens=100", "PASSWORD="} {
		assert.Equal(t, text, ledger.MaskSecrets(text))
	}
}

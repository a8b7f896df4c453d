package ledger

import (
	"bytes"
	"encoding/json"
	"regexp"
	"slices"
	"strings"
	"sync"
)

// mask replaces a secret.
const mask = "[redacted]"

// A form is one form of a secret. Its first group, where it has one, is kept.
type form struct {
	pattern *regexp.Regexp
	// any are texts, in lower case, one of which stands in everything that the
	// pattern matches.
	any []string
}

// secrets returns the forms of secrets that are recognized by sight.
var secrets = sync.OnceValue(func() []form {
	named := []string{"password", "passwd", "passphrase", "secret", "api_key", "apikey", "api-key", "access_key", "accesskey", "access-key", "private_key", "privatekey", "token"}
	return []form{
		{regexp.MustCompile(`(?s)-----BEGIN [A-Z0-9 ]*PRIVATE KEY(?: BLOCK)?-----.*?(?:-----END [A-Z0-9 ]*PRIVATE KEY(?: BLOCK)?-----|$)`), []string{"private key"}},
		{regexp.MustCompile(`\b(?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{16}\b`), []string{"akia", "asia", "abia", "acca"}},  // AWS access key ID
		{regexp.MustCompile(`\b(?:gh[pousr]_[A-Za-z0-9]{36,}|github_pat_\w{60,})`), []string{"gh", "github_pat_"}}, // GitHub
		{regexp.MustCompile(`\bglpat-[\w-]{20,}`), []string{"glpat-"}},                                             // GitLab
		{regexp.MustCompile(`\bxox[abeprs]-[\w-]{10,}`), []string{"xox"}},                                          // Slack
		{regexp.MustCompile(`\bAIza[\w-]{35}`), []string{"aiza"}},                                                  // Google
		{regexp.MustCompile(`\b[rs]k_live_[A-Za-z0-9]{16,}`), []string{"k_live_"}},                                 // Stripe
		{regexp.MustCompile(`\bsk-[\w-]{20,}`), []string{"sk-"}},                                                   // model services
		{regexp.MustCompile(`\beyJ[\w-]{10,}\.eyJ[\w-]{10,}\.[\w-]{10,}`), []string{"eyj"}},                        // JSON Web Token
		{regexp.MustCompile(`(?i)(\b(?:bearer|basic)\s+)[\w.~+/-]{16,}=*`), []string{"bearer", "basic"}},           // Authorization header
		{regexp.MustCompile(`(\b[a-z][a-z0-9+.-]*://[^\s/:@"']*:)[^\s/@"']+@`), []string{"://"}},                   // password in a URL
		{regexp.MustCompile(`((?i:password|passwd|secret|api_?key|access_?key|private_?key|auth_?token|access_?token)\w*["']?\s*(?::=|[:=])\s*["'])[^"'\s]{6,}`), named},
		{regexp.MustCompile(`((?:^|[\s"';&|])[A-Z0-9_]*(?:PASSWORD|PASSWD|SECRET|API_?KEY|ACCESS_?KEY|PRIVATE_?KEY|TOKEN)[A-Z0-9_]*=)[^\s"'$]{6,}`), named},
		{regexp.MustCompile(`((?:^|[\s"';&|])[A-Z0-9_]*(?:PASSWORD|PASSWD|PASSPHRASE|SECRET|API_?KEY|ACCESS_?KEY|PRIVATE_?KEY|TOKEN)=)[^\s"'$\[]{3,}`), named}, // short, but named exactly
		{regexp.MustCompile(`(\s--?(?:password|passwd|passphrase|secret|api-key|access-key|token|auth-token|access-token)[= ])[^\s"'$\[-][^\s"'$]{2,}`), named},
	}
})

// MaskSecrets replaces what looks like a credential in text by "[redacted]":
// private keys, the token forms of well-known services, passwords in URLs,
// authorization headers, and literals assigned to names such as password or
// api_key. It goes by form alone and is a net under the stages, which do not
// record secrets in the first place. It is safe for concurrent use.
func MaskSecrets(text string) string {
	lower := strings.ToLower(text)
	for _, f := range secrets() {
		if !slices.ContainsFunc(f.any, func(part string) bool { return strings.Contains(lower, part) }) {
			continue
		}
		pattern := f.pattern
		replacement := mask
		if pattern.NumSubexp() > 0 {
			replacement = "${1}" + mask
		}
		if strings.Contains(pattern.String(), "://") {
			replacement += "@"
		}
		text = pattern.ReplaceAllString(text, replacement)
	}
	return text
}

// secretKey reports whether a JSON key names a credential.
func secretKey(key string) bool {
	key = strings.NewReplacer("-", "", "_", "", " ", "").Replace(strings.ToLower(key))
	switch key {
	case "password", "passwd", "passphrase", "secret", "apikey", "accesskey", "secretkey", "secretaccesskey",
		"privatekey", "clientsecret", "accesstoken", "refreshtoken", "authtoken", "sessiontoken", "bearertoken":
		return true
	}
	return false
}

// RedactJSON passes every string of a valid JSON document through redact, keys
// included, and leaves every other byte as it is. The value of a key that names a
// credential, such as "password", is masked whole when it is a string. redact is
// called in the order of the document, by one goroutine.
func RedactJSON(doc []byte, redact func(string) string) []byte {
	out, _ := redactJSON(doc, redact, redact)
	return out
}

// RedactJSONKeys is RedactJSON with a function of its own for the keys of objects.
func RedactJSONKeys(doc []byte, redact, key func(string) string) []byte {
	out, _ := redactJSON(doc, redact, key)
	return out
}

// redactJSON passes every string of a valid JSON document through redact, keys
// included, and leaves every other byte as it is. The value of a key that names
// a credential is masked whole when it is a string. n is the number of strings
// that were changed.
func redactJSON(doc []byte, redact, redactKey func(string) string) (redacted []byte, n int) {
	var out bytes.Buffer
	key := ""
	for len(doc) > 0 {
		start := bytes.IndexByte(doc, '"')
		if start < 0 {
			break
		}
		end := start + stringEnd(doc[start:])
		out.Write(doc[:start])
		text, literal := decodeString(doc[start:end]), doc[start:end]
		masked := ""
		if rest := bytes.TrimLeft(doc[end:], " \t\r\n"); len(rest) > 0 && rest[0] == ':' {
			masked = redactKey(text)
		} else {
			masked = redact(text)
		}
		if key != "" && onlyColon(doc[:start]) && secretKey(key) && text != "" {
			masked = mask
		}
		if masked != text {
			literal = encodeString(masked)
			n++
		}
		out.Write(literal)
		key, doc = text, doc[end:]
	}
	out.Write(doc)
	return out.Bytes(), n
}

// stringEnd returns the length of the JSON string that s begins with.
func stringEnd(s []byte) int {
	for i := 1; i < len(s); i++ {
		switch s[i] {
		case '\\':
			i++
		case '"':
			return i + 1
		}
	}
	return len(s)
}

// onlyColon reports whether a key's colon is all that stands between two strings.
func onlyColon(between []byte) bool { return string(bytes.TrimSpace(between)) == ":" }

func decodeString(literal []byte) string {
	var text string
	if json.Unmarshal(literal, &text) != nil {
		return ""
	}
	return text
}

func encodeString(text string) []byte {
	literal, err := json.Marshal(text)
	if err != nil {
		return []byte(`"` + mask + `"`)
	}
	return literal
}

package budget

import (
	"path"
	"strings"
)

// private reports whether a file is there to hold secrets, by its name: what a
// Context holds goes to a model. Samples of such files are made to be shown.
func private(file string) bool {
	base := strings.ToLower(path.Base(file))
	for _, sample := range []string{".example", ".sample", ".template", ".dist"} {
		if strings.HasSuffix(base, sample) {
			return false
		}
	}
	for _, pattern := range []string{".env", ".env.*", "*.env", "*.pem", "*.key", "*.p12", "*.pfx", "*.jks", "*.keystore", "*.kdbx", "id_rsa*", "id_ed25519*", "id_ecdsa*",
		".netrc", "_netrc", ".pgpass", ".npmrc", ".pypirc", ".htpasswd", "credentials", "credentials.*", "secrets.*"} {
		if ok, err := path.Match(pattern, base); err == nil && ok {
			return true
		}
	}
	return false
}

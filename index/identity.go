package index

import "strings"

// CanonicalOf returns the canonical name in a symbol's ID, or id itself where it
// is no ID. A name may begin with an @, or have one behind a slash, as the scopes
// of npm do; so may the file that follows.
func CanonicalOf(id string) string {
	for at := 1; at < len(id); at++ {
		i := strings.IndexByte(id[at:], '@')
		if i < 0 {
			break
		}
		if at += i; id[at-1] != '/' {
			return id[:at]
		}
	}
	return id
}

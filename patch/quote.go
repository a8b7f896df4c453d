package patch

import (
	"errors"
	"fmt"
	"strings"
)

// quotePath writes a path as git does in a diff with core.quotePath on: as it
// is, or in double quotes with C-style escapes when it holds a control
// character, a quote, a backslash or a byte above 0x7f.
func quotePath(p string) string {
	plain := true
	for i := 0; i < len(p); i++ {
		if c := p[i]; c < 0x20 || c >= 0x7f || c == '"' || c == '\\' {
			plain = false
			break
		}
	}
	if plain {
		return p
	}
	return quoted(p)
}

// quoted writes a path in double quotes, whatever it holds.
func quoted(p string) string {
	var b strings.Builder
	b.WriteByte('"')
	for i := 0; i < len(p); i++ {
		switch c := p[i]; {
		case strings.IndexByte("\a\b\t\n\v\f\r", c) >= 0:
			b.WriteByte('\\')
			b.WriteByte("abtnvfr"[c-'\a'])
		case c == '"' || c == '\\':
			b.WriteByte('\\')
			b.WriteByte(c)
		case c < 0x20 || c >= 0x7f:
			fmt.Fprintf(&b, `\%03o`, c)
		default:
			b.WriteByte(c)
		}
	}
	b.WriteByte('"')
	return b.String()
}

// unquotePath reads the C-style quoted path at the start of s and returns it
// with what follows the closing quote.
func unquotePath(s string) (path, rest string, err error) {
	var b strings.Builder
	for i := 1; i < len(s); i++ {
		switch s[i] {
		case '"':
			return b.String(), s[i+1:], nil
		case '\\':
			n, c, err := unescape(s[i+1:])
			if err != nil {
				return "", "", err
			}
			b.WriteByte(c)
			i += n
		default:
			b.WriteByte(s[i])
		}
	}
	return "", "", errors.New("the quoted path has no closing quote")
}

// unescape reads one escape without its backslash and returns its length and value.
func unescape(s string) (int, byte, error) {
	if s == "" {
		return 0, 0, errors.New("the quoted path ends in a backslash")
	}
	if i := strings.IndexByte("abtnvfr", s[0]); i >= 0 {
		return 1, '\a' + byte(i), nil
	}
	if s[0] == '"' || s[0] == '\\' {
		return 1, s[0], nil
	}
	if len(s) < 3 || s[0] < '0' || s[0] > '3' || s[1] < '0' || s[1] > '7' || s[2] < '0' || s[2] > '7' {
		return 0, 0, fmt.Errorf("the quoted path has an unknown escape \\%c", s[0])
	}
	return 3, (s[0]-'0')<<6 | (s[1]-'0')<<3 | (s[2] - '0'), nil
}

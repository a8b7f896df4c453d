package main

import (
	"fmt"
	"io"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/plumbkit/plumb/gate/secrets"
)

// plain makes text from a repository safe for a terminal: control characters,
// marks that reorder text and invalid bytes are shown escaped; line ends and
// tabs stay.
func plain(s string) string {
	if utf8.ValidString(s) && !strings.ContainsFunc(s, unsafe) {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); {
		r, n := utf8.DecodeRuneInString(s[i:])
		switch {
		case r == utf8.RuneError && n == 1:
			fmt.Fprintf(&b, "\\x%02x", s[i])
		case unsafe(r):
			b.WriteString(escape(r))
		default:
			b.WriteRune(r)
		}
		i += n
	}
	return b.String()
}

// line is plain for a text that has to stay within its line.
func line(s string) string { return strings.ReplaceAll(plain(s), "\n", escape('\n')) }

// unsafe reports whether a rune can change what a terminal shows elsewhere.
func unsafe(r rune) bool {
	return (unicode.IsControl(r) && r != '\n' && r != '\t') || unicode.Is(unicode.Bidi_Control, r)
}

func escape(r rune) string { return fmt.Sprintf("\\u%04x", r) }

// escaped is a writer of JSON that escapes what encoding/json leaves as it is
// and a terminal would act on. The document stays the same for a program. Each
// Write has to hold whole runes, as the writes of a json.Encoder do.
type escaped struct{ w io.Writer }

// masked is a writer of lines that hides credentials of a form or name that
// gives them away.
type masked struct{ w io.Writer }

// Write passes whole lines on.
func (m masked) Write(p []byte) (int, error) {
	if _, err := io.WriteString(m.w, secrets.Mask(string(p))); err != nil {
		return 0, err
	}
	return len(p), nil
}

// Write passes p on.
func (e escaped) Write(p []byte) (int, error) {
	s := string(p)
	if strings.ContainsFunc(s, unsafe) {
		var b strings.Builder
		for _, r := range s {
			if unsafe(r) {
				b.WriteString(escape(r))
			} else {
				b.WriteRune(r)
			}
		}
		s = b.String()
	}
	if _, err := io.WriteString(e.w, s); err != nil {
		return 0, err
	}
	return len(p), nil
}

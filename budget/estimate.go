package budget

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Estimate is a fast Counter that needs no vocabulary. It cuts text where
// byte-pair encodings cut it (words at a change of case, numbers at three
// digits, runs of punctuation and of white space) and charges each piece the
// mean that such pieces cost in o200k_base over the Go standard library, plus a
// margin. On source code it counts at most 5 % too few (TestEstimate measures
// it) and usually some percent too many. The zero value is ready for use.
type Estimate struct{}

// Name returns "estimate".
func (Estimate) Name() string { return "estimate" }

// margin is what every charge is raised by, in percent: it covers files whose
// words are rarer than the mean.
const margin = 104

// inside is what a word costs more, in hundredths of a token, when it follows a
// letter or digit directly, as in camelCase, log1p or base64.
const inside = 16

// Count returns the estimate, rounded up; 0 for the empty text.
func (Estimate) Count(text string) int {
	cost := 0 // in hundredths of a token
	for i := 0; i < len(text); {
		n, c := chunk(text[i:])
		if i > 0 && isLetter(text[i]) && !isSpace(text[i-1]) {
			c += inside // a word that begins in the middle of another
		}
		i += n
		cost += c
	}
	return (cost*margin/100 + 99) / 100
}

// chunk returns the length and the cost of the first piece of s, which is not empty.
func chunk(s string) (n, cost int) {
	c := s[0]
	switch {
	case isLetter(c):
		return word(s, 0, 0)
	case isDigit(c):
		return run(s, 3, isDigit), 100
	case c >= utf8.RuneSelf:
		return foreign(s)
	case isSpace(c):
		return space(s)
	case len(s) > 1 && isLetter(s[1]):
		return word(s, 1, 'p')
	}
	n = run(s, len(s), isPunct)
	return n, punct(s[:n])
}

func space(s string) (n, cost int) {
	n = run(s, len(s), isSpace)
	last := -1
	for i := range n {
		if s[i] == '\n' || s[i] == '\r' {
			last = i
		}
	}
	switch {
	case last >= 0:
		return last + 1, 100
	case n > 1 && n < len(s):
		return n - 1, 100 // the last blank goes with what follows
	case n == len(s):
		return n, 100
	case isLetter(s[1]):
		return word(s, 1, s[0])
	case s[0] == ' ' && isPunct(s[1]):
		p := run(s[1:], len(s), isPunct)
		return p + 1, punct(s[1 : 1+p])
	}
	return 1, 100
}

// punct charges a run of punctuation; one of a single character, such as a
// ruler, costs little.
func punct(s string) int {
	switch n := len(s); {
	case n <= 2:
		return 100
	case n == 3:
		return 108
	case strings.Count(s, s[:1]) == n:
		return 100 + 4*n
	default:
		return 50 * n
	}
}

// word reads the word that starts at s[skip:]; lead is the byte before it that
// goes into the same piece: 0, a blank, a tab, or 'p' for punctuation.
func word(s string, skip int, lead byte) (n, cost int) {
	up := run(s[skip:], len(s), isUpper)
	low := run(s[skip+up:], len(s), isLower)
	if skip == 1 && s[0] == '\t' {
		lead = '\t'
	}
	letters := up + low
	switch {
	case low == 0 && up > 1:
		cost = shout(letters, lead)
	case up > 1:
		cost = 130 + 19*letters
	default:
		cost = plain(letters, lead)
	}
	return skip + letters, cost
}

// shout is the cost of a word of n upper-case letters.
func shout(n int, lead byte) int {
	switch {
	case lead == '\t':
		return max(100, 66*n)
	case lead == 'p':
		return 80 + 42*n
	case n <= 2:
		return 105
	}
	return 60 + 24*n
}

// plain is the cost of a word of n letters, all but the first lower case.
func plain(n int, lead byte) int {
	switch lead {
	case ' ':
		return max(102+max(0, n-5)*4, 13*n)
	case '\t':
		if n <= 6 {
			return 90 + 12*n
		}
		return 28 * n
	case 'p':
		if n <= 7 {
			return 120 + 8*n
		}
		return 22 * n
	}
	if n <= 7 {
		return 100 + 3*n
	}
	return max(125, 18*n)
}

// foreign charges a rune outside ASCII by its length.
func foreign(s string) (n, cost int) {
	r, n := utf8.DecodeRuneInString(s)
	switch {
	case r == utf8.RuneError:
		return n, 150
	case n == 2 && unicode.IsLetter(r):
		return n, 110
	case n == 2:
		return n, 150
	case n == 3:
		return n, 180
	}
	return n, 330
}

func run(s string, most int, is func(byte) bool) int {
	n := 0
	for n < len(s) && n < most && is(s[n]) {
		n++
	}
	return n
}

func isUpper(c byte) bool  { return c >= 'A' && c <= 'Z' }
func isLower(c byte) bool  { return c >= 'a' && c <= 'z' }
func isLetter(c byte) bool { return isUpper(c) || isLower(c) }
func isDigit(c byte) bool  { return c >= '0' && c <= '9' }
func isSpace(c byte) bool {
	return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\v' || c == '\f'
}
func isPunct(c byte) bool {
	return c < utf8.RuneSelf && !isLetter(c) && !isDigit(c) && !isSpace(c)
}

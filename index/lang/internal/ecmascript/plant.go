package ecmascript

import (
	"bytes"
	"slices"

	"github.com/plumbkit/plumb/index"
)

// failure is the statement that plant writes.
const failure = `throw new Error("` + index.PlantMark + `");`

// plant writes a failure into a source: a throw at the start of a function's
// body, else one at the start of the module. A line that already stands there
// keeps its number.
func plant(src []byte, at index.Symbol) ([]byte, bool) {
	switch at.Kind {
	case index.KindFunction, index.KindMethod, index.KindConstructor:
		return plantFunction(src, at)
	}
	if at.Span.End > len(src) {
		return nil, false
	}
	i, ok := moduleStart(src)
	if !ok {
		return nil, false
	}
	return insert(src, i, " if (true) "+failure+" "), true
}

// plantFunction plants in a body: behind its brace, or, where an arrow function
// has an expression for a body, before it.
func plantFunction(src []byte, at index.Symbol) ([]byte, bool) {
	if at.Body < 0 || at.Body >= at.Span.End || at.Span.End > len(src) {
		return nil, false
	}
	if src[at.Body] == '{' {
		return insert(src, at.Body+1, " if (true) "+failure+" "), true
	}
	if !bytes.HasSuffix(bytes.TrimRight(src[:at.Body], " \t\r\n("), []byte("=>")) {
		return nil, false
	}
	// Where the expression ends, only a parser knows; behind a colon any may stand.
	return insert(src, at.Body, "(() => { "+failure+" })() ? 0 : "), true
}

func insert(src []byte, at int, text string) []byte {
	return slices.Concat(src[:at], []byte(text), src[at:])
}

// moduleStart returns where the first statement of a module may stand: behind a
// byte order mark, a #! line, comments and directives, and before all else. What
// is imported is loaded before in any case. Behind code on the last of these lines
// it would change what is read there; then ok is false.
func moduleStart(src []byte) (at int, ok bool) {
	at = len(src) - len(bytes.TrimPrefix(src, []byte("\ufeff")))
	if bytes.HasPrefix(src[at:], []byte("#!")) {
		end := bytes.IndexByte(src[at:], '\n')
		if end < 0 {
			return 0, false
		}
		at += end + 1
	}
	for {
		next := skipBlank(src, at)
		if next < 0 {
			return 0, false
		}
		if next >= len(src) || src[next] != '"' && src[next] != '\'' {
			return next, true
		}
		n := quoted(src[next:], src[next])
		if n < 2 {
			return 0, false
		}
		at = next + n
		rest := bytes.TrimLeft(src[at:], " \t")
		switch {
		case bytes.HasPrefix(rest, []byte(";")):
			at = len(src) - len(rest) + 1
		case len(rest) == 0, rest[0] == '\n', rest[0] == '\r':
			if after := skipBlank(src, at); after >= 0 && after < len(src) && bytes.IndexByte([]byte("([`.+-/*,=<>&|?%^!"), src[after]) >= 0 {
				return next, true // the string is the start of an expression
			}
		default:
			return next, true
		}
	}
}

// skipBlank returns the first place from at on that is neither white space nor
// comment, -1 when a comment does not end.
func skipBlank(src []byte, at int) int {
	for at < len(src) {
		switch {
		case bytes.IndexByte([]byte(" \t\r\n"), src[at]) >= 0:
			at++
		case bytes.HasPrefix(src[at:], []byte("//")):
			end := bytes.IndexByte(src[at:], '\n')
			if end < 0 {
				return len(src)
			}
			at += end + 1
		case bytes.HasPrefix(src[at:], []byte("/*")):
			end := bytes.Index(src[at+2:], []byte("*/"))
			if end < 0 {
				return -1
			}
			at += end + 4
		default:
			return at
		}
	}
	return at
}

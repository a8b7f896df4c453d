package python

import (
	"bytes"
	"unicode/utf8"

	"github.com/plumbkit/plumb/index"
)

// tokens splits src into tokens for comparing lines apart from layout. What
// stands at the beginning of a line counts as layout here, though it means
// something: who compares sees it in the lines. A comma before a closing
// bracket is kept, because behind a single value it makes a tuple.
func tokens(src []byte) []index.Token {
	lexed := lex(src)
	out := make([]index.Token, 0, len(lexed))
	for _, t := range lexed {
		kind := index.TokenOther
		switch t.kind {
		case lexName:
			kind = index.TokenName
		case lexString:
			kind = index.TokenString
		case lexComment:
			kind = index.TokenComment
		case lexOperator:
			kind = index.TokenPunctuation
		}
		if isKeyword(t.text) {
			kind = index.TokenOther
		}
		out = append(out, index.Token{Kind: kind, Text: t.text, Line: t.line})
	}
	return out
}

// isKeyword reports whether a name is reserved (docs.python.org, "Keywords").
func isKeyword(s string) bool {
	switch s {
	case "False", "None", "True", "and", "as", "assert", "async", "await", "break", "class", "continue", "def", "del", "elif", "else", "except",
		"finally", "for", "from", "global", "if", "import", "in", "is", "lambda", "nonlocal", "not", "or", "pass", "raise", "return", "try",
		"while", "with", "yield":
		return true
	}
	return false
}

// A lexKind is what a lexeme is.
type lexKind uint8

const (
	lexOther lexKind = iota
	lexName
	lexNumber
	lexString
	lexComment
	lexOperator
)

// A lexeme is one token with its place. Lines are 1-based; end is that of its
// last byte.
type lexeme struct {
	kind      lexKind
	text      string
	at        int
	line, end int
	continued bool // its line continues the one before
}

// lex splits src into tokens. Whatever the bytes, their texts in order are src
// without white space and line continuations.
func lex(src []byte) (out []lexeme) {
	line, continued := 1, false
	from := 0
	if bytes.HasPrefix(src, []byte("\xef\xbb\xbf")) { // a byte order mark
		from = 3
	}
	for i := from; i < len(src); {
		switch c := src[i]; {
		case c == '\n':
			line, continued = line+1, false
			i++
		case c == ' ' || c == '\t' || c == '\r' || c == '\f':
			i++
		case c == '\\' && lineEnd(src[i+1:]) > 0:
			i += 1 + lineEnd(src[i+1:])
			line, continued = line+1, true
		default:
			n, kind := lexemeAt(src[i:])
			text := src[i : i+n]
			last := line + bytes.Count(text, []byte("\n"))
			out = append(out, lexeme{kind: kind, text: string(text), at: i, line: line, end: last, continued: continued})
			line = last
			i += n
		}
	}
	return out
}

// lineEnd returns the length of a line end at the start of b, 0 without one.
func lineEnd(b []byte) int {
	switch {
	case len(b) > 0 && b[0] == '\n':
		return 1
	case len(b) > 1 && b[0] == '\r' && b[1] == '\n':
		return 2
	}
	return 0
}

// lexemeAt returns the length and kind of the token at the start of b.
func lexemeAt(b []byte) (int, lexKind) {
	c := b[0]
	switch {
	case c == '#':
		if n := bytes.IndexByte(b, '\n'); n >= 0 {
			return len(bytes.TrimRight(b[:n], "\r")), lexComment
		}
		return len(b), lexComment
	case c == '"' || c == '\'':
		return quoted(b, 0), lexString
	case isLetter(c):
		n := 1
		for n < len(b) && (isLetter(b[n]) || isDigit(b[n])) {
			n++
		}
		if n <= 3 && n < len(b) && (b[n] == '"' || b[n] == '\'') && isPrefix(b[:n]) {
			return quoted(b, n), lexString
		}
		return n, lexName
	case isDigit(c) || c == '.' && len(b) > 1 && isDigit(b[1]):
		return number(b), lexNumber
	}
	return operator(b), lexOperator
}

func isLetter(c byte) bool { return c == '_' || c|0x20 >= 'a' && c|0x20 <= 'z' || c >= utf8.RuneSelf }

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

// isPrefix reports whether letters before a quote belong to the string.
func isPrefix(b []byte) bool {
	for _, c := range b {
		switch c | 0x20 {
		case 'r', 'b', 'f', 'u', 't':
		default:
			return false
		}
	}
	return true
}

// quoted returns the length of the string whose quotes begin at b[at]: up to
// its end, or without one up to that of the line or, in three quotes, of b.
func quoted(b []byte, at int) int {
	quote := b[at : at+1]
	if len(b) >= at+3 && b[at+1] == quote[0] && b[at+2] == quote[0] {
		quote = b[at : at+3]
	}
	for i := at + len(quote); i < len(b); i++ {
		switch {
		case b[i] == '\\':
			i++
		case b[i] == '\n' && len(quote) == 1:
			return i
		case bytes.HasPrefix(b[i:], quote):
			return i + len(quote)
		}
	}
	return len(b)
}

func number(b []byte) int {
	n := 1
	for n < len(b) {
		c := b[n]
		sign := (c == '+' || c == '-') && b[n-1]|0x20 == 'e' && !bytes.HasPrefix(b, []byte("0x")) && !bytes.HasPrefix(b, []byte("0X"))
		if !isDigit(c) && !isLetter(c) && c != '.' && !sign {
			break
		}
		n++
	}
	return n
}

// operator returns the length of the longest operator at the start of b.
func operator(b []byte) int {
	for _, op := range []string{"**=", "//=", ">>=", "<<=", "...", "!=", "==", "<=", ">=", "->", ":=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=",
		"@=", "**", "//", ">>", "<<", "<>"} {
		if bytes.HasPrefix(b, []byte(op)) {
			return len(op)
		}
	}
	_, size := utf8.DecodeRune(b)
	return max(size, 1)
}

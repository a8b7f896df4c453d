package ecmascript

import (
	"bytes"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/plumbkit/plumb/index"
)

// tokens splits src into tokens for comparing lines apart from layout: white
// space is dropped, a comment, string, template (with all that it substitutes) or
// regular expression is one token. A comma before a closing bracket changes
// nothing and is left out. Semicolons stay: whether a line can do without is
// decided by the next one. The end of a line that ends a return, throw, break,
// continue or yield is one.
//
// Whether "/" divides or begins a regular expression is told by the token before.
// What cannot be read comes back as it stands.
func tokens(src []byte) []index.Token {
	s := scanner{src: src, line: 1}
	for s.at < len(s.src) {
		s.next()
	}
	return s.out
}

type scanner struct {
	src  []byte
	at   int
	line int
	out  []index.Token
}

func (s *scanner) next() {
	c := s.src[s.at]
	rest := s.src[s.at:]
	switch {
	case c == '\n':
		s.endLine()
		s.line++
		s.at++
	case c == ' ' || c == '\t' || c == '\r' || c == '\v' || c == '\f':
		s.at++
	case bytes.HasPrefix(rest, []byte("\ufeff")), bytes.HasPrefix(rest, []byte("\u00a0")):
		_, n := utf8.DecodeRune(rest)
		s.at += n
	case bytes.HasPrefix(rest, []byte("//")), s.at == 0 && bytes.HasPrefix(rest, []byte("#!")):
		end := bytes.IndexByte(rest, '\n')
		if end < 0 {
			end = len(rest)
		}
		s.token(index.TokenComment, len(bytes.TrimRight(rest[:end], "\r")))
	case bytes.HasPrefix(rest, []byte("/*")):
		s.token(index.TokenComment, until(rest, 2, "*/"))
	case c == '"' || c == '\'':
		s.token(index.TokenString, quoted(rest, c))
	case c == '`':
		s.token(index.TokenString, templateEnd(rest, 0))
	case c == '/' && s.operandNext():
		s.token(index.TokenOther, regexEnd(rest))
	case isWordStart(rest) || c == '#' && isWordStart(rest[1:]):
		s.token(index.TokenName, wordEnd(rest))
	case c >= '0' && c <= '9' || c == '.' && len(rest) > 1 && rest[1] >= '0' && rest[1] <= '9':
		s.token(index.TokenOther, numberEnd(rest))
	default:
		s.operator(rest)
	}
}

// token adds the next n bytes as a token.
func (s *scanner) token(kind index.TokenKind, n int) {
	n = max(n, 1)
	text := string(s.src[s.at : s.at+n])
	s.out = append(s.out, index.Token{Kind: kind, Text: text, Line: s.line})
	s.line += strings.Count(text, "\n")
	s.at += n
}

// operators are those of more than one byte, longest first.
var operators = [...]string{">>>=", "...", "===", "!==", "**=", "<<=", ">>=", ">>>", "&&=", "||=", "??=", "=>", "==", "!=", "<=", ">=", "&&", "||", "??",
	"?.", "++", "--", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "**", "<<", ">>"}

func (s *scanner) operator(rest []byte) {
	n := 1
	for _, op := range operators {
		if bytes.HasPrefix(rest, []byte(op)) {
			n = len(op)
			break
		}
	}
	if n == 1 && rest[0] >= utf8.RuneSelf {
		_, n = utf8.DecodeRune(rest)
		s.token(index.TokenOther, n)
		return
	}
	if rest[0] == ')' || rest[0] == ']' || rest[0] == '}' {
		if last := len(s.out) - 1; last >= 1 && s.out[last].Text == "," && s.out[last-1].Text != "," && s.out[last-1].Text != "[" {
			s.out = s.out[:last] // [a,,] has a hole
		}
	}
	s.token(index.TokenPunctuation, n)
}

// endLine adds the semicolon that the end of a line stands for behind the words
// that take nothing from the next.
func (s *scanner) endLine() {
	last := len(s.out) - 1
	if last < 0 || s.out[last].Line != s.line || s.out[last].Kind != index.TokenName {
		return
	}
	switch s.out[last].Text {
	case "return", "throw", "break", "continue", "yield":
		if last == 0 || s.out[last-1].Text != "." && s.out[last-1].Text != "?." {
			s.out = append(s.out, index.Token{Kind: index.TokenPunctuation, Text: ";", Line: s.line})
		}
	}
}

// openStatement reports whether the bracket that closes at i is the head of a
// statement, behind which another begins: for (…) while (…) if (…)
func (s *scanner) openStatement(i int) bool {
	depth := 0
	for ; i >= 0; i-- {
		switch s.out[i].Text {
		case ")":
			depth++
		case "(":
			if depth--; depth == 0 {
				if i == 0 {
					return false
				}
				word := s.out[i-1].Text
				return word == "for" || word == "while" || word == "if" || word == "with"
			}
		}
	}
	return false
}

// operandNext reports whether an operand may stand here, so that a slash begins
// a regular expression.
func (s *scanner) operandNext() bool {
	for i := len(s.out) - 1; i >= 0; i-- {
		switch t := s.out[i]; t.Kind {
		case index.TokenComment:
			continue
		case index.TokenName:
			switch t.Text {
			case "return", "typeof", "instanceof", "in", "of", "new", "delete", "void", "throw", "case", "do", "else", "yield", "await":
				return true
			}
			return false
		case index.TokenPunctuation:
			switch t.Text {
			case ")":
				return s.openStatement(i)
			case "]", "}", "++", "--":
				return false
			case "<":
				return false // a closing tag
			}
			return true
		default:
			return false
		}
	}
	return true
}

func until(rest []byte, from int, end string) int {
	if i := bytes.Index(rest[from:], []byte(end)); i >= 0 {
		return from + i + len(end)
	}
	return len(rest)
}

// quoted returns the length of a string; one that its line does not end, as an
// apostrophe in the text of an element, ends before the line does.
func quoted(rest []byte, quote byte) int {
	for i := 1; i < len(rest); i++ {
		switch rest[i] {
		case '\\':
			i++
		case quote:
			return i + 1
		case '\n':
			return 1
		}
	}
	return 1
}

// maxTemplates is how deep templates may nest.
const maxTemplates = 100

// templateEnd returns the length of a template with its substitutions.
func templateEnd(rest []byte, depth int) int {
	for i := 1; i < len(rest); i++ {
		switch {
		case rest[i] == '\\':
			i++
		case rest[i] == '`':
			return i + 1
		case rest[i] == '$' && i+1 < len(rest) && rest[i+1] == '{':
			i += substitutionEnd(rest[i+1:], depth)
		}
	}
	return len(rest)
}

// substitutionEnd returns the length from the opening to the closing brace.
func substitutionEnd(rest []byte, depth int) int {
	open := 0
	for i := 0; i < len(rest); i++ {
		switch c := rest[i]; {
		case c == '{':
			open++
		case c == '}':
			if open--; open == 0 {
				return i + 1
			}
		case c == '"' || c == '\'':
			i += quoted(rest[i:], c) - 1
		case c == '`' && depth < maxTemplates:
			i += templateEnd(rest[i:], depth+1) - 1
		case c == '/' && i+1 < len(rest) && rest[i+1] == '*':
			i += until(rest[i:], 2, "*/") - 1
		}
	}
	return len(rest)
}

// regexEnd returns the length of a regular expression, 1 where there is none.
func regexEnd(rest []byte) int {
	class := false
	for i := 1; i < len(rest); i++ {
		switch c := rest[i]; {
		case c == '\n':
			return 1
		case c == '\\':
			i++
		case c == '[':
			class = true
		case c == ']':
			class = false
		case c == '/' && !class:
			return i + 1 + wordEnd(rest[i+1:])
		}
	}
	return 1
}

func isWordStart(rest []byte) bool {
	r, _ := utf8.DecodeRune(rest)
	return r == '_' || r == '$' || r == '\\' || unicode.IsLetter(r)
}

func wordEnd(rest []byte) int {
	i := 0
	for i < len(rest) {
		r, n := utf8.DecodeRune(rest[i:])
		if r != '_' && r != '$' && r != '\\' && !(r == '#' && i == 0) && !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.Is(unicode.Mn, r) && r != '\u200c' && r != '\u200d' {
			break
		}
		i += n
	}
	return i
}

func numberEnd(rest []byte) int {
	i := 0
	for i < len(rest) {
		c := rest[i]
		switch {
		case c >= '0' && c <= '9', c >= 'a' && c <= 'z', c >= 'A' && c <= 'Z', c == '_', c == '.':
			i++
		case (c == '+' || c == '-') && (rest[i-1] == 'e' || rest[i-1] == 'E') && !bytes.HasPrefix(rest, []byte("0x")):
			i++
		default:
			return i
		}
	}
	return i
}

package patch

import (
	"strings"
	"unicode/utf8"

	"github.com/plumbkit/plumb/index"
)

// tokenLines are a file's tokens by the line on which they begin. All language
// knowledge comes from index.Language.Tokens; without it lines are compared as
// text, and only what no language can mind counts as noise.
type tokenLines struct {
	lines []string
	// known says that the language's tokens are known.
	known bool
	// layout says that line breaks and indentation may be part of the syntax,
	// as far as is known: the language has no formatter of its own that could
	// move them freely.
	layout bool
	// indented says that white space at the start of a line may be syntax.
	indented bool
	// spaced says that white space between tokens may mean something: nothing
	// proves the contrary, neither a standard format nor a syntax of indentation,
	// and in some languages text stands between tags.
	spaced bool
	tokens [][]index.Token // by 0-based line
	inside []bool          // the line begins inside a token of a line before
	depth  []int           // brackets open at the end of the line
}

func newTokenLines(lang *index.Language, data []byte) *tokenLines {
	t := &tokenLines{lines: splitLines(data), layout: true, indented: true, spaced: true}
	n := len(t.lines)
	t.tokens, t.inside, t.depth = make([][]index.Token, n), make([]bool, n), make([]int, n)
	if lang == nil || lang.Tokens == nil {
		return t
	}
	t.known, t.layout, t.indented = true, lang.Format == nil, lang.Indentation
	t.spaced = t.layout && !t.indented
	delta := make([]int, n)
	for _, tok := range lang.Tokens(data) {
		i := tok.Line - 1
		if i < 0 || i >= n {
			continue
		}
		t.tokens[i] = append(t.tokens[i], tok)
		for k := 1; k <= strings.Count(tok.Text, "\n") && i+k < n; k++ {
			t.inside[i+k] = true
		}
		switch tok.Text {
		case "(", "[":
			delta[i]++
		case ")", "]":
			delta[i]--
		case "{", "}":
			if !t.layout {
				delta[i] += map[string]int{"{": 1, "}": -1}[tok.Text]
			}
		}
	}
	open := 0
	for i, d := range delta {
		open += d
		t.depth[i] = open
	}
	return t
}

// plain is a line without byte order mark and line end.
func (t *tokenLines) plain(i int) string {
	l := bare(t.lines[i])
	if i == 0 {
		l = strings.TrimPrefix(l, bom)
	}
	return l
}

// key is the same for two lines that differ in noise only.
func (t *tokenLines) key(i int) string {
	switch {
	case !t.known:
		return trailing(t.plain(i))
	case t.inside[i] || t.opens(i):
		return "\x01" + t.plain(i) // white space may be part of a token
	}
	var b strings.Builder
	for _, tok := range t.tokens[i] {
		b.WriteString(unquoted(tok))
		b.WriteByte(0)
	}
	return b.String()
}

// trailing drops the blanks at the end of a line but for two or more behind a
// text, which break the line in Markdown: those become two.
func trailing(line string) string {
	text := strings.TrimRight(line, " \t")
	if text != "" && strings.HasSuffix(line, "  ") {
		return text + "  "
	}
	return text
}

// opens reports whether a token that begins in the line goes on in the next.
func (t *tokenLines) opens(i int) bool { return i+1 < len(t.lines) && t.inside[i+1] }

func (t *tokenLines) blank(i int) bool { return strings.TrimSpace(t.plain(i)) == "" && !t.inside[i] }

// indent is the white space that a line begins with.
func (t *tokenLines) indent(i int) string {
	l := t.plain(i)
	return l[:len(l)-len(strings.TrimLeft(l, " \t"))]
}

// span returns the tokens of lines [from,to), and whether the lines can be
// compared by tokens: none is cut, and line breaks mean nothing between them.
func (t *tokenLines) span(from, to int) ([]index.Token, bool) {
	var out []index.Token
	for i := from; i < to; i++ {
		if t.inside[i] || t.opens(i) || (i+1 < to && (t.spaced || t.layout && t.depth[i] <= 0)) {
			return nil, false
		}
		out = append(out, t.tokens[i]...)
	}
	return out, t.known
}

// unquoted is a token's text with the quotes of a plain string made the same.
// A single character in single quotes stays, since in some languages that is no
// string; so does whatever has escapes, quotes or substitutions inside.
func unquoted(tok index.Token) string {
	s := tok.Text
	if tok.Kind != index.TokenString || len(s) < 2 {
		return s
	}
	q := s[len(s)-1]
	if s[0] != q || strings.IndexByte("'\"`", q) < 0 {
		return s
	}
	inner := s[1 : len(s)-1]
	if strings.ContainsAny(inner, "'\"`\\\n") || strings.Contains(inner, "${") {
		return s
	}
	if utf8.RuneCountInString(inner) == 1 {
		return s
	}
	return "\"" + inner + "\""
}

func sameTokens(a, b []index.Token, text func(index.Token) string) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if text(a[i]) != text(b[i]) {
			return false
		}
	}
	return true
}

func verbatim(t index.Token) string { return t.Text }

// withoutTrailingCommas drops commas in front of a closing bracket, where that
// cannot turn a tuple into its only element: something else is separated by a
// comma in the same brackets, the brackets are those of a call, or they are no
// parentheses.
func withoutTrailingCommas(tokens []index.Token, layout bool) []index.Token {
	type group struct {
		commas int
		call   bool
	}
	var open []group
	var out []index.Token
	for i, t := range tokens {
		switch t.Text {
		case "(", "[", "{":
			open = append(open, group{call: t.Text != "(" || (i > 0 && tokens[i-1].Kind == index.TokenName)})
		case ",":
			if len(open) > 0 {
				open[len(open)-1].commas++
			}
		case ")", "]", "}":
			safe := t.Text != ")" || !layout
			if len(open) > 0 {
				g := open[len(open)-1]
				safe = safe || g.call || g.commas > 1
				open = open[:len(open)-1]
			}
			if safe && len(out) > 0 && out[len(out)-1].Text == "," {
				out = out[:len(out)-1]
			}
		}
		out = append(out, t)
	}
	return out
}

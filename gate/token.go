package gate

import (
	"bytes"
	"strings"

	"github.com/plumbkit/plumb/index"
)

// A token is one token with its place in the file.
type token struct {
	index.Token
	start, end int // 0-based byte offsets, half-open
}

// tokensOf are a file's tokens, comments left out; nil where its language does
// not tell.
func tokensOf(lang *index.Language, src []byte) []token {
	if lang == nil || lang.Tokens == nil {
		return nil
	}
	var out []token
	from := 0
	for _, t := range lang.Tokens(src) {
		i := bytes.Index(src[from:], []byte(t.Text))
		if i < 0 || t.Text == "" {
			continue
		}
		tok := token{Token: t, start: from + i, end: from + i + len(t.Text)}
		from = tok.end
		if t.Kind == index.TokenString {
			tok.Text = requoted(t.Text, lang.Quotes)
		}
		if t.Kind != index.TokenComment {
			out = append(out, tok)
		}
	}
	return out
}

// requoted writes a string with the first of the marks that mean the same.
func requoted(s, quotes string) string {
	n := len(s)
	if len(quotes) < 2 || n < 2 || !strings.ContainsRune(quotes, rune(s[n-1])) || strings.Contains(s, quotes[:1]) || strings.Contains(s, "\\") {
		return s
	}
	return strings.ReplaceAll(s, s[n-1:], quotes[:1])
}

// within are the tokens that stand in [start, end).
func within(tokens []token, start, end int) []token {
	i := 0
	for i < len(tokens) && tokens[i].start < start {
		i++
	}
	j := i
	for j < len(tokens) && tokens[j].end <= end {
		j++
	}
	return tokens[i:j]
}

// literal reports whether a token is a string, a number or a regular expression.
func (t *token) literal() bool { return t.Kind == index.TokenString || t.number() || t.pattern() }

// pattern reports whether a token is a regular expression, written between slashes.
func (t *token) pattern() bool {
	return len(t.Text) > 2 && t.Text[0] == '/' && t.Text[1] != '/' && t.Text[1] != '*' && strings.LastIndexByte(t.Text, '/') > 0
}

func (t *token) number() bool {
	if t.Kind == index.TokenString || t.Text == "" {
		return false
	}
	c := t.Text[0]
	return c >= '0' && c <= '9' || c == '.' && len(t.Text) > 1 && t.Text[1] >= '0' && t.Text[1] <= '9'
}

// word reports whether a token is a name or keyword.
func (t *token) word() bool {
	if t.Text == "" || t.Kind == index.TokenString {
		return false
	}
	c := t.Text[0]
	return c == '_' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= 0x80
}

// telling reports whether a token says what a statement is about: names,
// literals, and true, false and the like.
func (t *token) telling() bool { return t.literal() || t.word() }

// alike is the share of telling tokens that two lists have in common.
func alike(a, b []token) float64 {
	count := map[string]int{}
	total, common := 0, 0
	for i := range a {
		if a[i].telling() {
			count[a[i].Text]++
			total++
		}
	}
	for i := range b {
		if b[i].telling() {
			total++
			if count[b[i].Text] > 0 {
				count[b[i].Text]--
				common++
			}
		}
	}
	if total == 0 {
		return 0
	}
	return 2 * float64(common) / float64(total)
}

// count is how often each literal stands in the tokens.
func count(tokens []token) map[string]int {
	out := map[string]int{}
	for i := range tokens {
		if tokens[i].literal() {
			out[tokens[i].Text]++
		}
	}
	return out
}

// text joins the tokens with single blanks.
func text(tokens []token) string {
	parts := make([]string, len(tokens))
	for i := range tokens {
		parts[i] = tokens[i].Text
	}
	return strings.Join(parts, " ")
}

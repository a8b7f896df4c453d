package budget

import (
	"strings"

	"github.com/plumbkit/plumb/index"
)

// A shape is the layout of a run of lines: which lines go on with the statement
// of the line before, and which block each line stands in. It is read from the
// language's tokens: brackets where there are any, indentation where blocks
// have none. Where neither tells, two lines count as one statement, so that a
// cut never falls into one.
type shape struct {
	text  []string
	goes  []bool   // goes[i]: line i goes on with the statement of line i-1
	block []int    // block[i]: the line that opens the block of line i, -1 at the top
	first []string // first token of each line
	close []int    // close[i]: the line that closes the block opened on line i, -1 if it opens none
}

// shapeOf reads the shape of text, which holds the given lines.
func shapeOf(lang *index.Language, lines []string) *shape {
	s := &shape{text: lines, goes: make([]bool, len(lines)), block: make([]int, len(lines)), first: make([]string, len(lines)), close: make([]int, len(lines))}
	for i := range lines {
		s.block[i], s.close[i] = -1, -1
		s.first[i], _, _ = strings.Cut(strings.TrimSpace(lines[i]), " ")
	}
	var tokens []index.Token
	if lang != nil && lang.Tokens != nil {
		tokens = lang.Tokens([]byte(strings.Join(lines, "\n") + "\n"))
	}
	if s.brackets(tokens) {
		return s
	}
	s.indents()
	return s
}

// brackets fills the shape from tokens; it reports false when no block bracket
// was found, so that indentation has to tell.
func (s *shape) brackets(tokens []index.Token) bool {
	type open struct {
		bracket byte
		line    int
	}
	var stack []open
	found := false
	last := -1 // line on which the last token ended
	prev := ""
	for _, t := range tokens {
		at := t.Line - 1
		if at < 0 || at >= len(s.text) || t.Text == "" {
			continue
		}
		if at > last {
			s.enter(at, last, prev, t, len(stack) > 0 && stack[len(stack)-1].bracket != '{')
			for i := max(last+1, 0); i <= at; i++ {
				if len(stack) > 0 {
					s.block[i] = stack[len(stack)-1].line
				}
			}
		}
		switch c := t.Text[0]; {
		case t.Kind == index.TokenComment || t.Kind == index.TokenString:
		case len(t.Text) == 1 && strings.IndexByte("([{", c) >= 0:
			stack = append(stack, open{c, at})
		case len(t.Text) == 1 && strings.IndexByte(")]}", c) >= 0 && len(stack) > 0:
			top := stack[len(stack)-1]
			stack = stack[:len(stack)-1]
			if top.bracket == '{' && top.line < at {
				found = true
				s.close[top.line] = at
				s.block[at] = s.block[top.line]
			}
		}
		end := min(at+strings.Count(t.Text, "\n"), len(s.text)-1)
		for i := at + 1; i <= end; i++ {
			s.goes[i], s.block[i] = true, s.block[at]
		}
		last = end
		if t.Kind != index.TokenComment {
			prev = t.Text
		}
	}
	return found
}

// enter decides, at the first token of a line, whether the line goes on with a statement.
func (s *shape) enter(at, last int, prev string, t index.Token, inList bool) {
	s.first[at] = t.Text
	if last < 0 || t.Kind == index.TokenComment {
		s.goes[at] = inList
		return
	}
	s.goes[at] = inList || opensMore(prev) || goesOn(t.Text)
}

// opensMore reports whether a statement cannot end with the token.
func opensMore(token string) bool {
	if token == "" || strings.ContainsAny(token[len(token)-1:], ")]};:'\"`{,") && token != "," {
		return token == ","
	}
	c := token[len(token)-1]
	return !isLetter(c) && !isDigit(c) && c != '_' && c != '$' && token != "++" && token != "--" && c < 0x80
}

// goesOn reports whether no statement begins with the token.
func goesOn(token string) bool {
	switch token {
	case ".", "?", "?.", "&&", "||", "+", "-", "/", "%", "=", "==", "=>", "->", "else", "elif", "except", "catch", "finally", "and", "or":
		return true
	}
	return false
}

// indents fills the shape from indentation, for languages whose blocks have no brackets.
func (s *shape) indents() {
	var stack []int
	for i, line := range s.text {
		if strings.TrimSpace(line) == "" {
			if i > 0 {
				s.block[i] = s.block[i-1]
			}
			continue
		}
		if s.goes[i] {
			if i > 0 {
				s.block[i] = s.block[i-1]
			}
			continue
		}
		for len(stack) > 0 && indentOf(s.text[stack[len(stack)-1]]) >= indentOf(line) {
			stack = stack[:len(stack)-1]
		}
		s.block[i] = -1
		if len(stack) > 0 {
			s.block[i] = stack[len(stack)-1]
		}
		stack = append(stack, i)
	}
}

func indentOf(line string) int { return len(line) - len(strings.TrimLeft(line, " \t")) }

// unit returns the lines [from, to] of the statement, or block header, that line i belongs to.
func (s *shape) unit(i int) (from, to int) {
	for from = i; from > 0 && s.goes[from]; from-- {
	}
	for to = i; to+1 < len(s.text) && s.goes[to+1]; to++ {
	}
	return from, to
}

// statement returns the lines [from, to] of the whole statement that begins on
// line i, the blocks it opens included.
func (s *shape) statement(i int) (from, to int) {
	from, to = s.unit(i)
	for end := to; end+1 < len(s.text); {
		next := end + 1
		if !s.inside(next, from, to) && !s.goes[next] && s.close[lastOpen(s, from, to)] != next {
			break
		}
		end, to = next, next
	}
	return from, to
}

// inside reports whether line i stands in a block opened on lines [from, to].
func (s *shape) inside(i, from, to int) bool {
	for b := s.block[i]; b >= from; b = s.block[b] {
		if b <= to {
			return true
		}
	}
	return false
}

// within reports whether line i stands in the block of line start, or in one inside it.
func (s *shape) within(i, start int) bool {
	return i == start || s.goes[i] || s.block[i] == s.block[start] || s.block[i] >= start
}

// lastOpen returns the last line of [from, to] that opens a block, from if none does.
func lastOpen(s *shape, from, to int) int {
	for i := to; i > from; i-- {
		if s.close[i] >= 0 {
			return i
		}
	}
	return from
}

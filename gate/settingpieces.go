package gate

import (
	"strings"
)

// A splitter takes lines of JSON or JavaScript apart at the members of their
// objects, so that a setting is read alike however its file is laid out. What
// stands in strings, comments and lists is left together.
type splitter struct {
	out   []line
	open  []byte // brackets that are open, innermost last
	quote byte   // that a string ends with, 0 outside of strings
}

// pieces returns the members of each line, all with the line's number.
func pieces(lines []line) []line {
	s := &splitter{}
	for _, l := range lines {
		s.line(l)
	}
	return s.out
}

func (s *splitter) line(l line) {
	from := 0
	cut := func(to int) {
		if text := strings.TrimSpace(l.text[from:to]); text != "" {
			s.out = append(s.out, line{l.number, text})
		}
		from = to
	}
	if s.quote != '`' {
		s.quote = 0
	}
	for i := 0; i < len(l.text); i++ {
		c := l.text[i]
		switch {
		case s.quote != 0:
			if c == '\\' {
				i++
			} else if c == s.quote {
				s.quote = 0
			}
		case c == '"' || c == '\'' || c == '`':
			s.quote = c
		case strings.HasPrefix(l.text[i:], "//"):
			i = len(l.text)
		case c == '{':
			s.open = append(s.open, c)
			cut(i + 1)
		case c == '[' || c == '(':
			s.open = append(s.open, c)
		case c == '}':
			cut(i)
			s.close()
		case c == ']' || c == ')':
			s.close()
		case c == ',' && len(s.open) > 0 && s.open[len(s.open)-1] == '{':
			cut(i + 1)
		}
	}
	cut(len(l.text))
}

func (s *splitter) close() {
	if n := len(s.open); n > 0 {
		s.open = s.open[:n-1]
	}
}

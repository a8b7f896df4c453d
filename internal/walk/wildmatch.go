package walk

import "strings"

// match matches text against a pattern as git's wildmatch does with paths:
// "*", "?" and "[…]" never stand for a slash, "**" between slashes or ends does.
func match(pattern, text string) bool {
	m := matcher{pattern: pattern, text: text}
	return m.at(0, 0)
}

// A matcher remembers which pairs of positions it has seen fail behind a star,
// so that it takes at most len(pattern)*len(text) steps.
type matcher struct {
	pattern, text string
	failed        map[[2]int]bool
}

func (m *matcher) at(p, t int) bool {
	for p < len(m.pattern) {
		if m.pattern[p] == '*' {
			return m.star(p, t)
		}
		if t == len(m.text) {
			return false
		}
		width, ok := matchOne(m.pattern[p:], m.text[t])
		if !ok {
			return false
		}
		p, t = p+width, t+1
	}
	return t == len(m.text)
}

// star matches from a star at p on.
func (m *matcher) star(p, t int) bool {
	start := p
	for p < len(m.pattern) && m.pattern[p] == '*' {
		p++
	}
	rest := m.pattern[p:]
	deep := p-start > 1 && (start == 0 || m.pattern[start-1] == '/') &&
		(rest == "" || rest[0] == '/' || strings.HasPrefix(rest, `\/`))
	if rest == "" {
		return deep || !strings.Contains(m.text[t:], "/")
	}
	if deep && rest[0] == '/' && m.tried(p+1, t) {
		return true
	}
	for ; ; t++ {
		if m.tried(p, t) {
			return true
		}
		if t == len(m.text) || !deep && m.text[t] == '/' {
			return false
		}
	}
}

func (m *matcher) tried(p, t int) bool {
	if m.failed[[2]int{p, t}] {
		return false
	}
	if m.at(p, t) {
		return true
	}
	if m.failed == nil {
		if strings.LastIndexByte(m.pattern, '*') < p { // nothing to come back to
			return false
		}
		m.failed = make(map[[2]int]bool)
	}
	m.failed[[2]int{p, t}] = true
	return false
}

// matchOne matches one byte against the head of the pattern and returns how
// long that head is.
func matchOne(pattern string, c byte) (int, bool) {
	switch pattern[0] {
	case '?':
		return 1, c != '/'
	case '[':
		width, ok := matchClass(pattern, c)
		return width, ok && c != '/'
	case '\\':
		if len(pattern) < 2 {
			return 0, false
		}
		return 2, pattern[1] == c
	}
	return 1, pattern[0] == c
}

// matchClass matches c against the bracket expression at the head of pattern.
// One that is not closed matches nothing.
func matchClass(pattern string, c byte) (int, bool) {
	i := 1
	negated := i < len(pattern) && (pattern[i] == '!' || pattern[i] == '^')
	if negated {
		i++
	}
	found := false
	for first := true; ; first = false {
		if i >= len(pattern) {
			return 0, false
		}
		if pattern[i] == ']' && !first {
			return i + 1, found != negated
		}
		if width, in, ok := namedClass(pattern[i:], c); width > 0 {
			if !ok {
				return 0, false
			}
			found = found || in
			i += width
			continue
		}
		lo, next, ok := classByte(pattern, i)
		if !ok {
			return 0, false
		}
		hi := lo
		if next+1 < len(pattern) && pattern[next] == '-' && pattern[next+1] != ']' {
			if hi, next, ok = classByte(pattern, next+1); !ok {
				return 0, false
			}
		}
		found = found || lo <= c && c <= hi
		i = next
	}
}

// classByte reads one byte of a bracket expression, escaped or not.
func classByte(pattern string, i int) (c byte, next int, ok bool) {
	if pattern[i] == '\\' {
		i++
	}
	if i >= len(pattern) {
		return 0, i, false
	}
	return pattern[i], i + 1, true
}

// namedClass matches c against "[:name:]" at the head of pattern; width 0 says
// that there is none, ok is false for an unknown name.
func namedClass(pattern string, c byte) (width int, in, ok bool) {
	if !strings.HasPrefix(pattern, "[:") {
		return 0, false, false
	}
	end := strings.IndexByte(pattern[2:], ']')
	if end < 1 || pattern[2+end-1] != ':' {
		return 0, false, false
	}
	in, ok = inClass(pattern[2:2+end-1], c)
	return end + 3, in, ok
}

func inClass(name string, c byte) (in, ok bool) {
	upper, lower, digit := 'A' <= c && c <= 'Z', 'a' <= c && c <= 'z', '0' <= c && c <= '9'
	switch name {
	case "alnum":
		return upper || lower || digit, true
	case "alpha":
		return upper || lower, true
	case "blank":
		return c == ' ' || c == '\t', true
	case "cntrl":
		return c < 32 || c == 127, true
	case "digit":
		return digit, true
	case "graph":
		return 32 < c && c < 127, true
	case "lower":
		return lower, true
	case "print":
		return 32 <= c && c < 127, true
	case "punct":
		return 32 < c && c < 127 && !upper && !lower && !digit, true
	case "space":
		return c == ' ' || 9 <= c && c <= 13, true
	case "upper":
		return upper, true
	case "xdigit":
		return digit || 'a' <= c && c <= 'f' || 'A' <= c && c <= 'F', true
	}
	return false, false
}

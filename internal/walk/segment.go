package walk

import "strings"

// matchSegment matches one name against a pattern without slashes: "*", "?",
// "[…]" and backslash as git's wildmatch has them. It backtracks to the last
// star only, so that it takes at most len(pattern)*len(name) steps.
func matchSegment(pattern, name string) bool {
	p, n := 0, 0
	starP, starN := -1, 0
	for n < len(name) {
		if p < len(pattern) && pattern[p] == '*' {
			starP, starN = p, n
			p++
			continue
		}
		if width, ok := matchOne(pattern[p:], name[n]); ok {
			p += width
			n++
			continue
		}
		if starP < 0 {
			return false
		}
		starN++
		p, n = starP+1, starN
	}
	for p < len(pattern) && pattern[p] == '*' {
		p++
	}
	return p == len(pattern)
}

// matchOne matches one byte against the head of the pattern and returns how
// long that head is.
func matchOne(pattern string, c byte) (int, bool) {
	if pattern == "" {
		return 0, false
	}
	switch pattern[0] {
	case '?':
		return 1, true
	case '[':
		return matchClass(pattern, c)
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

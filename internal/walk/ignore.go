package walk

import (
	"bytes"
	"io/fs"
	"strings"
)

// A rule is one line of an ignore file (gitignore(5)).
type rule struct {
	base     string   // folder of the file, relative to the repository, "" or with a final slash
	segments []string // of the pattern, between its slashes
	anchored bool     // matched against the path below base, not against the name alone
	dirOnly  bool
	negated  bool
}

// rules are those of one file; a later one wins.
type rules []rule

// excluded reports whether the innermost, last matching rule leaves rel out.
// Whether a folder above it is left out is the caller's to know.
func excluded(stack []rules, rel string, dir bool) bool {
	for i := len(stack) - 1; i >= 0; i-- {
		for j := len(stack[i]) - 1; j >= 0; j-- {
			if r := &stack[i][j]; r.matches(rel, dir) {
				return !r.negated
			}
		}
	}
	return false
}

func readRules(fsys fs.FS, name, base string) rules {
	data := bytes.TrimPrefix(readSmall(fsys, name), []byte("\xef\xbb\xbf"))
	var out rules
	for line := range bytes.SplitSeq(data, []byte("\n")) {
		if r, ok := parseRule(string(bytes.TrimSuffix(line, []byte("\r")))); ok {
			r.base = base
			out = append(out, r)
		}
	}
	return out
}

func parseRule(line string) (rule, bool) {
	var r rule
	if line == "" || line[0] == '#' {
		return r, false
	}
	line = trimSpaces(line)
	if strings.HasPrefix(line, "!") {
		r.negated, line = true, line[1:]
	}
	if n := len(line); n > 0 && line[n-1] == '/' {
		r.dirOnly, line = true, line[:n-1]
	}
	r.anchored = strings.Contains(line, "/")
	line = strings.TrimPrefix(line, "/")
	if line == "" {
		return r, false
	}
	r.segments = split(line)
	return r, true
}

// trimSpaces drops trailing spaces that no backslash protects.
func trimSpaces(line string) string {
	end := len(line)
	for end > 0 && line[end-1] == ' ' {
		end--
	}
	if end == len(line) {
		return line
	}
	slashes := 0
	for i := end - 1; i >= 0 && line[i] == '\\'; i-- {
		slashes++
	}
	if slashes%2 == 1 {
		end++
	}
	return line[:end]
}

// split cuts a pattern at its slashes, an escaped slash included.
func split(pattern string) []string {
	var out []string
	start := 0
	for i := 0; i < len(pattern); i++ {
		switch {
		case pattern[i] == '\\' && i+1 < len(pattern) && pattern[i+1] == '/':
			out = append(out, pattern[start:i])
			start, i = i+2, i+1
		case pattern[i] == '\\':
			i++
		case pattern[i] == '/':
			out = append(out, pattern[start:i])
			start = i + 1
		}
	}
	return append(out, pattern[start:])
}

func (r *rule) matches(rel string, dir bool) bool {
	if r.dirOnly && !dir {
		return false
	}
	if !strings.HasPrefix(rel, r.base) {
		return false
	}
	rel = rel[len(r.base):]
	if !r.anchored {
		return matchSegment(r.segments[0], rel[strings.LastIndexByte(rel, '/')+1:])
	}
	return matchPath(r.segments, strings.Split(rel, "/"))
}

// matchPath matches segments against names, where "**" stands for any number
// of names: none at the start or in the middle, at least one at the end. It
// backtracks to the last "**" only, which is enough and keeps it quadratic.
func matchPath(segments, names []string) bool {
	s, n := 0, 0
	backS, backN := -1, 0
	for n < len(names) {
		switch {
		case s < len(segments) && segments[s] == "**":
			if s == len(segments)-1 {
				return true
			}
			backS, backN = s, n
			s++
		case s < len(segments) && matchSegment(segments[s], names[n]):
			s++
			n++
		case backS >= 0:
			backN++
			s, n = backS+1, backN
		default:
			return false
		}
	}
	return s == len(segments)
}

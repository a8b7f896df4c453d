package walk

import (
	"bytes"
	"io/fs"
	"strings"
)

// A rule is one line of an ignore file (gitignore(5)).
type rule struct {
	base     string // folder of the file, relative to the repository, "" or with a final slash
	pattern  string
	literal  int  // length of the pattern's head without special characters
	anchored bool // matched against the path below base, not against the name alone
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
	r.pattern = line
	if r.literal = strings.IndexAny(line, `*?[\`); r.literal < 0 {
		r.literal = len(line)
	}
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

func (r *rule) matches(rel string, dir bool) bool {
	if r.dirOnly && !dir {
		return false
	}
	if !strings.HasPrefix(rel, r.base) {
		return false
	}
	rel = rel[len(r.base):]
	if !r.anchored {
		return match(r.pattern, rel[strings.LastIndexByte(rel, '/')+1:])
	}
	// Git compares the literal head apart, so that stars behind it stand at the
	// start of what is left: in "b**/c" they mean folders.
	return strings.HasPrefix(rel, r.pattern[:r.literal]) && match(r.pattern[r.literal:], rel[r.literal:])
}

package patch

import (
	"regexp"
	"strings"
)

// Forms in which the name of a file stands above a block. A name without blanks
// needs none; one with blanks is told from prose by quotes or a label.
var (
	labelled  = regexp.MustCompile(`^(?i:file(?:name|path)?|path)\s*:\s*(.+)$`)
	decorated = regexp.MustCompile("^(?:\\*\\*|`|\\*\\*`)(.+?)(?:`\\*\\*|`|\\*\\*)$")
	commented = regexp.MustCompile(`^(?:#{1,6}|//|--|;+)\s+(\S+)$`)
	pathLike  = regexp.MustCompile(`[\w.-]+/[\w./-]+|[\w-]+\.[A-Za-z]\w*`)
)

// nameAbove settles the file of the block at line i by the lines from from on:
// the nearest one that is a name; without one, the file of the block before,
// unless the text between speaks of another file.
func (r *blockReader) nameAbove(from, i int) error {
	spoken := ""
	for j := i - 1; j >= from; j-- {
		line := strings.TrimSpace(bare(r.lines[j]))
		if line == "" || fence(line) {
			continue
		}
		name, err := fileName(line)
		if err != nil {
			return r.fail(j, "%v", err)
		}
		if name != "" {
			r.file = name
			return nil
		}
		for _, p := range pathLike.FindAllString(line, -1) {
			if p = strings.TrimRight(p, "."); p != r.file && spoken == "" {
				spoken = p
			}
		}
	}
	switch {
	case r.file == "":
		return r.fail(i, "no file is named for this block; write its path on a line of its own above the block")
	case spoken != "":
		return r.fail(i, "the text above this block speaks of %q, and the block before is of %s, so its file is not known; write the path on a line of its own above the block", spoken, r.file)
	}
	return nil
}

// fence reports whether a line opens or closes a code fence without naming a file.
func fence(line string) bool {
	rest := strings.TrimLeft(line, "`")
	if len(line)-len(rest) < 3 {
		rest = strings.TrimLeft(line, "~")
	}
	return len(line)-len(rest) >= 3 && !strings.ContainsAny(rest, "./` ")
}

// fileName returns the path that a line names, "" when it is prose.
func fileName(line string) (string, error) {
	if strings.HasPrefix(line, `"`) {
		path, rest, err := unquotePath(line)
		if err == nil && strings.TrimSpace(rest) != "" {
			return "", nil // prose that begins with a quotation
		}
		return path, err
	}
	if rest := strings.TrimLeft(line, "`"); len(line)-len(rest) >= 3 { // a fence's own: ```lang path
		fields := strings.Fields(rest)
		if len(fields) == 0 {
			return "", nil
		}
		line = fields[len(fields)-1]
		line = strings.TrimPrefix(line, "path=")
	}
	for range 3 { // a label around quotes, quotes around a colon
		marked := false
		for _, form := range []*regexp.Regexp{labelled, commented, decorated} {
			if m := form.FindStringSubmatch(line); m != nil {
				line, marked = strings.TrimSpace(m[1]), true
			}
		}
		if s, ok := strings.CutSuffix(line, ":"); ok && (marked || !strings.ContainsAny(s, " \t")) {
			line, marked = s, true
		}
		if !marked {
			break
		}
		if !strings.ContainsAny(line, "`*") && !strings.HasSuffix(line, ":") {
			return line, nil
		}
	}
	if strings.ContainsAny(line, " \t`*<>|") {
		return "", nil
	}
	return line, nil
}

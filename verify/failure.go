package verify

import (
	"path"
	"regexp"
	"strconv"
	"strings"

	"github.com/plumbkit/plumb/index"
)

// maxFailureLines is how many lines of a failure's output are kept.
const maxFailureLines = 12

// compress reduces what a red test wrote to what one acts on (VER-11): its first
// assertion, what was expected and what came, and the frame in the changed code.
func (q *inquiry) compress(o Outcome) *Failure {
	lines := outputLines(o.Output)
	f := &Failure{}
	at := assertionLine(lines)
	switch {
	case at >= 0:
		f.Assertion = strings.TrimSpace(lines[at])
	case o.Reason != "":
		f.Assertion = o.Reason
	default:
		f.Assertion = "the test is " + string(o.Status) + " and wrote no reason"
	}
	f.Expected, f.Actual = q.values(lines)
	f.Frame = q.frame(o.Test.Dir, lines)
	kept := keep(lines, at)
	f.Output, f.Omitted = strings.Join(kept, "\n"), len(lines)-len(kept)
	return f
}

// outputLines drops what test tools write around a test's own output, and empty lines.
func outputLines(output string) []string {
	var out []string
	for line := range strings.Lines(output) {
		line = strings.TrimRight(line, "\r\n \t")
		if t := strings.TrimSpace(line); t == "" || strings.HasPrefix(t, "=== ") || strings.HasPrefix(t, "--- ") || t == "FAIL" || strings.HasPrefix(t, "FAIL\t") || strings.HasPrefix(t, "exit status ") {
			continue
		}
		out = append(out, line)
	}
	return out
}

// assertionLine returns the line that says what is wrong: the first of a panic,
// of a testify error, of pytest's E, or of "file:line: text"; else the first line.
func assertionLine(lines []string) int {
	for _, r := range []string{
		`^panic: `, `^fatal error: `, `^\s*Error:\s+\S`, `^E\s+\S`, `AssertionError`,
		`^\s*[\w./-]+\.\w+:\d+(:\d+)?: \S`,
	} {
		re := regexp.MustCompile(r)
		for i, line := range lines {
			if re.MatchString(line) {
				return i
			}
		}
	}
	return min(len(lines), 1) - 1
}

// valueForms are the ways in which assertions write what came and what was
// expected; the named groups are got and want.
func valueForms() []string {
	return []string{
		`(?i)\bgot:?\s+(?P<got>.+?)[,;]\s*(?:but\s+)?want(?:ed)?:?\s+(?P<want>.+)$`,
		`(?i)\bwant(?:ed)?:?\s+(?P<want>.+?)[,;]\s*(?:but\s+)?got:?\s+(?P<got>.+)$`,
		`(?i)\bexpected:?\s+(?P<want>.+?)[,;]?\s+(?:but\s+)?(?:got|was|actual|received):?\s+(?P<got>.+)$`,
		`^E\s+assert (?P<got>.+) == (?P<want>.+)$`,
		`=\s*(?P<got>[^=]+?)[,;]\s*want\s+(?P<want>.+)$`,
	}
}

// values finds what was expected and what came: on one line, or on two, as
// testify ("expected: ", "actual  : ") and jest ("Expected: ", "Received: ") write.
func (q *inquiry) values(lines []string) (want, got string) {
	for _, line := range lines {
		for _, form := range valueForms() {
			re := regexp.MustCompile(form)
			if m := re.FindStringSubmatch(line); m != nil {
				return strings.TrimSpace(m[re.SubexpIndex("want")]), strings.TrimSpace(m[re.SubexpIndex("got")])
			}
		}
	}
	one := regexp.MustCompile(`(?i)^\s*(expected|actual|received|want|got)\s*:\s*(.*)$`)
	for _, line := range lines {
		m := one.FindStringSubmatch(line)
		switch {
		case m == nil:
		case strings.EqualFold(m[1], "expected") || strings.EqualFold(m[1], "want"):
			if want == "" {
				want = m[2]
			}
		case got == "":
			got = m[2]
		}
	}
	return want, got
}

// frame returns the first place of the output that the change wrote, else the
// first in a changed file that is no test, else the first in the repository.
func (q *inquiry) frame(dir string, lines []string) index.Span {
	var best index.Span
	rank := 0
	for _, line := range lines {
		for _, m := range regexp.MustCompile(`([\w@.+/\\-]+\.\w+):(\d+)`).FindAllStringSubmatch(line, -1) {
			number, err := strconv.Atoi(m[2])
			f, ok := q.locate(dir, m[1])
			if err != nil || !ok {
				continue
			}
			r := 1
			if ranges, changed := q.change.lines[f.Path]; changed && f.Origin != index.Test {
				if r = 2; overlaps(ranges, number, number) {
					r = 3
				}
			}
			if r > rank {
				rank, best = r, lineSpan(f, number)
			}
		}
	}
	return best
}

// locate finds the file that a tool names: relative to the test's folder or to
// the root, or by a path inside some copy of the tree.
func (q *inquiry) locate(dir, name string) (index.File, bool) {
	name = strings.ReplaceAll(name, `\`, "/")
	for _, p := range []string{path.Join(dir, name), path.Clean(name)} {
		if f, ok := q.in.After.File(p); ok {
			return f, true
		}
	}
	for rest := name; ; {
		_, tail, ok := strings.Cut(rest, "/")
		if !ok {
			return index.File{}, false
		}
		if f, ok := q.in.After.File(tail); ok {
			return f, true
		}
		rest = tail
	}
}

// keep returns at most maxFailureLines lines around the assertion.
func keep(lines []string, at int) []string {
	if len(lines) <= maxFailureLines {
		return lines
	}
	from := max(0, min(at-2, len(lines)-maxFailureLines))
	return lines[from : from+maxFailureLines]
}

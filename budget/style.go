package budget

import (
	"sort"
	"strconv"
	"strings"

	"github.com/plumbkit/plumb/index"
)

// styles states how the seeds' files are written, so that edits can keep it (BUD-17).
func (q *collection) styles() {
	seen := make(map[string]bool)
	for _, s := range q.out.Seeds {
		sym, ok := q.snap.Symbol(s.Symbol)
		if !ok || seen[sym.Span.File] {
			continue
		}
		seen[sym.Span.File] = true
		if src, err := q.sources.get(sym.Span.File); err == nil {
			src.readMarks(q.snap)
			q.out.Styles = append(q.out.Styles, styleOf(src))
		}
	}
}

func styleOf(src *source) Style {
	s := Style{File: src.file.Path, Indent: indentStyle(src), EOL: lineEnds(src.text)}
	var widths []int
	for _, line := range src.lines(0, len(src.starts)-1) {
		if line != "" {
			widths = append(widths, columns(line))
		}
	}
	if sort.Ints(widths); len(widths) > 0 {
		s.Width = widths[(len(widths)-1)*98/100]
	}
	s.Quotes = quotes(src)
	return s
}

// columns counts a line's columns with a tab as four.
func columns(line string) int {
	return len([]rune(line)) + 3*strings.Count(line, "\t")
}

// indentStyle is "tab", or the number of blanks of the smallest usual step.
func indentStyle(src *source) string {
	tabs, steps := 0, make(map[int]int)
	last := 0
	for _, line := range src.lines(0, len(src.starts)-1) {
		n := indentOf(line)
		if n == len(line) {
			continue
		}
		if n > 0 && line[0] == '\t' {
			tabs++
		} else if n > last {
			steps[n-last]++
		}
		last = n
	}
	best, count := 0, 0
	for step := 1; step <= 8; step++ {
		if steps[step] > count {
			best, count = step, steps[step]
		}
	}
	if best == 0 || tabs >= count {
		if tabs == 0 {
			return "none"
		}
		return "tab"
	}
	return strconv.Itoa(best)
}

func lineEnds(text string) string {
	all, crlf := strings.Count(text, "\n"), strings.Count(text, "\r\n")
	switch {
	case crlf == 0:
		return "lf"
	case crlf == all:
		return "crlf"
	}
	return "mixed"
}

// quotes is the quote that most string literals begin with, "" where there are none.
func quotes(src *source) string {
	n := make(map[string]int)
	for _, m := range src.marks {
		if m.Kind != index.MarkString || m.Span.Start >= len(src.text) {
			continue
		}
		start := m.Span.Start
		if q := quoteAt(src.text, start); q != "" {
			n[q]++
		} else if start > 0 {
			n[quoteAt(src.text, start-1)]++
		}
	}
	best := ""
	for _, q := range []string{`"`, `'`, "`"} {
		if n[q] > n[best] || best == "" && n[q] > 0 {
			best = q
		}
	}
	return map[string]string{`"`: "double", `'`: "single", "`": "backtick", "": ""}[best]
}

func quoteAt(text string, i int) string {
	if strings.IndexByte("\"'`", text[i]) >= 0 {
		return text[i : i+1]
	}
	return ""
}

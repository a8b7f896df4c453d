package secrets

import (
	"strings"

	"github.com/plumbkit/plumb/index"
)

// join writes a text with each run of string literals that nothing but white
// space, a line continuation or an operator of concatenation separates as one
// literal. starts are the 0-based lines of text at which its lines begin. Without
// such a run it returns "".
func join(text string, literals []index.Range) (joined string, starts []int) {
	var b strings.Builder
	starts = []int{0}
	line, at, runs := 0, 0, 0
	copyTo := func(end int) {
		for ; at < end; at++ {
			b.WriteByte(text[at])
			if text[at] == '\n' {
				line++
				starts = append(starts, line)
			}
		}
	}
	for i := 1; i < len(literals); i++ {
		from, to, ok := seam(text, literals[i-1], literals[i])
		if !ok || from < at {
			continue
		}
		runs++
		copyTo(from)
		line += strings.Count(text[from:to], "\n")
		at = to
	}
	if runs == 0 {
		return "", nil
	}
	copyTo(len(text))
	return b.String(), starts
}

// seam returns the bytes between the contents of two literals, closing and
// opening quotes included, when the literals are joined by the program.
func seam(text string, a, b index.Range) (from, to int, ok bool) {
	if int(a.End) > int(b.Start) || int(b.End) > len(text) || strings.Trim(text[a.End:b.Start], " \t\r\n\\+.&") != "" {
		return 0, 0, false
	}
	first, second := text[a.Start:a.End], text[b.Start:b.End]
	const quotes = "\"'`"
	end := len(strings.TrimRight(first, quotes))
	open := strings.IndexAny(second, quotes)
	if end == len(first) || open < 0 || open > 3 { // a prefix, such as Python's rb
		return 0, 0, false
	}
	body := strings.TrimLeft(second[open:], quotes)
	return int(a.Start) + end, int(b.End) - len(body), true
}

package patch

import (
	"bytes"
	"strings"
)

// splitLines cuts data into lines that keep their ends ("\n" or "\r\n"). The
// last line has none when data does not end in a newline; no data is no line.
func splitLines(data []byte) []string {
	if len(data) == 0 {
		return nil
	}
	lines := make([]string, 0, bytes.Count(data, []byte{'\n'})+1)
	text := string(data)
	for text != "" {
		end := strings.IndexByte(text, '\n') + 1
		if end == 0 {
			end = len(text)
		}
		lines = append(lines, text[:end])
		text = text[end:]
	}
	return lines
}

// bare returns line without its line end. A carriage return without a newline
// behind it is no line end.
func bare(line string) string {
	if s, ok := strings.CutSuffix(line, "\n"); ok {
		return strings.TrimSuffix(s, "\r")
	}
	return line
}

// lineEnd returns the line end of line, "" if it has none.
func lineEnd(line string) string { return line[len(bare(line)):] }

// A text is one file's content cut into lines.
type text struct {
	data  []byte
	lines []string
	// starts[i] is the offset of line i (0-based); it has one entry more than
	// there are lines, the length of data.
	starts []int
}

func newText(data []byte) *text {
	t := &text{data: data, lines: splitLines(data)}
	t.starts = make([]int, len(t.lines)+1)
	for i, l := range t.lines {
		t.starts[i+1] = t.starts[i] + len(l)
	}
	return t
}

// lineAt returns the 1-based line that holds the offset.
func (t *text) lineAt(offset int) int {
	lo, hi := 0, len(t.lines)
	for lo < hi {
		mid := (lo + hi) / 2
		if t.starts[mid+1] > offset {
			hi = mid
		} else {
			lo = mid + 1
		}
	}
	return lo + 1
}

// endNear returns the line end in use around line i (0-based): that of the line
// itself, of the one before, of the one after, else "\n".
func (t *text) endNear(i int) string {
	for _, k := range []int{i, i - 1, i + 1} {
		if k >= 0 && k < len(t.lines) {
			if e := lineEnd(t.lines[k]); e != "" {
				return e
			}
		}
	}
	return "\n"
}

// mostEnd returns the line end that most lines of t have, "\n" when none has any.
func (t *text) mostEnd() string {
	crlf := bytes.Count(t.data, []byte("\r\n"))
	if crlf*2 > bytes.Count(t.data, []byte{'\n'}) {
		return "\r\n"
	}
	return "\n"
}

// withEnds rewrites every line end of s to end, unless s has a carriage return
// of its own: then it means its bytes literally.
func withEnds(s, end string) string {
	if end == "\n" || strings.Contains(s, "\r") {
		return s
	}
	return strings.ReplaceAll(s, "\n", end)
}

// bom is the UTF-8 byte order mark.
const bom = "\ufeff"

// isBinary reports whether data is no text that lines can be edited in: it holds
// a NUL byte, as binary files and UTF-16 do.
func isBinary(data []byte) bool { return bytes.IndexByte(data, 0) >= 0 }

package extract

import (
	"bytes"
	"strings"

	"github.com/plumbkit/plumb/index"
)

// MaxMarkText is the most bytes of source that a mark's text keeps. The text of
// a comment or plain string is left empty: it is the source at the mark's range.
const MaxMarkText = 300

// MarkText returns the source of node n on one line, cut to MaxMarkText bytes;
// what is no UTF-8 is left out.
func MarkText(t *index.Tree, n int32) string {
	text := t.Text(n)
	if len(text) > 8*MaxMarkText {
		text = text[:8*MaxMarkText]
	}
	if bytes.IndexByte(text, '\n') >= 0 {
		text = bytes.Join(bytes.Fields(text), []byte(" "))
	}
	if len(text) > MaxMarkText {
		return strings.ToValidUTF8(string(text[:MaxMarkText]), "") + "…"
	}
	return strings.ToValidUTF8(string(text), "")
}

// GapLines returns how many line ends a gap of white space has, -1 for a gap of
// anything else.
func GapLines(gap []byte) int {
	lines := 0
	for _, c := range gap {
		switch c {
		case '\n':
			lines++
		case ' ', '\t', '\r':
		default:
			return -1
		}
	}
	return lines
}

// FirstOnLine reports whether nothing but white space stands before offset at
// on its line.
func FirstOnLine(src []byte, at uint32) bool {
	for i := int(at) - 1; i >= 0 && src[i] != '\n'; i-- {
		if src[i] != ' ' && src[i] != '\t' {
			return false
		}
	}
	return true
}

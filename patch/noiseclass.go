package patch

import (
	"slices"
	"strings"

	"github.com/plumbkit/plumb/index"
)

// A segment is a part of a change that is of one class. Old lines [A0,A1)
// became new lines [B0,B1).
type segment struct {
	change
	class HunkClass
}

// lines is the number of changed lines: the longer side.
func (s segment) lines() int { return max(s.A1-s.A0, s.B1-s.B0) }

// noisy reports whether a class is noise (PAT-13).
func noisy(c HunkClass) bool { return c != Meant && c != Comment && c != LogText }

// segments cuts every change between two versions of a file into parts that
// are noise and parts that are meant.
func segments(old, now *tokenLines) []segment {
	var out, group []segment
	last := -1
	for _, c := range diffLines(old.lines, now.lines) {
		if last >= 0 && !allBlank(old, last, c.A0) {
			out = append(out, settle(old, now, group)...)
			group = nil
		}
		group = append(group, cut(old, now, c)...)
		last = c.A1
	}
	return append(out, settle(old, now, group)...)
}

// cut aligns the lines of one change by what they say apart from noise. What is
// noise is settled with the changes around it, between which only blank lines stand.
func cut(old, now *tokenLines, c change) []segment {
	a, b := make([]string, 0, c.A1-c.A0), make([]string, 0, c.B1-c.B0)
	for i := c.A0; i < c.A1; i++ {
		a = append(a, old.key(i))
	}
	for i := c.B0; i < c.B1; i++ {
		b = append(b, now.key(i))
	}
	var out []segment
	i, j := c.A0, c.B0
	pair := func(to int) {
		for ; i < to; i, j = i+1, j+1 {
			out = append(out, segment{change{i, i + 1, j, j + 1}, pairClass(old, now, i, j)})
		}
	}
	for _, s := range diffLines(a, b) {
		pair(c.A0 + s.A0)
		sub := change{c.A0 + s.A0, c.A0 + s.A1, c.B0 + s.B0, c.B0 + s.B1}
		out = append(out, segment{sub, subClass(old, now, sub)})
		i, j = sub.A1, sub.B1
	}
	pair(c.A1)
	return out
}

// pairClass classes a line that says the same but is not the same.
func pairClass(old, now *tokenLines, i, j int) HunkClass {
	switch {
	case old.plain(i) == now.plain(j) && lineEnd(old.lines[i]) != lineEnd(now.lines[j]):
		return LineEnd
	case old.plain(i) == now.plain(j):
		return WhiteSpace // the byte order mark
	case old.known && old.spaced && strings.TrimSpace(old.plain(i)) != strings.TrimSpace(now.plain(j)) && compact(old, i, i+1) == compact(now, j, j+1):
		return Meant
	case compact(old, i, i+1) == compact(now, j, j+1):
		return WhiteSpace
	case sameTokens(old.tokens[i], now.tokens[j], verbatim):
		return TrailingComma // which some languages' tokens leave out
	}
	return Quotes
}

// compact is the text of lines [from,to) without any white space.
func compact(t *tokenLines, from, to int) string {
	var b strings.Builder
	for i := from; i < to; i++ {
		for _, f := range strings.Fields(t.plain(i)) {
			b.WriteString(f)
		}
	}
	return b.String()
}

// subClass classes lines that do not correspond one to one.
func subClass(old, now *tokenLines, c change) HunkClass {
	if allBlank(old, c.A0, c.A1) && allBlank(now, c.B0, c.B1) {
		return WhiteSpace
	}
	a, okA := old.span(c.A0, c.A1)
	b, okB := now.span(c.B0, c.B1)
	switch {
	case !okA || !okB || len(a) == 0 || len(b) == 0:
		return Meant
	case sameTokens(a, b, verbatim) && compact(old, c.A0, c.A1) == compact(now, c.B0, c.B1):
		return Wrapping
	case sameTokens(a, b, verbatim):
		return TrailingComma
	case sameTokens(a, b, unquoted):
		return Quotes
	case sameTokens(withoutTrailingCommas(a, old.layout), withoutTrailingCommas(b, now.layout), unquoted):
		return TrailingComma
	}
	return Meant
}

func allBlank(t *tokenLines, from, to int) bool {
	for i := from; i < to; i++ {
		if !t.blank(i) {
			return false
		}
	}
	return true
}

// settle makes noise meant where it may be the consequence of what is meant:
// indentation beside changed lines, or wherever indentation may be syntax; and
// blank lines beside changed lines.
func settle(old, now *tokenLines, s []segment) []segment {
	meant := slices.ContainsFunc(s, func(x segment) bool { return x.class == Meant })
	for i := range s {
		x := &s[i]
		switch {
		case x.class == WhiteSpace && x.A1-x.A0 == 1 && x.B1-x.B0 == 1 && old.indent(x.A0) != now.indent(x.B0) && !old.blank(x.A0):
			if meant || old.indented {
				x.class = Meant
			}
		case x.class == WhiteSpace && meant && allBlank(old, x.A0, x.A1) && allBlank(now, x.B0, x.B1) && x.A1-x.A0 != x.B1-x.B0:
			if beside(s, i) {
				x.class = Meant
			}
		}
		if x.A1 > x.A0 && lineEnd(old.lines[x.A1-1]) == "" && x.B1 < len(now.lines) {
			x.class = Meant // the old last line got a successor and needs its end
		}
	}
	return s
}

func beside(s []segment, i int) bool {
	return (i > 0 && s[i-1].class == Meant) || (i+1 < len(s) && s[i+1].class == Meant)
}

// restore puts back the old lines of every segment that drop selects, and the
// file's line end in what is meant.
func restore(old, now *tokenLines, s []segment, drop func(HunkClass) bool) []byte {
	end := ""
	if drop(LineEnd) {
		end = uniformEnd(old.lines)
	}
	var b strings.Builder
	at := 0
	for _, x := range s {
		for ; at < x.B0; at++ {
			b.WriteString(now.lines[at])
		}
		if drop(x.class) {
			for i := x.A0; i < x.A1; i++ {
				b.WriteString(old.lines[i])
			}
			at = x.B1
			continue
		}
		for ; at < x.B1; at++ {
			b.WriteString(endedAs(now.lines[at], end))
		}
	}
	for ; at < len(now.lines); at++ {
		b.WriteString(now.lines[at])
	}
	return []byte(b.String())
}

// uniformEnd is the line end that all lines have, "" when they differ.
func uniformEnd(lines []string) string {
	end := ""
	for _, l := range lines {
		switch e := lineEnd(l); {
		case e == "":
		case end == "":
			end = e
		case e != end:
			return ""
		}
	}
	return end
}

// endedAs gives a line another line end, if it has one and end is known.
func endedAs(line, end string) string {
	if end == "" || lineEnd(line) == "" {
		return line
	}
	return bare(line) + end
}

// hunkClass classes a hunk of the final Set: noise that was kept, a comment,
// the wording of a log line, or meant.
func hunkClass(old, now *tokenLines, c change) HunkClass {
	parts := settle(old, now, cut(old, now, c))
	if class := parts[0].class; noisy(class) && !slices.ContainsFunc(parts, func(s segment) bool { return s.class != class }) {
		return class
	}
	var a, b []index.Token
	for i := c.A0; i < c.A1; i++ {
		a = append(a, old.tokens[i]...)
	}
	for i := c.B0; i < c.B1; i++ {
		b = append(b, now.tokens[i]...)
	}
	if !old.known || !now.known {
		return Meant
	}
	switch ca, cb := code(a), code(b); {
	case sameTokens(ca, cb, verbatim) && (len(a) > len(ca) || len(b) > len(cb) || old.insideAny(c.A0, c.A1) || now.insideAny(c.B0, c.B1)):
		return Comment
	case len(ca) == len(cb) && sameTokens(ca, cb, wordless) && logged(ca, cb):
		return LogText
	}
	return Meant
}

func (t *tokenLines) insideAny(from, to int) bool { return slices.Contains(t.inside[from:to], true) }

// code is tokens without comments.
func code(tokens []index.Token) []index.Token {
	return slices.DeleteFunc(slices.Clone(tokens), func(t index.Token) bool { return t.Kind == index.TokenComment })
}

// wordless makes all strings the same.
func wordless(t index.Token) string {
	if t.Kind == index.TokenString {
		return "\"\""
	}
	return t.Text
}

// logged reports whether every string that differs stands behind the name of
// something that logs, in the same line; the names are those that the logging
// libraries of the supported languages share.
func logged(a, b []index.Token) bool {
	line, logs := 0, false
	for i, t := range a {
		if t.Line != line {
			line, logs = t.Line, false
		}
		switch strings.ToLower(t.Text) {
		case "log", "logger", "logging", "slog", "klog", "glog", "console", "hclog", "zap", "logrus":
			logs = true
		}
		if t.Text != b[i].Text && !logs {
			return false
		}
	}
	return true
}

package python

import (
	"bytes"
	"slices"

	"github.com/plumbkit/plumb/index"
)

// plant writes a failure into Python source: at the start of a function's body,
// behind the docstring, else in front of the module's first statement. It goes
// on the line of the statement that it precedes, unless that is compound.
func plant(src []byte, at index.Symbol) ([]byte, bool) {
	switch at.Kind {
	case index.KindFunction, index.KindMethod, index.KindConstructor:
		first, ok := bodyStart(src, at)
		if !ok {
			return nil, false
		}
		return plantBefore(src, first), true
	}
	if at.Span.End > len(src) {
		return nil, false
	}
	return plantInModule(src), true
}

const failure = "raise RuntimeError(\"" + index.PlantMark + "\")"

// plantBefore writes the failure in front of a statement.
func plantBefore(src []byte, s start) []byte {
	between := "; "
	if s.compound {
		line := bytes.LastIndexByte(src[:s.at], '\n') + 1
		between = "\n" + string(src[line:s.at])
	}
	return slices.Concat(src[:s.at], []byte(failure+between), src[s.at:])
}

// bodyStart returns the first statement of a function that is no docstring, or
// the docstring where nothing follows it.
func bodyStart(src []byte, at index.Symbol) (start, bool) {
	if at.Body < 0 || at.Body >= at.Span.End || at.Span.End > len(src) || src[at.Body] != ':' {
		return start{}, false
	}
	all := statementStarts(src[at.Body+1:at.Span.End], at.Body+1)
	switch {
	case len(all) == 0:
		return start{}, false
	case len(all) > 1 && all[0].docstring:
		return all[1], true
	}
	return all[0], true
}

// A start is where a statement of a body begins.
type start struct {
	at        int
	docstring bool
	compound  bool // it cannot stand behind a semicolon
}

// statementStarts returns the first two statements of a body. base is the
// offset of text in the file.
func statementStarts(text []byte, base int) (out []start) {
	line, depth := 0, 0
	fresh := true
	for _, t := range lex(text) {
		if t.kind == lexComment {
			continue
		}
		if depth == 0 && (fresh || t.line > line && !t.continued) {
			out = append(out, start{base + t.at, t.kind == lexString, isCompound(t.text)})
			if len(out) == 2 {
				return out
			}
		}
		fresh = t.text == ";" && depth == 0
		switch t.text {
		case "(", "[", "{":
			depth++
		case ")", "]", "}":
			depth--
		}
		line = t.end
	}
	return out
}

// isCompound reports whether a word begins a statement that needs its own line.
func isCompound(word string) bool {
	switch word {
	case "if", "for", "while", "try", "with", "def", "class", "async", "match", "@":
		return true
	}
	return false
}

// plantInModule writes the failure in front of the first statement that is
// neither the docstring nor an import from __future__, both of which have to
// stand first.
func plantInModule(src []byte) []byte {
	line, depth, word := 0, 0, 0
	var first start
	future := false
	for _, t := range lex(src) {
		if t.kind == lexComment {
			continue
		}
		if depth == 0 && (line == 0 || t.line > line && !t.continued) {
			if word > 0 && !first.docstring && !future {
				break
			}
			first, word, future = start{t.at, t.kind == lexString, isCompound(t.text)}, 0, false
		}
		if word++; word == 2 && t.text == "__future__" {
			future = true
		}
		switch t.text {
		case "(", "[", "{":
			depth++
		case ")", "]", "}":
			depth--
		}
		line = t.end
	}
	if word == 0 || first.docstring || future { // nothing else in the file
		return slices.Concat(src, []byte("\n"+failure+"\n"))
	}
	return plantBefore(src, first)
}

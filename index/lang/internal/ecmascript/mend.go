package ecmascript

import (
	"bytes"

	"github.com/plumbkit/plumb/index"
)

// maxMendable is the size in bytes above which a broken file is read as it is.
const maxMendable = 1 << 20

// maxAhead is how many declarations a text in backquotes may look like the
// start of.
const maxAhead = 4

// readFile reads the definitions of the file, mending it first where it is
// broken, and then its marks. Its declarations are told apart by keywords at the
// start of a line.
func (x *extractor) readFile(t *index.Tree) {
	x.openModule()
	if !t.HasError || len(x.src) > maxMendable || !x.mender.Mend(x.g.lang, x.src, declarationStarts(x.src), maxAhead, x.read) {
		x.read(t)
	}
	x.closeModule()
	x.sortDefs()
	x.t, x.nodes = t, t.Nodes
	x.Assign(x.t, x.g.roles)
	x.readMarks()
}

// read reads all that one tree of the file holds. The tree's source has the
// bytes of x.src wherever it has a node.
func (x *extractor) read(t *index.Tree) {
	x.t, x.nodes = t, t.Nodes
	x.doc = docs{}
	first := len(x.defs)
	x.statements(0)
	x.fingerprints(first)
}

// declarationStarts returns the offsets of lines that begin a declaration; a
// comment directly above belongs to it.
func declarationStarts(src []byte) (starts []int) {
	comment, at := -1, 0
	for line := range bytes.SplitAfterSeq(src, []byte("\n")) {
		switch {
		case bytes.HasPrefix(line, []byte("/*")), bytes.HasPrefix(line, []byte("//")), bytes.HasPrefix(line, []byte("@")):
			if comment < 0 {
				comment = at
			}
		case comment >= 0 && (bytes.HasPrefix(line, []byte(" *")) || bytes.HasPrefix(line, []byte("*"))):
		case beginsDeclaration(line):
			if comment < 0 {
				comment = at
			}
			starts = append(starts, comment)
			comment = -1
		default:
			comment = -1
		}
		at += len(line)
	}
	return starts
}

func beginsDeclaration(line []byte) bool {
	word := line
	for i, c := range line {
		if c < 'a' || c > 'z' {
			word = line[:i]
			break
		}
	}
	switch string(word) {
	case "export", "import", "function", "class", "const", "let", "var", "interface", "type", "enum", "declare", "namespace",
		"abstract", "async", "module", "describe", "test", "it":
		return true
	}
	return false
}

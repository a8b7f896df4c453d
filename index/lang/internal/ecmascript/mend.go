package ecmascript

import (
	"bytes"
	"context"
	"time"

	"github.com/plumbkit/plumb/index"
	"github.com/plumbkit/plumb/internal/syntax"
)

// maxMended is how many broken declarations of one file are read apart from
// the rest; the file is parsed once more for each.
const maxMended = 8

// maxMendable is the size in bytes above which a broken file is read as it is.
const maxMendable = 1 << 20

// mendTimeout bounds each of a mended file's parses.
const mendTimeout = time.Second / 4

// readFile reads the definitions of the file, mending it first where it is
// broken, and then its marks.
func (x *extractor) readFile(t *index.Tree) {
	x.openModule()
	if !t.HasError || len(x.src) > maxMendable || !x.mend() {
		x.read(t)
	}
	x.closeModule()
	x.sortDefs()
	x.t, x.nodes = t, t.Nodes
	x.assignRoles()
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

// mend reads a file that does not follow the grammar so that a mistake costs
// only the declaration it stands in: a missing bracket would otherwise swallow
// all that follows. The declarations, told apart by keywords at the start of a
// line, are parsed one by one; then the intact ones together and each broken
// one alone, in a source whose other bytes are blank, so that offsets stay.
// It returns false when that does not single out the mistakes.
func (x *extractor) mend() bool {
	starts := declarationStarts(x.src)
	if len(starts) < 2 {
		return false
	}
	if x.mender == nil {
		x.mender = syntax.NewParser()
		x.mender.Limits.Timeout = mendTimeout
	}
	var broken [][2]int
	starts = append(starts, len(x.src))
	for i := 0; i < len(starts)-1; i++ {
		end := x.intact(starts, i)
		if end > i {
			i = end - 1
			continue
		}
		if broken = append(broken, [2]int{starts[i], starts[i+1]}); len(broken) > maxMended {
			return false
		}
	}
	if len(broken) == 0 || !x.readOnly(invert(broken, len(x.src))) {
		return false
	}
	for _, b := range broken {
		x.readOnly([][2]int{b})
	}
	return true
}

// intact returns the place behind the declaration that begins at starts[i] and
// follows the grammar: a text in backquotes may hold lines that look like the
// start of another. It is i when none does.
func (x *extractor) intact(starts []int, i int) int {
	const most = 4
	for end := i + 1; end < len(starts) && end <= i+most; end++ {
		tree, err := x.mender.Parse(context.Background(), x.g.lang, x.src[starts[i]:starts[end]])
		if err == nil && !tree.HasError {
			return end
		}
	}
	return i
}

// readOnly extracts the file as if all but the given parts were blank.
func (x *extractor) readOnly(parts [][2]int) bool {
	masked := bytes.Repeat([]byte{' '}, len(x.src))
	for i, c := range x.src {
		if c == '\n' {
			masked[i] = c
		}
	}
	for _, p := range parts {
		copy(masked[p[0]:p[1]], x.src[p[0]:p[1]])
	}
	tree, err := x.mender.Parse(context.Background(), x.g.lang, masked)
	if err != nil {
		return false
	}
	x.read(tree)
	return true
}

// invert returns the parts of [0, size) outside of parts.
func invert(parts [][2]int, size int) (rest [][2]int) {
	at := 0
	for _, p := range parts {
		rest = append(rest, [2]int{at, p[0]})
		at = p[1]
	}
	return append(rest, [2]int{at, size})
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

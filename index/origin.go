package index

import (
	"bytes"
	"path"
	"strings"
)

// OriginWeight is what an edge from a file of this origin counts for in Impact
// (IDX-15), in (0, 1]: a handwritten caller has to be adapted by hand, a test
// says what breaks, a generated file follows its source, and a vendored one is
// not the repository's to change.
func OriginWeight(o Origin) float64 {
	switch o {
	case Test:
		return 0.7
	case Generated:
		return 0.3
	case Vendored:
		return 0.1
	}
	return 1
}

// pathOrigin says what the path alone tells. Third-party folders are those
// that package managers make; go-enry's IsVendor is not asked, because it also
// takes folders named dist, cache or deps, which in many repositories are the
// repository's own code.
func (e *engine) pathOrigin(p string) Origin {
	for dir := range strings.SplitSeq(path.Dir(p), "/") {
		switch dir {
		case "vendor", "node_modules", "third_party", "bower_components", "Pods", "site-packages":
			return Vendored
		}
	}
	if l := e.of(p); l != nil && l.TestFile != nil && l.TestFile(p) {
		return Test
	}
	return Handwritten
}

// isGenerated reports whether the head of the file says that a program made
// it: Go's own sentence, or a line that says both that it is generated and
// that it is not to be edited. go-enry knows a few more headers, of generators
// that ask nobody to keep off; its tables cost every program that links it 70
// milliseconds at start and 16 MB, more than a warm start may take.
func isGenerated(data []byte) bool {
	head := data[:min(len(data), 2048)]
	if generatedLine(head) != nil {
		return true
	}
	if !bytes.Contains(head, []byte("enerated")) && !bytes.Contains(head, []byte("GENERATED")) {
		return false
	}
	head = bytes.ToLower(head)
	if !bytes.Contains(head, []byte("do not edit")) && !bytes.Contains(head, []byte("do not modify")) &&
		!bytes.Contains(head, []byte("@generated")) && !bytes.Contains(head, []byte("don't edit")) {
		return false
	}
	for line := range bytes.SplitSeq(head, []byte("\n")) {
		line = bytes.TrimSpace(line)
		if i := bytes.Index(line, []byte("generated")); i >= 0 && isComment(line) {
			return true
		}
	}
	return false
}

// isComment reports whether a line begins as comments do in most languages.
func isComment(line []byte) bool {
	for _, marker := range []string{"//", "/*", "*", "#", "--", ";", "<!--", "\"\"\""} {
		if bytes.HasPrefix(line, []byte(marker)) {
			return true
		}
	}
	return false
}

// generatedLine returns the line "Code generated … DO NOT EDIT." without its
// comment marker, or nil.
func generatedLine(head []byte) []byte {
	i := bytes.Index(head, []byte("Code generated "))
	for i >= 0 {
		end := bytes.IndexByte(head[i:], '\n')
		if end < 0 {
			end = len(head) - i
		}
		line := bytes.TrimRight(head[i:i+end], " \r*/")
		start := bytes.LastIndexByte(head[:i], '\n') + 1
		if marker := bytes.TrimSpace(head[start:i]); bytes.HasSuffix(line, []byte("DO NOT EDIT.")) && len(marker) <= 3 {
			return line
		}
		next := bytes.Index(head[i+1:], []byte("Code generated "))
		if next < 0 {
			return nil
		}
		i += 1 + next
	}
	return nil
}

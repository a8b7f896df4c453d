package index

import (
	"bytes"
	"path"
	"strings"

	"github.com/go-enry/go-enry/v2"
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

// isGenerated reports whether the content says that a program made it. Go's
// and most generators' own sentence is looked for first; go-enry knows the
// headers of those that do not write it. Its content rules split the whole
// file into lines, so that it is given the head only.
func isGenerated(p string, data []byte) bool {
	head := data[:min(len(data), 2048)]
	if generatedLine(head) != nil {
		return true
	}
	if !bytes.Contains(head, []byte("enerated")) && !bytes.Contains(head, []byte("GENERATED")) && !bytes.Contains(head, []byte("DO NOT EDIT")) {
		return false
	}
	return enry.IsGenerated(p, head)
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

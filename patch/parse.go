package patch

import (
	"bytes"
	"strings"
)

// Parse reads edits in any format it recognizes by its first significant
// characters: a JSON document of operations, or a unified diff, plain or git
// extended, with anything (a commit message, say) before its first header.
//
// Errors are faults of class invalid_input that name the 1-based line which is
// wrong, or unsupported for a binary patch or a submodule. Nothing is read
// beyond data; Parse is pure and safe for concurrent use.
func Parse(data []byte) ([]Edit, error) {
	trimmed := bytes.TrimLeft(bytes.TrimPrefix(data, []byte(bom)), " \t\r\n")
	switch {
	case len(trimmed) == 0:
		return nil, malformed("patch.parse", 1, "", "there is nothing to read")
	case trimmed[0] == '{' || trimmed[0] == '[':
		return ParseJSON(data)
	case looksLikeDiff(data):
		return ParseDiff(data)
	}
	line := 1 + bytes.Count(data[:len(data)-len(trimmed)], []byte{'\n'})
	first, _, _ := strings.Cut(string(trimmed[:min(len(trimmed), 80)]), "\n")
	return nil, malformed("patch.parse", line, first,
		"this is neither a JSON document of edits nor a unified diff (no \"diff --git\", \"--- \" or \"@@\" line)")
}

func looksLikeDiff(data []byte) bool {
	for _, l := range splitLines(data) {
		if strings.HasPrefix(l, "diff --git ") || strings.HasPrefix(l, "--- ") || strings.HasPrefix(l, "@@ ") {
			return true
		}
	}
	return false
}

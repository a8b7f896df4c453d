package patch

import (
	"bytes"
	"strings"
)

// Parse reads edits in any format it recognizes: a JSON document of operations
// by its first character; else what the first telling line opens: a unified
// diff, plain or git extended, SEARCH/REPLACE blocks, or a "*** Begin Patch"
// envelope, with anything (a commit message, say) before it.
//
// Errors are faults of class invalid_input that name the 1-based line which is
// wrong, or unsupported for a binary patch or a submodule. Nothing is read
// beyond data; Parse is pure and safe for concurrent use.
func Parse(data []byte) ([]Edit, error) {
	trimmed := bytes.TrimLeft(bytes.TrimPrefix(data, []byte(bom)), " \t\r\n")
	if len(trimmed) == 0 {
		return nil, malformed(parseOp, 1, "", "there is nothing to read")
	}
	if trimmed[0] == '{' || trimmed[0] == '[' {
		return ParseJSON(data)
	}
	lines := splitLines(bytes.TrimPrefix(data, []byte(bom)))
	for i := range lines {
		switch opens(lines, i) {
		case textDiff:
			return ParseDiff(data)
		case textBlocks:
			return ParseBlocks(data)
		case textEnvelope:
			return ParseEnvelope(data)
		}
	}
	if looksLikeDiff(lines) {
		return ParseDiff(data)
	}
	line := 1 + bytes.Count(data[:len(data)-len(trimmed)], []byte{'\n'})
	first, _, _ := strings.Cut(string(trimmed[:min(len(trimmed), 80)]), "\n")
	return nil, malformed(parseOp, line, first, "this is neither a JSON document of edits, nor a unified diff (no \"diff --git\", \"--- \" or \"@@\" line), "+
		"nor SEARCH/REPLACE blocks (no \"<<<<<<< SEARCH\" line), nor an envelope (no \"*** Begin Patch\" line)")
}

// A textFormat is a format whose beginning is told by a line.
type textFormat string

const (
	textDiff     textFormat = "a unified diff"
	textBlocks   textFormat = "SEARCH/REPLACE blocks"
	textEnvelope textFormat = "a \"*** Begin Patch\" envelope"
)

// opens returns the format that line i begins, "" for none.
func opens(lines []string, i int) textFormat {
	l := bare(lines[i])
	switch {
	case strings.HasPrefix(l, "diff --git "), strings.HasPrefix(l, "@@ -"),
		strings.HasPrefix(l, "--- ") && i+1 < len(lines) && strings.HasPrefix(lines[i+1], "+++ "):
		return textDiff
	case blockMark(l, '<', "SEARCH") > 0:
		return textBlocks
	case strings.TrimRight(l, " \t") == envelopeBegin:
		return textEnvelope
	}
	return ""
}

// mixed refuses a line that begins another format than the one being read, so
// that no part of the input is passed over.
func mixed(lines []string, i int, reading textFormat) error {
	if f := opens(lines, i); f != "" && f != reading {
		return malformed(parseOp, i+1, bare(lines[i]), "%s begins here, behind %s; an input has one format", f, reading)
	}
	return nil
}

func looksLikeDiff(lines []string) bool {
	for _, l := range lines {
		if strings.HasPrefix(l, "diff --git ") || strings.HasPrefix(l, "--- ") || strings.HasPrefix(l, "@@ ") {
			return true
		}
	}
	return false
}

package patch

import (
	"fmt"
	"strings"
)

// An opNeed says which fields an operation needs and which it cannot have.
type opNeed struct {
	file, symbol, text, to, expect, hunks, anchor bool
}

// needs returns what each operation needs; ok is false for an unknown one.
func needs(op Op) (n opNeed, ok bool) {
	switch op {
	case Hunks:
		return opNeed{file: true, hunks: true}, true
	case WriteFile, CreateFile:
		return opNeed{file: true}, true
	case DeleteFile, ChangeMode:
		return opNeed{file: true}, true
	case RenameFile, CopyFile:
		return opNeed{file: true, to: true}, true
	case ReplaceBody, ReplaceNode, InsertBefore, InsertAfter:
		return opNeed{symbol: true, text: true}, true
	case DeleteSymbol:
		return opNeed{symbol: true}, true
	case InsertLine:
		return opNeed{file: true, text: true, anchor: true}, true
	case ReplaceText:
		return opNeed{expect: true}, true
	case AddImport:
		return opNeed{file: true, text: true}, true
	}
	return n, false
}

// checkEdit says what is wrong with an edit on its own, "" for nothing.
func checkEdit(e *Edit) string {
	n, ok := needs(e.Op)
	if !ok {
		return fmt.Sprintf("the operation %q is not known", e.Op)
	}
	var lacks []string
	for name, missing := range map[string]bool{"file": n.file && e.File == "", "symbol": n.symbol && e.Symbol == "",
		"text": n.text && e.Text == "", "to": n.to && e.To == "", "expect": n.expect && e.Expect == "",
		"hunks": n.hunks && len(e.Hunks) == 0} {
		if missing {
			lacks = append(lacks, name)
		}
	}
	if len(lacks) > 0 {
		return fmt.Sprintf("%s needs %q", e.Op, least(lacks))
	}
	return checkFields(e, n)
}

// least is the first in order, so that the same input always names the same field.
func least(names []string) string {
	m := names[0]
	for _, n := range names[1:] {
		m = min(m, n)
	}
	return m
}

func checkFields(e *Edit, n opNeed) string {
	withHunks := n.hunks || e.Op == RenameFile || e.Op == CopyFile
	switch {
	case e.Op == ReplaceText && e.File == "" && e.Symbol == "":
		return "replace_text needs \"file\" or \"symbol\""
	case e.Op == ChangeMode && e.Mode == 0:
		return "change_mode needs \"mode\""
	case n.anchor && e.Line < 1:
		return "insert_line needs \"line\", 1 or more"
	case n.anchor && e.Expect == "" && e.Hash == "":
		return "insert_line needs \"expect\", the line that stands there, or the file's \"hash\""
	case e.To != "" && !n.to:
		return fmt.Sprintf("%s has no \"to\"", e.Op)
	case e.To != "" && e.To == e.File:
		return fmt.Sprintf("%s is moved onto itself", e.File)
	case len(e.Hunks) > 0 && !withHunks:
		return fmt.Sprintf("%s has no \"hunks\"", e.Op)
	case e.Line < 0:
		return "\"line\" counts from 1"
	}
	if e.Op != WriteFile { // whose text can hold what the file has already
		i, why := foreign(splitLines([]byte(e.Text)), func(l string) bool { return strings.Contains(e.Expect, l) && l != "" })
		if i >= 0 {
			return fmt.Sprintf("line %d of its text: %s", i+1, why)
		}
	}
	return checkHunks(e.Hunks)
}

func checkHunks(hunks []Lines) string {
	for i, h := range hunks {
		if len(h.Lines) == 0 {
			return fmt.Sprintf("hunk %d has no line", i+1)
		}
		for j, l := range h.Lines {
			if l == "" || !strings.ContainsRune(" -+", rune(l[0])) || strings.Contains(l, "\n") {
				return fmt.Sprintf("line %d of hunk %d: a hunk's line begins with ' ', '-' or '+' and holds no newline", j+1, i+1)
			}
		}
	}
	return ""
}

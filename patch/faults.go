package patch

import (
	"fmt"

	"github.com/plumbkit/plumb/host/fault"
)

// unchanged is the state of the workspace after anything refused before writing.
const unchanged = "workspace unchanged"

// malformed refuses input for what stands in its 1-based line.
func malformed(op string, line int, at, format string, args ...any) *fault.Fault {
	return &fault.Fault{Class: fault.InvalidInput, Op: op, Subject: fault.Subject{Line: line, Text: at},
		Detail: fmt.Sprintf("line %d of the input: ", line) + fmt.Sprintf(format, args...), State: unchanged,
		Next: "correct that line and send the edits again"}
}

// refuse is a fault about one edit.
func refuse(class fault.Class, e *Edit, detail, next string) *fault.Fault {
	s := fault.Subject{File: e.File, Symbol: e.Symbol, Text: e.From}
	return &fault.Fault{Class: class, Op: "patch.check", Subject: s, Detail: detail, State: unchanged, Next: next}
}

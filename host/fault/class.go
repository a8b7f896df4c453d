package fault

// A Class is the kind of a fault. It is an error, so that errors.Is(err, class)
// works, and its text is the stable code used in JSON.
type Class string

// The classes (FLT-1).
const (
	// AnchorMismatch: the text an edit is based on is not there, or stands in several places.
	AnchorMismatch Class = "anchor_mismatch"
	// IndexUnavailable: the index cannot answer for this state of the workspace.
	IndexUnavailable Class = "index_unavailable"
	// BudgetExceeded: what was asked for does not fit into the limit given.
	BudgetExceeded Class = "budget_exceeded"
	// Ambiguous: there are several readings, and plumb does not pick one.
	Ambiguous Class = "ambiguous"
	// Dangerous: the operation is refused by the gate or lacks an authorization.
	Dangerous Class = "dangerous"
	// PartialFailure: an operation failed part of the way and was rolled back.
	PartialFailure Class = "partial_failure"
	// InvalidInput: what was given is malformed or contradicts itself.
	InvalidInput Class = "invalid_input"
	// Unsupported: plumb does not do this, or not for this language or platform.
	Unsupported Class = "unsupported"
	// Environment: a tool, the disk, the sandbox or a service is missing or refuses.
	Environment Class = "environment"
	// Canceled: the caller's context ended.
	Canceled Class = "canceled"
)

// Classes returns every class, in the order of their exit codes.
func Classes() []Class {
	return []Class{InvalidInput, Ambiguous, AnchorMismatch, Dangerous, BudgetExceeded,
		IndexUnavailable, PartialFailure, Environment, Unsupported, Canceled}
}

// Error returns the stable code.
func (c Class) Error() string { return string(c) }

// ExitCode returns the process exit code of the class as cli.md fixes it: 2
// invalid input, 3 ambiguous, 4 anchor mismatch, 5 dangerous, 6 budget
// exceeded, 7 index unavailable, 8 partial failure, 9 environment, 10
// unsupported, 130 canceled; 0 for "" and 1 for a class it does not know.
func (c Class) ExitCode() int {
	switch c {
	case "":
		return 0
	case InvalidInput:
		return 2
	case Ambiguous:
		return 3
	case AnchorMismatch:
		return 4
	case Dangerous:
		return 5
	case BudgetExceeded:
		return 6
	case IndexUnavailable:
		return 7
	case PartialFailure:
		return 8
	case Environment:
		return 9
	case Unsupported:
		return 10
	case Canceled:
		return 130
	}
	return 1
}

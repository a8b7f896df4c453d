package index

import (
	"context"

	"github.com/plumbkit/plumb/host/fault"
	"github.com/plumbkit/plumb/internal/syntax"
)

// A Statement is one part of a file's structure that decides which of its code
// runs, what its assertions demand, and whether a failure is seen. It is what
// the gate compares of test code, in words that every language has.
//
// Statements may nest and overlap: a range says what a statement holds for.
type Statement struct {
	Kind StatementKind
	// Range is the body of a block, and the whole of anything else.
	Range
	// Head is where the statement that a block belongs to begins; the blocks of
	// one choice (if, elif, else; the cases of a switch) share it. Of anything
	// else it is Range.Start.
	Head uint32
	// Name is of an Assertion its callee as written without white space, of an
	// Entry the key or variable, of Over the name that is gone over.
	Name string
	// Form says more; see the kinds.
	Form string
	// Parts are of an Assertion the operands that it compares, in order, without
	// testing objects and messages; of a Branch its condition, or the values of
	// its case.
	Parts []Range
	// Condition is of an Assertion the condition that it judges, empty for a call
	// that compares its arguments.
	Condition Range
	// Value is of a Tolerance how far off a value may be, and of a Limit its number.
	Value float64
}

// A StatementKind is what a Statement is.
type StatementKind uint8

// The kinds of statements.
const (
	// Function is the body of a function, nested and anonymous ones included.
	Function StatementKind = iota + 1
	// Branch is a block of a choice, gone through when its condition holds.
	Branch
	// Loop is the body of a loop.
	Loop
	// Handler is a block that is gone through only when something failed.
	Handler
	// Concurrent is the body of a function, or a call, that nobody waits for.
	Concurrent
	// Around is the body of a function that the runner calls around the tests: a
	// hook, or what sets tests up. With FormRun no test runs unless it runs them.
	Around
	// Row is one element of a table: a composite value inside a composite value.
	Row
	// Entry is a value with the key that it stands under, or, with FormVariable,
	// the variable that it is given to.
	Entry

	// Return, ReturnValue, Continue and Break end a function or a round of a
	// loop; a break that ends no loop is none.
	Return
	ReturnValue
	Continue
	Break
	// ExitSuccess ends the process, or makes it end, as if nothing had failed; with
	// FormRun it decides how the run of all tests ends.
	ExitSuccess
	// Swallow is where a failure is caught and neither reported nor handed on.
	Swallow
	// RunTests runs the tests that a MarkTest of FormAround stands around.
	RunTests
	// Over is what a loop, or the rows of a test, go over. Form is FormPart when it
	// is a part of what is named, and FormRows when it is written out: Name is then
	// the variable, and Value how many there are.
	Over

	// Log is a call whose arguments only a person reads.
	Log
	// Assertion tells what the MarkAssertion of the same range compares. Form is
	// FormGuard where the test fails when Condition holds.
	Assertion
	// Tolerance is how far off an assertion lets a value be.
	Tolerance
	// Limit is how often a test is tried again (Name "retry") or how many seconds
	// beyond the usual it may take (Name "timeout"): Value says.
	Limit
	// Mock puts something in the place of what Name names; with FormModule, of the
	// module that is imported by Name; with FormObject, of the object that bears
	// Name, so that nothing that is called on it is the repository's own. With
	// FormThrown a test throws by itself what it expects to be thrown.
	Mock
	// Deselect leaves tests out that were collected; with FormRun whatever the
	// condition around it is, as what it decides is which tests those are.
	Deselect
	// Bind gives a name a meaning, or takes the one away that it had: a definition,
	// an import, an assignment, a deletion. Name is dotted where it is that of a
	// member or of an attribute. Form is FormEmpty when what is bound holds nothing,
	// and FormTool when the name is one by which a test tool asserts or declares
	// tests, and what is bound does neither.
	Bind
	// Export hands on what other files declare: what is named in it, or, with
	// FormAll, all that the module has that is named in it.
	Export
	// Idle is a test whose code the runner does not run when it calls it: with
	// FormAwait unless something is set up that awaits it.
	Idle
)

// NameThrow is the Name of an Assertion that throws or raises under a condition:
// in a test that is one, though no mark says so.
const NameThrow = "throw"

// The forms of Statements.
const (
	FormPart     = "part"
	FormRows     = "rows"
	FormGuard    = "guard"
	FormVariable = "variable"
	FormModule   = "module"
	FormRun      = "run"
	FormObject   = "object"
	FormThrown   = "thrown"
	FormEmpty    = "empty"
	FormTool     = "tool"
	FormAwait    = "await"
	FormAll      = "all"
	// FormSurroundings is of a Branch whose condition looks at where it runs, such
	// as the environment, and not at what it is handed.
	FormSurroundings = "surroundings"
)

// A Contract is what a change of a declaration means to those who rely on it.
type Contract uint8

// The contracts.
const (
	// Broken demands something else of users, or of some of them.
	Broken Contract = iota
	// Wider lets users do more; everything written for what was before still holds.
	Wider
	// Same relies on nothing else than before.
	Same
)

// A Declared is a symbol with what its declaration's names stand for.
type Declared struct {
	Symbol
	// Alias returns the declaration of the type of that name at the top of the
	// symbol's package, ok only where there is one.
	Alias func(name string) (of Symbol, ok bool)
}

// Structure returns the statements of a file, in order of Start, nil where its
// language does not tell. It parses the file again: ask for changed files only.
//
// Faults: canceled; budget_exceeded for a file that takes too long; what Source
// gives. Safe for concurrent use.
func (s *Snapshot) Structure(ctx context.Context, path string) ([]Statement, error) {
	l := s.Language(path)
	if l == nil || l.Structure == nil || s.engine.grammars[l.Name] == nil {
		return nil, nil
	}
	src, err := s.Source(path)
	if err != nil {
		return nil, err
	}
	grammar, err := s.engine.grammars[l.Name]()
	if err != nil {
		return nil, err
	}
	p := syntax.NewParser()
	defer p.Close()
	p.Limits.Timeout = s.engine.maxTime
	tree, err := p.Parse(ctx, grammar, src)
	if err != nil {
		return nil, fault.From(err, "index.structure", "leave the file out of the change, or make it smaller")
	}
	return l.Structure(tree), nil
}

var statementNames = [...]string{"", "function", "branch", "loop", "handler", "concurrent", "around", "row", "entry", "return", "return_value",
	"continue", "break", "exit_success", "swallow", "run_tests", "over", "log", "assertion", "tolerance", "limit", "mock", "deselect", "bind", "export", "idle"}

// String returns the kind in snake case, such as "return_value".
func (k StatementKind) String() string {
	if int(k) < len(statementNames) {
		return statementNames[k]
	}
	return ""
}

package index

import "fmt"

// A Span is a place in a file. It is at once the receipt of a read and the
// expectation of an edit: Hash pins the content in which the offsets hold.
type Span struct {
	File string `json:"file"` // slash-separated, relative to the repository
	Hash string `json:"hash"` // ContentHash of the whole file
	// Start and End are 0-based byte offsets, half-open.
	Start int `json:"start"`
	End   int `json:"end"`
	// Line and Col are those of Start, both 1-based; Col counts bytes.
	Line int `json:"line"`
	Col  int `json:"col"`
}

// String renders the place as file:line, "" for the zero Span; a Line that is
// not known counts as the first.
func (s Span) String() string {
	if s.File == "" {
		return ""
	}
	return fmt.Sprintf("%s:%d", s.File, max(s.Line, 1))
}

// A Kind is what a symbol is.
type Kind uint8

// The kinds of symbols (IDX-3).
const (
	KindNone Kind = iota
	KindPackage
	KindFunction
	KindMethod
	KindConstructor
	KindClass // class or struct
	KindInterface
	KindType // named type or alias that is neither class nor interface
	KindEnum
	KindEnumMember
	KindField
	KindConstant
	KindVariable
)

// Visibility says who may use a symbol.
type Visibility uint8

// The visibilities, narrowest last.
const (
	Public Visibility = iota
	PackageWide
	Private
)

// Origin says where a file or symbol comes from (IDX-15).
type Origin uint8

// The origins. OriginWeights gives what each counts for in Impact.
const (
	Handwritten Origin = iota
	Generated
	Test
	Vendored
)

// A Symbol is one binding point (IDX-3). Symbols are values: changing one
// changes nothing in the Snapshot.
type Symbol struct {
	// ID is unique in a Snapshot and stable under edits elsewhere: the
	// canonical name, then "@" and the file, then, for the second and later
	// definitions of the same name in one file, "#2" and so on.
	ID string `json:"id"`
	// Canonical is package path + scope chain + name, such as
	// "net/http.Client.Do". Build variants of one symbol share it.
	Canonical string `json:"canonical"`
	Name      string `json:"name"`
	Kind      Kind   `json:"kind"`
	// Package is the import path or module name of the defining package.
	Package string `json:"package"`
	// Parent is the ID of the enclosing symbol, "" at package level. A method's
	// parent is its receiver's type even when that stands in another file.
	Parent string `json:"parent,omitempty"`
	// Span covers the whole definition without its doc comment; Ident its name.
	Span  Span `json:"span"`
	Ident Span `json:"ident"`
	// Body is the offset at which the body starts in the file (0-based), or
	// Span.End where there is none.
	Body       int        `json:"body"`
	Signature  Signature  `json:"signature"`
	Doc        string     `json:"doc,omitempty"`
	Visibility Visibility `json:"visibility"`
	Origin     Origin     `json:"origin"`
	// Fingerprint hashes the normalized tokens, white space and comments
	// ignored (IDX-20), in hexadecimal.
	Fingerprint string `json:"fingerprint"`
}

// A Signature is what callers of a symbol rely on.
type Signature struct {
	// Text is the declaration as written, without body, on one line.
	Text     string  `json:"text,omitempty"`
	Receiver string  `json:"receiver,omitempty"` // type as written, with its "*"
	Params   []Param `json:"params,omitempty"`
	Results  []Param `json:"results,omitempty"`
	// TypeParams are the type parameters; Type is their constraint.
	TypeParams []Param `json:"type_params,omitempty"`
	// Type is the declared type of a field, variable or constant, or the
	// underlying type of a type, as written; "" when it is inferred.
	Type string `json:"type,omitempty"`
}

// A Param is a parameter, result or type parameter; types are as written.
type Param struct {
	Name     string `json:"name,omitempty"`
	Type     string `json:"type,omitempty"`
	Default  string `json:"default,omitempty"`
	Variadic bool   `json:"variadic,omitempty"`
	Keyword  bool   `json:"keyword,omitempty"` // can only be passed by name
	Optional bool   `json:"optional,omitempty"`
}

// A RefKind is what a reference does with what it names.
type RefKind uint8

// The kinds of references.
const (
	RefRead   RefKind = iota // any use that is none of the others
	RefCall                  // called
	RefType                  // used as a type
	RefImport                // imported
	RefWrite                 // assigned to
	RefEmbed                 // embedded, extended or implemented
	RefKey                   // key of a composite literal or keyword argument
	RefString                // a string literal that equals a symbol's name (IDX-10)
)

// Status is how sure a reference's targets are (IDX-8).
type Status uint8

// The statuses.
const (
	Unresolved Status = iota // not known; Reason says why
	Static                   // one target
	Ambiguous                // several candidates, or one that is not certain
	Dynamic                  // decided at run time; Targets are hints
	External                 // outside the repository; Module names it
)

// A Ref is one reference with its resolution.
type Ref struct {
	Span   Span    `json:"span"`         // of the name
	In     string  `json:"in,omitempty"` // ID of the enclosing symbol
	Name   string  `json:"name"`
	Kind   RefKind `json:"kind"`
	Status Status  `json:"status"`
	// Rule names the resolution rule that decided, such as "receiver" or "import".
	Rule string `json:"rule"`
	// Reason says why a reference is not static.
	Reason string `json:"reason,omitempty"`
	// Module is the outside module or package of an external reference.
	Module string `json:"module,omitempty"`
	// Targets are symbol IDs: one identity when Static, every candidate, in order
	// of path, otherwise. Build variants of one identity may be several, of which
	// the one that the language takes first (for Go linux/amd64, or what the
	// referring file is built with) stands first.
	Targets []string `json:"targets,omitempty"`
	// Implementations are, where the only target is a method without a body, as
	// an interface's, the IDs of the methods that can run behind it, in order of
	// path: candidates, none certain (IDX-13). At most MaxImplementations are
	// listed, ImplementationsTotal counts all; Kin of the target returns them.
	Implementations      []string `json:"implementations,omitempty"`
	ImplementationsTotal int      `json:"implementations_total,omitempty"`
	// Args describes the arguments of a call, nil for other references.
	Args *Args `json:"args,omitempty"`
}

// MaxImplementations is how many Implementations a Ref lists: a method that half
// of a repository implements would otherwise fill every answer that mentions it.
const MaxImplementations = 20

// Args are the arguments of a call as written.
type Args struct {
	Count int      `json:"count"` // positional arguments
	Names []string `json:"names,omitempty"`
	// Spread says that an argument stands for an unknown number of values
	// (f(xs...), f(*xs), or a call with several results).
	Spread bool `json:"spread,omitempty"`
	// Start and End are the byte range of the argument list, brackets included.
	Start int `json:"start"`
	End   int `json:"end"`
}

// A MarkKind is what a Mark marks.
type MarkKind uint8

// The kinds of marks (ARC-12).
const (
	MarkTest        MarkKind = iota + 1 // a test function, or a subtest with its name
	MarkAssertion                       // a check that can fail a test
	MarkSkip                            // something that keeps a test from running
	MarkSuppression                     // an instruction to a checker to look away
	MarkDebug                           // a debug print or breakpoint
	MarkImport                          // one import
	MarkString                          // a string literal
	MarkComment                         // a comment
	MarkPlaceholder                     // a body that only panics or says "not implemented"
)

// FormAround is the Form of a MarkTest that is no test of its own: every test of
// its package runs inside it, as in Go's TestMain.
const FormAround = "around"

// FormCase is the Form of a MarkTest that is a case of the test it stands in, as
// Go's subtests are: it is reported under the name in Text and not run alone.
const FormCase = "case"

// FormOpen is the Form of a MarkTest whose name the source does not tell, as that
// of a row of a computed table in JavaScript: it is run with its whole file.
const FormOpen = "open"

// FormBlock is the Form of a MarkTest that is no test but a block of tests, as
// describe("…", …) in JavaScript: what stands in it outside of its tests runs for
// each of them.
const FormBlock = "block"

// A Mark is something in a file that later stages look for without parsing.
type Mark struct {
	Kind MarkKind `json:"kind"`
	Span Span     `json:"span"`
	In   string   `json:"in,omitempty"` // ID of the enclosing symbol
	// Text is the source, white space normalized; for a string its value, for
	// a test its name as the tool that runs it reports it ("TestX", "TestC::test_m",
	// "describe > it"), for an import its path.
	Text string `json:"text"`
	// Form classes an assertion (equal, error, nil, contains, truth, type, fail …)
	// or a skip (skip, short, build …); of a test it is "", FormAround, FormCase,
	// FormOpen or FormBlock; "" elsewhere.
	Form string `json:"form,omitempty"`
	// Strength orders assertion forms: 3 exact value, 2 partial, 1 only non-emptiness or
	// success, 0 unknown.
	Strength int `json:"strength,omitempty"`
}

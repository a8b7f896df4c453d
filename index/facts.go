package index

// Facts are everything that one file contributes: a pure function of its path,
// its bytes, the language and the extractor's version. They hold no reference
// to other files and can be stored by content.
//
// Facts are columns: sites, expressions and names are flat slices that refer to
// each other by index, -1 meaning none. They are immutable once extracted.
type Facts struct {
	Path     string
	Language string
	Hash     string // ContentHash
	Size     int    // bytes
	// LineStarts[i] is the 0-based offset of 1-based line i+1.
	LineStarts []uint32
	// Skipped is the reason why the file was not extracted (in full), "" when it was.
	Skipped string
	Origin  Origin
	// Module is the package or module name that the file declares itself.
	Module string
	// Constraint is the file's build constraint as written, "" when it has none.
	Constraint string

	Names   []string // interned identifiers, referred to by index
	Imports []Import
	Defs    []Def // in order of Start; a parent stands before its children
	Params  []Param
	Sites   []Site // in order of Start
	Calls   []Args // arguments of call sites
	Locals  []Local
	Exprs   []Expr
	Lists   []int32 // operand lists of Exprs and Defs
	// HeadExprs, HeadLists and HeadLocals say how many of Exprs, Lists and
	// Locals, from the start, are all that Defs and Params need; those refer to
	// no later one. An extractor that puts what definitions need first and the
	// bodies' rest behind it lets the rest stay packed, and lets an edit inside
	// a body leave other files' resolution alone. All zero: not told apart.
	HeadExprs, HeadLists, HeadLocals uint32
	Marks                            []MarkFact
	// Directives are commands by which the repository makes files (go:generate).
	Directives []Directive
	// Errors are the byte ranges of syntax errors.
	Errors []Range
	// Bound counts the binding points in the tree outside of function bodies, and
	// Missed are the places of the first 100 of them that no Def came of. Whoever
	// calls Extract fills them; 0 where there is no tree.
	Bound  uint32
	Missed []Range
	// Text holds each Def's declaration without body, on one line, and its doc
	// comment without comment markers; Texts has 2*len(Defs)+1 offsets into it:
	// the declaration of Defs[i] is Text[Texts[2*i]:Texts[2*i+1]] and its doc
	// Text[Texts[2*i+1]:Texts[2*i+2]]. Whoever calls Extract fills them (see
	// Facts.SetText); an extractor leaves them alone.
	Text  string
	Texts []uint32
}

// A Range is a half-open range of 0-based byte offsets.
type Range struct{ Start, End uint32 }

// An Import is one import as written.
type Import struct {
	Path  string // as written, unquoted
	Alias string // local name given, "" if none, "." or "*" for all names, "_" for effects only
	Range Range
	// Symbols are the names imported from Path, where the language has such a
	// form; Aliases their local names, parallel.
	Symbols, Aliases []string
}

// Flags of a Def.
const (
	DefAlias    uint16 = 1 << iota // a type alias
	DefPointer                     // a method with a pointer receiver
	DefEmbedded                    // an embedded field, or an embedded interface
	DefGeneric                     // has type parameters
	DefVariadic                    // last parameter is variadic
	DefAbstract                    // declared without a body: an interface's method
)

// A Def is one binding point outside of function bodies' locals.
type Def struct {
	Name       uint32 // into Names
	Kind       Kind
	Visibility Visibility
	Flags      uint16
	Parent     int32 // into Defs; the lexical parent
	// Owner is the receiver type's name (into Names) when the owner is not the
	// lexical parent, as for Go methods; -1 otherwise.
	Owner       int32
	Range       Range // whole definition without doc comment
	Ident       Range
	Body        uint32 // start of the body; Range.End if none
	Doc         Range  // empty if none
	Fingerprint uint64
	// Params, Results and TypeParams are ranges into Facts.Params: [P0,P1), [P1,P2), [P2,P3).
	P0, P1, P2, P3 uint32
	// Type is the expression of the declared type, of the underlying type of a
	// type, or of the function type of a function or method (into Exprs).
	Type int32
	// Value is the expression of the initial value where no type is declared.
	Value int32
}

// A Site is one reference, not yet resolved. References to a function's own
// locals are not recorded.
type Site struct {
	Name  uint32 // into Names
	Start uint32 // End is Start + length of the name (for RefString, of the value; Start is then inside the quotes)
	In    int32  // enclosing Def
	Kind  RefKind
	Expr  int32 // what the site stands for, into Exprs
	Call  int32 // into Calls, -1 when it is not called
}

// A Local is a parameter, variable or other name bound inside a function.
type Local struct {
	Name  uint32 // into Names
	Type  int32  // declared type, into Exprs, or -1
	Value int32  // expression it was bound to, into Exprs, or -1
}

// An Expr is a node of the expressions that linking needs to know the type of.
// Op is the language's own code; index does not interpret it. Name refers to
// Names, or is a place in Defs or their number; A and B refer to Exprs, Locals
// or Defs as Op says, and Lists[L0:L1] holds further operands.
type Expr struct {
	Op     uint8
	Name   int32
	A, B   int32
	L0, L1 uint32
}

// A MarkFact is a Mark of one file.
type MarkFact struct {
	Kind     MarkKind
	Strength uint8
	In       int32 // into Defs
	Range    Range
	Text     string // may be "" for a comment or string: it is then what stands at Range
	Form     string
}

// A Directive is a command by which the repository makes a file.
type Directive struct {
	Range   Range
	Command string // as the shell would run it in the file's folder
	// Outputs are paths, relative to the repository, that the command names.
	Outputs []string
}

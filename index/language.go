package index

import (
	"context"

	sitter "github.com/smacker/go-tree-sitter"

	"github.com/plumbkit/plumb/internal/syntax"
)

// Tree is one file's flattened syntax tree with the matches of its language's
// query. It is valid only during the call that receives it.
type Tree = syntax.Tree

// A Language is everything plumb knows about one language. Its fields are
// plain data and functions; a nil function means that the language does not
// have what it would tell. A Language is immutable once it was passed to an
// Indexer and safe for concurrent use. Adding a language touches no other
// package.
type Language struct {
	// Name is the language's lower-case name, such as "go".
	Name string
	// Family, if not "", names languages that are linked as one, such as
	// typescript, tsx and javascript, which import each other's files: one
	// Universe holds the files of all of them in order of path, with
	// Facts.Language telling each file's own, and the manifests that any of them
	// names; one Linker, made by the first language of the family that has a Link,
	// resolves it. Packages, candidates and naming of tests go by family too. ""
	// means that the language stands alone.
	Family string
	// Version is the extractor's version; it is part of every cached fact's key.
	Version string
	// Extensions (with their dot) and Filenames choose the files.
	Extensions []string
	Filenames  []string
	// Grammar is the tree-sitter grammar and Query the text of its .scm query,
	// checked when the language is first used.
	Grammar *sitter.Language
	Query   string
	// Manifests are the base names of files that configure module resolution
	// (go.mod, package.json …). Their contents reach Link.
	Manifests []string
	// Pins are the base names of further files that pin or list what a build takes
	// in, such as lock files: a change of one can change the result of any test.
	// They do not reach Link.
	Pins []string
	// Dependencies are globs of the files that declare or pin dependencies.
	Dependencies []string
	// Locks are, by the lower-case base name of a file that declares dependencies,
	// the base names of the files that move in step with it.
	Locks map[string][]string
	// Needs returns, in a standard form, what a file that declares dependencies says
	// of them and nothing else; known is false where that cannot be told. nil: not told.
	Needs func(path string, data []byte) (needs string, known bool)
	// Entries returns the files by which others come to what the file at path
	// declares: only what those declare, or hand on in an Export statement, can be
	// relied on from outside. known is false where others can come to every file.
	Entries func(path string, manifests []Manifest, has func(path string) bool) (files []string, known bool)
	// Named returns regular expressions for the ways, other than its base name, in
	// which configuration and strings name a file that is reached at run time.
	Named func(path string) []string
	// Includes is how code takes in files by patterns.
	Includes Inclusion
	// Indentation says that white space at the start of a line is syntax, so
	// that moving a line in or out changes what the program does.
	Indentation bool

	// Extract fills facts from one file's tree. It must be a pure function of
	// its arguments. Path, Language, Hash, Size, LineStarts, Errors and a first
	// Origin are already set.
	Extract func(tree *Tree, facts *Facts) error
	// Link prepares the resolution of all files of the language, or of its Family.
	Link func(ctx context.Context, u Universe) (Linker, error)
	// Compatible reports whether a call or other use, written for before,
	// still fits after; if not, reason says what breaks. It never guesses:
	// known is false when the use cannot be judged.
	Compatible func(before, after Symbol, use Ref) (ok, known bool, reason string)
	// Fits reports whether impl, which overrides or implements base, can be called
	// as base is; if not, reason says what breaks. known is false when that cannot
	// be judged. nil where a method that does not fit loses its relation to base, as
	// in Go, where the relation is made of the signatures.
	Fits func(base, impl Symbol) (ok, known bool, reason string)
	// Same reports whether two definitions of one canonical name in one package,
	// neither of them a value, are one thing to whoever uses them: the overloads of a
	// function and its implementation, the blocks of a type that are merged, the
	// definitions of one name in branches. References, Callers, Impact, Members and
	// what else asks by ID then have one answer for all of them. It must be symmetric.
	// Members of types that are not one, and what is local to two functions, are
	// never asked for. nil means that each definition stands alone.
	Same func(a, b Symbol) bool
	// TestFile reports whether the file is one that the language's test
	// runners collect.
	TestFile func(path string) bool
	// TestsByFile says that the language's tests are told apart by their file, as
	// those of Python and JavaScript are; false: by their package, as Go's.
	TestsByFile bool
	// TestPrefixes are what names of tests begin with, longer ones first, such as
	// "Test": what follows names what is tested.
	TestPrefixes []string
	// Launchers are beginnings of commands that run the program named by the next
	// argument that is no flag, such as "go run".
	Launchers []string
	// Commands returns the commands, as argument lists to be run in the
	// repository's root, that build and test a package; nil for none.
	Commands func(p Package, manifests []Manifest) (build, test []string)
	// Open says that visibility is a convention of the language: other packages
	// can use what is not Public, so that it is a candidate where only a name is known.
	Open bool
	// Program reports whether a package is a program: nothing can import it, and
	// what it prints is its own. nil means that none is.
	Program func(p Package) bool
	// Format rewrites a whole file in the language's standard format; nil where it has none.
	Format func(src []byte) ([]byte, error)
	// Tokens splits source text into tokens for comparing lines apart from
	// layout: white space dropped, comments and strings as one token each.
	Tokens func(src []byte) []Token
	// Structure returns what in a file decides which code runs, what assertions
	// demand and whether failures are seen, in order of start. It must be a pure
	// function of the tree; it is asked for changed test code only.
	Structure func(tree *Tree) []Statement
	// Contract says what a changed declaration means to its users. The symbols are
	// of the same kind and visibility.
	Contract func(before, after Declared) Contract
	// Comments are what begins a comment: markers of line comments, then pairs of
	// what begins and ends a longer one.
	Comments Comments
	// Quotes are the marks that begin and end a string with the same meaning.
	Quotes string
	// Unrun are globs of names under which a test file stays but is left out on
	// most machines.
	Unrun []string
	// TestNames are globs of names by which test runners choose files wherever they
	// lie; nil where TestFile goes by nothing else.
	TestNames []string
	// AwaitedBy is a regular expression that finds, in a file that configures tests,
	// the setting by which tests that are coroutines are awaited; "" where the
	// runner awaits them anyway, or the language has none.
	AwaitedBy string
	// OnImport reports whether a symbol runs when its file is merely imported.
	OnImport func(s Symbol) bool
	// Fixtures are names of folders whose files are data of tests, even where they
	// are written in the language.
	Fixtures []string
	// Statements are the words that begin a statement, by which code that is
	// commented out is told from prose.
	Statements []string
	// Plant writes a failure into a file, so that whatever executes these bytes
	// fails with PlantMark in its message: at the start of the body of a function
	// or method at; for any other symbol, the zero Symbol included, anywhere in the
	// file, such that nothing that uses the file can run. ok is false when it cannot.
	// The result need not be in standard format.
	Plant func(src []byte, at Symbol) (planted []byte, ok bool)
}

// Comments are the markers of a language's comments.
type Comments struct {
	Line  []string    // such as "//"
	Block [][2]string // such as "/*" and "*/"
	// Blanket are suppressions that, as long as they name no check, silence all.
	Blanket []string
}

// An Inclusion is how code of a language takes in files that it names by patterns.
type Inclusion struct {
	// Line is a regular expression that finds the lines; "" where there are none.
	Line string
	// Takes reports whether such a line in the file from takes in the file at path.
	Takes func(line, from, path string) bool
}

// PlantMark is in the message of every failure that Language.Plant writes.
const PlantMark = "plumb_planted_failure"

// A Token is one lexical token.
type Token struct {
	Kind TokenKind
	Text string
	Line int // 1-based line of its first byte
}

// A TokenKind classes a Token.
type TokenKind uint8

// The kinds of tokens.
const (
	TokenOther TokenKind = iota
	TokenName
	TokenString
	TokenComment
	TokenPunctuation
)

// A Universe is what linking sees: all files of one language, or of all languages
// of one Family, and the manifests, in order of path. It is read-only.
//
// In a large repository the facts of all files do not fit into memory at once,
// so that a Linker reaches them in three steps: Files has of every file what
// says where it belongs, Head what its definitions are made of, and Load
// everything. A Linker works lazily: it calls Head for the packages that a
// resolution really leads to, and Load(file) only in Resolve of that file.
type Universe struct {
	// Files hold at least Path, Language, Module, Constraint, Origin and Imports.
	Files []*Facts
	// Head returns a file's facts with at least Names, Imports, Defs, Params and
	// what Facts.HeadExprs and its siblings tell of Exprs, Lists and Locals. The
	// same pointer comes back as long as somebody holds it. Safe for concurrent use.
	Head func(file int) *Facts
	// Load returns all of a file's facts but LineStarts, Text, Marks, Directives
	// and Errors, which tell linking nothing. They are not kept for the next
	// call. Safe for concurrent use.
	Load      func(file int) *Facts
	Manifests []Manifest
	// Has reports whether the repository holds a file or folder of that path.
	Has func(path string) bool
}

// A Manifest is a file that configures module resolution.
type Manifest struct {
	Path string
	Data []byte
}

// A Linker resolves the sites of one Universe. Its methods may be called by
// several goroutines at once. Files are given by their index in Universe.Files.
type Linker interface {
	// Package returns the import path (or module name) of a file.
	Package(file int) string
	// Deps returns the files whose definitions can influence the resolution
	// of file directly: those of its own package and of imported packages.
	Deps(file int) []int
	// Resolve returns one Resolution for each of the file's Sites, in order.
	Resolve(ctx context.Context, file int) ([]Resolution, error)
	// Relations returns the edges between types that no site states: which
	// types implement, extend or embed which.
	Relations(ctx context.Context) ([]Relation, error)
}

// A Target is a definition: Universe.Files[File].Defs[Def].
type Target struct{ File, Def int32 }

// A Resolution is what a Linker found for one Site.
type Resolution struct {
	Status Status
	// Drop leaves the site out of the index: it names a local, a builtin or
	// the blank identifier.
	Drop bool
	// ByName says that the candidates are all definitions in the repository
	// that bear the site's name and can be seen from it: the members (fields and
	// methods) when Members is set, members and package-level definitions when
	// Any is set, else the package-level ones. They are then not listed, but
	// found when asked for; a site that has none is unresolved, and a RefString
	// that has none is no reference.
	ByName  bool
	Members bool
	Any     bool
	Rule    string // constant strings only
	Reason  string // few distinct strings; kept once each
	Module  string // of an external target
	// Targets may stand in any order, but for the variants of one identity when
	// Static: they keep theirs, the one that fits most builds first.
	Targets []Target
}

// A Relation is an edge between two types, or between two methods.
type Relation struct {
	Kind     RelationKind
	From, To Target
	// Sure is false when the edge rests on names and arity alone.
	Sure bool
}

// A RelationKind is what From does to To.
type RelationKind uint8

// The kinds of relations.
const (
	Implements RelationKind = iota + 1 // a type satisfies an interface; or a method implements an interface's method
	Extends                            // a class extends a class, an interface an interface
	Embeds                             // a struct or interface embeds a type
	Overrides                          // a method overrides another
)

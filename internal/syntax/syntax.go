//go:build cgo

// Package syntax is the wall between Go and the parser's C code.
//
// A file is parsed, flattened and matched against its language's queries in a
// constant number of calls into C, however large it is; what comes back are
// plain arrays. Nothing crosses the wall once per node, which is what makes a
// walk through a binding several times dearer than the parse itself.
//
// A Language is a grammar with its compiled queries: immutable, shared by any
// number of goroutines. A Parser holds the reusable buffers: one per goroutine.
// A Tree is a view into its Parser's buffers and is valid until that Parser's
// next Parse. All arrays are Go memory, so a stale view is wrong data and never a
// crash.
//
// The C code itself is linked in by github.com/smacker/go-tree-sitter. A program
// must be built with cgo.
package syntax

// Flags are the properties of a node.
type Flags uint16

// The flags. HasError covers a node that is, or contains, an error or a missing node.
const (
	Named Flags = 1 << iota
	Missing
	Error
	HasError
	Extra
)

// None is the index that stands for "no node", for example the root's parent.
const None int32 = -1

// A Node is one node of the tree, anonymous tokens included.
type Node struct {
	// Kind indexes Language.Kinds.
	Kind uint16
	// Field indexes Language.Fields: the field this node fills in its parent; 0 is none.
	Field uint16
	Flags Flags
	_     uint16
	// Start and End are 0-based byte offsets, half-open.
	Start, End uint32
	// Parent is the index of the parent; None for the root.
	Parent int32
	// Next is the index just past this node's subtree in preorder.
	Next int32
}

// Named reports whether the grammar names this node; keywords and punctuation are not named.
func (n Node) Named() bool { return n.Flags&Named != 0 }

// Is reports whether all of flags are set.
func (n Node) Is(flags Flags) bool { return n.Flags&flags == flags }

// A Match is one match of one query pattern.
type Match struct {
	// Pattern is the 0-based index of the pattern in the query text.
	Pattern uint32
	// First and Count select the match's captures in Tree.Captures.
	First, Count uint32
}

// A Capture is a node captured by a match.
type Capture struct {
	// Node is an index into Tree.Nodes.
	Node int32
	// Name indexes Language.Captures.
	Name uint32
}

// A Tree is a parsed file: every node in preorder, and every query match.
//
// A Tree that Parse returned is a view valid until the next Parse of the same
// Parser; it must not be changed. Within that time it is safe for any number of
// readers. No method allocates unless it says so.
type Tree struct {
	// Language is the language the tree was parsed with.
	Language *Language
	// Src is the slice given to Parse, not a copy.
	Src []byte
	// Nodes holds all nodes in preorder; Nodes[0] is the root and always exists.
	Nodes []Node
	// Matches holds the matches whose predicates hold, in the order of their root
	// nodes (for a sequence of siblings: of the first sibling that tells it apart)
	// and, for one root, of their patterns.
	Matches []Match
	// Captures holds the captures of all matches; see Match.
	Captures []Capture
	// HasError says that the file does not follow the grammar somewhere.
	HasError bool
	// Truncated says that matches are missing because there were too many
	// (Limits.MaxCaptures). It does not happen on ordinary files.
	Truncated bool
	// ParseNanos is the CPU time of the parse alone, in nanoseconds.
	ParseNanos int64

	lines []uint32
}

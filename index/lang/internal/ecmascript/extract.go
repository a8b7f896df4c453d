package ecmascript

import (
	"github.com/plumbkit/plumb/index"
	"github.com/plumbkit/plumb/index/lang/internal/extract"
	"github.com/plumbkit/plumb/internal/syntax"
)

// maxDepth is how deep statements, expressions and types may nest. Code that
// people or generators write stays below a few hundred.
const maxDepth = 2_500

// extraction is what all calls of one Language's Extract share.
type extraction struct {
	query string
	extract.Scratch[grammar, extractor]
}

func (s *extraction) extract(t *index.Tree, f *index.Facts) error {
	g, x, err := s.Take(t.Language, func(lang *syntax.Language) (*grammar, error) { return newGrammar(lang, s.query) })
	if err != nil {
		return err
	}
	x.begin(g, t, f)
	x.readFile(t)
	x.finish()
	x.end()
	s.Rest(x)
	return nil
}

// An extractor reads one file at a time. What it holds beside f is scratch
// memory, kept from file to file.
type extractor struct {
	g     *grammar
	t     *index.Tree
	nodes []syntax.Node
	f     *index.Facts
	names
	extract.Table
	extract.Roles

	defs    []index.Def
	defNode []int32 // the node each Def's fingerprint is taken of
	sites   []index.Site
	calls   []index.Args
	locals  []index.Local
	params  []index.Param
	marks   []index.MarkFact

	hashed    []uint64 // by node; see fingerprints
	mender    extract.Mender
	shadows   []shadow
	typeNames int32 // type parameters so far
	depth     int32 // of scopes
	deep      int   // of nodes
	in        int32 // the innermost Def
	this      int32 // what this is, as a value
	super     int32
	inside    bool // of a function's body
	namespace bool // directly in a namespace's body
	ambient   bool // in a declaration without code
	exported  bool // the declaration that is being read is
	global    bool // in declare global
	fn        *function
	facts     []fact // what conditions around say; see narrow.go
	module    module
	doc       docs
	docTypes  documented // of the function that is read next
}

// A function is what the body that is being read belongs to.
type function struct {
	results []int32 // what its return statements give, as types
	want    int32   // what they should give, a type
	declare bool    // the result is declared, so that results are not needed
	flags   int32
	docs    documented
}

func (x *extractor) begin(g *grammar, t *index.Tree, f *index.Facts) {
	x.g, x.t, x.nodes, x.f = g, t, t.Nodes, f
	x.names.reset(t.Src)
	x.Table.Reset()
	x.defs, x.defNode, x.sites, x.calls = x.defs[:0], x.defNode[:0], x.sites[:0], x.calls[:0]
	x.locals, x.params, x.marks, x.shadows, x.facts = x.locals[:0], x.params[:0], x.marks[:0], x.shadows[:0], x.facts[:0]
	x.depth, x.deep, x.in, x.this, x.super, x.typeNames = 0, 0, -1, -1, -1, 0
	x.inside, x.namespace, x.ambient, x.exported, x.global, x.fn, x.doc, x.docTypes = false, false, false, false, false, nil, docs{}, nil
	x.module.reset()
}

// end lets go of what belongs to the caller.
func (x *extractor) end() {
	x.t, x.nodes, x.f, x.src, x.fn = nil, nil, nil, nil, nil
	clear(x.marks)
	clear(x.calls)
	clear(x.params)
	clear(x.words)
	clear(x.ids)
}

func (x *extractor) kind(n int32) kind { return x.g.kinds[x.nodes[n].Kind] }

// child returns n's child that fills field, or -1.
func (x *extractor) child(n int32, field uint16) int32 { return x.t.Child(n, field) }

// childOf returns n's first child of a kind, or -1.
func (x *extractor) childOf(n int32, k kind) int32 {
	for c, end := n+1, x.nodes[n].Next; c < end; c = x.nodes[c].Next {
		if x.kind(c) == k {
			return c
		}
	}
	return -1
}

// firstNamed returns n's first named child that is no comment, or -1.
func (x *extractor) firstNamed(n int32) int32 {
	for c, end := n+1, x.nodes[n].Next; c < end; c = x.nodes[c].Next {
		if x.nodes[c].Named() && x.kind(c) != kComment {
			return c
		}
	}
	return -1
}

// has reports whether one of n's unnamed children is the token.
func (x *extractor) has(n int32, token string) bool {
	for c, end := n+1, x.nodes[n].Next; c < end; c = x.nodes[c].Next {
		if !x.nodes[c].Named() && string(x.t.Text(c)) == token {
			return true
		}
	}
	return false
}

// down reports whether one level more may be entered; up leaves it.
func (x *extractor) down() bool {
	if x.deep++; x.deep <= maxDepth {
		return true
	}
	x.f.Skipped = "nested more than 2500 levels deep: what stands deeper was not read"
	return false
}

func (x *extractor) up() { x.deep-- }

package golang

import (
	"github.com/plumbkit/plumb/index"
	"github.com/plumbkit/plumb/index/lang/internal/extract"
	"github.com/plumbkit/plumb/internal/syntax"
)

// maxDepth is how deep statements, expressions and types may nest. Each level
// costs up to a kilobyte of stack while a file is read; code that people or
// generators write stays below a few hundred.
const maxDepth = 10_000

// extraction is what all calls of one Language's Extract share.
type extraction struct {
	extract.Scratch[grammar, extractor]
}

func (s *extraction) extract(t *index.Tree, f *index.Facts) error {
	g, x, err := s.Take(t.Language, newGrammar)
	if err != nil {
		return err
	}
	x.begin(g, t, f)
	x.readFile(t)
	x.finishMarks()
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
	params  []param
	marks   []index.MarkFact

	mender  extract.Mender
	shadows []shadow
	pending []named
	waiting []int32
	tables  []table
	subtest string // name of the subtest around
	depth   int32  // of scopes
	deep    int    // of nodes
	in      int32  // the innermost Def
	inside  bool   // a function's body
	doc     docs
}

// A param is an index.Param whose strings are still words.
type param struct {
	name, typ int32 // -1: none
	variadic  bool
}

func (x *extractor) begin(g *grammar, t *index.Tree, f *index.Facts) {
	x.g, x.t, x.nodes, x.f = g, t, t.Nodes, f
	x.names.reset(t.Src)
	x.Table.Reset()
	x.defs, x.defNode, x.sites, x.calls = x.defs[:0], x.defNode[:0], x.sites[:0], x.calls[:0]
	x.locals, x.params, x.marks, x.shadows = x.locals[:0], x.params[:0], x.marks[:0], x.shadows[:0]
	x.depth, x.deep, x.in, x.inside, x.doc = 0, 0, -1, false, docs{}
}

// end lets go of what belongs to the caller.
func (x *extractor) end() {
	x.t, x.nodes, x.f, x.src = nil, nil, nil, nil
	clear(x.marks)
	clear(x.calls)
}

func (x *extractor) kind(n int32) kind { return x.g.kinds[x.nodes[n].Kind] }

// child returns n's child that fills field, or -1.
func (x *extractor) child(n int32, field uint16) int32 { return x.t.Child(n, field) }

// down reports whether one level more may be entered; up leaves it.
func (x *extractor) down() bool {
	if x.deep++; x.deep <= maxDepth {
		return true
	}
	x.f.Skipped = "nested more than 10000 levels deep: what stands deeper was not read"
	return false
}

func (x *extractor) up() { x.deep-- }

// read reads all that one tree of the file holds. The tree's source has the
// bytes of x.src wherever it has a node.
func (x *extractor) read(t *index.Tree) {
	x.t, x.nodes = t, t.Nodes
	x.tables, x.subtest = x.tables[:0], ""
	x.doc = docs{}
	first := len(x.defs)
	x.Assign(x.t, x.g.roles)
	x.shadowsOfPredeclared()
	x.header()
	x.declarations(0)
	x.literals()
	for i := first; i < len(x.defs); i++ {
		x.defs[i].Fingerprint = x.fingerprint(x.defNode[i])
	}
}

// shadowsOfPredeclared looks for package-level declarations in this file that
// take the name of a predeclared type.
func (x *extractor) shadowsOfPredeclared() {
	x.topNames(0, func(n int32) {
		word := x.word(n)
		if x.special(word) == wordPredeclared {
			x.words[word].special = wordDeclared
		}
	})
}

// topNames calls f with the name of each package-level type, function, variable and constant.
func (x *extractor) topNames(n int32, f func(int32)) {
	for c, end := n+1, x.nodes[n].Next; c < end; c = x.nodes[c].Next {
		switch x.kind(c) {
		case kTypeDeclaration, kVarDeclaration, kConstDeclaration, kVarSpecList:
			x.topNames(c, f)
		case kTypeSpec, kTypeAlias, kVarSpec, kConstSpec, kFunctionDeclaration:
			for i, end := c+1, x.nodes[c].Next; i < end; i = x.nodes[i].Next {
				if x.nodes[i].Field == x.g.name && x.kind(i) != kComma {
					f(i)
				}
			}
		}
	}
}

// declarations reads the children of a file, of an error, or of a declaration with brackets.
func (x *extractor) declarations(n int32) {
	for c, end := n+1, x.nodes[n].Next; c < end; c = x.nodes[c].Next {
		if x.kind(c) == kComment {
			x.doc.comment(x, c)
			continue
		}
		x.visit(c)
	}
}

package python

import (
	"github.com/plumbkit/plumb/index"
	"github.com/plumbkit/plumb/index/lang/internal/extract"
	"github.com/plumbkit/plumb/internal/syntax"
)

// maxDepth is how deep statements and expressions may nest. Each level costs
// about a kilobyte of stack while a file is read; code that people or generators
// write stays below a few hundred.
const maxDepth = 5_000

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
	x.file()
	extract.SortMarks(x.marks)
	x.nest()
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
	src   []byte
	f     *index.Facts
	names
	extract.Table
	extract.Roles

	defs    []index.Def
	defNode []int32   // the node each Def's fingerprint is taken of, -1 for none
	values  [][]int32 // of each Def: what it is bound to
	sites   []index.Site
	calls   []index.Args
	locals  []index.Local
	params  []index.Param
	marks   []index.MarkFact

	docs     map[int32]bool // string nodes that are docstrings
	bound    []binding      // by word
	fn       *frame         // the innermost scope
	free     []*frame
	in       int32 // the innermost Def
	deep     int   // of nodes
	typing   bool  // strings are types
	test     bool  // a file that test runners collect
	checks   map[int32]check
	exported map[string]bool // __all__, nil without
	pytest   bool            // imports pytest
	mender   extract.Mender
	guard    bool // has an if __name__ == "__main__"
	paths    bool // edits sys.path
}

func (x *extractor) begin(g *grammar, t *index.Tree, f *index.Facts) {
	x.g, x.t, x.nodes, x.src, x.f = g, t, t.Nodes, t.Src, f
	x.names.reset()
	x.Table.Reset()
	x.defs, x.defNode, x.values, x.sites, x.calls = x.defs[:0], x.defNode[:0], x.values[:0], x.sites[:0], x.calls[:0]
	x.locals, x.params, x.marks, x.bound = x.locals[:0], x.params[:0], x.marks[:0], x.bound[:0]
	x.deep, x.in, x.typing, x.test = 0, -1, false, isTestFile(f.Path)
	x.exported, x.pytest, x.guard, x.paths = nil, false, false, false
	if x.docs == nil {
		x.docs, x.checks = map[int32]bool{}, map[int32]check{}
	}
	clear(x.docs)
	clear(x.checks)
}

// end lets go of what belongs to the caller.
func (x *extractor) end() {
	x.t, x.nodes, x.f, x.src, x.fn = nil, nil, nil, nil, nil
	clear(x.marks)
	clear(x.calls)
	clear(x.params)
	clear(x.values)
	x.exported = nil
}

func (x *extractor) kind(n int32) kind { return x.g.kinds[x.nodes[n].Kind] }

// child returns n's child that fills field, or -1.
func (x *extractor) child(n int32, field uint16) int32 { return x.t.Child(n, field) }

// text returns the source of node n.
func (x *extractor) text(n int32) string { return string(x.t.Text(n)) }

func (x *extractor) word(n int32) int32 { return x.intern(x.t.Text(n)) }

// first returns n's first named child that is no comment, or -1.
func (x *extractor) first(n int32) int32 {
	for c, end := n+1, x.nodes[n].Next; c < end; c = x.nodes[c].Next {
		if x.nodes[c].Named() && x.kind(c) != kComment {
			return c
		}
	}
	return -1
}

// each calls f with every named child of n that is no comment.
func (x *extractor) each(n int32, f func(c int32)) {
	for c, end := n+1, x.nodes[n].Next; c < end; c = x.nodes[c].Next {
		if x.nodes[c].Named() && x.kind(c) != kComment {
			f(c)
		}
	}
}

// down reports whether one level more may be entered; up leaves it.
func (x *extractor) down() bool {
	if x.deep++; x.deep <= maxDepth {
		return true
	}
	x.f.Skipped = "nested more than 5000 levels deep: what stands deeper was not read"
	return false
}

func (x *extractor) up() { x.deep-- }

// file reads the whole file, mending it first where it is broken.
func (x *extractor) file() {
	x.fn = x.frame(frameModule, -1)
	module := x.fn
	x.moduleDef()
	if t := x.t; !t.HasError || !x.mend() {
		x.read(t)
	}
	for i := range x.defs {
		x.settle(i)
	}
	x.release(module)
	x.fn = nil
	x.header()
}

// read reads all that one tree of the file holds. The tree's source has the
// bytes of x.src wherever it has a node.
func (x *extractor) read(t *index.Tree) {
	x.t, x.nodes = t, t.Nodes
	clear(x.docs)
	clear(x.checks)
	x.in, x.typing, x.deep = -1, false, 0
	first := len(x.defs)
	x.Assign(x.t, x.g.roles)
	if doc := x.docstring(0); doc.End > 0 && len(x.defs) > 0 {
		x.defs[0].Doc = doc
	}
	x.statements(0)
	x.stringMarks()
	x.commentMarks()
	for i := first; i < len(x.defs); i++ {
		if n := x.defNode[i]; n >= 0 {
			x.defs[i].Fingerprint = x.fingerprint(n)
		}
	}
}

// mainModule is Facts.Module of a file that is run as a program. Other files
// declare no name of their own: it follows from where they lie.
const mainModule = "__main__"

// header says what kind of file this is.
func (x *extractor) header() {
	if x.guard || baseName(x.f.Path) == "__main__.py" || baseName(x.f.Path) == "setup.py" {
		x.f.Module = mainModule
	}
	if x.paths {
		x.f.Constraint = pathsEdited
	}
	if x.f.Origin == index.Handwritten && x.test {
		x.f.Origin = index.Test
	}
}

// pathsEdited is Facts.Constraint of a file that changes where modules are
// looked for while it runs.
const pathsEdited = "sys.path"

// settle gives a definition its value, and what __all__ says of it.
func (x *extractor) settle(i int) {
	d := &x.defs[i]
	if len(x.values[i]) > 0 {
		d.Value = x.union(x.values[i])
	}
	if x.exported != nil && d.Parent < 0 && d.Kind != index.KindPackage {
		switch name := x.words[d.Name]; {
		case x.exported[name]:
			d.Visibility = index.Public
		case d.Visibility == index.Public:
			d.Visibility = index.PackageWide
		}
	}
}

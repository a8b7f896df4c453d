package python

import (
	"path"
	"strings"

	"github.com/plumbkit/plumb/index"
	"github.com/plumbkit/plumb/index/lang/internal/extract"
)

// moduleDef adds the Def of the module itself: an empty place at the file's
// start that imports lead to. Its doc is the module's docstring.
func (x *extractor) moduleDef() {
	d := x.add(index.KindPackage, x.internText(moduleBase(x.f.Path)), -1, index.Range{}, index.Range{})
	x.defs[d].Body, x.defs[d].Visibility = 0, index.Public
}

// moduleBase returns the last part of a file's module name.
func moduleBase(file string) string {
	base := strings.TrimSuffix(baseName(file), path.Ext(file))
	if dir := path.Dir(file); base == "__init__" && dir != "." {
		return path.Base(dir)
	}
	return base
}

func baseName(file string) string { return file[strings.LastIndexByte(file, '/')+1:] }

// define adds a Def for the name at node name. whole is the node that it is
// defined by, and its fingerprint taken of.
func (x *extractor) define(kind index.Kind, name, whole int32) int32 {
	at, r := &x.nodes[name], &x.nodes[whole]
	d := x.add(kind, x.word(name), x.in, index.Range{Start: r.Start, End: r.End}, index.Range{Start: at.Start, End: at.End})
	x.defNode[d] = whole
	if x.fn.conditional > 0 {
		x.defs[d].Flags |= defConditional
	}
	return d
}

func (x *extractor) add(kind index.Kind, word, parent int32, whole, ident index.Range) int32 {
	p := uint32(len(x.params))
	x.defs = append(x.defs, index.Def{Name: uint32(word), Kind: kind, Visibility: x.visibility(word), Parent: parent, Owner: -1,
		Range: whole, Ident: ident, Body: whole.End, P0: p, P1: p, P2: p, P3: p, Type: -1, Value: -1})
	x.defNode = append(x.defNode, -1)
	x.values = append(x.values, nil)
	return int32(len(x.defs) - 1)
}

// visibility follows the convention of names: _x is for the module, __x for the
// class; what stands in a function is its own.
func (x *extractor) visibility(word int32) index.Visibility {
	name := x.words[word]
	switch {
	case x.fn != nil && x.fn.kind == frameFunction && x.fn.field == 0,
		strings.HasPrefix(name, "__") && !strings.HasSuffix(name, "__"):
		return index.Private
	case strings.HasPrefix(name, "_") && !strings.HasPrefix(name, "__"):
		return index.PackageWide
	}
	return index.Public
}

// docstring returns the range of the string that a block or module begins with.
func (x *extractor) docstring(block int32) index.Range {
	n := x.first(block)
	if n < 0 || x.kind(n) != kExpressionStatement {
		return index.Range{}
	}
	s := x.first(n)
	if s < 0 || x.kind(s) != kString {
		return index.Range{}
	}
	x.docs[s] = true
	return index.Range{Start: x.nodes[s].Start, End: x.nodes[s].End}
}

// fingerprint hashes the tokens of node n. Comments, line ends and a comma
// before a closing bracket do not count; where a block begins and ends does.
func (x *extractor) fingerprint(n int32) uint64 {
	h := uint64(extract.Seed)
	var ends []int32 // of the blocks around
	comma := false
	for i, end := n, x.nodes[n].Next; i < end; {
		for len(ends) > 0 && i >= ends[len(ends)-1] {
			ends = ends[:len(ends)-1]
			h = extract.Mix(h, 2)
		}
		node := &x.nodes[i]
		k := x.g.kinds[node.Kind]
		if k == kBlock {
			ends = append(ends, node.Next)
			h = extract.Mix(h, 1)
		}
		if node.Next != i+1 && k != kString {
			i++
			continue
		}
		i = node.Next
		token := x.src[node.Start:node.End]
		switch {
		case k == kComment, len(token) == 0, len(token) == 1 && token[0] == ';', k == kOther && token[0] == '\\':
			continue
		case len(token) == 1 && token[0] == ',':
			comma = true
			continue
		}
		if comma && !x.closesList(node.Parent, token) {
			h = extract.Mix(h, ',')
		}
		comma = false
		h = extract.Mix(h, extract.Hash(token))
	}
	for range ends {
		h = extract.Mix(h, 2)
	}
	return h
}

// closesList reports whether a token closes a bracket before which a comma
// means nothing: not that of a tuple or of an index.
func (x *extractor) closesList(parent int32, token []byte) bool {
	if len(token) != 1 || parent < 0 {
		return false
	}
	switch x.kind(parent) {
	case kTuple, kTuplePattern, kSubscript:
		return false
	}
	return token[0] == ')' || token[0] == ']' || token[0] == '}'
}

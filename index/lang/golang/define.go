package golang

import (
	"unicode"
	"unicode/utf8"

	"github.com/plumbkit/plumb/index"
	"github.com/plumbkit/plumb/index/lang/internal/extract"
)

// define adds a Def for the name at node name. whole is the node that it is
// defined by, and its fingerprint taken of; n covers the definition.
func (x *extractor) define(kind index.Kind, name, whole, n int32, doc index.Range) int32 {
	return x.defineWord(kind, x.word(name), name, whole, n, doc)
}

func (x *extractor) defineWord(kind index.Kind, word, name, whole, n int32, doc index.Range) int32 {
	at, r := &x.nodes[name], &x.nodes[n]
	p := uint32(len(x.params))
	x.defs = append(x.defs, index.Def{Name: uint32(word), Kind: kind, Visibility: x.visibility(word), Parent: x.in, Owner: -1,
		Range: index.Range{Start: r.Start, End: r.End}, Ident: index.Range{Start: at.Start, End: at.End}, Body: r.End,
		Doc: doc, P0: p, P1: p, P2: p, P3: p, Type: -1, Value: -1})
	x.defNode = append(x.defNode, whole)
	return int32(len(x.defs) - 1)
}

func (x *extractor) visibility(word int32) index.Visibility {
	if x.inside {
		return index.Private
	}
	if r, _ := utf8.DecodeRune(x.text(word)); unicode.IsUpper(r) {
		return index.Public
	}
	return index.PackageWide
}

// fingerprint hashes the tokens of node n. Comments, line ends, commas before a
// closing bracket and optional semicolons do not count, so that formatting
// changes nothing.
func (x *extractor) fingerprint(n int32) uint64 {
	h := uint64(extract.Seed)
	comma := false
	for i, end := n, x.nodes[n].Next; i < end; {
		node := &x.nodes[i]
		k := x.g.kinds[node.Kind]
		if node.Next != i+1 && k != kString && k != kRawString {
			i++
			continue
		}
		i = node.Next
		switch k {
		case kComment, kNewline:
			continue
		case kSemicolon:
			if x.kind(node.Parent) != kForClause {
				continue
			}
		case kComma:
			comma = true
			continue
		case kClose:
			comma = false
		}
		if comma {
			h, comma = extract.Mix(h, ','), false
		}
		h = extract.Mix(h, extract.Hash(x.src[node.Start:node.End]))
	}
	return h
}

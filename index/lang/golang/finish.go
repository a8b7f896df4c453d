package golang

import (
	"github.com/plumbkit/plumb/index"
	"github.com/plumbkit/plumb/index/lang/internal/extract"
)

// found is what has been found so far.
func (x *extractor) found() *extract.Found {
	return &extract.Found{Table: &x.Table, Operands: operandsOf, Defs: x.defs, Sites: x.sites, Locals: x.locals}
}

// finish moves what was found into the Facts.
func (x *extractor) finish() {
	f := x.f
	found := x.found()
	found.Pack(f)
	x.writeNames(f, found)
	f.Defs, f.Sites, f.Calls = extract.Exact(x.defs), extract.Exact(x.sites), extract.Exact(x.calls)
	f.Marks = extract.Exact(x.marks)
}

// writeNames writes names and parameters, and turns words into indices of Names.
func (x *extractor) writeNames(f *index.Facts, found *extract.Found) {
	found.EachName(f, func(word uint32) uint32 {
		x.words[word].use |= useIndex
		return word
	})
	for _, p := range x.params {
		for _, word := range []int32{p.name, p.typ} {
			if word >= 0 {
				x.words[word].use |= useString
			}
		}
	}
	all, list, place := x.names.finish()
	f.Names = list
	found.EachName(f, func(word uint32) uint32 { return place[word] })
	f.Params = make([]index.Param, len(x.params))
	for i, p := range x.params {
		f.Params[i].Variadic = p.variadic
		if p.name >= 0 {
			f.Params[i].Name = all[p.name]
		}
		if p.typ >= 0 {
			f.Params[i].Type = all[p.typ]
		}
	}
}

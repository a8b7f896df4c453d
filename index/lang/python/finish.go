package python

import "github.com/plumbkit/plumb/index/lang/internal/extract"

// found is what has been found so far.
func (x *extractor) found() *extract.Found {
	return &extract.Found{Table: &x.Table, Operands: operandsOf, Defs: x.defs, Sites: x.sites, Locals: x.locals}
}

// finish moves what was found into the Facts.
func (x *extractor) finish() {
	f := x.f
	found := x.found()
	found.Pack(f)
	found.EachName(f, func(word uint32) uint32 {
		x.used[word] = true
		return word
	})
	list, place := x.names.kept()
	f.Names = list
	found.EachName(f, func(word uint32) uint32 { return uint32(place[word]) })
	f.Defs, f.Sites, f.Calls = extract.Exact(x.defs), extract.Exact(x.sites), extract.Exact(x.calls)
	f.Marks, f.Params = extract.Exact(x.marks), extract.Exact(x.params)
}

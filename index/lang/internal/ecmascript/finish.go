package ecmascript

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
		w := &x.words[word]
		if w.place < 0 {
			w.place = int32(len(f.Names))
			f.Names = append(f.Names, w.text)
		}
		return uint32(w.place)
	})
	f.Defs, f.Sites, f.Calls, f.Params = extract.Exact(x.defs), extract.Exact(x.sites), extract.Exact(x.calls), extract.Exact(x.params)
	f.Marks = extract.Exact(x.marks)
}

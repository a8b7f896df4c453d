package python

import "github.com/plumbkit/plumb/index"

// A frameKind is what kind of scope a frame is.
type frameKind uint8

const (
	frameModule frameKind = iota
	frameClass
	frameFunction
	frameLambda
	frameBrief // a comprehension
)

// A frame is one scope while it is read.
type frame struct {
	kind  frameKind
	def   int32 // of the function or class; -1
	class int32 // of a function: the class whose method it is, or -1
	outer *frame
	vars  []variable
	// conditional counts the ifs and tries around, within this scope.
	conditional int
	branch      branch
	branches    map[int32]branch // of a class or module: where each member was defined
	dead        bool             // what follows is not reached
	loops       []*loop
	returns     []int32
	yields      []int32
	yielding    bool
	field       int             // reading the definition of a field of the class around
	members     map[int32]int32 // of a class or module: the Def of each variable or field
	enum        bool
	protocol    bool
}

// A branch is one of the ways that a statement goes; stmt is its node.
type branch struct {
	stmt  int32
	index int
}

// A variable is a name that a function binds.
type variable struct {
	word     int32
	cur      int32   // what it is bound to here: an expression, notKnown or unbound
	all      []int32 // everything that it is bound to
	whole    int32   // into locals: stands for all, -1 until needed
	declared int32   // its annotation
	was      binding // what the word meant outside
	sited    bool    // its uses are sites: a function, class or import
	outer    bool    // declared global or nonlocal
	path     bool    // not a name, but an attribute of one
}

// What a variable is bound to besides an expression.
const (
	notKnown int32 = -1
	unbound  int32 = -2
)

// A binding is the variable that a word means, frame nil for none.
type binding struct {
	frame *frame
	at    int32
}

func (x *extractor) frame(kind frameKind, def int32) *frame {
	var f *frame
	if n := len(x.free); n > 0 {
		f, x.free = x.free[n-1], x.free[:n-1]
		members, branches := f.members, f.branches
		clear(members)
		clear(branches)
		*f = frame{vars: f.vars[:0], returns: f.returns[:0], yields: f.yields[:0], members: members, branches: branches}
	} else {
		f = &frame{}
	}
	if f.members == nil && (kind == frameModule || kind == frameClass) {
		f.members, f.branches = map[int32]int32{}, map[int32]branch{}
	}
	f.kind, f.def, f.class, f.outer = kind, def, -1, x.fn
	return f
}

// release takes back the names that a frame bound, and keeps its memory.
func (x *extractor) release(f *frame) {
	for i := len(f.vars) - 1; i >= 0; i-- {
		v := &f.vars[i]
		if v.whole >= 0 {
			l := &x.locals[v.whole]
			l.Type, l.Value = v.declared, x.union(v.all)
		}
		x.bound[v.word] = v.was
		v.all = nil
	}
	x.free = append(x.free, f)
}

// bind makes word a variable of the frame, unless it is one.
func (x *extractor) bind(f *frame, word int32) *variable {
	for int(word) >= len(x.bound) {
		x.bound = append(x.bound, binding{})
	}
	if b := x.bound[word]; b.frame == f {
		return &f.vars[b.at]
	}
	f.vars = append(f.vars, variable{word: word, cur: unbound, whole: -1, declared: -1, was: x.bound[word]})
	x.bound[word] = binding{f, int32(len(f.vars) - 1)}
	return &f.vars[len(f.vars)-1]
}

// find returns the frame and variable that word means here, nil if it is the
// module's. Functions do not see the names of a class around them, but for its
// type parameters.
func (x *extractor) find(word int32) (*frame, *variable) {
	if int(word) >= len(x.bound) {
		return nil, nil
	}
	b := x.bound[word]
	for b.frame != nil {
		v := &b.frame.vars[b.at]
		if (b.frame.kind != frameClass || v.cur >= 0 || x.inClass(b.frame)) && !v.outer {
			return b.frame, v
		}
		b = v.was
	}
	return nil, nil
}

// inClass reports whether the class's own body is being read, comprehensions
// in it included.
func (x *extractor) inClass(class *frame) bool {
	f := x.fn
	for f.kind == frameBrief {
		f = f.outer
	}
	return f == class
}

// here reports whether code of the frame is being read, and not code of a
// function inside it that runs later.
func (x *extractor) here(f *frame) bool {
	at := x.fn
	for at != f && at.kind == frameBrief {
		at = at.outer
	}
	return at == f
}

// resolve returns what word stands for here, and whether its use is a site.
func (x *extractor) resolve(word int32) (e int32, site bool) {
	f, v := x.find(word)
	switch {
	case f == nil:
		return x.Make(opName, word, -1, -1), true
	case f.kind == frameClass && v.cur >= 0: // a type parameter
		return v.cur, false
	case f.kind == frameClass:
		return x.Make(opOwn, word, f.def, x.beyond(v)), true
	case x.here(f) && v.cur != unbound:
		return v.cur, v.sited
	}
	return x.whole(v), v.sited
}

// beyond returns what the word of a class's name means outside of the class.
func (x *extractor) beyond(v *variable) int32 {
	b := v.was
	for b.frame != nil && b.frame.kind == frameClass {
		b = b.frame.vars[b.at].was
	}
	if b.frame == nil {
		return x.Make(opName, v.word, -1, -1)
	}
	return x.whole(&b.frame.vars[b.at])
}

// whole returns the expression of everything that a variable is bound to.
func (x *extractor) whole(v *variable) int32 {
	if v.whole < 0 {
		v.whole = x.local(v.word, -1, -1)
	}
	return x.Make(opLocal, -1, v.whole, -1)
}

func (x *extractor) local(word, typ, value int32) int32 {
	x.locals = append(x.locals, index.Local{Name: uint32(word), Type: typ, Value: value})
	return int32(len(x.locals) - 1)
}

// function returns the frame whose variables an assignment here binds: walrus
// targets in a comprehension belong to the function around.
func (x *extractor) function() *frame {
	f := x.fn
	for f.kind == frameBrief {
		f = f.outer
	}
	return f
}

// method returns the class of the method that is being read, -1 outside of one.
func (x *extractor) method() int32 {
	for f := x.fn; f != nil; f = f.outer {
		switch f.kind {
		case frameFunction:
			if f.class >= 0 {
				return f.class
			}
		case frameClass:
			return -1
		}
	}
	return -1
}

// use records the reference at the identifier n and returns what it stands for.
// args is the argument list of the call that it is the callee of, or -1.
func (x *extractor) use(n int32, kind index.RefKind, args int32) int32 {
	if x.nodes[n].Start == x.nodes[n].End {
		return -1
	}
	word := x.word(n)
	e, site := x.resolve(word)
	if site {
		x.site(n, word, kind, x.sited(word, e), args)
	}
	return e
}

// sited returns the expression of a site of word, which holds e there: where
// that is no definition itself, with the definitions that word is bound to.
func (x *extractor) sited(word, e int32) int32 {
	if e >= 0 {
		switch x.Exprs[e].Op {
		case opName, opOwn, opDef, opImport, opTypeParam:
			return e
		}
	}
	from := len(x.Stack)
	if f, v := x.find(word); f != nil {
		for _, value := range v.all {
			if value >= 0 && (x.Exprs[value].Op == opDef || x.Exprs[value].Op == opImport) {
				x.pushNew(from, value)
			}
		}
	}
	return x.MakeList(opSited, -1, e, -1, from)
}

func (x *extractor) site(n, word int32, kind index.RefKind, e, args int32) {
	call := int32(-1)
	if args >= 0 {
		call = x.arguments(args)
	}
	x.siteAt(x.nodes[n].Start, word, kind, e, call)
}

func (x *extractor) siteAt(start uint32, word int32, kind index.RefKind, e, call int32) {
	x.sites = append(x.sites, index.Site{Name: uint32(word), Start: start, In: x.in, Kind: kind, Expr: e, Call: call})
}

package golang

import "github.com/plumbkit/plumb/index"

// A binding is what a word stands for in the innermost scope that binds it.
type binding struct {
	// to is 0 for nothing local, an index into exprs plus one for a type
	// parameter (opTypeParam) or local type (opDef), and an index into locals,
	// negated, minus one for the rest.
	to    int32
	depth int32 // of the scope, 1 for a function's outermost
}

// A shadow is a binding that the end of a scope brings back.
type shadow struct {
	word int32
	was  binding
}

func (x *extractor) open() int {
	x.depth++
	return len(x.shadows)
}

func (x *extractor) close(mark int) {
	for i := len(x.shadows) - 1; i >= mark; i-- {
		s := &x.shadows[i]
		x.bound[s.word] = s.was
	}
	x.shadows = x.shadows[:mark]
	x.depth--
}

func (x *extractor) bind(word, to int32) {
	x.shadows = append(x.shadows, shadow{word, x.bound[word]})
	x.bound[word] = binding{to: to, depth: x.depth}
}

// bindLocal declares the name at node n. The blank identifier binds nothing.
func (x *extractor) bindLocal(n, typ, value int32) {
	if x.isBlank(n) {
		return
	}
	word := x.word(n)
	x.locals = append(x.locals, index.Local{Name: uint32(word), Type: typ, Value: value})
	x.bind(word, -int32(len(x.locals)))
}

// boundHere reports whether the innermost scope binds word.
func (x *extractor) boundHere(word int32) bool {
	b := x.bound[word]
	return b.to != 0 && b.depth == x.depth
}

func (x *extractor) word(n int32) int32 {
	node := &x.nodes[n]
	return x.intern(node.Start, node.End)
}

func (x *extractor) isBlank(n int32) bool {
	node := &x.nodes[n]
	return node.End-node.Start == 1 && x.src[node.Start] == '_'
}

// resolve returns what word stands for here, as an Expr: opLocal, opDef,
// opTypeParam, or opName where nothing local has that name.
func (x *extractor) resolve(word int32) int32 {
	switch b := x.bound[word]; {
	case b.to < 0:
		return x.Make(opLocal, -1, -b.to-1, -1)
	case b.to > 0:
		return b.to - 1
	}
	return x.Make(opName, word, -1, -1)
}

// use records the reference at the identifier n and returns what it stands for.
// args is the argument list of the call that it is the callee of, or -1.
func (x *extractor) use(n int32, kind index.RefKind, args int32) int32 {
	if x.isBlank(n) || x.nodes[n].Start == x.nodes[n].End {
		return -1
	}
	word := x.word(n)
	e := x.resolve(word)
	switch x.Exprs[e].Op {
	case opLocal, opTypeParam:
		return e
	case opName:
		switch x.special(word) {
		case wordNil:
			return x.basic(basicNil)
		case wordPredeclared:
			return e
		}
	}
	x.site(n, word, kind, e, args)
	return e
}

func (x *extractor) site(n, word int32, kind index.RefKind, e, args int32) {
	call := int32(-1)
	if args >= 0 {
		call = x.arguments(args)
	}
	x.sites = append(x.sites, index.Site{Name: uint32(word), Start: x.nodes[n].Start, In: x.in, Kind: kind, Expr: e, Call: call})
}

// What a word means when nothing local has that name.
const (
	wordUnknown uint8 = iota
	wordOrdinary
	wordNil
	wordPredeclared // a predeclared type
	wordDeclared    // a predeclared name that this file declares itself
)

func (x *extractor) special(word int32) uint8 {
	w := &x.words[word]
	if w.special == wordUnknown {
		w.special = specialWord(string(x.text(word)))
	}
	return w.special
}

func specialWord(s string) uint8 {
	switch s {
	case "nil":
		return wordNil
	case "any", "bool", "byte", "comparable", "complex128", "complex64", "error", "float32", "float64", "int", "int16",
		"int32", "int64", "int8", "rune", "string", "uint", "uint16", "uint32", "uint64", "uint8", "uintptr":
		return wordPredeclared
	}
	return wordOrdinary
}

// isBuiltin reports whether s is a predeclared function with exactly one result.
func isBuiltin(s string) bool {
	switch s {
	case "append", "cap", "complex", "copy", "imag", "len", "make", "max", "min", "new", "real", "recover":
		return true
	}
	return false
}

package ecmascript

import "github.com/plumbkit/plumb/index"

// A binding is what a word stands for in the innermost scope that binds it, as
// a value and as a type: an Expr plus one (opLocal, opDef, opTypeParam), 0 for
// nothing local.
type binding struct {
	value, typ int32
	depth      int32 // of the scope
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

// bind declares a word in the innermost scope as a value, a type or both; what
// is not declared keeps its outer meaning.
func (x *extractor) bind(word, e int32, value, typ bool) {
	x.shadows = append(x.shadows, shadow{word, x.bound[word]})
	b := x.bound[word]
	if value {
		b.value = e + 1
	}
	if typ {
		b.typ = e + 1
	}
	b.depth = x.depth
	x.bound[word] = b
}

// newLocal adds a local and returns its opLocal.
func (x *extractor) newLocal(word, typ, value int32) int32 {
	x.locals = append(x.locals, index.Local{Name: uint32(word), Type: typ, Value: value})
	return x.Make(opLocal, -1, int32(len(x.locals)-1), -1)
}

func (x *extractor) word(n int32) int32 {
	node := &x.nodes[n]
	return x.intern(x.src[node.Start:node.End])
}

// meaning returns what word stands for here: opName where nothing local has
// that name.
func (x *extractor) meaning(word int32, typ bool) int32 {
	b := &x.bound[word]
	if typ && b.typ > 0 {
		return b.typ - 1
	}
	if !typ && b.value > 0 {
		return b.value - 1
	}
	return x.Make(opName, word, -1, -1)
}

// use records the reference at the identifier n and returns what it stands for.
// args is the argument list of the call that it is the callee of, or -1.
func (x *extractor) use(n int32, kind index.RefKind, args int32, typ bool) int32 {
	if x.nodes[n].Start == x.nodes[n].End {
		return -1
	}
	word := x.word(n)
	e := x.meaning(word, typ)
	switch x.Exprs[e].Op {
	case opLocal:
		if v := x.locals[x.Exprs[e].A].Value; x.isRequired(v) {
			x.site(n, word, kind, v, args)
		}
		return x.narrowed(e)
	case opTypeParam:
		return x.narrowed(e)
	}
	x.site(n, word, kind, e, args)
	return x.narrowed(e)
}

// isRequired reports whether an expression is what require gives, or a part of it.
func (x *extractor) isRequired(e int32) bool {
	for range maxParts {
		if e < 0 {
			return false
		}
		switch v := &x.Exprs[e]; v.Op {
		case opImport:
			return v.A != 1
		case opMember:
			e = v.A
		default:
			return false
		}
	}
	return false
}

// site records a reference whose name is the text of node n.
func (x *extractor) site(n, word int32, kind index.RefKind, e, args int32) {
	call := int32(-1)
	if args >= 0 {
		call = x.arguments(args)
	}
	x.sites = append(x.sites, index.Site{Name: uint32(word), Start: x.nodes[n].Start, In: x.in, Kind: kind, Expr: e, Call: call})
}

// hoist declares what the statements among n's children declare in n's block,
// so that uses before the declaration find it. Variables declared by var are
// the function's; see hoistVars.
func (x *extractor) hoist(n int32) {
	for c, end := n+1, x.nodes[n].Next; c < end; c = x.nodes[c].Next {
		x.hoistStatement(c)
	}
}

func (x *extractor) hoistStatement(n int32) {
	switch x.kind(n) {
	case kLexical:
		x.hoistDeclarators(n)
	case kFunctionDeclaration, kFunctionSignature:
		x.hoistDef(x.child(n, x.g.name), true, false)
	case kClassDeclaration, kEnum:
		x.hoistDef(x.child(n, x.g.name), true, true)
	case kInterface, kTypeAlias:
		x.hoistDef(x.child(n, x.g.name), false, true)
	case kModule:
		if name := x.child(n, x.g.name); name >= 0 && x.kind(name) == kIdentifier {
			x.hoistDef(name, true, true)
		}
	case kAmbient, kExportStatement, kLabeled, kExpressionStatement:
		for c, end := n+1, x.nodes[n].Next; c < end; c = x.nodes[c].Next {
			x.hoistStatement(c)
		}
	case kVariable:
		if x.namespace {
			x.hoistDeclarators(n)
		}
	case kImportAlias:
		if name := x.firstNamed(n); name >= 0 {
			x.hoistDef(name, true, true)
		}
	}
}

func (x *extractor) hoistDeclarators(n int32) {
	for c, end := n+1, x.nodes[n].Next; c < end; c = x.nodes[c].Next {
		if x.kind(c) == kDeclarator {
			x.hoistPattern(x.child(c, x.g.name), x.namespace || x.definesByValue(c))
		}
	}
}

// hoistDef binds a name to a Def that is not made yet.
func (x *extractor) hoistDef(name int32, value, typ bool) {
	if name < 0 {
		return
	}
	word := x.word(name)
	b := &x.bound[word]
	if b.depth == x.depth {
		if old := b.value - 1; value && old >= 0 && x.Exprs[old].Op == opDef {
			value = false
		}
		if old := b.typ - 1; typ && old >= 0 && x.Exprs[old].Op == opDef {
			typ = false
		}
		if !value && !typ {
			return
		}
	}
	x.bind(word, x.Reserve(opDef), value, typ)
}

// hoistPattern binds the names of a pattern to locals, or to Defs.
func (x *extractor) hoistPattern(n int32, def bool) {
	x.eachName(n, func(name int32) {
		if def {
			x.hoistDef(name, true, false)
			return
		}
		word := x.word(name)
		if b := &x.bound[word]; b.depth == x.depth && b.value > 0 {
			return
		}
		x.bind(word, x.newLocal(word, -1, -1), true, false)
	})
}

// hoistVars declares the variables that a function's body declares with var,
// at any depth but inside of other functions.
func (x *extractor) hoistVars(n int32) {
	for i, end := n+1, x.nodes[n].Next; i < end; {
		switch x.kind(i) {
		case kFunctionDeclaration, kFunction, kArrow, kMethod, kClassDeclaration, kClassExpression, kModule:
			i = x.nodes[i].Next
			continue
		case kVariable:
			x.hoistDeclarators(i)
		case kForIn:
			if k := x.child(i, x.g.kind); k >= 0 && string(x.t.Text(k)) == "var" {
				x.hoistPattern(x.child(i, x.g.left), false)
			}
		}
		i++
	}
}

// settle says which Def a hoisted name is; the first declaration counts.
func (x *extractor) settle(word, d int32, typ bool) {
	b := &x.bound[word]
	e := b.value - 1
	if typ {
		e = b.typ - 1
	}
	if e >= 0 && x.Exprs[e].Op == opDef && x.Exprs[e].A < 0 && b.depth == x.depth {
		x.Exprs[e].A = d
	}
}

package golang

// A parameter is one parameter, result or type parameter of a list, by the
// nodes of its name and type, -1 where it has none.
type parameter struct {
	name, typ int32
	variadic  bool
	// isMap says that typ is the rest of a map type behind the word "map".
	isMap bool
}

const mapKeyword = uint32(len("map"))

// eachParameter calls f with each parameter of a list, in order. It mends two
// readings of the grammar: in a long list it may take leading names for types
// (a, b in "a, b, c int"), and in "(T, map[*p.K]V)" it takes T and map for names.
func (x *extractor) eachParameter(list int32, f func(parameter)) {
	named := x.namesParameters(list)
	waiting := len(x.waiting)
	for c, end := list+1, x.nodes[list].Next; c < end; c = x.nodes[c].Next {
		k := x.kind(c)
		if k != kParameter && k != kVariadicParameter && k != kTypeParameter {
			continue
		}
		typ := x.child(c, x.g.typ)
		if named && typ >= 0 && x.child(c, x.g.name) < 0 && x.kind(typ) == kTypeIdentifier {
			x.waiting = append(x.waiting, typ)
			continue
		}
		for _, name := range x.waiting[waiting:] {
			f(parameter{name: name, typ: typ})
		}
		x.waiting = x.waiting[:waiting]
		x.declaredParameters(c, typ, k == kVariadicParameter, f)
	}
	for _, name := range x.waiting[waiting:] {
		f(parameter{name: name, typ: -1})
	}
	x.waiting = x.waiting[:waiting]
}

// namesParameters reports whether some parameter of the list has a name.
func (x *extractor) namesParameters(list int32) bool {
	for c, end := list+1, x.nodes[list].Next; c < end; c = x.nodes[c].Next {
		if k := x.kind(c); k != kParameter && k != kVariadicParameter {
			continue
		}
		if name := x.child(c, x.g.name); name >= 0 {
			typ := x.child(c, x.g.typ)
			return typ < 0 || !x.isMapWord(x.lastName(c), typ)
		}
	}
	return false
}

func (x *extractor) lastName(n int32) int32 {
	last := int32(-1)
	x.eachName(n, func(name int32) { last = name })
	return last
}

// isMapWord reports whether name is the keyword "map" and typ the rest of a map type.
func (x *extractor) isMapWord(name, typ int32) bool {
	return x.kind(typ) == kArrayType && x.nodes[name].End == x.nodes[typ].Start && string(x.t.Text(name)) == "map"
}

// declaredParameters calls f with the parameters of one declaration.
func (x *extractor) declaredParameters(n, typ int32, variadic bool, f func(parameter)) {
	last := x.lastName(n)
	if last < 0 {
		f(parameter{name: -1, typ: typ, variadic: variadic})
		return
	}
	asMap := typ >= 0 && x.isMapWord(last, typ)
	x.eachName(n, func(name int32) {
		switch {
		case !asMap:
			f(parameter{name: name, typ: typ, variadic: variadic})
		case name == last:
			f(parameter{name: -1, typ: typ, isMap: true})
		default:
			f(parameter{name: -1, typ: name})
		}
	})
}

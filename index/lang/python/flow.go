package python

// Values follow the order of the text. At a branch the state of all variables
// is kept, at its end the states are joined; a loop begins with a Local for each
// variable that it binds, whose value is known when the loop has been read.

// A state is what each variable of a function is bound to.
type state []int32

// A loop collects the states in which its body is left.
type loop struct {
	frame      *frame
	at         []int32 // variables
	phis       []int32 // their Locals
	before     []int32 // what they were bound to before
	breaks     []state
	continuing []state
}

func (x *extractor) save() state {
	f := x.function()
	s := make(state, len(f.vars))
	for i := range f.vars {
		s[i] = f.vars[i].cur
	}
	return s
}

func (x *extractor) restore(s state) {
	f := x.function()
	for i := range f.vars {
		if i < len(s) {
			f.vars[i].cur = s[i]
		} else {
			f.vars[i].cur = unbound
		}
	}
}

// join sets each variable to what it can be after any of the states.
func (x *extractor) join(states ...state) {
	f := x.function()
	var values []int32
	for i := range f.vars {
		v := &f.vars[i]
		values = values[:0]
		known := true
		for _, s := range states {
			cur := unbound
			if i < len(s) {
				cur = s[i]
			}
			switch {
			case cur >= 0:
				values = append(values, cur)
			case cur == notKnown, v.path:
				known = false
			}
		}
		switch {
		case !known && v.path:
			v.cur = unbound
		case !known:
			v.cur = notKnown
		case len(values) == 0:
			v.cur = unbound
		default:
			v.cur = x.union(values)
			if v.cur < 0 && v.path {
				v.cur = unbound
			}
		}
	}
}

// joinLive joins those states that are reached; with none of them the first counts.
func (x *extractor) joinLive(states []state, dead []bool) {
	var live []state
	for i, s := range states {
		if !dead[i] {
			live = append(live, s)
		}
	}
	x.function().dead = len(live) == 0
	if len(live) == 0 {
		live = states[:1]
	}
	x.join(live...)
}

// enter begins a loop over the subtree of n.
func (x *extractor) enter(n int32) *loop {
	f := x.function()
	l := &loop{frame: f}
	if f.kind == frameFunction || f.kind == frameLambda {
		seen := map[int32]bool{}
		x.bindings(n, func(word int32, _ bool) {
			if b := x.binding(word); b.frame == f && !seen[b.at] && !f.vars[b.at].outer {
				seen[b.at] = true
				v := &f.vars[b.at]
				l.at, l.before = append(l.at, b.at), append(l.before, v.cur)
				l.phis = append(l.phis, x.local(word, -1, -1))
				v.cur = x.Make(opLocal, -1, l.phis[len(l.phis)-1], -1)
			}
		})
		for i := range f.vars { // what is known of attributes may change in the loop
			if f.vars[i].path {
				f.vars[i].cur = unbound
			}
		}
	}
	f.loops = append(f.loops, l)
	return l
}

func (x *extractor) binding(word int32) binding {
	if int(word) >= len(x.bound) {
		return binding{}
	}
	return x.bound[word]
}

// again closes the loop's body: what its variables hold then, they can hold at
// its beginning. start is the state there.
func (x *extractor) again(l *loop) {
	end := x.save()
	ends := l.continuing
	if !l.frame.dead {
		ends = append(ends, end)
	}
	for i, at := range l.at {
		values := []int32{}
		if l.before[i] != unbound {
			values = append(values, l.before[i])
		}
		for _, s := range ends {
			if int(at) < len(s) && s[at] != unbound {
				values = append(values, s[at])
			}
		}
		x.locals[l.phis[i]].Value = x.union(values)
	}
	l.frame.loops = l.frame.loops[:len(l.frame.loops)-1]
}

// leave records that the innermost loop is left or begun again.
func (x *extractor) leave(again bool) {
	f := x.function()
	if n := len(f.loops); n > 0 && f.kind != frameModule && f.kind != frameClass {
		l := f.loops[n-1]
		if s := x.save(); again {
			l.continuing = append(l.continuing, s)
		} else {
			l.breaks = append(l.breaks, s)
		}
	}
	f.dead = true
}

// bindings calls f with every name that the code of node n binds in its own
// scope; sited says that it is a function, class or import.
func (x *extractor) bindings(n int32, f func(word int32, sited bool)) {
	for i, end := n, x.nodes[n].Next; i < end; {
		next := i + 1
		switch x.kind(i) {
		case kAssignment, kAugmentedAssignment, kForStatement:
			x.targets(x.child(i, x.g.left), f)
		case kNamedExpression:
			x.targets(x.child(i, x.g.name), f)
		case kAsPatternTarget:
			x.targets(x.first(i), f)
		case kAsPattern, kSplatPattern:
			x.caught(i, f)
		case kCasePattern, kKeywordPattern:
			if c := x.captured(i); c >= 0 {
				f(x.word(c), false)
			}
		case kFunctionDefinition, kClassDefinition:
			if name := x.child(i, x.g.name); name >= 0 {
				f(x.word(name), true)
			}
			next = x.nodes[i].Next
		case kLambda:
			next = x.nodes[i].Next
		case kImportStatement, kImportFromStatement:
			x.importedNames(i, func(word int32) { f(word, true) })
			next = x.nodes[i].Next
		}
		i = next
	}
}

// targets calls f with the names that an assignment to n binds.
func (x *extractor) targets(n int32, f func(word int32, sited bool)) {
	if n < 0 || !x.down() {
		if n >= 0 {
			x.up()
		}
		return
	}
	switch x.kind(n) {
	case kIdentifier:
		f(x.word(n), false)
	case kTuplePattern, kListPattern, kPatternList, kListSplatPattern, kTuple, kList, kParenthesizedExpression, kListSplat, kExpressionList:
		x.each(n, func(c int32) { x.targets(c, f) })
	}
	x.up()
}

// caught calls f with the name behind "as" or a star in a match pattern.
func (x *extractor) caught(n int32, f func(word int32, sited bool)) {
	var last int32 = -1
	x.each(n, func(c int32) { last = c })
	if last >= 0 && x.kind(last) == kIdentifier {
		f(x.word(last), false)
	}
}

// captured returns the identifier that a match pattern binds, -1 if it binds none.
func (x *extractor) captured(n int32) int32 {
	var last int32 = -1
	x.each(n, func(c int32) { last = c })
	if last < 0 || x.kind(last) != kDottedName {
		return -1
	}
	name := x.first(last)
	if name < 0 || x.nodes[name].Next != x.nodes[last].Next || x.kind(name) != kIdentifier {
		return -1
	}
	return name
}

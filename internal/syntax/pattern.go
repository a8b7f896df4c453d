//go:build cgo

package syntax

import "slices"

// An element is one node of a pattern.
type element struct {
	kind     uint16
	field    uint16 // 0 any
	wildcard bool   // any kind but ERROR
	named    bool   // with wildcard: named nodes only
	anchored bool   // no named sibling may stand between the element before and this one
	least    uint8  // 0 or 1
	repeats  bool   // adjacent siblings too
	// lastAnchor: no named sibling may follow the last child.
	lastAnchor   bool
	captures     []uint32
	negated      []uint16
	alternatives []element // in place of kind
	children     []element
	inside       bool // captures stand below this element
	// skippable: leaving this optional element out may find what taking it does not.
	skippable bool
}

// A pattern is one pattern of a query: a node, or a sequence of siblings.
type pattern struct {
	// root is the node; for a sequence its children are the sequence and the
	// root is whichever node holds it.
	root     element
	sequence bool
	// pivot is the element of a sequence whose kinds tell which parents to look at.
	pivot   *element
	twice   bool // the same captures can be reached in several ways
	filters []predicate
}

func newPattern(list []element) pattern {
	var p pattern
	if len(list) == 1 && list[0].least == 1 && !list[0].repeats {
		p.root = list[0]
	} else {
		p.sequence = true
		p.root = element{wildcard: true, least: 1, children: list}
		p.pivot = pivot(list)
	}
	p.twice = p.root.settle()
	return p
}

// pivot picks the element that every match of the sequence has and that names
// the fewest kinds; without one, the first.
func pivot(list []element) *element {
	for i := range list {
		if e := &list[i]; e.least == 1 && !e.wildcard && len(e.alternatives) == 0 {
			return e
		}
	}
	for i := range list {
		if list[i].least == 1 {
			return &list[i]
		}
	}
	return &list[0]
}

// settle computes inside for e and all below, and reports whether one match can
// be found twice: by two alternatives that capture, or by two places of an
// element that captures nothing, where an anchor makes both worth trying.
func (e *element) settle() (twice bool) {
	for i := range e.alternatives {
		a := &e.alternatives[i]
		twice = a.settle() || twice
		e.inside = e.inside || a.captured()
	}
	twice = twice || e.inside
	for i := range e.children {
		c := &e.children[i]
		twice = c.settle() || twice
		e.inside = e.inside || c.captured()
		if i > 0 && c.anchored && !e.children[i-1].captured() {
			twice = true
		}
	}
	return e.settleOptional() || twice
}

// settleOptional marks the optional children that an element follows which every
// match has, and which captures.
func (e *element) settleOptional() (twice bool) {
	captured, must := false, false
	for i := len(e.children) - 1; i >= 0; i-- {
		c := &e.children[i]
		c.skippable = c.least == 0 && captured && must
		twice = twice || c.skippable
		captured, must = captured || c.captured(), must || c.least == 1
	}
	return twice
}

// captured reports whether the element or one below it is captured.
func (e *element) captured() bool { return e.inside || len(e.captures) > 0 }

// fits reports whether n can be e by kind and field, its children aside.
func (e *element) fits(n *Node, errorKind uint16) bool {
	if e.field != 0 && e.field != n.Field {
		return false
	}
	if len(e.alternatives) > 0 {
		for i := range e.alternatives {
			if e.alternatives[i].fits(n, errorKind) {
				return true
			}
		}
		return false
	}
	if e.wildcard {
		return n.Kind != errorKind && (!e.named || n.Named())
	}
	return e.kind == n.Kind
}

// A query is a set of patterns, with an index by the kinds they can begin at.
type query struct {
	patterns []pattern
	byKind   [][]uint16
	twofold  int // how many patterns are sequences
	ordinal  []int
}

func newQuery(l *Language, patterns []pattern) *query {
	q := &query{patterns: patterns, byKind: make([][]uint16, len(l.kinds)), ordinal: make([]int, len(patterns))}
	for i := range patterns {
		e := &patterns[i].root
		if patterns[i].sequence {
			e = patterns[i].pivot
			q.ordinal[i] = q.twofold
			q.twofold++
		}
		for kind := range l.kinds {
			n := Node{Kind: uint16(kind)}
			if kind == len(l.named) || l.named[kind] == 1 {
				n.Flags = Named
			}
			if e.couldBe(&n, uint16(len(l.named))) {
				q.byKind[kind] = append(q.byKind[kind], uint16(i))
			}
		}
	}
	return q
}

// couldBe is fits without regard to fields.
func (e *element) couldBe(n *Node, errorKind uint16) bool {
	if len(e.alternatives) > 0 {
		return slices.ContainsFunc(e.alternatives, func(a element) bool { return a.couldBe(n, errorKind) })
	}
	bare := element{kind: e.kind, wildcard: e.wildcard, named: e.named}
	return bare.fits(n, errorKind)
}

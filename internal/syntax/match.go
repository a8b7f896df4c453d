//go:build cgo

package syntax

// A matcher runs a query over a flat tree. Its stacks are as deep as the
// patterns, never as deep as the tree.
type matcher struct {
	tree    *Tree
	query   *query
	nodes   []Node
	failed  uint16 // the kind of ERROR
	current *pattern
	index   uint32          // of current
	first   int             // matches from here on are of the current pattern and root
	heads   map[int64]int32 // of current: the latest match that begins or ends at a node
	links   [][2]int32      // of current: for each match, the one before it in both chains
	stack   []Capture
	todo    []rest
	seen    []uint64 // per sequence pattern, the parents that were looked at
	limit   int      // most captures
	turns   int
	stop    func() bool
	halted  bool
}

// A rest is what remains to be matched after an element: the elements of of
// from i on, against the children of parent from at on.
type rest struct {
	of     *element
	i      int
	parent int32
	at     int32
	again  bool // i-1 repeats: try it once more at exactly at
	next   int32
}

// run fills the tree's Matches and Captures, in the order of their root nodes
// and, for one root, of their patterns. It returns false when it was stopped.
func (m *matcher) run(t *Tree, q *query, limit int, stop func() bool) bool {
	m.tree, m.query, m.nodes, m.limit, m.stop = t, q, t.Nodes, limit, stop
	m.failed, m.halted, m.turns = uint16(len(t.Language.named)), false, 0
	m.prepareSequences()
	if m.heads == nil {
		m.heads = map[int64]int32{}
	}
	for n := range m.nodes {
		for _, i := range q.byKind[m.nodes[n].Kind] {
			m.try(int32(n), i)
			if m.halted {
				return t.Truncated
			}
		}
	}
	return true
}

func (m *matcher) prepareSequences() {
	n := m.query.twofold * (len(m.nodes)/64 + 1)
	if cap(m.seen) < n {
		m.seen = make([]uint64, n)
	}
	m.seen = m.seen[:n]
	clear(m.seen)
}

// try matches pattern i at node n.
func (m *matcher) try(n int32, i uint16) {
	m.current, m.index = &m.query.patterns[i], uint32(i)
	m.first = len(m.tree.Matches)
	m.stack, m.todo = m.stack[:0], m.todo[:0]
	if !m.current.sequence {
		m.node(&m.current.root, n, None)
		return
	}
	parent := m.nodes[n].Parent
	if parent == None {
		return
	}
	bit := m.query.ordinal[i]*(len(m.nodes)/64+1)*64 + int(parent)
	if m.seen[bit/64]>>(bit%64)&1 == 0 {
		m.seen[bit/64] |= 1 << (bit % 64)
		m.list(&m.current.root, 0, parent, parent+1, None)
	}
}

// node matches n with e and goes on with next. It reports whether that led to a match.
func (m *matcher) node(e *element, n, next int32) bool {
	if m.turns++; m.turns%4096 == 0 && m.stop() {
		m.halted = true
	}
	node := &m.nodes[n]
	if m.halted || !e.fits(node, m.failed) {
		return false
	}
	for _, field := range e.negated {
		if m.tree.Child(n, field) != None {
			return false
		}
	}
	depth := len(m.stack)
	for _, id := range e.captures {
		m.stack = append(m.stack, Capture{n, id})
	}
	found := false
	switch {
	case len(e.alternatives) > 0:
		for i := range e.alternatives {
			found = m.node(&e.alternatives[i], n, next) || found
			if found && !e.inside {
				break
			}
		}
	case len(e.children) == 0 && !e.lastAnchor:
		found = m.resume(next)
	default:
		found = m.list(e, 0, n, n+1, next)
	}
	m.stack = m.stack[:depth]
	return found
}

// list matches the elements of e from i on with the children of parent from at on.
func (m *matcher) list(e *element, i int, parent, at, next int32) bool {
	end := m.nodes[parent].Next
	if i == len(e.children) {
		return (!e.lastAnchor || !m.namedIn(at, end)) && m.resume(next)
	}
	c := &e.children[i]
	found := false
	once := !c.captured() && (i+1 == len(e.children) || !e.children[i+1].anchored)
	for child := at; child < end && !m.halted; {
		node := &m.nodes[child]
		after := node.Next
		if c.fits(node, m.failed) && m.element(c, rest{e, i + 1, parent, after, c.repeats, next}, child) {
			found = true
			if once {
				break
			}
			if c.repeats {
				after = m.pastRun(c, after, end)
			}
		}
		if c.anchored && node.Named() && !(m.current.sequence && e == &m.current.root && at == parent+1) {
			break
		}
		child = after
	}
	if c.least == 0 && (!found || c.skippable) {
		return m.list(e, i+1, parent, at, next) || found
	}
	return found
}

// element matches child with c and goes on with r.
func (m *matcher) element(c *element, r rest, child int32) bool {
	depth := len(m.todo)
	m.todo = append(m.todo, r)
	found := m.node(c, child, int32(depth))
	m.todo = m.todo[:depth]
	return found
}

// pastRun returns the first sibling from at on that c does not fit.
func (m *matcher) pastRun(c *element, at, end int32) int32 {
	for at < end && c.fits(&m.nodes[at], m.failed) {
		at = m.nodes[at].Next
	}
	return at
}

func (m *matcher) namedIn(at, end int32) bool {
	for ; at < end; at = m.nodes[at].Next {
		if m.nodes[at].Named() {
			return true
		}
	}
	return false
}

// resume matches what remains, or emits the match when nothing does.
func (m *matcher) resume(next int32) bool {
	if next == None {
		m.emit()
		return true
	}
	r := m.todo[next]
	if r.again && r.at < m.nodes[r.parent].Next {
		more := r
		more.at = m.nodes[r.at].Next
		if m.element(&r.of.children[r.i-1], more, r.at) {
			return true
		}
	}
	return m.list(r.of, r.i, r.parent, r.at, r.next)
}

// emit records the captures on the stack as a match, if its predicates hold.
func (m *matcher) emit() {
	t := m.tree
	if len(t.Captures)+len(m.stack) > m.limit {
		t.Truncated, m.halted = true, true
		return
	}
	match := Match{m.index, uint32(len(t.Captures)), uint32(len(m.stack))}
	t.Captures = append(t.Captures, m.stack...)
	for i := range m.current.filters {
		if !m.current.filters[i].holds(t, match) {
			t.Captures = t.Captures[:match.First]
			return
		}
	}
	if m.current.twice && m.known(match) {
		t.Captures = t.Captures[:match.First]
		return
	}
	t.Matches = append(t.Matches, match)
}

// known reports whether a match of this pattern and root holds all captures of
// match, and otherwise remembers it. A larger match shares the first or the last
// node; of those only the latest are compared, so that the work stays linear.
func (m *matcher) known(match Match) bool {
	if len(m.tree.Matches) == m.first {
		if len(m.heads) > 32 { // clearing costs what the map once held
			m.heads = map[int64]int32{}
		}
		clear(m.heads)
		m.links = m.links[:0]
	}
	captures := m.tree.MatchCaptures(match)
	if len(captures) == 0 {
		return len(m.links) > 0
	}
	first, last := int64(captures[0].Node)*2, int64(captures[len(captures)-1].Node)*2+1
	if m.holds(captures, first, 0) || m.holds(captures, last, 1) {
		return true
	}
	self := int32(len(m.tree.Matches) - m.first)
	m.links = append(m.links, [2]int32{m.head(first), m.head(last)})
	m.heads[first], m.heads[last] = self, self
	return false
}

func (m *matcher) head(key int64) int32 {
	if i, ok := m.heads[key]; ok {
		return i
	}
	return None
}

func (m *matcher) holds(captures []Capture, key int64, side int) bool {
	const latest = 64
	i := m.head(key)
	for range latest {
		if i == None {
			return false
		}
		if contains(m.tree.MatchCaptures(m.tree.Matches[m.first+int(i)]), captures) {
			return true
		}
		i = m.links[i][side]
	}
	return false
}

// contains reports whether part is a subsequence of whole.
func contains(whole, part []Capture) bool {
	for _, c := range whole {
		if len(part) > 0 && part[0] == c {
			part = part[1:]
		}
	}
	return len(part) == 0
}

//go:build cgo

package syntax

import (
	"bytes"
	"iter"
	"slices"
)

// Root returns the root's index, 0.
func (t *Tree) Root() int32 { return 0 }

// Kind returns the name of node n's kind.
func (t *Tree) Kind(n int32) string { return t.Language.kinds[t.Nodes[n].Kind] }

// Text returns the bytes of node n: a part of Src, not a copy.
func (t *Tree) Text(n int32) []byte { return t.Src[t.Nodes[n].Start:t.Nodes[n].End] }

// FirstChild returns n's first child, or None.
func (t *Tree) FirstChild(n int32) int32 {
	if t.Nodes[n].Next == n+1 {
		return None
	}
	return n + 1
}

// NextSibling returns the sibling after n, or None.
func (t *Tree) NextSibling(n int32) int32 {
	node := &t.Nodes[n]
	if node.Parent == None || node.Next >= t.Nodes[node.Parent].Next {
		return None
	}
	return node.Next
}

// PrevSibling returns the sibling before n, or None. It takes time linear in
// the number of siblings before n.
func (t *Tree) PrevSibling(n int32) int32 {
	parent := t.Nodes[n].Parent
	if parent == None {
		return None
	}
	prev := None
	for c := parent + 1; c != n; c = t.Nodes[c].Next {
		prev = c
	}
	return prev
}

// Child returns n's first child that fills field, or None.
func (t *Tree) Child(n int32, field uint16) int32 {
	for c, end := n+1, t.Nodes[n].Next; c < end; c = t.Nodes[c].Next {
		if t.Nodes[c].Field == field {
			return c
		}
	}
	return None
}

// Field returns n's first child that fills the field of that name, or None. It
// looks the name up: where many nodes are asked, look it up once and use Child.
func (t *Tree) Field(n int32, name string) int32 {
	id, ok := t.Language.Field(name)
	if !ok || n == None {
		return None
	}
	return t.Child(n, id)
}

// ChildOfKind returns n's first child of kind, or None.
func (t *Tree) ChildOfKind(n int32, kind uint16) int32 {
	for c, end := n+1, t.Nodes[n].Next; c < end; c = t.Nodes[c].Next {
		if t.Nodes[c].Kind == kind {
			return c
		}
	}
	return None
}

// Children yields n's children in order, anonymous ones included.
func (t *Tree) Children(n int32) iter.Seq[int32] {
	return func(yield func(int32) bool) {
		for c, end := n+1, t.Nodes[n].Next; c < end; c = t.Nodes[c].Next {
			if !yield(c) {
				return
			}
		}
	}
}

// NamedChildren yields n's named children in order, comments included.
func (t *Tree) NamedChildren(n int32) iter.Seq[int32] {
	return func(yield func(int32) bool) {
		for c, end := n+1, t.Nodes[n].Next; c < end; c = t.Nodes[c].Next {
			if t.Nodes[c].Named() && !yield(c) {
				return
			}
		}
	}
}

// Ancestor returns the nearest ancestor of n, n excluded, that is of kind, or None.
func (t *Tree) Ancestor(n int32, kind uint16) int32 {
	for p := t.Nodes[n].Parent; p != None; p = t.Nodes[p].Parent {
		if t.Nodes[p].Kind == kind {
			return p
		}
	}
	return None
}

// At returns the innermost node that contains the byte at offset, or the root.
func (t *Tree) At(offset uint32) int32 {
	n := t.Root()
	for c := t.FirstChild(n); c != None; {
		if t.Nodes[c].Start <= offset && offset < t.Nodes[c].End {
			n, c = c, t.FirstChild(c)
			continue
		}
		c = t.NextSibling(c)
	}
	return n
}

// ErrorNodes yields the nodes that are errors or missing, in preorder.
// It visits only subtrees that contain one.
func (t *Tree) ErrorNodes() iter.Seq[int32] {
	return func(yield func(int32) bool) {
		for n := int32(0); int(n) < len(t.Nodes); {
			node := &t.Nodes[n]
			if node.Flags&HasError == 0 {
				n = node.Next
				continue
			}
			if node.Flags&(Error|Missing) != 0 && !yield(n) {
				return
			}
			n++
		}
	}
}

// MatchCaptures returns the captures of m.
func (t *Tree) MatchCaptures(m Match) []Capture {
	return t.Captures[m.First : m.First+m.Count : m.First+m.Count]
}

// Captured returns the first node that m captured under name, or None.
func (t *Tree) Captured(m Match, name uint32) int32 {
	for _, c := range t.MatchCaptures(m) {
		if c.Name == name {
			return c.Node
		}
	}
	return None
}

// Lines returns the number of lines: one more than there are line feeds.
func (t *Tree) Lines() int { return len(t.lines) }

// LineStart returns the offset at which the 1-based line begins.
func (t *Tree) LineStart(line int) uint32 { return t.lines[line-1] }

// Position returns the 1-based line of offset and the 1-based column in bytes.
// Only a line feed ends a line.
func (t *Tree) Position(offset uint32) (line, col int) {
	i, found := slices.BinarySearch(t.lines, offset)
	if !found {
		i--
	}
	return i + 1, int(offset-t.lines[i]) + 1
}

// Line returns the 1-based line of offset.
func (t *Tree) Line(offset uint32) int {
	line, _ := t.Position(offset)
	return line
}

// appendLines appends the offset of each line's first byte to lines.
func appendLines(lines []uint32, src []byte) []uint32 {
	lines = append(lines, 0)
	for at := 0; ; {
		i := bytes.IndexByte(src[at:], '\n')
		if i < 0 {
			return lines
		}
		at += i + 1
		lines = append(lines, uint32(at))
	}
}

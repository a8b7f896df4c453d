package golang

import (
	"github.com/plumbkit/plumb/index"
	"github.com/plumbkit/plumb/index/lang/internal/extract"
)

// docs follows the comments of a list of declarations, so that each gets the
// group of comments directly above it.
type docs struct {
	group index.Range
	any   bool
}

func (d *docs) comment(x *extractor, n int32) {
	node := &x.nodes[n]
	if d.any && d.group.End <= node.Start && oneLineOn(x.src[d.group.End:node.Start]) {
		d.group.End = node.End
		return
	}
	d.any = extract.FirstOnLine(x.src, node.Start)
	d.group = index.Range{Start: node.Start, End: node.End}
}

// take returns the group that ends on the line above offset, or an empty range.
func (d *docs) take(x *extractor, offset uint32) index.Range {
	if !d.any || d.group.End > offset || !oneLineOn(x.src[d.group.End:offset]) {
		return index.Range{}
	}
	d.any = false
	return d.group
}

// takeLine is take, but where no comment stands above it returns the comment
// behind end on the same line.
func (d *docs) takeLine(x *extractor, offset, end uint32) index.Range {
	if r := d.take(x, offset); r.End > 0 {
		return r
	}
	return trailing(x.src, end)
}

// oneLineOn reports whether gap is white space with exactly one line end.
func oneLineOn(gap []byte) bool { return extract.GapLines(gap) == 1 }

// trailing returns the line comment that follows offset on its line.
func trailing(src []byte, offset uint32) index.Range {
	i := int(offset)
	for i < len(src) && (src[i] == ' ' || src[i] == '\t' || src[i] == ';' || src[i] == ',') {
		i++
	}
	if i+1 >= len(src) || src[i] != '/' || src[i+1] != '/' {
		return index.Range{}
	}
	j := i
	for j < len(src) && src[j] != '\n' && src[j] != '\r' {
		j++
	}
	return index.Range{Start: uint32(i), End: uint32(j)}
}

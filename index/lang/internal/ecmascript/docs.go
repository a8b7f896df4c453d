package ecmascript

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
	if d.any && d.group.End <= node.Start && extract.GapLines(x.src[d.group.End:node.Start]) == 1 && x.src[node.Start+1] == '/' {
		d.group.End = node.End
		return
	}
	d.any = extract.FirstOnLine(x.src, node.Start)
	d.group = index.Range{Start: node.Start, End: node.End}
}

// take returns the group that ends on offset's line or the line above it, or an empty range.
func (d *docs) take(x *extractor, offset uint32) index.Range {
	if !d.any || d.group.End > offset {
		return index.Range{}
	}
	if lines := extract.GapLines(x.src[d.group.End:offset]); lines < 0 || lines > 1 {
		return index.Range{}
	}
	d.any = false
	return d.group
}

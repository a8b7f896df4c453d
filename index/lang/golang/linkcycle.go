package golang

import (
	"slices"

	"github.com/plumbkit/plumb/index"
)

// A cycle holds the definitions whose types are being evaluated, to notice
// those that depend on themselves. These are never remembered, so that no
// answer depends on the order of questions.
type cycle struct {
	stack  []index.Target
	lowest int // of the stack, that a definition above it depends on
}

const noCycle = 1 << 30

// maxChain is how many definitions may follow from one another; what lies
// further is not known. Hand-written code stays below ten.
const maxChain = 1000

func newCycle() *cycle { return &cycle{lowest: noCycle} }

// guard evaluates the question t by f, unless it is being evaluated already.
// The answer is clean when it did not depend on any question still open, or on
// itself.
func (c *cycle) guard(t index.Target, f func() *typ) (found *typ, clean bool) {
	if at := slices.Index(c.stack, t); at >= 0 {
		c.lowest = min(c.lowest, at)
		return nil, false
	}
	if len(c.stack) >= maxChain {
		return nil, true
	}
	depth, outer := len(c.stack), c.lowest
	c.lowest = noCycle
	c.stack = append(c.stack, t)
	found = f()
	c.stack = c.stack[:depth]
	clean = c.lowest == noCycle
	if c.lowest >= depth { // closed here: what lies further out does not depend on it
		c.lowest = noCycle
	}
	c.lowest = min(c.lowest, outer)
	return found, clean
}

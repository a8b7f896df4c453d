package python

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
	level  int // of members and calls that follow from one another
	// steps counts what was evaluated for one site, in whatever file; stop, if
	// set, says that nobody waits for the answer any more.
	steps int
	stop  func() bool
}

// maxWork is how many expressions, of all files, are evaluated for one site:
// calls of unannotated functions that call one another would double the work with
// each. What lies further is not known, and not remembered.
const maxWork = 1 << 16

// spend counts a step; it is false when there have been too many.
func (c *cycle) spend() bool {
	if c.steps++; c.steps%1024 == 0 && c.stop != nil && c.stop() {
		c.steps = maxWork
	}
	if c.steps <= maxWork {
		return true
	}
	c.lowest = 0
	return false
}

const noCycle = 1 << 30

// maxChain is how many definitions may follow from one another; what lies
// further is not known.
const maxChain = 200

// maxLevel is how many members and calls may follow from one another.
const maxLevel = 300

func newCycle() *cycle { return &cycle{lowest: noCycle} }

// guard evaluates the question t by f, unless it is being evaluated already.
// The answer is clean when it did not depend on any question still open, or on
// itself.
func (c *cycle) guard(t index.Target, f func() *typ) (found *typ, clean bool) {
	if at := slices.Index(c.stack, t); at >= 0 {
		c.lowest = min(c.lowest, at)
		return pendingType(), false
	}
	if len(c.stack) >= maxChain {
		c.lowest = 0
		return nil, false
	}
	depth, outer := len(c.stack), c.lowest
	c.lowest = noCycle
	c.stack = append(c.stack, t)
	found = f()
	c.stack = c.stack[:depth]
	clean = c.lowest >= depth
	if clean && c.lowest != noCycle { // it depends on itself alone
		c.lowest = noCycle
	}
	c.lowest = min(c.lowest, outer)
	return found, clean
}

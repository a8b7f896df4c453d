package python

import (
	"context"
	"slices"

	"github.com/plumbkit/plumb/index"
)

// A cycle holds the definitions whose types are being evaluated, to notice
// those that depend on themselves. These are never remembered, so that no
// answer depends on the order of questions.
type cycle struct {
	stack  []index.Target
	lowest int // of the stack, that a definition above it depends on; -1 where a limit cut it short
	level  int // of members and calls that follow from one another
	// steps counts what was evaluated for one site, in whatever file; what is
	// remembered counts for what it took when it was evaluated. limit bounds it.
	steps, limit int
	// top is how far the stack and the level have gone.
	top effort
	// over says that a limit was exceeded: the site has no answer then, because what
	// was found until there depends on the order in which it was looked for.
	over bool
	// stop, if set, says that nobody waits for the answer any more.
	stop func() bool
}

// An effort is what an evaluation takes when nothing of it is remembered: steps, and
// how much deeper the chain of definitions and the level become.
type effort struct{ steps, chain, level int }

// maxWork is how many expressions, of all files, are evaluated for one site:
// calls of unannotated functions that call one another would double the work with
// each. What lies further is not known, and not remembered.
const maxWork = 1 << 16

const noCycle = 1 << 30

// maxChain is how many definitions may follow from one another; what lies
// further is not known.
const maxChain = 200

// maxLevel is how many members and calls may follow from one another.
const maxLevel = 300

func (l *linker) newCycle(ctx context.Context) *cycle {
	return &cycle{lowest: noCycle, limit: l.work, stop: func() bool { return ctx.Err() != nil }}
}

// begin starts the next site.
func (c *cycle) begin() { c.steps, c.over, c.lowest, c.top = 0, false, noCycle, effort{} }

// exceed notes that a limit was exceeded.
func (c *cycle) exceed() { c.over, c.lowest = true, -1 }

// spend counts a step; it is false when there have been too many.
func (c *cycle) spend() bool {
	if c.steps++; c.steps%1024 == 0 && c.stop != nil && c.stop() {
		c.steps = c.limit + 1
	}
	if c.steps > c.limit {
		c.exceed()
	}
	return c.steps <= c.limit
}

// deeper goes one level down, unless there are too many.
func (c *cycle) deeper() bool {
	if c.level > maxLevel {
		c.exceed()
		return false
	}
	c.level++
	c.top.level = max(c.top.level, c.level)
	return true
}

// measured evaluates f and returns what it took.
func (c *cycle) measured(f func()) effort {
	outer, from := c.top, c.steps
	c.top = effort{chain: len(c.stack), level: c.level}
	f()
	took := effort{c.steps - from, c.top.chain - len(c.stack), c.top.level - c.level}
	c.top.chain, c.top.level = max(c.top.chain, outer.chain), max(c.top.level, outer.level)
	return took
}

// charge counts what is remembered as if it were evaluated now.
func (c *cycle) charge(e effort) {
	c.steps += e.steps
	chain, level := len(c.stack)+e.chain, c.level+e.level
	c.top.chain, c.top.level = max(c.top.chain, chain), max(c.top.level, level)
	if c.steps > c.limit || chain > maxChain || level > maxLevel+1 {
		c.exceed()
	}
}

// guard evaluates the question t by f, unless it is being evaluated already.
// The answer is clean when it did not depend on any question still open, or on
// itself, and no limit cut it short.
func (c *cycle) guard(t index.Target, f func() *typ) (found *typ, clean bool) {
	if at := slices.Index(c.stack, t); at >= 0 {
		c.lowest = min(c.lowest, at)
		return pendingType(), false
	}
	if len(c.stack) >= maxChain {
		c.exceed()
		return nil, false
	}
	depth, outer := len(c.stack), c.lowest
	c.lowest = noCycle
	c.stack = append(c.stack, t)
	c.top.chain = max(c.top.chain, len(c.stack))
	found = f()
	c.stack = c.stack[:depth]
	clean = c.lowest >= depth
	if clean && c.lowest != noCycle { // it depends on itself alone
		c.lowest = noCycle
	}
	c.lowest = min(c.lowest, outer)
	return found, clean
}

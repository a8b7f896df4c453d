package budget

import (
	"fmt"
	"strings"

	"github.com/plumbkit/plumb/host/fault"
)

// tooSmall is the answer when not even the seeds fit.
func (q *collection) tooSmall(layers map[Layer][]*piece, frame int) error {
	least, tokens := frame, make(map[Layer]int)
	items := make(map[Layer]int)
	for _, l := range Layers() {
		for _, p := range layers[l] {
			_, n := p.least()
			tokens[l] += n
			items[l]++
			if p.must {
				least += n
			}
		}
	}
	return &fault.Fault{Class: fault.BudgetExceeded, Op: "budget.collect", Subject: fault.Subject{Text: q.in.Task.ID},
		Detail: fmt.Sprintf("%d tokens do not hold the task and its seeds, which take at least %d; out fell %s; %d tokens would hold everything",
			q.config.Total, least, fallen(items, tokens), q.out.Smallest),
		State: "nothing was collected", Next: fmt.Sprintf("raise the total to at least %d tokens, or name fewer symbols", least)}
}

// Exceeded returns what fell out of a Context as a budget_exceeded fault: layer
// by layer, with the smallest total that would hold it; nil when nothing did.
// What the same content stands in for did not fall out.
func (c *Context) Exceeded() error {
	items, tokens := make(map[Layer]int), make(map[Layer]int)
	n := 0
	for _, d := range c.Dropped {
		if d.Tokens > 0 {
			items[d.Layer]++
			tokens[d.Layer] += d.Tokens
			n++
		}
	}
	if n == 0 {
		return nil
	}
	return &fault.Fault{Class: fault.BudgetExceeded, Op: "budget.collect", Subject: fault.Subject{Text: c.Task},
		Detail: fmt.Sprintf("%d of %d candidates do not fit into %d tokens; out fell %s", n, c.Candidates, c.Total, fallen(items, tokens)),
		State:  fmt.Sprintf("a context of %d tokens was collected", c.Used), Next: fmt.Sprintf("raise the total to %d tokens, which holds everything", c.Smallest)}
}

func fallen(items, tokens map[Layer]int) string {
	var parts []string
	for _, l := range Layers() {
		if items[l] > 0 {
			parts = append(parts, fmt.Sprintf("%s: %d items of at least %d tokens", l, items[l], tokens[l]))
		}
	}
	return strings.Join(parts, ", ")
}

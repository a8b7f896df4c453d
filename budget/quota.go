package budget

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/plumbkit/plumb/host/fault"
	"github.com/plumbkit/plumb/index"
)

// LayeredQuota is the default Collector. It seeds from the task's names and
// words, spreads along the index, sorts what it finds into six layers, and
// fills each layer up to its quota; what a layer does not need flows on, as
// allot says. The zero value is ready for use, and safe for concurrent use
// when its fields are not changed.
type LayeredQuota struct {
	// Config shares out the budget; nil is Standard.
	Config *Config
	// Counter counts tokens; nil is Estimate.
	Counter Counter
	// Spread bounds how far collection goes.
	Spread Spread
	// History tells the last commits of files; nil leaves them out, and the ledger says so.
	History History
	// Outline makes a first stage of BUD-10: seeds and what they reach come as
	// signatures only, and the reader asks for definitions by symbol.
	Outline bool
	// Strict makes anything left out an error: budget_exceeded, with the Context.
	Strict bool
}

// collection is the state of one Collect.
type collection struct {
	*LayeredQuota
	ctx     context.Context
	in      Input
	config  Config
	counter Counter
	snap    *index.Snapshot
	sources *sources
	callers map[string][]string
	files   []index.File
	out     *Context
}

// Collect implements Collector. With in.Want it is the second stage: the
// symbols asked for are seeds before all others, come in full where possible,
// and each request is answered in the Context, unknown names with near ones.
func (l *LayeredQuota) Collect(ctx context.Context, in Input) (*Context, error) {
	q, err := l.start(ctx, in)
	if err != nil {
		return nil, err
	}
	q.wanted()
	seeds, err := seedsOf(ctx, q.snap, q.sources, q.in.Task, q.config)
	if err != nil {
		return nil, err
	}
	q.out.Seeds, q.out.Ambiguities = seeds.seeds, seeds.ambiguous
	q.styles()
	if done, err := q.whole(); done || err != nil {
		return q.result(err)
	}
	all, err := q.recall(seeds)
	if err != nil {
		return nil, err
	}
	q.out.Candidates = len(all)
	return q.result(q.choose(q.pieces(all)))
}

func (q *collection) result(err error) (*Context, error) {
	if err != nil {
		return nil, err
	}
	if q.Strict && len(q.out.Dropped) > 0 {
		return q.out, q.out.Exceeded()
	}
	return q.out, nil
}

func (l *LayeredQuota) start(ctx context.Context, in Input) (*collection, error) {
	q := &collection{LayeredQuota: l, ctx: ctx, in: in, config: Standard(), counter: Counter(Estimate{}), snap: in.Snapshot}
	if l.Config != nil {
		q.config = *l.Config
	}
	if l.Counter != nil {
		q.counter = l.Counter
	}
	if in.Total != 0 {
		q.config.Total = in.Total
	}
	if in.Snapshot == nil {
		return nil, &fault.Fault{Class: fault.InvalidInput, Op: "budget.collect", Detail: "there is no snapshot to collect from", State: "nothing was collected", Next: "index the repository first"}
	}
	if err := q.config.Check(); err != nil {
		return nil, err
	}
	if err := in.Task.Check(); err != nil {
		return nil, err
	}
	q.sources = newSources(in.Snapshot)
	q.out = &Context{Schema: 1, Task: in.Task.ID, Requirement: in.Task.Requirement, Index: in.Snapshot.Digest(), Total: q.config.Total, Counter: nameOf(q.counter),
		Ambiguities: []Ambiguity{}, Layers: []Use{}, Items: []Item{}, Dropped: []Drop{}}
	for _, c := range in.Task.Capabilities {
		q.out.Acceptance = append(q.out.Acceptance, c.ID+": "+c.Sentence)
	}
	return q, nil
}

// recall finds all candidates.
func (q *collection) recall(seeds *seeder) ([]*candidate, error) {
	p := newSpreader(q.ctx, q.snap, q.sources, q.Spread, q.config.Window)
	if err := p.run(seeds.seeds); err != nil {
		return nil, err
	}
	lines := p.folds(seeds)
	q.callers = p.callers
	var all []*candidate
	for _, id := range slices.Sorted(maps.Keys(p.found)) {
		c := p.found[id]
		if q.Outline && c.layer != Signatures {
			c.layer = Signatures
		}
		all = append(all, c)
	}
	all = append(all, lines...)
	if q.Outline {
		return all, nil
	}
	all = append(all, mergeSites(p.sites)...)
	around, err := q.configHistory(p, seeds)
	return append(all, around...), err
}

// choose counts, allots and puts in order.
func (q *collection) choose(layers map[Layer][]*piece) error {
	frame := q.counter.Count(q.out.frame(leftOutBound(q.out)))
	room := q.config.Total - frame
	for {
		uses, taken, ok := allot(max(room, 0), q.config.Shares, layers)
		if !ok || room <= 0 {
			q.out.Smallest = frame + smallest(q.config.Shares, layers)
			return q.tooSmall(layers, frame)
		}
		items, dropped := q.take(layers, taken)
		q.out.Layers, q.out.Items = uses, items
		q.out.Dropped = append(slices.Clone(q.out.Dropped[:q.repeated()]), dropped...)
		q.out.Used = q.counter.Count(q.out.Text())
		if q.out.Used <= q.config.Total {
			q.out.Smallest = q.out.Used
			if len(dropped) > 0 {
				q.out.Smallest = frame + smallest(q.config.Shares, layers)
			}
			q.settle()
			return nil
		}
		room -= q.out.Used - q.config.Total // a Counter whose parts add up to less than the whole
	}
}

// repeated counts the drops that were made before quotas came in.
func (q *collection) repeated() int {
	n := 0
	for n < len(q.out.Dropped) && q.out.Dropped[n].Tokens == 0 {
		n++
	}
	return n
}

// settle makes the layers' count of drops agree with the ledger.
func (q *collection) settle() {
	for i := range q.out.Layers {
		u := &q.out.Layers[i]
		u.Dropped = 0
		for _, d := range q.out.Dropped {
			if d.Layer == u.Layer {
				u.Dropped++
			}
		}
	}
}

func (q *collection) take(layers map[Layer][]*piece, taken map[*piece]int) (items []Item, dropped []Drop) {
	var in []*piece
	for _, l := range Layers() {
		for _, p := range layers[l] {
			p.took = taken[p]
			if p.took < 0 {
				_, least := p.least()
				dropped = append(dropped, q.dropped(p, least, fmt.Sprintf("its layer's quota is used up: the least form takes %d tokens", least)))
				continue
			}
			in = append(in, p)
		}
	}
	for _, p := range inOrder(in) {
		it := q.item(p, p.took)
		it.Tokens, _ = p.tokens(p.took)
		items = append(items, it)
	}
	return items, dropped
}

func (q *collection) dropped(p *piece, tokens int, why string) Drop {
	file, line := p.sym.Span.File, p.sym.Span.Line
	if p.file != "" {
		file, line = p.file, p.lines[0]+1
	}
	return Drop{Layer: p.layer, Symbol: p.sym.ID, File: file, Line: max(line, 1), Tokens: tokens, Why: p.why + "; " + why}
}

func (q *collection) drop(p *piece, tokens int, why string) {
	q.out.Dropped = append(q.out.Dropped, q.dropped(p, tokens, why))
}

package budget

import "github.com/plumbkit/plumb/index"

// wanted turns the symbols asked for in the second stage into seeds that come
// before all others, and records what came of each request (BUD-10). Requests
// of the first Context stay in the record.
func (q *collection) wanted() {
	if q.in.First != nil {
		q.out.Requests = append(q.out.Requests, q.in.First.Requests...)
	}
	var seeds []SeedConfig
	for _, name := range q.in.Want {
		r := Request{Name: name}
		var defs []index.Symbol
		for _, d := range q.snap.Definitions(name).Sure {
			if d.Kind != index.KindPackage {
				defs = append(defs, d)
			}
		}
		switch ids := identities(defs); {
		case len(ids) == 1:
			r.Got = defs[0].ID
			seeds = append(seeds, SeedConfig{Symbol: name, Why: "asked for in the second stage", Confidence: "high"})
		case len(ids) > 1:
			r.Near = ids
		default:
			r.Near = q.snap.Near(name, 5)
		}
		q.out.Requests = append(q.out.Requests, r)
	}
	if q.in.First != nil {
		for _, s := range q.in.First.Seeds {
			seeds = append(seeds, SeedConfig{Symbol: s.Symbol, Why: s.Why, Confidence: s.Confidence})
		}
	}
	q.config.Seeds = append(seeds, q.config.Seeds...)
}

package verify

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"
	"sync"

	"github.com/plumbkit/plumb/host/fault"
	"github.com/plumbkit/plumb/index"
	"github.com/plumbkit/plumb/patch"
)

// A plant is a failure to be planted in one changed file.
type plant struct {
	file  string
	data  []byte
	tests []TestID
}

// maxPlants bounds the runs that look for a proof, maxWitnesses the tests of each.
const (
	maxPlants    = 3
	maxWitnesses = 5
)

// proof plants a failure in a changed file and looks whether a test turns red
// (VER-24): only then did the tests execute the bytes of the change, and not an
// installed or linked copy of the original. Where the change keeps tests from
// being built, that says as much.
func (q *inquiry) proof(ctx context.Context, l *Layer, against []Result) error {
	if slices.ContainsFunc(against, func(r Result) bool { return r.After == BuildFailed && r.Attribution == Regression }) {
		return nil
	}
	plants, err := q.plants()
	if err != nil {
		return err
	}
	for _, p := range plants {
		set := *q.change.set
		set.Files, set.Hunks = slices.Clone(set.Files), nil
		for i := range set.Files {
			if set.Files[i].Path == p.file {
				set.Files[i].New = p.data
			}
		}
		red, err := q.turnsRed(ctx, &set, p.tests)
		if red || err != nil {
			return err
		}
	}
	l.Status = LayerEnvironment
	l.Next = "see that the tests import the files of the tree they run in, and not an installed or linked copy"
	if len(plants) == 0 {
		l.Next = "add a test that runs what changed: none that was selected leads there"
	}
	l.find("not_executed", fmt.Sprintf("no test noticed a failure planted in the changed files (%s), so that nothing shows that the change was executed",
		tried(plants)), at(q.change.files))
	return nil
}

func tried(plants []plant) string {
	if len(plants) == 0 {
		return "none could be planted"
	}
	var out []string
	for _, p := range plants {
		out = append(out, p.file)
	}
	slices.Sort(out)
	return strings.Join(slices.Compact(out), ", ")
}

// turnsRed runs tests on a tree with the planted set.
func (q *inquiry) turnsRed(ctx context.Context, set *patch.Set, tests []TestID) (bool, error) {
	tree, err := q.trees.with(ctx, set)
	if err != nil {
		return false, err
	}
	got, err := q.exec(ctx, tree, "planted", Run{Tests: tests})
	if errors.Is(err, fault.Environment) && ctx.Err() == nil {
		return false, q.trees.drop(tree) // the tool itself reads the file, as its settings; no test was run
	}
	if err != nil {
		return false, err
	}
	for _, o := range got {
		if o.Status.colour() != red {
			continue
		}
		if q.outcomes[o.Test].Status.colour() == green || strings.Contains(o.Output+o.Reason, index.PlantMark) {
			return true, q.trees.drop(tree)
		}
	}
	return false, q.trees.drop(tree)
}

// plants lists what can be planted, most telling first: a failure at the start
// of a changed function that a test reaches, then a break of a whole changed
// file, then, of files that are no code, other content.
func (q *inquiry) plants() ([]plant, error) {
	var out []plant
	if p, ok, err := q.plantFunction(); err != nil {
		return nil, err
	} else if ok {
		out = append(out, p)
	}
	files := slices.Clone(q.change.files)
	slices.SortStableFunc(files, func(a, b string) int { // what is no code may stop the tool
		return cmp.Compare(q.remote(a), q.remote(b))
	})
	for _, file := range files {
		now, ok := q.in.After.File(file)
		if !ok || now.Hash == "" || now.Skipped != "" || len(out) >= maxPlants {
			continue
		}
		src, err := q.in.After.Source(file)
		if err != nil {
			return nil, err
		}
		p := plant{file: file, tests: q.witnesses(file)}
		lang := q.in.After.Language(file)
		switch {
		case len(p.tests) == 0:
			continue
		case lang != nil && lang.Plant != nil:
			if p.data, ok = lang.Plant(src, index.Symbol{}); !ok {
				continue
			}
		case lang == nil:
			p.data = []byte(index.PlantMark + "\n")
		default:
			continue
		}
		out = append(out, p)
	}
	return out, nil
}

// remote is the smaller the likelier a test executes the file: code, then what
// tests read, then what no language reads.
func (q *inquiry) remote(file string) int {
	switch {
	case q.in.After.Language(file) == nil:
		return 2
	case q.isFixture(file):
		return 1
	}
	return 0
}

// plantFunction plants in the changed function that is nearest to a test that passed.
func (q *inquiry) plantFunction() (plant, bool, error) {
	type candidate struct {
		lead
		test TestID
	}
	var all []candidate
	for id, leads := range q.chosen.leads {
		if q.outcomes[id].Status.colour() != green {
			continue
		}
		for _, l := range leads {
			if l.symbol.Body < l.symbol.Span.End && l.depth > 0 {
				all = append(all, candidate{l, id})
			}
		}
	}
	slices.SortFunc(all, func(a, b candidate) int {
		return cmp.Or(cmp.Compare(a.depth, b.depth), cmp.Compare(a.symbol.ID, b.symbol.ID), compareTests(a.test, b.test))
	})
	for i, c := range all {
		lang := q.in.After.Language(c.symbol.Span.File)
		if lang == nil || lang.Plant == nil {
			continue
		}
		src, err := q.in.After.Source(c.symbol.Span.File)
		if err != nil {
			return plant{}, false, err
		}
		data, ok := lang.Plant(src, c.symbol)
		if !ok {
			continue
		}
		p := plant{file: c.symbol.Span.File, data: data}
		for _, o := range all[i:] {
			if o.symbol.ID == c.symbol.ID && len(p.tests) < maxWitnesses {
				p.tests = append(p.tests, o.test)
			}
		}
		return p, true, nil
	}
	return plant{}, false, nil
}

// witnesses returns tests that ran and that a break of the file must reach: those
// that stand in it or lead to a changed symbol of it, else those of its folder, of
// who names it, or whose files import it, directly or not.
func (q *inquiry) witnesses(file string) []TestID {
	var out []TestID
	dir, _ := q.packageAbove(file)
	importing := sync.OnceValue(func() map[string]string { return q.importers(q.in.After, []string{file}) })
	for _, s := range []func(TestID) bool{
		func(id TestID) bool {
			return q.outcomes[id].Status.colour() == green && (id.File != "" && path.Join(id.Dir, id.File) == file || slices.ContainsFunc(q.chosen.leads[id], func(l lead) bool { return l.symbol.Span.File == file }))
		},
		func(id TestID) bool { return id.Dir == dir },
		func(id TestID) bool { return q.chosen.chosen[id] != nil && direct(q.chosen.chosen[id].source) },
		func(id TestID) bool {
			return id.File != "" && importing()[path.Join(id.Dir, id.File)] != "" && q.outcomes[id].Status.colour() == green
		},
	} {
		for _, id := range q.tests.all {
			if o, ran := q.outcomes[id]; ran && o.Status != NotRun && s(id) && len(out) < maxWitnesses {
				out = append(out, id)
			}
		}
		if len(out) > 0 {
			break
		}
	}
	return out
}

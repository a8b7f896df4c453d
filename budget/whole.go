package budget

import (
	"path"
	"sort"
	"strings"

	"github.com/plumbkit/plumb/index"
)

// whole takes a small repository in as a whole, file by file, when it fits
// (BUD-14). It reports false when the repository is not small, holds files that
// cannot be read, or does not fit.
func (q *collection) whole() (bool, error) {
	if !q.snap.Small() || q.Outline {
		return false, nil
	}
	var items []Item
	var held []Drop
	files := q.snap.Files()
	seeded := make(map[string]bool)
	for _, s := range q.out.Seeds {
		if sym, ok := q.snap.Symbol(s.Symbol); ok {
			seeded[sym.Span.File] = true
		}
	}
	sort.SliceStable(files, func(i, j int) bool { return seeded[files[i].Path] && !seeded[files[j].Path] })
	size := 0
	for _, f := range files {
		if private(f.Path) {
			held = append(held, Drop{Layer: ConfigHistory, File: f.Path, Line: 1, Why: "its name says that it holds secrets"})
			continue
		}
		if size += f.Size; size > 8*q.config.Total || f.Skipped != "" {
			return false, nil
		}
		src, err := q.sources.get(f.Path)
		if err != nil {
			return false, nil
		}
		items = append(items, wholeFile(src, f, seeded[f.Path]))
	}
	if !q.takeWhole(items) {
		return false, nil
	}
	q.out.Dropped = append(q.out.Dropped, held...)
	return true, nil
}

func (q *collection) takeWhole(items []Item) bool {
	uses := make(map[Layer]*Use)
	for _, l := range Layers() {
		uses[l] = &Use{Layer: l, Quota: int(q.config.Shares[l] * float64(q.config.Total))}
	}
	for i := range items {
		items[i].Tokens = q.counter.Count(items[i].render())
		u := uses[items[i].Layer]
		u.Used += items[i].Tokens
		u.Items++
		u.Received = max(0, u.Used-u.Quota)
	}
	try := *q.out
	try.Whole, try.Items, try.Candidates = true, items, len(items)
	try.Used = q.counter.Count(try.Text())
	if try.Used > q.config.Total {
		return false
	}
	try.Smallest = try.Used
	for _, l := range Layers() {
		try.Layers = append(try.Layers, *uses[l])
	}
	*q.out = try
	return true
}

// wholeFile puts a file into the layer that fits it: tests, configuration and
// documents, or definitions.
func wholeFile(src *source, f index.File, seeded bool) Item {
	it := Item{Layer: Definitions, Form: Whole, Why: "the repository is small and goes in as a whole", Origin: f.Origin, Complete: true, Text: strings.TrimRight(src.text, "\n"),
		Span: index.Span{File: f.Path, Hash: f.Hash, End: len(src.text), Line: 1, Col: 1}}
	switch {
	case f.Origin == index.Test:
		it.Layer = Tests
	case f.Language == "" || isDocument(f.Path):
		it.Layer = ConfigHistory
	}
	if seeded {
		it.Why += "; it holds a seed"
	}
	return it
}

func isDocument(file string) bool {
	switch strings.ToLower(path.Ext(file)) {
	case ".md", ".markdown", ".rst", ".adoc", ".txt":
		return true
	}
	return false
}

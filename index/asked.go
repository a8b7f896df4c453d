package index

import "sync"

// asked are the paths that a Linker asked Universe.Has for.
type asked struct {
	all   sync.Map
	saved []askedPath // of a loaded Snapshot, beside all
}

type askedPath struct {
	path string
	yes  bool
}

func newAsked() *asked { return &asked{} }

func (a *asked) Store(path string, yes bool) { a.all.Store(path, yes) }

// same reports whether has still gives every answer.
func (a *asked) same(has func(string) bool) bool {
	same := true
	a.each(func(path string, yes bool) bool {
		same = has(path) == yes
		return same
	})
	return same
}

func (a *asked) take(from *asked) {
	from.each(func(path string, yes bool) bool {
		a.all.Store(path, yes)
		return true
	})
}

func (a *asked) each(visit func(path string, yes bool) bool) {
	for _, s := range a.saved {
		if !visit(s.path, s.yes) {
			return
		}
	}
	a.all.Range(func(path, yes any) bool { return visit(path.(string), yes.(bool)) })
}

func (a *asked) list() []askedPath {
	var out []askedPath
	a.each(func(path string, yes bool) bool {
		out = append(out, askedPath{path, yes})
		return true
	})
	return out
}

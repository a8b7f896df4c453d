package indextest

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"path"
	"slices"
	"strings"
)

// A Mutator makes random next states of a repository out of its own lines, so
// that it needs to know no language: most states are wrong programs, which an
// index has to survive as well.
type Mutator struct {
	// Did says in words what the last Next did.
	Did    string
	random *rand.Rand
	pool   []string // blocks of lines of the first state
	origin Files
}

// NewMutator returns a Mutator whose states depend on files and seed only.
func NewMutator(files Files, seed uint64) *Mutator {
	m := &Mutator{random: rand.New(rand.NewPCG(seed, 0)), origin: files}
	for _, p := range files.Sorted() {
		m.pool = append(m.pool, strings.SplitAfter(files[p], "\n\n")...)
	}
	return m
}

// Next returns the state after one to three changes.
func (m *Mutator) Next(state Files) Files {
	next := maps.Clone(state)
	m.Did = ""
	for range 1 + m.random.IntN(3) {
		m.change(next)
	}
	return next
}

func (m *Mutator) change(f Files) {
	paths := f.Sorted()
	if len(paths) == 0 {
		f["again"+path.Ext(m.origin.Sorted()[0])] = m.block()
		return
	}
	p := paths[m.random.IntN(len(paths))]
	switch m.random.IntN(10) {
	case 0:
		m.say("delete %s", p)
		delete(f, p)
	case 1:
		to := path.Join(path.Dir(p), fmt.Sprintf("r%d_%s", m.random.IntN(3), path.Base(p)))
		m.say("rename %s to %s", p, to)
		f[to] = f[p]
		delete(f, p)
	case 2:
		other := paths[m.random.IntN(len(paths))]
		to := path.Join(path.Dir(other), fmt.Sprintf("n%d%s", m.random.IntN(3), path.Ext(p)))
		m.say("copy %s to %s", p, to)
		f[to] = f[p]
	case 3:
		f[p] = m.inLines(f[p], func(lines []string, at int) []string { return slices.Delete(lines, at, at+1) })
		m.say("drop a line of %s", p)
	case 4:
		f[p] = m.inLines(f[p], func(lines []string, at int) []string { return slices.Insert(lines, at, "\n", "\n") })
		m.say("blank lines into %s", p)
	case 5:
		f[p] += "\n" + m.block()
		m.say("a block at the end of %s", p)
	case 6:
		f[p] = strings.Replace(f[p], m.word(f[p]), m.word(f[p]), 1)
		m.say("another word in %s", p)
	case 7:
		q := m.origin.Sorted()[m.random.IntN(len(m.origin))]
		f[q] = m.origin[q]
		m.say("restore %s", q)
	case 8:
		ext := path.Ext(paths[m.random.IntN(len(paths))])
		to := strings.TrimSuffix(p, path.Ext(p)) + ext
		m.say("rename %s to %s", p, to)
		text := f[p]
		delete(f, p)
		f[to] = text
	default:
		f[p] = m.inLines(f[p], func(lines []string, at int) []string {
			other := m.random.IntN(len(lines))
			lines[at], lines[other] = lines[other], lines[at]
			return lines
		})
		m.say("swap lines of %s", p)
	}
}

func (m *Mutator) say(format string, args ...any) { m.Did += fmt.Sprintf(format, args...) + "; " }

func (m *Mutator) block() string { return m.pool[m.random.IntN(len(m.pool))] }

func (m *Mutator) word(text string) string {
	words := strings.FieldsFunc(text, func(r rune) bool { return !(r == '_' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z') })
	if len(words) == 0 {
		return "x"
	}
	return words[m.random.IntN(len(words))]
}

func (m *Mutator) inLines(text string, edit func(lines []string, at int) []string) string {
	lines := strings.SplitAfter(text, "\n")
	return strings.Join(edit(lines, m.random.IntN(len(lines))), "")
}

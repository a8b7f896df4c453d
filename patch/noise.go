package patch

import (
	"slices"

	"github.com/plumbkit/plumb/index"
)

// cleanNoise compares original and result of every edited file and puts back
// what changed without being asked for (PAT-13).
func (b *builder) cleanNoise() error {
	var total noiseCount
	total.byClass = map[HunkClass]int{}
	touched := false
	for i := range b.set.Files {
		f := &b.set.Files[i]
		if (f.Op != Modified && f.Op != Renamed) || isBinary(f.Old) || isBinary(f.New) {
			continue
		}
		cleaned := b.cleanFile(f, &total)
		touched = touched || string(cleaned) != string(f.New)
		f.New = cleaned
	}
	b.set.Files = slices.DeleteFunc(b.set.Files, func(f File) bool {
		return f.Op == Modified && string(f.Old) == string(f.New) && (f.OldMode == f.NewMode || sameMode(f.OldMode, f.NewMode))
	})
	b.set.Noise = total.noise()
	b.set.Noise.AsCame = b.in.AsCame
	if !touched {
		return nil
	}
	return b.overlay()
}

// A noiseCount counts changed lines and noise among them.
type noiseCount struct {
	changed, noisy, restored int
	left                     int // noise lines that stay
	byClass                  map[HunkClass]int
}

func (c *noiseCount) count(class HunkClass, lines int, restored bool) {
	c.noisy += lines
	c.byClass[class] += lines
	if restored {
		c.restored += lines
	} else {
		c.left += lines
	}
}

func (c *noiseCount) noise() Noise {
	n := Noise{Restored: c.restored}
	if c.changed > 0 {
		n.Before = float64(c.noisy) / float64(c.changed)
	}
	if rest := c.changed - c.restored; rest > 0 {
		n.After = float64(c.left) / float64(rest)
	}
	if len(c.byClass) > 0 {
		n.ByClass = c.byClass
	}
	return n
}

// drops reports whether noise of a class is put back.
func (b *builder) drops(class HunkClass) bool {
	return noisy(class) && !b.in.AsCame && !b.a.KeepNoise && !slices.Contains(b.a.Keep, class)
}

// cleanFile returns the result without noise.
func (b *builder) cleanFile(f *File, total *noiseCount) []byte {
	from := f.Path
	if f.From != "" {
		from = f.From
	}
	lang := b.in.Before.Language(f.Path)
	now := f.New
	total.changed += countChanged(f.Old, now)
	for _, move := range []struct {
		class HunkClass
		back  func() []byte
	}{
		{Reordered, func() []byte { return b.backInOrder(from, f, now) }},
		{ImportOrder, func() []byte { return backInImports(b.in.Before.Imports(from), b.after.Imports(f.Path), f.Old, now) }},
	} {
		back := move.back()
		saved := countChanged(f.Old, now) - countChanged(f.Old, back)
		if back == nil || saved <= 0 {
			continue
		}
		restored := b.drops(move.class) && b.stillParses(f, back)
		total.count(move.class, saved, restored)
		if restored {
			now = back
		}
	}
	old, result := newTokenLines(lang, f.Old), newTokenLines(lang, now)
	all := segments(old, result)
	for _, s := range all {
		if noisy(s.class) {
			total.count(s.class, s.lines(), b.drops(s.class))
		}
	}
	return restore(old, result, all, b.drops)
}

// countChanged counts the lines that differ, the longer side of each change.
func countChanged(old, now []byte) int {
	n := 0
	for _, c := range diffLines(splitLines(old), splitLines(now)) {
		n += max(c.A1-c.A0, c.B1-c.B0)
	}
	return n
}

// stillParses guards a restored order by parsing the file once more.
func (b *builder) stillParses(f *File, data []byte) bool {
	over := b.set.Overlay()
	over[f.Path] = data
	after, err := b.in.Before.Overlay(b.ctx, over)
	if err != nil {
		return false
	}
	was, _ := b.after.File(f.Path)
	now, ok := after.File(f.Path)
	return ok && len(now.Errors) <= len(was.Errors)
}

// classes gives every hunk of a file its class.
func classes(lang *index.Language, f *File, hunks []Hunk) {
	if len(hunks) == 0 || f.Op == Created || f.Op == Copied || f.Op == Deleted {
		return
	}
	old, now := newTokenLines(lang, f.before()), newTokenLines(lang, f.New)
	for i := range hunks {
		h := &hunks[i]
		h.Class = hunkClass(old, now, change{h.OldLine - 1, h.OldLine - 1 + h.OldCount, h.NewLine - 1, h.NewLine - 1 + h.NewCount})
	}
}

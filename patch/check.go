package patch

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/plumbkit/plumb/host/fault"
	"github.com/plumbkit/plumb/index"
)

// overlay parses every result before anything is written (PAT-6) and refuses
// one that has a syntax error which the file did not have.
func (b *builder) overlay() error {
	after, err := b.in.Before.Overlay(b.ctx, b.set.Overlay())
	if err != nil {
		return err
	}
	b.after = after
	for i := range b.set.Files {
		f := &b.set.Files[i]
		if f.Op == Deleted || (b.a.MayBreak != nil && b.a.MayBreak(f.Path)) {
			continue
		}
		if err := b.checkSyntax(f); err != nil {
			return &blockFault{f.Block, err}
		}
	}
	return nil
}

func (b *builder) checkSyntax(f *File) error {
	now, ok := b.after.File(f.Path)
	if !ok || len(now.Errors) == 0 {
		return nil
	}
	from := f.Path
	if f.From != "" {
		from = f.From
	}
	was, _ := b.in.Before.File(from)
	if len(now.Errors) <= len(was.Errors) {
		return nil
	}
	e := newError(f, was.Errors, now.Errors)
	t := newText(f.New)
	line := t.lineAt(min(e.Start, max(0, len(f.New)-1)))
	stands := ""
	if line <= len(t.lines) {
		stands = bare(t.lines[line-1])
	}
	return &fault.Fault{Class: fault.InvalidInput, Op: "patch.parse_result", Subject: fault.Subject{File: f.Path, Line: line, Text: stands},
		Detail: fmt.Sprintf("the result does not parse: line %d of %s as it would become has a syntax error that was not there before", line, f.Path),
		State:  unchanged, Next: "correct the edit so that the whole file parses"}
}

// newError is the first error of the result whose line did not have one before.
func newError(f *File, was, now []index.Span) index.Span {
	old, t := newText(f.Old), newText(f.New)
	known := map[string]bool{}
	for _, e := range was {
		if l := old.lineAt(e.Start); l <= len(old.lines) {
			known[old.lines[l-1]] = true
		}
	}
	for _, e := range now {
		if l := t.lineAt(e.Start); l > len(t.lines) || !known[t.lines[l-1]] {
			return e
		}
	}
	return now[0]
}

// limits enforces the sizes of PAT-15: a change above them is redone as the
// smallest one that does the work.
func (b *builder) limits() error {
	type offender struct {
		file         string
		lines, limit int
	}
	var over []offender
	total, files := 0, 0
	for i := range b.set.Files {
		f := &b.set.Files[i]
		n := changedLines(b.set.Hunks, f.Path)
		files++
		if b.in.Before.IsLock(f.Path) { // nobody could make its change smaller
			continue
		}
		total += n
		if limit := b.a.fileLimit(f, b.rewritten(f)); limit >= 0 && n > limit {
			over = append(over, offender{f.Path, n, limit})
		}
	}
	detail := ""
	if p := b.in.Plan; p != nil && p.Limit.Lines > 0 && total > p.Limit.Lines {
		detail = fmt.Sprintf("%d lines change in all, and the plan allows %d", total, p.Limit.Lines)
	}
	if p := b.in.Plan; p != nil && p.Limit.Files > 0 && files > p.Limit.Files {
		detail = fmt.Sprintf("%d files change, and the plan allows %d", files, p.Limit.Files)
	}
	if detail == "" && len(over) == 0 {
		return nil
	}
	f := &fault.Fault{Class: fault.BudgetExceeded, Op: "patch.size", State: unchanged, Next: "redo it as the smallest set of edits that does the work"}
	if len(over) > 0 {
		slices.SortStableFunc(over, func(x, y offender) int { return cmp.Compare(y.lines, x.lines) })
		for _, o := range over {
			f.Candidates = append(f.Candidates, fault.Subject{File: o.file, Text: fmt.Sprintf("%d changed lines, limit %d", o.lines, o.limit)})
		}
		f.Subject.File = over[0].file
		detail = strings.TrimPrefix(detail+fmt.Sprintf("; %s changes %d lines, and %d are allowed", over[0].file, over[0].lines, over[0].limit), "; ")
	} else {
		f.Candidates = b.largest()
	}
	f.Detail = detail
	return f
}

// changedLines counts the lines of a file's hunks, the longer side of each.
func changedLines(hunks []Hunk, file string) int {
	n := 0
	for _, h := range hunks {
		if h.File == file {
			n += max(h.OldCount, h.NewCount)
		}
	}
	return n
}

// fileLimit is the number of changed lines allowed in a file, -1 for any.
func (a *Anchored) fileLimit(f *File, rewrite bool) int {
	limit, otherwise := a.MaxFileLines, 200
	switch {
	case f.Op == Deleted:
		return -1 // nothing of it has to be read again
	case f.Op == Created || f.Op == Copied:
		limit, otherwise = a.NewFileLines, 1000
	case rewrite:
		limit, otherwise = a.RewriteLines, 2000
	}
	if limit == 0 {
		return otherwise
	}
	return limit
}

func (b *builder) rewritten(f *File) bool {
	w := b.files[f.Path]
	if w == nil {
		w = b.files[f.From]
	}
	return w != nil && w.rewrite
}

// largest names the files that change most, most first, at most five.
func (b *builder) largest() []fault.Subject {
	files := slices.Clone(b.set.Files)
	slices.SortStableFunc(files, func(x, y File) int {
		return changedLines(b.set.Hunks, y.Path) - changedLines(b.set.Hunks, x.Path)
	})
	var out []fault.Subject
	for _, f := range files[:min(5, len(files))] {
		out = append(out, fault.Subject{File: f.Path, Text: fmt.Sprintf("%d changed lines", changedLines(b.set.Hunks, f.Path))})
	}
	return out
}

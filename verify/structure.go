package verify

import (
	"bytes"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/plumbkit/plumb/host/fault"
	"github.com/plumbkit/plumb/index"
	"github.com/plumbkit/plumb/patch"
)

// structure is L0 (VER-2): what can be said of each changed file on its own.
func (q *inquiry) structure(ctx context.Context, l *Layer) error {
	for _, path := range q.change.files {
		if err := ctx.Err(); err != nil {
			return fault.From(err, "verify.L0", "run it again")
		}
		now, ok := q.in.After.File(path)
		if !ok {
			continue
		}
		q.syntax(l, now)
		if err := q.text(l, now); err != nil {
			return err
		}
	}
	q.imports(l)
	l.settle("regenerate the edit of the files named in the findings")
	return nil
}

// syntax finds syntax errors that the file did not have before.
func (q *inquiry) syntax(l *Layer, now index.File) {
	old, existed := q.in.Before.File(now.Path)
	if now.Skipped != "" && (!existed || old.Skipped == "") && now.Language != "" {
		l.find("not_parsed", "the file could not be parsed: "+now.Skipped, index.Span{File: now.Path, Hash: now.Hash, Line: 1, Col: 1})
	}
	if len(now.Errors) <= len(old.Errors) {
		return
	}
	fresh := make([]index.Span, 0, len(now.Errors))
	for _, e := range now.Errors {
		if q.change.changedSpan(e) {
			fresh = append(fresh, e)
		}
	}
	if len(fresh) == 0 {
		fresh = now.Errors // an unclosed bracket shows far from the line that lost it
	}
	for _, e := range fresh {
		l.find("syntax", "the parser cannot read this", e)
	}
}

// text checks what needs the file's bytes: conflict markers and the formatter.
func (q *inquiry) text(l *Layer, now index.File) error {
	if now.Hash == "" {
		return nil // not read: larger than the limit, or no regular file
	}
	src, err := q.in.After.Source(now.Path)
	if err != nil && now.Skipped != "" {
		return nil // a symbolic link has no text of its own
	} else if err != nil {
		return err
	}
	var old []byte
	if was, ok := q.in.Before.File(now.Path); ok && was.Hash != "" && was.Skipped == "" {
		if old, err = q.in.Before.Source(now.Path); err != nil {
			return err
		}
	}
	q.markers(l, now, old, src)
	q.format(l, now, old, src)
	return nil
}

// markers finds the lines by which git marks a conflict, where the change wrote them.
func (q *inquiry) markers(l *Layer, now index.File, old, src []byte) {
	if countMarkers(src) <= countMarkers(old) {
		return
	}
	for i, line := range splitLines(src) {
		if isMarker(line) && overlaps(q.change.lines[now.Path], i+1, i+1) {
			l.find("conflict_marker", "a conflict marker was left: "+strings.TrimSpace(string(line)), lineSpan(now, i+1))
		}
	}
}

func countMarkers(src []byte) int {
	if !bytes.Contains(src, []byte("<<<<<<<")) && !bytes.Contains(src, []byte(">>>>>>>")) {
		return 0
	}
	n := 0
	for _, line := range splitLines(src) {
		if isMarker(line) {
			n++
		}
	}
	return n
}

// isMarker reports whether the line begins or ends a conflict; git writes the
// marker from the first column on, a blank and a label behind it. The line of
// equal signs between the two also underlines headings and is not looked for.
func isMarker(line []byte) bool {
	for _, m := range []string{"<<<<<<<", ">>>>>>>", "|||||||"} {
		if rest, ok := bytes.CutPrefix(line, []byte(m)); ok && (len(bytes.TrimSpace(rest)) == 0 || rest[0] == ' ') {
			return true
		}
	}
	return false
}

func lineSpan(f index.File, line int) index.Span {
	return index.Span{File: f.Path, Hash: f.Hash, Line: line, Col: 1}
}

// format compares a file with what its language's formatter makes of it. A file
// that was not in standard format before is held to it on changed lines only.
func (q *inquiry) format(l *Layer, now index.File, old, src []byte) {
	lang := q.in.After.Language(now.Path)
	if lang == nil || lang.Format == nil || now.Origin == index.Generated || now.Origin == index.Vendored || len(now.Errors) > 0 {
		return
	}
	want, err := lang.Format(src)
	if err != nil {
		l.find("format", "the formatter refuses the file: "+err.Error(), lineSpan(now, 1))
		return
	}
	if bytes.Equal(want, src) {
		return
	}
	wasFormatted := false
	if old != nil {
		was, err := lang.Format(old)
		wasFormatted = err == nil && bytes.Equal(was, old)
	}
	for _, h := range differences(now.Path, src, want) {
		if wasFormatted || overlaps(q.change.lines[now.Path], h.OldLine, h.OldLine+max(h.OldCount, 1)-1) {
			l.find("format", fmt.Sprintf("the formatter writes %s here", quoted(h.New)), lineSpan(now, h.OldLine))
		}
	}
}

// differences returns the line hunks from one text to another.
func differences(path string, from, to []byte) []patch.Hunk {
	back := &patch.Set{Files: []patch.File{{Path: path, Op: patch.Modified, Old: to, New: from}}}
	return back.Reverse().Hunks
}

func quoted(lines []string) string {
	switch len(lines) {
	case 0:
		return "nothing"
	case 1:
		return fmt.Sprintf("%q", lines[0])
	}
	return fmt.Sprintf("%q and %d more lines", lines[0], len(lines)-1)
}

// imports finds imports that lead nowhere now: those that the change wrote, and
// those of files whose package it took away.
func (q *inquiry) imports(l *Layer) {
	files := map[string]bool{}
	for _, path := range q.change.files {
		files[path] = true
		if _, ok := q.in.After.File(path); ok {
			continue
		}
		for _, ref := range q.in.Before.ByPath(path).Sure {
			files[ref.Span.File] = true
		}
	}
	for _, path := range slices.Sorted(maps.Keys(files)) {
		known := map[string]bool{}
		for _, ref := range q.in.Before.RefsIn(path) {
			known[ref.Name] = known[ref.Name] || ref.Kind == index.RefImport && ref.Status == index.Unresolved
		}
		for _, ref := range q.in.After.RefsIn(path) {
			if ref.Kind == index.RefImport && ref.Status == index.Unresolved && !known[ref.Name] {
				l.find("import", fmt.Sprintf("%s cannot be imported: %s", ref.Name, ref.Reason), ref.Span)
			}
		}
	}
}

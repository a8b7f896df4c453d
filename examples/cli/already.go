package main

import (
	"context"
	"io/fs"
	"slices"

	"github.com/plumbkit/plumb/index"
	"github.com/plumbkit/plumb/patch"
)

// already reports whether the workspace holds what the edits make: everything
// that they put in stands where they would put it, so that they could be taken
// back. An edit of which that cannot be told makes it false.
func already(ctx context.Context, ws *patch.Workspace, now *index.Snapshot, edits []patch.Edit) bool {
	var back []patch.Edit
	for _, e := range edits {
		r, ok := reversed(e)
		switch {
		case e.Op == patch.WriteFile:
			data, err := fs.ReadFile(ws.FS(), e.File)
			if err != nil || string(data) != e.Text {
				return false
			}
		case !ok:
			return false
		default:
			back = append(back, r)
		}
	}
	if len(back) == 0 {
		return true
	}
	patcher := &patch.Anchored{FS: ws.FS(), KeepNoise: true, MaxFileLines: -1, NewFileLines: -1, RewriteLines: -1, MayBreak: func(string) bool { return true }}
	_, err := patcher.Patch(ctx, patch.Input{Before: now, Edits: back})
	return err == nil
}

// reversed is the edit that takes e back, where e tells enough for that.
func reversed(e patch.Edit) (patch.Edit, bool) {
	back := patch.Edit{Op: e.Op, File: e.File, From: e.From}
	switch e.Op {
	case patch.CreateFile:
		back.Op, back.Expect = patch.DeleteFile, e.Text
	case patch.DeleteFile:
		back.Op, back.Text = patch.CreateFile, e.Expect
	case patch.ReplaceText:
		back.Symbol, back.Kind, back.Expect, back.Text = e.Symbol, e.Kind, e.Text, e.Expect
		return back, e.Text != ""
	case patch.RenameFile:
		back.File, back.To = e.To, e.File
	case patch.Hunks:
	default:
		return back, false
	}
	for _, h := range e.Hunks {
		r, ok := reversedHunk(h)
		if !ok {
			return back, false
		}
		back.Hunks = append(back.Hunks, r)
	}
	return back, true
}

// reversedHunk takes the lines back that a hunk puts in. One that leaves no line
// behind cannot be recognized in the result.
func reversedHunk(h patch.Lines) (patch.Lines, bool) {
	back := patch.Lines{OldStart: h.NewStart, NewStart: h.OldStart, OldNoEOL: h.NewNoEOL, NewNoEOL: h.OldNoEOL, Section: h.Section, At: h.At}
	var put []string // removed lines stand before added ones
	stays := false
	for _, l := range h.Lines {
		switch {
		case l == "" || l[0] == ' ':
			back.Lines = append(append(back.Lines, put...), l)
			put, stays = nil, true
		case l[0] == '+':
			back.Lines = append(back.Lines, "-"+l[1:])
			stays = true
		default:
			put = append(put, "+"+l[1:])
		}
	}
	back.Lines = append(back.Lines, put...)
	return back, stays
}

// standingFiles are the files that the edits are about, sorted.
func standingFiles(edits []patch.Edit) []string {
	var out []string
	for _, e := range edits {
		out = append(out, e.File)
		if e.To != "" {
			out = append(out, e.To)
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// printAlready says that there is nothing to do.
func (e *env) printAlready(files []string) error {
	if e.structured() {
		return e.emit(patch.Receipt{Schema: 1, Status: "already_applied", Files: files})
	}
	e.printf("already applied: everything that the edits put in stands there, in %s; nothing was written\n", plural(len(files), "file", "files"))
	return nil
}

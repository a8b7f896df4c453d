package patch

import (
	"fmt"
	"strings"
)

// edits turns one file's part into edits.
func (p *diffReader) edits(h *fileHead, hunks []Lines) ([]Edit, error) {
	here := &diffReader{lines: p.lines, at: h.line - 1}
	e := Edit{Op: Hunks, File: h.old, Hunks: hunks, Hash: h.hash, From: fmt.Sprintf("diff:%d", h.line)}
	switch {
	case h.created && h.deleted:
		return nil, here.fail("the file is both created and deleted")
	case h.created:
		return here.create(h, e)
	case h.deleted:
		return here.remove(h, e)
	case h.rename || h.copied:
		if h.from == "" || h.to == "" {
			return nil, here.fail("a rename or copy has to name both files")
		}
		e.File, e.To = h.from, h.to
		if e.File == e.To {
			return nil, here.fail("%s is moved onto itself", e.File)
		}
	case h.old == "" || h.new == "":
		return nil, here.fail("the file's name cannot be read from the \"diff --git\" line")
	case h.old != h.new:
		return nil, here.fail("the sides name different files (%s, %s) without \"rename from\" and \"rename to\"", h.old, h.new)
	}
	if h.newMode != 0 {
		e.Mode = h.newMode
	}
	if len(hunks) == 0 && e.To == "" && h.newMode == 0 {
		return nil, here.fail("nothing changes: there is no hunk, rename, copy or mode")
	}
	if e.To == "" && len(hunks) == 0 {
		e.Op = ChangeMode
	}
	if h.copied {
		e.Op = CopyFile
	}
	if h.rename {
		e.Op = RenameFile
	}
	return []Edit{e}, nil
}

func (p *diffReader) create(h *fileHead, e Edit) ([]Edit, error) {
	e.Op, e.File, e.Mode, e.Hash = CreateFile, h.new, h.newMode, ""
	if e.File == "" {
		return nil, p.fail("the new file's name cannot be read from the \"diff --git\" line")
	}
	if len(e.Hunks) > 1 || (len(e.Hunks) == 1 && e.Hunks[0].count('-') > 0) {
		return nil, p.fail("a new file has exactly one hunk, with added lines only")
	}
	if len(e.Hunks) == 1 {
		e.Text = e.Hunks[0].side('+', e.Hunks[0].NewNoEOL)
	}
	e.Hunks = nil
	return []Edit{e}, nil
}

func (p *diffReader) remove(h *fileHead, e Edit) ([]Edit, error) {
	e.Op = DeleteFile
	if e.File == "" {
		return nil, p.fail("the deleted file's name cannot be read from the \"diff --git\" line")
	}
	if len(e.Hunks) > 1 || (len(e.Hunks) == 1 && e.Hunks[0].count('+') > 0) {
		return nil, p.fail("a deleted file has exactly one hunk, with removed lines only")
	}
	if len(e.Hunks) == 1 {
		e.Expect = e.Hunks[0].side('-', e.Hunks[0].OldNoEOL)
	}
	e.Hunks = nil
	return []Edit{e}, nil
}

// side joins the lines of one side to text.
func (l Lines) side(side byte, noEOL bool) string {
	var b strings.Builder
	for _, s := range l.Lines {
		if s[0] == ' ' || s[0] == side {
			b.WriteString(s[1:])
			b.WriteByte('\n')
		}
	}
	if noEOL {
		return strings.TrimSuffix(b.String(), "\n")
	}
	return b.String()
}

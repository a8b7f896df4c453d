package patch

import (
	"bytes"
	"fmt"
	"strings"
)

// Envelope writes the Set as a "*** Begin Patch" envelope that ParseEnvelope
// reads. Every hunk has as many lines around its change as make it stand once in
// its file.
//
// The format has no modes, symbolic links, copies' origins or binary content: a
// copy is written as a new file, the others are faults of class unsupported. Pure.
func (s *Set) Envelope() ([]byte, error) {
	var b bytes.Buffer
	fmt.Fprintf(&b, "%s\n", envelopeBegin)
	for i := range s.Files {
		f := s.Files[i].withoutOrigin()
		if err := f.plain(Modified, Created, Renamed, Deleted); err != nil {
			return nil, err
		}
		var part bytes.Buffer
		printEnveloped(&part, f)
		framed := fmt.Appendf(nil, "%s\n%s%s\n", envelopeBegin, part.Bytes(), envelopeEnd)
		if part.Len() == 0 {
			continue
		}
		if err := f.reads(framed, ParseEnvelope); err != nil {
			return nil, err
		}
		b.Write(part.Bytes())
	}
	fmt.Fprintf(&b, "%s\n", envelopeEnd)
	return b.Bytes(), nil
}

func printEnveloped(b *bytes.Buffer, f *File) {
	switch f.Op {
	case Deleted:
		fmt.Fprintf(b, "%s %s\n", envelopeDelete, headerPath(f.Path))
		return
	case Created:
		fmt.Fprintf(b, "%s %s\n", envelopeAdd, headerPath(f.Path))
		signed(b, '+', splitLines(f.New))
		return
	case Renamed:
		fmt.Fprintf(b, "%s %s\n%s %s\n", envelopeUpdate, headerPath(f.From), envelopeMove, headerPath(f.Path))
	default:
		if bytes.Equal(f.Old, f.New) {
			return
		}
		fmt.Fprintf(b, "%s %s\n", envelopeUpdate, headerPath(f.Path))
	}
	if len(f.Old) == 0 && len(f.New) > 0 {
		fmt.Fprintf(b, "@@\n")
		signed(b, '+', splitLines(f.New))
		fmt.Fprintf(b, "%s\n", envelopeEOF)
		return
	}
	for _, h := range provenHunks(f.Old, f.New) {
		fmt.Fprintf(b, "@@\n")
		at := 0
		after := splitLines(f.New)
		for _, c := range h.changes {
			signed(b, ' ', h.old[at:c.A0-h.from])
			signed(b, '-', h.old[c.A0-h.from:c.A1-h.from])
			signed(b, '+', after[c.B0:c.B1])
			at = c.A1 - h.from
		}
		signed(b, ' ', h.old[at:])
	}
}

// signed writes lines behind a sign.
func signed(b *bytes.Buffer, sign byte, lines []string) {
	for _, l := range lines {
		b.WriteByte(sign)
		b.WriteString(l)
		if !strings.HasSuffix(l, "\n") {
			b.WriteString("\n" + noNewline + "\n")
		}
	}
}

// headerPath is a path in the form in which it stands in an envelope's header.
func headerPath(path string) string {
	if quotePath(path) == path && strings.TrimSpace(path) == path {
		return path
	}
	return quoted(path)
}

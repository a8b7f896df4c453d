package ledger

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"strconv"
)

// A line is one entry in a record file. Sum covers the rest of the line, and
// Prev is the Sum of the line before, so that a changed, missing or foreign line
// shows.
type line struct {
	// Seq is the position, from 1.
	Seq int `json:"seq"`
	// Prev is the sum of the line before; "" for the first.
	Prev string `json:"prev"`
	Sum  string `json:"sum"`
	// Torn is the number of bytes of an unfinished line that this one replaced.
	Torn  int             `json:"torn,omitempty"`
	Entry json.RawMessage `json:"entry"`
}

// sum returns the checksum of the line.
func (l line) sum() string {
	h := sha256.New()
	fmt.Fprintf(h, "%d %s %d %d\n", l.Seq, l.Prev, l.Torn, len(l.Entry))
	h.Write(l.Entry)
	return hex.EncodeToString(h.Sum(nil)[:16])
}

// render returns the line with its newline. The entry is written byte for byte.
func (l line) render() []byte {
	var b bytes.Buffer
	b.WriteString(`{"seq":` + strconv.Itoa(l.Seq) + `,"prev":"` + l.Prev + `","sum":"` + l.sum() + `"`)
	if l.Torn > 0 {
		b.WriteString(`,"torn":` + strconv.Itoa(l.Torn))
	}
	b.WriteString(`,"entry":`)
	b.Write(l.Entry)
	b.WriteString("}\n")
	return b.Bytes()
}

// readLine parses one line, without its newline, and checks its sum; what says
// what is wrong with it, or "".
func readLine(raw []byte) (l line, what string) {
	if err := json.Unmarshal(raw, &l); err != nil {
		return line{}, "it is not JSON"
	}
	if l.Sum != l.sum() {
		return line{}, "its checksum does not fit its content"
	}
	// Only what render writes is a line: anything added beside the entry is foreign.
	if !bytes.Equal(append(bytes.Clone(raw), '\n'), l.render()) {
		return line{}, "it was not written by plumb in this form"
	}
	return l, ""
}

// damageError says which line of a record is damaged and how.
type damageError struct {
	// line is 1-based, 0 where it was read from the end and is not known.
	line    int
	fromEnd bool
	what    string
}

func (e *damageError) Error() string { return fmt.Sprintf("line %d: %s", e.line, e.what) }

// lines is what a record file, or the end of one, holds.
type lines struct {
	all []line
	// good is the number of bytes up to the end of the last whole line.
	good int
	// torn is the number of bytes after it, of a line whose writing was cut short.
	torn int
	// open says that the last whole line lacks only its newline.
	open bool
}

// scan reads lines. fromStart says that data begins with the record's first
// line; otherwise it begins with any whole line. An unfinished last line is not
// an error; it is one that has no newline, or holds the zero bytes of blocks
// that never reached the disk.
func scan(data []byte, fromStart bool) (lines, error) {
	var found lines
	for found.good < len(data) {
		rest := data[found.good:]
		raw, _, ended := bytes.Cut(rest, []byte("\n"))
		last := len(raw) >= len(rest)-1
		l, what := readLine(raw)
		if what != "" && last && (!ended || bytes.IndexByte(raw, 0) >= 0) {
			found.torn = len(rest)
			return found, nil
		}
		if what == "" {
			what = found.follows(l, fromStart)
		}
		if what != "" {
			return lines{}, &damageError{line: lineNumber(found, fromStart), fromEnd: !fromStart, what: what}
		}
		found.all = append(found.all, l)
		found.good += len(raw)
		found.open = !ended
		if ended {
			found.good++
		}
	}
	return found, nil
}

func lineNumber(found lines, fromStart bool) int {
	if fromStart {
		return len(found.all) + 1
	}
	return 0
}

// follows says why l cannot stand after the lines found so far, or "".
func (ls lines) follows(l line, fromStart bool) string {
	if len(ls.all) == 0 {
		if fromStart && (l.Seq != 1 || l.Prev != "") {
			return fmt.Sprintf("the record begins with entry %d", l.Seq)
		}
		return ""
	}
	before := ls.all[len(ls.all)-1]
	switch {
	case l.Seq != before.Seq+1:
		return fmt.Sprintf("entry %d follows entry %d", l.Seq, before.Seq)
	case l.Prev != before.Sum:
		return "it does not belong to the line before it"
	}
	return ""
}

// A tail is the end of a record file, as much of it as an append needs.
type tail struct {
	// last is the last whole line; its zero value stands for an empty record.
	last line
	// end is the offset at which the next line is written.
	end int64
	// torn is the number of bytes after end that are cut off.
	torn int
	// open says that a newline is missing at end.
	open bool
}

// firstRead is how much of a record's end is read at first; a longer last line
// is read in steps of double size.
const firstRead = 64 << 10

// readTail reads the last line of the record.
func readTail(f *os.File) (tail, error) {
	info, err := f.Stat()
	if err != nil {
		return tail{}, err
	}
	for want := int64(firstRead); ; want *= 2 {
		start := max(0, info.Size()-want)
		data := make([]byte, info.Size()-start)
		if _, err := f.ReadAt(data, start); err != nil && err != io.EOF {
			return tail{}, err
		}
		if start > 0 {
			// The first line may be cut: begin after it, if another whole one follows.
			cut := bytes.IndexByte(data, '\n') + 1
			if cut == 0 || bytes.IndexByte(data[cut:], '\n') < 0 {
				continue
			}
			data, start = data[cut:], start+int64(cut)
		}
		found, err := scan(data, start == 0)
		if err != nil {
			return tail{}, err
		}
		if len(found.all) == 0 && start > 0 {
			continue
		}
		t := tail{end: start + int64(found.good), torn: found.torn, open: found.open}
		if n := len(found.all); n > 0 {
			t.last = found.all[n-1]
		}
		return t, nil
	}
}

// write puts entry after the tail and waits until it is on disk. When that does
// not succeed it takes the bytes back.
func (t tail) write(f *os.File, entry []byte) error {
	raw := line{Seq: t.last.Seq + 1, Prev: t.last.Sum, Torn: t.torn, Entry: entry}.render()
	if t.open {
		raw = append([]byte("\n"), raw...)
	}
	if t.torn > 0 {
		if err := f.Truncate(t.end); err != nil {
			return err
		}
	}
	_, err := f.WriteAt(raw, t.end)
	if err == nil {
		err = f.Sync()
	}
	if err != nil {
		// Best effort: what stays behind is a torn line, or a whole one that
		// the caller has not been promised.
		_ = f.Truncate(t.end)
	}
	return err
}

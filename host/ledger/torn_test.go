package ledger_test

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/plumbkit/plumb/host/fault"
	"github.com/plumbkit/plumb/host/fault/faulttest"
	"github.com/plumbkit/plumb/host/ledger"
)

// record writes three entries and returns the store, its file and the file's content.
func record(t *testing.T) (s *ledger.Files, path string, whole []byte) {
	t.Helper()
	dir := t.TempDir()
	s = &ledger.Files{Dir: dir}
	for i := 1; i <= 3; i++ {
		mustAppend(t, s, "t", fmt.Sprintf(`{"n":%d}`, i))
	}
	path = filepath.Join(dir, "t.jsonl")
	whole, err := os.ReadFile(path)
	require.NoError(t, err)
	return s, path, whole
}

func readAll(t *testing.T, s ledger.Store) []string {
	t.Helper()
	raw, err := s.Read(context.Background(), "t")
	require.NoError(t, err)
	var docs []string
	for _, doc := range raw {
		docs = append(docs, string(doc))
	}
	return docs
}

// covers: LED-3
func TestTornTailAtEveryByte(t *testing.T) {
	t.Parallel()
	s, path, whole := record(t)
	ends := []int{0}
	for i, c := range whole {
		if c == '\n' {
			ends = append(ends, i+1)
		}
	}
	for cut := range len(whole) + 1 {
		require.NoError(t, os.WriteFile(path, whole[:cut], 0o600))
		kept := 0
		for kept < 3 && ends[kept+1]-1 <= cut { // an entry that lacks only its newline is whole
			kept++
		}
		want := []string{`{"n":1}`, `{"n":2}`, `{"n":3}`}[:kept]
		require.ElementsMatch(t, want, readAll(t, s), "cut at %d", cut)

		seq, err := s.Append(context.Background(), "t", []byte(`"next"`))
		require.NoError(t, err)
		require.Equal(t, kept+1, seq)
		require.Equal(t, append(want[:kept:kept], `"next"`), readAll(t, s), "cut at %d", cut)
		after, err := os.ReadFile(path)
		require.NoError(t, err)
		if torn := cut - ends[kept]; torn > 0 {
			require.Contains(t, string(after), fmt.Sprintf(`"torn":%d,`, torn), "the recovery is on record")
		} else {
			require.NotContains(t, string(after), `"torn"`)
		}
	}
}

// covers: LED-3
func TestTornTailOfZeroes(t *testing.T) {
	t.Parallel()
	s, path, whole := record(t)
	last := bytes.LastIndexByte(whole[:len(whole)-1], '\n') + 1
	for at := last; at < len(whole)-1; at++ {
		zeroed := bytes.Clone(whole)
		clear(zeroed[at : len(zeroed)-1])
		require.NoError(t, os.WriteFile(path, zeroed, 0o600))
		require.Equal(t, []string{`{"n":1}`, `{"n":2}`}, readAll(t, s), "blocks that never reached the disk, from %d", at)
	}
	mustAppend(t, s, "t", `"next"`)
	assert.Equal(t, []string{`{"n":1}`, `{"n":2}`, `"next"`}, readAll(t, s))
}

// covers: LED-3
func TestTornLongTail(t *testing.T) {
	s, path, whole := record(t)
	mustAppend(t, s, "t", `"`+strings.Repeat("x", 500_000)+`"`)
	long, err := os.ReadFile(path)
	require.NoError(t, err)
	for _, cut := range []int{len(whole) + 1, len(whole) + 70_000, len(long) - 2} {
		require.NoError(t, os.WriteFile(path, long[:cut], 0o600))
		mustAppend(t, s, "t", `"next"`)
		assert.Equal(t, []string{`{"n":1}`, `{"n":2}`, `{"n":3}`, `"next"`}, readAll(t, s))
		after, err := os.ReadFile(path)
		require.NoError(t, err)
		assert.NotContains(t, string(after), "xx", "nothing of the torn line stays")
	}
}

// covers: LED-3, FLT-2
func TestDamageIsAnErrorThatNamesTheLine(t *testing.T) {
	s, path, whole := record(t)
	lines := bytes.SplitAfter(whole, []byte("\n"))[:3]
	for name, c := range map[string]struct {
		data []byte
		line int
		want string
	}{
		"a changed entry":          {bytes.Replace(whole, []byte(`"n":2`), []byte(`"n":7`), 1), 2, "line 2 of the record is damaged: its checksum"},
		"a changed last entry":     {bytes.Replace(whole, []byte(`"n":3`), []byte(`"n":7`), 1), 3, "line 3 of the record is damaged: its checksum"},
		"a line that is missing":   {bytes.Join([][]byte{lines[0], lines[2]}, nil), 2, "entry 3 follows entry 1"},
		"a beginning cut off":      {bytes.Join(lines[1:], nil), 1, "the record begins with entry 2"},
		"lines that changed place": {bytes.Join([][]byte{lines[0], lines[2], lines[1]}, nil), 2, "entry 3 follows entry 1"},
		"a foreign line":           {bytes.Join([][]byte{lines[0], []byte("hello\n"), lines[1]}, nil), 2, "it is not JSON"},
		"an empty line":            {bytes.Join([][]byte{lines[0], []byte("\n"), lines[1]}, nil), 2, "it is not JSON"},
		"something added":          {bytes.Replace(whole, []byte(`"entry":{"n":2}`), []byte(`"more":1,"entry":{"n":2}`), 1), 2, "not written by plumb"},
		"zeroes in the middle":     {bytes.Replace(whole, []byte(`"n":2`), make([]byte, 5), 1), 2, "it is not JSON"},
	} {
		t.Run(name, func(t *testing.T) {
			require.NoError(t, os.WriteFile(path, c.data, 0o600))
			raw, err := s.Read(context.Background(), "t")
			require.ErrorIs(t, err, fault.Environment)
			assert.Empty(t, raw, "never a part of it")
			assert.Empty(t, faulttest.Check(err))
			assert.ErrorContains(t, err, c.want)
			var f *fault.Fault
			require.ErrorAs(t, err, &f)
			assert.Equal(t, c.line, f.Subject.Line)
			assert.Equal(t, path, f.Subject.File)
		})
	}
}

// covers: LED-3
func TestARecordFromElsewhereIsRefused(t *testing.T) {
	_, pathA, a := record(t)
	s, pathB, _ := record(t)
	mustAppend(t, s, "t", `"other"`)
	b, err := os.ReadFile(pathB)
	require.NoError(t, err)
	_, rest, _ := bytes.Cut(a, []byte("\n"))
	changed := append([]byte(nil), b[:bytes.IndexByte(b, '\n')+1]...)
	require.NoError(t, os.WriteFile(pathA, append(changed, rest...), 0o600))
	require.Equal(t, []string{`{"n":1}`, `{"n":2}`, `{"n":3}`, `"other"`}, readAll(t, s), "equal lines chain alike")

	foreign := &ledger.Files{Dir: t.TempDir()}
	for i := range 3 {
		mustAppend(t, foreign, "t", fmt.Sprintf(`{"n":%d}`, i+10))
	}
	path := filepath.Join(foreign.Dir, "t.jsonl")
	other, err := os.ReadFile(path)
	require.NoError(t, err)
	_, tail, _ := bytes.Cut(other, []byte("\n"))
	require.NoError(t, os.WriteFile(path, append(changed, tail...), 0o600))
	_, err = foreign.Read(context.Background(), "t")
	assert.ErrorContains(t, err, "line 2 of the record is damaged: it does not belong to the line before it")
}

// covers: LED-3
func TestAppendRefusesADamagedEnd(t *testing.T) {
	s, path, whole := record(t)
	damaged := bytes.Replace(whole, []byte(`"n":3`), []byte(`"n":7`), 1)
	require.NoError(t, os.WriteFile(path, damaged, 0o600))
	_, err := s.Append(context.Background(), "t", []byte(`4`))
	require.ErrorIs(t, err, fault.Environment)
	assert.Empty(t, faulttest.Check(err))
	after, err := os.ReadFile(path)
	require.NoError(t, err)
	assert.Equal(t, damaged, after, "nothing was dropped")
}

// covers: REL-2, LED-3
func FuzzRecordFile(f *testing.F) {
	whole, err := os.ReadFile(filepath.Join("testdata", "refund.jsonl"))
	if err != nil {
		f.Fatal(err)
	}
	f.Add(whole)
	f.Add(whole[:len(whole)-9])
	f.Add([]byte("\n"))
	f.Add([]byte("{}\n\x00\x00"))
	f.Fuzz(func(t *testing.T, data []byte) {
		s := &ledger.Files{Dir: t.TempDir()}
		if err := os.WriteFile(filepath.Join(s.Dir, "t.jsonl"), data, 0o600); err != nil {
			t.Fatal(err)
		}
		before, readErr := s.Read(context.Background(), "t")
		seq, err := s.Append(context.Background(), "t", []byte(`1`))
		if readErr != nil {
			return // Append looks at the end only and may go on.
		}
		if err != nil || seq != len(before)+1 {
			t.Fatalf("after %d entries: position %d, %v", len(before), seq, err)
		}
		if after, err := s.Read(context.Background(), "t"); err != nil || len(after) != seq {
			t.Fatalf("%d entries after appending as number %d: %v", len(after), seq, err)
		}
	})
}

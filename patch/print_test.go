package patch

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	godiff "github.com/sourcegraph/go-diff/diff"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/plumbkit/plumb/internal/gitcmd"
)

// randomText makes text whose lines repeat often, with every kind of line end.
func randomText(r *rand.Rand, lines int) string {
	var b strings.Builder
	end := []string{"\n", "\n", "\n", "\r\n"}[r.IntN(4)]
	for range r.IntN(lines + 1) {
		b.WriteString([]string{"a", "b", "}", "", "\tx := 1", "ü", "-- x", "++ y", "\\ z", "@@ -1 +1 @@", "caf\xe9"}[r.IntN(11)])
		if r.IntN(20) == 0 {
			b.WriteString("\r")
		}
		b.WriteString(end)
	}
	s := b.String()
	if r.IntN(4) == 0 {
		s = strings.TrimSuffix(s, "\n")
	}
	return s
}

// change makes a random change to text.
func changed(r *rand.Rand, s string) string {
	lines := splitLines([]byte(s))
	for range 1 + r.IntN(4) {
		i := r.IntN(len(lines) + 1)
		switch {
		case r.IntN(3) == 0 && i < len(lines):
			lines = append(lines[:i:i], lines[i+1:]...)
		case r.IntN(2) == 0 && i < len(lines):
			lines[i] = "changed" + lineEnd(lines[i])
		default:
			lines = append(lines[:i:i], append([]string{fmt.Sprintf("new %d\n", r.IntN(3))}, lines[i:]...)...)
		}
	}
	for i := 0; i+1 < len(lines); i++ {
		if !strings.HasSuffix(lines[i], "\n") {
			lines[i] += "\n"
		}
	}
	return strings.Join(lines, "")
}

// randomSet makes a tree and a Set of every operation on it.
func randomSet(r *rand.Rand) (tree, *Set) {
	names := []string{"plain.txt", "with blank.txt", "quote\".txt", "tüb.txt", "back\\slash.txt", "tab\t.txt", "a/deep/file", "b", "trailing "}
	r.Shuffle(len(names), func(i, j int) { names[i], names[j] = names[j], names[i] })
	t, s := tree{}, &Set{Schema: 1}
	for i, n := range names[:1+r.IntN(len(names))] {
		old := randomText(r, 30)
		f := File{Path: n, Op: Modified, Old: []byte(old), New: []byte(changed(r, old)), OldMode: 0o644, NewMode: 0o644}
		switch r.IntN(7) {
		case 0:
			f.Op, f.Old, f.OldMode = Created, nil, 0
		case 1:
			f.Op, f.New, f.NewMode = Deleted, nil, 0
		case 2:
			f.Op, f.From, f.Path = Renamed, n, fmt.Sprintf("moved %d/%s", i, n)
		case 3:
			f.Op, f.From, f.Path = Copied, n, fmt.Sprintf("copied-%d/%s", i, n)
		case 4:
			f.NewMode = 0o755
		}
		if f.Op != Created {
			t[n] = old
		}
		if f.Op == Modified && string(f.Old) == string(f.New) && f.OldMode == f.NewMode {
			continue
		}
		s.Files = append(s.Files, f)
	}
	sortFiles(s.Files)
	return t, s
}

// want is the tree that a Set makes of another, "x content" for executables.
func want(t tree, s *Set) map[string]string {
	out := map[string]string{}
	for p, c := range t {
		out[p] = "- " + c
	}
	for _, f := range s.Files {
		if f.Op == Renamed {
			delete(out, f.From)
		}
	}
	for _, f := range s.Files {
		mode := "- "
		if f.NewMode&0o100 != 0 {
			mode = "x "
		}
		if f.Op == Deleted {
			delete(out, f.Path)
			continue
		}
		out[f.Path] = mode + string(f.New)
	}
	return out
}

func found(t *testing.T, dir string) map[string]string {
	t.Helper()
	out := map[string]string{}
	for p, c := range look(t, dir) {
		mode, content, _ := strings.Cut(c, " ")
		if strings.HasSuffix(p, "/") && strings.HasPrefix(c, "d") {
			continue
		}
		if strings.Contains(mode, "x") {
			out[p] = "x " + content
		} else {
			out[p] = "- " + content
		}
	}
	return out
}

// covers: PAT-1, PAT-11
func TestGitAppliesTheDiff(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is not installed")
	}
	for seed := range uint64(150) {
		r := rand.New(rand.NewPCG(seed, 1))
		before, set := randomSet(r)
		if len(set.Files) == 0 {
			continue
		}
		dir := lay(t, before)
		diff := set.Diff()
		if len(diff) == 0 {
			continue
		}
		_, err := gitcmd.Git{Dir: dir}.Input(context.Background(), diff, "apply", "--whitespace=nowarn", "-")
		require.NoError(t, err, "seed %d\n%s", seed, diff)
		require.Equal(t, want(before, set), found(t, dir), "seed %d\n%s", seed, diff)
		_, err = gitcmd.Git{Dir: dir}.Input(context.Background(), set.Reverse().Diff(), "apply", "--whitespace=nowarn", "-")
		require.NoError(t, err, "reverse of seed %d\n%s", seed, set.Reverse().Diff())
		require.Equal(t, want(before, &Set{}), found(t, dir), "reverse of seed %d", seed)
	}
}

// covers: PAT-1
func TestGoDiffReadsTheDiff(t *testing.T) {
	for seed := range uint64(50) {
		_, set := randomSet(rand.New(rand.NewPCG(seed, 2)))
		files := set.Files[:0]
		for _, f := range set.Files { // go-diff mistakes such lines for headers, and drops files without hunks
			if !strings.Contains(string(f.Old)+string(f.New), "-- x") && string(f.before()) != string(f.New) && f.Op == Modified {
				files = append(files, f)
			}
		}
		set.Files = files
		got, err := godiff.ParseMultiFileDiffOptions(set.Diff(), godiff.ParseOptions{KeepCR: true})
		require.NoError(t, err, "seed %d", seed)
		assert.Len(t, got, len(files), "seed %d\n%s", seed, set.Diff())
	}
}

// covers: PAT-1, PAT-2, PAT-11
func TestParsePrint(t *testing.T) {
	for seed := range uint64(120) {
		r := rand.New(rand.NewPCG(seed, 3))
		before, set := randomSet(r)
		for n := range before { // names that are refused on purpose
			if strings.ContainsAny(n, "\\\"\t") || strings.HasSuffix(n, " ") {
				delete(before, n)
			}
		}
		files := set.Files[:0]
		for _, f := range set.Files {
			if pathFault(f.Path) == "" && nameFault(f.Path) == "" && (f.From == "" || pathFault(f.From) == "" && nameFault(f.From) == "") {
				files = append(files, f)
			}
		}
		set.Files = files
		diff := set.Diff()
		if len(diff) == 0 {
			continue
		}
		edits, err := Parse(diff)
		require.NoError(t, err, "seed %d\n%s", seed, diff)
		for i := range edits { // the blob's name proves where repeated lines belong
			if len(edits[i].Hunks) > 0 {
				edits[i].Hash = "git:" + gitBlobName(before[edits[i].File])
			}
		}
		again, err := (&Anchored{KeepNoise: true, FS: before.fs()}).Patch(context.Background(), Input{Before: snapshot(t, before), Edits: edits})
		require.NoError(t, err, "seed %d\n%s", seed, diff)
		require.Equal(t, want(before, set), want(before, again), "seed %d\n%s", seed, diff)
	}
}

// covers: PAT-8, PAT-18
func TestApplyReverse(t *testing.T) {
	for seed := range uint64(25) {
		before, set := randomSet(rand.New(rand.NewPCG(seed, 4)))
		files := set.Files[:0]
		for _, f := range set.Files {
			if pathFault(f.Path) == "" && nameFault(f.Path) == "" && (f.From == "" || pathFault(f.From) == "") {
				files = append(files, f)
			}
		}
		set.Files = files
		dir := lay(t, before)
		w := opened(t, dir)
		_, err := w.Apply(context.Background(), set, allow(set))
		require.NoError(t, err)
		require.Equal(t, want(before, set), found(t, dir), "seed %d", seed)
		back := set.Reverse()
		_, err = w.Apply(context.Background(), back, allow(back))
		require.NoError(t, err, "seed %d", seed)
		require.Equal(t, want(before, &Set{}), found(t, dir), "seed %d", seed)
	}
}

func TestDiffLinesIsShortest(t *testing.T) {
	for seed := range uint64(300) {
		r := rand.New(rand.NewPCG(seed, 5))
		a := splitLines([]byte(randomText(r, 12)))
		b := splitLines([]byte(randomText(r, 12)))
		var got []string
		at, cost := 0, 0
		for _, c := range diffLines(a, b) {
			got = append(append(got, a[at:c.A0]...), b[c.B0:c.B1]...)
			at = c.A1
			cost += c.A1 - c.A0 + c.B1 - c.B0
		}
		got = append(got, a[at:]...)
		require.Equal(t, strings.Join(b, "|"), strings.Join(got, "|"))
		require.Equal(t, len(a)+len(b)-2*common(a, b), cost, "seed %d", seed)
	}
}

// common is the length of the longest common subsequence, the slow way.
func common(a, b []string) int {
	t := make([][]int, len(a)+1)
	for i := range t {
		t[i] = make([]int, len(b)+1)
	}
	for i := range a {
		for j := range b {
			t[i+1][j+1] = max(t[i][j+1], t[i+1][j])
			if a[i] == b[j] {
				t[i+1][j+1] = t[i][j] + 1
			}
		}
	}
	return t[len(a)][len(b)]
}

func TestDiffLinesOfLargeFiles(t *testing.T) {
	var a, b []string
	r := rand.New(rand.NewPCG(1, 1))
	for range 20000 {
		a = append(a, fmt.Sprint(r.IntN(50)))
		b = append(b, fmt.Sprint(r.IntN(50)))
	}
	got := []string{}
	at := 0
	for _, c := range diffLines(a, b) {
		got = append(append(got, a[at:c.A0]...), b[c.B0:c.B1]...)
		at = c.A1
	}
	got = append(got, a[at:]...)
	require.Equal(t, b, got)
}

// covers: PAT-1
func TestDiffGolden(t *testing.T) {
	_, set := everything()
	golden(t, "everything.diff", set.Diff())
}

// golden compares with a file in testdata; UPDATE_GOLDEN=1 writes it.
func golden(t *testing.T, name string, got []byte) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if os.Getenv("UPDATE_GOLDEN") == "1" {
		require.NoError(t, os.MkdirAll("testdata", 0o755))
		require.NoError(t, os.WriteFile(path, got, 0o644))
	}
	data, err := os.ReadFile(path)
	require.NoError(t, err)
	assert.Equal(t, string(data), string(got))
}

package verify

import (
	"bufio"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/plumbkit/plumb/index"
	"github.com/plumbkit/plumb/index/lang/golang"
)

// BenchmarkSeededFaults prints ACC-6: a failure is planted into every function
// that some test executes, one at a time. Which tests it breaks is known from
// coverage, test by test; a fault is missed when the selection holds none of
// them. It needs the go command and the module cache, and takes a minute.
//
// covers: ACC-6, VER-5
func BenchmarkSeededFaults(b *testing.B) {
	for b.Loop() {
		var total tally
		for _, dir := range faultyProjects(b) {
			total.add(seed(b, dir))
		}
		slices.Sort(total.shares)
		b.ReportMetric(float64(total.faults), "faults")
		b.ReportMetric(float64(total.missed), "missed")
		b.ReportMetric(100*total.shares[len(total.shares)/2], "share-%")
		require.Greater(b, total.faults, 100)
		if total.missed*450 > 2*total.faults {
			b.Fatalf("%d of %d faults are missed: %v", total.missed, total.faults, total.which)
		}
	}
}

type tally struct {
	faults, missed int
	shares         []float64 // selected tests ÷ all tests, for each fault
	which          []string
}

func (t *tally) add(o tally) {
	t.faults, t.missed = t.faults+o.faults, t.missed+o.missed
	t.shares, t.which = append(t.shares, o.shares...), append(t.which, o.which...)
}

// faultyProjects copies the example's shop and modules of the module cache.
func faultyProjects(b *testing.B) []string {
	dirs := []string{"../examples/refund/testdata/repo"}
	for _, module := range []string{"golang.org/x/mod", "github.com/bmatcuk/doublestar/v4"} {
		out, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", module).Output()
		require.NoError(b, err)
		dirs = append(dirs, strings.TrimSpace(string(out)))
	}
	for i, from := range dirs {
		dirs[i] = b.TempDir()
		require.NoError(b, filepath.WalkDir(from, func(p string, d fs.DirEntry, err error) error {
			rel, _ := filepath.Rel(from, p)
			to := filepath.Join(dirs[i], strings.TrimSuffix(rel, ".mod.in"))
			switch {
			case err != nil:
				return err
			case d.IsDir():
				return os.MkdirAll(to, 0o755)
			case strings.HasSuffix(rel, ".mod.in"):
				to += ".mod"
			}
			data, err := os.ReadFile(p)
			if err != nil {
				return err
			}
			return os.WriteFile(to, data, 0o644)
		}))
	}
	return dirs
}

// seed plants in every function of one project.
func seed(b *testing.B, dir string) tally {
	before, err := (&index.TreeSitter{Languages: []*index.Language{golang.Language()}}).Index(b.Context(), index.Input{FS: os.DirFS(dir)})
	require.NoError(b, err)
	broken := executions(b, dir, before)
	all := len(newCatalog(before).all)
	var out tally
	for sym := range before.Symbols() {
		tests := broken[sym.ID]
		lang := before.Language(sym.Span.File)
		if len(tests) == 0 || lang == nil {
			continue
		}
		src, err := before.Source(sym.Span.File)
		require.NoError(b, err)
		planted, ok := lang.Plant(src, sym)
		if !ok {
			continue
		}
		after, err := before.Overlay(b.Context(), map[string][]byte{sym.Span.File: planted})
		require.NoError(b, err)
		in := Input{Before: before, After: after}
		c, err := newChange(b.Context(), in)
		require.NoError(b, err)
		q := &inquiry{v: &Layered{}, in: in, change: c, report: newReport(in)}
		s, err := q.choose(b.Context())
		require.NoError(b, err)
		out.faults++
		out.shares = append(out.shares, float64(len(s.chosen))/float64(all))
		if !slices.ContainsFunc(tests, func(id TestID) bool { return s.chosen[id] != nil }) {
			out.missed++
			out.which = append(out.which, sym.ID)
		}
	}
	slices.Sort(out.shares)
	b.Logf("%s: %d functions, %d missed %v, share %.2f", moduleLine(b, dir), out.faults, out.missed, out.which, out.shares[len(out.shares)/2])
	return out
}

// executions returns, for each function, the tests that execute it.
func executions(b *testing.B, dir string, s *index.Snapshot) map[string][]TestID {
	out := map[string][]TestID{}
	module := moduleLine(b, dir)
	catalog := newCatalog(s)
	for pkg, ids := range catalog.dir {
		binary := filepath.Join(b.TempDir(), "tests")
		build := exec.Command("go", "test", "-c", "-o", binary, "-cover", "-coverpkg=./...", "./"+pkg)
		build.Dir, build.Env = dir, append(os.Environ(), "GOFLAGS=-mod=mod", "GOPROXY=off", "GOWORK=off")
		if text, err := build.CombinedOutput(); err != nil {
			b.Logf("%s is left out: %s", pkg, text)
			continue
		}
		for _, id := range ids {
			profile := filepath.Join(b.TempDir(), "profile")
			run := exec.Command(binary, "-test.run", "^"+id.Name+"$", "-test.coverprofile", profile, "-test.short")
			run.Dir = filepath.Join(dir, filepath.FromSlash(pkg))
			_ = run.Run() // a test that is red executes what it executes
			for _, sym := range covered(b, s, module, profile) {
				out[sym] = append(out[sym], id)
			}
		}
	}
	return out
}

func moduleLine(b *testing.B, dir string) string {
	data, err := os.ReadFile(filepath.Join(dir, "go.mod"))
	require.NoError(b, err)
	for line := range strings.Lines(string(data)) {
		if rest, ok := strings.CutPrefix(line, "module "); ok {
			return strings.TrimSpace(rest)
		}
	}
	b.Fatal("go.mod names no module")
	return ""
}

// covered returns the functions of which a coverage profile counts a block. Its
// lines are "path/file.go:line.col,line.col statements count".
func covered(b *testing.B, s *index.Snapshot, module, profile string) []string {
	f, err := os.Open(profile)
	if err != nil {
		return nil // the test ended its process
	}
	defer f.Close()
	var out []string
	starts := map[string][]int{}
	for sc := bufio.NewScanner(f); sc.Scan(); {
		file, rest, ok := strings.Cut(strings.TrimPrefix(sc.Text(), module+"/"), ":")
		if !ok || strings.HasSuffix(rest, " 0") || file == "mode" {
			continue
		}
		var line, col int
		if _, err := fmt.Sscanf(rest, "%d.%d,", &line, &col); err != nil {
			continue
		}
		if starts[file] == nil {
			src, err := s.Source(file)
			require.NoError(b, err, strconv.Quote(file))
			starts[file] = lineStarts(src)
		}
		sym, ok := s.At(file, starts[file][line-1]+col-1)
		if ok && sym.Body < sym.Span.End && !slices.Contains(out, sym.ID) {
			out = append(out, sym.ID)
		}
	}
	return out
}

func lineStarts(src []byte) []int {
	out := []int{0}
	for i, c := range src {
		if c == '\n' {
			out = append(out, i+1)
		}
	}
	return out
}

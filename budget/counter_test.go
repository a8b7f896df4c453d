package budget_test

import (
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/plumbkit/plumb/budget"
)

// goroot is the Go tree that the tests run with, "" where it is not known.
func goroot() string {
	out, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		return ""
	}
	return filepath.Join(strings.TrimSpace(string(out)), "src")
}

// sample returns every n-th Go file of the standard library and the tools with
// at least 400 bytes and at most 60,000.
func sample(t testing.TB, n int) []string {
	t.Helper()
	var texts []string
	i := 0
	err := filepath.WalkDir(goroot(), func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") {
			return err
		}
		if i++; i%n != 0 {
			return nil
		}
		data, err := os.ReadFile(path)
		if err == nil && len(data) >= 400 && len(data) <= 60_000 {
			texts = append(texts, string(data))
		}
		return err
	})
	if err != nil || len(texts) == 0 {
		t.Skip("no Go source tree here: ", err)
	}
	return texts
}

// covers: BUD-11
func TestEstimate(t *testing.T) {
	exact := budget.O200K()
	worst, estimated, counted, short := 9.0, 0, 0, 0
	texts := sample(t, 53)
	for _, text := range texts {
		e, c := (budget.Estimate{}).Count(text), exact.Count(text)
		worst = min(worst, float64(e)/float64(c))
		estimated, counted = estimated+e, counted+c
		if float64(e) < 0.95*float64(c) {
			short++
		}
	}
	over := float64(estimated)/float64(counted) - 1
	t.Logf("%d files, %d tokens: estimate %+.1f %% over all, %+.1f %% at worst", len(texts), counted, 100*over, 100*(worst-1))
	assert.Zero(t, short, "files counted more than 5 %% too low")
	assert.Less(t, over, 0.18, "an estimate that is always far too high is no use")
}

// covers: BUD-11
func TestExactCounters(t *testing.T) {
	// The figures are those that the encodings' publisher prints for these texts.
	cases := []struct {
		text          string
		o200k, cl100k int
	}{
		{"", 0, 0},
		{"tiktoken is great!", 6, 6},
		{"antidisestablishmentarianism", 6, 6},
		{"2 + 2 = 4", 7, 7},
		{"お誕生日おめでとう", 8, 9},
	}
	o, c := budget.O200K(), budget.CL100K()
	for _, x := range cases {
		assert.Equal(t, x.o200k, o.Count(x.text), x.text)
		assert.Equal(t, x.cl100k, c.Count(x.text), x.text)
	}
	assert.Equal(t, "o200k_base", o.Name())
	require.Equal(t, "cl100k_base", c.Name())
}

func TestEstimateReadsAnything(t *testing.T) {
	for _, text := range []string{"", " ", "\t\t", "\xff\xfe", "世界", "🙂", "a\x00b", "\n\n  \n", "---------", strings.Repeat("A", 99)} {
		n := (budget.Estimate{}).Count(text)
		assert.LessOrEqual(t, n, 2*len(text)+1)
		assert.Equal(t, text != "", n > 0, "%q", text)
	}
}

func BenchmarkEstimate(b *testing.B) { benchmarkCounter(b, budget.Estimate{}) }
func BenchmarkO200K(b *testing.B)    { benchmarkCounter(b, budget.O200K()) }

func benchmarkCounter(b *testing.B, c budget.Counter) {
	text := strings.Join(sample(b, 400), "\n")
	b.SetBytes(int64(len(text)))
	c.Count("x")
	for b.Loop() {
		c.Count(text)
	}
}

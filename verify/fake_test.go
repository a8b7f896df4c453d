package verify_test

import (
	"bytes"
	"context"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/plumbkit/plumb/host/sandbox"
	"github.com/plumbkit/plumb/index"
	"github.com/plumbkit/plumb/verify"
)

// A tool is a Runner whose tests end as comments in the tree say:
//
//	// tool: TestName failed the words that it writes
//
// Tests without a comment pass. In a folder with a planted failure all crash.
type tool struct {
	// installed, if set, is the tree that it reads whatever tree it runs in.
	installed string
	// flaky tests fail every second time.
	flaky map[string]bool
	// quiet keeps it from running a command in the sandbox.
	quiet bool
	// look, if set, is shown every run.
	look func(verify.Run)

	mu   sync.Mutex
	runs []verify.Run
	seen map[string]int
}

func (f *tool) Run(ctx context.Context, box sandbox.Sandbox, run verify.Run) ([]verify.Outcome, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.runs = append(f.runs, run)
	if f.look != nil {
		f.look(run)
	}
	if f.seen == nil {
		f.seen = map[string]int{}
	}
	dir := run.Dir
	if f.installed != "" {
		dir = f.installed
	}
	if !f.quiet {
		if _, err := box.Run(ctx, sandbox.Command{Dir: run.Dir, Args: []string{"tool"}}); err != nil {
			return nil, err
		}
	}
	said, planted, err := comments(dir)
	if err != nil {
		return nil, err
	}
	var out []verify.Outcome
	for _, id := range append(inPackages(dir, run.Packages), run.Tests...) {
		for range max(run.Repeat, 1) {
			f.seen[id.Name]++
			o := verify.Outcome{Test: id, Status: verify.Passed, Command: []string{"tool"}}
			switch {
			case planted[id.Dir]:
				o.Status, o.Output = verify.Crashed, "panic: "+index.PlantMark
			case f.flaky[id.Name] && f.seen[id.Name]%2 == 0:
				o.Status = verify.Failed
			default:
				if words, ok := said[id.Name]; ok {
					status, output, _ := strings.Cut(words, " ")
					o.Status, o.Output = verify.Status(status), output
				}
			}
			out = append(out, o)
		}
	}
	return out, nil
}

// comments reads what the tree says of each test, and which folders hold a
// planted failure.
func comments(dir string) (said map[string]string, planted map[string]bool, err error) {
	said, planted = map[string]string{}, map[string]bool{}
	err = fs.WalkDir(os.DirFS(dir), ".", func(p string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(p)))
		if bytes.Contains(data, []byte(index.PlantMark)) {
			planted[path.Dir(p)] = true
		}
		for line := range strings.Lines(string(data)) {
			if _, rest, ok := strings.Cut(line, "// tool: "); ok {
				name, words, _ := strings.Cut(strings.TrimSpace(rest), " ")
				said[name] = words
			}
		}
		return err
	})
	return said, planted, err
}

// inPackages lists the tests of folders.
func inPackages(root string, dirs []string) (out []verify.TestID) {
	for _, dir := range dirs {
		files, _ := filepath.Glob(filepath.Join(root, dir, "*_test.go"))
		for _, file := range files {
			data, _ := os.ReadFile(file)
			for _, m := range regexp.MustCompile(`(?m)^func (Test\w+)`).FindAllSubmatch(data, -1) {
				out = append(out, verify.TestID{Dir: dir, Name: string(m[1])})
			}
		}
	}
	return out
}

// noProcess is a sandbox that runs nothing.
func noProcess(context.Context, sandbox.Command) (sandbox.Result, error) {
	return sandbox.Result{}, nil
}

// scripted returns a Layered that runs the tool.
func scripted(f *tool) *verify.Layered {
	return &verify.Layered{Runner: f, Sandbox: sandbox.Func(noProcess),
		Budgets: verify.Budgets{L0: time.Minute, L1: time.Minute, L2: time.Minute, L3: time.Minute}}
}

// replace makes the change that replaces text in files of the tree, given as
// file, old and new text in turn.
func (s *scenario) replace(t testing.TB, edits ...string) { s.change(t, nil, edits...) }

// change is replace with files that are deleted.
func (s *scenario) change(t testing.TB, gone []string, edits ...string) {
	t.Helper()
	after := map[string][]byte{}
	for _, file := range gone {
		after[file] = nil
	}
	for i := 0; i < len(edits); i += 3 {
		data, ok := after[edits[i]]
		if !ok {
			var err error
			data, err = os.ReadFile(filepath.Join(s.dir, filepath.FromSlash(edits[i])))
			require.NoError(t, err)
		}
		require.Contains(t, string(data), edits[i+1])
		after[edits[i]] = bytes.Replace(data, []byte(edits[i+1]), []byte(edits[i+2]), 1)
	}
	s.edit(t, after)
}

// lost is a Sandbox that cannot isolate anything.
func lost(ctx context.Context, c sandbox.Command) (sandbox.Result, error) {
	return sandbox.Auto{Bubblewrap: sandbox.Bubblewrap{Path: "/nowhere/bwrap"}}.Run(ctx, c)
}

package plumb_test

import (
	"context"
	"crypto/sha256"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/plumbkit/plumb"
	"github.com/plumbkit/plumb/gate"
	"github.com/plumbkit/plumb/host/task"
	"github.com/plumbkit/plumb/index"
	"github.com/plumbkit/plumb/index/lang/golang"
	"github.com/plumbkit/plumb/patch"
	"github.com/plumbkit/plumb/selfcheck"
	"github.com/plumbkit/plumb/verify"
)

// greeter is a repository of two functions, one of which calls the other.
var greeter = map[string]string{
	"go.mod": "module example.com/tiny\n\ngo 1.24\n",
	"greet/greet.go": `// Package greet says hello.
package greet

// Hello greets by name.
func Hello(name string) string {
	return "hello, " + name
}

// Twice greets two times.
func Twice(name string) string {
	return Hello(name) + " " + Hello(name)
}
`,
	"greet/greet_test.go": `package greet

import "testing"

func TestHello(t *testing.T) {
	if got := Hello("ann"); got != "hello, ann" {
		t.Errorf("got %q", got)
	}
}

func TestTwice(t *testing.T) {
	if got := Twice("ann"); got != "hello, ann hello, ann" {
		t.Errorf("got %q", got)
	}
}
`,
}

// half changes a signature and leaves the call sites out; whole adapts them too.
const (
	half = `--- a/greet/greet.go
+++ b/greet/greet.go
@@ -4,4 +4,4 @@
 // Hello greets by name.
-func Hello(name string) string {
-	return "hello, " + name
+func Hello(name, mark string) string {
+	return "hello, " + name + mark
 }
`
	whole = `--- a/greet/greet.go
+++ b/greet/greet.go
@@ -4,9 +4,9 @@
 // Hello greets by name.
-func Hello(name string) string {
-	return "hello, " + name
+func Hello(name, mark string) string {
+	return "hello, " + name + mark
 }
 
 // Twice greets two times.
 func Twice(name string) string {
-	return Hello(name) + " " + Hello(name)
+	return Hello(name, "") + " " + Hello(name, "")
 }
--- a/greet/greet_test.go
+++ b/greet/greet_test.go
@@ -5,5 +5,11 @@
 func TestHello(t *testing.T) {
-	if got := Hello("ann"); got != "hello, ann" {
+	if got := Hello("ann", ""); got != "hello, ann" {
 		t.Errorf("got %q", got)
 	}
 }
+
+func TestHelloMark(t *testing.T) {
+	if got := Hello("ann", "!"); got != "hello, ann!" {
+		t.Errorf("got %q", got)
+	}
+}
`
)

// shout is the task that whole carries out.
func shout() task.Task {
	return task.Task{
		ID: "shout", Requirement: "Hello takes a mark that ends the greeting.",
		Capabilities: []task.Capability{{ID: "GREET-1", Sentence: `Hello("ann", "!") returns "hello, ann!".`, Symbols: []string{"greet.Hello"}, Layers: []string{"domain", "test"}}},
		Changes:      []task.Change{{Symbol: "greet.Hello", NewSignature: "(name, mark string) string"}},
	}
}

// repository lays files out in a folder of its own; git makes it a clean checkout.
func repository(t *testing.T, files map[string]string, git bool) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		p := filepath.Join(dir, filepath.FromSlash(name))
		require.NoError(t, os.MkdirAll(filepath.Dir(p), 0o755))
		require.NoError(t, os.WriteFile(p, []byte(text), 0o644))
	}
	if git {
		for _, args := range [][]string{{"init", "-q"}, {"add", "-A"}, {"-c", "user.name=t", "-c", "user.email=t@example.com", "commit", "-qm", "start"}} {
			out, err := exec.Command("git", append([]string{"-C", dir}, args...)...).CombinedOutput()
			require.NoError(t, err, string(out))
		}
	}
	return dir
}

// fingerprint is the path, mode and content of every file but those of git and
// of the workspace's own state.
func fingerprint(t *testing.T, dir string) map[string]string {
	t.Helper()
	out := map[string]string{}
	require.NoError(t, filepath.WalkDir(dir, func(p string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			if d != nil && (d.Name() == ".git" || d.Name() == ".plumb") {
				return fs.SkipDir
			}
			return err
		}
		data, err := os.ReadFile(p)
		if err != nil {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		out[strings.TrimPrefix(p, dir+"/")] = fmt.Sprintf("%v %x", info.Mode(), sha256.Sum256(data))
		return nil
	}))
	return out
}

func parse(t *testing.T, diff string) []patch.Edit {
	t.Helper()
	edits, err := patch.Parse([]byte(diff))
	require.NoError(t, err)
	return edits
}

// attempts is an editor with one diff for each attempt, which counts its calls.
type attempts struct {
	t      *testing.T
	diffs  []string
	drafts []plumb.Draft
}

// Edit returns the next diff.
func (a *attempts) Edit(_ context.Context, d plumb.Draft) ([]patch.Edit, error) {
	a.drafts = append(a.drafts, d)
	return parse(a.t, a.diffs[min(len(a.drafts), len(a.diffs))-1]), nil
}

// bench is a chain on a repository with quick stand-ins for what runs tests and
// decides, and a record of the events.
type bench struct {
	*plumb.Chain
	dir    string
	start  map[string]string
	events []plumb.Event
}

// quick composes a chain whose tests always pass and whose gate always allows.
func quick(t *testing.T, files map[string]string, e plumb.Editor) *bench {
	t.Helper()
	b := &bench{dir: repository(t, files, false)}
	b.start = fingerprint(t, b.dir)
	b.reopen(t, e)
	return b
}

// reopen makes a new chain on the same repository, as a new process would.
func (b *bench) reopen(t *testing.T, e plumb.Editor) {
	t.Helper()
	c, err := plumb.New(b.dir, golang.Language())
	require.NoError(t, err)
	c.Editor, c.Verifier, c.Gate, c.Checker = e, verify.Func(passing), gate.Func(allowing), selfcheck.Func(content)
	b.Chain, b.events = c, nil
	c.Observe = func(e plumb.Event) { b.events = append(b.events, e) }
}

// states lists the events of a state as "stage".
func (b *bench) states(state string) []plumb.Stage {
	var out []plumb.Stage
	for _, e := range b.events {
		if e.State == state {
			out = append(out, e.Stage)
		}
	}
	return out
}

// consistency is the real check of L0 and L1.
func consistency(ctx context.Context, in verify.Input) (*verify.Report, error) {
	in.Layers = []verify.LayerName{verify.L0, verify.L1}
	return (&verify.Layered{}).Verify(ctx, in)
}

// passing checks consistency and says of the tests that they passed.
func passing(ctx context.Context, in verify.Input) (*verify.Report, error) {
	r, err := consistency(ctx, in)
	if err != nil || len(in.Layers) > 0 {
		return r, err
	}
	r.Layers = append(r.Layers, verify.Layer{Name: verify.L2, Status: verify.LayerPassed}, verify.Layer{Name: verify.L3, Status: verify.LayerPassed})
	return r, nil
}

// allowing authorizes whatever has a report.
func allowing(_ context.Context, in gate.Input) (*gate.Decision, error) {
	d := &gate.Decision{Schema: 1, Set: in.Set.Digest(), Verdict: gate.Allowed, Why: "the test allows it", Findings: []gate.Finding{}, Rules: []string{"none"}}
	if in.Report != nil {
		d.Authorization = &patch.Authorization{Set: d.Set, By: "test", Policy: "override", Reason: "the test allows it", At: time.Unix(0, 0).UTC()}
	}
	return d, nil
}

// content finds nothing wrong.
func content(_ context.Context, ev selfcheck.Evidence) (*selfcheck.Handoff, error) {
	return &selfcheck.Handoff{Schema: 1, Task: ev.Task.ID, Requirement: ev.Task.Requirement, Set: ev.Set.Digest(), Budgets: ev.Spent, Warnings: []string{}}, nil
}

// build indexes a folder.
func build(t *testing.T, dir string) *index.Snapshot {
	t.Helper()
	s, err := (&index.TreeSitter{Languages: []*index.Language{golang.Language()}}).Index(t.Context(), index.Input{FS: os.DirFS(dir)})
	require.NoError(t, err)
	return s
}

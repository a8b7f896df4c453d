package main

import (
	"context"
	"crypto/sha256"
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
	"golang.org/x/tools/txtar"

	"github.com/plumbkit/plumb/host/sandbox"
)

//go:embed testdata/tiny.txtar
var tinyArchive embed.FS

func TestMain(m *testing.M) {
	testscript.Main(apart{m}, map[string]func(){"plumb": main})
}

// apart keeps the cache of the tests apart from the user's.
type apart struct{ m *testing.M }

func (a apart) Run() int {
	dir, err := os.MkdirTemp("", "plumb-cli-")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(dir)
	if err := os.Setenv("XDG_CACHE_HOME", dir); err != nil {
		panic(err)
	}
	return a.m.Run()
}

// TestScripts runs each script in a folder of its own. Besides the usual
// commands there are
//
//	tiny [nogit]              lays out testdata/tiny.txtar in ./tiny, as a clean checkout
//	exits CODE plumb ARGS...  runs a command that has to end with the code
//	json KEY...               the last output is one JSON document that has these keys
//	jsonl KEY...              each line of it is one that has them
//	keep DIR; same DIR        the folder is exactly what it was
//	undo DIR RECEIPT [KEY]    takes back the transaction of a receipt in a JSON file
//	relay DIR                 brings back the files of the tiny archive, and no others
//	alike FILE                the last output has the figures of another index, times apart
//	commit DIR                commits everything in a repository
//	isolated COMMAND ARGS...  runs it where a sandbox can be had, else does nothing
//	readonly DIR CODE ARGS... as exits, with a folder that cannot be written
//	odd DIR                   adds files with controls in name and content
//
// covers: CLI-2, FLT-3
func TestScripts(t *testing.T) {
	tools, err := exec.Command("go", "env", "GOCACHE", "GOMODCACHE").Output()
	if err != nil {
		t.Fatal(err)
	}
	caches := strings.Fields(string(tools))
	testscript.Run(t, testscript.Params{
		Dir:                "testdata/script",
		RequireUniqueNames: true,
		Setup: func(e *testscript.Env) error {
			e.Setenv("XDG_CACHE_HOME", filepath.Join(e.WorkDir, ".cache"))
			e.Setenv("GOCACHE", caches[0])
			e.Setenv("GOMODCACHE", caches[1])
			e.Setenv("NOTOOLS", filepath.Join(e.WorkDir, "tools"))
			e.Setenv("ODDNAME", "\x1b[31mred.go")
			plumb, err := exec.LookPath("plumb")
			if err != nil {
				return err
			}
			e.Setenv("PLUMB", plumb)
			return only(filepath.Join(e.WorkDir, "tools"), "git", "go", "sh", "sleep", "cat")
		},
		Cmds: map[string]func(ts *testscript.TestScript, neg bool, args []string){
			"tiny": tiny, "exits": exits, "json": document, "jsonl": documents, "keep": keep, "same": same,
			"undo": undo, "odd": odd, "commit": commit, "alike": alike, "relay": relay, "isolated": isolated, "readonly": readonly,
		},
	})
}

// only makes a folder for PATH that holds these tools and no sandbox.
func only(dir string, names ...string) error {
	if err := os.Mkdir(dir, 0o755); err != nil {
		return err
	}
	for _, name := range names {
		p, err := exec.LookPath(name)
		if err != nil {
			return err
		}
		if err := os.Symlink(p, filepath.Join(dir, name)); err != nil {
			return err
		}
	}
	return nil
}

func tiny(ts *testscript.TestScript, neg bool, args []string) {
	if neg {
		ts.Fatalf("tiny cannot be negated")
	}
	dir := ts.MkAbs("tiny")
	files, err := txtar.FS(txtar.Parse(tinyFiles(ts)))
	ts.Check(err)
	ts.Check(os.CopyFS(dir, files))
	if slices.Contains(args, "nogit") {
		return
	}
	ts.Check(ts.Exec("git", "-C", dir, "init", "-q"))
	commit(ts, false, []string{dir})
}

func commit(ts *testscript.TestScript, _ bool, args []string) {
	for _, a := range [][]string{{"add", "-A"}, {"-c", "user.name=t", "-c", "user.email=t@example.com", "commit", "-qm", "work"}} {
		ts.Check(ts.Exec("git", append([]string{"-C", ts.MkAbs(args[0])}, a...)...))
	}
}

func tinyFiles(ts *testscript.TestScript) []byte {
	data, err := tinyArchive.ReadFile("testdata/tiny.txtar")
	ts.Check(err)
	return data
}

func exits(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: exits CODE COMMAND ARGS...")
	}
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	err = ts.Exec(args[1], args[2:]...)
	code := 0
	if exit := (&exec.ExitError{}); errors.As(err, &exit) {
		code = exit.ExitCode()
	} else {
		ts.Check(err)
	}
	if code != want {
		ts.Fatalf("%s ends with %d, not %d", strings.Join(args[1:], " "), code, want)
	}
}

func document(ts *testscript.TestScript, neg bool, args []string) {
	check(ts, ts.ReadFile("stdout"), neg, args)
}

func documents(ts *testscript.TestScript, neg bool, args []string) {
	n := 0
	for l := range strings.Lines(ts.ReadFile("stdout")) {
		check(ts, l, neg, args)
		n++
	}
	if n == 0 {
		ts.Fatalf("there is no line")
	}
}

// check is for keys "a", or "a.b" inside of an object or of the first element of a list.
func check(ts *testscript.TestScript, text string, neg bool, keys []string) {
	var doc map[string]any
	if err := json.Unmarshal([]byte(text), &doc); err != nil {
		ts.Fatalf("not one JSON document: %v: %.200s", err, text)
	}
	for _, key := range keys {
		if _, ok := lookup(doc, strings.Split(key, ".")); ok == neg {
			ts.Fatalf("key %s: present %v; there are %s", key, ok, strings.Join(slices.Sorted(maps.Keys(doc)), ", "))
		}
	}
}

func lookup(v any, path []string) (any, bool) {
	if list, ok := v.([]any); ok {
		if len(list) == 0 {
			return nil, false
		}
		v = list[0]
	}
	if len(path) == 0 {
		return v, true
	}
	m, ok := v.(map[string]any)
	if !ok {
		return nil, false
	}
	x, ok := m[path[0]]
	if !ok {
		return nil, false
	}
	if len(path) == 1 {
		return x, true
	}
	return lookup(x, path[1:])
}

func keep(ts *testscript.TestScript, _ bool, args []string) {
	ts.Check(os.WriteFile(filepath.Join(ts.Getenv("WORK"), "kept.txt"), []byte(fingerprint(ts, args)), 0o600))
}

func same(ts *testscript.TestScript, neg bool, args []string) {
	was, now := ts.ReadFile(filepath.Join(ts.Getenv("WORK"), "kept.txt")), fingerprint(ts, args)
	if (was == now) == neg {
		ts.Fatalf("was:\n%snow:\n%s", was, now)
	}
}

// fingerprint is path, mode and content of every file but those of git and of
// the workspace's state.
func fingerprint(ts *testscript.TestScript, args []string) string {
	if len(args) != 1 {
		ts.Fatalf("one folder is expected")
	}
	var b strings.Builder
	ts.Check(filepath.WalkDir(ts.MkAbs(args[0]), func(p string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			if d.Name() == ".git" || d.Name() == ".plumb" {
				return fs.SkipDir
			}
			return nil
		}
		data, err := os.ReadFile(p)
		if err != nil {
			return err
		}
		info, err := d.Info()
		fmt.Fprintf(&b, "%v %x %s\n", info.Mode(), sha256.Sum256(data), p)
		return err
	}))
	return b.String()
}

func undo(ts *testscript.TestScript, _ bool, args []string) {
	var doc any
	ts.Check(json.Unmarshal([]byte(ts.ReadFile(args[1])), &doc))
	id, ok := lookup(doc, append(args[2:], "id"))
	if !ok {
		ts.Fatalf("no receipt in %s", args[1])
	}
	exits(ts, false, []string{"0", "plumb", "undo", id.(string), "-C", args[0]})
}

func odd(ts *testscript.TestScript, _ bool, args []string) {
	dir := ts.MkAbs(args[0])
	for name, text := range map[string]string{
		"greet/\x1b[31mred.go":  "package greet\n\n// needle \x07 rings\nfunc red() {}\n",
		"greet/\u202eog.rtl.go": "package greet\n\n// needle \u202e turns, \x1b[2J clears\nfunc rtl() {}\n",
		"docs/a.md":             "# A\n\n- A-1 Needles are found.\n",
	} {
		p := filepath.Join(dir, filepath.FromSlash(name))
		ts.Check(os.MkdirAll(filepath.Dir(p), 0o755))
		ts.Check(os.WriteFile(p, []byte(text), 0o644))
	}
}

// isolated is for machines on which bubblewrap is installed and may not run.
func isolated(ts *testscript.TestScript, _ bool, args []string) {
	if _, err := (sandbox.Bubblewrap{}).Run(context.Background(), sandbox.Command{Args: []string{"true"}, Dir: ts.Getenv("WORK")}); err != nil {
		ts.Logf("no sandbox here: %v", err)
		return
	}
	ts.Check(ts.Exec(args[0], args[1:]...))
}

func readonly(ts *testscript.TestScript, _ bool, args []string) {
	dir := ts.MkAbs(args[0])
	if err := exec.Command("bwrap", "--bind", "/", "/", "true").Run(); err != nil {
		ts.Logf("no mounts here: %v", err)
		return
	}
	exits(ts, false, append([]string{args[1], "bwrap", "--bind", "/", "/", "--dev-bind", "/dev", "/dev", "--ro-bind", dir, dir}, args[2:]...))
}

func alike(ts *testscript.TestScript, _ bool, args []string) {
	var a, b figures
	ts.Check(json.Unmarshal([]byte(ts.ReadFile("stdout")), &a))
	ts.Check(json.Unmarshal([]byte(ts.ReadFile(args[0])), &b))
	for _, f := range []*figures{&a, &b} {
		f.ElapsedMS, f.CPUMS, f.ParseCPUMS, f.PeakRSSMB = 0, 0, 0, 0
	}
	if a != b {
		ts.Fatalf("%+v is not %+v", a, b)
	}
}

func relay(ts *testscript.TestScript, _ bool, args []string) {
	ts.Check(os.RemoveAll(ts.MkAbs(args[0])))
	tiny(ts, false, []string{"nogit"})
}

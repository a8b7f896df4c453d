// Package sandboxtest is the conformance suite of sandbox.Sandbox.
package sandboxtest

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/plumbkit/plumb/host/fault"
	"github.com/plumbkit/plumb/host/fault/faulttest"
	"github.com/plumbkit/plumb/host/sandbox"
)

// Run checks what Sandbox promises of every implementation, isolated or not,
// one subtest for each promise. It needs a POSIX shell.
func Run(t *testing.T, s sandbox.Sandbox) {
	for name, check := range map[string]func(*testing.T, sandbox.Sandbox){
		"runs a command":                       runs,
		"hands on input, directory, variables": handsOn,
		"reports signals":                      signals,
		"reduces the environment":              environment,
		"gives a home and a temporary folder":  home,
		"writes where it may":                  writes,
		"caps the output and counts the rest":  output,
		"ends at the wall time":                wall,
		"ends at the CPU time":                 cpu,
		"ends at the memory limit":             memory,
		"ends at the process limit":            processes,
		"ends when canceled":                   canceled,
		"refuses what cannot be run":           refuses,
		"runs commands at once":                atOnce,
		"says of every promise whether held":   promises,
	} {
		t.Run(name, func(t *testing.T) { check(t, s) })
	}
}

func script(t *testing.T, text string) sandbox.Command {
	t.Helper()
	return sandbox.Command{Dir: t.TempDir(), Args: []string{"sh", "-c", text}, Limits: sandbox.Limits{Wall: 30 * time.Second}}
}

func run(t *testing.T, s sandbox.Sandbox, c sandbox.Command) sandbox.Result {
	t.Helper()
	r, err := s.Run(context.Background(), c)
	require.NoError(t, err)
	return r
}

func runs(t *testing.T, s sandbox.Sandbox) {
	r := run(t, s, script(t, "echo out; echo err >&2; exit 3"))
	assert.Equal(t, 3, r.ExitCode)
	assert.Equal(t, "out\n", string(r.Stdout))
	assert.Equal(t, "err\n", string(r.Stderr))
	assert.Zero(t, r.Signal)
	assert.Empty(t, r.Exceeded)
	assert.False(t, r.TimedOut())
	assert.Positive(t, r.Wall)
	assert.Positive(t, r.PeakRSS)
}

func handsOn(t *testing.T, s sandbox.Sandbox) {
	c := script(t, `cat; echo "[$1] $A $(pwd)"; cat in.txt`)
	require.NoError(t, os.WriteFile(filepath.Join(c.Dir, "in.txt"), []byte("read"), 0o600))
	c.Args = append(c.Args, "sh", `a "b" $c`)
	c.Env = []string{"A=old", "A=x=y z"}
	c.Stdin = []byte(strings.Repeat("in", 200_000))
	r := run(t, s, c)
	assert.Equal(t, string(c.Stdin)+`[a "b" $c] x=y z `+c.Dir+"\nread", string(r.Stdout))

	r = run(t, s, sandbox.Command{Dir: c.Dir, Args: []string{"true"}, Stdin: c.Stdin})
	assert.Zero(t, r.ExitCode, "input that nobody reads is no error")
}

func signals(t *testing.T, s sandbox.Sandbox) {
	r := run(t, s, script(t, "kill -9 $$"))
	assert.Equal(t, 9, r.Signal)
	assert.Equal(t, 128+9, r.ExitCode)
	assert.Empty(t, r.Exceeded, "no limit ended it")
}

func environment(t *testing.T, s sandbox.Sandbox) {
	allowed := strings.Join(sandbox.Environment(), "\n")
	own := "HOME TMPDIR PWD SHLVL OLDPWD _ PLUMB_RUN PATH"
	r := run(t, s, script(t, "env"))
	for _, pair := range strings.Split(strings.TrimSpace(string(r.Stdout)), "\n") {
		name, _, _ := strings.Cut(pair, "=")
		assert.True(t, strings.Contains(allowed, pair) || strings.Contains(own, name), "%s is passed on", name)
	}
	assert.Contains(t, string(r.Stdout), "PATH=")
	assert.True(t, r.Promises.Held(sandbox.EnvReduced))

	c := script(t, "env")
	c.Env = []string{"API_KEY=mine"}
	r = run(t, s, c)
	assert.Contains(t, string(r.Stdout), "API_KEY=mine\n", "what the caller names is passed on")
	assert.False(t, r.Promises.Held(sandbox.EnvReduced), "and said")
}

func home(t *testing.T, s sandbox.Sandbox) {
	r := run(t, s, script(t, `ls -A "$HOME"; echo x >"$HOME/f" && echo y >"$TMPDIR/f" && mkdir -p "$HOME/ro/in" && chmod 500 "$HOME/ro" && echo "$HOME $TMPDIR"`))
	require.Zero(t, r.ExitCode, "%s", r.Stderr)
	lines := strings.Fields(string(r.Stdout))
	user, err := os.UserHomeDir()
	require.NoError(t, err)
	assert.NotEqual(t, user, lines[len(lines)-2])
	for _, dir := range lines[len(lines)-2:] {
		assert.NoFileExists(t, filepath.Join(dir, "f"), "nothing is left behind")
	}
}

func writes(t *testing.T, s sandbox.Sandbox) {
	work, read := t.TempDir(), t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(read, "r"), []byte("r"), 0o600))
	inner := filepath.Join(work, "inner")
	require.NoError(t, os.Mkdir(inner, 0o700))
	c := script(t, `cat "$1/r" >"$2/w" && echo x >i`)
	c.Dir = inner
	c.Args = append(c.Args, "sh", read, work)
	c.Readable, c.Writable = []string{read}, []string{work}
	r := run(t, s, c)
	require.Zero(t, r.ExitCode, "%s", r.Stderr)
	assert.FileExists(t, filepath.Join(inner, "i"), "a folder in a writable one is writable")
	got, err := os.ReadFile(filepath.Join(work, "w"))
	require.NoError(t, err)
	assert.Equal(t, "r", string(got))
}

func output(t *testing.T, s sandbox.Sandbox) {
	c := script(t, "head -c 100000 /dev/zero; echo 12345 >&2")
	c.Limits.Output = 5
	r := run(t, s, c)
	assert.Len(t, r.Stdout, 5)
	assert.Equal(t, int64(100_000-5), r.CutStdout)
	assert.Equal(t, "12345", string(r.Stderr))
	assert.Equal(t, int64(1), r.CutStderr)
	assert.Zero(t, r.ExitCode, "too much output does not end a command")

	c.Limits.Output = -1
	assert.Len(t, run(t, s, c).Stdout, 100_000)
}

func wall(t *testing.T, s sandbox.Sandbox) {
	c := script(t, "echo begun; sleep 60 & sleep 60")
	c.Limits.Wall = 300 * time.Millisecond
	r := run(t, s, c)
	assert.Equal(t, sandbox.LimitWall, r.Exceeded)
	assert.True(t, r.TimedOut())
	assert.Equal(t, "begun\n", string(r.Stdout))
	assert.NotZero(t, r.ExitCode)
	assert.Less(t, r.Wall, 20*time.Second)
}

func cpu(t *testing.T, s sandbox.Sandbox) {
	c := script(t, "while :; do :; done & while :; do :; done")
	c.Limits.CPU = 200 * time.Millisecond
	r := run(t, s, c)
	assert.Equal(t, sandbox.LimitCPU, r.Exceeded)
	assert.True(t, r.TimedOut())
	assert.GreaterOrEqual(t, r.CPU, c.Limits.CPU)
}

func memory(t *testing.T, s sandbox.Sandbox) {
	c := script(t, "head -c 200000000 /dev/zero | tail -c 200000000 | wc -c")
	c.Limits.Memory = 32 << 20
	r := run(t, s, c)
	assert.NotContains(t, string(r.Stdout), "200000000")
	if r.Exceeded != sandbox.LimitMemory {
		assert.NotEmpty(t, r.Stderr, "the kernel refused the memory and the command says so")
	}
}

func processes(t *testing.T, s sandbox.Sandbox) {
	c := script(t, "for i in $(seq 40); do sleep 60 & done; wait; echo all")
	c.Limits.Processes = 20
	r := run(t, s, c)
	assert.Equal(t, sandbox.LimitProcesses, r.Exceeded)
	assert.NotContains(t, string(r.Stdout), "all")
}

func canceled(t *testing.T, s sandbox.Sandbox) {
	work := t.TempDir()
	c := script(t, `(trap "" TERM INT HUP; while :; do date +%N >"$1/tick"; sleep 0.01; done) & sleep 60`)
	c.Args, c.Writable = append(c.Args, "sh", work), []string{work}
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	time.AfterFunc(10*time.Second, cancel)
	go func() {
		for ctx.Err() == nil {
			if _, err := os.Stat(filepath.Join(work, "tick")); err == nil {
				cancel()
			}
			time.Sleep(time.Millisecond)
		}
	}()
	_, err := s.Run(ctx, c)
	assert.ErrorIs(t, err, fault.Canceled)
	assert.ErrorIs(t, err, context.Canceled)
	assert.Empty(t, faulttest.Check(err))
	require.FileExists(t, filepath.Join(work, "tick"))
	require.NoError(t, os.Remove(filepath.Join(work, "tick")))
	time.Sleep(50 * time.Millisecond)
	assert.NoFileExists(t, filepath.Join(work, "tick"), "no process of it is left")

	_, err = s.Run(ctx, script(t, "true"))
	assert.ErrorIs(t, err, fault.Canceled, "nothing begins once it is canceled")
}

func refuses(t *testing.T, s sandbox.Sandbox) {
	dir := t.TempDir()
	file := filepath.Join(dir, "file")
	require.NoError(t, os.WriteFile(file, nil, 0o600))
	ok := []string{"true"}
	for want, c := range map[string]sandbox.Command{
		"names no program":          {Dir: dir},
		"is not absolute":           {Dir: "relative", Args: ok},
		"does not exist":            {Dir: filepath.Join(dir, "missing"), Args: ok},
		"is not a folder":           {Dir: file, Args: ok},
		`path "x" is not absolute`:  {Dir: dir, Args: ok, Readable: []string{"x"}},
		"the path does not exist":   {Dir: dir, Args: ok, Writable: []string{filepath.Join(dir, "missing")}},
		"root folder":               {Dir: dir, Args: ok, Writable: []string{"//"}},
		"not of the form":           {Dir: dir, Args: ok, Env: []string{"A"}},
		"not of the form NAME=":     {Dir: dir, Args: ok, Env: []string{"=A"}},
		"holds a zero byte":         {Dir: dir, Args: []string{"true", "\x00"}},
		"variable holds a zero":     {Dir: dir, Args: ok, Env: []string{"A=\x00"}},
		"put the program and its a": {Dir: dir, Args: []string{""}},
	} {
		_, err := s.Run(context.Background(), c)
		assert.ErrorIs(t, err, fault.InvalidInput, want)
		assert.ErrorContains(t, err, want)
		assert.Empty(t, faulttest.Check(err), want)
	}
	for _, program := range []string{"no-such-program", "./no-such-program", file, dir} {
		_, err := s.Run(context.Background(), sandbox.Command{Dir: dir, Args: []string{program}})
		assert.ErrorIs(t, err, fault.Environment, program)
		assert.Empty(t, faulttest.Check(err), program)
	}
}

func atOnce(t *testing.T, s sandbox.Sandbox) {
	c := script(t, `echo "$1"`)
	var wg sync.WaitGroup
	for i := range 8 {
		wg.Go(func() {
			mine := c
			mine.Args = append(append([]string{}, c.Args...), "sh", fmt.Sprint(i))
			r, err := s.Run(context.Background(), mine)
			assert.NoError(t, err)
			assert.Equal(t, fmt.Sprintln(i), string(r.Stdout))
		})
	}
	wg.Wait()
}

func promises(t *testing.T, s sandbox.Sandbox) {
	c := script(t, "true")
	r := run(t, s, c)
	var names []sandbox.PromiseName
	for _, p := range r.Promises {
		names = append(names, p.Name)
		assert.NotEmpty(t, p.How, "%s", p.Name)
	}
	assert.Equal(t, sandbox.PromiseNames(), names)
	assert.Equal(t, r.Unsandboxed, !r.Promises.Held(sandbox.NoOutsideWrite))

	c.Network, c.Writable = true, []string{c.Dir}
	c.Limits = sandbox.Limits{Wall: -1, CPU: -1, Memory: -1, Output: -1, Processes: -1}
	r = run(t, s, c)
	for _, name := range []sandbox.PromiseName{sandbox.NoNetwork, sandbox.SourceReadOnly, sandbox.WallLimit, sandbox.CPULimit,
		sandbox.MemoryLimit, sandbox.ProcessLimit, sandbox.OutputLimit} {
		assert.False(t, r.Promises.Held(name), "the caller gave up %s", name)
	}
}

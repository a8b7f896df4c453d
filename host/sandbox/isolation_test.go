//go:build linux

package sandbox_test

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/plumbkit/plumb/host/fault"
	"github.com/plumbkit/plumb/host/fault/faulttest"
	"github.com/plumbkit/plumb/host/sandbox"
)

// inside runs a script in Bubblewrap with one argument. Where the machine has
// no isolation it asserts the fault that says so, and ok is false.
func inside(t *testing.T, c sandbox.Command, script, arg string) (r sandbox.Result, ok bool) {
	t.Helper()
	if c.Dir == "" {
		c.Dir = t.TempDir()
	}
	c.Args = []string{"sh", "-c", script, "sh", arg}
	r, err := sandbox.Bubblewrap{}.Run(context.Background(), c)
	if !isolated() {
		assertNoIsolation(t, err)
		return r, false
	}
	require.NoError(t, err)
	assert.False(t, r.Unsandboxed)
	return r, true
}

// covers: VER-21, SEC-1
func TestSourceIsReadOnlyExceptTheWorkArea(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	work := filepath.Join(dir, "work")
	require.NoError(t, os.Mkdir(work, 0o700))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "source"), []byte("s"), 0o600))
	r, ok := inside(t, sandbox.Command{Dir: dir, Writable: []string{work}}, `echo x >work/new; echo x >source; rm source; mkdir d; chmod 777 source; echo done`, "")
	if !ok {
		return
	}
	assert.Equal(t, "done\n", string(r.Stdout))
	assert.FileExists(t, filepath.Join(work, "new"))
	assert.NoDirExists(t, filepath.Join(dir, "d"))
	got, err := os.ReadFile(filepath.Join(dir, "source"))
	require.NoError(t, err)
	assert.Equal(t, "s", string(got))
	assert.True(t, r.Promises.Held(sandbox.SourceReadOnly))
}

// covers: VER-21, SEC-1
func TestALinkLeadsNowhere(t *testing.T) {
	t.Parallel()
	dir, outside := t.TempDir(), t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(outside, "secret"), []byte("secret"), 0o644))
	require.NoError(t, os.Symlink(outside, filepath.Join(dir, "link")))
	r, ok := inside(t, sandbox.Command{Dir: dir, Writable: []string{dir}}, `cat link/secret; echo x >link/new; true`, "")
	if ok {
		assert.Empty(t, r.Stdout)
		assert.NoFileExists(t, filepath.Join(outside, "new"))
	}
}

// covers: VER-21
func TestReadableInsideWritableStaysReadOnly(t *testing.T) {
	t.Parallel()
	work := t.TempDir()
	inner := filepath.Join(work, "inner")
	require.NoError(t, os.Mkdir(inner, 0o700))
	r, ok := inside(t, sandbox.Command{Dir: work, Writable: []string{work}, Readable: []string{inner}}, `echo x >w; echo x >inner/w`, "")
	if ok {
		assert.NotZero(t, r.ExitCode)
		assert.FileExists(t, filepath.Join(work, "w"))
		assert.NoFileExists(t, filepath.Join(inner, "w"))
	}
}

// covers: VER-21
func TestNothingPrivateIsMounted(t *testing.T) {
	t.Parallel()
	home, err := os.UserHomeDir()
	require.NoError(t, err)
	script := `for f in /etc/shadow /etc/ssh /root/.ssh /home/* /var/run/docker.sock /run/user /sys /boot "$1"; do [ -e "$f" ] && echo "$f"; done; ls / /proc | head -500; true`
	r, ok := inside(t, sandbox.Command{}, script, home)
	if !ok {
		return
	}
	first, _, _ := strings.Cut(string(r.Stdout), "\n")
	assert.Equal(t, "/:", first, "none of them is there")
	assert.True(t, r.Promises.Held(sandbox.NoHome))
}

// covers: VER-21
func TestTheRootIsReadOnlyAndTheSessionItsOwn(t *testing.T) {
	t.Parallel()
	r, ok := inside(t, sandbox.Command{}, `for d in / /usr /etc /run/../home; do mkdir -p "$d/x" 2>/dev/null && echo "wrote $d"; done; cut -d' ' -f6 /proc/self/stat`, "")
	if ok {
		assert.NotEqual(t, "0", strings.TrimSpace(string(r.Stdout)), "a session outside reads as 0")
		assert.NotContains(t, string(r.Stdout), "wrote")
	}
}

// covers: VER-21
func TestTheCommandHasNoCapabilitiesAndSeesNoOtherProcess(t *testing.T) {
	t.Parallel()
	r, ok := inside(t, sandbox.Command{}, `grep -i '^CapEff' /proc/self/status; ls -d /proc/[0-9]* | wc -l; kill -0 "$1" 2>/dev/null && echo killed; mount -t tmpfs x /tmp 2>/dev/null && echo mounted; true`, "999999")
	if !ok {
		return
	}
	lines := strings.Split(strings.TrimSpace(string(r.Stdout)), "\n")
	require.Len(t, lines, 2)
	assert.Equal(t, "0000000000000000", strings.Fields(lines[0])[1])
	assert.Less(t, len(lines[1]), 2, "fewer than ten processes are seen")
}

// covers: VER-21
func TestHomePromiseIsTrueToWhatIsMounted(t *testing.T) {
	home, err := os.MkdirTemp("", "home-")
	require.NoError(t, err)
	defer os.RemoveAll(home)
	repo := filepath.Join(home, "src", "repo")
	require.NoError(t, os.MkdirAll(repo, 0o700))
	require.NoError(t, os.WriteFile(filepath.Join(home, "secret"), []byte("secret"), 0o600))
	t.Setenv("HOME", home)
	r, ok := inside(t, sandbox.Command{Dir: repo}, `cat "$1/secret"; ls -A "$1" "$1/src"; true`, home)
	if !ok {
		return
	}
	assert.NotContains(t, string(r.Stdout), "secret", "a repository in the home folder brings only itself along")
	assert.Contains(t, string(r.Stdout), "repo")
	assert.True(t, r.Promises.Held(sandbox.NoHome))

	r, _ = inside(t, sandbox.Command{Dir: repo, Readable: []string{home}}, `cat "$1/secret"`, home)
	assert.Equal(t, "secret", string(r.Stdout), "what the caller names is shown")
	assert.False(t, r.Promises.Held(sandbox.NoHome), "and said")
}

// covers: VER-21
func TestNetworkOnlyWhenOpened(t *testing.T) {
	t.Parallel()
	own, err := os.Readlink("/proc/self/ns/net")
	require.NoError(t, err)
	closed, ok := inside(t, sandbox.Command{}, `readlink /proc/self/ns/net; tail -n +3 /proc/net/dev | cut -d: -f1`, "")
	if !ok {
		return
	}
	lines := strings.Fields(string(closed.Stdout))
	require.Len(t, lines, 2)
	assert.NotEqual(t, own, lines[0])
	assert.Equal(t, "lo", lines[1])
	assert.True(t, closed.Promises.Held(sandbox.NoNetwork))
	open, _ := inside(t, sandbox.Command{Network: true}, `readlink /proc/self/ns/net`, "")
	assert.Equal(t, own, strings.TrimSpace(string(open.Stdout)))
	assert.False(t, open.Promises.Held(sandbox.NoNetwork))
}

// covers: VER-21, FLT-2
func TestProgramOutsideTheSandboxIsNamed(t *testing.T) {
	t.Parallel()
	dir, tools := t.TempDir(), t.TempDir()
	tool := filepath.Join(tools, "tool")
	require.NoError(t, os.WriteFile(tool, []byte("#!/bin/sh\necho ran\n"), 0o700))
	c := sandbox.Command{Dir: dir, Args: []string{tool}}
	_, err := sandbox.Bubblewrap{}.Run(context.Background(), c)
	if !isolated() {
		assertNoIsolation(t, err)
		return
	}
	assert.ErrorIs(t, err, fault.Environment)
	assert.NotErrorIs(t, err, sandbox.ErrNoIsolation, "the sandbox is there, the program is not in it")
	assert.ErrorContains(t, err, "add its folder "+tools+" to Readable")
	assert.Empty(t, faulttest.Check(err))
	c.Readable = []string{tools}
	r, err := sandbox.Bubblewrap{}.Run(context.Background(), c)
	require.NoError(t, err)
	assert.Equal(t, "ran\n", string(r.Stdout))
}

// covers: VER-21
func TestGoRunsInside(t *testing.T) {
	t.Parallel()
	root, err := exec.Command("go", "env", "GOROOT").Output()
	require.NoError(t, err)
	goroot := strings.TrimSpace(string(root))
	dir, cache := t.TempDir(), t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "go.mod"), []byte("module m\n"), 0o600))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "m.go"), []byte("package m\n"), 0o600))
	c := sandbox.Command{
		Dir:      dir,
		Readable: []string{goroot, filepath.Dir(os.Args[0])},
		Writable: []string{cache},
		Env:      []string{"GOCACHE=" + cache, "GOTOOLCHAIN=local", "PATH=" + filepath.Join(goroot, "bin") + ":/usr/bin:/bin"},
	}
	for want, args := range map[string][]string{"m": {"go", "list", "./..."}, "PASS": {os.Args[0], "-test.run", "^$"}} {
		c.Args = args
		r, err := sandbox.Bubblewrap{}.Run(context.Background(), c)
		if !isolated() {
			assertNoIsolation(t, err)
			return
		}
		require.NoError(t, err)
		assert.Zero(t, r.ExitCode, "%s", r.Stderr)
		assert.Equal(t, want+"\n", string(r.Stdout))
	}
}

// fakeBwrap makes a program that does in place of bwrap what the script says.
func fakeBwrap(t *testing.T, script string) sandbox.Bubblewrap {
	t.Helper()
	path := filepath.Join(t.TempDir(), "bwrap")
	require.NoError(t, os.WriteFile(path, []byte("#!/bin/sh\n"+script+"\n"), 0o700))
	return sandbox.Bubblewrap{Path: path}
}

const denied = `echo "bwrap: No permissions to create new namespace" >&2; exit 1`

// covers: VER-22
func TestMissingIsolationIsRefused(t *testing.T) {
	t.Parallel()
	c := sandbox.Command{Dir: t.TempDir(), Args: []string{"sh", "-c", "touch ran"}, Limits: sandbox.Limits{Wall: 10 * time.Second}}
	c.Writable = []string{c.Dir}
	for name, b := range map[string]struct {
		bwrap sandbox.Bubblewrap
		want  string
	}{
		"not installed": {sandbox.Bubblewrap{Path: filepath.Join(c.Dir, "none")}, "install the package bubblewrap"},
		"not permitted": {fakeBwrap(t, denied), `said "bwrap: No permissions to create new namespace"`},
	} {
		_, err := b.bwrap.Run(context.Background(), c)
		assertNoIsolation(t, err)
		assert.ErrorContains(t, err, b.want, name)

		_, err = sandbox.Auto{Bubblewrap: b.bwrap}.Run(context.Background(), c)
		assertNoIsolation(t, err)
		assert.NoFileExists(t, filepath.Join(c.Dir, "ran"), "never falls back in silence")

		r, err := sandbox.Auto{Bubblewrap: b.bwrap, AllowUnsandboxed: true}.Run(context.Background(), c)
		require.NoError(t, err)
		assert.FileExists(t, filepath.Join(c.Dir, "ran"))
		assert.True(t, r.Unsandboxed, "and marked")
		assert.False(t, r.Promises.Held(sandbox.NoOutsideWrite))
		assert.Contains(t, r.Promises.Broken()[0].How, "bubblewrap", "and says why")
		require.NoError(t, os.Remove(filepath.Join(c.Dir, "ran")))
	}
}

// covers: VER-22
func TestAutoFallsBackOnlyForWantOfIsolation(t *testing.T) {
	t.Parallel()
	auto := sandbox.Auto{AllowUnsandboxed: true}
	dir := t.TempDir()
	r, err := auto.Run(context.Background(), sandbox.Command{Dir: dir, Args: []string{"sh", "-c", "exit 1"}})
	require.NoError(t, err)
	assert.Equal(t, 1, r.ExitCode)
	assert.Equal(t, !isolated(), r.Unsandboxed)

	_, err = auto.Run(context.Background(), sandbox.Command{Dir: dir, Args: []string{"no-such-program"}})
	assert.ErrorIs(t, err, fault.Environment)
	_, err = auto.Run(context.Background(), sandbox.Command{Dir: dir})
	assert.ErrorIs(t, err, fault.InvalidInput)
}

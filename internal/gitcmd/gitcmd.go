// Package gitcmd runs git so that nothing from a repository is executed (SEC-2).
//
// A repository's own configuration can name programs: hooks, a file system
// monitor, pagers, external diff and text conversion, content filters, merge
// drivers, credential helpers, transports. All of them are switched off here,
// and the user's and the system's configuration is not read. Git takes no
// optional lock, so that reading leaves the user's index as it is, and never
// asks anything.
package gitcmd

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"time"
)

// A Git runs git in one folder. It is safe for concurrent use.
type Git struct {
	// Dir is the folder to run in.
	Dir string
	// Path is git's program, "git" when empty.
	Path string
}

// An Error says that git could not be run or did not succeed.
type Error struct {
	Args   []string
	Stderr string // what git wrote to standard error, at most 4 KiB
	Code   int    // exit code, -1 when git did not run or was killed
	Err    error
}

// Error renders the command with what git said.
func (e *Error) Error() string {
	said := strings.TrimSpace(e.Stderr)
	if said == "" {
		said = e.Err.Error()
	}
	return fmt.Sprintf("git %s: %s", strings.Join(e.Args, " "), said)
}

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Err }

// Output runs git with the arguments and returns its standard output. Errors
// are *Error; when ctx ends, git is killed and the context's error is wrapped.
func (g Git) Output(ctx context.Context, args ...string) ([]byte, error) {
	return g.Input(ctx, nil, args...)
}

// Input is Output with standard input.
func (g Git) Input(ctx context.Context, stdin []byte, args ...string) ([]byte, error) {
	named, err := g.programs(ctx)
	if err != nil {
		return nil, err
	}
	return g.run(ctx, stdin, append(harden(g.Dir, named), quiet(args)...), args)
}

// quiet switches external diff programs off where a command would use them;
// any other command that finds one configured fails instead of running it.
func quiet(args []string) []string {
	if len(args) == 0 {
		return args
	}
	switch args[0] {
	case "diff", "diff-files", "diff-index", "diff-tree", "log", "show", "whatchanged", "format-patch":
		return append([]string{args[0], "--no-ext-diff", "--no-textconv"}, args[1:]...)
	}
	return args
}

// programs lists the configuration keys of the repository that name programs
// under a name of their own choice. Listing runs none of them.
func (g Git) programs(ctx context.Context) ([]string, error) {
	args := []string{"config", "--list", "--name-only", "-z"}
	out, err := g.run(ctx, nil, append(harden(g.Dir, nil), args...), args)
	if err != nil {
		return nil, err
	}
	var named []string
	for _, key := range strings.Split(string(out), "\x00") {
		section, rest, _ := strings.Cut(key, ".")
		i := strings.LastIndexByte(rest, '.')
		if i < 0 {
			continue
		}
		switch section + " " + rest[i+1:] {
		case "filter clean", "filter smudge", "filter process", "diff command", "merge driver",
			"credential helper", "remote uploadpack", "remote receivepack", "remote vcs", "gpg program", "trailer command", "trailer cmd":
			named = append(named, key)
		case "diff textconv":
			named = append(named, key+"=cat") // an empty one makes git fail
		case "filter required":
			named = append(named, key+"=false")
		}
	}
	return named, nil
}

// harden are the options that switch programs off.
func harden(dir string, named []string) []string {
	args := []string{"--no-pager", "--no-optional-locks", "--no-replace-objects", "--literal-pathspecs"}
	for _, c := range []string{"core.hooksPath=" + os.DevNull, "core.fsmonitor=false", "core.pager=cat", "core.editor=false",
		"core.askPass=", "core.sshCommand=false", "core.gitProxy=", "core.alternateRefsCommand=", "core.attributesFile=" + os.DevNull,
		"diff.external=", "diff.trustExitCode=false", "credential.helper=", "protocol.allow=never", "submodule.recurse=false",
		"gpg.program=false", "log.showSignature=false", "safe.directory=*", "color.ui=false"} {
		args = append(args, "-c", c)
	}
	for _, key := range named {
		if !strings.Contains(key, "=") {
			key += "="
		}
		args = append(args, "-c", key)
	}
	return args
}

func (g Git) run(ctx context.Context, stdin []byte, full, shown []string) ([]byte, error) {
	program := g.Path
	if program == "" {
		program = "git"
	}
	cmd := exec.CommandContext(ctx, program, full...)
	cmd.Dir = g.Dir
	cmd.Env = environment(os.Environ())
	cmd.WaitDelay = 2 * time.Second
	if stdin != nil {
		cmd.Stdin = bytes.NewReader(stdin)
	}
	var out, said bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &said
	err := cmd.Run()
	if err == nil {
		return out.Bytes(), nil
	}
	if ctx.Err() != nil {
		err = ctx.Err()
	}
	e := &Error{Args: shown, Stderr: said.String()[:min(said.Len(), 4096)], Code: -1, Err: err}
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		e.Code = exit.ExitCode()
	}
	return nil, e
}

// environment drops every variable that tells git where to look or what to run.
func environment(env []string) []string {
	var out []string
	for _, kv := range env {
		key, _, _ := strings.Cut(kv, "=")
		switch {
		case strings.HasPrefix(key, "GIT_"), key == "LC_ALL", key == "LANGUAGE", key == "PAGER", key == "SSH_ASKPASS", key == "EDITOR", key == "VISUAL":
		default:
			out = append(out, kv)
		}
	}
	return append(out, "LC_ALL=C", "GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_SYSTEM="+os.DevNull, "GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_TERMINAL_PROMPT=0",
		"GIT_OPTIONAL_LOCKS=0", "GIT_PAGER=cat", "GIT_ASKPASS=", "GIT_NO_LAZY_FETCH=1", "GIT_ATTR_NOSYSTEM=1")
}

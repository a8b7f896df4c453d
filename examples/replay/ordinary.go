package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"path"
	"slices"
	"strings"

	"github.com/plumbkit/plumb/index"
)

// Why a commit is not ordinary.
const (
	noSource    = "no source file, tests aside"
	tooMany     = "too many files"
	redAtParent = "the repository's own tests are not green on the parent"
	redAtCommit = "the repository's own tests are not green on the commit"
)

// Skipped counts the commits that were looked at and left out, by reason.
type Skipped map[string]int

// ordinary lists the newest n commits that are: one parent, a source file, not
// more than most files in all, and the repository's own tests green before and
// after it with what is installed. What it leaves out it counts.
func (r *replay) ordinary(ctx context.Context, from string, n, most int) ([]string, Skipped, error) {
	log, err := r.git.run(ctx, "log", "--no-merges", "--first-parent", "--min-parents=1", "--format=%H", "-n", fmt.Sprint(50*n), from)
	if err != nil {
		return nil, nil, err
	}
	var out []string
	skipped := Skipped{}
	for _, commit := range strings.Fields(log) {
		why, err := r.unusual(ctx, commit, most)
		if err != nil {
			return nil, nil, err
		}
		if why != "" {
			skipped[why]++
			continue
		}
		if out = append(out, commit); len(out) == n {
			break
		}
	}
	return out, skipped, nil
}

// unusual says why a commit is not ordinary, "" if it is.
func (r *replay) unusual(ctx context.Context, commit string, most int) (string, error) {
	names, err := r.git.run(ctx, "diff-tree", "--no-commit-id", "--name-only", "-r", "-z", commit)
	if err != nil {
		return "", err
	}
	files := strings.FieldsFunc(names, func(c rune) bool { return c == 0 })
	switch {
	case !slices.ContainsFunc(files, r.isSource):
		return noSource, nil
	case len(files) > most:
		return tooMany, nil
	}
	for _, at := range []struct{ commit, why string }{{commit + "^", redAtParent}, {commit, redAtCommit}} {
		if green, err := r.green(ctx, at.commit); err != nil || !green {
			return at.why, err
		}
	}
	return "", nil
}

// isSource reports whether a file is code of a language that is read, and no test.
func (r *replay) isSource(file string) bool {
	return slices.ContainsFunc(r.languages, func(l *index.Language) bool {
		return slices.Contains(l.Extensions, path.Ext(file)) && (l.TestFile == nil || !l.TestFile(file))
	})
}

// green reports whether the repository's own tests pass at a commit, by the exit
// code of the probe, which runs in the work tree and outside of plumb. Without a
// probe every commit counts as green.
func (r *replay) green(ctx context.Context, rev string) (bool, error) {
	if r.probe == "" {
		return true, nil
	}
	commit, err := r.git.line(ctx, "rev-parse", rev)
	if err != nil {
		return false, err
	}
	if known, ok := r.probed[commit]; ok {
		return known, nil
	}
	if err := r.git.checkout(ctx, commit); err != nil {
		return false, err
	}
	cmd := exec.CommandContext(ctx, "sh", "-c", r.probe)
	cmd.Dir = r.git.dir
	var said bytes.Buffer
	cmd.Stdout, cmd.Stderr = &said, &said
	err = cmd.Run()
	var exit *exec.ExitError
	if err != nil && (!errors.As(err, &exit) || ctx.Err() != nil) {
		return false, errors.Join(err, ctx.Err())
	}
	r.probed[commit] = err == nil
	return err == nil, nil
}

// list prints commits with their subjects.
func (r *replay) list(ctx context.Context, out io.Writer, commits []string) error {
	for _, c := range commits {
		line, err := r.git.line(ctx, "log", "-1", "--format=%H %s", c)
		if err != nil {
			return err
		}
		if _, err := fmt.Fprintln(out, line); err != nil {
			return err
		}
	}
	return nil
}

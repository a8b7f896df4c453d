package main

import (
	"bytes"
	"context"
	"fmt"
	"os/exec"
	"strings"
)

// git runs git in a folder, without hooks.
type git struct{ dir string }

func (g git) run(ctx context.Context, args ...string) (string, error) {
	cmd := exec.CommandContext(ctx, "git", append([]string{"-c", "core.hooksPath=/dev/null", "-C", g.dir}, args...)...)
	var out, said bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &said
	if err := cmd.Run(); err != nil {
		return "", fmt.Errorf("git %s: %w: %s", strings.Join(args, " "), err, strings.TrimSpace(said.String()))
	}
	return out.String(), nil
}

// line is the output of a command that prints one line.
func (g git) line(ctx context.Context, args ...string) (string, error) {
	out, err := g.run(ctx, args...)
	return strings.TrimSpace(out), err
}

// checkout moves the work tree to a commit; what is ignored stays.
func (g git) checkout(ctx context.Context, commit string) error {
	if _, err := g.run(ctx, "checkout", "-q", "-f", "--detach", commit); err != nil {
		return err
	}
	_, err := g.run(ctx, "clean", "-fdq")
	return err
}

// tree is the tree that the work tree would be committed as.
func (g git) tree(ctx context.Context) (string, error) {
	if _, err := g.run(ctx, "add", "-A"); err != nil {
		return "", err
	}
	defer func() { _, _ = g.run(ctx, "reset", "-q") }()
	return g.line(ctx, "write-tree")
}

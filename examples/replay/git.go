package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
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

// keepIgnored writes what is ignored now into the clone's own list of what is
// ignored, so that it is on every commit. The function it returns puts the list back.
func (g git) keepIgnored(ctx context.Context) (back func() error, err error) {
	names, err := g.run(ctx, "ls-files", "-z", "--others", "--ignored", "--exclude-standard", "--directory")
	if err != nil {
		return nil, err
	}
	list, err := g.line(ctx, "rev-parse", "--path-format=absolute", "--git-path", "info/exclude")
	if err != nil {
		return nil, err
	}
	was, err := os.ReadFile(list)
	if err != nil && !os.IsNotExist(err) {
		return nil, err
	}
	text := bytes.NewBuffer(bytes.Clone(was))
	for _, name := range strings.FieldsFunc(names, func(c rune) bool { return c == 0 }) {
		text.WriteString("\n/" + pattern(strings.TrimSuffix(name, "/")))
	}
	text.WriteString("\n")
	if err := os.MkdirAll(filepath.Dir(list), 0o755); err != nil {
		return nil, err
	}
	return func() error { return os.WriteFile(list, was, 0o644) }, os.WriteFile(list, text.Bytes(), 0o644)
}

// pattern is a path as a pattern that matches it alone (gitignore(5)).
func pattern(name string) string {
	return strings.NewReplacer(`\`, `\\`, "*", `\*`, "?", `\?`, "[", `\[`, " ", `\ `).Replace(name)
}

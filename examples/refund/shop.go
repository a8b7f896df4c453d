package main

import (
	"context"
	"embed"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"sort"
	"strings"

	"golang.org/x/tools/txtar"
)

//go:embed all:testdata
var testdata embed.FS

// stored is the name under which the repository's go.mod is kept: go:embed
// leaves out folders that hold a go.mod.
const stored = "go.mod.in"

// answer returns one of the scripted answers.
func (t *tale) answer(name string) (string, error) {
	data, err := testdata.ReadFile(t.files + "/edits/" + name)
	return string(data), err
}

// unpack lays the shop into dir, commit by commit as history.txtar says.
func (t *tale) unpack(ctx context.Context, dir string) error {
	data, err := testdata.ReadFile(t.files + "/history.txtar")
	if err != nil {
		return err
	}
	commits, err := history(txtar.Parse(data))
	if err != nil {
		return err
	}
	git := repository{dir: dir}
	if err := git.run(ctx, nil, "init", "-q", "-b", "main"); err != nil {
		return err
	}
	for _, c := range commits {
		if err := c.lay(t, dir); err != nil {
			return err
		}
		if err := git.run(ctx, nil, "add", "-A"); err != nil {
			return err
		}
		if err := git.run(ctx, c.env(), "commit", "-q", "-m", c.message); err != nil {
			return err
		}
	}
	return nil
}

// commit is one step of the history.
type commit struct {
	name, mail, date, message string
	add                       []string
	texts                     map[string][]byte // earlier forms of files
}

// history reads the sections of history.txtar, whose comment describes them.
func history(ar *txtar.Archive) ([]*commit, error) {
	var out []*commit
	for _, f := range ar.Files {
		number, rest, _ := strings.Cut(f.Name, "/")
		if rest == "commit" {
			c, err := parseCommit(string(f.Data))
			if err != nil {
				return nil, fmt.Errorf("%s: %w", f.Name, err)
			}
			out = append(out, c)
			continue
		}
		if len(out) == 0 || number != fmt.Sprint(len(out)) {
			return nil, fmt.Errorf("%s stands before its commit", f.Name)
		}
		out[len(out)-1].texts[rest] = f.Data
	}
	return out, nil
}

func parseCommit(text string) (*commit, error) {
	c := &commit{texts: map[string][]byte{}}
	head, message, ok := strings.Cut(text, "\n\n")
	if !ok {
		return nil, fmt.Errorf("no message")
	}
	c.message = strings.TrimSpace(message)
	for line := range strings.Lines(head) {
		key, value, _ := strings.Cut(strings.TrimSpace(line), " ")
		switch key {
		case "author":
			c.name, c.mail, _ = strings.Cut(strings.TrimSuffix(value, ">"), " <")
		case "date":
			c.date = value
		case "add":
			c.add = append(c.add, value)
		default:
			return nil, fmt.Errorf("unknown line %q", key)
		}
	}
	return c, nil
}

// lay writes what the commit adds.
func (c *commit) lay(t *tale, dir string) error {
	for _, what := range c.add {
		files, err := t.shopFiles(what)
		if err != nil {
			return err
		}
		for _, name := range files {
			data, ok := c.texts[name]
			if !ok {
				if data, err = t.shopFile(name); err != nil {
					return err
				}
			}
			target := filepath.Join(dir, filepath.FromSlash(name))
			if err := os.MkdirAll(filepath.Dir(target), 0o755); err != nil {
				return err
			}
			if err := os.WriteFile(target, data, 0o644); err != nil {
				return err
			}
		}
	}
	return nil
}

func (c *commit) env() []string {
	return []string{"GIT_AUTHOR_NAME=" + c.name, "GIT_AUTHOR_EMAIL=" + c.mail, "GIT_AUTHOR_DATE=" + c.date,
		"GIT_COMMITTER_NAME=" + c.name, "GIT_COMMITTER_EMAIL=" + c.mail, "GIT_COMMITTER_DATE=" + c.date}
}

// shopFiles lists the files of the shop that a path names; "/" ends a folder.
func (t *tale) shopFiles(what string) ([]string, error) {
	if !strings.HasSuffix(what, "/") {
		return []string{what}, nil
	}
	var out []string
	base := t.files + "/repo"
	err := fs.WalkDir(testdata, path.Join(base, what), func(p string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			out = append(out, strings.TrimPrefix(p, base+"/"))
		}
		return err
	})
	sort.Strings(out)
	return out, err
}

func (t *tale) shopFile(name string) ([]byte, error) {
	if name == "go.mod" {
		name = stored
	}
	return testdata.ReadFile(t.files + "/repo/" + name)
}

// repository runs git in the unpacked shop.
type repository struct{ dir string }

func (r repository) run(ctx context.Context, env []string, args ...string) error {
	cmd := exec.CommandContext(ctx, "git", args...)
	cmd.Dir = r.dir
	cmd.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_SYSTEM=/dev/null")
	cmd.Env = append(cmd.Env, env...)
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("git %s: %w: %s", args[0], err, out)
	}
	return nil
}

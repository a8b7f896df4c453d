package verify

import (
	"bytes"
	"context"
	"fmt"
	"maps"
	"os"
	"path"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/plumbkit/plumb/host/fault"
	"github.com/plumbkit/plumb/index"
	"github.com/plumbkit/plumb/patch"
)

// derived runs the generators of derived files that the change writes, or whose
// source it writes, on the tree after it: their output must equal what the tree
// holds (VER-17).
func (q *inquiry) derived(ctx context.Context, l *Layer) error {
	byCommand := map[string][]index.Derivation{}
	for _, f := range q.in.After.Files() {
		d, ok := q.in.After.Derived(f.Path)
		if !ok || !slices.Contains(q.change.files, f.Path) && !slices.Contains(q.change.files, d.Source) {
			continue
		}
		if d.Command == "" {
			q.unchecked("whether "+f.Path+" is what its generator writes", "no command is known that makes it")
			continue
		}
		key := d.Dir + "\x00" + d.Command
		byCommand[key] = append(byCommand[key], d)
	}
	for _, key := range slices.Sorted(maps.Keys(byCommand)) {
		if err := q.regenerate(ctx, l, byCommand[key]); err != nil {
			return err
		}
	}
	return nil
}

// regenerate runs one command in a tree of its own.
func (q *inquiry) regenerate(ctx context.Context, l *Layer, outputs []index.Derivation) error {
	tree, err := q.trees.with(ctx, q.change.set)
	if err != nil {
		return err
	}
	d := outputs[0]
	args, env, ok := GeneratorCommand(q.in.After, d, q.tools)
	if !ok {
		q.unchecked("whether "+d.File+" is what its generator writes", "its command needs a shell: "+d.Command)
		return q.trees.drop(tree)
	}
	run, err := q.placed(ctx, tree, Run{})
	if err != nil {
		return err
	}
	tools := q.tools
	tools.Env = env
	res, err := q.box.in(tree.Dir(), "generated").at(run.At).Run(ctx, tools.Equip(run.Command(d.Dir, args...)))
	if err != nil {
		return err
	}
	if res.ExitCode != 0 {
		l.find("generator", fmt.Sprintf("%q ended with code %d: %s", d.Command, res.ExitCode, lastLine(string(res.Stderr))), d.By)
		return q.trees.drop(tree)
	}
	for _, d := range outputs {
		if err := q.compareOutput(l, tree, d); err != nil {
			return err
		}
	}
	return q.trees.drop(tree)
}

func (q *inquiry) compareOutput(l *Layer, tree *patch.Scratch, d index.Derivation) error {
	got, err := os.ReadFile(filepath.Join(tree.Dir(), filepath.FromSlash(d.File)))
	if err != nil {
		l.find("derived", fmt.Sprintf("%q does not write %s", d.Command, d.File), d.By)
		return nil
	}
	want, err := q.in.After.Source(d.File)
	if err != nil {
		return fault.From(err, "verify.derived", "index the repository again")
	}
	if !bytes.Equal(got, want) {
		line := 1
		if h := differences(d.File, want, got); len(h) > 0 {
			line = max(h[0].OldLine, 1)
		}
		file, _ := q.in.After.File(d.File)
		l.find("derived", fmt.Sprintf("%q writes other content than the set holds; the source is %s", d.Command, d.Source), lineSpan(file, line))
	}
	return nil
}

// GeneratorCommand is how the command that makes a derived file is run: its
// words, and the tool's variables with those that "go generate" sets ("go help
// generate"). ok is false for a command that only a shell understands; env holds
// then all the same. By is the place of the command in s.
func GeneratorCommand(s *index.Snapshot, d index.Derivation, tools Tooling) (args, env []string, ok bool) {
	pkg := ""
	for _, p := range s.Packages() {
		if slices.Contains(p.Files, d.By.File) {
			pkg = p.Name
		}
	}
	env = append(slices.Clone(tools.Env), "GOFILE="+path.Base(d.By.File), fmt.Sprintf("GOLINE=%d", d.By.Line), "GOPACKAGE="+pkg, "DOLLAR=$",
		"GOOS="+runtime.GOOS, "GOARCH="+runtime.GOARCH)
	args, ok = words(expand(d.Command, env))
	return args, env, ok
}

// expand replaces the variables that "go generate" sets; others are left as they are.
func expand(command string, env []string) string {
	return os.Expand(command, func(name string) string {
		for _, pair := range env {
			if n, value, _ := strings.Cut(pair, "="); n == name && (strings.HasPrefix(name, "GO") || name == "DOLLAR") {
				return value
			}
		}
		return "${" + name + "}"
	})
}

// words splits a command as "go generate" does: at blanks, with double-quoted
// words. ok is false for one that only a shell understands.
func words(command string) (args []string, ok bool) {
	if strings.ContainsAny(command, "|&;<>()`$'\\*?[]") {
		return nil, false
	}
	for rest := strings.TrimSpace(command); rest != ""; rest = strings.TrimSpace(rest) {
		word, tail, _ := strings.Cut(rest, " ")
		if rest[0] == '"' {
			if word, tail, ok = strings.Cut(rest[1:], `"`); !ok {
				return nil, false
			}
		}
		args, rest = append(args, word), tail
	}
	return args, len(args) > 0
}

func lastLine(text string) string {
	text = strings.TrimSpace(text)
	return text[strings.LastIndexByte(text, '\n')+1:]
}

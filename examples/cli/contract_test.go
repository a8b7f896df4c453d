package main

import (
	"bufio"
	"flag"
	"io"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// absent are commands and flags of the contract that are not there yet.
var absent = map[string]bool{"loop": true}

// The table of the contract is walked as it stands: each command and flag in it
// exists.
//
// covers: CLI-1
func TestEveryCommandAndFlagOfTheContractExists(t *testing.T) {
	doc, err := os.ReadFile("../../docs/requirements/cli.md")
	require.NoError(t, err)
	span := regexp.MustCompile("`([^`]+)`")
	seen := map[string]bool{}
	for row := range strings.Lines(string(doc)) {
		if !strings.HasPrefix(row, "| `plumb ") {
			continue
		}
		cells := strings.Split(strings.ReplaceAll(row, `\|`, "¦"), "|")
		var c *command
		for i, m := range span.FindAllStringSubmatch(cells[1]+cells[2], -1) {
			words := strings.Fields(m[1])
			if len(words) > 1 && words[0] == "plumb" {
				words = words[1:]
			}
			if found, err := find(words[0]); err == nil && !strings.HasPrefix(words[0], "-") {
				c = &found
				seen[c.name] = true
			} else if i == 0 {
				assert.Truef(t, absent[words[0]], "there is no command of the contract's row %s", row)
				break
			}
			flags, _ := c.flagSet(&env{})
			for _, w := range words {
				name := strings.Trim(w, "[]`…")
				if flag, ok := strings.CutPrefix(name, "-"); ok && flag != "" && !absent[c.name+" "+name] {
					assert.NotNilf(t, flags.Lookup(flag), "plumb %s has no flag %s", c.name, name)
				}
			}
		}
	}
	for _, c := range commands() {
		assert.Truef(t, seen[c.name], "the contract does not know plumb %s", c.name)
	}
	assert.Len(t, seen, len(commands()))
}

// covers: CLI-1
func TestEveryFlagSaysWhatItIsFor(t *testing.T) {
	for _, c := range commands() {
		flags, _ := c.flagSet(&env{})
		for _, common := range []string{"C", "json", "jsonl", "v", "no-cache"} {
			assert.NotNil(t, flags.Lookup(common), c.name)
		}
		flags.VisitAll(func(f *flag.Flag) { assert.NotEmptyf(t, f.Usage, "plumb %s -%s", c.name, f.Name) })
		assert.NotEmpty(t, c.short)
	}
}

// A real interrupt ends a command that waits for its input, and one that works,
// with 130, and says so.
//
// covers: CLI-2
func TestInterruptOfAProcess(t *testing.T) {
	plumb, err := exec.LookPath("plumb")
	require.NoError(t, err)
	dir := t.TempDir()
	cmd := exec.Command(plumb, "plan", "-task", "-", "-C", dir)
	stdin, err := cmd.StdinPipe()
	require.NoError(t, err)
	said, err := cmd.StderrPipe()
	require.NoError(t, err)
	require.NoError(t, cmd.Start())
	_, err = io.WriteString(stdin, "requirement: never ends\n")
	require.NoError(t, err)
	time.Sleep(300 * time.Millisecond) // until it waits for more; an earlier signal would end it in another way
	require.NoError(t, cmd.Process.Signal(syscall.SIGINT))
	text, err := io.ReadAll(bufio.NewReader(said))
	require.NoError(t, err)
	err = cmd.Wait()
	var exit *exec.ExitError
	require.ErrorAs(t, err, &exit)
	assert.Equal(t, 130, exit.ExitCode(), string(text))
	assert.Contains(t, string(text), "canceled")
	assert.Contains(t, string(text), "next: ")
}

// covers: CLI-2
func TestWrongWordsGetNearOnes(t *testing.T) {
	for wrong, want := range map[string]string{"referenes": "references", "imp": "impact", "verfy": "verify", "hand-off": "handoff"} {
		var names []string
		for _, c := range commands() {
			names = append(names, c.name)
		}
		assert.Contains(t, near(wrong, names), want)
	}
	assert.Empty(t, near("frobnicate", []string{"index", "gate"}))
	assert.Equal(t, 3, distance("kitten", "sitting"))
	assert.Equal(t, 5, distance("", "index"))
}

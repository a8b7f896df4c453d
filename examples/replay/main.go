// Command replay feeds commits that a repository already has to the chain, one
// at a time, each on its parent, and tables how each ended: in a hand-off with
// exactly the tree that git has, or stopped, and by what (ACC-10).
//
// A commit is ordinary, and taken, when it has one parent, changes at least one
// source file that is no test and not too many files in all, and when the
// repository's own tests are green before and after it with what is installed.
// The last is tried outside of plumb, with the command that -probe gives; a commit
// that its own repository cannot test here tells nothing about plumb. What is left
// out is counted and printed.
//
// No commit has capability points, so the chain runs without a plan. Nothing is
// overridden: there are no justifications, and nobody approves anything. A gate
// that asks for either is therefore a stop, and whether it was a right one is for
// a person to say: -read takes a file with a line for each stop that was read.
package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"time"

	"github.com/plumbkit/plumb/index/lang/all"
	"github.com/plumbkit/plumb/verify"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, os.Args[1:], os.Stdout, os.Stderr); err != nil {
		fmt.Fprintln(os.Stderr, "replay:", err)
		stop()
		os.Exit(1)
	}
}

// asked are the flags.
type asked struct {
	dir, from, only, probe, read string
	n, most                      int
	within                       time.Duration
	open, structured, list       bool
}

func flags(args []string) (asked, error) {
	var a asked
	fs := flag.NewFlagSet("replay", flag.ContinueOnError)
	fs.StringVar(&a.dir, "C", ".", "a clean clone made for this; its work tree moves from commit to commit and back")
	fs.IntVar(&a.n, "n", 20, "how many ordinary commits, newest first")
	fs.IntVar(&a.most, "files", 20, "the most files that a commit may change")
	fs.StringVar(&a.from, "from", "HEAD", "the newest commit to look at")
	fs.StringVar(&a.only, "only", "", "these commits, separated by commas, instead of the newest ones, ordinary or not")
	fs.StringVar(&a.probe, "probe", "", "a command of the shell that runs the repository's own tests and exits 0 when they are green; none takes every commit as green")
	fs.BoolVar(&a.list, "list", false, "only list the ordinary commits and what is left out")
	fs.StringVar(&a.read, "read", "", "a file of what was read: a commit, right, wrong or environment, and why, one a line")
	fs.DurationVar(&a.within, "within", time.Minute, "the time for L2")
	fs.BoolVar(&a.open, "unsandboxed", false, "run tests without isolation where it cannot be had")
	fs.BoolVar(&a.structured, "json", false, "print JSON")
	return a, fs.Parse(args)
}

func run(ctx context.Context, args []string, out, progress io.Writer) error {
	a, err := flags(args)
	if err != nil {
		return err
	}
	r := &replay{git: git{a.dir}, languages: all.Languages(), budgets: verify.Budgets{L2: a.within}, unsandboxed: a.open, probe: a.probe, probed: map[string]bool{}}
	if a.read != "" {
		f, err := os.Open(a.read)
		if err != nil {
			return err
		}
		defer func() { _ = f.Close() }()
		if r.read, err = readings(f); err != nil {
			return fmt.Errorf("%s: %w", a.read, err)
		}
	}
	var ends []End
	skipped := Skipped{}
	err = r.guarded(ctx, func() error {
		commits := strings.Split(a.only, ",")
		if a.only == "" {
			if commits, skipped, err = r.ordinary(ctx, a.from, a.n, a.most); err != nil {
				return err
			}
		}
		if a.list {
			return r.list(ctx, out, commits)
		}
		ends, err = r.all(ctx, commits, func(e End) {
			fmt.Fprintf(progress, "%s %s (%s)\n", e.Commit[:10], e.outcome(), e.Elapsed.Round(time.Second))
		})
		return err
	})
	switch {
	case err != nil:
		return err
	case a.list:
		var b strings.Builder
		counts(&b, "not ordinary", skipped)
		_, err := io.WriteString(out, b.String())
		return err
	case a.structured:
		return json.NewEncoder(out).Encode(struct {
			Ends    []End   `json:"ends"`
			Skipped Skipped `json:"skipped"`
		}{ends, skipped})
	}
	return table(out, ends, skipped)
}

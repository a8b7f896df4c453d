// Command replay feeds commits that a repository already has to the chain, one
// at a time, each on its parent, and tables how each ended: in a hand-off with
// exactly the tree that git has, or stopped, and by what (ACC-10).
//
// No commit has capability points, so the chain runs without a plan. Nothing is
// overridden: there are no justifications, and nobody approves anything.
package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
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

func run(ctx context.Context, args []string, out, progress io.Writer) error {
	fs := flag.NewFlagSet("replay", flag.ContinueOnError)
	dir := fs.String("C", ".", "a clean clone made for this; its work tree moves from commit to commit and back")
	n := fs.Int("n", 20, "how many commits, newest first, that change a source file and at most -files files")
	most := fs.Int("files", 20, "the most files that a commit may change")
	from := fs.String("from", "HEAD", "the newest commit to look at")
	only := fs.String("only", "", "one commit instead of the newest ones")
	within := fs.Duration("within", time.Minute, "the time for L2")
	open := fs.Bool("unsandboxed", false, "run tests without isolation where it cannot be had")
	structured := fs.Bool("json", false, "print JSON")
	if err := fs.Parse(args); err != nil {
		return err
	}
	r := &replay{git: git{*dir}, languages: all.Languages(), budgets: verify.Budgets{L2: *within}, unsandboxed: *open}
	commits := []string{*only}
	if *only == "" {
		var err error
		if commits, err = r.ordinary(ctx, *from, *n, *most); err != nil {
			return err
		}
	}
	ends, err := r.all(ctx, commits, func(e End) {
		fmt.Fprintf(progress, "%s %s (%s)\n", e.Commit[:10], e.outcome(), e.Elapsed.Round(time.Second))
	})
	if err != nil {
		return err
	}
	if *structured {
		return json.NewEncoder(out).Encode(ends)
	}
	return table(out, ends)
}

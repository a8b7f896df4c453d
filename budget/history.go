package budget

import (
	"context"
	"errors"
	"strconv"
	"strings"

	"github.com/plumbkit/plumb/host/fault"
	"github.com/plumbkit/plumb/internal/gitcmd"
)

// History tells the last commits that touched files.
type History interface {
	// Last returns at most n commits that touched one of the files (paths
	// relative to the repository), newest first; none when there are none.
	Last(ctx context.Context, files []string, n int) ([]Commit, error)
}

// HistoryFunc is a History made of a function.
type HistoryFunc func(ctx context.Context, files []string, n int) ([]Commit, error)

// Last calls f.
func (f HistoryFunc) Last(ctx context.Context, files []string, n int) ([]Commit, error) {
	return f(ctx, files, n)
}

// A Commit is one change of the past, as one line says it.
type Commit struct {
	Hash    string `json:"hash"`    // abbreviated
	Date    string `json:"date"`    // of the author, YYYY-MM-DD
	Subject string `json:"subject"` // first line of the message
}

// String renders the commit in one line.
func (c Commit) String() string { return c.Hash + " " + c.Date + " " + c.Subject }

// Git is a History read from the git repository in Dir. Nothing that the
// repository or the user configures is run.
type Git struct {
	Dir string
}

// Last implements History. A folder that is no git repository, or has no
// commit yet, has no history; a missing git program is an environment fault.
func (g Git) Last(ctx context.Context, files []string, n int) ([]Commit, error) {
	if n <= 0 || len(files) == 0 {
		return nil, nil
	}
	args := []string{"log", "--no-ext-diff", "--no-textconv", "--format=%h%x00%as%x00%s", "-n", strconv.Itoa(n), "--"}
	out, err := gitcmd.Git{Dir: g.Dir}.Output(ctx, append(args, files...)...)
	if err == nil {
		return parseLog(string(out)), nil
	}
	if ctx.Err() != nil {
		return nil, fault.From(ctx.Err(), "budget.history", "collect again")
	}
	var failed *gitcmd.Error
	if errors.As(err, &failed) && (strings.Contains(failed.Stderr, "not a git repository") || strings.Contains(failed.Stderr, "does not have any commits")) {
		return nil, nil
	}
	return nil, &fault.Fault{Class: fault.Environment, Op: "budget.history", Subject: fault.Subject{Text: "git log"},
		Detail: "git could not tell the history: " + err.Error(), State: "nothing was collected", Next: "install git, or collect without a History", Err: err}
}

func parseLog(text string) []Commit {
	var commits []Commit
	for line := range strings.Lines(text) {
		if f := strings.Split(strings.TrimSuffix(line, "\n"), "\x00"); len(f) == 3 {
			commits = append(commits, Commit{Hash: f[0], Date: f[1], Subject: f[2]})
		}
	}
	return commits
}

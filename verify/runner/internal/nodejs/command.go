package nodejs

import (
	"context"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/plumbkit/plumb/host/fault"
	"github.com/plumbkit/plumb/host/sandbox"
	"github.com/plumbkit/plumb/verify"
)

// eventsFile is where reporters write, beside themselves.
const eventsFile = "events.ndjson"

// command runs the tool once and reads what its reporter wrote.
func (t Tool) command(ctx context.Context, box sandbox.Sandbox, n node, run verify.Run, j job, files []string) (*report, error) {
	outside, err := t.prepare(run.Timeout)
	if err != nil {
		return nil, fault.From(err, t.Name+".run", "make the folder for temporary files writable")
	}
	defer os.RemoveAll(outside)
	call := Call{Reporter: filepath.Join(outside, t.ReporterFile), Cache: filepath.Join(outside, "cache"), Files: j.fromRoot(files), Pattern: j.pattern()}
	args := append([]string{n.command, filepath.Join(outside, "launch.cjs"), t.Name}, t.Args(call)...)
	limits := t.Limits
	if limits.Wall <= 0 {
		limits.Wall = run.Timeout + run.Timeout/2 + time.Minute // the reporter's own clock begins with the first test
	}
	cmd := run.Command(j.root, args...)
	cmd.Env, cmd.Limits = n.env, limits
	cmd.Readable, cmd.Writable = append(linked(run.Dir), n.readable...), append(cmd.Writable, outside)
	res, err := box.Run(ctx, cmd)
	if err != nil {
		return nil, err
	}
	data, err := os.ReadFile(filepath.Join(outside, eventsFile))
	if err != nil {
		return nil, fault.From(err, t.Name+".run", "make the folder for temporary files writable")
	}
	r := newReport(j.root)
	r.read(data)
	r.result, r.command = res, t.byHand(call)
	r.timedOut, r.alone = r.timedOut || res.TimedOut(), len(files) == 1
	return r, t.started(r, j, args)
}

// started returns a fault when the tool did not get as far as running tests.
func (t Tool) started(r *report, j job, args []string) error {
	f := &fault.Fault{Class: fault.Environment, Op: t.Name + ".run", Subject: fault.Subject{File: j.root, Text: strings.Join(args, " ")}, State: "no test was run"}
	switch {
	case r.missing:
		f.Detail = fmt.Sprintf("%s is not installed: no folder node_modules at or above %s holds it", t.Name, j.root)
		f.Next = "install the project's packages (npm ci, pnpm install or yarn install) and see that the scratch trees show node_modules"
	case len(r.order) == 0 && !r.begun && !r.over && r.result.ExitCode != 0 && !r.timedOut && r.result.Exceeded == "":
		f.Detail = t.Name + " could not start: " + brief(string(r.result.Stderr)+"\n"+string(r.result.Stdout))
		f.Next = "run the command by hand in the project and mend what it says"
	default:
		return nil
	}
	return f
}

// byHand is the command that a person would type for a call.
func (t Tool) byHand(c Call) []string {
	c.Reporter, c.Cache = "", ""
	return append([]string{"npx", t.Name}, t.Args(c)...)
}

// prepare makes the folder outside the tree that holds the scripts, the events
// and the tool's cache.
func (t Tool) prepare(timeout time.Duration) (string, error) {
	dir, err := os.MkdirTemp("", "plumb-"+t.Name+"-")
	if err != nil {
		return "", err
	}
	if dir, err = filepath.EvalSymlinks(dir); err != nil {
		return "", err
	}
	options, err := json.Marshal(map[string]int64{"milliseconds": max(timeout.Milliseconds(), 1)})
	if err != nil {
		return "", err
	}
	if err := os.Mkdir(filepath.Join(dir, "cache"), 0o700); err != nil {
		return "", err
	}
	for name, data := range map[string][]byte{"launch.cjs": launchScript, "watch.cjs": watchScript, t.ReporterFile: t.Reporter, "options.json": options, eventsFile: nil} {
		if err := os.WriteFile(filepath.Join(dir, name), data, 0o600); err != nil {
			return "", err
		}
	}
	return dir, nil
}

// linked returns where the folders of packages really lie that the tree holds as
// links.
func linked(dir string) []string {
	var out []string
	_ = filepath.WalkDir(dir, func(p string, d fs.DirEntry, err error) error {
		if err != nil {
			return nil
		}
		if d.IsDir() && (d.Name() == "node_modules" || d.Name() == ".git") {
			return fs.SkipDir
		}
		if d.Name() != "node_modules" || d.Type()&fs.ModeSymlink == 0 {
			return nil
		}
		if real, err := filepath.EvalSymlinks(p); err == nil {
			out = append(out, real)
		}
		return nil
	})
	slices.Sort(out)
	return slices.Compact(out)
}

// fromRoot returns files as the job's own folder names them.
func (j job) fromRoot(files []string) []string {
	out := make([]string, len(files))
	for i, f := range files {
		out[i] = strings.TrimPrefix(path.Clean(f), strings.TrimPrefix(j.root+"/", "./"))
	}
	return out
}

// briefLimit is how much of a tool's words is shown in a fault, in bytes.
const briefLimit = 2000

func brief(s string) string {
	if s = strings.TrimSpace(s); len(s) > briefLimit {
		return s[:briefLimit] + fmt.Sprintf(" … (%d bytes more)", len(s)-briefLimit)
	}
	return s
}

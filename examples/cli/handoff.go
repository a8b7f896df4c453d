package main

import (
	"cmp"
	"context"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/plumbkit/plumb"
	"github.com/plumbkit/plumb/host/fault"
	"github.com/plumbkit/plumb/host/ledger"
	"github.com/plumbkit/plumb/patch"
	"github.com/plumbkit/plumb/selfcheck"
)

func handoffCommand(fs *flag.FlagSet) action {
	format := fs.String("format", "md", "md, json or html")
	task := fs.String("task", "", "the `ID` of the task; empty is the last change")
	return func(ctx context.Context, e *env, args []string) error {
		if err := none(args); err != nil {
			return err
		}
		if !slices.Contains([]string{"md", "json", "html"}, *format) {
			f := wrong("there is no such format", "use md, json or html")
			f.Subject.Text = *format
			return f
		}
		ws, err := e.workspace()
		if err != nil {
			return err
		}
		h, err := lastHandoff(ctx, ws, *task)
		if err != nil {
			return err
		}
		return e.printHandoff(h, *format)
	}
}

func (e *env) printHandoff(h *selfcheck.Handoff, format string) error {
	switch {
	case format == "json" || e.structured():
		return e.emit(h)
	case format == "html":
		page, err := h.HTML()
		if err != nil {
			return err
		}
		e.text(string(page))
	default:
		e.text(h.Markdown())
	}
	return nil
}

// handoffDir is where the hand-offs of a workspace's changes are kept.
func handoffDir(ws *patch.Workspace, task string) string {
	return filepath.Join(ws.State(), "handoff", safeName(task))
}

// kept is one hand-off that was found.
type kept struct {
	at      time.Time
	handoff *selfcheck.Handoff
}

// lastHandoff returns the newest hand-off of a task, or of all for "": one that
// plumb change has written, else the one that the ledger has of a run by another
// host.
func lastHandoff(ctx context.Context, ws *patch.Workspace, task string) (*selfcheck.Handoff, error) {
	all := writtenHandoffs(ws)
	recorded, err := recordedHandoffs(ctx, ws)
	if err != nil {
		return nil, err
	}
	all = append(all, recorded...)
	all = slices.DeleteFunc(all, func(k kept) bool { return task != "" && k.handoff.Task != task })
	if len(all) == 0 {
		f := wrong("no change has been taken through the chain here, so there is no hand-off", "run plumb change -task TASK.yaml -edits FILE first")
		if task != "" {
			f.Subject.Text = task
			f.Detail = "there is no hand-off of this task"
		}
		f.Op = "plumb handoff"
		return nil, f
	}
	return slices.MaxFunc(all, func(a, b kept) int { return a.at.Compare(b.at) }).handoff, nil
}

// writtenHandoffs reads what plumb change has left; a file that cannot be read is
// none.
func writtenHandoffs(ws *patch.Workspace) []kept {
	files, _ := filepath.Glob(filepath.Join(handoffDir(ws, ""), "*", "handoff.json"))
	var out []kept
	for _, name := range files {
		info, err := os.Stat(name)
		if err != nil {
			continue
		}
		data, err := os.ReadFile(name)
		var h selfcheck.Handoff
		if err == nil && json.Unmarshal(data, &h) == nil {
			out = append(out, kept{info.ModTime(), &h})
		}
	}
	return out
}

// recordedHandoffs reads the last self-check of each task from the ledger.
func recordedHandoffs(ctx context.Context, ws *patch.Workspace) ([]kept, error) {
	store := &ledger.Files{Dir: ledgerDir(ws)}
	if _, err := os.Stat(store.Dir); err != nil {
		return nil, nil
	}
	tasks, err := store.Tasks(ctx)
	if err != nil {
		return nil, err
	}
	var out []kept
	for _, id := range tasks {
		entries, err := ledger.Entries(ctx, store, id)
		if err != nil {
			return nil, err
		}
		for _, x := range slices.Backward(ledger.OfKind(entries, ledger.KindStage)) {
			if h, ok := recordedHandoff(x); ok {
				out = append(out, kept{x.Time, h})
				break
			}
		}
	}
	return out, nil
}

func recordedHandoff(x ledger.Entry) (*selfcheck.Handoff, bool) {
	if x.Stage != string(plumb.StageCheck) {
		return nil, false
	}
	var f ledger.Finished
	var v struct {
		Value *selfcheck.Handoff `json:"value"`
	}
	ok := json.Unmarshal(x.Data, &f) == nil && json.Unmarshal(f.Output, &v) == nil && v.Value != nil
	return v.Value, ok
}

// writeHandoff writes the three forms of the hand-off.
func (e *env) writeHandoff(h *selfcheck.Handoff, dir string) error {
	data, err := json.MarshalIndent(h, "", "  ")
	if err != nil {
		return err
	}
	data = e.hideJSON(data)
	h = &selfcheck.Handoff{}
	if err := json.Unmarshal(data, h); err != nil {
		return err
	}
	page, err := h.HTML()
	if err != nil {
		return err
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return fault.From(err, "plumb handoff", "give a folder that can be written with -handoff")
	}
	for name, content := range map[string][]byte{"handoff.md": []byte(h.Markdown()), "handoff.json": data, "handoff.html": page} {
		if err := os.WriteFile(filepath.Join(dir, name), content, 0o600); err != nil {
			return fault.From(err, "plumb handoff", "give a folder that can be written with -handoff")
		}
	}
	return nil
}

func safeName(s string) string {
	return strings.Map(func(r rune) rune {
		if r == '/' || r == '\\' || r == ':' || r < ' ' {
			return '_'
		}
		return r
	}, s)
}

func selfcheckCommand(fs *flag.FlagSet) action {
	from := sourceFlags(fs)
	tests := testFlags(fs)
	policy := policyFlag(fs)
	return func(ctx context.Context, e *env, args []string) error {
		if err := none(args); err != nil {
			return err
		}
		rules, err := policy(ctx, e)
		if err != nil {
			return err
		}
		var h *selfcheck.Handoff
		if from.empty() {
			ws, err := e.workspace()
			if err != nil {
				return err
			}
			if h, err = lastHandoff(ctx, ws, ""); err != nil {
				return err
			}
		} else {
			c, r, err := e.verified(ctx, from, tests)
			if err != nil {
				return err
			}
			d, err := c.decide(ctx, rules, r)
			if err != nil {
				return err
			}
			ev := selfcheck.Evidence{Before: c.before, After: c.after, Plan: c.plan, Set: c.set, Report: r, Decision: d}
			ev.Task.ID = cmp.Or(c.task, "selfcheck")
			if h, err = (&selfcheck.Ten{Redact: e.hide}).Check(ctx, ev); err != nil {
				return err
			}
		}
		return e.printChecks(h)
	}
}

// printChecks prints the ten checks; one that failed is a finding.
func (e *env) printChecks(h *selfcheck.Handoff) error {
	if e.structured() {
		if err := e.emit(struct {
			Schema int               `json:"schema"`
			Task   string            `json:"task"`
			Set    string            `json:"set"`
			Failed string            `json:"failed,omitempty"`
			Checks []selfcheck.Check `json:"checks"`
		}{1, h.Task, h.Set, h.Failed, h.Checks}); err != nil {
			return err
		}
	} else {
		e.printf("the checks on set %.12s of %s\n", h.Set, h.Task)
		for i, c := range h.Checks {
			state := "passed"
			switch {
			case !c.Judged:
				state = "not judged"
			case !c.Passed:
				state = "FAILED"
			}
			e.printf("%2d %-10s %s: %s\n", i+1, state, c.Name, strings.TrimPrefix(c.Signal, "not judged: "))
			if c.Action != "" && !c.Passed && c.Judged {
				e.printf("   action: %s\n", string(c.Action))
			}
			for _, p := range head(e, "   places", c.Places) {
				e.printf("   %s\n", p.String())
			}
		}
	}
	if h.Failed != "" {
		return errFindings
	}
	return nil
}

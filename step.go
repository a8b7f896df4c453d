package plumb

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/plumbkit/plumb/gate"
	"github.com/plumbkit/plumb/gate/secrets"
	"github.com/plumbkit/plumb/host/fault"
	"github.com/plumbkit/plumb/host/ledger"
	"github.com/plumbkit/plumb/host/task"
	"github.com/plumbkit/plumb/index"
)

// run is one task on its way through the chain.
type run struct {
	chain   *Chain
	task    task.Task
	given   string // the task as it came, which the trail begins with
	log     *ledger.Log
	veil    *secrets.Veil  // hides the credentials of the context and of the edits in the log
	entries []ledger.Entry // of earlier runs and of this one
	spend   *spending
	result  *Result

	before *index.Snapshot
	// trail is the digest of everything that the stages so far were given and
	// produced; a stage that was finished on the same trail is not repeated.
	trail string
	// attempt is 1-based, 0 before the first edit.
	attempt  int
	feedback []Feedback
	editor   Editor
	gate     gate.Gate
	// stops counts the earlier runs that gave up: each run after one starts anew.
	stops int
}

// kept is what the ledger holds of a finished stage. The digest guards against
// output that redaction has changed: such a stage is run again.
type kept struct {
	Digest string          `json:"digest"`
	Value  json.RawMessage `json:"value"`
}

// step runs one stage, or takes its output from the ledger when it was finished
// before on the same trail. The output is durable before the stage is reported
// as finished.
func step[T any](ctx context.Context, r *run, stage Stage, do func(context.Context) (T, error)) (T, error) {
	return stepUnless(ctx, r, stage, do, nil)
}

// stepUnless is step for a stage whose output may depend on the machine or the
// day: one that is open is not kept, so that the next run makes it anew.
func stepUnless[T any](ctx context.Context, r *run, stage Stage, do func(context.Context) (T, error), open func(T) bool) (T, error) {
	input := digest(r.trail, string(stage))
	if v, sum, ok := recall[T](r, stage, input); ok {
		r.trail = digest(input, sum)
		r.observe(Event{Stage: stage, State: "resumed", Data: v})
		return v, nil
	}
	return observed(ctx, r, stage, func(ctx context.Context) (T, error) {
		v, err := do(ctx)
		if err != nil {
			return v, err
		}
		if open != nil && open(v) {
			r.trail = digest(input, "open")
			return v, nil
		}
		sum, err := r.keep(ctx, stage, input, v)
		r.trail = digest(input, sum)
		return v, err
	})
}

// keep records the output of a finished stage and returns its digest.
func (r *run) keep(ctx context.Context, stage Stage, input string, v any) (string, error) {
	data, err := json.Marshal(v)
	if err != nil {
		return "", fault.From(err, "chain."+string(stage), "report this stage's output: it has no JSON form")
	}
	out := kept{Digest: digest(string(data)), Value: data}
	doc, err := json.Marshal(out)
	if err != nil {
		return "", fault.From(err, "chain."+string(stage), "report this stage's output: it has no JSON form")
	}
	f := ledger.Finished{Stage: string(stage), Input: input, Output: doc}
	_, err = r.record(ctx, f.Entry(r.task.ID))
	return out.Digest, err
}

// stageStop is the ledger's name for the end of a run that gave up.
const stageStop = "stop"

// stop records that the run gives up, so that the next one does not take over
// the edits that led here; it returns why, an error of the record first.
func (r *run) stop(ctx context.Context, stage Stage, why error) error {
	doc, err := json.Marshal(Stop{Stage: stage, Attempts: r.attempt, Feedback: r.feedback})
	if err != nil {
		return fault.From(err, "chain.stop", "report this feedback: it has no JSON form")
	}
	f := ledger.Finished{Stage: stageStop, Input: r.trail, Output: doc}
	if _, err := r.record(ctx, f.Entry(r.task.ID)); err != nil {
		return err
	}
	return why
}

// stops returns the entries of runs that gave up.
func stops(entries []ledger.Entry) []ledger.Entry {
	return slices.DeleteFunc(ledger.OfKind(entries, ledger.KindStage), func(e ledger.Entry) bool { return e.Stage != stageStop })
}

// observed runs a stage between its events.
func observed[T any](ctx context.Context, r *run, stage Stage, do func(context.Context) (T, error)) (T, error) {
	var none T
	if err := ctx.Err(); err != nil {
		return none, fault.From(err, "chain."+string(stage), "run the task again; finished stages are not repeated")
	}
	start := time.Now()
	r.observe(Event{Stage: stage, State: "started"})
	v, err := do(ctx)
	if err != nil {
		r.observe(Event{Stage: stage, State: "failed", Elapsed: time.Since(start), Err: err})
		return v, err
	}
	r.observe(Event{Stage: stage, State: "finished", Elapsed: time.Since(start), Data: v})
	return v, nil
}

// recall looks a finished stage up and checks that its output is what was recorded.
func recall[T any](r *run, stage Stage, input string) (v T, sum string, ok bool) {
	f, ok, err := ledger.FinishedOn(r.entries, string(stage), input)
	if err != nil || !ok {
		return v, "", false
	}
	var out kept
	if json.Unmarshal(f.Output, &out) != nil || digest(string(out.Value)) != out.Digest || json.Unmarshal(out.Value, &v) != nil {
		return v, "", false
	}
	return v, out.Digest, true
}

func (r *run) observe(e Event) {
	if r.chain.Observe == nil {
		return
	}
	e.Task, e.Attempt = r.task.ID, r.attempt
	r.chain.Observe(e)
}

// written are the strings of a JSON document, one below the other, so that a
// credential is seen that several of them hold together.
func written(doc []byte) string {
	var b strings.Builder
	ledger.RedactJSON(doc, func(s string) string {
		b.WriteString(s)
		b.WriteByte('\n')
		return s
	})
	return b.String()
}

// record makes an entry durable and keeps it for this run's own look-ups.
func (r *run) record(ctx context.Context, e ledger.Entry) (string, error) {
	e.Task = r.task.ID
	if e.Index == "" && r.before != nil {
		e.Index = r.before.Digest()
	}
	if e.Time.IsZero() { // here, and not in the log, as the hand-off shows the entries of this run
		e.Time = r.now()
	}
	switch Stage(e.Stage) {
	case StageCollect, StageEdit, StageConfirm: // these hold source text
		if err := r.veil.AddText(ctx, written(e.Data)); err != nil {
			return "", err
		}
	}
	id, err := r.log.Record(ctx, e)
	if err != nil {
		return "", err
	}
	e.ID, e.Seq = id, len(r.entries)+1
	r.entries = append(r.entries, e)
	return id, nil
}

// now is the chain's clock, in the form that the ledger keeps.
func (r *run) now() time.Time {
	if r.chain.Now != nil {
		return r.chain.Now().UTC().Round(0)
	}
	return time.Now().UTC().Round(0)
}

// note records plain data under a kind.
func (r *run) note(ctx context.Context, kind ledger.Kind, stage Stage, data any, refs ...string) (string, error) {
	doc, err := json.Marshal(data)
	if err != nil {
		return "", fault.From(err, "chain.record", "report this data: it has no JSON form")
	}
	return r.record(ctx, ledger.Entry{Kind: kind, Stage: string(stage), By: "plumb", Data: doc, Refs: refs})
}

// digest is the SHA-256 of the parts, each closed by a zero byte, in hexadecimal.
func digest(parts ...string) string {
	h := sha256.New()
	for _, p := range parts {
		h.Write([]byte(p))
		h.Write([]byte{0})
	}
	return hex.EncodeToString(h.Sum(nil))
}

// encoded is the JSON form of v, for digests.
func encoded(v any) string {
	data, err := json.Marshal(v)
	if err != nil {
		return fmt.Sprint(v)
	}
	return string(data)
}

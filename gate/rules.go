package gate

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/bmatcuk/doublestar/v4"

	"github.com/plumbkit/plumb/host/fault"
	"github.com/plumbkit/plumb/index"
	"github.com/plumbkit/plumb/patch"
)

// Rules is the default Gate: it looks at the structured change with a list of
// rules. The zero value has every built-in rule, the safe policy, and no
// Approver, so that what only a person can allow is blocked.
//
// A Rules is safe for concurrent use as long as nobody changes its fields.
type Rules struct {
	// Policy sets thresholds and paths; nil is that of the repository before the
	// change (RepositoryPolicy), and without one the default policy.
	Policy *Policy
	// Approver approves what a person has to. It is asked once for each
	// operation, last, and only when nothing else keeps the change out and a
	// Report for the Set is there; nil approves nothing.
	Approver Approver
	// Now is the clock for authorizations; nil means time.Now.
	Now func() time.Time
	// Use replaces the built-in rules; nil means Default(). An empty list
	// evaluates nothing, and nothing is allowed by it.
	Use []Rule
	// Extra are rules of the host beside them.
	Extra []Rule
}

// decisionSchema is the version of a Decision's form.
const decisionSchema = 1

// Decide implements Gate.
func (r *Rules) Decide(ctx context.Context, in Input) (*Decision, error) {
	if r.Policy != nil {
		return r.decide(ctx, in)
	}
	own, err := RepositoryPolicy(in.Before)
	if err != nil {
		return nil, err
	}
	with := *r
	with.Policy = own
	return with.decide(ctx, in)
}

func (r *Rules) decide(ctx context.Context, in Input) (*Decision, error) {
	rules := r.Use
	if rules == nil {
		rules = Default()
	}
	rules = append(rules[:len(rules):len(rules)], r.Extra...)
	if err := checkRules(rules); err != nil {
		return nil, err
	}
	if r.Policy != nil {
		if err := r.Policy.check(rules); err != nil {
			return nil, err
		}
	}
	d := &Decision{Schema: decisionSchema, Verdict: NotEvaluated, Findings: []Finding{}, Rules: []string{}}
	if in.Set != nil {
		d.Set = in.Set.Digest()
	}
	c := &Case{Before: in.Before, After: in.After, Plan: in.Plan, Set: in.Set, Report: in.Report, Policy: r.Policy.complete(), tests: &comparison{}, published: &publication{}, files: &sorting{}}
	if d.Why = missingInput(in, rules); d.Why != "" {
		return d, nil
	}
	if c.Changes = changesOf(in); len(c.Changes) == 0 {
		d.Why = "nothing was evaluated: the change has no files"
		return d, nil
	}
	if err := r.evaluate(ctx, c, rules, d); err != nil {
		return nil, err
	}
	if err := r.approve(ctx, c, d); err != nil {
		return nil, err
	}
	settle(c, d)
	d.Notes = append(d.Notes, r.notes(c)...)
	r.authorize(c, d)
	return d, nil
}

// missingInput says why nothing can be evaluated, "" when it can.
func missingInput(in Input, rules []Rule) string {
	switch {
	case len(rules) == 0:
		return "nothing was evaluated: there are no rules"
	case in.Before == nil || len(in.Before.Files()) == 0:
		return "nothing was evaluated: the base is empty, so there is nothing to compare with"
	case in.After == nil:
		return "nothing was evaluated: there is no snapshot of the state after the change"
	case in.Set != nil && len(in.Set.Files) == 0 && in.Before.Digest() == in.After.Digest():
		return "nothing was evaluated: the change has no files"
	}
	return ""
}

func checkRules(rules []Rule) error {
	seen := map[string]bool{}
	for _, rule := range rules {
		detail := ""
		switch {
		case rule.ID == "" || rule.Class == "":
			detail = "a rule has no ID or no class"
		case rule.Check == nil:
			detail = "the rule " + rule.ID + " looks at nothing"
		case rank(rule.Strength) < 0:
			detail = fmt.Sprintf("the rule %s has the strength %q, which does not exist", rule.ID, rule.Strength)
		case seen[rule.ID]:
			detail = "the rule " + rule.ID + " is there twice"
		}
		if detail != "" {
			return &fault.Fault{Class: fault.InvalidInput, Op: "gate.decide", Subject: fault.Subject{Text: rule.ID},
				Detail: detail, State: "nothing was decided", Next: "correct the rules given to the gate"}
		}
		seen[rule.ID] = true
	}
	return nil
}

// evaluate runs the rules in order.
func (r *Rules) evaluate(ctx context.Context, c *Case, rules []Rule, d *Decision) error {
	prints := map[string]int{}
	for _, rule := range rules {
		if err := ctx.Err(); err != nil {
			return fault.From(err, "gate.decide", "decide again; nothing was written")
		}
		found, err := rule.Check(ctx, c)
		if err != nil {
			return fault.From(err, "gate.decide", "put right what the rule "+rule.ID+" could not read, and decide again")
		}
		strength := c.Policy.strength(rule)
		d.Rules = append(d.Rules, rule.ID)
		for _, f := range found {
			d.Findings = append(d.Findings, finish(c, rule, strength, f, prints))
		}
	}
	return nil
}

// finish fills in what a rule leaves to the gate.
func finish(c *Case, rule Rule, strength Strength, f Finding, prints map[string]int) Finding {
	f.Rule = rule.ID
	if f.Strength == "" || rank(f.Strength) < rank(strength) && (!rule.Soft || strength != rule.Strength) {
		f.Strength = strength
	}
	if f.Present == nil {
		f.Present = []string{}
	}
	if f.Missing == nil {
		f.Missing = []string{}
	}
	if rule.Justifiable && f.Strength != Pass {
		f.Justified = justification(c, rule, &f)
	}
	f.Blocks = f.Justified == "" && (f.Strength == Block || f.Strength == Evidence && (len(f.Missing) > 0 || f.Approve != ""))
	f.Fingerprint = fingerprint(&f, prints)
	return f
}

// justification is the task's reason for exactly this finding: the rule, or its
// class, and the file or symbol; both where both are given.
func justification(c *Case, rule Rule, f *Finding) string {
	if c.Plan == nil {
		return ""
	}
	for _, j := range c.Plan.Justifications {
		if j.Rule != rule.ID && j.Rule != rule.Class || strings.TrimSpace(j.Reason) == "" || j.File == "" && j.Symbol == "" {
			continue
		}
		file := j.File == "" || j.File == f.Before.File || j.File == f.After.File
		symbol := j.Symbol == "" || f.Symbol != "" && (j.Symbol == f.Symbol || strings.HasSuffix(f.Symbol, "."+j.Symbol) || strings.HasSuffix(f.Symbol, "/"+j.Symbol))
		if file && symbol {
			return j.Reason
		}
	}
	return ""
}

// settle gives the verdict.
func settle(c *Case, d *Decision) {
	var blocking []string
	for _, f := range d.Findings {
		if f.Blocks {
			blocking = append(blocking, f.Rule)
		}
	}
	if len(blocking) == 0 {
		d.Verdict = Allowed
		d.Why = fmt.Sprintf("%d rules looked at %d changed files, and no finding keeps the change out", len(d.Rules), len(c.Changes))
		return
	}
	d.Verdict = Blocked
	count := len(blocking)
	slices.Sort(blocking)
	d.Why = fmt.Sprintf("%d of %d findings keep the change out: %s", count, len(d.Findings), strings.Join(slices.Compact(blocking), ", "))
}

// notes report policy globs that match nothing and what could not be judged.
func (r *Rules) notes(c *Case) []string {
	var out []string
	if r.Policy != nil {
		out = unmatched(r.Policy, c)
		if r.Policy.own && r.Policy.blank {
			out = append(out, PolicyFile+" sets nothing, so the default policy applies: give it a key, such as schema: 1, or remove it")
		}
	}
	if c.Plan == nil {
		out = append(out, "there is no plan: reasons for loosened checks and declared contracts are not known")
	}
	for i := range c.Changes {
		f := &c.Changes[i]
		if reason := notRead(c, f); reason != "" {
			out = append(out, "not compared as code: "+f.Path()+": "+reason)
		}
	}
	return out
}

// notRead says why a changed file's marks are not known in full, "" when they are.
func notRead(c *Case, f *Change) string {
	for _, side := range []struct {
		s    *index.Snapshot
		path string
	}{{c.Before, f.Old}, {c.After, f.New}} {
		if info, ok := side.s.File(side.path); ok && info.Skipped != "" {
			return info.Skipped
		}
	}
	return ""
}

func unmatched(p *Policy, c *Case) []string {
	var out []string
	for _, g := range p.globs() {
		hit := slices.ContainsFunc(c.Changes, func(f Change) bool {
			return f.Old != "" && matches([]string{g.glob}, f.Old) != "" || f.New != "" && matches([]string{g.glob}, f.New) != ""
		})
		for _, f := range c.Before.Files() {
			if hit {
				break
			}
			ok, err := doublestar.Match(strings.ToLower(g.glob), strings.ToLower(f.Path))
			hit = ok && err == nil
		}
		if !hit {
			where := ""
			if line := p.lines[g]; line > 0 {
				where = fmt.Sprintf(" (line %d)", line)
			}
			out = append(out, fmt.Sprintf("the policy's glob %q under %s%s matches no file", g.glob, g.key, where))
		}
	}
	return out
}

// authorize issues the authorization for the exact digest of the Set, and says
// in a note why it does not.
func (r *Rules) authorize(c *Case, d *Decision) {
	if d.Verdict != Allowed {
		return
	}
	why := unproven(c, d.Set)
	if why == "" {
		why = elsewhere(c)
	}
	if why != "" {
		d.Notes = append(d.Notes, "no authorization: "+why)
		return
	}
	if !c.Report.Environment.Sandboxed {
		d.Notes = append(d.Notes, "the tests ran without a sandbox")
	}
	now := time.Now
	if r.Now != nil {
		now = r.Now
	}
	d.Authorization = &patch.Authorization{Set: d.Set, By: authority(d), Policy: r.Policy.Digest(), Reason: d.Why, At: now().UTC()}
}

// authority is who allowed the change: the gate, and the people whom it asked.
func authority(d *Decision) string {
	by := []string{"plumb gate"}
	for _, f := range d.Findings {
		if f.Approved != "" && !slices.Contains(by, f.Approved) {
			by = append(by, f.Approved)
		}
	}
	return strings.Join(by, ", ")
}

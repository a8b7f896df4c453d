package main

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/plumbkit/plumb"
	"github.com/plumbkit/plumb/budget"
	"github.com/plumbkit/plumb/changeset"
	"github.com/plumbkit/plumb/gate"
	"github.com/plumbkit/plumb/host/fault"
	"github.com/plumbkit/plumb/host/ledger"
	"github.com/plumbkit/plumb/host/sandbox"
	"github.com/plumbkit/plumb/index"
	"github.com/plumbkit/plumb/patch"
	"github.com/plumbkit/plumb/verify"
	"github.com/plumbkit/plumb/verify/runner/gotest"
)

// TestMain plays the story instead of the tests when it is a child that a test
// wants to kill.
func TestMain(m *testing.M) {
	if os.Getenv("REFUND_CHILD") != "" {
		main()
		return
	}
	os.Exit(m.Run())
}

// tree is a fingerprint of every file outside .git: path, mode and content.
func tree(t *testing.T, dir string) map[string]string {
	t.Helper()
	out := map[string]string{}
	require.NoError(t, filepath.WalkDir(dir, func(p string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			if d.Name() == ".git" {
				return fs.SkipDir
			}
			return nil
		}
		data, err := os.ReadFile(p)
		if err != nil {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		out[strings.TrimPrefix(p, dir+"/")] = fmt.Sprintf("%v %x", info.Mode(), sha256.Sum256(data))
		return nil
	}))
	return out
}

// telling is one run of the story with everything that was seen on the way.
type telling struct {
	shop   string
	start  map[string]string
	result *plumb.Result
	events []plumb.Event
	// after holds the tree as it was when a stage failed.
	after   map[string]map[string]string
	said    bytes.Buffer
	entries []ledger.Entry
}

func tellStory(t *testing.T) *telling {
	t.Helper()
	tale := inGo()
	shop, err := tale.lay(t.Context(), t.TempDir())
	require.NoError(t, err)
	s := &telling{shop: shop, after: map[string]map[string]string{}}
	s.start = tree(t, s.shop)
	job, err := tale.request()
	require.NoError(t, err)
	c, err := tale.chain(s.shop, &s.said, tale.model(&s.said, tale.attempts...), options{})
	require.NoError(t, err)
	print := c.Observe
	c.Observe = func(e plumb.Event) {
		print(e)
		if e.State != "started" {
			s.events = append(s.events, e)
		}
		if e.State == "failed" {
			s.after[string(e.Stage)] = tree(t, s.shop)
		}
	}
	s.result, err = c.Run(t.Context(), job)
	require.NoError(t, err, s.said.String())
	s.entries, err = ledger.Entries(t.Context(), c.Store, job.ID)
	require.NoError(t, err)
	return s
}

// stage returns the events of one stage.
func (s *telling) stage(name plumb.Stage) []plumb.Event {
	var out []plumb.Event
	for _, e := range s.events {
		if e.Stage == name {
			out = append(out, e)
		}
	}
	return out
}

func count[T any](list []T, keep func(T) bool) int {
	n := 0
	for _, x := range list {
		if keep(x) {
			n++
		}
	}
	return n
}

// broken is one capability point broken on purpose, by hand: smaller than a
// reverted hunk, and building.
type broken struct {
	point, file, old, new string
	dirs                  []string
}

func breaks() []broken {
	const service = "refund/service.go"
	return []broken{
		{"REFUND-1 the amount is given back", "payment/providers.go", "p.Refunded += amount", "p.Refunded += p.Left()", []string{"payment", "refund"}},
		{"REFUND-1 the same request twice refunds once", "payment/providers.go", "c.answers[key] = answer{request: req, receipt: receipt}\n\treturn receipt, nil\n}\n\n// Payment", "return receipt, nil\n}\n\n// Payment", []string{"payment", "refund", "backoffice"}},
		{"REFUND-2 no more than was paid", "payment/providers.go", "amount > p.Left()", "amount > 10*p.Left()", []string{"payment", "refund", "backoffice"}},
		{"REFUND-3 shipped orders are refused", "order/status.go", "Shipped:   {Delivered},", "Shipped:   {Delivered, PartiallyRefunded},", []string{"order", "refund"}},
		{"REFUND-4 one audit record", service, "return res, s.log.OrderRefunded(ctx, by.ID, o.ID, receipt.Amount, receipt.ID)", "return res, nil", []string{"refund", "backoffice"}},
		{"REFUND-5 the permission", service, "need = permission.AdjustOrder", "need = permission.ViewOrders", []string{"refund", "backoffice"}},
	}
}

// check breaks the point in a scratch tree and expects a test to turn red that
// is not one of the two old ones.
func (b broken) check(t *testing.T, shop string) {
	ws, err := patch.Open(shop)
	require.NoError(t, err)
	scratch, err := ws.Scratch(t.Context())
	require.NoError(t, err)
	defer func() { assert.NoError(t, scratch.Close()) }()
	name := filepath.Join(scratch.Dir(), filepath.FromSlash(b.file))
	text, err := os.ReadFile(name)
	require.NoError(t, err)
	require.Contains(t, string(text), b.old)
	require.NoError(t, os.WriteFile(name, bytes.Replace(text, []byte(b.old), []byte(b.new), 1), 0o644))
	box := sandbox.Auto{AllowUnsandboxed: true}
	out, err := (&gotest.Runner{}).Run(t.Context(), box, verify.Run{Dir: scratch.Dir(), Packages: b.dirs})
	require.NoError(t, err)
	red := 0
	for _, o := range out {
		require.NotEqual(t, verify.BuildFailed, o.Status, o.Output)
		if o.Test.Name != "" && o.Status == verify.Failed && o.Test.Name != "TestSlipWritesAmountsLikeTheInvoice" {
			red++
		}
	}
	assert.Positive(t, red, "no test notices")
}

func TestStory(t *testing.T) {
	s := tellStory(t)
	r := s.result

	// covers: STY-1
	t.Run("five capability points, and an implied need absorbed into the first", func(t *testing.T) {
		require.Len(t, r.Plan.Capabilities, 5)
		for _, c := range r.Plan.Capabilities {
			assert.NotEmpty(t, c.ID)
			assert.NotEmpty(t, c.Sentence)
		}
		assert.NotEmpty(t, r.Plan.Capabilities[0].Constraints, "the repeated request is a constraint of the first point")
	})

	// covers: STY-2
	t.Run("seeds find the existing refund, and the plan extends it", func(t *testing.T) {
		assert.True(t, slices.ContainsFunc(r.Context.Seeds, func(x budget.Seed) bool {
			return strings.HasPrefix(x.Symbol, "example.com/shop/payment.Gateway.Refund@")
		}))
		require.NotEmpty(t, r.Plan.Contracts)
		for _, c := range r.Plan.Contracts {
			assert.NotEmpty(t, c.Before.Text, "%s exists already", c.Symbol)
		}
		for _, f := range r.Set.Files {
			assert.True(t, f.Op == patch.Modified || strings.HasSuffix(f.Path, "_test.go"), "no second path: %s", f.Path)
		}
	})

	// covers: STY-3
	t.Run("the context fills six layers within the budget and folds the audit module", func(t *testing.T) {
		assert.GreaterOrEqual(t, r.Context.Candidates, 150)
		assert.Equal(t, 16000, r.Context.Total)
		assert.LessOrEqual(t, r.Context.Used, 16000)
		require.Len(t, r.Context.Layers, 6)
		for _, l := range r.Context.Layers {
			assert.Positive(t, l.Items, l.Layer)
		}
		full := count(r.Context.Items, func(i budget.Item) bool {
			return strings.HasPrefix(i.Symbol, "example.com/shop/audit.Log.Order") && i.Form == budget.Whole
		})
		assert.Equal(t, 3, full, "the three methods about orders stand in full")
		folded := slices.IndexFunc(r.Context.Items, func(i budget.Item) bool {
			return strings.HasPrefix(i.Text, "example.com/shop/audit.Log: … ") && i.Form == budget.Line
		})
		require.GreaterOrEqual(t, folded, 0, "the module is folded to one line")
		assert.Regexp(t, `… 38 more members omitted: .*StaffSignedIn`, r.Context.Items[folded].Text, "the other 37 write methods, and About")
	})

	// covers: STY-4
	t.Run("five files, graded actions, two questions answered and recorded", func(t *testing.T) {
		files := map[string]bool{}
		for _, f := range r.Set.Files {
			if f.Op == patch.Modified && !strings.HasSuffix(f.Path, "_string.go") {
				files[f.Path] = true
			}
		}
		assert.Len(t, files, 5)
		for _, a := range r.Plan.Actions {
			assert.NotEmpty(t, a.Why)
			assert.NotEmpty(t, a.Grade)
		}
		kinds := map[changeset.QuestionKind]bool{}
		for _, q := range r.Plan.Questions {
			kinds[q.Kind] = true
			require.NotNil(t, q.Answer, q.ID)
			assert.NotEmpty(t, q.Evidence)
		}
		assert.Equal(t, map[changeset.QuestionKind]bool{changeset.Smaller: true, changeset.Uncovered: true}, kinds)
		asked, answered := ledger.OfKind(s.entries, ledger.KindQuestion), ledger.OfKind(s.entries, ledger.KindAnswer)
		assert.Len(t, asked, len(r.Plan.Questions))
		assert.Len(t, answered, len(asked))
		assert.True(t, slices.ContainsFunc(r.Set.Files, func(f patch.File) bool { return f.Path == "order/status_test.go" }), "a test of the state machine is added")
	})

	// covers: STY-5
	t.Run("the first attempt meets a call site that moved and lands nothing", func(t *testing.T) {
		attempts := s.stage(plumb.StagePatch)
		require.NotEmpty(t, attempts)
		require.ErrorIs(t, attempts[0].Err, fault.AnchorMismatch)
		f := fault.From(attempts[0].Err, "", "")
		assert.Equal(t, "backoffice/refunds.go", f.Subject.File)
		assert.Positive(t, f.Subject.Line)
		assert.Contains(t, attempts[0].Err.Error(), "s.actor(w, r)")
		assert.Equal(t, s.start, s.after["patch"], "the workspace is byte-identical")
		assert.Equal(t, 2, r.Attempts)
		assert.GreaterOrEqual(t, len(r.Set.Blocks), 3)
	})

	// covers: STY-6
	t.Run("noise is restored", func(t *testing.T) {
		// Seven lines of the original: a wrapped one stands in four, a moved import counts where it left and where it came.
		assert.Equal(t, 11, r.Set.Noise.Restored)
		assert.Equal(t, map[patch.HunkClass]int{patch.ImportOrder: 2, patch.Quotes: 2, patch.TrailingComma: 4, patch.WhiteSpace: 3}, r.Set.Noise.ByClass)
		assert.Zero(t, r.Set.Noise.After)
		assert.Positive(t, r.Set.Noise.Before)
	})

	// covers: STY-7
	t.Run("the two handlers reached by name are read and adapted before any test", func(t *testing.T) {
		var confirm []index.Ref
		for _, e := range s.stage(plumb.StageOverlay) {
			if rep, ok := e.Data.(*verify.Report); ok {
				confirm = append(confirm, rep.Confirm...)
			}
		}
		in := map[string]bool{}
		for _, ref := range confirm {
			if ref.Status == index.Dynamic && ref.Span.File == "backoffice/refunds.go" {
				in[ref.Name] = true
			}
		}
		assert.Contains(t, in, "Refund")
		order := []plumb.Stage{}
		for _, e := range s.events {
			order = append(order, e.Stage)
		}
		assert.Less(t, slices.Index(order, plumb.StageConfirm), slices.Index(order, plumb.StageTest))
	})

	// covers: STY-8
	t.Run("a proper subset of the tests runs, and only the two old ones are red", func(t *testing.T) {
		sel := r.Report.Selection
		assert.NotEmpty(t, sel.Selected)
		assert.NotEmpty(t, sel.Skipped)
		for _, x := range append(slices.Clone(sel.Selected), sel.Skipped...) {
			assert.NotEmpty(t, x.Why)
		}
		red := map[string]verify.Attribution{}
		for _, x := range r.Report.Tests {
			if x.After == verify.Failed && x.Test.Name != "" {
				red[x.Test.Name] = x.Attribution
			}
		}
		assert.Equal(t, map[string]verify.Attribution{"TestSlipWritesAmountsLikeTheInvoice": verify.PreExisting, "TestLabelShowsTheTimeOfTheDesk": verify.PreExisting}, red)
		ran := map[string]bool{}
		for _, x := range r.Report.Tests {
			ran[x.Test.Dir] = true
		}
		for _, dir := range []string{"refund", "order"} {
			assert.Contains(t, ran, dir)
			assert.False(t, slices.ContainsFunc(sel.Skipped, func(x verify.Selected) bool { return x.Test.Dir == dir }), "after L2 and L3 no test of %s is left out", dir)
		}
		assert.True(t, slices.ContainsFunc(r.Report.Layers, func(l verify.Layer) bool { return l.Name == verify.L3 && l.Status == verify.LayerPassed }))
	})

	// covers: STY-9
	t.Run("every capability point has an assertion, and breaking it turns a test red", func(t *testing.T) {
		for _, c := range r.Report.Capabilities {
			assert.Empty(t, c.Missing, c.Capability)
			assert.NotEmpty(t, c.Assertions, c.Capability)
		}
		killed := map[string]bool{}
		for _, m := range r.Report.Mutants {
			assert.NotEqual(t, "survived", m.Result, "%s at %s:%d", m.Capability, m.Place.File, m.Place.Line)
			if m.Result == "killed" {
				killed[m.Capability] = true
			}
		}
		assert.NotEmpty(t, killed)
		for _, b := range breaks() {
			t.Run(b.point, func(t *testing.T) { b.check(t, s.shop) })
		}
	})

	// covers: STY-10
	t.Run("the gate lets it pass with evidence for the public signature", func(t *testing.T) {
		assert.Equal(t, gate.Allowed, r.Decision.Verdict)
		i := slices.IndexFunc(r.Decision.Findings, func(f gate.Finding) bool { return f.Rule == "signature.public" })
		require.GreaterOrEqual(t, i, 0)
		assert.NotEmpty(t, r.Decision.Findings[i].Present)
		assert.Equal(t, r.Set.Digest(), r.Decision.Authorization.Set)
	})

	// covers: STY-11
	t.Run("the hand-off says what was not verified", func(t *testing.T) {
		var all strings.Builder
		for _, u := range r.Handoff.NotVerified {
			all.WriteString(u.What + " " + u.Why + "\n")
		}
		assert.Contains(t, all.String(), "concurren")
		assert.Contains(t, all.String(), "stored")
	})

	// covers: STY-13
	t.Run("the two representations of money are seen in the contracts before any edit", func(t *testing.T) {
		text := r.Context.Text()
		assert.Contains(t, text, "money.Cents")
		assert.Contains(t, text, "decimal.Decimal")
		assert.True(t, slices.ContainsFunc(r.Context.Items, func(i budget.Item) bool {
			return i.Layer == budget.Contracts && (strings.Contains(i.Text, "decimal.") || strings.HasPrefix(i.Span.File, "decimal/"))
		}))
	})

	// covers: LED-1
	t.Run("the record is complete", func(t *testing.T) {
		require.NoError(t, ledger.Complete(s.entries))
	})

	// covers: CHN-2
	t.Run("the four budgets are reported side by side", func(t *testing.T) {
		require.Len(t, r.Spent, 4)
		for _, b := range r.Spent {
			assert.Positive(t, b.Used, b.Budget)
		}
	})

	// covers: STY-12
	t.Run("undo brings back the exact tree", func(t *testing.T) {
		assert.NotEqual(t, s.start, tree(t, s.shop))
		ws, err := patch.Open(s.shop)
		require.NoError(t, err)
		require.NoError(t, ws.Undo(t.Context(), r.Receipt.ID))
		assert.Equal(t, s.start, tree(t, s.shop))
	})
}

// covers: STY-10
func TestAModelThatDeletesAnAssertionIsBlocked(t *testing.T) {
	tale := inGo()
	shop, err := tale.lay(t.Context(), t.TempDir())
	require.NoError(t, err)
	job, err := tale.request()
	require.NoError(t, err)
	start, err := tale.state(t.Context(), shop)
	require.NoError(t, err)
	var said bytes.Buffer
	require.NoError(t, tale.weaken(t.Context(), &said, shop, job, options{}, start), said.String())
	assert.Regexp(t, `without a plan blocked by tests\.\S+ at backoffice/refunds_test\.go:\d+`, said.String())
}

// killedWriting plays on in dir, kills the process as soon as the journal of the
// write is there, and returns the tree after recovery.
func killedWriting(t *testing.T, dir string) map[string]string {
	t.Helper()
	shop := filepath.Join(dir, "shop")
	cmd := exec.CommandContext(t.Context(), os.Args[0], "-keep", "-dir", dir)
	cmd.Env = append(os.Environ(), "REFUND_CHILD=1")
	require.NoError(t, cmd.Start())
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	for killed := false; !killed; {
		select {
		case <-ended: // it was faster than the look-out; then the write is done
			killed = true
			ended <- nil
		default:
			journal, err := filepath.Glob(filepath.Join(shop, ".git", "plumb", "journal", "*"))
			require.NoError(t, err)
			if killed = len(journal) > 0; killed {
				require.NoError(t, cmd.Process.Kill())
			}
		}
	}
	<-ended
	_, err := patch.Open(shop)
	require.NoError(t, err)
	return tree(t, shop)
}

// covers: STY-5, STY-12, CHN-4
func TestKilledBetweenAnyTwoStagesItResumes(t *testing.T) {
	dir := t.TempDir()
	tell := func(args ...string) (string, error) {
		cmd := exec.CommandContext(t.Context(), os.Args[0], append(args, "-keep", "-dir", dir)...)
		cmd.Env = append(os.Environ(), "REFUND_CHILD=1")
		out, err := cmd.CombinedOutput()
		return string(out), err
	}
	stages := []plumb.Stage{plumb.StageIndex, plumb.StageBaseline, plumb.StageCollect, plumb.StagePlan, plumb.StageEdit, plumb.StagePatch,
		plumb.StageOverlay, plumb.StageConfirm, plumb.StageScreen, plumb.StageTest, plumb.StageCheck, plumb.StageDecide}
	// These come more than once in one telling: two attempts, two sets.
	repeated := []plumb.Stage{plumb.StageIndex, plumb.StageEdit, plumb.StagePatch, plumb.StageOverlay}
	var finished []plumb.Stage
	for _, stage := range stages {
		out, err := tell("-die-after", string(stage))
		exit := &exec.ExitError{}
		require.ErrorAs(t, err, &exit, "%s: %s", stage, out)
		require.Equal(t, syscall.SIGKILL, exit.Sys().(syscall.WaitStatus).Signal(), "%s: %s", stage, out)
		for _, done := range finished {
			assert.NotRegexp(t, fmt.Sprintf(`(?m)^%s +finished`, done), out, "%s: a finished stage is not repeated", stage)
		}
		if !slices.Contains(repeated, stage) {
			finished = append(finished, stage)
		}
	}
	shop := filepath.Join(dir, "shop")
	start := tree(t, shop)
	var recovered []map[string]string
	for range 3 {
		recovered = append(recovered, killedWriting(t, dir))
	}
	out, err := tell("-die-after", string(plumb.StageWrite))
	require.Error(t, err, out)
	end := tree(t, shop)
	require.NotEqual(t, start, end)
	for i, r := range recovered {
		assert.Condition(t, func() bool { return maps.Equal(r, start) || maps.Equal(r, end) }, "kill %d left something between before and after", i)
	}
	out, err = tell()
	require.NoError(t, err, out)
	for _, stage := range []plumb.Stage{plumb.StageCollect, plumb.StagePlan, plumb.StageTest, plumb.StageDecide} {
		assert.Regexp(t, fmt.Sprintf(`(?m)^%s +resumed`, stage), out)
		assert.NotRegexp(t, fmt.Sprintf(`(?m)^%s +finished`, stage), out, "a finished stage is not repeated")
	}
	assert.Contains(t, out, "already_applied")
	assert.FileExists(t, filepath.Join(dir, "handoff", "handoff.html"))
}

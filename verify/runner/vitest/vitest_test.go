package vitest

import (
	"testing"

	"github.com/plumbkit/plumb/verify"
	"github.com/plumbkit/plumb/verify/runner/internal/nodejs/nodetest"
)

func suite() nodetest.Suite {
	return nodetest.Suite{Runner: &Runner{}, Ends: []nodetest.End{
		{File: "good.test.ts", Name: "adding (a) + [b] > small $ numbers? > adds", Status: verify.Passed},
		{File: "good.test.ts", Name: "adding (a) + [b] > small $ numbers? > adds more", Status: verify.Failed},
		{File: "good.test.ts", Name: "adding (a) + [b] > is skipped", Status: verify.Skipped, Reason: "marked to be skipped"},
		{File: "good.test.ts", Name: "adding (a) + [b] > is to do", Status: verify.Skipped, Reason: "todo"},
		{File: "good.test.ts", Name: "adding (a) + [b] > each 1", Status: verify.Passed},
		{File: "good.test.ts", Name: "adding (a) + [b] > each 2", Status: verify.Passed},
		{File: "good.test.ts", Name: "adds", Status: verify.Passed},
		{File: "good.test.ts", Name: "skips inside", Status: verify.Skipped, Reason: "no database here"},
		{File: "good.test.ts", Name: "slow", Status: verify.TimedOut, Reason: "timed out in 200ms"},
		{File: "good.test.ts", Name: "is known to fail", Status: verify.Passed},
		{File: "good.test.ts", Name: "around > does not run", Status: verify.Failed},
		{File: "good.test.ts", Name: "leaves > this", Status: verify.Passed},
		{File: "good.test.ts", Status: verify.Failed},
		{File: "exit.test.ts", Name: "exits", Status: verify.Crashed, Reason: "process.exit unexpectedly called"},
		{File: "killed.test.ts", Name: "comes before", Status: verify.Passed},
		{File: "killed.test.ts", Name: "is killed", Status: verify.Crashed},
		{File: "killed.test.ts", Name: "comes after", Status: verify.NotRun, Reason: "ended before"},
		{File: "killed.test.ts", Status: verify.Crashed},
		{File: "unresolved.test.ts", Status: verify.BuildFailed, Reason: "./nothing"},
		{File: "syntax.test.ts", Status: verify.BuildFailed},
		{File: "throws.test.ts", Status: verify.BuildFailed, Reason: "thrown while loading"},
		{File: "rejects.test.ts", Status: verify.Crashed, Reason: "nobody waits"},
		{File: "rejects.test.ts", Name: "rejects", Status: verify.Crashed, Reason: "nobody waits"},
	},
		Says:    []string{"expected 2 to be 3", "Expected: 3", "Received: 2", "good.test.ts:8"},
		Skipped: nodetest.End{File: "good.test.ts", Name: "skips inside", Reason: "no database here"},
	}
}

// covers: VER-7
func TestEveryEndIsReportedAsWhatItWas(t *testing.T) { suite().EveryEnd(t) }

// covers: VER-7
func TestNamesAreTakenAsTheyStand(t *testing.T) { suite().Names(t) }

// A test that never yields keeps vitest from telling which test of its file it is.
//
// covers: VER-7
func TestATestThatNeverYieldsTimesOut(t *testing.T) {
	suite().NeverYields(t, [3]verify.Status{verify.TimedOut, verify.TimedOut, verify.TimedOut})
}

// covers: VER-7, VER-24, ARC-3
func TestConformance(t *testing.T) { suite().Conforms(t) }

// A package that node_modules links to is the tree's own, not the original.
//
// covers: VER-24
func TestALinkedPackageIsTheTreesOwn(t *testing.T) { suite().LinkedPackage(t) }

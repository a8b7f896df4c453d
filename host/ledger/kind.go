package ledger

import (
	"slices"
	"strings"
)

// A Kind says what an entry records.
type Kind string

// The kinds of entries (LED-1).
const (
	// KindIndex: a snapshot was taken or brought up to date; Entry.Index is its digest.
	KindIndex Kind = "index"
	// KindContext: the context ledger, what was collected and what was left out.
	KindContext Kind = "context"
	// KindPlan: the plan, as changeset renders it.
	KindPlan Kind = "plan"
	// KindHunks: the patch, as Hunks.
	KindHunks Kind = "hunks"
	// KindAuthorization: a set was allowed to be written, or an operation approved.
	KindAuthorization Kind = "authorization"
	// KindRun: commands were run; their results. Data.set names the set they ran on.
	KindRun Kind = "run"
	// KindAttribution: a result was attributed against the baseline.
	KindAttribution Kind = "attribution"
	// KindJudgement: a classifier's answer with its probability, or a gate's refusal.
	KindJudgement Kind = "judgement"
	// KindQuestion: a question was put to the host.
	KindQuestion Kind = "question"
	// KindAnswer: the host's answer; Refs names the question.
	KindAnswer Kind = "answer"
	// KindProvisional: a decision taken for now, to be confirmed.
	KindProvisional Kind = "provisional"
	// KindFingerprint: an error's fingerprint, to recognize it when it comes back.
	KindFingerprint Kind = "fingerprint"
	// KindBudget: tokens, wall time, iterations and human questions used.
	KindBudget Kind = "budget"
	// KindStage: a stage was finished, as Finished.
	KindStage Kind = "stage"
	// KindRejected: a way was tried and is rejected, as Failure.
	KindRejected Kind = "rejected"
	// KindExport: inputs and outputs were exported for replay.
	KindExport Kind = "export"
)

// hostPrefix begins the kinds that a host makes up for itself.
const hostPrefix = "x_"

// Kinds returns every kind that plumb itself records.
func Kinds() []Kind {
	return []Kind{KindIndex, KindContext, KindPlan, KindHunks, KindAuthorization, KindRun, KindAttribution, KindJudgement, KindQuestion,
		KindAnswer, KindProvisional, KindFingerprint, KindBudget, KindStage, KindRejected, KindExport}
}

// known reports whether an entry of this kind is accepted: one of Kinds, or a
// host's own that begins with "x_".
func (k Kind) known() bool {
	return slices.Contains(Kinds(), k) || strings.HasPrefix(string(k), hostPrefix) && len(k) > len(hostPrefix)
}

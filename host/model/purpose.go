package model

// A Purpose is a place in plumb that asks a model. Its text is stable and is
// used in JSON, in scripts and for routing purposes to different models.
type Purpose string

// The only places a model is asked (CHN-3).
const (
	// Split turns a requirement into capability points.
	Split Purpose = "split"
	// Context asks which further symbols are wanted in the second stage of collecting.
	Context Purpose = "context"
	// Tests writes tests.
	Tests Purpose = "tests"
	// Edits writes the edits that carry out a plan.
	Edits Purpose = "edits"
	// Fix answers an attributed failure with new edits.
	Fix Purpose = "fix"
	// Refactor cleans up within the write set, guided by the lint list.
	Refactor Purpose = "refactor"
	// Conformance reviews the change against the requirement.
	Conformance Purpose = "conformance"
	// Sensitive reviews the handling of sensitive data.
	Sensitive Purpose = "sensitive"
	// Verifier asks the independent verifier for hypotheses.
	Verifier Purpose = "verifier"
	// Inference is asked once where no rule decides; the answer is written back.
	Inference Purpose = "inference"
	// Proposal words a proposal for a conflict with the source of truth.
	Proposal Purpose = "proposal"
)

// Purposes returns every purpose, in the order in which a task meets them.
func Purposes() []Purpose {
	return []Purpose{Split, Context, Tests, Edits, Fix, Refactor, Conformance, Sensitive, Verifier, Inference, Proposal}
}

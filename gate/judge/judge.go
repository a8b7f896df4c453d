// Package judge settles by probability what no rule can settle, and stays on
// the cautious side whenever it is not sure.
//
// A Classifier yields a label and a probability and never text. A Panel reads
// it with a threshold: at or above it the label stands, below it the cautious
// label does, and so it does when the classifier errs, hangs or answers with
// something that is no label. No classifier decides alone that a change may be
// written.
package judge

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"math"
	"slices"
	"time"
)

// A Classifier answers one question with one of its labels. Errors are treated
// as low confidence. Implementations must be safe for concurrent use.
type Classifier interface {
	Classify(ctx context.Context, q Question) (Answer, error)
}

// Func is a Classifier made of a function.
type Func func(ctx context.Context, q Question) (Answer, error)

// Classify calls f.
func (f Func) Classify(ctx context.Context, q Question) (Answer, error) { return f(ctx, q) }

// A Question is what a Classifier is asked.
type Question struct {
	// Use says what the answer is for, such as "risk".
	Use string `json:"use"`
	// Labels are the possible answers.
	Labels []string `json:"labels"`
	// Text is what is judged, such as a difference.
	Text string `json:"text"`
}

// Digest identifies the question's input (GAT-16): SHA-256, in hexadecimal.
func (q Question) Digest() string {
	h := sha256.New()
	for _, part := range append([]string{q.Use, q.Text}, q.Labels...) {
		h.Write([]byte(part))
		h.Write([]byte{0})
	}
	return hex.EncodeToString(h.Sum(nil))
}

// An Answer is a label with its probability, in [0, 1].
type Answer struct {
	Label string  `json:"label"`
	P     float64 `json:"p"`
}

// A Judgement is what stands after the threshold was applied, with all that a
// record of it needs.
type Judgement struct {
	Use       string  `json:"use"`
	Label     string  `json:"label"`
	Given     Answer  `json:"given"` // as the classifier answered
	Threshold float64 `json:"threshold"`
	// Cautious says that Label is the cautious one because the answer was not
	// good enough; Why says what was wrong with it.
	Cautious bool   `json:"cautious"`
	Why      string `json:"why,omitempty"`
	Input    string `json:"input"` // Question.Digest
}

// A Panel reads a Classifier with a threshold.
type Panel struct {
	Classifier Classifier
	// Threshold is the least probability at which a label stands; 0 is 0.9.
	Threshold float64
	// Timeout bounds one answer; 0 is 10 seconds.
	Timeout time.Duration
}

// Judge asks the question; cautious is the label that stands when in doubt. It
// never fails: doubt is an answer.
func (p Panel) Judge(ctx context.Context, q Question, cautious string) Judgement {
	j := Judgement{Use: q.Use, Label: cautious, Threshold: p.Threshold, Cautious: true, Input: q.Digest()}
	if j.Threshold == 0 {
		j.Threshold = 0.9
	}
	answer, why := p.ask(ctx, q)
	j.Given = answer
	switch {
	case why != "":
		j.Why = why
	case !slices.Contains(q.Labels, answer.Label):
		j.Why = "the answer is none of the labels"
	case math.IsNaN(answer.P) || answer.P < 0 || answer.P > 1:
		j.Given.P, j.Why = 0, "the probability is not between 0 and 1"
	case answer.P < j.Threshold:
		j.Why = "the probability is below the threshold"
	default:
		j.Label, j.Cautious = answer.Label, false
	}
	return j
}

// ask waits no longer than the timeout, also for a classifier that ignores its context.
func (p Panel) ask(ctx context.Context, q Question) (Answer, string) {
	if p.Classifier == nil {
		return Answer{}, "there is no classifier"
	}
	timeout := p.Timeout
	if timeout == 0 {
		timeout = 10 * time.Second
	}
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	type result struct {
		answer Answer
		err    error
	}
	done := make(chan result, 1)
	go func() {
		a, err := p.Classifier.Classify(ctx, q)
		done <- result{a, err}
	}()
	select {
	case r := <-done:
		if r.err != nil {
			return Answer{}, "the classifier failed: " + r.err.Error()
		}
		return r.answer, ""
	case <-ctx.Done():
		return Answer{}, "the classifier did not answer in time"
	}
}

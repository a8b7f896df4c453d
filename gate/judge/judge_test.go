package judge_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/plumbkit/plumb/gate/judge"
)

func always(label string, p float64) judge.Classifier {
	return judge.Func(func(context.Context, judge.Question) (judge.Answer, error) {
		return judge.Answer{Label: label, P: p}, nil
	})
}

var risk = judge.Question{Use: "risk", Labels: []string{"high", "mid", "low"}, Text: "-a\n+b"}

// A classifier that errs, hangs or returns nonsense leads to the cautious side.
func TestDoubtIsCautious(t *testing.T) {
	hang := judge.Func(func(context.Context, judge.Question) (judge.Answer, error) {
		time.Sleep(time.Hour)
		return judge.Answer{}, nil
	})
	for name, c := range map[string]struct {
		classifier judge.Classifier
		why        string
	}{
		"none":           {nil, "no classifier"},
		"unsure":         {always("low", 0.89), "below the threshold"},
		"foreign label":  {always("fine", 0.99), "none of the labels"},
		"no probability": {always("low", math.NaN()), "between 0 and 1"},
		"too much":       {always("low", 1.5), "between 0 and 1"},
		"fails": {judge.Func(func(context.Context, judge.Question) (judge.Answer, error) {
			return judge.Answer{}, errors.New("out of credit")
		}), "out of credit"},
		"hangs": {hang, "in time"},
	} {
		t.Run(name, func(t *testing.T) {
			j := judge.Panel{Classifier: c.classifier, Timeout: 50 * time.Millisecond}.Judge(t.Context(), risk, "high")
			assert.Equal(t, "high", j.Label)
			assert.True(t, j.Cautious)
			assert.Contains(t, j.Why, c.why)
		})
	}
}

func TestAtTheThresholdTheLabelStands(t *testing.T) {
	j := judge.Panel{Classifier: always("low", 0.9)}.Judge(t.Context(), risk, "high")
	assert.Equal(t, "low", j.Label)
	assert.False(t, j.Cautious)
	j = judge.Panel{Classifier: always("low", 0.9), Threshold: 0.95}.Judge(t.Context(), risk, "high")
	assert.Equal(t, "high", j.Label, "one number moves the threshold")
	assert.Equal(t, risk.Digest(), j.Input)
}

func ExamplePanel() {
	sure := judge.Func(func(context.Context, judge.Question) (judge.Answer, error) {
		return judge.Answer{Label: "low", P: 0.97}, nil
	})
	j := judge.Panel{Classifier: sure}.Judge(context.Background(), risk, "high")
	fmt.Println(j.Label, j.Cautious)
	j = judge.Panel{}.Judge(context.Background(), risk, "high")
	fmt.Println(j.Label, j.Why)
	// Output:
	// low false
	// high there is no classifier
}

package jobs

import (
	"context"
	"errors"
	"slices"
	"testing"
	"time"
)

func TestNightlyGoesOnAfterAFailure(t *testing.T) {
	r := NewRegistry()
	var ran []string
	broken := errors.New("broken")
	r.Nightly("clean", func(context.Context) error { ran = append(ran, "clean"); return broken })
	r.Nightly("count", func(context.Context) error { ran = append(ran, "count"); return nil })
	if err := r.RunNightly(context.Background()); !errors.Is(err, broken) {
		t.Errorf("got %v", err)
	}
	if !slices.Equal(ran, []string{"clean", "count"}) {
		t.Errorf("ran %v", ran)
	}
}

func TestRunNeedsTheRightShape(t *testing.T) {
	r := NewRegistry()
	r.Register("greet", func(name string) string { return "hello " + name })
	if err := r.Run(context.Background(), "greet"); !errors.Is(err, ErrShape) {
		t.Errorf("got %v", err)
	}
	if err := r.Run(context.Background(), "leave"); !errors.Is(err, ErrUnknown) {
		t.Errorf("got %v", err)
	}
	if got := r.Names(); !slices.Equal(got, []string{"greet"}) {
		t.Errorf("names %v", got)
	}
}

func TestUntilNight(t *testing.T) {
	at := time.Date(2024, 5, 3, 22, 0, 0, 0, time.UTC)
	if got := UntilNight(at, 3); got != 5*time.Hour {
		t.Errorf("got %s", got)
	}
	if got := UntilNight(at.Add(-20*time.Hour), 3); got != time.Hour {
		t.Errorf("got %s", got)
	}
}

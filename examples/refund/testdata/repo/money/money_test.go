package money

import (
	"errors"
	"math"
	"testing"
)

func TestFormat(t *testing.T) {
	for _, c := range []struct {
		in   Cents
		want string
	}{
		{0, "EUR 0.00"},
		{5, "EUR 0.05"},
		{1250, "EUR 12.50"},
		{123450, "EUR 1,234.50"},
		{-1234567890, "EUR -12,345,678.90"},
	} {
		if got := Format(c.in, "EUR"); got != c.want {
			t.Errorf("Format(%d) = %q, want %q", c.in, got, c.want)
		}
	}
}

func TestPercentRoundsHalfAway(t *testing.T) {
	for _, c := range []struct {
		in   Cents
		p    int
		want Cents
	}{{1000, 19, 190}, {50, 1, 1}, {49, 1, 0}, {-50, 1, -1}} {
		if got := c.in.Percent(c.p); got != c.want {
			t.Errorf("%d percent of %d = %d, want %d", c.p, c.in, got, c.want)
		}
	}
}

func TestSum(t *testing.T) {
	got, err := Sum(100, 250, -50)
	if err != nil || got != 300 {
		t.Fatalf("got %d, %v", got, err)
	}
	if _, err := Sum(math.MaxInt64, 1); !errors.Is(err, ErrOverflow) {
		t.Fatalf("got %v", err)
	}
}

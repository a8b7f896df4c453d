package decimal

import (
	"encoding/json"
	"errors"
	"testing"
)

func TestParseAndString(t *testing.T) {
	for _, s := range []string{"0", "12", "12.50", "-0.375", "1000000.000000001", "-7"} {
		d, err := Parse(s)
		if err != nil {
			t.Errorf("%s: %v", s, err)
		}
		if got := d.String(); got != s {
			t.Errorf("%s came back as %s", s, got)
		}
	}
}

func TestParseRefuses(t *testing.T) {
	for _, s := range []string{"", ".", "1.", ".5", "-.5", "1,5", "1.-5", "12.3456789012", "twelve"} {
		if _, err := Parse(s); !errors.Is(err, ErrSyntax) {
			t.Errorf("%q: got %v", s, err)
		}
	}
}

func TestArithmetic(t *testing.T) {
	a, b := MustParse("1.5"), MustParse("0.375")
	if got := a.Add(b).String(); got != "1.875" {
		t.Errorf("sum %s", got)
	}
	if got := a.Sub(b).String(); got != "1.125" {
		t.Errorf("difference %s", got)
	}
	if got := b.Times(4).Cmp(a); got != 0 {
		t.Errorf("four times %s against %s: %d", b, a, got)
	}
}

func TestMinorKeepsEveryDigit(t *testing.T) {
	for s, want := range map[string]int64{"12.5": 1250, "12": 1200, "-0.010": -1, "3.000": 300} {
		got, err := MustParse(s).Minor(2)
		if err != nil || got != want {
			t.Errorf("%s: got %d, %v", s, got, err)
		}
	}
	if _, err := MustParse("0.375").Minor(2); !errors.Is(err, ErrScale) {
		t.Errorf("got %v", err)
	}
}

func TestJSON(t *testing.T) {
	var d Decimal
	if err := json.Unmarshal([]byte(`"19.90"`), &d); err != nil {
		t.Fatal(err)
	}
	out, err := json.Marshal(d)
	if err != nil || string(out) != `"19.90"` {
		t.Fatalf("got %s, %v", out, err)
	}
}

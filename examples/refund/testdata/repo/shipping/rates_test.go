package shipping

import (
	"errors"
	"testing"
	"time"
)

func TestPrice(t *testing.T) {
	for _, c := range []struct {
		zone  Zone
		grams int
		want  string
	}{
		{Home, 0, "3.95"},
		{Home, 1, "4.45"},
		{Home, 1000, "4.45"},
		{Europe, 2500, "12.70"},
		{World, 1500, "31.750"},
	} {
		got, err := Standard().Price(c.zone, c.grams)
		if err != nil || got.String() != c.want {
			t.Errorf("%s, %d g: got %s, %v", c.zone, c.grams, got, err)
		}
	}
}

func TestPriceRefuses(t *testing.T) {
	if _, err := Standard().Price("moon", 100); !errors.Is(err, ErrZone) {
		t.Errorf("got %v", err)
	}
	if _, err := Standard().Price(Home, 30001); !errors.Is(err, ErrTooHeavy) {
		t.Errorf("got %v", err)
	}
}

func TestArrivalSkipsTheWeekend(t *testing.T) {
	thursday := time.Date(2024, 5, 2, 15, 0, 0, 0, time.UTC)
	got, err := Standard().Arrival(Home, thursday)
	if err != nil || got.Weekday() != time.Monday {
		t.Errorf("got %s, %v", got.Weekday(), err)
	}
}

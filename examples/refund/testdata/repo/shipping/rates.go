// Package shipping works out what a parcel costs and when it arrives.
package shipping

import (
	"errors"
	"fmt"
	"time"

	"example.com/shop/decimal"
)

// Errors of this package.
var (
	ErrTooHeavy = errors.New("parcel is too heavy")
	ErrZone     = errors.New("not delivered there")
)

// Zone is a part of the world with one price.
type Zone string

// The zones.
const (
	Home   Zone = "home"
	Europe Zone = "europe"
	World  Zone = "world"
)

// Tariff is what a carrier asks for.
type Tariff struct {
	Base     map[Zone]decimal.Decimal
	PerKilo  map[Zone]decimal.Decimal
	MaxGrams int
	Days     map[Zone]int // working days
}

// Standard is the tariff of the shop's carrier.
func Standard() Tariff {
	return Tariff{
		Base:     map[Zone]decimal.Decimal{Home: decimal.MustParse("3.95"), Europe: decimal.MustParse("8.95"), World: decimal.MustParse("19.50")},
		PerKilo:  map[Zone]decimal.Decimal{Home: decimal.MustParse("0.50"), Europe: decimal.MustParse("1.25"), World: decimal.MustParse("6.125")},
		MaxGrams: 30000,
		Days:     map[Zone]int{Home: 2, Europe: 5, World: 15},
	}
}

// Price returns the price of a parcel. Each kilogram that is begun is paid.
func (t Tariff) Price(z Zone, grams int) (decimal.Decimal, error) {
	base, ok := t.Base[z]
	if !ok {
		return decimal.Decimal{}, fmt.Errorf("zone %q: %w", z, ErrZone)
	}
	if grams > t.MaxGrams {
		return decimal.Decimal{}, fmt.Errorf("%d g of %d g: %w", grams, t.MaxGrams, ErrTooHeavy)
	}
	kilos := (grams + 999) / 1000
	return base.Add(t.PerKilo[z].Times(kilos)), nil
}

// Arrival returns the day on which a parcel arrives. Nothing is delivered at the
// weekend.
func (t Tariff) Arrival(z Zone, handedOver time.Time) (time.Time, error) {
	days, ok := t.Days[z]
	if !ok {
		return time.Time{}, fmt.Errorf("zone %q: %w", z, ErrZone)
	}
	day := handedOver
	for days > 0 {
		day = day.AddDate(0, 0, 1)
		if wd := day.Weekday(); wd != time.Saturday && wd != time.Sunday {
			days--
		}
	}
	return day, nil
}

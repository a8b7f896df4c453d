// Package decimal holds exact decimal numbers, for prices that have more digits
// than a coin.
package decimal

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// maxScale is the largest number of digits after the point.
const maxScale = 9

// Errors of this package.
var (
	ErrSyntax = errors.New("not a decimal number")
	ErrScale  = errors.New("digits would be lost")
)

// Decimal is units / 10^scale. The zero value is 0.
type Decimal struct {
	units int64
	scale int
}

// New returns units / 10^scale.
func New(units int64, scale int) Decimal {
	return Decimal{units: units, scale: scale}
}

// Parse reads a number such as "12.50" or "-0.375".
func Parse(s string) (Decimal, error) {
	whole, fraction, point := strings.Cut(s, ".")
	if point && fraction == "" || len(fraction) > maxScale || strings.ContainsAny(fraction, "+-") {
		return Decimal{}, fmt.Errorf("%q: %w", s, ErrSyntax)
	}
	units, err := strconv.ParseInt(whole+fraction, 10, 64)
	if err != nil || whole == "" || whole == "-" || whole == "+" {
		return Decimal{}, fmt.Errorf("%q: %w", s, ErrSyntax)
	}
	return Decimal{units: units, scale: len(fraction)}, nil
}

// MustParse is Parse for constants; it panics.
func MustParse(s string) Decimal {
	d, err := Parse(s)
	if err != nil {
		panic(err)
	}
	return d
}

// String writes the number with all of its digits.
func (d Decimal) String() string {
	if d.scale == 0 {
		return strconv.FormatInt(d.units, 10)
	}
	sign, units := "", d.units
	if units < 0 {
		sign, units = "-", -units
	}
	digits := fmt.Sprintf("%0*d", d.scale+1, units)
	cut := len(digits) - d.scale
	return sign + digits[:cut] + "." + digits[cut:]
}

// Add returns d+e.
func (d Decimal) Add(e Decimal) Decimal {
	d, e = align(d, e)
	return Decimal{units: d.units + e.units, scale: d.scale}
}

// Sub returns d-e.
func (d Decimal) Sub(e Decimal) Decimal {
	e.units = -e.units
	return d.Add(e)
}

// Times returns n times d.
func (d Decimal) Times(n int) Decimal {
	return Decimal{units: d.units * int64(n), scale: d.scale}
}

// Cmp returns -1, 0 or 1 as d is less than, equal to or greater than e.
func (d Decimal) Cmp(e Decimal) int {
	d, e = align(d, e)
	switch {
	case d.units < e.units:
		return -1
	case d.units > e.units:
		return 1
	}
	return 0
}

// Minor returns the number in units of 10^-places: cents for two. It fails with
// ErrScale rather than round.
func (d Decimal) Minor(places int) (int64, error) {
	for d.scale < places {
		d.units, d.scale = d.units*10, d.scale+1
	}
	for d.scale > places {
		if d.units%10 != 0 {
			return 0, fmt.Errorf("%s in %d digits: %w", d, places, ErrScale)
		}
		d.units, d.scale = d.units/10, d.scale-1
	}
	return d.units, nil
}

func align(d, e Decimal) (Decimal, Decimal) {
	for d.scale < e.scale {
		d.units, d.scale = d.units*10, d.scale+1
	}
	for e.scale < d.scale {
		e.units, e.scale = e.units*10, e.scale+1
	}
	return d, e
}

// MarshalText writes the number for JSON, as a string.
func (d Decimal) MarshalText() ([]byte, error) {
	return []byte(d.String()), nil
}

// UnmarshalText reads what MarshalText wrote.
func (d *Decimal) UnmarshalText(text []byte) error {
	var err error
	*d, err = Parse(string(text))
	return err
}

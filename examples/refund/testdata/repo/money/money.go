// Package money holds amounts as whole cents, the way payment providers want
// them.
package money

import (
	"errors"
	"fmt"
	"math"
	"strconv"
)

// Cents is an amount in the smallest unit of the shop's currency.
type Cents int64

// ErrOverflow is returned when a sum does not fit.
var ErrOverflow = errors.New("amount out of range")

// Add returns a+b.
func (a Cents) Add(b Cents) (Cents, error) {
	if b > 0 && a > math.MaxInt64-b || b < 0 && a < math.MinInt64-b {
		return 0, ErrOverflow
	}
	return a + b, nil
}

// Percent returns p percent of a, rounded half away from zero.
func (a Cents) Percent(p int) Cents {
	n := int64(a) * int64(p)
	if n < 0 {
		return Cents((n - 50) / 100)
	}
	return Cents((n + 50) / 100)
}

// Sum adds up amounts.
func Sum(amounts ...Cents) (Cents, error) {
	var total Cents
	for _, a := range amounts {
		var err error
		if total, err = total.Add(a); err != nil {
			return 0, err
		}
	}
	return total, nil
}

// Format writes an amount with its currency and grouped thousands,
// "EUR 1,234.50".
func Format(a Cents, currency string) string {
	sign := ""
	if a < 0 {
		sign, a = "-", -a
	}
	return fmt.Sprintf("%s %s%s.%02d", currency, sign, group(int64(a)/100), int64(a)%100)
}

func group(n int64) string {
	digits := strconv.FormatInt(n, 10)
	for i := len(digits) - 3; i > 0; i -= 3 {
		digits = digits[:i] + "," + digits[i:]
	}
	return digits
}

package refund

import (
	"fmt"
	"strings"
	"time"

	"example.com/shop/money"
)

// Slip writes the text that goes to the customer.
func Slip(res Result, currency string, zone *time.Location) string {
	var b strings.Builder
	fmt.Fprintf(&b, "Refund for order %s\n", res.OrderID)
	fmt.Fprintf(&b, "Amount: %s\n", money.Format(res.Amount, currency))
	fmt.Fprintf(&b, "Date: %s\n", res.At.In(zone).Format("2006-01-02 15:04"))
	fmt.Fprintf(&b, "Reference: %s\n", res.Reference)
	return b.String()
}

// Package order holds what customers ordered and how far it has come.
package order

import (
	"time"

	"example.com/shop/decimal"
)

// Order is what one customer ordered at one time.
type Order struct {
	ID        string    `json:"id"`
	Customer  string    `json:"customer"`
	Lines     []Line    `json:"lines"`
	Status    Status    `json:"status"`
	PaymentID string    `json:"payment_id,omitempty"`
	Placed    time.Time `json:"placed"`
	Notes     []string  `json:"notes,omitempty"`
}

// Line is one product of an order.
type Line struct {
	SKU      string          `json:"sku"`
	Title    string          `json:"title"`
	Quantity int             `json:"quantity"`
	Price    decimal.Decimal `json:"price"` // of one piece
}

// Total returns the price of all pieces of the line.
func (l Line) Total() decimal.Decimal {
	return l.Price.Times(l.Quantity)
}

// Total returns the price of the order, with every digit of its lines.
func (o Order) Total() decimal.Decimal {
	var sum decimal.Decimal
	for _, l := range o.Lines {
		sum = sum.Add(l.Total())
	}
	return sum
}

// Pieces returns the number of things in the order.
func (o Order) Pieces() int {
	n := 0
	for _, l := range o.Lines {
		n += l.Quantity
	}
	return n
}

// Clone returns a copy that shares nothing with o.
func (o Order) Clone() Order {
	o.Lines = append([]Line(nil), o.Lines...)
	o.Notes = append([]string(nil), o.Notes...)
	return o
}

package order

import (
	"errors"
	"fmt"
	"slices"
)

//go:generate go run ../tools/enumgen -type Status -out status_string.go

// Status says how far an order has come. It is stored as a number: new ones go
// to the end.
type Status int

// The states of an order.
const (
	// Pending is placed, but not paid.
	Pending Status = iota
	// Paid is paid, and nothing else.
	Paid
	// Packed is in a parcel that is still here.
	Packed
	// Shipped is with the carrier.
	Shipped
	// Delivered is with the customer.
	Delivered
	// Cancelled will not be shipped.
	Cancelled
	// Refunded has had everything given back.
	Refunded
)

// ErrTransition is returned for a step that the order cannot take.
var ErrTransition = errors.New("order cannot take this step")

// transitions lists the states that can follow each state.
var transitions = map[Status][]Status{
	Pending:   {Paid, Cancelled},
	Paid:      {Packed, Cancelled, Refunded},
	Packed:    {Paid, Shipped, Cancelled, Refunded},
	Shipped:   {Delivered},
	Delivered: {Refunded},
	Cancelled: {Refunded},
}

// CanBecome reports whether next can follow s.
func (s Status) CanBecome(next Status) bool {
	return slices.Contains(transitions[s], next)
}

// Final reports whether nothing can follow s.
func (s Status) Final() bool {
	return len(transitions[s]) == 0
}

// Advance takes the order to its next state.
func (o *Order) Advance(next Status) error {
	if !o.Status.CanBecome(next) {
		return fmt.Errorf("order %s from %s to %s: %w", o.ID, o.Status, next, ErrTransition)
	}
	o.Status = next
	return nil
}

// MarshalText writes the name of the state.
func (s Status) MarshalText() ([]byte, error) {
	return []byte(s.String()), nil
}

// UnmarshalText reads what MarshalText wrote.
func (s *Status) UnmarshalText(text []byte) error {
	var err error
	*s, err = ParseStatus(string(text))
	return err
}

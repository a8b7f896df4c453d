// Package payment takes money from customers and gives it back.
package payment

import (
	"context"
	"errors"

	"example.com/shop/money"
)

// Gateway is a way to pay. Every call that moves money carries a key; a call
// that is repeated with its key moves nothing and returns the first receipt.
type Gateway interface {
	// Charge takes amount from payer, a card token or the name of a wallet.
	Charge(ctx context.Context, payer string, amount money.Cents, key string) (Receipt, error)

	// Refund gives back everything of a payment that is still there.
	Refund(ctx context.Context, paymentID, key string) (Receipt, error)

	// Payment tells what is known about a payment.
	Payment(ctx context.Context, paymentID string) (Payment, error)
}

// Receipt is the provider's answer to a call that moved money.
type Receipt struct {
	ID        string
	PaymentID string
	Amount    money.Cents
	Repeated  bool // the key was known; nothing moved
}

// Payment is the state of one payment at its provider.
type Payment struct {
	ID       string
	Payer    string
	Captured money.Cents // taken from the payer
	Refunded money.Cents // given back so far
}

// Left returns what has not been given back.
func (p Payment) Left() money.Cents {
	return p.Captured - p.Refunded
}

// Errors of every gateway.
var (
	ErrAmount         = errors.New("amount not possible")
	ErrDeclined       = errors.New("payment declined")
	ErrKeyReused      = errors.New("key was used for another request")
	ErrNothingLeft    = errors.New("nothing left to refund")
	ErrUnknownPayment = errors.New("no such payment")
)

// request is what a key stands for.
type request struct {
	operation string
	subject   string // payer or payment
	amount    money.Cents
}

// answers keeps the receipt of every request by its key.
type answers map[string]answer

type answer struct {
	request request
	receipt Receipt
}

// find returns the receipt that an earlier request with this key got.
func (a answers) find(key string, r request) (Receipt, bool, error) {
	known, ok := a[key]
	if !ok {
		return Receipt{}, false, nil
	}
	if known.request != r {
		return Receipt{}, false, ErrKeyReused
	}
	receipt := known.receipt
	receipt.Repeated = true
	return receipt, true, nil
}

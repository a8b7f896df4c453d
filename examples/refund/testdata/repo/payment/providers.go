package payment

import (
	"context"
	"fmt"
	"strings"
	"sync"

	"example.com/shop/money"
)

// Card takes payments by card. What the card network keeps for a payment is not
// paid back to the shop when the payment is refunded.
type Card struct {
	mu       sync.Mutex
	payments map[string]*Payment
	answers  answers
	fees     money.Cents
	percent  int
}

// NewCard returns a gateway whose network keeps percent of each payment.
func NewCard(percent int) *Card {
	return &Card{payments: make(map[string]*Payment), answers: make(answers), percent: percent}
}

// Charge implements Gateway. Tokens that begin with "bad" are declined.
func (c *Card) Charge(ctx context.Context, payer string, amount money.Cents, key string) (Receipt, error) {
	if err := ctx.Err(); err != nil {
		return Receipt{}, err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	req := request{operation: "charge", subject: payer, amount: amount}
	if receipt, ok, err := c.answers.find(key, req); ok || err != nil {
		return receipt, err
	}
	if amount <= 0 {
		return Receipt{}, fmt.Errorf("charge of %d: %w", amount, ErrAmount)
	}
	if strings.HasPrefix(payer, "bad") {
		return Receipt{}, fmt.Errorf("card %s: %w", payer, ErrDeclined)
	}
	p := &Payment{ID: fmt.Sprintf("card-%d", len(c.payments)+1), Payer: payer, Captured: amount}
	c.payments[p.ID] = p
	c.fees += amount.Percent(c.percent)
	receipt := Receipt{ID: p.ID + "/c", PaymentID: p.ID, Amount: amount}
	c.answers[key] = answer{request: req, receipt: receipt}
	return receipt, nil
}

// Refund implements Gateway.
func (c *Card) Refund(ctx context.Context, paymentID, key string) (Receipt, error) {
	if err := ctx.Err(); err != nil {
		return Receipt{}, err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	req := request{operation: "refund", subject: paymentID}
	if receipt, ok, err := c.answers.find(key, req); ok || err != nil {
		return receipt, err
	}
	p, ok := c.payments[paymentID]
	if !ok {
		return Receipt{}, fmt.Errorf("card payment %q: %w", paymentID, ErrUnknownPayment)
	}
	if p.Left() == 0 {
		return Receipt{}, fmt.Errorf("card payment %s: %w", p.ID, ErrNothingLeft)
	}
	amount := p.Left()
	p.Refunded += amount
	receipt := Receipt{ID: fmt.Sprintf("%s/r%d", p.ID, len(c.answers)), PaymentID: p.ID, Amount: amount}
	c.answers[key] = answer{request: req, receipt: receipt}
	return receipt, nil
}

// Payment implements Gateway.
func (c *Card) Payment(ctx context.Context, paymentID string) (Payment, error) {
	if err := ctx.Err(); err != nil {
		return Payment{}, err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	p, ok := c.payments[paymentID]
	if !ok {
		return Payment{}, fmt.Errorf("card payment %q: %w", paymentID, ErrUnknownPayment)
	}
	return *p, nil
}

// Fees returns what the network has kept so far.
func (c *Card) Fees() money.Cents {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.fees
}

// Wallet takes payments from balances that customers keep with the shop.
type Wallet struct {
	mu       sync.Mutex
	balances map[string]money.Cents
	payments map[string]*Payment
	answers  answers
}

// NewWallet returns a gateway without balances.
func NewWallet() *Wallet {
	return &Wallet{
		balances: make(map[string]money.Cents),
		payments: make(map[string]*Payment),
		answers:  make(answers),
	}
}

// TopUp adds to a balance.
func (w *Wallet) TopUp(payer string, amount money.Cents) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.balances[payer] += amount
}

// Balance returns what a customer has.
func (w *Wallet) Balance(payer string) money.Cents {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.balances[payer]
}

// Charge implements Gateway. A balance cannot become negative.
func (w *Wallet) Charge(ctx context.Context, payer string, amount money.Cents, key string) (Receipt, error) {
	if err := ctx.Err(); err != nil {
		return Receipt{}, err
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	req := request{operation: "charge", subject: payer, amount: amount}
	if receipt, ok, err := w.answers.find(key, req); ok || err != nil {
		return receipt, err
	}
	if amount <= 0 {
		return Receipt{}, fmt.Errorf("charge of %d: %w", amount, ErrAmount)
	}
	if w.balances[payer] < amount {
		return Receipt{}, fmt.Errorf("wallet %s: %w", payer, ErrDeclined)
	}
	w.balances[payer] -= amount
	p := &Payment{ID: fmt.Sprintf("wallet-%d", len(w.payments)+1), Payer: payer, Captured: amount}
	w.payments[p.ID] = p
	receipt := Receipt{ID: p.ID + "/c", PaymentID: p.ID, Amount: amount}
	w.answers[key] = answer{request: req, receipt: receipt}
	return receipt, nil
}

// Refund implements Gateway. The money goes back to the balance.
func (w *Wallet) Refund(ctx context.Context, paymentID, key string) (Receipt, error) {
	if err := ctx.Err(); err != nil {
		return Receipt{}, err
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	req := request{operation: "refund", subject: paymentID}
	if receipt, ok, err := w.answers.find(key, req); ok || err != nil {
		return receipt, err
	}
	p, ok := w.payments[paymentID]
	if !ok {
		return Receipt{}, fmt.Errorf("wallet payment %q: %w", paymentID, ErrUnknownPayment)
	}
	if p.Left() == 0 {
		return Receipt{}, fmt.Errorf("wallet payment %s: %w", p.ID, ErrNothingLeft)
	}
	amount := p.Left()
	p.Refunded += amount
	w.balances[p.Payer] += amount
	receipt := Receipt{ID: fmt.Sprintf("%s/r%d", p.ID, len(w.answers)), PaymentID: p.ID, Amount: amount}
	w.answers[key] = answer{request: req, receipt: receipt}
	return receipt, nil
}

// Payment implements Gateway.
func (w *Wallet) Payment(ctx context.Context, paymentID string) (Payment, error) {
	if err := ctx.Err(); err != nil {
		return Payment{}, err
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	p, ok := w.payments[paymentID]
	if !ok {
		return Payment{}, fmt.Errorf("wallet payment %q: %w", paymentID, ErrUnknownPayment)
	}
	return *p, nil
}

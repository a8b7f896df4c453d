// Package refund gives back what was paid for an order.
package refund

import (
	"context"
	"errors"
	"fmt"
	"time"

	"example.com/shop/audit"
	"example.com/shop/money"
	"example.com/shop/order"
	"example.com/shop/payment"
	"example.com/shop/permission"
)

// Errors of the service, besides those of the gateway, the store and the
// permissions.
var (
	ErrNoKey   = errors.New("refund needs a key")
	ErrNotPaid = errors.New("order is not paid")
	ErrTooLate = errors.New("order is too old to be refunded")
)

// Service refunds orders. It may be used by several goroutines.
type Service struct {
	orders  *order.Store
	gateway payment.Gateway
	log     *audit.Log
	window  time.Duration
	now     func() time.Time
}

// Result tells what a refund did.
type Result struct {
	OrderID   string
	Amount    money.Cents
	Reference string // the provider's
	Repeated  bool   // the key was known; nothing was done
	At        time.Time
}

// NewService returns a service that refunds through gateway. Orders older than
// window are refused; a window of 0 refuses none.
func NewService(orders *order.Store, gateway payment.Gateway, log *audit.Log, window time.Duration, now func() time.Time) *Service {
	return &Service{orders: orders, gateway: gateway, log: log, window: window, now: now}
}

// Refund gives back everything that was paid for an order. A call that is
// repeated with its key refunds once and returns the first result.
func (s *Service) Refund(ctx context.Context, by permission.Actor, orderID, key string) (Result, error) {
	if key == "" {
		return Result{}, ErrNoKey
	}
	if !by.May(permission.RefundOrder) {
		return Result{}, fmt.Errorf("refund of %s by %s: %w", orderID, by.ID, permission.ErrDenied)
	}
	o, paid, err := s.paid(ctx, orderID)
	if err != nil {
		return Result{}, err
	}
	receipt, err := s.gateway.Refund(ctx, paid.ID, key)
	if err != nil {
		return Result{}, fmt.Errorf("refund of %s: %w", o.ID, err)
	}
	res := s.result(o, receipt)
	if res.Repeated {
		return res, nil
	}
	o.Status = order.Refunded
	if err := s.orders.Save(ctx, o); err != nil {
		return res, fmt.Errorf("refund of %s went through, the order did not: %w", o.ID, err)
	}
	return res, s.log.OrderRefunded(ctx, by.ID, o.ID, paid.Captured, receipt.ID)
}

// Preview tells what Refund would give back, and does nothing.
func (s *Service) Preview(ctx context.Context, by permission.Actor, orderID, key string) (Result, error) {
	if !by.May(permission.ViewOrders) {
		return Result{}, fmt.Errorf("preview of %s by %s: %w", orderID, by.ID, permission.ErrDenied)
	}
	o, paid, err := s.paid(ctx, orderID)
	if err != nil {
		return Result{}, err
	}
	return s.result(o, payment.Receipt{ID: "preview/" + key, PaymentID: paid.ID, Amount: paid.Left()}), nil
}

// paid returns an order together with its payment.
func (s *Service) paid(ctx context.Context, orderID string) (order.Order, payment.Payment, error) {
	o, err := s.orders.Get(ctx, orderID)
	if err != nil {
		return order.Order{}, payment.Payment{}, err
	}
	if o.PaymentID == "" {
		return order.Order{}, payment.Payment{}, fmt.Errorf("order %s: %w", o.ID, ErrNotPaid)
	}
	if s.window > 0 && s.now().Sub(o.Placed) > s.window {
		return order.Order{}, payment.Payment{}, fmt.Errorf("order %s: %w", o.ID, ErrTooLate)
	}
	p, err := s.gateway.Payment(ctx, o.PaymentID)
	if err != nil {
		return order.Order{}, payment.Payment{}, fmt.Errorf("order %s: %w", o.ID, err)
	}
	return o, p, nil
}

func (s *Service) result(o order.Order, r payment.Receipt) Result {
	return Result{OrderID: o.ID, Amount: r.Amount, Reference: r.ID, Repeated: r.Repeated, At: s.now()}
}

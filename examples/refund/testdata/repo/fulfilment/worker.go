// Package fulfilment packs orders, hands them to the carrier and cancels them.
package fulfilment

import (
	"context"
	"fmt"

	"example.com/shop/audit"
	"example.com/shop/order"
	"example.com/shop/permission"
)

// Carrier takes parcels.
type Carrier interface {
	Name() string
	Collect(ctx context.Context, parcelID string) error
}

// Worker moves orders from one state to the next.
type Worker struct {
	orders  *order.Store
	carrier Carrier
	log     *audit.Log
}

// NewWorker returns a worker that gives its parcels to carrier.
func NewWorker(orders *order.Store, carrier Carrier, log *audit.Log) *Worker {
	return &Worker{orders: orders, carrier: carrier, log: log}
}

// Pack packs every order that can be packed.
func (w *Worker) Pack(ctx context.Context) error {
	ready, err := w.orders.List(ctx, func(o order.Order) bool { return o.Status.CanBecome(order.Packed) })
	if err != nil {
		return err
	}
	for _, o := range ready {
		if err := w.step(ctx, o, order.Packed); err != nil {
			return err
		}
		if err := w.log.ParcelPacked(ctx, permission.System().ID, parcel(o)); err != nil {
			return err
		}
	}
	return nil
}

// Ship hands every packed order to the carrier.
func (w *Worker) Ship(ctx context.Context) error {
	packed, err := w.orders.List(ctx, func(o order.Order) bool { return o.Status == order.Packed })
	if err != nil {
		return err
	}
	for _, o := range packed {
		if err := w.carrier.Collect(ctx, parcel(o)); err != nil {
			return fmt.Errorf("parcel of %s: %w", o.ID, err)
		}
		if err := w.step(ctx, o, order.Shipped); err != nil {
			return err
		}
		if err := w.log.ParcelHandedOver(ctx, permission.System().ID, parcel(o), w.carrier.Name()); err != nil {
			return err
		}
	}
	return nil
}

// Cancel cancels an order that is still here.
func (w *Worker) Cancel(ctx context.Context, by permission.Actor, orderID, reason string) error {
	if !by.May(permission.CancelOrder) {
		return fmt.Errorf("cancel %s by %s: %w", orderID, by.ID, permission.ErrDenied)
	}
	o, err := w.orders.Get(ctx, orderID)
	if err != nil {
		return err
	}
	if err := w.step(ctx, o, order.Cancelled); err != nil {
		return err
	}
	return w.log.OrderCancelled(ctx, by.ID, orderID, reason)
}

func (w *Worker) step(ctx context.Context, o order.Order, next order.Status) error {
	if err := o.Advance(next); err != nil {
		return err
	}
	return w.orders.Save(ctx, o)
}

func parcel(o order.Order) string {
	return "parcel-" + o.ID
}

// Package returns deals with parcels that come back.
package returns

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"example.com/shop/audit"
	"example.com/shop/permission"
	"example.com/shop/refund"
)

// ErrIncomplete is returned for a parcel in which something is missing.
var ErrIncomplete = errors.New("parcel is not complete")

// Condition says how a parcel came back.
type Condition string

// The conditions of a parcel.
const (
	Complete Condition = "complete"
	Damaged  Condition = "damaged"
	Partly   Condition = "partly"
)

// Desk takes parcels back and has their orders refunded.
type Desk struct {
	refunds *refund.Service
	log     *audit.Log
	zone    *time.Location

	mu      sync.Mutex
	parcels map[string]Condition // by order
}

// NewDesk returns a desk that writes times in the given zone.
func NewDesk(refunds *refund.Service, log *audit.Log, zone *time.Location) *Desk {
	return &Desk{refunds: refunds, log: log, zone: zone, parcels: make(map[string]Condition)}
}

// Accept notes that the parcel of an order came back.
func (d *Desk) Accept(ctx context.Context, by permission.Actor, orderID string, c Condition) error {
	if !by.May(permission.AcceptReturn) {
		return fmt.Errorf("return of %s by %s: %w", orderID, by.ID, permission.ErrDenied)
	}
	if err := d.log.ParcelReturned(ctx, by.ID, "parcel-"+orderID, string(c)); err != nil {
		return err
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	d.parcels[orderID] = c
	return nil
}

// Refund refunds the order of a complete parcel in the name of the shop; whoever
// works at the desk needs no right to refund.
func (d *Desk) Refund(ctx context.Context, by permission.Actor, orderID, key string) (refund.Result, error) {
	if !by.May(permission.AcceptReturn) {
		return refund.Result{}, fmt.Errorf("return of %s by %s: %w", orderID, by.ID, permission.ErrDenied)
	}
	d.mu.Lock()
	c, ok := d.parcels[orderID]
	d.mu.Unlock()
	if !ok || c == Partly {
		return refund.Result{}, fmt.Errorf("order %s: %w", orderID, ErrIncomplete)
	}
	return d.refunds.Refund(ctx, permission.System(), orderID, key)
}

// Label writes the line that is stuck on the parcel's shelf.
func (d *Desk) Label(res refund.Result) string {
	return fmt.Sprintf("%s refunded %s", res.OrderID, res.At.Format("02.01. 15:04"))
}

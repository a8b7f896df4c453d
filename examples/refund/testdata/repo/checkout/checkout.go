// Package checkout turns a cart into a paid order.
package checkout

import (
	"context"
	"errors"
	"fmt"
	"time"

	"example.com/shop/audit"
	"example.com/shop/catalog"
	"example.com/shop/decimal"
	"example.com/shop/money"
	"example.com/shop/order"
	"example.com/shop/payment"
	"example.com/shop/permission"
	"example.com/shop/refund"
)

// ErrEmpty is returned for a cart without lines.
var ErrEmpty = errors.New("cart is empty")

// Cart is what a customer wants to buy.
type Cart struct {
	Customer string
	Payer    string // card token or name of a wallet
	Items    []Item
}

// Item is one product in a cart.
type Item struct {
	SKU      string
	Quantity int
}

// Stock sets goods aside.
type Stock interface {
	Reserve(ctx context.Context, sku string, quantity int) error
}

// Checkout places orders.
type Checkout struct {
	Catalog *catalog.Catalog
	Orders  *order.Store
	Gateway payment.Gateway
	Refunds *refund.Service
	Stock   Stock
	Log     *audit.Log
	Now     func() time.Time
}

// Place charges the cart and stores its order under id. When the goods cannot
// be reserved the customer gets everything back.
func (c *Checkout) Place(ctx context.Context, id string, cart Cart) (order.Order, error) {
	o, err := c.order(id, cart)
	if err != nil {
		return order.Order{}, err
	}
	total := o.Total()
	due, err := cents(total)
	if err != nil {
		return order.Order{}, fmt.Errorf("total of %s: %w", id, err)
	}
	receipt, err := c.Gateway.Charge(ctx, cart.Payer, due, "place/"+id)
	if err != nil {
		return order.Order{}, err
	}
	o.PaymentID, o.Status = receipt.PaymentID, order.Paid
	if err := c.Orders.Add(ctx, o); err != nil {
		return order.Order{}, err
	}
	if err := c.Log.OrderPlaced(ctx, cart.Customer, o.ID, total); err != nil {
		return o, err
	}
	if err := c.reserve(ctx, o); err != nil {
		return order.Order{}, c.giveBack(ctx, o, err)
	}
	return o, nil
}

func (c *Checkout) order(id string, cart Cart) (order.Order, error) {
	if len(cart.Items) == 0 {
		return order.Order{}, ErrEmpty
	}
	o := order.Order{ID: id, Customer: cart.Customer, Placed: c.Now()}
	for _, item := range cart.Items {
		p, err := c.Catalog.Product(item.SKU)
		if err != nil {
			return order.Order{}, err
		}
		o.Lines = append(o.Lines, order.Line{SKU: p.SKU, Title: p.Title, Quantity: item.Quantity, Price: p.Price})
	}
	return o, nil
}

func (c *Checkout) reserve(ctx context.Context, o order.Order) error {
	for _, l := range o.Lines {
		if err := c.Stock.Reserve(ctx, l.SKU, l.Quantity); err != nil {
			return fmt.Errorf("reserve %d of %s: %w", l.Quantity, l.SKU, err)
		}
	}
	return nil
}

// giveBack refunds an order that cannot be delivered.
func (c *Checkout) giveBack(ctx context.Context, o order.Order, cause error) error {
	if _, err := c.Refunds.Refund(ctx, permission.System(), o.ID, "give-back/"+o.ID); err != nil {
		return errors.Join(cause, err)
	}
	return cause
}

// cents turns a total into what the gateway takes.
func cents(d decimal.Decimal) (money.Cents, error) {
	n, err := d.Minor(2)
	return money.Cents(n), err
}

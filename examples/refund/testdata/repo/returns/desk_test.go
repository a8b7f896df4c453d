package returns

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"example.com/shop/audit"
	"example.com/shop/order"
	"example.com/shop/payment"
	"example.com/shop/permission"
	"example.com/shop/refund"
)

var clerk = permission.Actor{ID: "wanda", Roles: []permission.Role{permission.Warehouse}}

func now() time.Time {
	return time.Date(2024, 5, 3, 22, 30, 0, 0, time.UTC)
}

func newDesk(t *testing.T) (*Desk, *order.Store) {
	t.Helper()
	ctx := context.Background()
	gateway := payment.NewCard(0)
	receipt, err := gateway.Charge(ctx, "tok", 1990, "k-charge")
	if err != nil {
		t.Fatal(err)
	}
	orders := order.NewStore()
	o := order.Order{ID: "o-7", Status: order.Delivered, PaymentID: receipt.PaymentID, Placed: now()}
	if err := orders.Add(ctx, o); err != nil {
		t.Fatal(err)
	}
	log := audit.New(&strings.Builder{}, now)
	service := refund.NewService(orders, gateway, log, 0, now)
	return NewDesk(service, log, time.FixedZone("CEST", 2*3600)), orders
}

func TestCompleteParcelIsRefunded(t *testing.T) {
	ctx := context.Background()
	desk, orders := newDesk(t)
	if err := desk.Accept(ctx, clerk, "o-7", Complete); err != nil {
		t.Fatal(err)
	}
	res, err := desk.Refund(ctx, clerk, "o-7", "k-1")
	if err != nil || res.Amount != 1990 {
		t.Fatalf("got %+v, %v", res, err)
	}
	o, err := orders.Get(ctx, "o-7")
	if err != nil || o.Status != order.Refunded {
		t.Errorf("status %s, %v", o.Status, err)
	}
}

func TestIncompleteParcelIsNot(t *testing.T) {
	ctx := context.Background()
	desk, _ := newDesk(t)
	if _, err := desk.Refund(ctx, clerk, "o-7", "k-1"); !errors.Is(err, ErrIncomplete) {
		t.Errorf("before it came back: %v", err)
	}
	if err := desk.Accept(ctx, clerk, "o-7", Partly); err != nil {
		t.Fatal(err)
	}
	if _, err := desk.Refund(ctx, clerk, "o-7", "k-1"); !errors.Is(err, ErrIncomplete) {
		t.Errorf("partly: %v", err)
	}
}

func TestOnlyTheWarehouseAccepts(t *testing.T) {
	desk, _ := newDesk(t)
	editor := permission.Actor{ID: "emil", Roles: []permission.Role{permission.Editor}}
	if err := desk.Accept(context.Background(), editor, "o-7", Complete); !errors.Is(err, permission.ErrDenied) {
		t.Errorf("got %v", err)
	}
}

func TestLabelShowsTheTimeOfTheDesk(t *testing.T) {
	ctx := context.Background()
	desk, _ := newDesk(t)
	if err := desk.Accept(ctx, clerk, "o-7", Complete); err != nil {
		t.Fatal(err)
	}
	res, err := desk.Refund(ctx, clerk, "o-7", "k-1")
	if err != nil {
		t.Fatal(err)
	}
	if got, want := desk.Label(res), "o-7 refunded 04.05. 00:30"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

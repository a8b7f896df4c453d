package refund

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"example.com/shop/audit"
	"example.com/shop/decimal"
	"example.com/shop/money"
	"example.com/shop/order"
	"example.com/shop/payment"
	"example.com/shop/permission"
)

var (
	finance = permission.Actor{ID: "frida", Roles: []permission.Role{permission.Finance}}
	support = permission.Actor{ID: "sami", Roles: []permission.Role{permission.Support}}
	packer  = permission.Actor{ID: "wanda", Roles: []permission.Role{permission.Warehouse}}
)

func noon() time.Time {
	return time.Date(2024, 5, 3, 10, 0, 0, 0, time.UTC)
}

// shop is a service with one paid order, o-1, of 40.00.
type shop struct {
	*Service
	orders  *order.Store
	gateway payment.Gateway
	log     *audit.Log
}

func newShop(t *testing.T, gateway payment.Gateway) shop {
	t.Helper()
	ctx := context.Background()
	receipt, err := gateway.Charge(ctx, "maria", 4000, "charge-o-1")
	if err != nil {
		t.Fatal(err)
	}
	orders := order.NewStore()
	err = orders.Add(ctx, order.Order{
		ID:        "o-1",
		Customer:  "maria",
		Status:    order.Paid,
		PaymentID: receipt.PaymentID,
		Placed:    noon().Add(-48 * time.Hour),
		Lines:     []order.Line{{SKU: "lamp", Quantity: 2, Price: decimal.MustParse("20.00")}},
	})
	if err != nil {
		t.Fatal(err)
	}
	log := audit.New(&strings.Builder{}, noon)
	return shop{NewService(orders, gateway, log, 30*24*time.Hour, noon), orders, gateway, log}
}

// eachGateway runs a test by card and by wallet.
func eachGateway(t *testing.T, test func(t *testing.T, s shop)) {
	t.Run("card", func(t *testing.T) { test(t, newShop(t, payment.NewCard(2))) })
	t.Run("wallet", func(t *testing.T) {
		w := payment.NewWallet()
		w.TopUp("maria", 5000)
		test(t, newShop(t, w))
	})
}

func (s shop) refunded(t *testing.T) money.Cents {
	t.Helper()
	o, err := s.orders.Get(context.Background(), "o-1")
	if err != nil {
		t.Fatal(err)
	}
	p, err := s.gateway.Payment(context.Background(), o.PaymentID)
	if err != nil {
		t.Fatal(err)
	}
	return p.Refunded
}

func TestRefundInFull(t *testing.T) {
	eachGateway(t, func(t *testing.T, s shop) {
		res, err := s.Refund(context.Background(), finance, "o-1", "k-1")
		if err != nil || res.Amount != 4000 || res.Repeated {
			t.Fatalf("got %+v, %v", res, err)
		}
		o, err := s.orders.Get(context.Background(), "o-1")
		if err != nil || o.Status != order.Refunded {
			t.Errorf("status %s, %v", o.Status, err)
		}
		if got := s.refunded(t); got != 4000 {
			t.Errorf("%d given back", got)
		}
		entries := s.log.About("o-1")
		if len(entries) != 1 || entries[0].Actor != "frida" || entries[0].Fields["amount"] != "4000" {
			t.Errorf("audit %+v", entries)
		}
	})
}

func TestRefundOnceForEachKey(t *testing.T) {
	eachGateway(t, func(t *testing.T, s shop) {
		first, err := s.Refund(context.Background(), finance, "o-1", "k-1")
		if err != nil {
			t.Fatal(err)
		}
		second, err := s.Refund(context.Background(), finance, "o-1", "k-1")
		if err != nil || !second.Repeated || second.Reference != first.Reference {
			t.Errorf("got %+v, %v", second, err)
		}
		if got := s.refunded(t); got != 4000 {
			t.Errorf("%d given back", got)
		}
		if got := len(s.log.About("o-1")); got != 1 {
			t.Errorf("%d audit entries", got)
		}
		if _, err := s.Refund(context.Background(), finance, "o-1", "k-2"); !errors.Is(err, payment.ErrNothingLeft) {
			t.Errorf("another key: %v", err)
		}
	})
}

func TestWalletGetsTheMoney(t *testing.T) {
	w := payment.NewWallet()
	w.TopUp("maria", 4100)
	s := newShop(t, w)
	if _, err := s.Refund(context.Background(), finance, "o-1", "k-1"); err != nil {
		t.Fatal(err)
	}
	if got := w.Balance("maria"); got != 4100 {
		t.Errorf("balance %d", got)
	}
}

func TestRefundIsForFinance(t *testing.T) {
	eachGateway(t, func(t *testing.T, s shop) {
		for _, by := range []permission.Actor{support, packer} {
			if _, err := s.Refund(context.Background(), by, "o-1", "k-1"); !errors.Is(err, permission.ErrDenied) {
				t.Errorf("%s: %v", by.ID, err)
			}
		}
		if got := s.refunded(t); got != 0 {
			t.Errorf("%d given back", got)
		}
	})
}

func TestRefusals(t *testing.T) {
	ctx := context.Background()
	s := newShop(t, payment.NewCard(0))
	old := order.Order{ID: "o-2", PaymentID: "card-1", Status: order.Paid, Placed: noon().AddDate(0, -2, 0)}
	unpaid := order.Order{ID: "o-3", Placed: noon()}
	for _, o := range []order.Order{old, unpaid} {
		if err := s.orders.Add(ctx, o); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct {
		id, key string
		want    error
	}{
		{"o-1", "", ErrNoKey},
		{"o-2", "k-1", ErrTooLate},
		{"o-3", "k-1", ErrNotPaid},
		{"o-4", "k-1", order.ErrNotFound},
	} {
		if _, err := s.Refund(ctx, finance, c.id, c.key); !errors.Is(err, c.want) {
			t.Errorf("%s with key %q: got %v, want %v", c.id, c.key, err, c.want)
		}
	}
}

func TestPreviewDoesNothing(t *testing.T) {
	eachGateway(t, func(t *testing.T, s shop) {
		res, err := s.Preview(context.Background(), support, "o-1", "k-1")
		if err != nil || res.Amount != 4000 {
			t.Fatalf("got %+v, %v", res, err)
		}
		if got := s.refunded(t); got != 0 {
			t.Errorf("%d given back", got)
		}
	})
}

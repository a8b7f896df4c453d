package checkout

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"example.com/shop/audit"
	"example.com/shop/catalog"
	"example.com/shop/decimal"
	"example.com/shop/order"
	"example.com/shop/payment"
	"example.com/shop/refund"
)

var errSoldOut = errors.New("sold out")

type shelf map[string]int

func (s shelf) Reserve(_ context.Context, sku string, quantity int) error {
	if s[sku] < quantity {
		return errSoldOut
	}
	s[sku] -= quantity
	return nil
}

func now() time.Time {
	return time.Date(2024, 5, 3, 10, 0, 0, 0, time.UTC)
}

func newCheckout(t *testing.T) (*Checkout, *payment.Wallet) {
	t.Helper()
	products := catalog.New()
	for sku, price := range map[string]string{"cable": "0.375", "lamp": "19.90"} {
		if err := products.Add(catalog.Product{SKU: sku, Title: sku, Price: decimal.MustParse(price)}); err != nil {
			t.Fatal(err)
		}
	}
	wallet := payment.NewWallet()
	wallet.TopUp("maria", 10000)
	orders := order.NewStore()
	log := audit.New(&strings.Builder{}, now)
	return &Checkout{
		Catalog: products,
		Orders:  orders,
		Gateway: wallet,
		Refunds: refund.NewService(orders, wallet, log, 0, now),
		Stock:   shelf{"cable": 100, "lamp": 2},
		Log:     log,
		Now:     now,
	}, wallet
}

func TestPlace(t *testing.T) {
	c, wallet := newCheckout(t)
	o, err := c.Place(context.Background(), "o-1", Cart{
		Customer: "maria", Payer: "maria", Items: []Item{{"cable", 4}, {"lamp", 1}},
	})
	if err != nil {
		t.Fatal(err)
	}
	if o.Status != order.Paid || o.Total().Cmp(decimal.MustParse("21.40")) != 0 {
		t.Errorf("got %+v", o)
	}
	if got := wallet.Balance("maria"); got != 10000-2140 {
		t.Errorf("balance %d", got)
	}
}

func TestMoneyComesBackWithoutGoods(t *testing.T) {
	ctx := context.Background()
	c, wallet := newCheckout(t)
	_, err := c.Place(ctx, "o-1", Cart{Customer: "maria", Payer: "maria", Items: []Item{{"lamp", 3}}})
	if !errors.Is(err, errSoldOut) {
		t.Fatalf("got %v", err)
	}
	if got := wallet.Balance("maria"); got != 10000 {
		t.Errorf("balance %d", got)
	}
	o, err := c.Orders.Get(ctx, "o-1")
	if err != nil || o.Status != order.Refunded {
		t.Errorf("status %s, %v", o.Status, err)
	}
}

func TestNoFractionsOfACent(t *testing.T) {
	c, wallet := newCheckout(t)
	_, err := c.Place(context.Background(), "o-1", Cart{
		Customer: "maria", Payer: "maria", Items: []Item{{"cable", 1}},
	})
	if !errors.Is(err, decimal.ErrScale) {
		t.Fatalf("got %v", err)
	}
	if got := wallet.Balance("maria"); got != 10000 {
		t.Errorf("balance %d", got)
	}
}

func TestEmptyCart(t *testing.T) {
	c, _ := newCheckout(t)
	if _, err := c.Place(context.Background(), "o-1", Cart{Customer: "maria"}); !errors.Is(err, ErrEmpty) {
		t.Errorf("got %v", err)
	}
}

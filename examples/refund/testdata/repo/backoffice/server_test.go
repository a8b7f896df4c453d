package backoffice

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"example.com/shop/audit"
	"example.com/shop/decimal"
	"example.com/shop/jobs"
	"example.com/shop/money"
	"example.com/shop/order"
	"example.com/shop/payment"
	"example.com/shop/permission"
	"example.com/shop/refund"
)

type tokens map[string]permission.Actor

func (t tokens) Actor(token string) (permission.Actor, bool) {
	a, ok := t[token]
	return a, ok
}

func now() time.Time {
	return time.Date(2024, 5, 3, 10, 0, 0, 0, time.UTC)
}

// office is a server with two paid orders, o-1 of 40.00 and o-2 of 15.00.
type office struct {
	*Server
	gateway payment.Gateway
	log     *audit.Log
}

func newOffice(t *testing.T) office {
	t.Helper()
	ctx := context.Background()
	gateway, orders := payment.NewCard(0), order.NewStore()
	for id, price := range map[string]string{"o-1": "40.00", "o-2": "15.00"} {
		total := decimal.MustParse(price)
		due, err := total.Minor(2)
		if err != nil {
			t.Fatal(err)
		}
		receipt, err := gateway.Charge(ctx, "tok-"+id, money.Cents(due), "charge/"+id)
		if err != nil {
			t.Fatal(err)
		}
		err = orders.Add(ctx, order.Order{
			ID: id, Customer: "maria", Status: order.Paid, PaymentID: receipt.PaymentID, Placed: now(),
			Lines: []order.Line{{SKU: "lamp", Quantity: 1, Price: total}},
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	log := audit.New(io.Discard, now)
	refunds := refund.NewService(orders, gateway, log, 0, now)
	registry := jobs.NewRegistry()
	registry.Register("Refund", refunds.Refund)
	registry.Register("Preview", refunds.Preview)
	staff := tokens{
		"sami":  {ID: "sami", Roles: []permission.Role{permission.Support}},
		"frida": {ID: "frida", Roles: []permission.Role{permission.Finance}},
		"wanda": {ID: "wanda", Roles: []permission.Role{permission.Warehouse}},
	}
	desks := Desks{"refunds": refunds, "stock": struct{}{}}
	return office{NewServer(staff, orders, refunds, registry, desks, 10), gateway, log}
}

// send makes a request as a member of staff, with a key.
func (o office) send(method, path, token, key, body string) *httptest.ResponseRecorder {
	var r *http.Request
	if body == "" {
		r = httptest.NewRequest(method, path, nil)
	} else {
		r = httptest.NewRequest(method, path, strings.NewReader(body))
	}
	r.Header.Set("X-Staff-Token", token)
	if key != "" {
		r.Header.Set("Idempotency-Key", key)
	}
	w := httptest.NewRecorder()
	o.ServeHTTP(w, r)
	return w
}

func TestOrdersNeedASignIn(t *testing.T) {
	if w := newOffice(t).send("GET", "/orders", "nobody", "", ""); w.Code != http.StatusUnauthorized {
		t.Errorf("got %d", w.Code)
	}
}

func TestListOrders(t *testing.T) {
	o := newOffice(t)
	w := o.send("GET", "/orders?customer=maria&status=paid", "sami", "", "")
	if w.Code != http.StatusOK || strings.Count(w.Body.String(), `"id"`) != 2 {
		t.Errorf("got %d %s", w.Code, w.Body)
	}
	w = o.send("GET", "/orders?status=shipped", "sami", "", "")
	if got := strings.TrimSpace(w.Body.String()); got != "[]" {
		t.Errorf("got %s", got)
	}
}

func TestNotes(t *testing.T) {
	o := newOffice(t)
	if w := o.send("POST", "/orders/o-1/notes", "sami", "", `{"text":" called twice "}`); w.Code != http.StatusOK {
		t.Fatalf("got %d %s", w.Code, w.Body)
	}
	w := o.send("GET", "/orders/o-1", "sami", "", "")
	if !strings.Contains(w.Body.String(), `"notes":["sami: called twice"]`) {
		t.Errorf("got %s", w.Body)
	}
	if w := o.send("POST", "/orders/o-1/notes", "wanda", "", `{"text":"x"}`); w.Code != http.StatusForbidden {
		t.Errorf("warehouse: got %d", w.Code)
	}
	if w := o.send("POST", "/orders/o-1/notes", "sami", "", `{"note":"x"}`); w.Code != http.StatusBadRequest {
		t.Errorf("unknown field: got %d", w.Code)
	}
}

func TestJobs(t *testing.T) {
	w := newOffice(t).send("GET", "/jobs", "sami", "", "")
	if got := strings.TrimSpace(w.Body.String()); got != `["Preview","Refund"]` {
		t.Errorf("got %s", got)
	}
}

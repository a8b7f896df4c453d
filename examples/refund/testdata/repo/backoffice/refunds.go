package backoffice

import (
	"context"
	"fmt"
	"net/http"
	"reflect"

	"example.com/shop/jobs"
	"example.com/shop/money"
	"example.com/shop/permission"
	"example.com/shop/refund"
)

// refundView is a refund as staff see it.
type refundView struct {
	Order     string      `json:"order"`
	Cents     money.Cents `json:"cents"`
	Reference string      `json:"reference,omitempty"`
	Repeated  bool        `json:"repeated,omitempty"`
	Error     string      `json:"error,omitempty"`
}

func viewRefund(res refund.Result) refundView {
	return refundView{Order: res.OrderID, Cents: res.Amount, Reference: res.Reference, Repeated: res.Repeated}
}

// postRefund answers POST /orders/{id}/refund.
func (s *Server) postRefund(w http.ResponseWriter, r *http.Request) {
	by, key, ok := s.begin(w, r)
	if !ok {
		return
	}
	res, err := s.refunds.Refund(r.Context(), by, r.PathValue("id"), key)
	if err != nil {
		fail(w, err)
		return
	}
	reply(w, http.StatusOK, viewRefund(res))
}

// menu names the handler behind each entry of the menu on an order's page.
// Handlers are registered where the shop is put together.
var menu = map[string]string{
	"refund":  "Refund",
	"preview": "Preview",
}

// menuHandler is what handlers of the menu look like.
type menuHandler = func(context.Context, permission.Actor, string, string) (refund.Result, error)

// postMenu answers POST /orders/{id}/menu/{entry}.
func (s *Server) postMenu(w http.ResponseWriter, r *http.Request) {
	by, key, ok := s.begin(w, r)
	if !ok {
		return
	}
	entry := r.PathValue("entry")
	handler, err := s.jobs.Lookup(menu[entry])
	if err != nil {
		fail(w, fmt.Errorf("menu entry %q: %w", entry, err))
		return
	}
	run, ok := handler.(menuHandler)
	if !ok {
		fail(w, fmt.Errorf("menu entry %q: %w", entry, jobs.ErrShape))
		return
	}
	res, err := run(r.Context(), by, r.PathValue("id"), key)
	if err != nil {
		fail(w, err)
		return
	}
	reply(w, http.StatusOK, viewRefund(res))
}

// batch is the body of POST /batch/refund.
type batch struct {
	Desk   string   `json:"desk"`
	Orders []string `json:"orders"`
}

// postBatch answers POST /batch/refund: it refunds orders one after the other at
// one desk, and reports on each.
func (s *Server) postBatch(w http.ResponseWriter, r *http.Request) {
	by, key, ok := s.begin(w, r)
	if !ok {
		return
	}
	var b batch
	if err := decode(r, &b); err != nil {
		fail(w, err)
		return
	}
	if len(b.Orders) > s.limit {
		fail(w, fmt.Errorf("%w: more than %d orders", errRequest, s.limit))
		return
	}
	desk, ok := s.desks[b.Desk]
	if !ok {
		fail(w, fmt.Errorf("%w: no desk %q", errRequest, b.Desk))
		return
	}
	run := reflect.ValueOf(desk).MethodByName("Refund")
	if !run.IsValid() || run.Type().NumIn() != 4 {
		fail(w, fmt.Errorf("desk %q: %w", b.Desk, jobs.ErrShape))
		return
	}
	views := make([]refundView, 0, len(b.Orders))
	for _, id := range b.Orders {
		out := run.Call([]reflect.Value{
			reflect.ValueOf(r.Context()), reflect.ValueOf(by), reflect.ValueOf(id), reflect.ValueOf(key + "/" + id),
		})
		v := viewRefund(out[0].Interface().(refund.Result))
		if err, failed := out[1].Interface().(error); failed {
			v = refundView{Order: id, Error: err.Error()}
		}
		views = append(views, v)
	}
	reply(w, http.StatusOK, views)
}

// begin returns who wants a refund and under which key, or answers the request.
func (s *Server) begin(w http.ResponseWriter, r *http.Request) (by permission.Actor, key string, ok bool) {
	by, ok = s.actor(w, r)
	if !ok {
		return by, "", false
	}
	key = r.Header.Get("Idempotency-Key")
	if key == "" {
		fail(w, fmt.Errorf("header Idempotency-Key: %w", refund.ErrNoKey))
		return by, "", false
	}
	return by, key, true
}

package backoffice

import (
	"fmt"
	"net/http"
	"strings"

	"example.com/shop/decimal"
	"example.com/shop/order"
	"example.com/shop/permission"
)

// orderView is an order as staff see it.
type orderView struct {
	ID       string          `json:"id"`
	Customer string          `json:"customer"`
	Status   string          `json:"status"`
	Pieces   int             `json:"pieces"`
	Total    decimal.Decimal `json:"total"`
	Notes    []string        `json:"notes,omitempty"`
}

func view(o order.Order) orderView {
	return orderView{
		ID:       o.ID,
		Customer: o.Customer,
		Status:   o.Status.String(),
		Pieces:   o.Pieces(),
		Total:    o.Total(),
		Notes:    o.Notes,
	}
}

// getOrders answers GET /orders?customer=NAME&status=NAME.
func (s *Server) getOrders(w http.ResponseWriter, r *http.Request) {
	by, ok := s.actor(w, r)
	if !ok {
		return
	}
	if !by.May(permission.ViewOrders) {
		fail(w, fmt.Errorf("orders for %s: %w", by.ID, permission.ErrDenied))
		return
	}
	customer, status := r.FormValue("customer"), r.FormValue("status")
	found, err := s.orders.List(r.Context(), func(o order.Order) bool {
		return (customer == "" || o.Customer == customer) && (status == "" || o.Status.String() == status)
	})
	if err != nil {
		fail(w, err)
		return
	}
	views := make([]orderView, 0, len(found))
	for _, o := range found {
		views = append(views, view(o))
	}
	reply(w, http.StatusOK, views)
}

// getOrder answers GET /orders/{id}.
func (s *Server) getOrder(w http.ResponseWriter, r *http.Request) {
	by, ok := s.actor(w, r)
	if !ok {
		return
	}
	if !by.May(permission.ViewOrders) {
		fail(w, fmt.Errorf("order for %s: %w", by.ID, permission.ErrDenied))
		return
	}
	o, err := s.orders.Get(r.Context(), r.PathValue("id"))
	if err != nil {
		fail(w, err)
		return
	}
	reply(w, http.StatusOK, view(o))
}

// postNote answers POST /orders/{id}/notes.
func (s *Server) postNote(w http.ResponseWriter, r *http.Request) {
	by, ok := s.actor(w, r)
	if !ok {
		return
	}
	if !by.May(permission.NoteOrders) {
		fail(w, fmt.Errorf("note by %s: %w", by.ID, permission.ErrDenied))
		return
	}
	var body struct {
		Text string `json:"text"`
	}
	if err := decode(r, &body); err != nil {
		fail(w, err)
		return
	}
	text := strings.TrimSpace(body.Text)
	if text == "" {
		fail(w, fmt.Errorf("%w: an empty note", errRequest))
		return
	}
	o, err := s.orders.Get(r.Context(), r.PathValue("id"))
	if err != nil {
		fail(w, err)
		return
	}
	o.Notes = append(o.Notes, by.ID+": "+text)
	if err := s.orders.Save(r.Context(), o); err != nil {
		fail(w, err)
		return
	}
	reply(w, http.StatusOK, view(o))
}

// getJobs answers GET /jobs with the names of what can be started.
func (s *Server) getJobs(w http.ResponseWriter, r *http.Request) {
	if _, ok := s.actor(w, r); ok {
		reply(w, http.StatusOK, s.jobs.Names())
	}
}

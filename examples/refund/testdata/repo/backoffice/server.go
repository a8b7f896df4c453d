// Package backoffice is the HTTP interface that staff work with.
package backoffice

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"

	"example.com/shop/jobs"
	"example.com/shop/order"
	"example.com/shop/payment"
	"example.com/shop/permission"
	"example.com/shop/refund"
)

// errRequest is returned for a request that cannot be read.
var errRequest = errors.New("bad request")

// Staff knows who is behind an access token.
type Staff interface {
	Actor(token string) (permission.Actor, bool)
}

// Desks are the places that can refund many orders at once, by name. Some come
// with modules of other teams; one that has a method Refund can be used.
type Desks map[string]any

// Server answers the requests of staff.
type Server struct {
	staff   Staff
	orders  *order.Store
	refunds *refund.Service
	jobs    *jobs.Registry
	desks   Desks
	limit   int
	mux     *http.ServeMux
}

// NewServer returns a server that takes at most limit orders in one batch.
func NewServer(staff Staff, orders *order.Store, refunds *refund.Service, registry *jobs.Registry, desks Desks, limit int) *Server {
	s := &Server{
		staff:   staff,
		orders:  orders,
		refunds: refunds,
		jobs:    registry,
		desks:   desks,
		limit:   limit,
		mux:     http.NewServeMux(),
	}
	s.mux.HandleFunc("GET /orders", s.getOrders)
	s.mux.HandleFunc("GET /orders/{id}", s.getOrder)
	s.mux.HandleFunc("POST /orders/{id}/notes", s.postNote)
	s.mux.HandleFunc("POST /orders/{id}/refund", s.postRefund)
	s.mux.HandleFunc("POST /orders/{id}/menu/{entry}", s.postMenu)
	s.mux.HandleFunc("POST /batch/refund", s.postBatch)
	s.mux.HandleFunc("GET /jobs", s.getJobs)
	return s
}

// ServeHTTP implements http.Handler.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.mux.ServeHTTP(w, r)
}

// actor returns who sent the request, or answers it.
func (s *Server) actor(w http.ResponseWriter, r *http.Request) (permission.Actor, bool) {
	by, ok := s.staff.Actor(r.Header.Get("X-Staff-Token"))
	if !ok {
		reply(w, http.StatusUnauthorized, problem{"sign in first"})
	}
	return by, ok
}

// problem is the body of every answer that is not a success.
type problem struct {
	Error string `json:"error"`
}

// codes maps errors to the status they are answered with; the first that fits
// is taken.
var codes = []struct {
	err  error
	code int
}{
	{errRequest, http.StatusBadRequest},
	{refund.ErrNoKey, http.StatusBadRequest},
	{permission.ErrDenied, http.StatusForbidden},
	{order.ErrNotFound, http.StatusNotFound},
	{jobs.ErrUnknown, http.StatusNotFound},
	{order.ErrTransition, http.StatusConflict},
	{refund.ErrNotPaid, http.StatusConflict},
	{refund.ErrTooLate, http.StatusConflict},
	{payment.ErrNothingLeft, http.StatusConflict},
	{payment.ErrKeyReused, http.StatusConflict},
	{payment.ErrAmount, http.StatusUnprocessableEntity},
	{jobs.ErrShape, http.StatusNotImplemented},
}

func fail(w http.ResponseWriter, err error) {
	for _, c := range codes {
		if errors.Is(err, c.err) {
			reply(w, c.code, problem{err.Error()})
			return
		}
	}
	reply(w, http.StatusInternalServerError, problem{"something went wrong"})
}

func reply(w http.ResponseWriter, code int, body any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(code)
	_ = json.NewEncoder(w).Encode(body) // the client is gone; nobody is left to tell
}

// decode reads the body of a request.
func decode(r *http.Request, into any) error {
	d := json.NewDecoder(r.Body)
	d.DisallowUnknownFields()
	if err := d.Decode(into); err != nil {
		return fmt.Errorf("%w: %w", errRequest, err)
	}
	return nil
}

// Package permission says which role of the back office may do what.
package permission

import (
	"errors"
	"slices"
)

// ErrDenied is returned when somebody may not do what they asked for.
var ErrDenied = errors.New("not permitted")

// Permission names one thing that can be allowed.
type Permission string

// The permissions of the back office.
const (
	ViewOrders    Permission = "orders.view"
	NoteOrders    Permission = "orders.note"
	AdjustOrder   Permission = "orders.adjust" // give back a part of what was paid
	RefundOrder   Permission = "orders.refund" // give back everything that was paid
	CancelOrder   Permission = "orders.cancel"
	AcceptReturn  Permission = "returns.accept"
	ViewReports   Permission = "reports.view"
	EditCatalog   Permission = "catalog.edit"
	ManageStaff   Permission = "staff.manage"
	HandleParcels Permission = "parcels.handle"
)

// Role is a job in the shop.
type Role string

// The roles of the back office.
const (
	Support   Role = "support"
	Finance   Role = "finance"
	Warehouse Role = "warehouse"
	Editor    Role = "editor"
	Admin     Role = "admin"
)

var grants = map[Role][]Permission{
	Support:   {ViewOrders, NoteOrders, AdjustOrder, CancelOrder},
	Finance:   {ViewOrders, NoteOrders, AdjustOrder, RefundOrder, ViewReports},
	Warehouse: {ViewOrders, HandleParcels, AcceptReturn},
	Editor:    {EditCatalog},
	Admin: {
		ViewOrders, NoteOrders, AdjustOrder, RefundOrder, CancelOrder, AcceptReturn,
		ViewReports, EditCatalog, ManageStaff, HandleParcels,
	},
}

// Actor is somebody who does something: a member of staff, or the shop itself.
type Actor struct {
	ID    string
	Roles []Role
}

// System is the shop itself, for what happens without anybody asking.
func System() Actor {
	return Actor{ID: "system", Roles: []Role{Admin}}
}

// May reports whether one of the actor's roles grants p.
func (a Actor) May(p Permission) bool {
	for _, role := range a.Roles {
		if slices.Contains(grants[role], p) {
			return true
		}
	}
	return false
}

// Roles lists the roles that grant p, in the order of their names.
func Roles(p Permission) []Role {
	var roles []Role
	for role, granted := range grants {
		if slices.Contains(granted, p) {
			roles = append(roles, role)
		}
	}
	slices.Sort(roles)
	return roles
}

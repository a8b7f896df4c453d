package permission

import (
	"slices"
	"testing"
)

func TestMay(t *testing.T) {
	clerk := Actor{ID: "ines", Roles: []Role{Warehouse, Editor}}
	for p, want := range map[Permission]bool{
		HandleParcels: true,
		EditCatalog:   true,
		ManageStaff:   false,
		ViewReports:   false,
	} {
		if got := clerk.May(p); got != want {
			t.Errorf("%s: got %t", p, got)
		}
	}
}

func TestNobodyMayNothing(t *testing.T) {
	if (Actor{ID: "guest"}).May(ViewOrders) {
		t.Error("an actor without roles may view orders")
	}
}

func TestRoles(t *testing.T) {
	if got := Roles(ManageStaff); !slices.Equal(got, []Role{Admin}) {
		t.Errorf("got %v", got)
	}
	if got := Roles(NoteOrders); !slices.Equal(got, []Role{Admin, Finance, Support}) {
		t.Errorf("got %v", got)
	}
}

package verify

import (
	"fmt"
	"maps"
	"slices"

	"github.com/plumbkit/plumb/index"
)

// ruleName is the rule by which a language answers for a member of a value whose
// type it does not know. Such a reference is a guess and no error.
const ruleName = "name"

// unresolved finds references that lead nowhere now and had no like before: in
// the files that changed and in those that refer to what changed.
func (u *users) unresolved(l *Layer) {
	for _, path := range slices.Sorted(maps.Keys(u.files)) {
		known := map[string]bool{}
		for _, ref := range u.q.in.Before.RefsIn(path) {
			if ref.Status == index.Unresolved {
				known[u.q.key(u.q.in.Before, ref)] = true
			}
		}
		for _, ref := range u.q.in.After.RefsIn(path) {
			if ref.Status != index.Unresolved || ref.Kind == index.RefImport || u.missing[placeOf(ref)] || known[u.q.key(u.q.in.After, ref)] {
				continue
			}
			if ref.Rule == ruleName {
				u.ask(ref)
				continue
			}
			l.find("unresolved", fmt.Sprintf("%s leads nowhere: %s", ref.Name, ref.Reason), ref.Span)
		}
	}
}

// key is the name of a reference together with the canonical name of the symbol it stands in.
func (q *inquiry) key(s *index.Snapshot, ref index.Ref) string {
	sym, _ := s.Symbol(ref.In)
	return sym.Canonical + " " + ref.Name
}

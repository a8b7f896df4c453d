package extract

import (
	"github.com/plumbkit/plumb/index"
	"github.com/plumbkit/plumb/internal/syntax"
)

// A Role is what a language's query says of a node: in the low bits what it
// defines, an index.Kind, and above them what else it is.
type Role uint16

// The roles beside definitions.
const (
	roleKind   Role = 1<<4 - 1
	RoleImport Role = 1 << (iota + 3)
	RoleCall
	RoleType
	RoleTest
	RoleAssertion
	RoleSkip
	RoleSuppression
	RoleDebug
	RoleString
	RoleComment
	RolePlaceholder
	// RoleMarks are those that a call may be marked for.
	RoleMarks = RoleTest | RoleAssertion | RoleSkip | RoleDebug | RolePlaceholder
)

// roleOf returns what a capture name says, 0 for a part.
func roleOf(capture string) Role {
	switch capture {
	case "definition.function":
		return Role(index.KindFunction)
	case "definition.method":
		return Role(index.KindMethod)
	case "definition.class":
		return Role(index.KindClass)
	case "definition.interface":
		return Role(index.KindInterface)
	case "definition.type":
		return Role(index.KindType)
	case "definition.field":
		return Role(index.KindField)
	case "definition.constant":
		return Role(index.KindConstant)
	case "definition.variable":
		return Role(index.KindVariable)
	case "import":
		return RoleImport
	case "reference.call":
		return RoleCall
	case "reference.type":
		return RoleType
	case "mark.test":
		return RoleTest
	case "mark.assertion":
		return RoleAssertion
	case "mark.skip":
		return RoleSkip
	case "mark.suppression":
		return RoleSuppression
	case "mark.debug":
		return RoleDebug
	case "mark.string":
		return RoleString
	case "mark.comment":
		return RoleComment
	case "mark.placeholder":
		return RolePlaceholder
	}
	return 0
}

// RolesOf returns the role of each capture of lang's query.
func RolesOf(lang *syntax.Language) []Role {
	roles := make([]Role, len(lang.Captures()))
	for i, name := range lang.Captures() {
		roles[i] = roleOf(name)
	}
	return roles
}

// Roles are the roles of the nodes of one tree.
type Roles struct {
	// Comments and Strings are the nodes that are marked as such, in the order of
	// the tree's matches.
	Comments, Strings []int32
	of                []Role // by node
}

// Assign takes down the roles of all nodes of t; captures are those of its
// query's captures. Of several definitions that the query sees in one node the
// first counts.
func (r *Roles) Assign(t *index.Tree, captures []Role) {
	r.Comments, r.Strings = r.Comments[:0], r.Strings[:0]
	if n := len(t.Nodes); cap(r.of) < n {
		r.of = make([]Role, n, n+n/2)
	} else {
		r.of = r.of[:n]
		clear(r.of)
	}
	for _, m := range t.Matches {
		for _, c := range t.MatchCaptures(m) {
			role := captures[c.Name]
			if role&roleKind != 0 && r.of[c.Node]&roleKind != 0 {
				role &^= roleKind
			}
			if role&RoleComment != 0 {
				r.Comments = append(r.Comments, c.Node)
			}
			if role&RoleString != 0 {
				r.Strings = append(r.Strings, c.Node)
			}
			r.of[c.Node] |= role
		}
	}
}

// Role returns the role of node n.
func (r *Roles) Role(n int32) Role { return r.of[n] }

// Is reports whether node n has one of the roles.
func (r *Roles) Is(n int32, roles Role) bool { return r.of[n]&roles != 0 }

// Defines returns what kind of definition the query sees at n.
func (r *Roles) Defines(n int32) index.Kind { return index.Kind(r.of[n] & roleKind) }

package ecmascript

import (
	"strings"

	"github.com/plumbkit/plumb/internal/syntax"
)

// A role is what the query says of a node beside what its kind tells.
type role uint16

const (
	roleTest role = 1 << iota
	roleAssertion
	roleSkip
	roleSuppression
	roleDebug
	roleString
	roleComment
	rolePlaceholder
)

// roleOf returns what a capture name says, 0 for a part or a definition, which
// the walk tells by its node's kind.
func roleOf(capture string) role {
	switch capture {
	case "mark.test":
		return roleTest
	case "mark.assertion":
		return roleAssertion
	case "mark.skip":
		return roleSkip
	case "mark.suppression":
		return roleSuppression
	case "mark.debug":
		return roleDebug
	case "mark.string":
		return roleString
	case "mark.comment":
		return roleComment
	case "mark.placeholder":
		return rolePlaceholder
	}
	return 0
}

// rolesOf returns the role of each capture of lang's query.
func rolesOf(lang *syntax.Language) []role {
	roles := make([]role, len(lang.Captures()))
	for i, name := range lang.Captures() {
		if !strings.HasPrefix(name, "_") {
			roles[i] = roleOf(name)
		}
	}
	return roles
}

// assignRoles writes down the roles of all nodes, and lists the comments and strings.
func (x *extractor) assignRoles() {
	x.comments, x.strings = x.comments[:0], x.strings[:0]
	if cap(x.roles) < len(x.nodes) {
		x.roles = make([]role, len(x.nodes), len(x.nodes)+len(x.nodes)/2)
	} else {
		x.roles = x.roles[:len(x.nodes)]
		clear(x.roles)
	}
	for _, m := range x.t.Matches {
		for _, c := range x.t.MatchCaptures(m) {
			r := x.g.roles[c.Name]
			if r&roleComment != 0 {
				x.comments = append(x.comments, c.Node)
			}
			if r&roleString != 0 {
				x.strings = append(x.strings, c.Node)
			}
			x.roles[c.Node] |= r
		}
	}
}

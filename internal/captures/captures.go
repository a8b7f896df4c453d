// Package captures is the one vocabulary of query captures that every language
// uses, after the words of tree-sitter's code navigation. A query says what in a
// tree is a definition, a reference or a mark; what it cannot say, the
// language's own code reads from the tree.
package captures

import (
	"fmt"
	"slices"
	"strings"

	"github.com/plumbkit/plumb/host/fault"
	"github.com/plumbkit/plumb/internal/syntax"
)

// Names returns the vocabulary, without "@". A capture of the kinds definition,
// reference and mark stands at the whole of what it names; the others point out
// parts of it.
func Names() []string {
	return []string{
		// A binding point, by what it binds.
		"definition.function", "definition.method", "definition.constructor", "definition.class", "definition.interface",
		"definition.type", "definition.enum", "definition.enum_member", "definition.field", "definition.constant",
		"definition.variable", "definition.module",
		// A use of a name, by what is done with it.
		"reference.call", "reference.type", "reference.read", "reference.write", "reference.embed", "reference.key",
		"reference.string",
		// An import, and where it re-exports.
		"import", "import.path", "import.name", "import.alias", "export",
		// What later stages look for without parsing.
		"mark.test", "mark.assertion", "mark.skip", "mark.suppression", "mark.debug", "mark.string", "mark.comment",
		"mark.placeholder",
		// Names that only hold inside a scope.
		"local.scope", "local.definition", "local.reference",
		// Parts.
		"name", "package", "operand", "arguments", "parameters", "result", "type", "value", "body", "doc", "receiver",
		"decorator",
	}
}

// Check reports the first capture of lang's query that the vocabulary does not
// know, as invalid_input with the 1-based line of query. Captures that begin
// with "_" serve a pattern's own predicates and may have any name.
func Check(lang *syntax.Language, query string) error {
	known := Names()
	for _, c := range lang.Captures() {
		if strings.HasPrefix(c, "_") || slices.Contains(known, c) {
			continue
		}
		return &fault.Fault{Class: fault.InvalidInput, Op: "index.language",
			Subject:    fault.Subject{Text: lang.Name(), Line: line(query, c)},
			Detail:     fmt.Sprintf("the query captures @%s at line %d, which no language uses", c, line(query, c)),
			Candidates: near(c, known),
			Next:       "use one of the candidates, or begin the name with _ where only a predicate needs it"}
	}
	return nil
}

// line returns the 1-based line on which query first captures name.
func line(query, name string) int {
	for i, text := range strings.Split(query, "\n") {
		code, _, _ := strings.Cut(text, ";")
		for _, word := range strings.FieldsFunc(code, func(r rune) bool { return strings.ContainsRune(" \t()[]", r) }) {
			if word == "@"+name {
				return i + 1
			}
		}
	}
	return 0
}

// near returns the known names of the same family, or else all.
func near(name string, known []string) []fault.Subject {
	family, _, _ := strings.Cut(name, ".")
	var same, all []fault.Subject
	for _, k := range known {
		c := fault.Subject{Text: k}
		if all = append(all, c); strings.HasPrefix(k, family) {
			same = append(same, c)
		}
	}
	if same == nil {
		return all
	}
	return same
}

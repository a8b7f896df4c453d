package ecmascript

import (
	"strings"

	"github.com/plumbkit/plumb/index"
)

// debug marks a call that prints or stops for the sake of a person.
func (m *marker) debug(n int32, c chain) bool {
	form := ""
	switch last := c.last(); {
	case c.base == "console" && len(c.names) == 1:
		form = consoleForm(last)
	case len(c.names) == 0 && (last == "alert" || last == "confirm" || last == "prompt"):
		if _, local := m.constants[last]; !local && m.from[last].module == "" && !m.isFunctionName(last) {
			form = "print"
		}
	case c.base == "window" && len(c.names) == 1 && last == "alert":
		form = "print"
	case last == "debug" && (c.base == "screen" || c.base == "cy") || last == "logTestingPlaygroundURL":
		form = "dump"
	case last == "pause" && (c.base == "page" || c.base == "cy"):
		form = "breakpoint"
	}
	if form == "" {
		return false
	}
	m.mark(index.MarkDebug, n, m.textOf(n), form, 0)
	return true
}

// consoleForm classes the functions of console; those that only measure or
// group count as printing.
func consoleForm(name string) string {
	switch name {
	case "log", "info", "dir", "dirxml", "table", "group", "groupCollapsed", "count", "time", "timeEnd", "timeLog":
		return "print"
	case "debug", "trace":
		return "dump"
	case "warn", "error", "assert":
		return "log"
	}
	return ""
}

// placeholder marks an error that says that something is still to be written.
func (m *marker) placeholder(n int32) {
	callee := m.child(n, m.g.constructor)
	if callee < 0 {
		callee = m.child(n, m.g.function)
	}
	if callee < 0 || !strings.HasSuffix(m.textAt(callee), "Error") {
		return
	}
	arg := m.argument(n, 0)
	if strings.Contains(m.textAt(callee), "NotImplemented") || arg >= 0 && (m.kind(arg) == kString || m.kind(arg) == kTemplate) && saysNotImplemented(m.textAt(arg)) {
		m.mark(index.MarkPlaceholder, n, m.textOf(n), "", 0)
	}
}

func saysNotImplemented(text string) bool {
	text = strings.ToLower(text)
	for _, s := range []string{"not implemented", "unimplemented", "not yet implemented", "implement me", "todo", "fixme"} {
		if strings.Contains(text, s) {
			return true
		}
	}
	return false
}

// anyType marks what takes the type checker off a value: as any, <any>x, : any,
// and as unknown as T.
func (m *marker) anyType(n int32) {
	for c, end := n+1, m.nodes[n].Next; c < end; c = m.nodes[c].Next {
		switch {
		case m.kind(c) == kPredefined && m.textAt(c) == "any", m.kind(c) == kTypeArguments && m.textAt(c) == "<any>":
			m.mark(index.MarkSuppression, n, m.textOf(n), "", 0)
			return
		case m.kind(n) == kAs && m.kind(c) == kAs && strings.HasSuffix(m.textAt(c), " as unknown"):
			m.mark(index.MarkSuppression, n, m.textOf(n), "", 0)
			return
		}
	}
}

// emptyCatch marks a catch that lets a failure go unseen.
func (m *marker) emptyCatch(n int32) {
	if body := m.child(n, m.g.body); body >= 0 && m.firstNamed(body) < 0 {
		m.mark(index.MarkSuppression, n, m.textOf(n), "", 0)
	}
}

// assertsInvariant marks assert(x) of node:assert in code that is no test: it
// can fail a test all the same.
func (m *marker) assertsInvariant(n int32, c chain) bool {
	if im := m.from[c.base]; im.module != "assert" && im.module != "node:assert" && im.module != "node:assert/strict" && im.module != "assert/strict" {
		return false
	}
	return m.assertCall(n, c)
}

package gate

import (
	"fmt"
	"slices"
	"strings"

	"github.com/plumbkit/plumb/index"
)

// overwritten reports an assertion that stands as it did, but compares a value
// that is given to its variable just before, in place of what the code gives.
func (t *comparison) overwritten(u, v *unit) {
	for i := range v.checks {
		o := &v.checks[i]
		j := slices.IndexFunc(u.checks, func(k check) bool { return k.same(o) })
		if j < 0 {
			continue
		}
		k := &u.checks[j]
		for n, arg := range o.args {
			name := variable(arg)
			if name == "" {
				continue
			}
			was, now := given(u, k, name), given(v, o, name)
			if len(now) == 0 || !t.replaces(u, v, was, now, others(o.args, n)) {
				continue
			}
			last := now[len(now)-1]
			t.add("tests.assertion-loosened", k.Span, v.place(last), u, fmt.Sprintf("in %s %q compares %s, which is given %q just before", u.sym.Name, o.source(), name, v.written(last)), "compare what the code gives")
		}
	}
}

// variable is the name that an operand consists of, "" when it is more.
func variable(operand []token) string {
	if len(operand) == 0 || !operand[0].word() {
		return ""
	}
	name := ""
	for i := range operand {
		if i%2 == 0 && !operand[i].word() || i%2 == 1 && operand[i].Text != "." {
			return ""
		}
		name += operand[i].Text
	}
	return name
}

// others are the texts of the operands but for the n-th.
func others(args [][]token, n int) []string {
	var out []string
	for i := range args {
		if i != n {
			out = append(out, strings.ReplaceAll(text(args[i]), " ", ""))
		}
	}
	return out
}

// given are the values that a variable gets before an assertion in a block
// around it, behind the last assertion that has looked at it already.
func given(u *unit, k *check, name string) []index.Statement {
	at := k.Span.Start
	if len(k.operands) > 0 {
		at = min(at, k.operands[0].start)
	}
	var out []index.Statement
	for _, e := range u.parts.of(index.Entry) {
		if e.Form != index.FormVariable || e.Name != name || int(e.End) > at || !holdsBoth(u, int(e.Start), at) {
			continue
		}
		out = append(out, e)
	}
	return slices.DeleteFunc(out, func(e index.Statement) bool { return lookedAt(u, name, int(e.End), at) })
}

// holdsBoth reports whether the innermost block around the first offset is one
// around the second: whoever comes to the second has been at the first.
func holdsBoth(u *unit, first, second int) bool {
	blocks := u.parts.around(first)
	return len(blocks) == 0 || holds(blocks[len(blocks)-1].Range, second)
}

// lookedAt reports whether an assertion between two offsets compares the variable.
func lookedAt(u *unit, name string, from, to int) bool {
	return slices.ContainsFunc(u.checks, func(k check) bool {
		return k.Span.Start > from && k.Span.Start < to && slices.ContainsFunc(k.args, func(a []token) bool { return variable(a) == name })
	})
}

// replaces reports whether the last value that a variable gets is new and takes
// the place of what was compared: it is the other operand itself; it comes on
// top of the value that was compared; or nothing is called for it any more.
func (t *comparison) replaces(u, v *unit, was, now []index.Statement, others []string) bool {
	last := now[len(now)-1]
	value := strings.ReplaceAll(v.written(last), " ", "")
	if slices.ContainsFunc(was, func(e index.Statement) bool { return u.written(e) == v.written(last) }) {
		return false
	}
	if slices.Contains(others, value) {
		return true
	}
	if expectation(last.Name) || len(was) == 0 {
		return false
	}
	before := was[len(was)-1]
	if len(now) > len(was) && slices.ContainsFunc(now, func(e index.Statement) bool { return v.written(e) == u.written(before) }) {
		return true
	}
	return strings.Contains(u.written(before), "(") && !strings.Contains(value, "(")
}

package python

import (
	"fmt"
	"slices"
	"strings"

	"github.com/plumbkit/plumb/index"
)

// A parameterList is what a call binds its arguments to.
type parameterList struct {
	slots    []index.Param // that take a positional argument, in order
	only     int           // how many of them take nothing else
	keywords []index.Param // that take a keyword argument only
	rest     bool          // *args
	named    bool          // **kwargs
}

// listOf reads a function's parameters. bound leaves out the first, which the
// receiver fills.
func listOf(s index.Symbol, bound bool) parameterList {
	var l parameterList
	for _, p := range s.Signature.Params {
		switch {
		case p.Variadic && p.Keyword:
			l.named = true
		case p.Variadic:
			l.rest = true
		case p.Keyword:
			l.keywords = append(l.keywords, p)
		default:
			l.slots = append(l.slots, p)
		}
	}
	l.only = positionalOnly(s.Signature.Text)
	if bound && len(l.slots) > 0 {
		l.slots = l.slots[1:]
		l.only = max(l.only-1, 0)
	}
	return l
}

// positionalOnly returns how many parameters stand before a "/".
func positionalOnly(text string) int {
	depth, n, any := 0, 0, false
	begin := strings.Index(text, "def ")
	if begin < 0 {
		return 0
	}
	for _, t := range lex([]byte(text[begin:])) {
		switch t.text {
		case "(", "[", "{":
			depth++
			continue
		case ")", "]", "}":
			if depth--; depth == 0 {
				return 0
			}
			continue
		}
		switch {
		case depth != 1:
		case t.text == ",":
			n++
			any = false
		case t.text == "/" && !any:
			return n
		default:
			any = true
		}
	}
	return 0
}

// judgeCall reports whether a call that fitted before fits after. A method may
// have been called on an instance or on its class: every way in which the call
// fitted before counts.
func judgeCall(before, after index.Symbol, args *index.Args) (ok, known bool, reason string) {
	fits, breaks, spread := 0, 0, ""
	for _, bound := range bindings(before) {
		b := listOf(before, bound)
		if b.refuses(args) != "" {
			continue
		}
		boundAfter := bound && takesReceiver(after) || !bound && takesReceiver(after) && !takesReceiver(before) && before.Kind == index.KindMethod
		a := listOf(after, boundAfter)
		why := a.refuses(args)
		if why == "" {
			why = moved(b, a, args)
		}
		if why == "" {
			fits++
			if args.Spread && spread == "" {
				spread = b.takesLess(a)
			}
		} else {
			breaks++
			if reason == "" {
				reason = why
			}
		}
	}
	switch {
	case fits == 0 && breaks == 0:
		return false, false, "the call did not fit the declaration as it was: something else may be called there"
	case breaks == 0 && spread != "":
		return true, false, "the call spreads its arguments, and " + spread
	case breaks == 0:
		return true, true, ""
	case fits == 0:
		return false, true, reason
	}
	return false, false, reason + ", if it is called on an instance"
}

// bindings returns whether the first parameter may be filled by the receiver.
func bindings(s index.Symbol) []bool {
	switch {
	case s.Kind == index.KindFunction || !takesReceiver(s):
		return []bool{false}
	case isDecorated(s, "classmethod"):
		return []bool{true}
	}
	return []bool{true, false}
}

// takesReceiver reports whether a function's first parameter is its receiver.
func takesReceiver(s index.Symbol) bool {
	return (s.Kind == index.KindMethod || s.Kind == index.KindConstructor) && !isDecorated(s, "staticmethod")
}

// refuses says why a call does not fit, "" if it does or that cannot be known.
func (l parameterList) refuses(args *index.Args) string {
	if args.Count > len(l.slots) && !l.rest {
		return fmt.Sprintf("the call passes %d arguments by position; %d are taken", args.Count, len(l.slots))
	}
	for _, name := range args.Names {
		at := slices.IndexFunc(l.slots, func(p index.Param) bool { return p.Name == name })
		keyword := slices.ContainsFunc(l.keywords, func(p index.Param) bool { return p.Name == name })
		switch {
		case at >= 0 && at < l.only && !l.named:
			return fmt.Sprintf("parameter %s can be passed by position only", name)
		case at >= 0 && at < l.only || at < 0 && !keyword && l.named:
		case at < 0 && !keyword:
			return fmt.Sprintf("there is no parameter %s", name)
		case at >= 0 && at < args.Count:
			return fmt.Sprintf("parameter %s is passed by position and by name", name)
		}
	}
	if args.Spread {
		return ""
	}
	for i, p := range l.slots {
		if i >= args.Count && !p.Optional && !slices.Contains(args.Names, p.Name) {
			return fmt.Sprintf("parameter %s is not passed and has no default", p.Name)
		}
	}
	for _, p := range l.keywords {
		if !p.Optional && !slices.Contains(args.Names, p.Name) {
			return fmt.Sprintf("parameter %s is not passed and has no default", p.Name)
		}
	}
	return ""
}

// takesLess says what a call whose arguments are not known could pass before and
// cannot after, or has to pass now, "" if there is nothing.
func (l parameterList) takesLess(after parameterList) string {
	keyword := func(name string) (index.Param, bool) {
		for _, p := range append(slices.Clone(after.slots[min(after.only, len(after.slots)):]), after.keywords...) {
			if p.Name == name {
				return p, true
			}
		}
		return index.Param{}, after.named
	}
	for i, p := range l.slots {
		if i >= len(after.slots) && !after.rest {
			return fmt.Sprintf("parameter %s is no longer taken by position", p.Name)
		}
		if i < len(after.slots) && after.slots[i].Name != p.Name {
			return fmt.Sprintf("parameter %s stands where %s stood", after.slots[i].Name, p.Name)
		}
		if _, ok := keyword(p.Name); !ok && i >= l.only {
			return fmt.Sprintf("parameter %s is no longer taken by name", p.Name)
		}
	}
	for _, p := range l.keywords {
		if _, ok := keyword(p.Name); !ok {
			return fmt.Sprintf("parameter %s is no longer taken by name", p.Name)
		}
	}
	for _, p := range append(slices.Clone(after.slots), after.keywords...) {
		if !p.Optional && !slices.ContainsFunc(append(slices.Clone(l.slots), l.keywords...), func(o index.Param) bool { return o.Name == p.Name && !o.Optional }) {
			return fmt.Sprintf("parameter %s has to be passed now", p.Name)
		}
	}
	switch {
	case l.rest && !after.rest:
		return "the rest of the arguments by position is no longer taken"
	case l.named && !after.named:
		return "arguments of any name are no longer taken"
	}
	return ""
}

// moved says which positional argument would be taken for another parameter
// than before, while the one that it was meant for still exists.
func moved(b, a parameterList, args *index.Args) string {
	for i := range min(args.Count, len(b.slots)) {
		name := b.slots[i].Name
		if i < len(a.slots) && a.slots[i].Name == name {
			continue
		}
		elsewhere := func(p index.Param) bool { return p.Name == name }
		if !slices.ContainsFunc(a.slots, elsewhere) && !slices.ContainsFunc(a.keywords, elsewhere) {
			continue
		}
		if i < len(a.slots) {
			return fmt.Sprintf("argument %d was passed for %s and would now be taken for %s", i+1, name, a.slots[i].Name)
		}
		return fmt.Sprintf("argument %d was passed for %s and would now be one of the rest", i+1, name)
	}
	return ""
}

// changedDefault says which default changed that the call relies on.
func changedDefault(before, after index.Symbol, args *index.Args) string {
	if args.Spread {
		return ""
	}
	was := map[string]index.Param{}
	for _, p := range before.Signature.Params {
		was[p.Name] = p
	}
	first := 0
	if takesReceiver(after) {
		first = 1
	}
	for i, p := range after.Signature.Params {
		old, ok := was[p.Name]
		passed := slices.Contains(args.Names, p.Name) || i-first < args.Count && !p.Keyword
		if ok && p.Optional && old.Optional && p.Default != old.Default && !passed {
			return fmt.Sprintf("the default of %s changed from %s to %s", p.Name, old.Default, p.Default)
		}
	}
	return ""
}

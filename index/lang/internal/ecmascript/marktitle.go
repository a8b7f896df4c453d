package ecmascript

import (
	"regexp"
	"strconv"
	"strings"
)

// titleOf returns a test's title, and whether it is known; else the source of it
// stands for it. A function or class gives its own name.
func (m *marker) titleOf(n int32) (string, bool) {
	if s, ok := m.literal(n, 0); ok {
		return s, true
	}
	switch m.kind(n) {
	case kIdentifier:
		name := m.textAt(n)
		if first := name[0]; first >= 'A' && first <= 'Z' || m.isFunctionName(name) {
			return name, true
		}
	case kMember:
		if m.textAt(m.child(n, m.g.property)) == "name" { // describe(add.name, …)
			return m.titleOf(m.child(n, m.g.object))
		}
	}
	return strings.Trim(m.textOf(n), "`'\""), false
}

// isFunctionName reports whether the file imports or defines a function of that name.
func (m *marker) isFunctionName(name string) bool {
	if im, ok := m.from[name]; ok {
		return im.name == name
	}
	for i := range m.defs {
		if d := &m.defs[i]; m.text(int32(d.Name)) == name && d.Parent < 0 {
			return d.Body > 0 && d.Body < d.Range.End
		}
	}
	return false
}

// maxFolded is how deep a constant expression is looked into.
const maxFolded = 30

// literal returns the value of a string, number or constant expression as a
// string, and whether it is one.
func (m *marker) literal(n int32, depth int) (string, bool) {
	if n < 0 || depth > maxFolded {
		return "", false
	}
	switch m.kind(n) {
	case kString:
		return unquote(string(m.t.Text(n)))
	case kTemplate:
		return m.template(n, depth)
	case kNumber, kTrue, kNull, kUndefined:
		return number(string(m.t.Text(n))), true
	case kUnary:
		text := string(m.t.Text(n))
		return text, len(text) > 1 && text[0] == '-' && m.kind(m.firstNamed(n)) == kNumber
	case kParenthesized, kAs, kSatisfies, kNonNull:
		return m.literal(m.firstNamed(n), depth+1)
	case kBinary:
		left, lok := m.literal(m.child(n, m.g.left), depth+1)
		right, rok := m.literal(m.child(n, m.g.right), depth+1)
		return left + right, lok && rok && m.textAt(m.child(n, m.g.operator)) == "+" && m.stringy(n)
	case kIdentifier:
		if v := m.constant(m.textAt(n)); v >= 0 {
			return m.literal(v, depth+1)
		}
	}
	return "", false
}

// stringy reports whether a sum has a string among its terms.
func (m *marker) stringy(n int32) bool {
	return strings.ContainsAny(string(m.t.Text(n)), "\"'`")
}

// template returns the value of a template whose substitutions are constants.
func (m *marker) template(n int32, depth int) (string, bool) {
	var b strings.Builder
	at := m.nodes[n].Start + 1
	for c, end := n+1, m.nodes[n].Next; c < end; c = m.nodes[c].Next {
		if m.kind(c) != kSubstitution {
			continue
		}
		v, ok := m.literal(m.firstNamed(c), depth+1)
		if !ok {
			return "", false
		}
		b.WriteString(string(m.src[at:m.nodes[c].Start]) + v)
		at = m.nodes[c].End
	}
	if end := m.nodes[n].End - 1; at <= end {
		b.WriteString(string(m.src[at:end]))
	}
	return unescape(b.String())
}

// constant returns the value of the only const of that name in the file, or -1.
func (m *marker) constant(name string) int32 {
	if v, ok := m.constants[name]; ok {
		return v
	}
	return -1
}

func unquote(text string) (string, bool) {
	if len(text) < 2 {
		return "", false
	}
	return unescape(text[1 : len(text)-1])
}

// unescape replaces the escapes of a string literal; ok is false for one that it
// does not know.
func unescape(s string) (string, bool) {
	if !strings.Contains(s, `\`) {
		return s, true
	}
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] != '\\' || i+1 >= len(s) {
			b.WriteByte(s[i])
			continue
		}
		i++
		width, digits := 0, ""
		switch c := s[i]; c {
		case 'n', 't', 'r', 'b', 'f', 'v':
			b.WriteString(map[byte]string{'n': "\n", 't': "\t", 'r': "\r", 'b': "\b", 'f': "\f", 'v': "\v"}[c])
			continue
		case '\n':
			continue
		case 'x':
			width = 2
		case 'u':
			if end := strings.IndexByte(s[i:], '}'); i+1 < len(s) && s[i+1] == '{' && end > 2 {
				digits = s[i+2 : i+end]
				i += end
			} else {
				width = 4
			}
		case '0', '1', '2', '3', '4', '5', '6', '7', '8', '9':
			return "", false
		default:
			b.WriteByte(c)
			continue
		}
		if width > 0 {
			if i+width >= len(s) {
				return "", false
			}
			digits = s[i+1 : i+1+width]
			i += width
		}
		code, err := strconv.ParseUint(digits, 16, 32)
		if err != nil || code >= 0xd800 && code < 0xe000 {
			return "", false
		}
		b.WriteRune(rune(code))
	}
	return b.String(), true
}

// number is a number as JavaScript prints it, for the usual ways to write one.
func number(text string) string {
	if !regexp.MustCompile(`^[0-9][0-9_]*$`).MatchString(text) {
		return text
	}
	return strings.ReplaceAll(text, "_", "")
}

// tableOf is the array of a table's argument list, or -1.
func (m *marker) tableOf(args int32) int32 {
	if args < 0 || m.kind(args) != kArguments {
		return -1
	}
	array := m.firstNamed(args)
	for array >= 0 && (m.kind(array) == kAs || m.kind(array) == kSatisfies || m.kind(array) == kParenthesized) {
		array = m.firstNamed(array)
	}
	if array >= 0 && m.kind(array) == kIdentifier {
		array = m.constant(m.textAt(array))
		for array >= 0 && (m.kind(array) == kAs || m.kind(array) == kSatisfies) {
			array = m.firstNamed(array)
		}
	}
	if array < 0 || m.kind(array) != kArray {
		return -1
	}
	return array
}

// rows returns the titles of a table's rows, nil when one is not told by the source.
func (m *marker) rows(args int32, title string, known bool) []string {
	array := m.tableOf(args)
	if array < 0 || !known {
		return nil
	}
	var out []string
	for c, end := array+1, m.nodes[array].Next; c < end; c = m.nodes[c].Next {
		if !m.nodes[c].Named() || m.kind(c) == kComment {
			continue
		}
		name, ok := m.rowTitle(title, c, len(out))
		if !ok || len(out) >= maxCases {
			return nil
		}
		out = append(out, name)
	}
	return out
}

// rowTitle fills a row into a title as vitest and jest do; ok is false for what
// they do not fill in alike, or what the source does not tell.
func (m *marker) rowTitle(title string, row int32, place int) (string, bool) {
	if m.kind(row) == kObject && strings.Contains(title, "$") {
		return m.keyTitle(title, row)
	}
	if strings.Contains(title, "$") {
		return "", false
	}
	next := 0
	known := true
	out := regexp.MustCompile(`%[a-zA-Z%#$]`).ReplaceAllStringFunc(title, func(verb string) string {
		switch verb {
		case "%%":
			return "%"
		case "%#":
			return strconv.Itoa(place)
		case "%$":
			return strconv.Itoa(place + 1)
		}
		value := row
		if m.kind(row) == kArray {
			value = m.item(row, next)
		} else if next > 0 {
			value = -1
		}
		next++
		text, ok := m.literal(value, 0)
		ok = ok && strings.Contains("sdif", verb[1:]) && (verb == "%s" || m.kind(value) == kNumber || m.kind(value) == kUnary)
		if ok && verb == "%i" && strings.Contains(text, ".") {
			ok = false
		}
		known = known && ok
		return text
	})
	return out, known
}

// keyTitle fills the properties of a row into $name; strings are quoted by one
// tool and not by the other, and are left open.
func (m *marker) keyTitle(title string, row int32) (string, bool) {
	known := true
	out := regexp.MustCompile(`\$[\w.]+`).ReplaceAllStringFunc(title, func(key string) string {
		for c, end := row+1, m.nodes[row].Next; c < end; c = m.nodes[c].Next {
			if m.kind(c) == kPair && m.textAt(m.child(c, m.g.key)) == key[1:] {
				value := m.child(c, m.g.fields.value)
				text, ok := m.literal(value, 0)
				known = known && ok && value >= 0 && m.kind(value) != kString && m.kind(value) != kTemplate
				return text
			}
		}
		known = false
		return key
	})
	return out, known && !strings.Contains(out, "%")
}

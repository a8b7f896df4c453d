package golang

import (
	"bytes"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/plumbkit/plumb/index"
	"github.com/plumbkit/plumb/index/lang/internal/extract"
)

// testFunctions marks the functions that "go test" runs, and the test methods
// of a testify suite.
func (x *extractor) testFunctions() {
	suite := false
	for _, imp := range x.f.Imports {
		suite = suite || strings.HasSuffix(imp.Path, "/testify/suite")
	}
	for i := range x.defs {
		d := &x.defs[i]
		name := string(x.text(int32(d.Name)))
		method := d.Kind == index.KindMethod && suite && d.Parent < 0 && strings.HasPrefix(name, "Test") && d.P0 == d.P1
		if d.Kind == index.KindFunction && x.isTest(name, d) || method {
			x.markRange(index.MarkTest, d.Range, name, testForm(name, d), 0)
		}
	}
}

// testForm tells TestMain, inside which every test of its package runs.
func testForm(name string, d *index.Def) string {
	if name == "TestMain" && d.Kind == index.KindFunction {
		return index.FormAround
	}
	return ""
}

// isTest follows the rules of "go test" for names and parameters.
func (x *extractor) isTest(name string, d *index.Def) bool {
	for _, prefix := range []string{"Test", "Benchmark", "Fuzz", "Example"} {
		rest, ok := strings.CutPrefix(name, prefix)
		if !ok {
			continue
		}
		if r, _ := utf8.DecodeRuneInString(rest); rest != "" && unicode.IsLower(r) {
			return false
		}
		if prefix == "Example" {
			return d.P0 == d.P1
		}
		return d.P1 == d.P0+1
	}
	return false
}

// testName returns the name of the test that the walk is in: the function's,
// and the subtests' around.
func (x *extractor) testName() string {
	if x.subtest != "" {
		return x.subtest
	}
	for d := x.in; d >= 0; d = x.defs[d].Parent {
		if x.defs[d].Parent < 0 {
			return string(x.text(int32(x.defs[d].Name)))
		}
	}
	return ""
}

// subtests marks what t.Run at n runs: one subtest with a literal name, or one
// for each literal name in the table that the name is taken from.
func (x *extractor) subtests(n int32) string {
	arg := x.argument(n, 0)
	if name, ok := x.literalText(arg); ok {
		full := x.testName() + "/" + subtestName(name)
		x.mark(index.MarkTest, n, full, index.FormCase, 0)
		return full
	}
	switch x.kind(arg) {
	case kIdentifier:
		if over, key := x.rangedOver(arg); key {
			x.tableRows(over, -1)
		}
	case kSelector:
		operand, field := x.child(arg, x.g.operand), x.child(arg, x.g.field)
		if operand >= 0 && field >= 0 && x.kind(operand) == kIdentifier {
			if over, key := x.rangedOver(operand); !key {
				x.tableRows(over, field)
			}
		}
	}
	return x.testName() + "/" + anySubtest
}

// anySubtest stands for a subtest whose name is computed.
const anySubtest = "*"

func subtestName(s string) string { return strings.ReplaceAll(s, " ", "_") }

func (x *extractor) literalText(n int32) (string, bool) {
	if k := x.kind(n); k != kString && k != kRawString {
		return "", false
	}
	s, err := strconv.Unquote(string(x.t.Text(n)))
	return s, err == nil
}

// rangedOver returns the node of the composite literal that the local at
// identifier n ranges over, -1 if it does not, and whether n is the range's key.
func (x *extractor) rangedOver(n int32) (over int32, key bool) {
	b := x.bound[x.word(n)].to
	if b >= 0 || x.locals[-b-1].Value < 0 {
		return -1, false
	}
	e := &x.Exprs[x.locals[-b-1].Value]
	if e.Op == opLocal { // tt := tt
		if v := x.locals[e.A].Value; v >= 0 {
			e = &x.Exprs[v]
		}
	}
	if e.Op != opRangeElem && e.Op != opRangeKey || e.A < 0 {
		return -1, false
	}
	key = e.Op == opRangeKey
	table := e.A
	if t := &x.Exprs[table]; t.Op == opLocal {
		table = x.locals[t.A].Value
	}
	for _, c := range x.tables {
		if c.expr == table {
			over = c.node
		}
	}
	if over == 0 {
		return -1, key
	}
	return over, key
}

// A table is a composite literal and the expression that it is.
type table struct{ expr, node int32 }

// tableRows marks each row of the composite literal at n as a subtest, named by
// the literal in its field, or by its key when field is -1.
func (x *extractor) tableRows(n, field int32) {
	if n < 0 {
		return
	}
	body := x.child(n, x.g.body)
	if body < 0 {
		return
	}
	test := x.testName()
	for c, end := body+1, x.nodes[body].Next; c < end; c = x.nodes[c].Next {
		if !x.nodes[c].Named() || x.kind(c) == kComment {
			continue
		}
		if name, ok := x.rowName(n, c, field); ok {
			x.mark(index.MarkTest, c, test+"/"+subtestName(name), index.FormCase, 0)
		}
	}
}

func (x *extractor) rowName(table, row, field int32) (string, bool) {
	if field < 0 {
		key := x.firstNamed(row)
		if x.kind(row) != kKeyedElement || key < 0 {
			return "", false
		}
		return x.literalText(x.unwrap(key))
	}
	want := x.t.Text(field)
	if name, ok := x.positionalName(table, row, want); ok {
		return name, true
	}
	for i, end := row+1, x.nodes[row].Next; i < end; i++ {
		if x.kind(i) != kKeyedElement {
			continue
		}
		key := x.firstNamed(i)
		if key < 0 || !bytes.Equal(x.t.Text(key), want) {
			continue
		}
		for v := x.nodes[key].Next; v < x.nodes[i].Next; v = x.nodes[v].Next {
			if x.nodes[v].Named() && x.kind(v) != kComment {
				return x.literalText(x.unwrap(v))
			}
		}
	}
	return "", false
}

// positionalName returns the literal that a row without keys has for the field
// named want of the literal struct type that the table's type ends in.
func (x *extractor) positionalName(table, row int32, want []byte) (string, bool) {
	values := x.unwrap(row)
	if x.kind(row) == kKeyedElement {
		key := x.firstNamed(row)
		if key < 0 || x.nodes[key].Next >= x.nodes[row].Next {
			return "", false
		}
		values = x.unwrap(x.nodes[row].Next - 1)
		for c := x.nodes[key].Next; c < x.nodes[row].Next; c = x.nodes[c].Next {
			if x.nodes[c].Named() && x.kind(c) != kComment {
				values = x.unwrap(c)
			}
		}
	}
	at := x.fieldPosition(table, want)
	if x.kind(values) != kLiteralValue || at < 0 {
		return "", false
	}
	for c, end := values+1, x.nodes[values].Next; c < end; c = x.nodes[c].Next {
		switch {
		case !x.nodes[c].Named() || x.kind(c) == kComment:
		case x.kind(c) == kKeyedElement:
			return "", false
		case at == 0:
			return x.literalText(x.unwrap(c))
		default:
			at--
		}
	}
	return "", false
}

// fieldPosition returns which field of the struct type written in the composite
// literal at table is named want, -1 if that is not to be seen.
func (x *extractor) fieldPosition(table int32, want []byte) int {
	typ := x.child(table, x.g.typ)
	if typ < 0 {
		return -1
	}
	for i, end := typ, x.nodes[typ].Next; i < end; i++ {
		if x.kind(i) != kFieldList {
			continue
		}
		at, found := 0, -1
		for c, end := i+1, x.nodes[i].Next; c < end; c = x.nodes[c].Next {
			x.eachName(c, func(name int32) {
				if bytes.Equal(x.t.Text(name), want) {
					found = at
				}
				at++
			})
		}
		return found
	}
	return -1
}

// unwrap returns what a literal_element holds.
func (x *extractor) unwrap(n int32) int32 {
	if x.kind(n) == kLiteralElement {
		if c := x.firstNamed(n); c >= 0 {
			return c
		}
	}
	return n
}

// outputs marks the "Output:" comment that ends an example as its assertion.
func (x *extractor) outputs() {
	if !isTestFile(x.f.Path) {
		return
	}
	var found []index.MarkFact
	for _, m := range x.marks {
		if m.Kind != index.MarkComment || m.In < 0 || !bytes.HasPrefix(x.text(int32(x.defs[m.In].Name)), []byte("Example")) {
			continue
		}
		text := strings.ToLower(strings.TrimSpace(strings.TrimPrefix(string(x.src[m.Range.Start:m.Range.End]), "//")))
		if strings.HasPrefix(text, "output:") || strings.HasPrefix(text, "unordered output:") {
			m.Kind, m.Form, m.Strength = index.MarkAssertion, "output", 3
			m.Text = strings.Join(strings.Fields(string(x.src[m.Range.Start:min(m.Range.End, m.Range.Start+8*extract.MaxMarkText)])), " ")
			found = append(found, m)
		}
	}
	x.marks = append(x.marks, found...)
}

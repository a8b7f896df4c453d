package ecmascript

import "github.com/plumbkit/plumb/index"

// statements reads the children of a block, in which hoist has declared the names.
func (x *extractor) statements(n int32) {
	outer := x.doc
	x.doc = docs{}
	facts := len(x.facts)
	for c, end := n+1, x.nodes[n].Next; c < end; c = x.nodes[c].Next {
		if x.kind(c) == kComment {
			x.doc.comment(x, c)
			continue
		}
		x.statement(c)
	}
	x.facts = x.facts[:facts]
	x.doc = outer
}

// block reads n as a scope of its own.
func (x *extractor) block(n int32) {
	mark, inside, namespace := x.open(), x.inside, x.namespace
	x.inside, x.namespace = true, false
	x.hoist(n)
	x.statements(n)
	x.inside, x.namespace = inside, namespace
	x.close(mark)
}

func (x *extractor) statement(n int32) {
	if !x.down() {
		x.up()
		return
	}
	defer x.up()
	if x.declaration(n, n) {
		return
	}
	switch x.kind(n) {
	case kImportStatement:
		x.importStatement(n)
	case kImportAlias:
		x.importAlias(n)
	case kExportStatement:
		x.exportStatement(n)
	case kBlock:
		x.block(n)
	case kReturn:
		x.returnStatement(n)
	case kIf:
		x.ifStatement(n)
	case kFor:
		x.forStatement(n)
	case kForIn:
		x.forIn(n)
	case kSwitch:
		x.switchStatement(n)
	case kCatch:
		x.catchClause(n)
	case kJump, kStatementIdentifier, kComment, kEmpty:
	case kExpressionStatement:
		x.expressionStatement(n)
	default:
		x.other(n)
	}
}

// other reads what needs no care of its own: statements are read as such, and
// everything else as an expression.
func (x *extractor) other(n int32) {
	switch x.nodes[n].Field {
	case x.g.fields.value, x.g.condition, x.g.increment:
		if x.nodes[n].Named() && isExpression(x.kind(n)) {
			x.expr(n, -1)
			return
		}
	}
	if isExpression(x.kind(n)) {
		x.expr(n, -1)
		return
	}
	for c, end := n+1, x.nodes[n].Next; c < end; c = x.nodes[c].Next {
		if x.nodes[c].Named() {
			x.statement(c)
		}
	}
}

func isExpression(k kind) bool {
	return k >= kCall && k <= kUndefined || k == kIdentifier || k >= kJSXElement && k <= kJSXExpression
}

func (x *extractor) returnStatement(n int32) {
	value := x.firstNamed(n)
	if value < 0 {
		return
	}
	want := int32(-1)
	if x.fn != nil {
		want = x.fn.want
	}
	e := x.expr(value, want)
	if x.fn != nil && !x.fn.declare && len(x.fn.results) < maxResults {
		x.fn.results = append(x.fn.results, x.Make(opTypeof, -1, e, -1))
	}
}

// maxResults is how many return statements count for a result that is not declared.
const maxResults = 40

func (x *extractor) ifStatement(n int32) {
	condition := x.child(n, x.g.condition)
	if condition >= 0 {
		x.expr(condition, -1)
	}
	yes, no := x.child(n, x.g.consequence), x.child(n, x.g.alternative)
	facts := len(x.facts)
	if yes >= 0 {
		x.assume(condition, true)
		x.statement(yes)
		x.facts = x.facts[:facts]
	}
	if no >= 0 {
		x.assume(condition, false)
		x.statement(no)
		x.facts = x.facts[:facts]
	}
	switch {
	case yes >= 0 && x.leaves(yes):
		x.assume(condition, false)
	case no >= 0 && x.leaves(no):
		x.assume(condition, true)
	}
}

// leaves reports whether a statement never reaches the one after it.
func (x *extractor) leaves(n int32) bool {
	switch x.kind(n) {
	case kReturn, kJump:
		return true
	case kBlock:
		last := int32(-1)
		for c, end := n+1, x.nodes[n].Next; c < end; c = x.nodes[c].Next {
			if x.nodes[c].Named() && x.kind(c) != kComment {
				last = c
			}
		}
		return last >= 0 && x.leaves(last)
	}
	if name := x.t.Kind(n); name == "throw_statement" {
		return true
	} else if name == "else_clause" {
		c := x.firstNamed(n)
		return c >= 0 && x.leaves(c)
	}
	return false
}

func (x *extractor) forStatement(n int32) {
	mark, inside, namespace := x.open(), x.inside, x.namespace
	x.inside, x.namespace = true, false
	x.hoist(n)
	facts := len(x.facts)
	for c, end := n+1, x.nodes[n].Next; c < end; c = x.nodes[c].Next {
		if x.nodes[c].Named() {
			if x.nodes[c].Field == x.g.body {
				x.assume(x.child(n, x.g.condition), true)
			}
			x.statement(c)
		}
	}
	x.facts = x.facts[:facts]
	x.inside, x.namespace = inside, namespace
	x.close(mark)
}

// forIn reads for…in and for…of.
func (x *extractor) forIn(n int32) {
	left, right, body := x.child(n, x.g.left), x.child(n, x.g.right), x.child(n, x.g.body)
	over := int32(-1)
	if right >= 0 {
		over = x.expr(right, -1)
	}
	item := x.basic("string")
	if op := x.child(n, x.g.operator); op >= 0 && string(x.t.Text(op)) == "of" {
		item = x.Make(opEach, -1, over, -1)
		if x.has(n, "await") {
			item = x.Make(opAwait, -1, item, -1)
		}
	}
	mark, inside, namespace := x.open(), x.inside, x.namespace
	x.inside, x.namespace = true, false
	if left >= 0 {
		if x.child(n, x.g.fields.kind) >= 0 {
			x.hoistPattern(left, false)
			x.declarePattern(left, item)
		} else {
			x.assignPattern(left, item)
		}
	}
	if body >= 0 {
		x.statement(body)
	}
	x.inside, x.namespace = inside, namespace
	x.close(mark)
}

func (x *extractor) catchClause(n int32) {
	mark, inside, namespace := x.open(), x.inside, x.namespace
	x.inside, x.namespace = true, false
	if p := x.child(n, x.g.parameter); p >= 0 {
		typ := int32(-1)
		if t := x.child(n, x.g.typ); t >= 0 {
			typ = x.typ(t)
		}
		x.hoistPattern(p, false)
		x.declarePattern(p, x.Make(opCast, -1, typ, -1))
	}
	if body := x.child(n, x.g.body); body >= 0 {
		x.statement(body)
	}
	x.inside, x.namespace = inside, namespace
	x.close(mark)
}

func (x *extractor) expressionStatement(n int32) {
	c := x.firstNamed(n)
	if c < 0 {
		return
	}
	if x.kind(c) == kModule || x.kind(c) == kFunctionDeclaration {
		x.statement(c)
		return
	}
	if x.kind(c) == kAssignment && x.assignDef(n, c) {
		return
	}
	x.expr(c, -1)
	x.assumeAsserted(c)
}

// variables reads a lexical or variable declaration. A declaration with one
// name is, keyword included, the range of that name.
func (x *extractor) variables(n, whole int32) {
	count, only := 0, int32(-1)
	for c, end := n+1, x.nodes[n].Next; c < end; c = x.nodes[c].Next {
		if x.kind(c) == kDeclarator {
			count, only = count+1, c
		}
	}
	kind := index.KindVariable
	if x.nodes[n].Next > n+1 && string(x.t.Text(n+1)) == "const" {
		kind = index.KindConstant
	}
	doc := index.Range{}
	if !x.inside || only >= 0 && x.definesByValue(only) {
		doc = x.doc.take(x, x.nodes[whole].Start)
	}
	for c, end := n+1, x.nodes[n].Next; c < end; c = x.nodes[c].Next {
		if x.kind(c) != kDeclarator {
			continue
		}
		cover := c
		if count == 1 {
			cover = whole
		}
		x.declarator(c, cover, kind, doc)
		doc = index.Range{}
	}
}

package index

// Views read single rows of a pack without unpacking it.

type defView struct {
	name, kind, visibility, flags, parent, owner, start, length, ident, identLength, body, doc, docLength,
	fingerprint, params, p1, p2, p3, typ, value, twin column
}

func openDefs(p pack) defView {
	c := p.column
	return defView{c(partDefName), c(partDefKind), c(partDefVisibility), c(partDefFlags), c(partDefParent),
		c(partDefOwner), c(partDefStart), c(partDefLength), c(partDefIdent), c(partDefIdentLength), c(partDefBody),
		c(partDefDoc), c(partDefDocLength), c(partDefFingerprint), c(partDefParams), c(partDefP1), c(partDefP2),
		c(partDefP3), c(partDefType), c(partDefValue), c(partDefTwin)}
}

func (v *defView) read(i int, d *Def) {
	start, ident, doc, params := v.start.at(i), v.ident.at(i), v.doc.at(i), v.params.at(i)
	*d = Def{Name: v.name.at(i), Kind: Kind(v.kind.at(i)), Visibility: Visibility(v.visibility.at(i)),
		Flags: uint16(v.flags.at(i)), Parent: v.parent.signed(i), Owner: v.owner.signed(i),
		Range: Range{start, start + v.length.at(i)}, Ident: Range{ident, ident + v.identLength.at(i)},
		Body: start + v.body.at(i), Doc: Range{doc, doc + v.docLength.at(i)}, Fingerprint: v.fingerprint.wide(i),
		P0: params, Type: v.typ.signed(i), Value: v.value.signed(i)}
	d.P1 = d.P0 + v.p1.at(i)
	d.P2 = d.P1 + v.p2.at(i)
	d.P3 = d.P2 + v.p3.at(i)
}

type siteView struct{ name, start, in, kind, expr, call column }

func openSites(p pack) siteView {
	c := p.column
	return siteView{c(partSiteName), c(partSiteStart), c(partSiteIn), c(partSiteKind), c(partSiteExpr), c(partSiteCall)}
}

func (v *siteView) read(i int) Site {
	return Site{Name: v.name.at(i), Start: v.start.at(i), In: v.in.signed(i), Kind: RefKind(v.kind.at(i)),
		Expr: v.expr.signed(i), Call: v.call.signed(i)}
}

type markView struct{ kind, strength, in, start, length, form column }

func openMarks(p pack) markView {
	c := p.column
	return markView{c(partMarkKind), c(partMarkStrength), c(partMarkIn), c(partMarkStart), c(partMarkLength), c(partMarkForm)}
}

// read leaves Text and Form empty.
func (v *markView) read(i int) MarkFact {
	start := v.start.at(i)
	return MarkFact{Kind: MarkKind(v.kind.at(i)), Strength: uint8(v.strength.at(i)), In: v.in.signed(i),
		Range: Range{start, start + v.length.at(i)}}
}

// blob returns string i of the strings whose ends are part and whose bytes are
// part+1, as a view into the pack: copy it before the pack can go away.
func (p pack) blob(part, i int) []byte {
	ends, all := p.column(part), p.part(part+1)
	start := uint32(0)
	if i > 0 {
		start = ends.at(i - 1)
	}
	end := ends.at(i)
	if i < 0 || start > end || int(end) > len(all) {
		return nil
	}
	return all[start:end]
}

// text returns string k of Facts.Texts.
func (p pack) text(k int) string {
	texts, all := p.column(partTexts), p.part(partText)
	start, end := texts.at(k), texts.at(k+1)
	if start > end || int(end) > len(all) {
		return ""
	}
	return string(all[start:end])
}

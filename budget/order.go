package budget

import "sort"

// inOrder puts pieces where a reader wants them (BUD-9): what belongs to one
// seed together; first its definition, right behind it the tests that check it,
// then its helpers with their tests, its call sites, its contracts; signatures,
// then configuration and history, after all seeds.
func inOrder(all []*piece) []*piece {
	var primary []*piece
	tests := make(map[string][]*piece)
	in := make(map[string]bool)
	for _, p := range all {
		if p.layer != Tests {
			in[p.sym.ID] = in[p.sym.ID] || p.layer == Definitions || p.layer == Contracts
		}
	}
	for _, p := range all {
		if p.layer == Tests && in[p.of] {
			tests[p.of] = append(tests[p.of], p)
			continue
		}
		primary = append(primary, p)
	}
	sort.SliceStable(primary, func(i, j int) bool { return earlier(primary[i], primary[j]) })
	var out []*piece
	for _, p := range primary {
		out = append(out, p)
		if p.layer == Definitions || p.layer == Contracts {
			out = append(out, sortedByPlace(tests[p.sym.ID])...)
			delete(tests, p.sym.ID)
		}
	}
	return out
}

func sortedByPlace(ps []*piece) []*piece {
	sort.SliceStable(ps, func(i, j int) bool { return place(ps[i], ps[j]) })
	return ps
}

// rank orders the kinds of pieces of one seed.
func (p *piece) rank() int {
	switch {
	case p.must:
		return 0
	case p.layer == Tests:
		return 1
	case p.layer == Definitions:
		return 2
	case p.layer == CallSites:
		return 3
	case p.layer == Contracts:
		return 4
	}
	return 5
}

func earlier(a, b *piece) bool {
	global := func(p *piece) int {
		switch p.layer {
		case Signatures:
			return 1
		case ConfigHistory:
			return 2
		}
		return 0
	}
	switch {
	case global(a) != global(b):
		return global(a) < global(b)
	case global(a) == 0 && a.root != b.root:
		return a.root < b.root
	case a.rank() != b.rank():
		return a.rank() < b.rank()
	case a.layer == CallSites && a.of != b.of:
		return a.of < b.of
	}
	return place(a, b)
}

func place(a, b *piece) bool {
	fa, fb := a.sym.Span.File, b.sym.Span.File
	if a.file != "" {
		fa = a.file
	}
	if b.file != "" {
		fb = b.file
	}
	la, lb := a.sym.Span.Line, b.sym.Span.Line
	if a.file != "" {
		la = a.lines[0] + 1
	}
	if b.file != "" {
		lb = b.lines[0] + 1
	}
	switch {
	case fa != fb:
		return fa < fb
	case la != lb:
		return la < lb
	}
	return a.sym.ID < b.sym.ID
}

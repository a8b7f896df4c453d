package changeset

import (
	"fmt"

	"github.com/plumbkit/plumb/index"
)

// family adds the contracts that follow from declared ones: a changed method of
// an interface changes its implementations and overrides, and an
// implementation's change breaks the interface, and with it the others.
func (v *derivation) family() {
	for i := 0; i < len(v.contracts); i++ {
		c := v.contracts[i] // the slice grows while it is walked
		if c.sym.Kind != index.KindMethod {
			continue
		}
		m := v.snap.Members(c.sym.ID)
		for _, r := range m.Implementations {
			v.follow(c, r.Symbol, r.Sure, fmt.Sprintf("implements %s, whose contract changes", c.sym.Canonical))
		}
		for _, r := range m.Implements {
			v.follow(c, r.Symbol, r.Sure, fmt.Sprintf("%s implements it and changes", c.sym.Canonical))
		}
	}
	v.joinBlocks()
}

// follow adds the contract that a related method gets from c, unless it has one.
func (v *derivation) follow(c contract, m index.Symbol, sure bool, because string) {
	if v.contractOf(m.ID) != nil || m.ID == c.sym.ID || m.Kind != index.KindMethod && m.Kind != index.KindFunction {
		return
	}
	n := contract{sym: m, now: m, rename: c.rename, remove: c.remove, sure: sure && c.sure, block: c.block, because: because}
	if c.rename == "" && !c.remove {
		n.now = transferred(c, m)
	}
	v.contracts = append(v.contracts, n)
}

// transferred applies the step from c's old signature to its new one to
// another method of the family. Parameters and results that stay keep the other
// method's own words; their types may be written differently in its package.
func transferred(c contract, m index.Symbol) index.Symbol {
	now := m
	now.Signature.Params = step(c.sym.Signature.Params, c.now.Signature.Params, m.Signature.Params)
	now.Signature.Results = step(c.sym.Signature.Results, c.now.Signature.Results, m.Signature.Results)
	now.Signature.Text = c.now.Signature.Text
	return now
}

func step(before, after, own []index.Param) []index.Param {
	if len(before) != len(own) {
		return after
	}
	used := make([]bool, len(before))
	out := make([]index.Param, len(after))
	for i, p := range after {
		out[i] = p
		for j, old := range before {
			if !used[j] && old == p {
				out[i], used[j] = own[j], true
				break
			}
		}
	}
	return out
}

// joinBlocks puts methods of one family into one block, whichever of them were declared.
func (v *derivation) joinBlocks() {
	for i := range v.contracts {
		c := &v.contracts[i]
		m := v.snap.Members(c.sym.ID)
		for _, r := range append(m.Implementations, m.Implements...) {
			if o := v.contractOf(r.Symbol.ID); o != nil && o.block != c.block {
				old := o.block
				for j := range v.contracts {
					if v.contracts[j].block == old {
						v.contracts[j].block = c.block
					}
				}
			}
		}
	}
}

package changeset

import (
	"strings"

	"github.com/plumbkit/plumb/index"
)

// Blocks group what has to land together. A changed contract and those that
// follow from it are one block, named after it. What calls a changed contract
// is a block of its own, which is weak: it may land apart when the caller
// allows it. Everything else is grouped by package.

// callsPrefix begins the names of blocks of call sites.
const callsPrefix = "calls of "

func isCalls(block string) bool { return strings.HasPrefix(block, callsPrefix) }

// blockOf returns the block of a symbol that a point sits on.
func (v *derivation) blockOf(p point, sym index.Symbol) string {
	if c := v.contractOf(sym.ID); c != nil && v.hasFamily(*c) {
		return c.block
	}
	if b := v.callsBlock(sym); b != "" {
		return b
	}
	if c := v.contractOf(sym.ID); c != nil {
		return c.block
	}
	if sym.Package == "" {
		return p.ID
	}
	return sym.Package[strings.LastIndexByte(sym.Package, '/')+1:]
}

// hasFamily reports whether another contract follows from the same declaration.
func (v *derivation) hasFamily(c contract) bool {
	for _, o := range v.contracts {
		if o.sym.ID != c.sym.ID && o.block == c.block {
			return true
		}
	}
	return false
}

// callsBlock returns the block of call sites that a symbol belongs to, "" if it
// calls no changed contract. What calls a caller of a contract belongs with it.
func (v *derivation) callsBlock(sym index.Symbol) string {
	return v.callsBlockWithin(sym.ID, 4)
}

func (v *derivation) callsBlockWithin(id string, hops int) string {
	if hops == 0 || id == "" {
		return ""
	}
	for _, call := range v.snap.Callees(id, 0).Sure {
		c := v.contractOf(call.To)
		if c == nil || call.To == id {
			continue
		}
		if !v.hasFamily(*c) {
			if deeper := v.callsBlockWithin(call.To, hops-1); deeper != "" {
				return deeper
			}
		}
		return callsPrefix + c.block
	}
	return ""
}

// lastTwo is the end of a canonical name: type and method, or package and function.
func lastTwo(canonical string) string {
	name := canonical[strings.LastIndexByte(canonical, '/')+1:]
	parts := strings.Split(name, ".")
	return strings.Join(parts[max(0, len(parts)-2):], ".")
}

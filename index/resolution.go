package index

import "slices"

// resolution holds one file's Resolutions as columns, parallel to its sites.
type resolution struct {
	head  []uint8  // status, form and flags; see below
	rule  []uint8  // into rules
	aux   []uint32 // as the form says
	multi []uint32 // records: reason, module, number of targets, targets
	rules []string
	texts []string // reasons and modules; texts[0] is ""
}

// The parts of resolution.head.
const (
	headStatus  = 0x07
	headDropped = 0x07 // as the status
	headForm    = 0x38
	formNone    = 0x00
	formTarget  = 0x08 // aux is the only target
	formModule  = 0x10 // aux is the module
	formReason  = 0x18 // aux is the reason
	formMulti   = 0x20 // aux is an offset into multi
	headByName  = 0xc0 // what the name alone can mean; 0 when it is not that which decides
	namesTop    = 0x40 // package-level definitions
	namesAny    = 0x80 // these and members
	namesMember = 0xc0 // members
)

func (r *resolution) dropped(i int) bool { return r.head[i]&headStatus == headDropped }

func (r *resolution) status(i int) Status { return Status(r.head[i] & headStatus) }

func (r *resolution) byName(i int) bool { return r.head[i]&headByName != 0 }

func (r *resolution) ruleOf(i int) string { return r.rules[r.rule[i]] }

// targets returns symbol numbers; the slice is a view.
func (r *resolution) targets(i int) []uint32 {
	switch r.head[i] & headForm {
	case formTarget:
		return r.aux[i : i+1 : i+1]
	case formMulti:
		at := r.aux[i]
		n := r.multi[at+2]
		return r.multi[at+3 : at+3+n : at+3+n]
	}
	return nil
}

func (r *resolution) reason(i int) string {
	switch r.head[i] & headForm {
	case formReason:
		return r.texts[r.aux[i]]
	case formMulti:
		return r.texts[r.multi[r.aux[i]]]
	}
	return ""
}

func (r *resolution) module(i int) string {
	switch r.head[i] & headForm {
	case formModule:
		return r.texts[r.aux[i]]
	case formMulti:
		return r.texts[r.multi[r.aux[i]+1]]
	}
	return ""
}

// mapped returns r with every target renumbered.
func (r *resolution) mapped(number func(uint32) uint32) *resolution {
	out := &resolution{head: r.head, rule: r.rule, aux: slices.Clone(r.aux), multi: slices.Clone(r.multi),
		rules: r.rules, texts: r.texts}
	for i := range out.head {
		switch r.head[i] & headForm {
		case formTarget:
			out.aux[i] = number(r.aux[i])
		case formMulti:
			for j, t := range r.targets(i) {
				out.multi[int(r.aux[i])+3+j] = number(t)
			}
		}
	}
	return out
}

// A resolver turns Resolutions into a resolution.
type resolver struct {
	out   *resolution
	rules map[string]uint8
	texts map[string]uint32
	share *interner
}

func newResolver(sites int, share *interner) *resolver {
	return &resolver{out: &resolution{head: make([]uint8, sites), rule: make([]uint8, sites), aux: make([]uint32, sites),
		texts: []string{""}}, rules: make(map[string]uint8), texts: map[string]uint32{"": 0}, share: share}
}

// set records what was found for site i; number gives a target's symbol number.
func (r *resolver) set(i int, x *Resolution, targets []uint32) {
	o := r.out
	if x.Drop {
		o.head[i] = headDropped
		return
	}
	head := uint8(x.Status) & headStatus
	switch {
	case !x.ByName:
	case x.Any:
		head |= namesAny
	case x.Members:
		head |= namesMember
	default:
		head |= namesTop
	}
	o.rule[i] = r.rule(x.Rule)
	switch {
	case len(targets) == 1 && x.Reason == "" && x.Module == "":
		head, o.aux[i] = head|formTarget, targets[0]
	case len(targets) == 0 && x.Reason == "" && x.Module != "":
		head, o.aux[i] = head|formModule, r.text(x.Module)
	case len(targets) == 0 && x.Reason != "" && x.Module == "":
		head, o.aux[i] = head|formReason, r.text(x.Reason)
	case len(targets) > 0 || x.Reason != "":
		head |= formMulti
		o.aux[i] = uint32(len(o.multi))
		o.multi = append(o.multi, r.text(x.Reason), r.text(x.Module), uint32(len(targets)))
		o.multi = append(o.multi, targets...)
	}
	o.head[i] = head
}

func (r *resolver) rule(s string) uint8 {
	n, ok := r.rules[s]
	if !ok && len(r.rules) >= 255 { // the last number is for all further rules
		s = "other"
		n, ok = r.rules[s]
	}
	if !ok {
		n = uint8(len(r.out.rules))
		r.out.rules = append(r.out.rules, r.share.string(s))
		r.rules[s] = n
	}
	return n
}

func (r *resolver) text(s string) uint32 {
	n, ok := r.texts[s]
	if !ok {
		n = uint32(len(r.out.texts))
		r.out.texts = append(r.out.texts, r.share.string(s))
		r.texts[s] = n
	}
	return n
}

func (r *resolver) done() *resolution {
	r.out.multi = slices.Clip(r.out.multi)
	return r.out
}

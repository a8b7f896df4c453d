package budget

// allot shares total tokens out among the layers: each starts with its quota;
// what a layer leaves flows to the next in the order of Layers; what the last
// one leaves goes back, in the same order, to those that had to drop something.
// Within a layer pieces are taken in their order, each in the fullest form
// that still fits, and a piece that does not fit in any form is passed over.
// What must be in is taken before all quotas, in the fullest form that the
// total allows while the least forms of the others that must be in still fit.
//
// It returns the use of each layer and reports whether everything that must be
// in is in. taken[p] is the form, -1 for dropped.
func allot(total int, shares map[Layer]float64, layers map[Layer][]*piece) (uses []Use, taken map[*piece]int, ok bool) {
	taken = make(map[*piece]int)
	left, ok := reserve(total, shares, layers, taken)
	used := make(map[Layer]int)
	for p, i := range taken {
		n, _ := p.tokens(i)
		used[p.layer] += n
	}
	carry := 0
	for _, l := range Layers() {
		quota := int(shares[l] * float64(total))
		room := min(max(quota-used[l], 0), left) + carry
		spent := fill(min(room, left), layers[l], taken)
		uses = append(uses, Use{Layer: l, Quota: quota, Received: carry})
		carry = max(room-spent, 0)
		left -= spent
	}
	for i, l := range Layers() {
		spent := fill(left, layers[l], taken)
		left -= spent
		if spent > 0 {
			uses[i].Received += spent
		}
	}
	for i := range uses {
		count(&uses[i], layers[uses[i].Layer], taken)
	}
	return uses, taken, ok
}

// reserve takes what must be in. Its forms grow as far as twice the quota of
// the layer goes, so that many seeds do not starve everything else.
func reserve(total int, shares map[Layer]float64, layers map[Layer][]*piece, taken map[*piece]int) (left int, ok bool) {
	left = total
	var must []*piece
	for _, l := range Layers() {
		for _, p := range layers[l] {
			if p.must {
				must = append(must, p)
				form, n := p.least()
				taken[p] = form
				left -= n
			}
		}
	}
	if left < 0 {
		return 0, false
	}
	room := min(left, int(2*shares[Definitions]*float64(total)))
	for _, p := range must {
		_, least := p.least()
		for i := 0; ; i++ {
			n, _ := p.tokens(i)
			if n-least <= room {
				taken[p] = i
				room, left = room-(n-least), left-(n-least)
				break
			}
		}
	}
	return left, true
}

// fill takes pieces not yet taken while they fit into room, and returns what they cost.
func fill(room int, pieces []*piece, taken map[*piece]int) (spent int) {
	for _, p := range pieces {
		if i, ok := taken[p]; ok && i >= 0 {
			continue
		}
		taken[p] = -1
		for i := 0; ; i++ {
			n, ok := p.tokens(i)
			if ok && n <= room-spent {
				taken[p] = i
				spent += n
			}
			if !ok || taken[p] >= 0 {
				break
			}
		}
	}
	return spent
}

func count(u *Use, pieces []*piece, taken map[*piece]int) {
	for _, p := range pieces {
		if i := taken[p]; i >= 0 {
			n, _ := p.tokens(i)
			u.Used += n
			u.Items++
		} else {
			u.Dropped++
		}
	}
}

// smallest returns the smallest total in which allot drops nothing, given that
// everything costs at most sum in its fullest forms.
func smallest(shares map[Layer]float64, layers map[Layer][]*piece) int {
	low, high := 1, 1
	for _, l := range Layers() {
		for _, p := range layers[l] {
			_, least := p.least()
			low += least
			high += p.most()
		}
	}
	for low < high {
		mid := (low + high) / 2
		if holds(mid, shares, layers) {
			high = mid
		} else {
			low = mid + 1
		}
	}
	return high
}

func holds(total int, shares map[Layer]float64, layers map[Layer][]*piece) bool {
	uses, _, ok := allot(total, shares, layers)
	for _, u := range uses {
		ok = ok && u.Dropped == 0
	}
	return ok
}

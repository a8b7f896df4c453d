package patch

// A change says that old lines [A0,A1) became new lines [B0,B1), 0-based, half-open.
type change struct{ A0, A1, B0, B1 int }

// maxCost bounds the search for a shortest script in one region; beyond it the
// region is cut at the farthest point reached, which keeps the result right but
// not always shortest.
const maxCost = 2048

// diffLines returns the changes that turn a into b, in order, none touching
// another. It is Myers' linear-space algorithm ("An O(ND) Difference Algorithm
// and Its Variations", 1986) over interned lines, after lines that stand on one
// side only are set aside, so that a rewritten file costs little. Libraries were
// not taken because those that are kept either stop being minimal after 100
// differences, which would count untouched lines as changed (PAT-13, PAT-15), or
// only print.
func diffLines(a, b []string) []change {
	d := differ{ids: make(map[string]int, len(a))}
	x, y := d.intern(a), d.intern(b)
	d.delA, d.delB = make([]bool, len(a)), make([]bool, len(b))
	d.run(x, y)
	return slide(d.changes(), a, b)
}

// differ marks the lines that are not in common.
type differ struct {
	ids        map[string]int
	delA, delB []bool
	// fa, fb map positions in the reduced sequences to the lines themselves.
	fa, fb []int
	vf, vb []int
}

func (d *differ) intern(lines []string) []int {
	out := make([]int, len(lines))
	for i, l := range lines {
		id, ok := d.ids[l]
		if !ok {
			id = len(d.ids)
			d.ids[l] = id
		}
		out[i] = id
	}
	return out
}

// run sets aside what only one side has, and compares the rest.
func (d *differ) run(x, y []int) {
	lo := 0
	for lo < len(x) && lo < len(y) && x[lo] == y[lo] {
		lo++
	}
	hx, hy := len(x), len(y)
	for hx > lo && hy > lo && x[hx-1] == y[hy-1] {
		hx--
		hy--
	}
	inX, inY := make([]bool, len(d.ids)), make([]bool, len(d.ids))
	for _, id := range x[lo:hx] {
		inX[id] = true
	}
	for _, id := range y[lo:hy] {
		inY[id] = true
	}
	rx, fa := reduce(x, lo, hx, inY, d.delA)
	ry, fb := reduce(y, lo, hy, inX, d.delB)
	d.fa, d.fb = fa, fb
	size := 2*min(maxCost, len(rx)+len(ry)) + 4
	d.vf, d.vb = make([]int, size+2), make([]int, size+2)
	d.compare(rx, ry, 0, len(rx), 0, len(ry))
}

// reduce returns the part [lo,hi) of x without what the other side lacks, which it marks.
func reduce(x []int, lo, hi int, other, deleted []bool) (kept, from []int) {
	for i := lo; i < hi; i++ {
		if other[x[i]] {
			kept, from = append(kept, x[i]), append(from, i)
		} else {
			deleted[i] = true
		}
	}
	return kept, from
}

func (d *differ) compare(x, y []int, x0, x1, y0, y1 int) {
	for {
		for x0 < x1 && y0 < y1 && x[x0] == y[y0] {
			x0++
			y0++
		}
		for x1 > x0 && y1 > y0 && x[x1-1] == y[y1-1] {
			x1--
			y1--
		}
		if x0 == x1 || y0 == y1 {
			break
		}
		mx, my := d.middle(x[x0:x1], y[y0:y1])
		if mx+my == 0 || mx+my == x1-x0+y1-y0 {
			break // no progress possible: the region is replaced
		}
		d.compare(x, y, x0, x0+mx, y0, y0+my)
		x0, y0 = x0+mx, y0+my
	}
	for ; x0 < x1; x0++ {
		d.delA[d.fa[x0]] = true
	}
	for ; y0 < y1; y0++ {
		d.delB[d.fb[y0]] = true
	}
}

// middle returns a point that a shortest script passes through, or, when the
// search costs too much, the farthest point reached from the start.
func (d *differ) middle(x, y []int) (int, int) {
	n, m := len(x), len(y)
	limit := min((n+m+1)/2, maxCost)
	off := limit + 1
	vf, vb := d.vf[:2*off+1], d.vb[:2*off+1]
	vf[off+1], vb[off+1] = 0, 0
	delta := n - m
	for cost := 0; cost <= limit; cost++ {
		for k := -cost; k <= cost; k += 2 {
			px := reach(vf, off, k, cost)
			for px < n && px-k < m && px-k >= 0 && x[px] == y[px-k] {
				px++
			}
			vf[off+k] = px
			if rk := delta - k; delta&1 != 0 && rk > -cost && rk < cost && px+vb[off+rk] >= n && px <= n && px-k <= m && px-k >= 0 {
				return px, px - k
			}
		}
		for k := -cost; k <= cost; k += 2 {
			px := reach(vb, off, k, cost)
			for px < n && px-k < m && px-k >= 0 && x[n-1-px] == y[m-1-px+k] {
				px++
			}
			vb[off+k] = px
			if fk := delta - k; delta&1 == 0 && fk >= -cost && fk <= cost && px+vf[off+fk] >= n && px <= n && px-k <= m && px-k >= 0 {
				return n - px, m - px + k
			}
		}
	}
	return farthest(vf, off, limit, n, m)
}

func reach(v []int, off, k, cost int) int {
	if k == -cost || (k != cost && v[off+k-1] < v[off+k+1]) {
		return v[off+k+1]
	}
	return v[off+k-1] + 1
}

func farthest(v []int, off, limit, n, m int) (int, int) {
	bx, by := 0, 0
	for k := -limit; k <= limit; k += 2 {
		px := min(v[off+k], n)
		py := px - k
		if py >= 0 && py <= m && px+py > bx+by {
			bx, by = px, py
		}
	}
	return bx, by
}

// slide moves each pure insertion or deletion down as far as it goes, as git
// does, and joins it with the change it then touches.
func slide(changes []change, a, b []string) []change {
	var out []change
	for i := 0; i < len(changes); i++ {
		c := changes[i]
		room := len(a) - c.A1
		if i+1 < len(changes) {
			room = changes[i+1].A0 - c.A1
		}
		lines, lo, hi := b, c.B0, c.B1
		if c.B0 == c.B1 {
			lines, lo, hi = a, c.A0, c.A1
		}
		n := 0
		for (c.A0 == c.A1 || c.B0 == c.B1) && n < room && lines[lo+n] == lines[hi+n] {
			n++
		}
		c = change{c.A0 + n, c.A1 + n, c.B0 + n, c.B1 + n}
		if n > 0 && n == room && i+1 < len(changes) {
			changes[i+1].A0, changes[i+1].B0 = c.A0, c.B0
			continue
		}
		out = append(out, c)
	}
	return out
}

func (d *differ) changes() []change {
	var out []change
	i, j := 0, 0
	for i < len(d.delA) || j < len(d.delB) {
		c := change{A0: i, B0: j}
		for i < len(d.delA) && d.delA[i] {
			i++
		}
		for j < len(d.delB) && d.delB[j] {
			j++
		}
		if i > c.A0 || j > c.B0 {
			c.A1, c.B1 = i, j
			out = append(out, c)
			continue
		}
		i++
		j++
	}
	return out
}

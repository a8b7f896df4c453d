package index

import (
	"path"
	"slices"
	"time"
)

// A Grouping says by what Health counts.
type Grouping string

// The groupings.
const (
	ByDir    Grouping = "dir"    // folders, each without the folders inside of it
	ByFile   Grouping = "file"   // listed files of a known language
	BySymbol Grouping = "symbol" // symbols with references inside, by ID
)

// A Health is how much of a repository the index knows, and what to do about
// what it does not (IDX-31). It is part of a document, as Answer is.
type Health struct {
	Digest string   `json:"digest"`
	By     Grouping `json:"by"`
	// Whole counts the repository; its Name is "".
	Whole HealthRow `json:"whole"`
	// Rows count each group, in order of name.
	Rows []HealthRow `json:"rows"`
	// Skipped are the files listed with a reason.
	Skipped []SkippedFile `json:"skipped"`
	// Missed are places of binding points that no definition came of, at most 100.
	Missed []Span `json:"missed"`
	// Unresolved says whether unresolved references gather in folders.
	Unresolved Spread `json:"unresolved"`
	// HighRisk are the symbols on which most depends (IDX-32), riskiest first, at
	// most 100.
	HighRisk []RiskySymbol `json:"high_risk"`
	// Update tells of the work that made this Snapshot.
	Update Update `json:"update"`
	// Findings are the figures outside of their healthy range, with the action.
	Findings []Finding `json:"findings"`
}

// A HealthRow counts one group. Ratios are 0 to 1; they are -1 where there is
// nothing to divide.
type HealthRow struct {
	Name  string `json:"name"` // folder, path or symbol ID
	Files int    `json:"files"`
	Lines int    `json:"lines"`
	// Definitions were registered; Bound are the binding points in the tree
	// outside of function bodies, by the language's query or by every named
	// declaration, and Missed those of them without a definition. Coverage is 1 - Missed ÷ Bound.
	Definitions int     `json:"definitions"`
	Bound       int     `json:"bound"`
	Missed      int     `json:"missed"`
	Coverage    float64 `json:"coverage"`
	// References were extracted. Resolution is Static ÷ References; Inside is
	// Static ÷ (References - External), the share of those that do not lead out.
	References int     `json:"references"`
	Static     int     `json:"static"`
	Ambiguous  int     `json:"ambiguous"`
	Dynamic    int     `json:"dynamic"`
	External   int     `json:"external"`
	Unresolved int     `json:"unresolved"`
	Resolution float64 `json:"resolution"`
	Inside     float64 `json:"inside"`
	// Skipped, Stale and Generated count files; GeneratedShare is that of lines.
	Skipped        int     `json:"skipped"`
	Stale          int     `json:"stale"`
	Generated      int     `json:"generated"`
	GeneratedLines int     `json:"generated_lines"`
	GeneratedShare float64 `json:"generated_share"`
}

// A SkippedFile is a file that was not read or extracted in full.
type SkippedFile struct {
	File   string `json:"file"`
	Reason string `json:"reason"`
}

// An Update tells what an Indexer or Overlay did.
type Update struct {
	// Incremental says that an earlier Snapshot was taken up.
	Incremental bool `json:"incremental"`
	// Changed files came, went or have another content; Linked files were resolved.
	Changed int           `json:"changed"`
	Linked  int           `json:"linked"`
	Elapsed time.Duration `json:"elapsed"` // of linking and listing, in nanoseconds
}

// Health returns the index's figures, counted by folder for "". Staleness is
// what WithStale was told: ask Drift first, where files can have changed since.
func (s *Snapshot) Health(by Grouping) Health {
	if by == "" {
		by = ByDir
	}
	c := &counter{s: s, by: by, rows: make(map[string]*HealthRow), stale: make(map[string]bool), whole: HealthRow{Name: ""},
		h: s.hollows(), dirs: make(map[string]*gathering)}
	for _, p := range s.stale {
		c.stale[p] = true
	}
	out := Health{Digest: s.digest, By: by, Skipped: []SkippedFile{}, Missed: []Span{}, Rows: []HealthRow{}, Update: s.work}
	for _, slot := range s.order {
		f := s.slots[slot]
		if f.skipped != "" {
			out.Skipped = append(out.Skipped, SkippedFile{f.path, f.skipped})
		}
		out.Missed = append(out.Missed, c.file(f)...)
	}
	out.Missed = out.Missed[:min(len(out.Missed), maxMissed)]
	for _, r := range c.rows {
		r.rate()
		out.Rows = append(out.Rows, *r)
	}
	slices.SortFunc(out.Rows, func(a, b HealthRow) int { return comparePaths(a.Name, b.Name) })
	c.whole.rate()
	out.Whole = c.whole
	out.Unresolved = spread(c.dirs, &c.whole)
	out.HighRisk = s.riskySymbols(c.h)
	out.Findings = findings(&out)
	return out
}

// A counter counts references by group.
type counter struct {
	s     *Snapshot
	by    Grouping
	h     *hollows
	whole HealthRow
	rows  map[string]*HealthRow
	dirs  map[string]*gathering
	stale map[string]bool
}

func (c *counter) row(name string) *HealthRow {
	r := c.rows[name]
	if r == nil {
		r = &HealthRow{Name: name}
		c.rows[name] = r
	}
	return r
}

// file counts one file and returns the places of what it missed.
func (c *counter) file(f *file) []Span {
	to := []*HealthRow{&c.whole}
	switch {
	case c.by == ByDir:
		to = append(to, c.row(path.Dir(f.path)))
	case c.by == ByFile && f.lang != "":
		to = append(to, c.row(f.path))
	}
	bound, missed := f.bound()
	for _, r := range to {
		r.Files++
		r.Lines += f.lines
		r.Definitions += int(f.defs)
		r.Bound += bound
		r.Missed += len(missed)
		if f.skipped != "" {
			r.Skipped++
		}
		if c.stale[f.path] {
			r.Stale++
		}
		if f.origin == Generated {
			r.Generated++
			r.GeneratedLines += f.lines
		}
	}
	c.references(f, to)
	return missed
}

func (c *counter) references(f *file, to []*HealthRow) {
	in := f.pack().column(partSiteIn)
	dir := c.dirs[path.Dir(f.path)]
	if dir == nil {
		dir = &gathering{reasons: make(map[string]int)}
		c.dirs[path.Dir(f.path)] = dir
	}
	rows, known := make(map[int32]*HealthRow), to
	for i := range f.res.len() {
		r := siteRef{f, i}
		if !c.h.refers(r) {
			continue
		}
		if def := in.signed(i); c.by == BySymbol && def >= 0 {
			if rows[def] == nil {
				rows[def] = c.symbol(symRef{f, int(def)})
			}
			to = append(known[:len(known):len(known)], rows[def])
		} else {
			to = known
		}
		status := c.h.status(r)
		for _, row := range to {
			row.count(status)
		}
		dir.references++
		if status == Unresolved {
			dir.unresolved++
			dir.reasons[f.res.reason(i)]++
		}
	}
}

func (c *counter) symbol(r symRef) *HealthRow {
	row := c.row(c.s.id(r))
	row.Files, row.Definitions = 1, 1
	start := r.file.pack().column(partDefStart).at(r.def)
	first, _ := r.file.position(start)
	last, _ := r.file.position(start + max(1, r.file.pack().column(partDefLength).at(r.def)) - 1)
	row.Lines = last - first + 1
	return row
}

func (r *HealthRow) count(st Status) {
	r.References++
	switch st {
	case Static:
		r.Static++
	case Ambiguous:
		r.Ambiguous++
	case Dynamic:
		r.Dynamic++
	case External:
		r.External++
	default:
		r.Unresolved++
	}
}

func (r *HealthRow) rate() {
	r.Coverage = 1 - ratio(r.Missed, r.Bound)
	if r.Bound == 0 {
		r.Coverage = -1
	}
	r.Resolution = ratio(r.Static, r.References)
	r.Inside = ratio(r.Static, r.References-r.External)
	r.GeneratedShare = ratio(r.GeneratedLines, r.Lines)
}

func ratio(a, b int) float64 {
	if b <= 0 {
		return -1
	}
	return float64(a) / float64(b)
}

// bound returns how many binding points the file's query finds, and the places
// of those without a definition.
func (f *file) bound() (n int, missed []Span) {
	if f.packed == nil {
		return 0, nil
	}
	var facts Facts
	counts, ok := f.pack().meta(&facts)
	if !ok {
		return 0, nil
	}
	for s := (stream{b: f.pack().part(partMissed)}); len(s.b) > 0; {
		start := uint32(s.uint())
		missed = append(missed, f.span(start, start+uint32(s.uint())))
	}
	return counts.bound, missed
}

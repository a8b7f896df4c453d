package main

import (
	"context"
	"flag"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/plumbkit/plumb/host/fault"
	"github.com/plumbkit/plumb/index"
)

// figures are what plumb index prints.
type figures struct {
	Schema     int    `json:"schema"`
	Digest     string `json:"digest"`
	Files      int    `json:"files"`
	Skipped    int    `json:"skipped"`
	Symbols    int    `json:"symbols"`
	References int    `json:"references"`
	Static     int    `json:"static"`
	Ambiguous  int    `json:"ambiguous"`
	Dynamic    int    `json:"dynamic"`
	External   int    `json:"external"`
	Unresolved int    `json:"unresolved"`
	Lines      int    `json:"lines"`
	Small      bool   `json:"small"`
	ElapsedMS  int64  `json:"elapsed_ms"`
	CPUMS      int64  `json:"cpu_ms"`
	ParseCPUMS int64  `json:"parse_cpu_ms"`
	PeakRSSMB  int64  `json:"peak_rss_mb"`
}

func indexCommand(fs *flag.FlagSet) action {
	list := fs.String("tier", "", "the tiers to build, comma separated: symbols, relations, types, build; each brings those before it, empty is all there are")
	return func(ctx context.Context, e *env, args []string) error {
		if err := none(args); err != nil {
			return err
		}
		tiers, err := tiersNamed(*list)
		if err != nil {
			return err
		}
		root, err := e.root()
		if err != nil {
			return err
		}
		start := time.Now()
		s, err := e.indexer().Index(ctx, index.Input{FS: root, Tiers: tiers, Progress: e.progress()})
		if err != nil {
			return err
		}
		t := s.Stats()
		cpu, rss := usageOfProcess()
		f := figures{1, s.Digest(), t.Files, t.Skipped, t.Symbols, t.References, t.Static, t.Ambiguous, t.Dynamic, t.External, t.Unresolved,
			t.Lines, s.Small(), time.Since(start).Milliseconds(), cpu.Milliseconds(), t.ParseCPU.Milliseconds(), rss >> 20}
		if e.structured() {
			return e.emit(f)
		}
		f.print(e, s)
		return nil
	}
}

// tiersNamed reads the tiers that are built: each brings those below it.
func tiersNamed(list string) (index.Tiers, error) {
	tiers := index.TierAll
	names := map[string]index.Tiers{"symbols": index.TierSymbols, "relations": index.TierRelations, "build": index.TierBuild}
	for name := range strings.SplitSeq(list, ",") {
		name = strings.TrimSpace(name)
		tier, ok := names[name]
		switch {
		case name == "":
		case name == "types":
			return 0, &fault.Fault{Class: fault.Unsupported, Op: "plumb index", Subject: fault.Subject{Text: name},
				Detail: "this build has no type tier", Next: "leave it out; build is the highest tier there is"}
		case !ok:
			f := wrong("there is no such tier", "use symbols, relations, types or build")
			f.Subject.Text = name
			return 0, f
		default:
			tiers = max(tiers, tier)
		}
	}
	return tiers, nil
}

// print shows the figures to people.
func (f figures) print(e *env, s *index.Snapshot) {
	e.printf("%d files (%d skipped), %d lines, %d symbols\n", f.Files, f.Skipped, f.Lines, f.Symbols)
	e.printf("%d references: %d static, %d ambiguous, %d dynamic, %d external, %d unresolved\n", f.References, f.Static, f.Ambiguous, f.Dynamic, f.External, f.Unresolved)
	by := map[string]int{}
	for _, file := range s.Files() {
		if file.Language != "" {
			by[file.Language]++
		}
	}
	var of []string
	for _, name := range slices.Sorted(maps.Keys(by)) {
		of = append(of, fmt.Sprintf("%s %d", name, by[name]))
	}
	if len(of) > 0 {
		e.printf("files by language: %s; the rest have none that plumb reads\n", strings.Join(of, ", "))
	}
	e.printf("%d ms, %d ms of CPU (%d in the parser), %d MB\n", f.ElapsedMS, f.CPUMS, f.ParseCPUMS, f.PeakRSSMB)
	skipped := 0
	for _, file := range s.Files() {
		if file.Skipped == "" {
			continue
		}
		if skipped++; skipped <= skippedShown {
			e.printf("skipped %s: %s\n", file.Path, file.Skipped)
		}
	}
	if skipped > skippedShown {
		e.printf("and %d more; plumb health -by file lists them\n", skipped-skippedShown)
	}
	if f.Small {
		e.printf("the repository is small: a host may take it whole\n")
	}
}

// skippedShown is how many skipped files are listed.
const skippedShown = 20

package budget

import (
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/plumbkit/plumb/index"
)

// Limits of the configuration layer: documents that name one seed, keys looked
// up, lines of a manifest that goes in whole.
const (
	mostDocuments = 3
	mostKeys      = 12
	wholeManifest = 40
)

// configHistory recalls what is no code: configuration keys that the seeds
// read, dependency declarations, documents that name a seed, and the last
// commits of the seeds' files (BUD-12).
func (q *collection) configHistory(p *spreader, s *seeder) ([]*candidate, error) {
	var out []*candidate
	q.files = q.snap.Files()
	for i, seed := range s.seeds {
		sym, ok := q.snap.Symbol(seed.Symbol)
		if !ok {
			continue
		}
		keys, err := q.keys(i, sym)
		if err != nil {
			return nil, err
		}
		docs, err := q.documents(i, sym)
		if err != nil {
			return nil, err
		}
		out = append(append(out, keys...), docs...)
	}
	out = append(out, q.manifests(p, s)...)
	commits, err := q.commits(s)
	return once(append(out, commits...)), err
}

// once keeps the first of several candidates for the same lines.
func once(all []*candidate) []*candidate {
	seen := make(map[string]bool)
	var out []*candidate
	for _, c := range all {
		key := fmt.Sprint(c.file, c.lines, c.ready.text)
		if !seen[key] {
			seen[key] = true
			out = append(out, c)
		}
	}
	return out
}

var keyForm = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9]*(?:[._-][A-Za-z0-9]+)*$`)

// keys looks up the strings of a seed that have the form of a key in the files
// that hold no code.
func (q *collection) keys(root int, sym index.Symbol) ([]*candidate, error) {
	src, err := q.sources.get(sym.Span.File)
	if err != nil {
		return nil, nil
	}
	src.readMarks(q.snap)
	var out []*candidate
	n := 0
	for _, m := range src.marks {
		inside := m.Kind == index.MarkString && m.Span.Start >= sym.Span.Start && m.Span.End <= sym.Span.End
		if !inside || len(m.Text) < 3 || !keyForm.MatchString(m.Text) || n >= mostKeys {
			continue
		}
		n++
		found, err := q.lines(root, m.Text, "configuration that "+sym.Name+" reads", isConfig)
		if err != nil {
			return nil, err
		}
		out = append(out, found...)
	}
	return out, nil
}

// documents looks for documents that name a seed by its name in code.
func (q *collection) documents(root int, sym index.Symbol) ([]*candidate, error) {
	if len(sym.Name) < 4 {
		return nil, nil
	}
	found, err := q.lines(root, sym.Name, "document that names "+sym.Name, isDocument)
	if len(found) > mostDocuments {
		found = found[:mostDocuments]
	}
	return found, err
}

func isConfig(file string) bool {
	base := strings.ToLower(path.Base(file))
	switch path.Ext(base) {
	case ".yaml", ".yml", ".json", ".toml", ".ini", ".env", ".conf", ".cfg", ".properties", ".tf":
		return base != "package-lock.json"
	}
	return strings.HasPrefix(base, ".env") || base == "dockerfile"
}

// largestText bounds the size of the documents and configuration files that are read.
const largestText = 256 << 10

// texts returns the sources of the files of a kind that are no test data.
func (q *collection) texts(kind func(string) bool) ([]*source, error) {
	var out []*source
	for _, f := range q.files {
		if !kind(f.Path) || private(f.Path) || f.Size > largestText || f.Skipped != "" || f.Origin == index.Vendored || strings.Contains("/"+f.Path, "/testdata/") {
			continue
		}
		src, err := q.sources.get(f.Path)
		if err != nil {
			return nil, err
		}
		out = append(out, src)
	}
	return out, nil
}

// lines recalls the paragraph around the first place where the word stands in
// each file of the kind.
func (q *collection) lines(root int, word, why string, kind func(string) bool) ([]*candidate, error) {
	texts, err := q.texts(kind)
	if err != nil {
		return nil, err
	}
	var out []*candidate
	for _, src := range texts {
		if at := wordIn(src.text, word); at >= 0 {
			from, to := paragraph(src, src.line(at))
			out = append(out, q.fragment(root, src, from, to, why))
		}
	}
	return out, nil
}

// wordIn returns the offset of the first place where a word stands by itself, -1 if there is none.
func wordIn(text, word string) int {
	part := func(i int) bool {
		return i >= 0 && i < len(text) && (isLetter(text[i]) || isDigit(text[i]) || text[i] == '_')
	}
	for from := 0; ; {
		i := strings.Index(text[from:], word)
		if i < 0 {
			return -1
		}
		at := from + i
		if !part(at-1) && !part(at+len(word)) {
			return at
		}
		from = at + 1
	}
}

// paragraph returns the lines around one, up to blank lines or four on either side.
func paragraph(src *source, line int) (from, to int) {
	blank := func(i int) bool { return strings.TrimSpace(src.lines(i, i)[0]) == "" }
	for from = line; from > 0 && line-from < 4 && !blank(from-1); from-- {
	}
	for to = line; to+1 < len(src.starts) && to-line < 4 && !blank(to+1); to++ {
	}
	return from, to
}

func (q *collection) fragment(root int, src *source, from, to int, why string) *candidate {
	return &candidate{layer: ConfigHistory, root: root, score: 50 - float64(root), why: why, file: src.file.Path, lines: [2]int{from, to}, origin: src.file.Origin,
		ready: &cut{form: Fragment, text: strings.Join(src.lines(from, to), "\n"), from: from, to: to}}
}

// manifests recalls the dependency declarations of the seeds' modules: whole
// when short, else the lines that name a module the seeds use.
func (q *collection) manifests(p *spreader, s *seeder) []*candidate {
	var out []*candidate
	seen := make(map[string]bool)
	for i, seed := range s.seeds {
		sym, ok := q.snap.Symbol(seed.Symbol)
		if !ok {
			continue
		}
		file, ok := q.manifestOf(sym.Span.File)
		if !ok || seen[file] {
			continue
		}
		seen[file] = true
		src, err := q.sources.get(file)
		if err != nil {
			continue
		}
		if len(src.starts) <= wholeManifest {
			out = append(out, q.fragment(i, src, 0, len(src.starts)-1, "declares the dependencies of "+sym.Name))
			continue
		}
		for _, r := range p.refsIn(sym) {
			if at := strings.Index(src.text, r.Module); r.Module != "" && at >= 0 {
				line := src.line(at)
				out = append(out, q.fragment(i, src, line, line, "declares "+r.Module+", which "+sym.Name+" uses"))
			}
		}
	}
	return out
}

// manifestOf returns the nearest manifest of a file's language, upward.
func (q *collection) manifestOf(file string) (string, bool) {
	lang := q.snap.Language(file)
	if lang == nil {
		return "", false
	}
	for dir := path.Dir(file); ; dir = path.Dir(dir) {
		for _, name := range lang.Manifests {
			if _, ok := q.snap.File(path.Join(dir, name)); ok {
				return path.Join(dir, name), true
			}
		}
		if dir == "." || dir == "/" {
			return "", false
		}
	}
}

// commits recalls the last commits of the seeds' files, one line each.
func (q *collection) commits(s *seeder) ([]*candidate, error) {
	if q.History == nil || q.config.Commits == 0 {
		return nil, nil
	}
	var files []string
	for _, seed := range s.seeds {
		if sym, ok := q.snap.Symbol(seed.Symbol); ok && !slices.Contains(files, sym.Span.File) {
			files = append(files, sym.Span.File)
		}
	}
	commits, err := q.History.Last(q.ctx, files, q.config.Commits)
	if err != nil || len(commits) == 0 {
		return nil, err
	}
	lines := make([]string, len(commits))
	for i, c := range commits {
		lines[i] = c.String()
	}
	return []*candidate{{layer: ConfigHistory, score: 60, why: fmt.Sprintf("the last %d commits that touched the seeds' files", len(commits)), file: files[0],
		ready: &cut{form: Line, text: strings.Join(lines, "\n")}}}, nil
}

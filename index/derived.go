package index

import (
	"path"
	"runtime"
	"slices"
	"strings"
)

// A Derivation ties a generated file to what makes it (IDX-16).
type Derivation struct {
	File string `json:"file"`
	// Source is the file to edit instead, where it is named; else the file
	// that holds the command; "" when neither is known.
	Source string `json:"source,omitempty"`
	// Command is what makes the file, run in Dir; "" when it is not known.
	Command string `json:"command,omitempty"`
	Dir     string `json:"dir,omitempty"`
	// By is where the command, or else the header that says so, stands.
	By Span `json:"by"`
}

// Derived returns what a generated file is made of: by the outputs that a
// command names, by the tool or source that the file's header names, or, when
// its package has one command only, by that.
func (s *Snapshot) Derived(path string) (Derivation, bool) {
	d, ok := s.lazy.derived()[path]
	return d, ok
}

// A maker is one directive.
type maker struct {
	file *file
	Directive
}

func (s *Snapshot) computeDerived() map[string]Derivation {
	out := make(map[string]Derivation)
	byDir := make(map[string][]maker)
	var generated []*file
	for _, slot := range s.order {
		f := s.slots[slot]
		if f.origin == Generated {
			generated = append(generated, f)
		}
		if !f.derived || f.packed == nil {
			continue
		}
		for _, d := range f.facts(complete).Directives {
			dir := path.Dir(f.path)
			byDir[dir] = append(byDir[dir], maker{f, d})
			for _, o := range d.Outputs {
				if _, taken := out[o]; !taken && o != f.path {
					out[o] = s.derivation(o, maker{f, d}, "")
				}
			}
		}
	}
	for _, f := range generated {
		if _, known := out[f.path]; !known {
			out[f.path] = s.byHeader(f, byDir[path.Dir(f.path)])
		}
	}
	return out
}

func (s *Snapshot) derivation(file string, m maker, source string) Derivation {
	d := Derivation{File: file, Source: source, Command: m.Command, Dir: path.Dir(m.file.path),
		By: m.file.span(m.Range.Start, m.Range.End)}
	if d.Source == "" {
		d.Source = s.inputOf(m)
	}
	return d
}

// inputOf returns the listed file that a command names as an argument and that
// is none of its outputs; else the file with the command.
func (s *Snapshot) inputOf(m maker) string {
	dir := path.Dir(m.file.path)
	for arg := range strings.FieldsSeq(m.Command) {
		arg = strings.Trim(arg, `"'`)
		if i := strings.LastIndexByte(arg, '='); i >= 0 {
			arg = arg[i+1:]
		}
		p := path.Join(dir, arg)
		if _, listed := s.byPath[p]; listed && !isOutput(m, p) && s.byPathKind(p) != Generated {
			return p
		}
	}
	return m.file.path
}

func (s *Snapshot) byPathKind(p string) Origin { return s.file(p).origin }

func isOutput(m maker, p string) bool {
	for _, o := range m.Outputs {
		if o == p {
			return true
		}
	}
	return false
}

// byHeader ties a generated file by what its first comments say.
func (s *Snapshot) byHeader(f *file, makers []maker) Derivation {
	header, span := s.header(f)
	source := s.namedSource(f, header)
	for _, m := range makers {
		if tool := s.engine.toolOf(m.Command); tool != "" && strings.Contains(header, tool) {
			return s.derivation(f.path, m, source)
		}
	}
	if len(makers) == 1 {
		return s.derivation(f.path, makers[0], source)
	}
	return Derivation{File: f.path, Source: source, Dir: path.Dir(f.path), By: span}
}

// header returns the comments at the head of the file, and the place of the
// one that says that it is generated.
func (s *Snapshot) header(f *file) (string, Span) {
	span := Span{File: f.path, Hash: f.hashString(), Line: 1, Col: 1}
	if f.packed == nil {
		return "", span
	}
	v := openMarks(f.pack())
	var b strings.Builder
	var src []byte
	for i := range f.marks() {
		m := v.read(i)
		if m.Kind != MarkComment || m.Range.Start > 4096 {
			continue
		}
		m.Text = string(f.pack().blob(partMarkEnds, i))
		if m.Text == "" {
			if src == nil {
				src, _ = s.source(f)
			}
			m.Text = ownText(m, src)
		}
		b.WriteString(m.Text + "\n")
		if span.End == 0 && strings.Contains(strings.ToLower(m.Text), "generated") {
			span = f.span(m.Range.Start, m.Range.End)
		}
	}
	runtime.KeepAlive(f.packed)
	return b.String(), span
}

// namedSource returns the listed file that the header names ("source: a.proto").
func (s *Snapshot) namedSource(f *file, header string) string {
	for word := range strings.FieldsSeq(header) {
		word = strings.Trim(word, `"'.,;:()`)
		if !strings.Contains(word, ".") || path.Base(word) == path.Base(f.path) {
			continue
		}
		for _, p := range []string{path.Join(path.Dir(f.path), word), path.Clean(word)} {
			if o := s.file(p); o != nil && o != f {
				return p
			}
		}
	}
	return ""
}

// toolOf returns the name of the program that a command runs, or has launched.
func (e *engine) toolOf(command string) string {
	fields := strings.Fields(command)
	for _, l := range e.languages {
		for _, launcher := range l.Launchers {
			if rest, ok := strings.CutPrefix(strings.Join(fields, " ")+" ", launcher+" "); ok {
				fields = slices.DeleteFunc(strings.Fields(rest), func(arg string) bool { return strings.HasPrefix(arg, "-") })
			}
		}
	}
	if len(fields) == 0 {
		return ""
	}
	tool := path.Base(fields[0])
	if i := strings.IndexByte(tool, '@'); i > 0 {
		tool = path.Base(fields[0][:strings.LastIndexByte(fields[0], '@')])
	}
	return strings.TrimSuffix(tool, path.Ext(tool))
}

package gate

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/plumbkit/plumb/index"
)

// importChanges lists added and removed imports (GAT-5): a removed one may be a
// misjudged dead import, an added one a new dependency.
func importChanges(_ context.Context, c *Case) ([]Finding, error) {
	var out []Finding
	for i := range c.Changes {
		f := &c.Changes[i]
		before, after := importMarks(c.Before, f.Old), importMarks(c.After, f.New)
		if f.Created() || f.Deleted() {
			continue
		}
		for _, m := range after {
			if !hasText(before, m.Text) {
				out = append(out, Finding{Before: at(f.Old, 1), After: m.Span, Reason: fmt.Sprintf("%s imports %q now", f.New, m.Text),
					Alternative: "use what is imported already where it does the same"})
			}
		}
		for _, m := range before {
			if !hasText(after, m.Text) {
				out = append(out, Finding{Before: m.Span, After: at(f.New, 1), Reason: fmt.Sprintf("%s no longer imports %q", f.New, m.Text),
					Alternative: "keep the import where it was for its effects"})
			}
		}
	}
	return out, nil
}

func importMarks(s *index.Snapshot, file string) []index.Mark {
	if file == "" {
		return nil
	}
	return marksOf(s, file, index.MarkImport)
}

// marksOf returns a file's marks of one kind.
func marksOf(s *index.Snapshot, file string, kind index.MarkKind) []index.Mark {
	if file == "" {
		return nil
	}
	return slices.DeleteFunc(s.Marks(file), func(m index.Mark) bool { return m.Kind != kind })
}

func hasText(marks []index.Mark, text string) bool {
	return slices.ContainsFunc(marks, func(m index.Mark) bool { return m.Text == text })
}

// suppressions blocks instructions to checkers to look away (GAT-9). One that
// only moved, or that names less than one of the same symbol did, is none.
func suppressions(_ context.Context, c *Case) ([]Finding, error) {
	was, now := suppressionsOf(c, false), suppressionsOf(c, true)
	var left []suppression
	for _, s := range was {
		if i := slices.IndexFunc(now, func(o suppression) bool { return o.Text == s.Text }); i >= 0 {
			now = slices.Delete(now, i, i+1)
		} else {
			left = append(left, s)
		}
	}
	var out []Finding
	for _, s := range now {
		if i := slices.IndexFunc(left, func(o suppression) bool {
			return canonical(o.In) == canonical(s.In) && namesNoMore(o.Text, s.Text, commentsOf(c.After, s.Span.File))
		}); i >= 0 {
			left = slices.Delete(left, i, i+1)
			continue
		}
		f := Finding{Before: at(s.change.Old, 1), After: s.Span, Symbol: canonical(s.In), Reason: fmt.Sprintf("a checker is told to look away: %q", s.Text),
			Missing: []string{"a reason in the plan"}, Alternative: "put right what the checker finds, or give the reason in the task's justifications"}
		if why := s.ofNewCode(c); why != "" {
			f.Strength, f.Missing, f.Present = Pass, nil, []string{why}
		}
		out = append(out, f)
	}
	return out, nil
}

// A suppression is a mark of one with the change of its file.
type suppression struct {
	index.Mark
	change *Change
}

// ofNewCode says that a suppression silences no check that was there, "" when it
// may: in a test, where the code that it stands at is new, no check of that code
// has passed before; and a type that is left open in a new declaration takes no
// type away. What catches a test's failure is never such.
func (s *suppression) ofNewCode(c *Case) string {
	info, ok := c.After.File(s.Span.File)
	switch {
	case !ok || s.Form == "exception":
		return ""
	case testCode(info):
		if code := suppressedCode(s.change.After, s.change.Before, s.Span); code != "" && !strings.Contains(squeeze(string(s.change.Before)), code) {
			return "the code of the test that it stands at is new"
		}
	case strings.TrimSpace(strings.TrimPrefix(s.Text, ":")) == "any" && strings.HasPrefix(s.Text, ":"):
		sym, ok := c.After.Symbol(s.In)
		if ok && sym.Kind != index.KindPackage && !hadName(c, sym, lastWord(s.change.After, s.Span.Start)) {
			return "what it leaves open is new"
		}
	}
	return ""
}

// hadName reports whether a symbol used a name before.
func hadName(c *Case, sym index.Symbol, name string) bool {
	for _, d := range c.Before.Named(sym.Name) {
		if src := source(c.Before, d.Span.File); d.Canonical == sym.Canonical && d.Span.End <= len(src) &&
			slices.Contains(names.FindAllString(string(src[d.Span.Start:d.Span.End]), -1), name) {
			return true
		}
	}
	return false
}

var names = regexp.MustCompile(`[\pL_$][\pL\pN_$]*`)

// lastWord is the name that ends before an offset.
func lastWord(src []byte, at int) string {
	all := names.FindAllString(string(src[max(0, at-80):min(at, len(src))]), -1)
	if len(all) == 0 {
		return ""
	}
	return all[len(all)-1]
}

// triedCode is what stands in the block that ends a text, up to the word that tries
// it: a line that was there before, or, without one, the last.
func triedCode(text string, before []byte) string {
	lines := strings.Split(text, "\n")
	code, was := "", squeeze(string(before))
	for i := len(lines) - 2; i >= 0; i-- {
		line := squeeze(lines[i])
		switch {
		case strings.HasPrefix(line, "try"):
			return code
		case len(line) < 4:
		case strings.Contains(was, line):
			return line
		case code == "":
			code = line
		}
	}
	return code
}

// suppressedCode is the code that a suppression stands at: that of its line
// before it, or, where it has a line of its own, of the next one.
func suppressedCode(src, before []byte, at index.Span) string {
	if at.End > len(src) {
		return ""
	}
	line := squeeze(string(src[strings.LastIndexByte(string(src[:at.Start]), '\n')+1 : at.Start]))
	after, _, _ := strings.Cut(string(src[at.End:]), "\n")
	if squeeze(after) != "" && line != "" { // a cast or a type, which stands inside of the code
		inner, _, _ := strings.Cut(string(src[at.Start:at.End]), " as ")
		if strings.HasPrefix(inner, ":") {
			inner = ""
		}
		return squeeze(string(src[strings.LastIndexByte(string(src[:at.Start]), '\n')+1:at.Start]) + inner + after)
	}
	if line == "}" {
		return triedCode(string(src[:at.Start]), before)
	}
	if line != "" && line != "{" {
		return line
	}
	_, rest, _ := strings.Cut(string(src[at.End:]), "\n")
	next, _, _ := strings.Cut(rest, "\n")
	return squeeze(next)
}

func suppressionsOf(c *Case, after bool) []suppression {
	var out []suppression
	for i := range c.Changes {
		f := &c.Changes[i]
		marks := marksOf(c.Before, f.Old, index.MarkSuppression)
		if after {
			marks = marksOf(c.After, f.New, index.MarkSuppression)
		}
		for _, m := range marks {
			out = append(out, suppression{m, f})
		}
	}
	return out
}

// namesNoMore reports whether a suppression names only checkers that the other
// one named; what follows a second comment marker explains and does not count. One
// that no longer names any silences all.
func namesNoMore(was, now string, c index.Comments) bool {
	names := func(s string) []string {
		for _, marker := range c.Line {
			s = strings.TrimPrefix(s, marker)
		}
		for _, marker := range c.Line {
			s, _, _ = strings.Cut(s, marker)
		}
		return strings.FieldsFunc(s, func(r rune) bool { return strings.ContainsRune(",:=[]/*() ", r) })
	}
	before, after := names(was), names(now)
	if len(after) < len(before) && slices.ContainsFunc(c.Blanket, func(b string) bool { return strings.Join(after, " ") == strings.Join(names(b), " ") }) {
		return false
	}
	if slices.ContainsFunc(c.Blanket, func(b string) bool { return strings.Join(before, " ") == strings.Join(names(b), " ") }) {
		return strings.HasPrefix(strings.Join(after, " "), strings.Join(before, " "))
	}
	return !slices.ContainsFunc(after, func(n string) bool { return !slices.Contains(before, n) })
}

func commentsOf(s *index.Snapshot, file string) index.Comments {
	if l := s.Language(file); l != nil {
		return l.Comments
	}
	return index.Comments{}
}

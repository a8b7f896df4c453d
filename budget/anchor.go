package budget

import (
	"regexp"
	"strconv"
	"strings"
	"unicode"
)

// An anchorKind says what in the text an anchor is; the smaller, the stronger.
type anchorKind uint8

const (
	anchorDeclared anchorKind = iota // named in the task's symbols, changes or the configuration
	anchorPlace                      // file and line, as in a stack trace
	anchorName                       // an identifier
	anchorPath                       // a file
	anchorRoute                      // a route such as /refunds/{id}
	anchorLiteral                    // a quoted message, error code or configuration key
	anchorPhrase                     // two or three plain words that may form a name
	anchorWord                       // one plain word
)

// An anchor is a piece of the task's text that may stand for something in the repository.
type anchor struct {
	kind anchorKind
	text string // as it is looked up
	line int    // of anchorPlace, 1-based
}

// The forms of anchors in running text (BUD-1).
var (
	placeForm   = regexp.MustCompile(`([A-Za-z0-9_.~/\\-]+\.[A-Za-z][A-Za-z0-9]{0,5}):(\d+)\b`)
	pyPlaceForm = regexp.MustCompile(`File "([^"]+)", line (\d+)`)
	pathForm    = regexp.MustCompile(`\b[A-Za-z0-9_.-]+(?:/[A-Za-z0-9_.-]+)*\.[a-z][a-z0-9]{0,5}\b`)
	routeForm   = regexp.MustCompile(`(?:^|[\s"'(\x60])(?:(?:GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS) )?(/[A-Za-z][A-Za-z0-9_{}:*/-]*)`)
	codeForm    = regexp.MustCompile("`([^`\n]+)`")
	quoteForm   = regexp.MustCompile(`"([^"\n]{2,120})"|“([^”\n]{2,120})”|'([^'\n]{3,120})'`)
	nameForm    = regexp.MustCompile(`[A-Za-z_$][A-Za-z0-9_$]*(?:(?:\.|::|#)\(?\*?[A-Za-z_$][A-Za-z0-9_$]*\)?)*`)
	errorForm   = regexp.MustCompile(`\b(?:[A-Z][A-Z0-9]*_[A-Z0-9_]+|[A-Z]{1,6}-?\d{2,6})\b`)
	wordForm    = regexp.MustCompile(`[A-Za-z][A-Za-z']+`)
)

// anchorsOf returns the anchors of a text, each once, strong kinds first, in
// the order of the text within a kind.
func anchorsOf(text string) []anchor {
	l := anchorList{seen: make(map[anchor]bool)}
	l.places(text)
	l.quotes(text)
	l.names(text)
	for _, m := range routeForm.FindAllStringSubmatch(text, -1) {
		if !strings.Contains(m[1], ".") && len(m[1]) > 3 {
			l.add(anchorRoute, m[1], 0)
		}
	}
	l.words(text)
	return l.sorted()
}

type anchorList struct {
	all  []anchor
	seen map[anchor]bool
}

func (l *anchorList) add(kind anchorKind, text string, line int) {
	a := anchor{kind: kind, text: text, line: line}
	if text != "" && !l.seen[a] {
		l.seen[a] = true
		l.all = append(l.all, a)
	}
}

func (l *anchorList) sorted() []anchor {
	var out []anchor
	for k := anchorDeclared; k <= anchorWord; k++ {
		for _, a := range l.all {
			if a.kind == k {
				out = append(out, a)
			}
		}
	}
	return out
}

func (l *anchorList) places(text string) {
	for _, form := range []*regexp.Regexp{pyPlaceForm, placeForm} {
		for _, m := range form.FindAllStringSubmatch(text, -1) {
			if n, err := strconv.Atoi(m[2]); err == nil && n > 0 {
				l.add(anchorPlace, strings.ReplaceAll(m[1], `\`, "/"), n)
			}
		}
	}
	for _, m := range pathForm.FindAllString(text, -1) {
		l.add(anchorPath, m, 0)
	}
}

// quotes reads what stands in backticks or quotation marks: a name with its
// parts, or a message.
func (l *anchorList) quotes(text string) {
	for _, m := range codeForm.FindAllStringSubmatch(text, -1) {
		l.quoted(m[1])
	}
	for _, m := range quoteForm.FindAllStringSubmatch(text, -1) {
		l.quoted(m[1] + m[2] + m[3])
	}
}

func (l *anchorList) quoted(text string) {
	text = strings.TrimSpace(text)
	if name := strings.TrimSuffix(text, "()"); nameForm.FindString(name) == name {
		l.add(anchorName, plainName(name), 0)
		if parts := nameParts(name); len(parts) > 1 {
			for _, p := range parts {
				l.add(anchorWord, p, 0)
			}
		}
		if !strings.Contains(name, ".") {
			return
		}
	}
	l.add(anchorLiteral, text, 0)
}

// names reads identifiers that prose does not use: camelCase, snake_case,
// dotted, called, and error codes.
func (l *anchorList) names(text string) {
	for _, at := range nameForm.FindAllStringIndex(text, -1) {
		name := text[at[0]:at[1]]
		called := strings.HasPrefix(text[at[1]:], "(") && !strings.HasSuffix(name, ")")
		if called || isName(name) {
			l.add(anchorName, plainName(name), 0)
		}
		if strings.Contains(name, ".") && strings.ToLower(name) == name && !isFile(text, at[0], name) {
			l.add(anchorLiteral, name, 0) // perhaps a configuration key
		}
	}
	for _, m := range errorForm.FindAllString(text, -1) {
		l.add(anchorLiteral, m, 0)
	}
}

// isFile reports whether a dotted name at an offset is the end of a path, or
// stands before a line number.
func isFile(text string, at int, name string) bool {
	end := at + len(name)
	return at > 0 && text[at-1] == '/' || end+1 < len(text) && text[end] == ':' && isDigit(text[end+1])
}

// isName reports whether a word can only be an identifier.
func isName(s string) bool {
	if strings.ContainsAny(s, "_$:#") {
		return strings.Trim(s, "_") != ""
	}
	if i := strings.IndexByte(s, '.'); i > 0 && i < len(s)-1 {
		return true
	}
	for i, r := range s {
		if i > 0 && unicode.IsUpper(r) && unicode.IsLower(rune(s[i-1])) {
			return true
		}
	}
	return false
}

// plainName writes a name with dots only: "pkg.(*T).M" is "pkg.T.M".
func plainName(s string) string {
	s = strings.NewReplacer("(", "", ")", "", "*", "", "::", ".", "#", ".").Replace(s)
	return strings.Trim(s, ".")
}

func (l *anchorList) words(text string) {
	for _, clause := range strings.FieldsFunc(text, func(r rune) bool { return strings.ContainsRune(".,;:!?()\n\t\"`", r) }) {
		words := wordForm.FindAllString(clause, -1)
		for i, w := range words {
			if !isStop(w) {
				l.add(anchorWord, strings.ToLower(w), 0)
			}
			for n := 2; n <= 3 && i+n <= len(words); n++ {
				if !isStop(words[i]) && !isStop(words[i+n-1]) {
					l.add(anchorPhrase, strings.ToLower(strings.Join(words[i:i+n], " ")), 0)
				}
			}
		}
	}
}

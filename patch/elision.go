package patch

import (
	"regexp"
	"strings"
)

// leaders are what comments begin and end with in the languages that models
// write; a placeholder is looked for behind them.
const leaders = "/#*-;%!<>{}()[]\"' \t"

// A placeholder says that code was left out instead of giving it. The words are
// those that models use; each pattern is matched against a whole line without
// comment signs, in lower case.
var (
	elidedDots = regexp.MustCompile(`^(?:\.{3,}|…)?[\s\])}]*(?:(?:the |your |all )*(?:rest|remaining|remainder|existing|previous|original|unchanged|omitted|same as (?:before|above)|other (?:code|methods|functions|imports|fields|cases|tests))\b[^.…]{0,60})[\s\[({]*(?:\.{3,}|…)?$`)
	elidedRest = regexp.MustCompile(`^(?:the )?(?:rest|remainder|remaining (?:code|part|lines|methods|functions))(?: of (?:the |this )?(?:code|file|function|class|method|implementation|body|content|module|component))?(?: (?:is|are|stays?|remains?|goes))? ?(?:unchanged|the same|as (?:is|before)|omitted|here)(?: for brevity)?\.?$`)
	elidedCode = regexp.MustCompile(`^(?:existing|previous|original|unchanged|remaining|other) (?:code|implementation|content|imports|methods|functions|lines|logic|body)(?: (?:here|unchanged|omitted|(?:goes|stays|remains) (?:here|unchanged|the same)|for brevity)){1,2}\.?$`)
	// spread is code: what spreads or collects the rest of a value.
	spread    = regexp.MustCompile(`^[\[({<]*\s*\.{3}[\w$]+(?:\s*$|[^\w\s]|\s+(?:[^\w\s]|as\b))`)
	elidedCut = regexp.MustCompile(`^(?:code|lines?|content|implementation)? ?(?:omitted|elided|truncated|snipped)(?: for brevity)?\.?$|^snip$`)
)

// elided reports whether a line stands in place of code that was left out.
func elided(line string) bool {
	s := strings.ToLower(strings.TrimSpace(bare(line)))
	if spread.MatchString(s) {
		return false
	}
	comment := s != "" && strings.ContainsRune("/#*-;%<{(\"'", rune(s[0]))
	s = strings.Trim(s, leaders)
	if len(s) < 4 || len(s) > 120 {
		return false
	}
	dots := strings.HasPrefix(s, "...") || strings.HasPrefix(s, "…") || strings.HasSuffix(s, "...") || strings.HasSuffix(s, "…")
	if dots && elidedDots.MatchString(s) {
		return true
	}
	return comment && (elidedRest.MatchString(s) || elidedCode.MatchString(s) || elidedCut.MatchString(s))
}

// marker reports whether a line is a marker of a merge conflict or of an edit
// envelope, which never belongs into a file.
func marker(line string) bool {
	line = bare(line)
	for _, m := range []string{"<<<<<<<", ">>>>>>>", "|||||||"} {
		if rest, ok := strings.CutPrefix(line, m); ok && (rest == "" || rest[0] == ' ') {
			return true
		}
	}
	return line == "*** Begin Patch" || line == "*** End Patch" || strings.HasPrefix(line, "*** Update File: ")
}

// foreign looks for the first line of added that no file should get: a marker
// or a placeholder for left-out code. known tells lines that already stand in
// the file and so are the file's own. It returns the 0-based index and what is
// wrong, or -1.
func foreign(added []string, known func(line string) bool) (int, string) {
	for i, l := range added {
		if known != nil && known(bare(l)) {
			continue
		}
		if marker(l) {
			return i, "a conflict or patch marker stands inside the content"
		}
		if elided(l) {
			return i, "a placeholder stands in place of code (\"" + strings.TrimSpace(bare(l)) + "\")"
		}
	}
	return -1, ""
}

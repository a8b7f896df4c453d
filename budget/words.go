package budget

import (
	"strings"
	"unicode"
)

// stops are the words of English prose, and of the talk about software, that
// stand for nothing in particular.
const stops = ` a about above after again against all already also although always am among an and any anything are as at back be
because been before being below between both but by can cannot could did do does doing done down during each either else enough even
ever every few for from further get gets given gives had has have having he her here hers him his how however if in into is it its itself
just keep let like made make makes many may me might more most must my never no nor not nothing now of off often on once one only or other
our out over own per please rather same see should so some such than that the their them then there these they thing this those through to
too two under until up upon us use used uses using very via want was way we were what when where whether which while who whom why will with
within without would yet you your shall need needs new old add adds added change changes changed fix fixes fixed bug issue support supports
when while leave leaves start starts started possible currently instead exist exists existing `

func isStop(w string) bool {
	return len(w) < 3 || strings.Contains(stops, " "+strings.ToLower(w)+" ")
}

// nameParts splits an identifier at its dots, underscores and changes of case,
// in lower case: "HTTPServer.newConn" gives http, server, new, conn.
func nameParts(name string) []string {
	var parts []string
	runes := []rune(name)
	start := 0
	flush := func(end int) {
		if end > start {
			parts = append(parts, strings.ToLower(string(runes[start:end])))
		}
		start = end
	}
	for i, r := range runes {
		switch {
		case !unicode.IsLetter(r) && !unicode.IsDigit(r):
			flush(i)
			start = i + 1
		case i > start && unicode.IsUpper(r) && !unicode.IsUpper(runes[i-1]),
			i > start && unicode.IsUpper(r) && i+1 < len(runes) && unicode.IsLower(runes[i+1]):
			flush(i)
		}
	}
	flush(len(runes))
	return parts
}

// stem cuts the endings that inflection adds in English, so that refunds,
// refunded and refunding meet refund. It is a comparison key, not a word.
func stem(w string) string {
	w = strings.TrimSuffix(strings.ToLower(w), "'s")
	for _, e := range []struct{ end, instead string }{
		{"ations", "at"}, {"ation", "at"}, {"ions", ""}, {"ion", ""}, {"ies", "y"}, {"ings", ""}, {"ing", ""}, {"sses", "ss"},
		{"ed", ""}, {"es", ""}, {"ss", "ss"}, {"s", ""}, {"e", ""},
	} {
		if base, ok := strings.CutSuffix(w, e.end); ok && len(base) >= 3 {
			return undouble(base + e.instead)
		}
	}
	return undouble(w)
}

// undouble drops the second of two equal consonants at the end: shipp, cancell.
func undouble(w string) string {
	if n := len(w); n > 3 && w[n-1] == w[n-2] && !strings.ContainsRune("aeious", rune(w[n-1])) {
		return w[:n-1]
	}
	return w
}

// spellings returns the identifiers that a phrase of lower-case words may
// stand for, singular and plural.
func spellings(phrase string) []string {
	words := strings.Fields(phrase)
	var out []string
	seen := make(map[string]bool)
	add := func(s string) {
		if !seen[s] {
			seen[s] = true
			out = append(out, s)
		}
	}
	last := words[len(words)-1]
	for _, end := range []string{last, strings.TrimSuffix(last, "s"), last + "s"} {
		ws := append(append([]string(nil), words[:len(words)-1]...), end)
		camel := ""
		for _, w := range ws {
			camel += title(w)
		}
		add(camel)
		add(ws[0] + strings.TrimPrefix(camel, title(ws[0])))
		add(strings.Join(ws, "_"))
		add(strings.Join(ws, ""))
		add(strings.ToUpper(strings.Join(ws, "_")))
	}
	return out
}

func title(w string) string {
	if w == "" {
		return w
	}
	return strings.ToUpper(w[:1]) + w[1:]
}

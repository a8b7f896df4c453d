package budget

import (
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/plumbkit/plumb/index"
)

// goTokens is a plain tokenizer of bracket languages, enough for shapes.
func goTokens(src []byte) []index.Token {
	form := regexp.MustCompile("(?s)`[^`]*`" + `|"(?:[^"\\\n]|\\.)*"|//[^\n]*|/\*.*?\*/|[A-Za-z_0-9]+|:=|&&|\|\||\+\+|==|!=|[^\sA-Za-z_0-9]`)
	var out []index.Token
	for _, at := range form.FindAllIndex(src, -1) {
		text := string(src[at[0]:at[1]])
		kind := index.TokenPunctuation
		switch {
		case strings.HasPrefix(text, "//"), strings.HasPrefix(text, "/*"):
			kind = index.TokenComment
		case text[0] == '"' || text[0] == '`':
			kind = index.TokenString
		case isLetter(text[0]):
			kind = index.TokenName
		}
		out = append(out, index.Token{Kind: kind, Text: text, Line: 1 + strings.Count(string(src[:at[0]]), "\n")})
	}
	return out
}

const long = `func (s *Service) Refund(
	ctx context.Context,
	id string,
) (Receipt, error) {
	order, err := s.orders.
		Get(ctx, id)
	if err != nil {
		return Receipt{}, err
	}
	text := ` + "`" + `a {
	raw ( string` + "`" + `
	for _, line := range order.Lines {
		if line.Total() == 0 {
			continue
		}
		s.log(line,
			text,
			"x")
	}
	s.log("done {")
	s.log("again")
	total := order.Total() +
		order.Fee()
	call(func() {
		total++
	})
	return Receipt{
		Total: total,
	}, nil
}`

func cutterFor(text string, tokens func([]byte) []index.Token, bodyLine int) *cutter {
	src := &source{text: text, hasMarks: true, language: &index.Language{Tokens: tokens}, starts: []int{0}}
	for i := range text {
		if text[i] == '\n' {
			src.starts = append(src.starts, i+1)
		}
	}
	lines := strings.Count(text, "\n") + 1
	return &cutter{src: src, sym: index.Symbol{Name: "Refund", Kind: index.KindMethod}, last: lines - 1, body: bodyLine}
}

// covers: BUD-6
func TestEveryCutSaysWhatItLeavesOut(t *testing.T) {
	c := cutterFor(long, goTokens, 3)
	var forms0 []Form
	for _, f := range c.forms(false) {
		accounted(t, f)
		forms0 = append(forms0, f.form)
	}
	require.Equal(t, []Form{Summary, Line}, forms0, "a skeleton longer than the summary is no form")
	forms := []cut{c.summary(), c.skeleton()}
	for i, want := range []struct {
		form Form
		text string
	}{
		{Summary, `func (s *Service) Refund(
	ctx context.Context,
	id string,
) (Receipt, error) {
	order, err := s.orders.
		Get(ctx, id)
	if err != nil {
		return Receipt{}, err
	}
	… 17 lines of the body of Refund omitted
	return Receipt{
		Total: total,
	}, nil
}`},
		{Skeleton, `func (s *Service) Refund(
	ctx context.Context,
	id string,
) (Receipt, error) {
	… 2 lines of statements of Refund omitted
	if err != nil {
		return Receipt{}, err
	}
	… 2 lines of statements of Refund omitted
	for _, line := range order.Lines {
		if line.Total() == 0 {
			… 1 line of statements of Refund omitted
		}
		… 3 lines of statements of Refund omitted
	}
	… 4 lines of statements of Refund omitted
	call(func() {
		… 1 line of statements of Refund omitted
	})
	return Receipt{
		Total: total,
	}, nil
}`},
	} {
		assert.Equal(t, want.form, forms[i].form)
		assert.Equal(t, want.text, forms[i].text)
		accounted(t, forms[i])
	}
}

// accounted checks that the lines shown and the lines said to be omitted add up.
func accounted(t *testing.T, c cut) {
	t.Helper()
	shown, omitted := 0, 0
	for _, line := range strings.Split(c.text, "\n") {
		if m := regexp.MustCompile(`^\s*… (\d+) lines? of .+ omitted$`).FindStringSubmatch(line); m != nil {
			n, _ := strconv.Atoi(m[1])
			omitted += n
			continue
		}
		shown++
	}
	assert.Equal(t, omitted, c.omitted)
	assert.Equal(t, c.to-c.from+1, shown+omitted, "every line is shown or said to be omitted")
}

// covers: BUD-6
func TestNoCutFallsIntoAStatement(t *testing.T) {
	lines := strings.Split(long, "\n")
	sh := shapeOf(&index.Language{Tokens: goTokens}, lines)
	var inside []string
	for i := range lines {
		if sh.goes[i] {
			inside = append(inside, strings.TrimSpace(lines[i]))
		}
	}
	assert.Equal(t, []string{"ctx context.Context,", "id string,", ") (Receipt, error) {", "Get(ctx, id)", "raw ( string`", "text,", `"x")`, "order.Fee()", "}, nil"},
		without(inside, "Total: total,"), "these lines go on with the one before")

	// A window never begins or ends inside one.
	c := cutterFor(long, goTokens, 3)
	c.sym.ID, c.sym.Span = "x", index.Span{Start: 0, End: len(long)}
	for at := range lines {
		w := window(c.src, c.sym, at, at)
		assert.False(t, sh.goes[w.from], "line %d begins a statement", w.from)
		assert.True(t, w.to == len(lines)-1 || !sh.goes[w.to+1], "line %d ends one", w.to)
		assert.True(t, w.from <= at && at <= w.to)
	}
}

func without(list []string, s string) []string {
	var out []string
	for _, x := range list {
		if x != s {
			out = append(out, x)
		}
	}
	return out
}

// covers: BUD-6
func TestBlocksByIndentation(t *testing.T) {
	const py = `def refund(self, order):
    """Give back."""
    if order.paid:
        for line in order.lines:
            self.log(line)
            self.log(line)
            self.log(line)
    a = 1
    b = 2
    c = 3
    d = 4
    return None`
	c := cutterFor(py, nil, 0)
	c.forms(false)
	forms := []cut{c.summary(), c.skeleton()}
	assert.Equal(t, `def refund(self, order):
    """Give back."""
    if order.paid:
        for line in order.lines:
            self.log(line)
            self.log(line)
            self.log(line)
    … 4 lines of the body of Refund omitted
    return None`, forms[0].text)
	for _, f := range forms {
		accounted(t, f)
	}
}

func FuzzCutsAreAccounted(f *testing.F) {
	f.Add(long, 3)
	f.Add("a {\n b(\n}\n\"", 0)
	f.Add("x\n  y\n z\n\n\n\nw", 0)
	f.Fuzz(func(t *testing.T, text string, body int) {
		lines := strings.Count(text, "\n") + 1
		if body < 0 || body >= lines || strings.Contains(text, "…") || strings.ContainsAny(text, "\r") || len(text) > 2000 {
			return
		}
		for _, tokens := range []func([]byte) []index.Token{goTokens, nil} {
			c := cutterFor(text, tokens, body)
			c.sh = shapeOf(c.src.language, c.src.lines(c.first, c.last))
			for _, form := range []cut{c.summary(), c.skeleton()} {
				accounted(t, form)
			}
			if t.Failed() {
				t.Logf("%q", text)
			}
		}
	})
}

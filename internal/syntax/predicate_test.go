package syntax

import (
	"context"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestPredicates(t *testing.T) {
	src := []byte("package p\nfunc a(a, b int) { b(a, a); c(x, y); Dd() }\n")
	p := NewParser()
	defer p.Close()
	for query, want := range map[string][]string{
		`((identifier) @i (#eq? @i "b"))`:                                         {"b", "b"},
		`(call_expression function: (identifier) @i (#not-eq? @i "b"))`:           {"c", "Dd"},
		`(call_expression function: (identifier) @i (#any-of? @i "c" "b"))`:       {"b", "c"},
		`(call_expression function: (identifier) @i (#not-any-of? @i "c" "b"))`:   {"Dd"},
		`(call_expression function: (identifier) @i (#match? @i "^[A-Z]"))`:       {"Dd"},
		`(call_expression function: (identifier) @i (#not-match? @i "^[a-z]+$"))`: {"Dd"},
		`(argument_list (_) @i . "," . (_) @j (#eq? @i @j))`:                      {"a"},
		`(argument_list (_) @i (_) @j (#not-eq? @i @j))`:                          {"x"},
		`((identifier) @i (#eq? @i "b") (#eq? @i "c"))`:                           nil,
		`((identifier) @i (#eq? @i ")\"(;"))`:                                     nil,
	} {
		t.Run(query, func(t *testing.T) {
			lang, err := NewLanguage("go", samples[0].get(), query)
			require.NoError(t, err)
			tree, err := p.Parse(context.Background(), lang, src)
			require.NoError(t, err)
			id, ok := lang.Capture("i")
			require.True(t, ok)
			var got []string
			for _, m := range tree.Matches {
				got = append(got, string(tree.Text(tree.Captured(m, id))))
			}
			assert.Equal(t, want, got)
		})
	}
}

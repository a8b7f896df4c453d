package verify_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/plumbkit/plumb/verify"
)

const ledger = `
-- go.mod --
module example.com/ledger

go 1.24
-- book/book.go --
package book

type Store interface {
	Save(id string) error
}

type Memory struct{ ids []string }

func (m *Memory) Save(id string) error { m.ids = append(m.ids, id); return nil }

func Post(s Store, id string) error { return s.Save(id) }

func unused() int { return 1 }
-- desk/desk.go --
package desk

import (
	"reflect"

	"example.com/ledger/book"
)

func Close(m *book.Memory) error { return book.Post(m, "a") }

func Start(m *book.Memory) error {
	f := book.Post
	return f(m, "b")
}

func ByName(v any, id string) { reflect.ValueOf(v).MethodByName("Save").Call(nil) }
`

func consistency(t *testing.T, s *scenario) *verify.Report {
	t.Helper()
	report, err := (&verify.Layered{}).Verify(t.Context(), s.input(verify.L0, verify.L1))
	require.NoError(t, err)
	require.Equal(t, verify.LayerPassed, layer(t, report, verify.L0).Status, "%v", layer(t, report, verify.L0).Findings)
	return report
}

func missing(r *verify.Report) []string {
	out := []string{}
	for _, m := range r.Missing {
		out = append(out, fmt.Sprintf("%s:%d %s", m.Ref.Span.File, m.Ref.Span.Line, m.Symbol))
	}
	return out
}

func confirm(r *verify.Report) []string {
	out := []string{}
	for _, ref := range r.Confirm {
		out = append(out, fmt.Sprintf("%s:%d %s", ref.Span.File, ref.Span.Line, ref.Status))
	}
	return out
}

// covers: VER-3
func TestConsistency(t *testing.T) {
	t.Run("a new parameter breaks the callers that were not adapted", func(t *testing.T) {
		s := open(t, ledger+`
-- after/book/book.go --
package book

type Store interface {
	Save(id string) error
}

type Memory struct{ ids []string }

func (m *Memory) Save(id string) error { m.ids = append(m.ids, id); return nil }

func Post(s Store, id string, twice bool) error { return s.Save(id) }

func unused() int { return 1 }
`)
		r := consistency(t, s)
		assert.Equal(t, []string{"desk/desk.go:9 example.com/ledger/book.Post"}, missing(r))
		assert.Contains(t, r.Missing[0].Reason, "3 are needed")
		assert.Equal(t, []string{"desk/desk.go:12 static"}, confirm(r), "a use as a value cannot be judged by itself")
		l := layer(t, r, verify.L1)
		assert.Equal(t, verify.LayerFailed, l.Status)
		assert.Contains(t, l.Next, "add the call sites")
	})
	t.Run("an interface's new method breaks its implementation", func(t *testing.T) {
		s := open(t, ledger+`
-- after/book/book.go --
package book

type Store interface {
	Save(id string) error
	Load(id string) error
}

type Memory struct{ ids []string }

func (m *Memory) Save(id string) error { m.ids = append(m.ids, id); return nil }

func Post(s Store, id string) error { return s.Save(id) }

func unused() int { return 1 }
`)
		r := consistency(t, s)
		assert.Equal(t, []string{"book/book.go:8 example.com/ledger/book.Store"}, missing(r))
		assert.Contains(t, r.Missing[0].Reason, "Load")
	})
	t.Run("a removed function is missed where it was called", func(t *testing.T) {
		s := open(t, ledger+`
-- after/book/book.go --
package book

type Store interface {
	Save(id string) error
}

type Memory struct{ ids []string }

func (m *Memory) Save(id string) error { m.ids = append(m.ids, id); return nil }

func Enter(s Store, id string) error { return s.Save(id) }

func unused() int { return 1 }
`)
		r := consistency(t, s)
		assert.Equal(t, []string{"desk/desk.go:9 example.com/ledger/book.Post", "desk/desk.go:12 example.com/ledger/book.Post"}, missing(r))
		assert.Contains(t, r.Missing[0].Reason, "renamed to example.com/ledger/book.Enter")
	})
	t.Run("a method adapted everywhere leaves those who reach it by name", func(t *testing.T) {
		s := open(t, ledger+`
-- after/book/book.go --
package book

type Store interface {
	Save(id string, twice bool) error
}

type Memory struct{ ids []string }

func (m *Memory) Save(id string, twice bool) error { m.ids = append(m.ids, id); return nil }

func Post(s Store, id string) error { return s.Save(id, false) }

func unused() int { return 1 }
`)
		r := consistency(t, s)
		assert.Empty(t, missing(r))
		assert.Equal(t, []string{"desk/desk.go:16 dynamic"}, confirm(r))
		assert.Equal(t, verify.LayerPassed, layer(t, r, verify.L1).Status)
	})
	t.Run("an implementation that changed alone no longer is one", func(t *testing.T) {
		s := open(t, ledger+`
-- after/book/book.go --
package book

type Store interface {
	Save(id string) error
}

type Memory struct{ ids []string }

func (m *Memory) Save(id, at string) error { m.ids = append(m.ids, id); return nil }

func Post(s Store, id string) error { return s.Save(id) }

func unused() int { return 1 }
`)
		r := consistency(t, s)
		assert.Equal(t, []string{"book/book.go:7 example.com/ledger/book.Store"}, missing(r))
		assert.Contains(t, r.Missing[0].Reason, "Save does not fit")
	})
	t.Run("a name that is nowhere", func(t *testing.T) {
		s := open(t, ledger+`
-- after/desk/more.go --
package desk

import "example.com/ledger/book"

func More() error { return helper(book.Reopen()) }
`)
		l := layer(t, consistency(t, s), verify.L1)
		assert.Equal(t, "unresolved unresolved", rules(l))
		assert.Equal(t, "desk/more.go", l.Findings[0].Span.File)
	})
	t.Run("an unused function may go", func(t *testing.T) {
		s := open(t, ledger+`
-- after/book/book.go --
package book

type Store interface {
	Save(id string) error
}

type Memory struct{ ids []string }

func (m *Memory) Save(id string) error { m.ids = append(m.ids, id); return nil }

func Post(s Store, id string) error { return s.Save(id) }
`)
		r := consistency(t, s)
		assert.Equal(t, verify.LayerPassed, layer(t, r, verify.L1).Status, "%v", layer(t, r, verify.L1).Findings)
	})
}

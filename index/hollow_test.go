package index_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/plumbkit/plumb/index"
	"github.com/plumbkit/plumb/index/indextest"
)

// mail has strings and unknown receivers, some of which the repository can mean.
var mail = indextest.Files{
	"go.mod": "module example.org/mail\n",
	"send/send.go": "package send\n\nfunc Deliver() {}\n\ntype Post struct{ Stamp int }\n\nfunc (Post) Frank() {}\n\n" +
		"func hidden() {}\n\nvar _ = hidden\n",
	"app/app.go": "package app\n\nimport \"example.org/mail/send\"\n\nvar names = []string{\n\t\"Deliver\",\n\t\"Frank\",\n" +
		"\t\"Stamp\",\n\t\"hidden\",\n\t\"send\",\n\t\"Nobody\",\n}\n\nfunc run() {\n\tlost().Frank()\n\tlost().Nobody()\n\tsend.Deliver()\n}\n",
	"far/far.go": "package far\n\nvar name = \"Deliver\"\n",
}

func found(refs func(func(index.Ref) bool), in string) map[string]string {
	out := map[string]string{}
	for r := range refs {
		if r.Span.File == in && (r.Kind == index.RefString || r.Rule == "name") {
			text := r.Status.String()
			for _, t := range r.Targets {
				text += " " + t
			}
			out[r.Kind.String()+" "+r.Name] = text
		}
	}
	return out
}

// covers: IDX-8, IDX-10
func TestWhatNothingBearsIsNoReferenceByName(t *testing.T) {
	s := indextest.Index(t, goIndexer(), mail, nil)
	assert.Equal(t, map[string]string{
		"string Deliver": "dynamic example.org/mail/send.Deliver@send/send.go",
		"string Frank":   "dynamic example.org/mail/send.Post.Frank@send/send.go",
		"string Stamp":   "dynamic example.org/mail/send.Post.Stamp@send/send.go",
		"call Frank":     "ambiguous example.org/mail/send.Post.Frank@send/send.go",
		"call Nobody":    "unresolved",
	}, found(s.Refs(), "app/app.go"))
	assert.Empty(t, found(s.Refs(), "far/far.go"), "what the package does not import it cannot name")
	indextest.Snapshot(t, s)
	for _, r := range s.RefsIn("app/app.go") {
		assert.NotEqual(t, "hidden", r.Name)
		if r.Name == "Nobody" {
			assert.Equal(t, "the receiver's type is not known", r.Reason)
		}
	}
	st := s.Stats()
	assert.Equal(t, [2]int{3, 1}, [2]int{st.Dynamic, st.Ambiguous})
	a := s.References("send.Deliver", 0)
	assert.Len(t, a.Sure, 1)
	require.Len(t, a.Confirm, 1)
	assert.Equal(t, index.RefString, a.Confirm[0].Kind)
	assert.Equal(t, [3]int{0, 1, 0}, [3]int{a.Basis.Unresolved, a.Basis.Dynamic, a.Basis.Ambiguous})
	assert.Len(t, a.Basis.Places, 1)
	assert.Len(t, s.RefsOf("example.org/mail/app.names@app/app.go"), 3)
}

// covers: IDX-10, IDX-21
func TestAStringBecomesAReferenceWhenItsNameIsDefined(t *testing.T) {
	ctx := context.Background()
	s := indextest.Index(t, goIndexer(), mail, nil)
	next := with(mail, "send/more.go", "package send\n\nfunc (Post) Nobody() {}\n")
	over, err := s.Overlay(ctx, next.Overlay(mail))
	require.NoError(t, err)
	now := found(over.Refs(), "app/app.go")
	assert.Equal(t, "dynamic example.org/mail/send.Post.Nobody@send/more.go", now["string Nobody"])
	assert.Equal(t, "ambiguous example.org/mail/send.Post.Nobody@send/more.go", now["call Nobody"])
	indextest.Same(t, indextest.Index(t, goIndexer(), next, nil), over, "a name appears")
	assert.Equal(t, 2, over.References("Post.Nobody", 0).Total)
	back, err := over.Overlay(ctx, mail.Overlay(next))
	require.NoError(t, err)
	indextest.Same(t, s, back, "and goes again")
	assert.Equal(t, s.Stats().References, back.Stats().References)
}

// covers: IDX-12
func TestTheVariantThatBuildsStandsFirst(t *testing.T) {
	s := indextest.Index(t, goIndexer(), indextest.Files{
		"go.mod":       "module example.org/os\n",
		"a_darwin.go":  "package os\n\nfunc open() {}\n",
		"b_linux.go":   "package os\n\nfunc open() {}\n",
		"c_windows.go": "package os\n\nfunc open() {}\n",
		"use.go":       "package os\n\nfunc use() { open() }\n",
		"use_unix.go":  "//go:build unix && !linux\n\npackage os\n\nfunc also() { open() }\n",
	}, nil)
	targets := func(file string) []string {
		for _, r := range s.RefsIn(file) {
			if r.Name == "open" {
				assert.Equal(t, index.Static, r.Status)
				return r.Targets
			}
		}
		return nil
	}
	assert.Equal(t, []string{"example.org/os.open@b_linux.go", "example.org/os.open@a_darwin.go", "example.org/os.open@c_windows.go"}, targets("use.go"))
	assert.Equal(t, []string{"example.org/os.open@a_darwin.go"}, targets("use_unix.go"))
}

// covers: IDX-13
func TestAReferenceToAnInterfacesMethodTellsWhatCanRun(t *testing.T) {
	s := indextest.Index(t, goIndexer(), bank, nil)
	want := []string{"example.org/bank/pay.Live.Send@pay/pay.go"}
	for _, r := range s.RefsIn("pay/use.go") {
		if r.Name == "Send" {
			assert.Equal(t, []string{"example.org/bank/pay.Gate.Send@pay/pay.go"}, r.Targets)
			assert.Equal(t, want, r.Implementations)
			assert.Equal(t, 1, r.ImplementationsTotal)
		} else if r.Name != "Close" {
			assert.Empty(t, r.Implementations, r.Name)
		}
	}
	a := s.References("pay.Gate.Send", 0)
	require.Len(t, a.Sure, 2)
	assert.Equal(t, want, a.Sure[1].Implementations)
	out := s.Callees("pay.use", 0)
	require.NotEmpty(t, out.Sure)
	assert.Equal(t, want, out.Sure[0].Ref.Implementations)
	_, kin := s.Kin("example.org/bank/pay.Gate.Send@pay/pay.go")
	require.Len(t, kin, 1)
	assert.Equal(t, want[0], kin[0].ID)
}

// covers: IDX-13
func TestManyImplementationsAreCountedAndFewListed(t *testing.T) {
	src := "package many\n\ntype Doer interface{ Do() }\n\nfunc run(d Doer) { d.Do() }\n"
	for i := range 25 {
		src += fmt.Sprintf("\ntype T%02d struct{}\n\nfunc (T%02d) Do() {}\n", i, i)
	}
	s := indextest.Index(t, goIndexer(), indextest.Files{"go.mod": "module example.org/many\n", "many.go": src}, nil)
	a := s.References("many.Doer.Do", 0)
	require.Len(t, a.Sure, 1)
	assert.Len(t, a.Sure[0].Implementations, index.MaxImplementations)
	assert.Equal(t, 25, a.Sure[0].ImplementationsTotal)
	assert.Equal(t, "example.org/many.T00.Do@many.go", a.Sure[0].Implementations[0])
	out := s.Callees("many.run", 0)
	assert.Len(t, out.Confirm, 25)
	assert.Len(t, out.Sure, 1)
}

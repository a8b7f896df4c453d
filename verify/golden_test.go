package verify_test

import (
	"encoding/json"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/plumbkit/plumb/changeset"
	"github.com/plumbkit/plumb/host/task"
	"github.com/plumbkit/plumb/verify"
)

// The JSON form is an interface: a change of this file is a change of it.
//
// covers: ARC-4, VER-20
func TestReportFormat(t *testing.T) {
	s := open(t, bank+`
-- account/by_test.go --
package account

import (
	"reflect"
	"testing"
)

// tool: TestByName failed
// tool: TestLater skipped not today

func TestByName(t *testing.T) { reflect.ValueOf(Account{}).MethodByName("Open").Call(nil) }

func TestLater(t *testing.T) { Open() }
-- account/type.go --
package account

type Account struct{}

func (Account) Open() {}
-- after/account/type.go --
package account

type Account struct{}

func (Account) Open(at int) {}
-- after/account/account.go --
package account

func Open() int { return 2 - 1 }

func Close() int { return 2 }
`)
	for i := range s.set.Hunks {
		s.set.Hunks[i].Capability = "C1"
	}
	r := verified(t, &tool{flaky: map[string]bool{"TestVisit": true}}, s, func(v *verify.Layered, in *verify.Input) {
		v.Clock = func() time.Time { return time.Unix(0, 0) }
		v.Mutate = true
		in.Plan = &changeset.Plan{Capabilities: []task.Capability{{ID: "C1", Symbols: []string{"account.Open"}}}}
	})
	r.Environment.OS, r.Environment.Arch = "linux", "amd64"
	for i := range r.Unverified {
		if len(r.Unverified[i].What) > 20 && r.Unverified[i].What[:20] == "platforms other than" {
			r.Unverified[i].What = "platforms other than linux/amd64"
		}
	}
	got, err := json.MarshalIndent(r, "", "  ")
	require.NoError(t, err)
	const golden = "testdata/report.golden.json"
	if os.Getenv("UPDATE_GOLDEN") != "" {
		require.NoError(t, os.WriteFile(golden, append(got, '\n'), 0o644))
	}
	want, err := os.ReadFile(golden)
	require.NoError(t, err)
	is, was := strings.Split(string(got)+"\n", "\n"), strings.Split(string(want), "\n")
	for i := range min(len(is), len(was)) {
		require.Equalf(t, was[i], is[i], "%s:%d; UPDATE_GOLDEN=1 rewrites it", golden, i+1)
	}
	require.Len(t, is, len(was))
	var back verify.Report
	require.NoError(t, json.Unmarshal(want, &back))
	assert.Equal(t, *r, back, "nothing is lost on the way")
}

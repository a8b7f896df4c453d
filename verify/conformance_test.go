package verify_test

import (
	"testing"

	"github.com/plumbkit/plumb/verify/verifytest"
)

// covers: ARC-3
func TestConformance(t *testing.T) {
	good := open(t, bank)
	good.replace(t, "account/account.go", "return 1", "return 2 - 1")
	bad := open(t, bank)
	bad.replace(t, "account/account.go", "func Open() int", "func Open(at int) int")
	verifytest.Verifier(t, scripted(&tool{}), good.input(), bad.input())
}

package verify_test

import (
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/plumbkit/plumb/index"
	"github.com/plumbkit/plumb/index/lang/python"
	"github.com/plumbkit/plumb/index/lang/typescript"
	"github.com/plumbkit/plumb/patch"
	"github.com/plumbkit/plumb/verify"
)

const gateways = `from typing import Protocol


class Gateway(Protocol):
    def refund(self, order: str, key: str) -> int: ...


class Card(Gateway):
    def refund(self, order: str, key: str) -> int:
        return 1


class Voucher(Gateway):
    def refund(self, order: str, key: str) -> int:
        return 2


class Odd(Gateway):
    def refund(self) -> int:
        return 3
`

// An override that keeps its old parameters is found by name, whether or not
// anything calls it; one that never fitted is not the change's.
//
// covers: VER-3
func TestOverridesThatNoLongerFitAreMissing(t *testing.T) {
	report := onOverlay(t, "shop/pay.py", gateways, `--- a/shop/pay.py
+++ b/shop/pay.py
@@ -4,6 +4,6 @@
 class Gateway(Protocol):
-    def refund(self, order: str, key: str) -> int: ...
+    def refund(self, order: str, key: str, amount: int) -> int: ...
 
 
 class Card(Gateway):
-    def refund(self, order: str, key: str) -> int:
+    def refund(self, order: str, key: str, amount: int) -> int:
`)
	require.Len(t, report.Missing, 1)
	assert.Equal(t, "shop/pay.py:14", report.Missing[0].Ref.Span.String())
	assert.Equal(t, "shop.pay.Voucher.refund cannot be called as shop.pay.Gateway.refund is: it does not take amount", report.Missing[0].Reason)
	assert.Equal(t, verify.LayerFailed, layer(t, report, verify.L1).Status)
}

// A TypeScript method may take less than its interface passes, and not require more.
//
// covers: VER-3
func TestImplementationsThatNoLongerFitAreMissingInTypeScript(t *testing.T) {
	const source = `export interface Gateway {
  refund(order: string, key: string): number;
  list(all: boolean): number;
}
export class Card implements Gateway {
  refund(order: string): number { return 1; }
  list(all: boolean): number { return 1; }
}
export class Voucher implements Gateway {
  refund(order: string, key: string): number { return 2; }
  list(all: boolean): number { return 2; }
}
`
	report := onOverlay(t, "pay.ts", source, `--- a/pay.ts
+++ b/pay.ts
@@ -1,4 +1,4 @@
 export interface Gateway {
-  refund(order: string, key: string): number;
-  list(all: boolean): number;
+  refund(order: string): number;
+  list(all: number): number;
 }
`)
	require.Len(t, report.Missing, 1)
	assert.Equal(t, "pay.ts:10", report.Missing[0].Ref.Span.String())
	assert.Equal(t, "pay.Voucher.refund cannot be called as pay.Gateway.refund is: it requires key, which nobody passes", report.Missing[0].Reason)
	var asked []string
	for _, r := range report.Confirm {
		asked = append(asked, r.Span.String())
	}
	assert.Subset(t, asked, []string{"pay.ts:7", "pay.ts:11"}, "what it takes is of another type now")
}

// onOverlay is L0 and L1 of a diff on one Python or TypeScript file.
func onOverlay(t *testing.T, name, source, diff string) *verify.Report {
	t.Helper()
	fsys := fstest.MapFS{name: {Data: []byte(source)}}
	before, err := (&index.TreeSitter{Languages: []*index.Language{python.Language(), typescript.Language()}}).Index(t.Context(), index.Input{FS: fsys})
	require.NoError(t, err)
	edits, err := patch.Parse([]byte(diff))
	require.NoError(t, err)
	set, err := (&patch.Anchored{FS: fsys}).Patch(t.Context(), patch.Input{Before: before, Edits: edits})
	require.NoError(t, err)
	after, err := before.Overlay(t.Context(), set.Overlay())
	require.NoError(t, err)
	report, err := (&verify.Layered{}).Verify(t.Context(), verify.Input{Before: before, After: after, Set: set, Layers: []verify.LayerName{verify.L0, verify.L1}})
	require.NoError(t, err)
	return report
}

// A base that becomes abstract keeps its heirs: what overrode its method now
// implements it.
//
// covers: VER-3
func TestWhatOverridesAMethodThatBecomesAbstractStillFits(t *testing.T) {
	report := onOverlay(t, "shop/pay.py", `from abc import ABC, abstractmethod


class Gateway(ABC):
    def refund(self, order):
        raise NotImplementedError()


class Card(Gateway):
    def refund(self, order):
        return 1
`, `--- a/shop/pay.py
+++ b/shop/pay.py
@@ -4,3 +4,4 @@
 class Gateway(ABC):
-    def refund(self, order):
-        raise NotImplementedError()
+    @abstractmethod
+    def refund(self, order):
+        ...
`)
	assert.Empty(t, report.Missing)
	assert.Equal(t, verify.LayerPassed, layer(t, report, verify.L1).Status)
}

// A constructor is called by its own class's name: that of an heir may take
// something else.
//
// covers: VER-3
func TestAConstructorNeedNotFitThatOfItsBase(t *testing.T) {
	report := onOverlay(t, "shop/errors.py", `class Refused(Exception):
    def __init__(self, message, order=None):
        self.message = message
`, `--- a/shop/errors.py
+++ b/shop/errors.py
@@ -3 +3,6 @@
         self.message = message
+
+
+class Late(Refused):
+    def __init__(self, order):
+        super().__init__("too late", order)
`)
	assert.Empty(t, report.Missing)
	assert.Equal(t, verify.LayerPassed, layer(t, report, verify.L1).Status)
}

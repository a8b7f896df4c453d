package patchtest_test

import (
	"testing"

	"github.com/plumbkit/plumb/patch"
	"github.com/plumbkit/plumb/patch/patchtest"
)

// covers: ARC-3, PAT-2, PAT-4, PAT-6, PAT-11, PAT-12
func TestAnchored(t *testing.T) { patchtest.Run(t, &patch.Anchored{}) }

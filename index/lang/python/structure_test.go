package python

import (
	"testing"

	"github.com/plumbkit/plumb/index/indextest"
)

// covers: ARC-12, GAT-8
func TestStructure(t *testing.T) { indextest.Structure(t, Language(), "testdata/structure/*.txtar") }

//go:build linux

package sandbox_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/plumbkit/plumb/host/sandbox"
)

// covers: VER-21
func TestEnvironmentIsAnAllowList(t *testing.T) {
	for name, passed := range map[string]bool{"LC_TIME": true, "LANG": true, "TZ": true, "GITHUB_TOKEN": false, "SSH_AUTH_SOCK": false, "HOME": false, "LD_PRELOAD": false} {
		t.Setenv(name, "v-"+name)
		found := false
		for _, pair := range sandbox.Environment() {
			found = found || pair == name+"=v-"+name
		}
		assert.Equal(t, passed, found, name)
	}
}

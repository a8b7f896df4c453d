package sandbox

import (
	"os"
	"regexp"
	"slices"
	"strings"
)

// Environment returns the variables of the calling process that a sandbox
// passes on: PATH, TZ and the locale. Everything else is left out, so that no
// credential comes along unasked.
func Environment() []string {
	var kept []string
	for _, pair := range os.Environ() {
		if name, _, _ := strings.Cut(pair, "="); passedOn(name) {
			kept = append(kept, pair)
		}
	}
	return kept
}

func passedOn(name string) bool {
	return slices.Contains([]string{"PATH", "LANG", "LANGUAGE", "TZ"}, name) || strings.HasPrefix(name, "LC_")
}

// defaultPath is the PATH of a command where the caller has none.
const defaultPath = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"

// environ returns the command's whole environment: the allow-list, a home and a
// folder for temporary files of its own, and what the command adds. Of a name
// given more than once the last counts.
func (c Command) environ(home, temp string) []string {
	all := slices.Concat([]string{"PATH=" + defaultPath}, Environment(), []string{"HOME=" + home, "TMPDIR=" + temp}, c.Env)
	last := make(map[string]int)
	for i, pair := range all {
		name, _, _ := strings.Cut(pair, "=")
		last[name] = i
	}
	var env []string
	for i, pair := range all {
		if name, _, _ := strings.Cut(pair, "="); last[name] == i {
			env = append(env, pair)
		}
	}
	return env
}

// lookup returns the value of the variable, or "".
func lookup(env []string, name string) string {
	for i := len(env) - 1; i >= 0; i-- {
		if value, ok := strings.CutPrefix(env[i], name+"="); ok {
			return value
		}
	}
	return ""
}

// credentials returns the names in env that look like those of credentials.
func credentials(env []string) []string {
	looks := regexp.MustCompile(`(?i)(token|secret|passw|passphrase|credential|private_?key|api_?key|access_?key|auth)`)
	var names []string
	for _, pair := range env {
		if name, value, _ := strings.Cut(pair, "="); value != "" && looks.MatchString(name) {
			names = append(names, name)
		}
	}
	return names
}

// envPromise says whether the command's environment is free of credentials.
func (c Command) envPromise() Promise {
	if names := credentials(c.Env); len(names) > 0 {
		return Promise{EnvReduced, false, "the caller passes " + strings.Join(names, ", ")}
	}
	return Promise{EnvReduced, true, "only PATH, TZ, the locale, HOME, TMPDIR and what the caller names are passed on"}
}

package gate

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/plumbkit/plumb/index"
)

// laterCommands asks for a reason when a change adds or changes a command that
// runs later on other machines than the tests do: when a package is installed,
// or when files are generated and the command starts a shell or fetches something.
func laterCommands(_ context.Context, c *Case) ([]Finding, error) {
	var out []Finding
	for i := range c.Changes {
		f := &c.Changes[i]
		if f.New == "" {
			continue
		}
		found := installScripts(f)
		found = append(found, generateCommands(c, f)...)
		found = append(found, buildCode(f)...)
		for _, n := range found {
			out = append(out, Finding{Before: at(f.Old, n.was), After: at(f.New, n.now), Reason: n.reason,
				Missing: []string{"a reason in the plan for exactly this file"}, Alternative: "let a person run the command, or call a tool that the repository pins"})
		}
	}
	return out, nil
}

// hooks are the scripts that npm, yarn and pnpm run on their own when a package
// is installed or packed (docs.npmjs.com, scripts: life cycle).
var hooks = []string{"preinstall", "install", "postinstall", "prepublish", "preprepare", "prepare", "postprepare", "prepack", "postpack", "dependencies", "pnpm:devPreinstall"}

func installScripts(f *Change) []narrowing {
	if path.Base(f.New) != "package.json" {
		return nil
	}
	was, now := scripts(f.Before), scripts(f.After)
	var out []narrowing
	for _, name := range slices.Sorted(maps.Keys(now)) {
		if slices.Contains(hooks, name) && now[name] != was[name] {
			out = append(out, narrowing{was: 1, now: lineOf(f.After, `"`+name+`"`), reason: fmt.Sprintf("whoever installs the package runs %q now (%s)", now[name], name)})
		}
	}
	return out
}

// scripts are a package.json's scripts, none where it cannot be read.
func scripts(data []byte) map[string]string {
	var p struct {
		Scripts map[string]string `json:"scripts"`
	}
	if json.Unmarshal(data, &p) != nil {
		return nil
	}
	return p.Scripts
}

// lineOf is the 1-based line on which text first stands, 1 if nowhere.
func lineOf(data []byte, text string) int {
	i := strings.Index(string(data), text)
	return 1 + strings.Count(string(data[:max(i, 0)]), "\n")
}

// startsShell finds commands that run what a text says, or fetch something.
var startsShell = regexp.MustCompile(`(^|[\s/"'])(ba|da|z|k|fi)?sh(\s|$|")|\b(powershell|pwsh|cmd(\.exe)?\s+/c|eval|exec|curl|wget|nc|rm|sudo|chmod)\b|\b(python3?|perl|ruby|node|deno|php|osascript)\s+-(c|e|r)\b|[|;&` + "`" + `]|\$\(`)

func generateCommands(c *Case, f *Change) []narrowing {
	var was []string
	for _, d := range c.Before.Directives(f.Old) {
		was = append(was, squeeze(d.Command))
	}
	var out []narrowing
	for _, d := range c.After.Directives(f.New) {
		if !slices.Contains(was, squeeze(d.Command)) && startsShell.MatchString(d.Command) {
			out = append(out, narrowing{was: 1, now: c.After.Line(f.New, int(d.Range.Start)), reason: fmt.Sprintf("whoever generates the files runs %q", squeeze(d.Command))})
		}
	}
	return out
}

// startsProcess finds calls in a file that is run when a package is built.
var startsProcess = regexp.MustCompile(`\b(os\.(system|popen|exec\w*|spawn\w*)|subprocess\.\w+|Popen|check_call|check_output|eval|exec|urlopen|urlretrieve|__import__|child_process|execSync|spawnSync)\b`)

// buildCode looks at files that package managers run: setup.py (pip), build.rs
// (cargo), .pnpmfile.cjs (pnpm).
func buildCode(f *Change) []narrowing {
	switch path.Base(f.New) {
	case "setup.py", "build.rs", ".pnpmfile.cjs", "binding.gyp":
	default:
		return nil
	}
	_, came := lineChanges(f.Before, f.After)
	var out []narrowing
	for _, l := range came {
		if startsProcess.MatchString(l.text) && !strings.HasPrefix(l.text, "#") && !strings.HasPrefix(l.text, "//") {
			out = append(out, narrowing{was: 1, now: l.number, reason: fmt.Sprintf("whoever builds the package runs %q", l.text)})
		}
	}
	return out
}

// thirdParty asks for evidence when somebody else's code is edited in place:
// the next update takes the edit away, and nobody who reads the version expects
// it. Files that come with a change of the files that pin dependencies are an update.
func thirdParty(_ context.Context, c *Case) ([]Finding, error) {
	pinned := slices.ContainsFunc(c.Changes, func(f Change) bool {
		return c.pins(f.Path()) && !isVendored(c, &f)
	})
	var out []Finding
	for i := range c.Changes {
		f := &c.Changes[i]
		if f.Old == "" && pinned || !isVendored(c, f) || f.Moved() && string(f.Before) == string(f.After) {
			continue
		}
		found := Finding{Before: at(f.Old, 1), After: at(f.New, firstChanged(f)), Reason: f.Path() + " is third-party code, and is edited",
			Alternative: "change the dependency's version, or put the fix into code of this repository"}
		proof := "the files that pin the dependency change with it"
		if pinned {
			found.Present = []string{proof}
		} else {
			found.Missing = []string{proof}
		}
		out = append(out, found)
	}
	return out, nil
}

func isVendored(c *Case, f *Change) bool {
	if now, ok := c.After.File(f.New); ok {
		return now.Origin == index.Vendored
	}
	was, ok := c.Before.File(f.Old)
	return ok && was.Origin == index.Vendored || matches([]string{"**/{node_modules,site-packages}/**"}, f.Path()) != ""
}

package plumb

import (
	"context"
	"io/fs"
	"slices"
	"strings"

	"github.com/plumbkit/plumb/host/fault"
	"github.com/plumbkit/plumb/host/sandbox"
	"github.com/plumbkit/plumb/index"
	"github.com/plumbkit/plumb/verify"
	"github.com/plumbkit/plumb/verify/runner/gotest"
	"github.com/plumbkit/plumb/verify/runner/jest"
	"github.com/plumbkit/plumb/verify/runner/pytest"
	"github.com/plumbkit/plumb/verify/runner/vitest"
)

// A known is a tool that the chain can run tests with: the languages it takes by
// name, and, where a language has several tools, whose files it takes.
type known struct {
	runner    verify.Runner
	languages []string
	uses      func(tree fs.FS, file string) (bool, string)
}

// runners are the tools for tests; a new one is one line here.
func runners() []known {
	return []known{
		{&gotest.Runner{}, gotest.Languages(), nil},
		{&pytest.Runner{}, pytest.Languages(), nil},
		{&vitest.Runner{}, vitest.Languages(), vitest.Uses},
		{&jest.Runner{}, jest.Languages(), jest.Uses},
	}
}

// RunnerFor returns a Runner for the tests of these languages: go test for Go,
// pytest for Python, and for JavaScript and TypeScript vitest or jest, as the
// project that a test file belongs to says. Tests of a language that no runner is
// known for are reported as not run.
func RunnerFor(languages ...*index.Language) *verify.Runners {
	r := &verify.Runners{}
	for _, k := range runners() {
		var takes []*index.Language
		for _, lang := range languages {
			if slices.Contains(k.languages, lang.Name) {
				takes = append(takes, lang)
			}
		}
		if len(takes) > 0 {
			r.Tools = append(r.Tools, tool(k.runner, k.uses, takes...))
		}
	}
	return r
}

// tool gives the runner the test files of the languages, or those of them for
// which uses holds.
func tool(r verify.Runner, uses func(tree fs.FS, file string) (bool, string), languages ...*index.Language) verify.Tool {
	takes := func(tree fs.FS, file string) bool {
		if !slices.ContainsFunc(languages, func(l *index.Language) bool { return l.TestFile != nil && isIn(l, file) && l.TestFile(file) }) {
			return false
		}
		if uses == nil {
			return true
		}
		ok, _ := uses(tree, file)
		return ok
	}
	return verify.Tool{Runner: r, Takes: takes, ByFile: slices.ContainsFunc(languages, func(l *index.Language) bool { return l.TestsByFile })}
}

// isIn reports whether a file's name is one of the language's.
func isIn(l *index.Language, file string) bool {
	return slices.ContainsFunc(l.Extensions, func(ext string) bool { return strings.HasSuffix(file, ext) })
}

// chosen is the runner that the chain has when it is asked.
type chosen struct{ chain *Chain }

func (r chosen) Run(ctx context.Context, box sandbox.Sandbox, run verify.Run) ([]verify.Outcome, error) {
	if r.chain.Runner == nil {
		return nil, &fault.Fault{Class: fault.Environment, Op: "chain.test", Detail: "the chain has no runner, so that no test can be run",
			State: "nothing was run", Next: "set Chain.Runner"}
	}
	return r.chain.Runner.Run(ctx, box, run)
}

func (r chosen) Build(ctx context.Context, box sandbox.Sandbox, run verify.Run) error {
	if b, ok := r.chain.Runner.(verify.Builder); ok {
		return b.Build(ctx, box, run)
	}
	return nil
}

func (r chosen) Tooling(ctx context.Context, dir string) (verify.Tooling, error) {
	if e, ok := r.chain.Runner.(verify.Equipped); ok {
		return e.Tooling(ctx, dir)
	}
	return verify.Tooling{}, nil
}

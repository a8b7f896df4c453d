package gate

import (
	"context"

	"github.com/plumbkit/plumb/changeset"
	"github.com/plumbkit/plumb/index"
	"github.com/plumbkit/plumb/patch"
	"github.com/plumbkit/plumb/verify"
)

// The six classes of dangerous change (GAT-1), and the one of GAT-9.
const (
	ClassDeletion     = "deletion"
	ClassDependencies = "dependencies"
	ClassSignature    = "signature"
	ClassRename       = "rename"
	ClassPaths        = "paths"
	ClassTests        = "tests"
	ClassSuppression  = "suppression"
	ClassSecrets      = "secrets" // credentials in content, found by gate/secrets
)

// A Rule is one thing to look for. It is plain data; a rule of a host's own
// stands beside the built-in ones in Rules.Extra.
//
// Check returns a Finding for each place, with Before, After, Symbol, Reason,
// Present, Missing and Alternative filled in, and Approve where a person has to
// decide; Rules fills in the rest. An empty Strength is the rule's own. A weaker
// one is kept only where Soft is set and no policy has raised the rule. Errors
// are faults for what could not be looked at.
type Rule struct {
	// ID names the rule, such as "tests.removed".
	ID string
	// Class is one of the Class constants, or a host's own.
	Class string
	// Strength is that of the rule's findings.
	Strength Strength
	// Soft says that Check may set a weaker strength, with the evidence for it.
	Soft bool
	// Justifiable says that a reason in the plan answers a finding. Nothing
	// answers findings of other rules.
	Justifiable bool
	// Check looks at one change. It must be safe for concurrent use.
	Check func(ctx context.Context, c *Case) ([]Finding, error)
}

// A Case is the change that rules look at. Rules must not change it.
type Case struct {
	Before, After *index.Snapshot
	// Plan and Report may be nil.
	Plan   *changeset.Plan
	Set    *patch.Set
	Report *verify.Report
	// Policy is complete but for what languages say: every threshold and other list is set.
	Policy Policy
	// Changes are the changed files, in order of path.
	Changes []Change

	tests     *comparison
	published *publication
	files     *sorting
}

// A Change is one changed file.
type Change struct {
	// Old and New are the paths before and after; "" where the file does not exist.
	Old, New string
	// Before and After are the contents.
	Before, After []byte
	// Link says that the file is a symbolic link before or after; its content is the target.
	Link bool
}

// Path is the path after, or before for a deleted file.
func (c *Change) Path() string {
	if c.New != "" {
		return c.New
	}
	return c.Old
}

// Deleted reports whether the file is gone, under any name.
func (c *Change) Deleted() bool { return c.New == "" }

// Created reports whether the file is new, with no file it comes from.
func (c *Change) Created() bool { return c.Old == "" }

// Moved reports whether the file has another path than before.
func (c *Change) Moved() bool { return c.Old != "" && c.New != "" && c.Old != c.New }

// Default returns the built-in rules, in the order in which they are looked at.
func Default() []Rule {
	return append(changeRules(), testRules()...)
}

func changeRules() []Rule {
	return []Rule{
		{ID: "paths.protected", Class: ClassPaths, Strength: Block, Check: protectedPaths},
		{ID: "deletion.unreferenced", Class: ClassDeletion, Strength: Evidence, Justifiable: true, Check: deletedFiles},
		{ID: "deletion.many", Class: ClassDeletion, Strength: Evidence, Justifiable: true, Check: manyDeleted},
		{ID: "dependencies.changed", Class: ClassDependencies, Strength: Evidence, Justifiable: true, Check: dependencyFiles},
		{ID: "dependencies.edited", Class: ClassDependencies, Strength: Evidence, Justifiable: true, Check: thirdParty},
		{ID: "commands.later", Class: ClassPaths, Strength: Evidence, Justifiable: true, Check: laterCommands},
		{ID: "signature.public", Class: ClassSignature, Strength: Evidence, Justifiable: true, Check: publicSignatures},
		{ID: "imports.changed", Class: ClassSignature, Strength: Pass, Check: importChanges},
		{ID: "rename.mass", Class: ClassRename, Strength: Evidence, Justifiable: true, Check: massRename},
		{ID: "suppression.added", Class: ClassSuppression, Strength: Block, Soft: true, Justifiable: true, Check: suppressions},
	}
}

func testRules() []Rule {
	rule := func(id string, check func(context.Context, *Case) ([]Finding, error)) Rule {
		return Rule{ID: id, Class: ClassTests, Strength: Block, Soft: true, Justifiable: true, Check: check}
	}
	return []Rule{
		rule("tests.removed", comparedAs("tests.removed")),
		rule("tests.assertion-removed", comparedAs("tests.assertion-removed")),
		rule("tests.commented-out", comparedAs("tests.commented-out")),
		rule("tests.skipped", comparedAs("tests.skipped")),
		rule("tests.failure-hidden", comparedAs("tests.failure-hidden")),
		rule("tests.assertion-loosened", comparedAs("tests.assertion-loosened")),
		rule("tests.expected-changed", comparedAs("tests.expected-changed")),
		{ID: "tests.input-changed", Class: ClassTests, Strength: Pass, Justifiable: true, Check: comparedAs("tests.input-changed")},
		rule("tests.limit-raised", comparedAs("tests.limit-raised")),
		rule("tests.renamed-out", renamedOut),
		rule("tests.fixture-changed", fixtures),
		rule("tests.runner-narrowed", narrowedRunners),
	}
}

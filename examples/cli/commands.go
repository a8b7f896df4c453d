package main

import (
	"cmp"
	"flag"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/plumbkit/plumb/host/fault"
)

// commands are all verbs, in the order of the help text.
func commands() []command {
	return []command{
		{"index", "", "build the index and print its figures", indexCommand},
		{"dump", "definitions|references", "print every definition or reference", dumpCommand},
		{"definitions", "NAME", "where a name is defined; all of its definitions", definitionsCommand},
		{"references", "NAME", "who refers to it, certain apart from to-confirm", referencesCommand},
		{"callers", "NAME", "who calls it", callersCommand},
		{"callees", "NAME", "what it calls", calleesCommand},
		{"impact", "NAME", "what a change of it reaches", impactCommand},
		{"members", "NAME", "members, implementations and what an implementation lacks", membersCommand},
		{"tests", "FILE|NAME", "the tests of a file or symbol, each with the source of the link", testsCommand},
		{"outline", "FILE", "the definitions of a file", outlineCommand},
		{"search", "TEXT", "where a text stands", searchCommand},
		{"health", "", "how much of the repository is known, and what to do about the rest", healthCommand},
		{"collect", "", "the context for a task", collectCommand},
		{"plan", "", "what a task has to change", planCommand},
		{"check", "", "do edits fit, and what would they do; writes nothing", checkCommand},
		{"apply", "", "write edits as one transaction", applyCommand},
		{"undo", "ID", "take a transaction back", undoCommand},
		{"verify", "", "verify edits, or a difference that is made already", verifyCommand},
		{"gate", "", "what the gate says of edits, or of a difference", gateCommand},
		{"selfcheck", "", "the ten checks on edits, a difference, or the last change", selfcheckCommand},
		{"handoff", "", "the hand-off of the last change", handoffCommand},
		{"sandbox", "check", "which promises of isolation hold on this machine", sandboxCommand},
		{"trace", "", "the requirement and test table, and its gaps", traceCommand},
		{"change", "", "take a task through the whole chain", changeCommand},
	}
}

// find returns the command of a name.
func find(name string) (command, error) {
	all := commands()
	if i := slices.IndexFunc(all, func(c command) bool { return c.name == name }); i >= 0 {
		return all[i], nil
	}
	f := wrong("there is no such command", "run plumb help for the list")
	f.Subject.Text = name
	var names []string
	for _, c := range all {
		names = append(names, c.name)
	}
	for _, n := range near(name, names) {
		f.Candidates = append(f.Candidates, fault.Subject{Text: n})
	}
	return command{}, f
}

// flagFault says which flag was wrong, and which ones are spelled alike.
func (c command) flagFault(fs *flag.FlagSet, err error) error {
	f := wrong(err.Error(), "run plumb help "+c.name+" for its flags")
	f.Op = "plumb " + c.name
	if name, ok := strings.CutPrefix(err.Error(), "flag provided but not defined: "); ok {
		f.Detail, f.Subject.Text = "plumb "+c.name+" has no such flag", name
		var names []string
		fs.VisitAll(func(g *flag.Flag) { names = append(names, "-"+g.Name) })
		for _, n := range near(name, names) {
			f.Candidates = append(f.Candidates, fault.Subject{Text: n})
		}
	}
	return f
}

// near returns the words that are spelled most like name: they begin with it, or
// differ in at most a third of the letters.
func near(name string, words []string) []string {
	type scored struct {
		word string
		far  int
	}
	var found []scored
	for _, w := range words {
		far := distance(name, w)
		if len(name) > 2 && strings.HasPrefix(w, name) {
			far = 0
		}
		if far <= max(1, max(len(name), len(w))/3) {
			found = append(found, scored{w, far})
		}
	}
	slices.SortStableFunc(found, func(a, b scored) int { return cmp.Compare(a.far, b.far) })
	var out []string
	for _, s := range found[:min(3, len(found))] {
		out = append(out, s.word)
	}
	return out
}

// distance counts the insertions, deletions and substitutions that lead from a
// to b (Levenshtein).
func distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			above := row[j+1]
			step := 1
			if a[i] == b[j] {
				step = 0
			}
			row[j+1] = min(above+1, row[j]+1, diagonal+step)
			diagonal = above
		}
	}
	return row[len(b)]
}

// help prints the list of commands, or the flags of one.
func help(w io.Writer, about []string) error {
	if len(about) == 0 {
		usage(w)
		return nil
	}
	if len(about) > 1 {
		f := wrong("help is about one command", "run plumb help "+about[0])
		f.Subject.Text = about[1]
		return f
	}
	c, err := find(about[0])
	if err == nil {
		c.usage(w)
	}
	return err
}

func usage(w io.Writer) {
	fmt.Fprint(w, "plumb turns a requirement and a real repository into a minimal, verified, reversible change.\n\nUsage: plumb COMMAND [flags] [arguments]\n\n")
	for _, c := range commands() {
		fmt.Fprintf(w, "  %-28s %s\n", strings.TrimSpace(c.name+" "+c.args), c.short)
	}
	fmt.Fprint(w, `
Every command takes -C DIR (the repository), -json, -jsonl, -no-cache and -v; plumb help COMMAND lists its flags.
Exit codes: 0 done, 1 findings, 2 invalid input, 3 ambiguous, 4 anchor mismatch, 5 refused by the gate,
6 budget exceeded, 7 index unavailable, 8 rolled back, 9 environment, 10 unsupported, 130 canceled.
`)
}

func (c command) usage(w io.Writer) {
	fmt.Fprintf(w, "plumb %s: %s\n\nUsage: plumb %s [flags]\n", c.name, c.short, strings.TrimSpace(c.name+" "+c.args))
	fs, _ := c.flagSet(&env{})
	fs.SetOutput(w)
	fs.PrintDefaults()
}

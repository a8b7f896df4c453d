package gate

import "strings"

// A ruleHelp is what a reader of a report is told about a class of rules.
type ruleHelp struct{ short, help string }

// helpFor returns a rule's class with what the class is about and what to do; a
// host's own rule is told by its ID.
func helpFor(id string) (class, short, help string) {
	class, _, _ = strings.Cut(id, ".")
	for _, r := range Default() {
		if r.ID == id {
			class = r.Class
		}
	}
	name := strings.NewReplacer(".", ": ", "-", " ", "_", " ").Replace(id)
	h, ok := classHelp(class)
	if !ok {
		return class, name + ".", "This rule is the host's own; its findings say what they need."
	}
	return class, name + ". " + h.short, h.help
}

func classHelp(class string) (ruleHelp, bool) {
	switch class {
	case ClassDeletion:
		return ruleHelp{"A file goes that may still be needed.",
			"A deletion needs two independent proofs: no import or reference leads to the file, and its name stands nowhere but in documents. Keep the file, or remove what still reaches it in the same change."}, true
	case ClassDependencies:
		return ruleHelp{"A dependency changes.",
			"Dependencies change in a change of their own, with the lock file in step and the difference listed. Take the dependency out of this change."}, true
	case ClassSignature:
		return ruleHelp{"A public signature or an import changes.",
			"Every call site has to be in the change or fit both forms, and users need a note on how to migrate. Keep the old form beside the new one, or add what is missing."}, true
	case ClassRename:
		return ruleHelp{"Many files are renamed or moved at once.",
			"A mass rename needs every reference resolved. Do it as a refactoring of its own, by symbol and not by text."}, true
	case ClassPaths:
		return ruleHelp{"A protected path changes.",
			"Secrets, permissions, pipelines and configuration that runs commands are changed by people. Leave the file out of the change."}, true
	case ClassTests:
		return ruleHelp{"A test checks less than before.",
			"Tests are only added to. Put back what was removed, skipped or loosened; where less is really meant, the task has to say why."}, true
	case ClassSuppression:
		return ruleHelp{"A checker is told to look away.",
			"Put right what the checker found, or give the reason in the task."}, true
	case ClassSecrets:
		return ruleHelp{"A credential is added.",
			"Read it from the environment or a secret store at run time. A credential that was ever real is to be revoked. Its value is not in this report."}, true
	}
	return ruleHelp{}, false
}

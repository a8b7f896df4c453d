package patch

import "path/filepath"

// State returns the absolute path of the folder in which the workspace keeps
// its state; hosts may keep a task's ledger and hand-off in folders of their
// own below it. The folder need not exist yet. Nothing in it belongs to the
// repository: git does not list it, and no Snapshot holds it.
func (w *Workspace) State() string { return filepath.Join(w.dir, filepath.FromSlash(w.state)) }

package sandbox

// A Promise is one thing a sandbox keeps a command from doing.
type Promise struct {
	Name PromiseName `json:"name"`
	// Held says whether it holds.
	Held bool `json:"held"`
	// How says by what means it holds, or why it does not.
	How string `json:"how"`
}

// A PromiseName names a promise; its text is stable.
type PromiseName string

// The promises (VER-21).
const (
	// SourceReadOnly: the working directory cannot be changed, except what is in Writable.
	SourceReadOnly PromiseName = "source_read_only"
	// NoOutsideWrite: nothing outside Writable can be changed.
	NoOutsideWrite PromiseName = "no_outside_write"
	// NoHome: the user's home folder cannot be read, except what is named.
	NoHome PromiseName = "no_home"
	// NoNetwork: no connection leaves the sandbox.
	NoNetwork PromiseName = "no_network"
	// EnvReduced: only allowed variables are passed on, none of them a credential.
	EnvReduced PromiseName = "env_reduced"
	// WallLimit, CPULimit, MemoryLimit, ProcessLimit: the limit ends the command with all its processes.
	WallLimit    PromiseName = "wall_limit"
	CPULimit     PromiseName = "cpu_limit"
	MemoryLimit  PromiseName = "memory_limit"
	ProcessLimit PromiseName = "process_limit"
	// OutputLimit: no more than the limit is kept, and what was cut is counted.
	OutputLimit PromiseName = "output_limit"
	// NoOrphans: when the run is over, no process of it is left.
	NoOrphans PromiseName = "no_orphans"
)

// PromiseNames returns every promise, in the order of a report.
func PromiseNames() []PromiseName {
	return []PromiseName{SourceReadOnly, NoOutsideWrite, NoHome, NoNetwork, EnvReduced,
		WallLimit, CPULimit, MemoryLimit, ProcessLimit, OutputLimit, NoOrphans}
}

// Promises are all promises, in the order of PromiseNames.
type Promises []Promise

// Held reports whether the promise holds; false for one that is not listed.
func (ps Promises) Held(name PromiseName) bool {
	for _, p := range ps {
		if p.Name == name {
			return p.Held
		}
	}
	return false
}

// Broken returns the promises that do not hold, in order.
func (ps Promises) Broken() Promises {
	var broken Promises
	for _, p := range ps {
		if !p.Held {
			broken = append(broken, p)
		}
	}
	return broken
}

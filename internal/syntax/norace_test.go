//go:build !race

package syntax

// raceFactor is how much longer CPU bounds are under the race detector.
const raceFactor = 1

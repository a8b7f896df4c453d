// Package plumb turns a requirement and a real repository into a minimal,
// verified, reversible change.
//
// It is a library of stages that a host composes: index sees the repository,
// budget collects what has to be read, changeset derives what has to change,
// patch makes it one transaction, verify finds out what is proven, gate decides
// whether it may be written, and selfcheck writes the hand-off. Each stage is an
// interface with one method and one default implementation, works on plain data,
// and can be used alone.
//
// Chain composes the stages for one task. The order is that of "write last":
// the workspace changes at one point only, after everything that can be known
// beforehand is known.
package plumb

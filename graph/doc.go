// Package graph is the code graph: what the declarations of a repository are
// and how they use each other.
//
// Front ends contribute [Facts], one value per unit (a Go package directory, a
// TypeScript file). [Build] joins the facts of all units into pages, and a
// [Snapshot] answers from pages, reading only those that a question touches.
// [Snapshot.With] lays the facts of a few re-read units over a snapshot, so
// that an answer after an edit does not need a new index.
//
// The package imports nothing of the project. Start at graph.go (the words that
// everybody shares), then facts.go (what goes in) and snapshot.go (what comes out).
package graph

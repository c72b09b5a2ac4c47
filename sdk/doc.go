// Package sdk is sett for Go programs: open a project, index it, ask about it.
//
//	p, err := sdk.Open(".", sdk.Options{})
//	if err != nil { ... }
//	defer p.Close()
//	refs, err := p.Refs(ctx, query.RefsArgs{Selector: query.Selector{Symbol: "tsdb.NewHead"}})
//
// It is also the wiring: the only place below the command line where the indexer, the
// store and the questions meet. The command line and the MCP server are written over it.
//
// A project answers from a snapshot that reflects the files as they are when the question
// comes; nothing needs to be reloaded. Any number of projects, in any number of processes,
// may be open on one folder.
package sdk

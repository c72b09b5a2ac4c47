// Package query holds the questions that the graph answers, one file each, and THE
// query table (all.go), from which the command line, the MCP tools, their schemas and
// the manual are derived. A question sees a [graph.Snapshot] and never a disk, and
// returns plain data; package format turns it into text.
package query

import (
	"context"

	"github.com/settgraph/sett/graph"
)

// Spec describes one question.
type Spec struct {
	Verb    string   // the command line's verb: "refs"
	Aliases []string // other names of the verb
	Tool    string   // the MCP tool's name: "find_references"
	Title   string   // a few words for menus: "Find references"
	Short   string   // one line for help; no full stop
	Long    string   // the tool's description and the verb's long help: first sentence when to use it; at most 400 characters
	Example []string // command lines, for help and the manual
	Always  bool     // the tool is always loaded by clients that defer tools

	args func() any
	run  func(ctx context.Context, g *graph.Snapshot, args any) (any, error)
}

// NewArgs returns a pointer to a new argument struct with its defaults unset. Its exported
// fields carry tags: `json` the name of parameter and flag, `pos` the index of a
// positional argument ("0", "0?" when optional), `default`, `enum` (comma list),
// `help`, `alias` (comma list of old spellings), `short` (one-letter flag), and `cli` or
// `mcp` set to "-" when that door does not offer it.
func (s Spec) NewArgs() any { return s.args() }

// Run answers the question. args is what NewArgs returned, filled. The result is a
// pointer to the question's result struct and never nil when err is nil. An error that
// the asker can act on is a [NotFoundError], [AmbiguousError] or [InvalidError].
func (s Spec) Run(ctx context.Context, g *graph.Snapshot, args any) (any, error) {
	res, err := s.run(ctx, g, args)
	if err != nil {
		return nil, err
	}
	if err := g.Err(); err != nil {
		return nil, err
	}
	return res, nil
}

// define makes a Spec of a typed question.
func define[A, R any](s Spec, run func(context.Context, *graph.Snapshot, *A) (*R, error)) Spec {
	s.args = func() any { return new(A) }
	s.run = func(ctx context.Context, g *graph.Snapshot, args any) (any, error) {
		res, err := run(ctx, g, args.(*A))
		if err != nil {
			return nil, err
		}
		if r, ok := any(res).(interface{ setBudget(int) }); ok {
			if s, ok := args.(Shaper); ok {
				r.setBudget(s.Tokens())
			}
		}
		return res, nil
	}
	return s
}

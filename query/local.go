package query

import (
	"context"
	"fmt"
	"slices"
	"strconv"

	"github.com/settgraph/sett/graph"
)

// A Local is a name that the graph has no node for, because no other file can use it: a
// variable of a function, a parameter, a label. Somebody who can read the file found it
// for a question that [LocalPlace] accepts, and [AnswerLocal] makes the answer.
type Local struct {
	Name  string
	Kind  string // "variable", "parameter", "type parameter", ...
	Sig   string
	File  graph.FileID
	Decl  graph.Span   // of the declared name
	Sites []graph.Edge // the uses in the order of the text: Kind, Pos and Len
}

// LocalPlace returns the position that a question about a declaration names, if it is
// one to which the graph knows no name: what is there may be a local.
func LocalPlace(g *graph.Snapshot, args any) (file *graph.File, at graph.Pos, ok bool) {
	place := ""
	switch a := args.(type) {
	case *RefsArgs:
		if place = a.At; place == "" {
			place = a.Symbol
		}
	case *FindArgs:
		if len(a.Kind) == 0 {
			place = a.Symbol
		}
	}
	m := position.FindStringSubmatch(cleanName(place))
	if m == nil || m[3] == "" {
		return nil, at, false
	}
	line, err1 := strconv.ParseUint(m[2], 10, 31)
	col, err2 := strconv.ParseUint(m[3], 10, 31)
	f, err3 := findFile(g, m[1])
	if err1 != nil || err2 != nil || err3 != nil || line == 0 || col == 0 || f.Lines > 0 && line > uint64(f.Lines) {
		return nil, at, false
	}
	at = graph.Pos{Line: uint32(line), Col: uint32(col)}
	hit := g.At(f.ID, at)
	return f, at, hit.Decl == graph.NoNode && len(hit.Uses) == 0
}

// AnswerLocal answers a question about a local: the result is what the question gives
// for a declaration of the graph. args are those that [LocalPlace] accepted.
func AnswerLocal(ctx context.Context, g *graph.Snapshot, args any, l *Local) (any, error) {
	switch args := args.(type) {
	case *FindArgs:
		return findLocal(g, args, l)
	case *RefsArgs:
		res, err := refsLocal(ctx, g, args, l)
		if err == nil {
			err = g.Err()
		}
		return res, err
	}
	return nil, &InvalidError{"symbol", "a local is no answer to this"}
}

func findLocal(g *graph.Snapshot, args *FindArgs, l *Local) (*FindResult, error) {
	f := g.File(l.File)
	path, err := newPathFilter("path", args.Path)
	if err != nil {
		return nil, err
	}
	if !path.file(f.Path) || args.NoTests && f.Test {
		return nil, &NotFoundError{Name: args.Symbol, Reason: fmt.Sprintf("no symbol %q%s: %s is %s at %s:%d", args.Symbol, inWords(args.Path),
			l.Name, article(l.Kind), f.Path, l.Decl.Line)}
	}
	h := Hit{Ref: Ref{Name: l.Name, Kind: l.Kind, File: f.Path, Line: int(l.Decl.Line), Test: f.Test}, Col: int(l.Decl.Col)}
	if args.Full {
		h.Handle = l.handle(g)
	}
	if args.Sig || args.Full {
		h.Sig = l.Sig
	}
	res := &FindResult{Hits: []Hit{h}, Total: 1, Sigs: args.Sig}
	res.setBudget(args.Tokens())
	return res, nil
}

func refsLocal(ctx context.Context, g *graph.Snapshot, args *RefsArgs, l *Local) (*RefsResult, error) {
	q, err := newRefsQuery(ctx, g, args)
	if err != nil {
		return nil, err
	}
	f := g.File(l.File)
	r := q.newRefs(l.decl(g))
	within := makeEnclosing(g, l.File)
	if n := g.Node(within(l.Decl.Pos)); n != nil {
		r.Symbol.Module = n.Module
		if !isModule(n) {
			r.Symbol.Within = displayName(n)
		}
	}
	sites := slices.Clone(l.Sites)
	for i := range sites {
		e := &sites[i]
		e.File, e.To, e.From = l.File, graph.NoNode, within(e.Pos)
		if f.Test {
			e.Flags |= graph.EdgeTest
		}
	}
	q.fill(&r, sites)
	q.cut(&r)
	res := &RefsResult{Answers: []Refs{r}}
	res.setBudget(args.Tokens())
	return res, q.err
}

// handle is the position of the declaration, which leads back to it.
func (l *Local) handle(g *graph.Snapshot) string {
	return fmt.Sprintf("%s:%d:%d", g.File(l.File).Path, l.Decl.Line, l.Decl.Col)
}

func (l *Local) decl(g *graph.Snapshot) Decl {
	f := g.File(l.File)
	return Decl{
		Name: l.Name, Handle: l.handle(g), Kind: l.Kind, Lang: f.Lang, Sig: l.Sig, Test: f.Test, Generated: f.Generated, Local: true,
		Places: []Place{{File: f.Path, Line: int(l.Decl.Line), Col: int(l.Decl.Col), EndLine: int(l.Decl.EndLine),
			Off: int(l.Decl.Off), End: int(l.Decl.End)}},
	}
}

// makeEnclosing returns a function that finds the innermost declaration of a file around
// a position: the file for lack of one.
func makeEnclosing(g *graph.Snapshot, f graph.FileID) func(graph.Pos) graph.NodeID {
	type span struct {
		id   graph.NodeID
		full graph.Span
	}
	var spans []span
	for _, id := range g.InFile(f) {
		n := g.Node(id)
		if n == nil || n.Kind == graph.KindPackage {
			continue
		}
		for _, d := range n.Decls {
			if d.File == f {
				spans = append(spans, span{id, d.Full})
			}
		}
	}
	return func(at graph.Pos) graph.NodeID {
		best, size := g.File(f).Node, ^uint32(0)
		for _, s := range spans {
			// Of what begins on the same line, what begins behind the position is not around it.
			if !at.Before(s.full.Pos) && at.Line <= s.full.EndLine && s.full.End-s.full.Off <= size {
				best, size = s.id, s.full.End-s.full.Off
			}
		}
		return best
	}
}

package query

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/settgraph/sett/graph"
)

// RefsArgs asks who uses a declaration.
type RefsArgs struct {
	Selector
	Path       string   `json:"path" short:"p" help:"only uses in this file, folder or glob"`
	In         string   `json:"in" mcp:"-" help:"which declaration: only those in this file, folder or glob"`
	Kind       []string `json:"kind" short:"k" help:"comma list: call,read,write,type,import,..."`
	By         string   `json:"by" enum:"line,function" help:"function: name the enclosing declarations"`
	NoTests    bool     `json:"no_tests" help:"leave out test files"`
	Unresolved bool     `json:"unresolved" help:"list the unresolved sites of the same name too"`
	Limit      int      `json:"limit" short:"n" help:"show at most this many uses"`
	More       string   `json:"more" help:"go on where a cut answer said"`
	Shape
}

// RefsResult answers for each meaning of the name.
type RefsResult struct {
	Room
	Answers []Refs `json:"answers"`
}

// Refs is the uses of one declaration. Sites are direct uses; one position counts once.
type Refs struct {
	Symbol          Decl           `json:"symbol"`
	Total           int            `json:"total"` // after the filters
	Files           int            `json:"files"`
	Tests           int            `json:"tests"`   // of Total
	ByKind          map[string]int `json:"by_kind"` // of Total
	Groups          []FileSites    `json:"groups"`  // files outside tests first, then by path
	Dynamic         []FileSites    `json:"dynamic"` // uses of what it implements or overrides, or what does so with it
	DynamicTotal    int            `json:"dynamic_total"`
	Via             []string       `json:"via"`             // what the dynamic sites call
	Implementations int            `json:"implementations"` // of an interface, an interface method or an overridden method
	Unresolved      int            `json:"unresolved"`      // sites of the same name that could not be bound
	Missing         []FileSites    `json:"missing"`         // those sites, when asked for
	Filter          string         `json:"filter,omitempty"`
	Hidden          int            `json:"hidden"` // uses that the filters left out
	Shown           int            `json:"shown"`  // of Total, when a limit cut it
	From            int            `json:"from"`   // index of the first of Groups shown, when the answer goes on from a cut
	ByFunction      bool           `json:"-"`
}

var refsSpec = define(Spec{
	Verb:    "refs",
	Tool:    "find_references",
	Title:   "Find references",
	Short:   "find every use of a symbol",
	Long:    "Use before changing or deleting a symbol, or to see how it is used: every call, read, write, type and import site, grouped by file. `~` marks uses through an interface, its implementations or overrides.",
	Example: []string{"sett refs tsdb.NewHead", "sett refs Head.Append --kind call --by function", "sett refs --at tsdb/head.go:284:6"},
	Always:  true,
}, refs)

func refs(ctx context.Context, g *graph.Snapshot, args *RefsArgs) (*RefsResult, error) {
	q, err := newRefsQuery(ctx, g, args)
	if err != nil {
		return nil, err
	}
	ts, err := q.targets(args.Selector, args.In, maxMeanings)
	if err != nil {
		return nil, err
	}
	res := &RefsResult{Answers: []Refs{}}
	for _, t := range ts {
		res.Answers = append(res.Answers, q.answer(t))
	}
	return res, q.err
}

func newRefsQuery(ctx context.Context, g *graph.Snapshot, args *RefsArgs) (*refsQuery, error) {
	q := &refsQuery{asker: newAsker(ctx, g, args.Full), args: args}
	var err error
	if q.kinds, err = parseEdges("kind", args.Kind); err != nil {
		return nil, err
	}
	if q.path, err = newPathFilter("path", args.Path); err != nil {
		return nil, err
	}
	if q.from, err = parseMore(args.More); err != nil {
		return nil, err
	}
	return q, nil
}

// parseMore reads a cursor: f12 goes on at the thirteenth file.
func parseMore(s string) (int, error) {
	if s == "" {
		return -1, nil
	}
	n, err := strconv.Atoi(strings.TrimPrefix(s, "f"))
	if err != nil || n < 0 || s[0] != 'f' {
		return 0, &InvalidError{"more", fmt.Sprintf("%q is no cursor; an answer that was cut gives one, like f12", s)}
	}
	return n, nil
}

type refsQuery struct {
	*asker
	args  *RefsArgs
	kinds edgeSet
	path  *pathFilter
	from  int
}

// written reports whether an edge is a use that somebody wrote: not one that was derived
// from declarations.
func written(e graph.Edge) bool {
	return e.Flags&graph.EdgeDerived == 0 && e.Kind != graph.EdgeTests && e.Kind != graph.EdgeOverrides
}

// newRefs returns the answer about a declaration without its uses.
func (q *refsQuery) newRefs(d Decl) Refs {
	return Refs{Symbol: d, ByKind: map[string]int{}, Groups: []FileSites{}, Dynamic: []FileSites{}, Via: []string{}, Missing: []FileSites{},
		Filter: q.filter(), ByFunction: q.args.By == "function", From: -1}
}

func (q *refsQuery) answer(t target) Refs {
	r := q.newRefs(q.decl(t.id))
	r.Symbol.Namesakes = t.namesakes
	n := q.g.Node(t.id)

	in := q.g.In(t.id)
	sites := make([]graph.Edge, 0, len(in))
	for _, e := range in {
		if e.Kind == graph.EdgeImplements || e.Kind == graph.EdgeOverrides {
			r.Implementations++
		}
		if written(e) {
			sites = append(sites, e)
		}
	}
	q.fill(&r, sites)

	dynamic, via := q.dynamic(t.id)
	r.DynamicTotal = len(dynamic)
	r.Dynamic = q.groups(dynamic)
	r.Via = append(r.Via, via...)

	missing := q.g.Missing(n.Name)
	r.Unresolved = len(missing)
	if q.args.Unresolved || q.full {
		r.Missing = q.missing(missing)
	}
	q.cut(&r)
	return r
}

// fill counts and groups the uses that pass the filters.
func (q *refsQuery) fill(r *Refs, sites []graph.Edge) {
	all := countSites(sites)
	sites = q.keep(sites)
	for _, e := range sites {
		r.ByKind[e.Kind.String()]++
		if e.Flags&graph.EdgeTest != 0 {
			r.Tests++
		}
	}
	r.Total, r.Hidden = len(sites), all-len(sites)
	r.Groups = q.groups(sites)
	r.Files = len(r.Groups)
	r.Shown = r.Total
}

// keep applies the filters and keeps one use of each position.
func (q *refsQuery) keep(es []graph.Edge) []graph.Edge {
	ok := make(map[graph.FileID]bool)
	kept := es[:0:0]
	for _, e := range es {
		if q.stop() {
			break
		}
		if !q.kinds.has(e.Kind) || q.args.NoTests && e.Flags&graph.EdgeTest != 0 {
			continue
		}
		in, seen := ok[e.File]
		if !seen {
			in = q.path.file(q.g.File(e.File).Path)
			ok[e.File] = in
		}
		if in {
			kept = append(kept, e)
		}
	}
	sortSites(kept)
	return slices.CompactFunc(kept, sameSite)
}

func sameSite(a, b graph.Edge) bool { return a.File == b.File && a.Pos == b.Pos }

func sortSites(es []graph.Edge) {
	slices.SortStableFunc(es, func(a, b graph.Edge) int {
		return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line), cmp.Compare(a.Col, b.Col), cmp.Compare(a.Kind, b.Kind))
	})
}

// countSites counts the positions.
func countSites(es []graph.Edge) int {
	es = slices.Clone(es)
	sortSites(es)
	return len(slices.CompactFunc(es, sameSite))
}

// groups gathers sites by file, files outside tests first.
func (q *refsQuery) groups(es []graph.Edge) []FileSites {
	out := []FileSites{}
	names := map[graph.NodeID]string{}
	for i := 0; i < len(es); {
		j := i
		for j < len(es) && es[j].File == es[i].File {
			j++
		}
		f := q.g.File(es[i].File)
		group := FileSites{File: f.Path, Test: f.Test, Sites: make([]Site, 0, j-i)}
		for _, e := range es[i:j] {
			s := Site{Line: int(e.Line), Col: int(e.Col), Kind: e.Kind.String(),
				Dynamic: e.Flags&graph.EdgeDynamic != 0, TypeOnly: e.Flags&graph.EdgeTypeOnly != 0}
			if q.args.By == "function" || q.full {
				by, ok := names[e.From]
				if !ok {
					by = displayName(q.g.Node(e.From))
					names[e.From] = by
				}
				s.By = by
			}
			group.Sites = append(group.Sites, s)
		}
		out = append(out, group)
		i = j
	}
	slices.SortStableFunc(out, func(a, b FileSites) int {
		switch {
		case a.Test == b.Test:
			return cmp.Compare(a.File, b.File)
		case b.Test:
			return -1
		}
		return 1
	})
	return out
}

// dynamic returns the uses of the members that stand for the same one at run time: what
// the declaration implements or overrides, where a call may land on it, and what
// implements or overrides it, which has to change with it.
func (q *refsQuery) dynamic(id graph.NodeID) (sites []graph.Edge, via []string) {
	n := q.g.Node(id)
	if !n.Kind.IsCallable() && n.Kind != graph.KindField {
		return nil, nil
	}
	for _, m := range family(q.g, n) {
		found := false
		if x := q.g.Node(m); n.Lang != "go" {
			// Heirs and bases are written down as such: naming the member there is a use of it.
			for _, d := range x.Decls {
				e := graph.Edge{Kind: graph.EdgeOverrides, From: m, To: n.ID, File: d.File, Pos: d.Name}
				if d.Flags&graph.FlagTest != 0 {
					e.Flags |= graph.EdgeTest
				}
				sites = append(sites, e)
				found = true
			}
		}
		for _, e := range q.g.In(m) {
			if written(e) {
				sites = append(sites, e)
				found = true
			}
		}
		if found {
			via = append(via, displayName(q.g.Node(m)))
		}
	}
	return q.keep(sites), via
}

// family returns the members above and below a declaration, in the order of ids. In
// TypeScript a base is written down, so its other heirs belong to the family too; a Go
// interface is satisfied by chance, and its other implementations are strangers.
func family(g *graph.Snapshot, n *graph.Node) []graph.NodeID {
	up := upward(g, n.ID)
	from := []graph.NodeID{n.ID}
	if n.Lang != "go" {
		from = append(from, up...)
	}
	seen := map[graph.NodeID]bool{n.ID: true}
	for _, m := range up {
		seen[m] = true
	}
	members := up
	for ; len(from) > 0; from = from[1:] {
		if m := g.Node(from[0]); m == nil || m.External {
			continue // everybody's
		}
		for _, e := range g.In(from[0]) {
			if (e.Kind == graph.EdgeImplements || e.Kind == graph.EdgeOverrides) && !seen[e.From] {
				seen[e.From] = true
				members = append(members, e.From)
				from = append(from, e.From)
			}
		}
	}
	slices.Sort(members)
	return members
}

// upward returns what a declaration implements or overrides, directly and through
// others, in the order of ids.
func upward(g *graph.Snapshot, id graph.NodeID) []graph.NodeID {
	var up []graph.NodeID
	seen := map[graph.NodeID]bool{id: true}
	for todo := []graph.NodeID{id}; len(todo) > 0; todo = todo[1:] {
		for _, e := range g.Out(todo[0]) {
			if (e.Kind == graph.EdgeImplements || e.Kind == graph.EdgeOverrides) && !seen[e.To] {
				seen[e.To] = true
				up = append(up, e.To)
				todo = append(todo, e.To)
			}
		}
	}
	slices.Sort(up)
	return up
}

func (q *refsQuery) missing(us []graph.Unresolved) []FileSites {
	out := []FileSites{}
	for _, u := range us {
		f := q.g.File(u.File)
		if n := len(out); n == 0 || out[n-1].File != f.Path {
			out = append(out, FileSites{File: f.Path, Test: f.Test})
		}
		last := &out[len(out)-1]
		last.Sites = append(last.Sites, Site{Line: int(u.Line), Col: int(u.Col), Reason: u.Reason})
	}
	return out
}

// filter tells which uses were asked for.
func (q *refsQuery) filter() string {
	var parts []string
	if len(q.args.Kind) > 0 {
		parts = append(parts, "kind "+strings.Join(q.args.Kind, ","))
	}
	if q.path != nil {
		parts = append(parts, "path "+q.path.text)
	}
	if q.args.NoTests {
		parts = append(parts, "no tests")
	}
	return strings.Join(parts, ", ")
}

// cut applies cursor and limit.
func (q *refsQuery) cut(r *Refs) {
	if q.from >= 0 {
		r.From = min(q.from, len(r.Groups))
		r.Groups = r.Groups[r.From:]
	}
	if q.args.Limit <= 0 {
		return
	}
	left := q.args.Limit
	for i := range r.Groups {
		g := &r.Groups[i]
		if len(g.Sites) > left {
			g.Sites = g.Sites[:left]
		}
		left -= len(g.Sites)
		if left == 0 {
			r.Groups = r.Groups[:i+1]
			break
		}
	}
	r.Shown = 0
	for _, g := range r.Groups {
		r.Shown += len(g.Sites)
	}
}

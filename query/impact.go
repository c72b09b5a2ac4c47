package query

import (
	"cmp"
	"context"
	"path"
	"slices"

	"github.com/settgraph/sett/graph"
)

// ImpactArgs asks what a change of a declaration can break.
type ImpactArgs struct {
	Selector
	Path  string `json:"path" short:"p" alias:"in" help:"which declaration: only those in this file, folder or glob"`
	Depth int    `json:"depth" short:"d" alias:"max_depth" help:"stop at this distance; 0: go on to the end"`
	Limit int    `json:"limit" short:"n" help:"show at most this many dependents"`
	Shape
}

// ImpactResult answers for each meaning of the name.
type ImpactResult struct {
	Room
	Answers []Impact `json:"answers"`
}

// InModules makes the test commands for a project with these Go modules; see [Tests.InModules].
func (r *ImpactResult) InModules(dirs []string) {
	for i := range r.Answers {
		r.Answers[i].Tests.InModules(dirs)
	}
}

// Impact is everything that depends on a declaration, directly or through others. Tests
// are counted apart from other dependents.
type Impact struct {
	Symbol     Decl     `json:"symbol"`
	Direct     int      `json:"direct"`   // dependents outside tests, at distance 1
	Total      int      `json:"total"`    // dependents outside tests, at any distance
	Dynamic    int      `json:"dynamic"`  // of Total: reached only through dynamic dispatch
	Files      int      `json:"files"`    // that hold dependents, tests not counted
	Levels     []Level  `json:"levels"`   // by distance
	Packages   []string `json:"packages"` // folders of the dependents
	Tests      Tests    `json:"tests"`
	Unresolved int      `json:"unresolved"`      // sites of the same name that could not be bound
	Risk       string   `json:"risk"`            // high, medium, low, or unknown without evidence
	Depth      int      `json:"depth,omitempty"` // where the search was told to stop
	Limit      int      `json:"limit,omitempty"`
}

// A Level is the dependents at one distance.
type Level struct {
	Distance int         `json:"distance"`
	Count    int         `json:"count"` // dependents outside tests
	Tests    int         `json:"tests"`
	Files    []FileUsers `json:"files"` // without tests
}

// A FileUsers is the dependents in one file. Users may be left out when there are
// thousands; Count is always right.
type FileUsers struct {
	File  string      `json:"file"`
	Count int         `json:"count"`
	Users []Dependent `json:"users"`
}

// A Dependent is a declaration that depends on the subject, and by which other one.
type Dependent struct {
	Ref
	ID  int `json:"id"`  // numbers the dependents of an answer, from 1
	Via int `json:"via"` // the one that it uses; 0 is the subject
}

// maxNamed is how many dependents are named when not all facts are asked for.
const maxNamed = 400

var impactSpec = define(Spec{
	Verb:    "impact",
	Tool:    "get_impact",
	Title:   "Impact of a change",
	Short:   "what breaks if a symbol changes, and which tests to run",
	Long:    "Use before an edit to see what it can break: all direct and transitive dependents by distance (`~`: only through an interface or override), the packages and tests reached, and the command that runs those tests.",
	Example: []string{"sett impact tsdb.NewHead", "sett impact Head.Append --depth 2"},
	Always:  true,
}, impact)

func impact(ctx context.Context, g *graph.Snapshot, args *ImpactArgs) (*ImpactResult, error) {
	a := newAsker(ctx, g, args.Full)
	if args.Depth < 0 {
		return nil, &InvalidError{"depth", "it must not be negative"}
	}
	ts, err := a.targets(args.Selector, args.Path, maxMeanings)
	if err != nil {
		return nil, err
	}
	res := &ImpactResult{Answers: []Impact{}}
	for _, t := range ts {
		r := newReach(a, args.Depth)
		r.from(t.id)
		x := r.impact(t, args)
		if a.err != nil {
			return nil, a.err
		}
		res.Answers = append(res.Answers, x)
	}
	return res, nil
}

// A reach is a walk from a declaration to what depends on it. It goes by ids and edges
// alone, since it may cross most of the graph, and decodes each list once.
//
// A use inside a method counts as the method, not as its type, so that the walk does not
// spread over everything that a type can do. Exact dependents come first; then the walk
// goes on through dynamic dispatch for those that have no exact way.
type reach struct {
	*asker
	depth  int
	dist   []int32        // 0: not reached, 1: the subject itself, n+1: at distance n
	file   []graph.FileID // of the reached: the file of a site
	via    []graph.NodeID // of the reached: what they use
	flags  []uint8
	order  []graph.NodeID // reached, by discovery
	module []bool         // ids of files: reached, but not gone through
}

const (
	reachDynamic = 1 << iota // no exact way
	reachTest                // in a test file
	reachLeaf                // not gone through
)

func newReach(a *asker, depth int) *reach {
	n := a.g.NumNodes()
	r := &reach{asker: a, depth: depth, dist: make([]int32, n), file: make([]graph.FileID, n), via: make([]graph.NodeID, n), flags: make([]uint8, n), module: make([]bool, n)}
	for _, f := range a.g.Files() {
		if int(f.Node) < n {
			r.module[f.Node] = true
		}
	}
	return r
}

// from walks from a declaration. What it contains is part of it.
func (r *reach) from(id graph.NodeID) {
	starts := withMembers(r.g, id)
	for _, s := range starts {
		r.dist[s] = 1
	}
	// What implements or overrides the subject has to change with it.
	var first []graph.NodeID
	for _, s := range starts {
		for _, e := range r.g.In(s) {
			if e.Kind == graph.EdgeImplements || e.Kind == graph.EdgeOverrides {
				if r.mark(e, s, 2, 0) {
					first = append(first, e.From)
					if n := r.g.Node(e.From); n != nil && n.Kind.IsType() {
						r.flags[e.From] |= reachLeaf // its methods are reached by themselves
					}
				}
			}
		}
	}
	r.walk([][]graph.NodeID{starts, first}, 0)
	r.dynamic(starts)
}

// withMembers returns a declaration and all that it contains.
func withMembers(g *graph.Snapshot, id graph.NodeID) []graph.NodeID {
	ids := []graph.NodeID{id}
	seen := map[graph.NodeID]bool{id: true}
	for i := 0; i < len(ids); i++ {
		for _, c := range g.Children(ids[i]) {
			if !seen[c] {
				seen[c] = true
				ids = append(ids, c)
			}
		}
	}
	return ids
}

// mark reaches the user of an edge, unless it was reached before.
func (r *reach) mark(e graph.Edge, via graph.NodeID, dist int32, flags uint8) bool {
	if r.dist[e.From] != 0 {
		return false
	}
	r.dist[e.From] = dist
	r.file[e.From] = e.File
	r.via[e.From] = via
	if e.Flags&graph.EdgeTest != 0 {
		flags |= reachTest
	}
	if r.module[e.From] {
		flags |= reachLeaf
	}
	r.flags[e.From] = flags
	r.order = append(r.order, e.From)
	return true
}

// walk goes on from levels, whose index is the distance, until nothing new is reached.
func (r *reach) walk(levels [][]graph.NodeID, flags uint8) {
	for d := 0; d < len(levels) && (r.depth == 0 || d < r.depth); d++ {
		for _, id := range levels[d] {
			if r.stop() {
				return
			}
			if r.flags[id]&reachLeaf != 0 {
				continue
			}
			in := r.g.In(id)
			for i, e := range in {
				if e.Kind == graph.EdgeImplements && e.Flags&graph.EdgeDerived != 0 || e.Kind == graph.EdgeOverrides {
					continue
				}
				if r.module[e.From] && e.Kind == graph.EdgeRefs && r.usedWithin(in, i) {
					continue // the file only names it in an import: its users are in the list
				}
				if e.Kind == graph.EdgeImports && !r.isModule(id) {
					continue // naming something in an import is no use of it yet
				}
				if r.mark(e, id, int32(d)+2, flags) {
					for len(levels) <= d+1 {
						levels = append(levels, nil)
					}
					levels[d+1] = append(levels[d+1], e.From)
				}
			}
		}
	}
}

// usedWithin reports whether a declaration in the file of the edge at i, which is sorted
// by file, is the source of another.
func (r *reach) usedWithin(in []graph.Edge, i int) bool {
	first, last := i, i
	for first > 0 && in[first-1].File == in[i].File {
		first--
	}
	for last < len(in)-1 && in[last+1].File == in[i].File {
		last++
	}
	return slices.ContainsFunc(in[first:last+1], func(e graph.Edge) bool { return !r.module[e.From] && written(e) })
}

// wanted reports whether a method satisfies an interface from outside the project, whose
// users may then call it, and whether one from inside or a base class.
func (r *reach) wanted(id graph.NodeID) (outside, inside bool) {
	for _, e := range r.g.Out(id) {
		if e.Kind == graph.EdgeImplements || e.Kind == graph.EdgeOverrides {
			if n := r.g.Node(e.To); n != nil && n.External {
				outside = true
			} else {
				inside = true
			}
		}
	}
	return outside, inside
}

// isModule reports whether the id is of a file or package.
func (r *reach) isModule(id graph.NodeID) bool {
	if r.module[id] {
		return true
	}
	n := r.g.Node(id)
	return n == nil || isModule(n)
}

// dynamic goes on through what the reached methods implement or override: its callers may
// run them. Interfaces from outside the project, such as error, count for the subject
// alone, since one of them ties everything to everything. A method that nobody calls by
// name, such as a handler or a proxy trap, is run through what it belongs to.
func (r *reach) dynamic(starts []graph.NodeID) {
	tried := make(map[graph.NodeID]bool)
	var levels [][]graph.NodeID
	level := func(d int32, id graph.NodeID) {
		for len(levels) <= int(d) {
			levels = append(levels, nil)
		}
		levels[d] = append(levels[d], id)
	}
	seed := func(id graph.NodeID, subject bool) {
		d := r.dist[id] - 1
		if r.depth > 0 && int(d) >= r.depth || r.flags[id]&reachLeaf != 0 {
			return
		}
		for todo := []graph.NodeID{id}; len(todo) > 0; todo = todo[1:] {
			for _, e := range r.g.Out(todo[0]) {
				if e.Kind != graph.EdgeImplements && e.Kind != graph.EdgeOverrides || tried[e.To] {
					continue
				}
				n := r.g.Node(e.To)
				if n == nil || !n.Kind.IsCallable() || n.External && !subject {
					continue
				}
				tried[e.To] = true
				todo = append(todo, e.To)
				for _, use := range r.g.In(e.To) {
					if written(use) && use.Kind != graph.EdgeImplements && r.mark(use, id, d+2, reachDynamic) {
						level(d+1, use.From)
					}
				}
			}
		}
	}
	hidden := func(id graph.NodeID) {
		n := r.g.Node(id)
		d := r.dist[id] - 1
		if n == nil || !n.Kind.IsCallable() || n.Parent == graph.NoNode || n.Flags&graph.FlagAbstract != 0 || r.dist[n.Parent] != 0 ||
			r.depth > 0 && int(d) >= r.depth || r.flags[id]&(reachLeaf|reachTest) != 0 || r.isModule(n.Parent) {
			return
		}
		for _, e := range r.g.In(id) {
			if written(e) && e.Flags&graph.EdgeTest == 0 {
				return
			}
		}
		p := r.g.Node(n.Parent)
		outside, inside := r.wanted(id)
		if p == nil || len(p.Decls) == 0 || inside || n.Lang == "go" && !outside {
			return
		}
		r.mark(graph.Edge{From: n.Parent, File: p.Decls[0].File}, id, d+2, reachDynamic)
		level(d+1, n.Parent)
	}
	for _, id := range starts {
		seed(id, true)
		hidden(id)
	}
	// What is reached is appended to order, so this goes on through it.
	for i := 0; i < len(r.order) && !r.stop(); i++ {
		seed(r.order[i], false)
		hidden(r.order[i])
		if len(levels) > 0 {
			r.walk(levels, reachDynamic)
			levels = nil
		}
	}
}

// impact makes the answer of what was reached.
func (r *reach) impact(t target, args *ImpactArgs) Impact {
	x := Impact{Symbol: r.decl(t.id), Levels: []Level{}, Packages: []string{}, Depth: args.Depth, Limit: args.Limit}
	x.Symbol.Namesakes = t.namesakes
	slices.SortFunc(r.order, func(a, b graph.NodeID) int {
		return cmp.Or(cmp.Compare(r.dist[a], r.dist[b]), cmp.Compare(r.file[a], r.file[b]), cmp.Compare(a, b))
	})
	files, packages := map[graph.FileID]bool{}, map[string]bool{}
	named := 0
	number := map[graph.NodeID]int{}
	var tests []graph.NodeID
	for _, id := range r.order {
		d := int(r.dist[id]) - 1
		for len(x.Levels) == 0 || x.Levels[len(x.Levels)-1].Distance < d {
			x.Levels = append(x.Levels, Level{Distance: d, Files: []FileUsers{}})
		}
		l := &x.Levels[len(x.Levels)-1]
		p := r.g.File(r.file[id]).Path
		packages[path.Dir(p)] = true
		if r.flags[id]&reachTest != 0 {
			l.Tests++
			tests = append(tests, id)
			continue
		}
		l.Count++
		x.Total++
		if d == 1 {
			x.Direct++
		}
		if r.flags[id]&reachDynamic != 0 {
			x.Dynamic++
		}
		if args.Limit > 0 && x.Total > args.Limit {
			continue
		}
		files[r.file[id]] = true
		if n := len(l.Files); n == 0 || l.Files[n-1].File != p {
			l.Files = append(l.Files, FileUsers{File: p, Users: []Dependent{}})
		}
		f := &l.Files[len(l.Files)-1]
		f.Count++
		if named < maxNamed || r.full {
			named++
			number[id] = named
			u := Dependent{Ref: r.ref(id), ID: named, Via: number[r.via[id]]}
			u.Dynamic = r.flags[id]&reachDynamic != 0
			f.Users = append(f.Users, u)
		}
	}
	x.Files = len(files)
	for p := range packages {
		x.Packages = append(x.Packages, p)
	}
	slices.Sort(x.Packages)
	n := r.g.Node(t.id)
	x.Unresolved = len(r.g.Missing(n.Name))
	x.Tests = r.tests(tests)
	x.Risk = risk(&x)
	return x
}

// risk weighs what was found: high from 50 dependents or 10 packages on, low only when
// everything that could speak against it was seen.
func risk(x *Impact) string {
	switch {
	case x.Total >= 50 || len(x.Packages) >= 10:
		return "high"
	case x.Total == 0 && (x.Unresolved > 0 || x.Symbol.Exported && x.Tests.Count == 0):
		return "unknown"
	case x.Total >= 10 || len(x.Packages) >= 4 || x.Unresolved > 0 || x.Dynamic > 0:
		return "medium"
	}
	return "low"
}

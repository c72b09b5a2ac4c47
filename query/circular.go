package query

import (
	"cmp"
	"context"
	"fmt"
	"path"
	"slices"

	"github.com/settgraph/sett/graph"
)

// CircularArgs asks for dependency cycles.
type CircularArgs struct {
	Level   string `json:"level" enum:"file,package,declaration" help:"file: imports of files, and of Go packages; package: of packages or folders; declaration: mutual recursion and types that hold each other"`
	Path    string `json:"path" short:"p" help:"only cycles that pass through this file, folder or glob"`
	Runtime bool   `json:"runtime" help:"leave out cycles that only type-only imports, or tests of Go packages, close"`
	Limit   int    `json:"limit" short:"n" help:"show at most this many cycles"`
	Shape
}

// CircularResult lists the strongly connected components, each as one shortest cycle.
type CircularResult struct {
	Room
	Level  string  `json:"level"`
	Path   string  `json:"path,omitempty"` // only cycles through it
	Cycles []Cycle `json:"cycles"`
	Total  int     `json:"total"`
	Weak   int     `json:"weak"`  // of Total: harmless at run time, see [Cycle]
	Nodes  int     `json:"nodes"` // how many files, packages or declarations were looked at
	What   string  `json:"what"`  // what they are, in the plural
	Go     bool    `json:"go"`    // there are Go packages, which the language keeps free of cycles
}

// A Cycle is a strongly connected component.
type Cycle struct {
	Size    int         `json:"size"`           // members of the component
	Weak    string      `json:"weak,omitempty"` // "type-only" or "through tests": it would not be one without such imports
	Path    []CycleStep `json:"path"`           // one shortest cycle; the last step leads back to the first
	Members []string    `json:"members"`        // all, sorted; only when all facts are asked for
}

// A CycleStep is a member and the site where it uses the next one.
type CycleStep struct {
	Name string `json:"name"`
	File string `json:"file"`
	Line int    `json:"line"`
}

var circularSpec = define(Spec{
	Verb:    "circular",
	Tool:    "detect_circular",
	Title:   "Detect circular dependencies",
	Short:   "find import cycles, or mutually recursive declarations",
	Long:    "Use to find circular dependencies of files or packages: each group once, as one shortest cycle with its import lines. level declaration finds mutual recursion, also within Go packages.",
	Example: []string{"sett circular", "sett circular --runtime --path src/components", "sett circular --level declaration"},
}, circular)

func circular(ctx context.Context, g *graph.Snapshot, args *CircularArgs) (*CircularResult, error) {
	a := newAsker(ctx, g, args.Full)
	filter, err := newKnownPath(g, "path", args.Path)
	if err != nil {
		return nil, err
	}
	c := &cycles{asker: a, number: map[string]int32{}}
	res := &CircularResult{Path: args.Path, Level: args.Level, Cycles: []Cycle{}}
	switch args.Level {
	case "", "file":
		res.Level, res.What = "file", "files"
		c.modules(false)
	case "package":
		res.What = "packages"
		c.modules(true)
	case "declaration":
		res.What = "declarations"
		c.declarations()
	default:
		return nil, &InvalidError{"level", fmt.Sprintf("no level %q; one of file, package, declaration", args.Level)}
	}
	res.Nodes, res.Go = len(c.names), c.goPackages > 0
	if res.Level == "file" && c.goPackages > 0 {
		res.What = "files and packages"
		if c.goPackages == len(c.names) {
			res.What = "packages"
		}
	}
	for _, x := range c.find() {
		if args.Runtime && x.Weak != "" || filter != nil && !slices.ContainsFunc(x.Path, func(s CycleStep) bool { return filter.file(s.File) }) {
			continue
		}
		res.Total++
		if x.Weak != "" {
			res.Weak++
		}
		if args.Limit <= 0 || res.Total <= args.Limit {
			res.Cycles = append(res.Cycles, x)
		}
	}
	return res, a.err
}

// cycles is a graph of modules or declarations, numbered.
type cycles struct {
	*asker
	number     map[string]int32
	names      []string
	edges      []cycleEdge
	goPackages int
}

type cycleEdge struct {
	from, to int32
	weak     string
	site     graph.Edge
}

func (c *cycles) num(key, name string) int32 {
	i, ok := c.number[key]
	if !ok {
		i = int32(len(c.names))
		c.number[key] = i
		c.names = append(c.names, name)
	}
	return i
}

// modules is the graph of imports: of files, or of folders; of Go always packages.
func (c *cycles) modules(folders bool) {
	files := c.g.Files()
	of := make([]int32, len(files))
	goOf := map[string]int32{}
	packages := goPackages(c.g)
	for i := range files {
		f := &files[i]
		switch {
		case f.Node == graph.NoNode:
		case f.Lang == "go":
			// The tests of a package may be a package of their own in the same folder.
			p := packages[f.ID]
			of[i] = c.num("go:"+p, path.Dir(f.Path))
			goOf[p] = of[i]
		case folders:
			of[i] = c.num("dir:"+path.Dir(f.Path), path.Dir(f.Path))
		default:
			of[i] = c.num(f.Path, f.Path)
		}
	}
	c.goPackages = len(goOf)
	for i := range files {
		if files[i].Node == graph.NoNode || c.stop() {
			continue
		}
		for _, e := range c.g.Out(files[i].Node) {
			if e.Kind != graph.EdgeImports {
				continue
			}
			n := c.g.Node(e.To)
			if n == nil || n.External || len(n.Decls) == 0 || !isSpecified(n) {
				continue // an import of a name comes with one of the file that it is taken from
			}
			to, ok := goOf[n.Module]
			if !ok || n.Kind != graph.KindPackage {
				to = of[n.Decls[0].File]
			}
			if from := of[i]; from != to {
				weak := ""
				switch {
				case e.Flags&graph.EdgeTypeOnly != 0:
					weak = "type-only"
				case files[i].Lang == "go" && files[i].Test:
					weak = "through tests" // tests are compiled apart
				}
				c.edges = append(c.edges, cycleEdge{from, to, weak, e})
			}
		}
	}
}

// goPackages returns the import path of the package of each Go file. A file in which
// nothing is declared belongs to the package of its folder.
func goPackages(g *graph.Snapshot) map[graph.FileID]string {
	of, ofFolder := map[graph.FileID]string{}, map[string]string{}
	var bare []*graph.File
	for i := range g.Files() {
		f := g.File(graph.FileID(i))
		if f.Node == graph.NoNode || f.Lang != "go" {
			continue
		}
		p, ok := goPackage(g, f)
		if !ok {
			bare = append(bare, f)
			continue
		}
		of[f.ID] = p
		if dir := path.Dir(f.Path); !f.Test || ofFolder[dir] == "" {
			ofFolder[dir] = p
		}
	}
	for _, f := range bare {
		of[f.ID] = orWord(ofFolder[path.Dir(f.Path)], f.Unit)
	}
	return of
}

func goPackage(g *graph.Snapshot, f *graph.File) (string, bool) {
	for _, id := range g.InFile(f.ID) {
		n := g.Node(id)
		if n == nil || n.Kind == graph.KindFile {
			continue
		}
		if n.Kind == graph.KindPackage {
			return n.Module, true
		}
		if p := g.Node(n.Parent); n.Parent != graph.NoNode && p != nil && p.Kind == graph.KindPackage {
			return p.Module, true
		}
	}
	return "", false
}

// declarations is the graph of calls among functions, and of types that hold types.
func (c *cycles) declarations() {
	for id := range graph.NodeID(c.g.NumNodes()) {
		if c.stop() {
			return
		}
		n := c.g.Node(id)
		if n == nil || n.External || isModule(n) {
			continue
		}
		holder := n
		if n.Kind == graph.KindField {
			if p := c.g.Node(n.Parent); n.Parent != graph.NoNode && p != nil {
				holder = p
			}
		}
		for _, e := range c.g.Out(id) {
			if e.To == holder.ID || e.To == id {
				continue
			}
			to := c.g.Node(e.To)
			if to == nil || to.External {
				continue
			}
			calls := e.Kind == graph.EdgeCalls && n.Kind.IsCallable() && to.Kind.IsCallable()
			holds := holder.Kind.IsType() && to.Kind.IsType() &&
				(e.Kind == graph.EdgeTypeRef || e.Kind == graph.EdgeEmbeds || e.Kind == graph.EdgeExtends)
			if calls || holds {
				c.edges = append(c.edges, cycleEdge{c.decl(holder), c.decl(to), "", e})
			}
		}
	}
}

func (c *cycles) decl(n *graph.Node) int32 {
	return c.num(fmt.Sprint(n.ID), displayName(n))
}

// find returns the cycles: those at run time, then those that weak imports close.
func (c *cycles) find() []Cycle {
	// Numbers by name, so that answers do not depend on the order of discovery.
	order := make([]int32, len(c.names))
	for i := range order {
		order[i] = int32(i)
	}
	slices.SortStableFunc(order, func(a, b int32) int { return cmp.Compare(c.names[a], c.names[b]) })
	rank := make([]int32, len(order))
	names := make([]string, len(order))
	for i, o := range order {
		rank[o] = int32(i)
		names[i] = c.names[o]
	}
	sites, weak := map[[2]int32]graph.Edge{}, map[[2]int32]string{}
	runtime, all := make([][]int32, len(names)), make([][]int32, len(names))
	for _, e := range c.edges {
		from, to := rank[e.from], rank[e.to]
		key := [2]int32{from, to}
		if _, ok := sites[key]; !ok || weak[key] != "" && e.weak == "" {
			sites[key], weak[key] = e.site, e.weak
		}
		all[from] = append(all[from], to)
		if e.weak == "" {
			runtime[from] = append(runtime[from], to)
		}
	}
	for _, next := range [][][]int32{runtime, all} {
		for i := range next {
			slices.Sort(next[i])
			next[i] = slices.Compact(next[i])
		}
	}
	var found []Cycle
	real := map[int32]bool{}
	add := func(next [][]int32, comp []int32) {
		x := Cycle{Size: len(comp), Path: []CycleStep{}, Members: []string{}}
		p := shortestCycle(next, comp)
		smallest := slices.Index(p, slices.Min(p))
		p = append(p[smallest:len(p):len(p)], p[:smallest]...)
		for i, v := range p {
			key := [2]int32{v, p[(i+1)%len(p)]}
			e := sites[key]
			x.Weak = orWord(x.Weak, weak[key])
			x.Path = append(x.Path, CycleStep{Name: names[v], File: c.path(e.File), Line: int(e.Line)})
		}
		if c.full {
			for _, v := range comp {
				x.Members = append(x.Members, names[v])
			}
		}
		found = append(found, x)
	}
	for _, comp := range components(runtime) {
		if c.stop() {
			return nil
		}
		for _, v := range comp {
			real[v] = true
		}
		add(runtime, comp)
	}
	for _, comp := range components(all) {
		if !slices.ContainsFunc(comp, func(v int32) bool { return real[v] }) {
			add(all, comp)
		}
	}
	return found
}

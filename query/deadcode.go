package query

import (
	"cmp"
	"context"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/settgraph/sett/graph"
)

// DeadCodeArgs asks for declarations that nobody uses.
type DeadCodeArgs struct {
	Path       string   `json:"path" pos:"0?" short:"p" help:"only in this file, folder or glob"`
	Kind       []string `json:"kind" short:"k" help:"only these kinds"`
	Exported   bool     `json:"exported" help:"also the exported API of libraries"`
	Fields     bool     `json:"fields" help:"also fields and enum members"`
	Transitive bool     `json:"transitive" short:"t" help:"also what only dead code uses"`
	Tests      bool     `json:"tests" help:"also unused declarations in tests"`
	Entry      []string `json:"entry" mcp:"-" help:"called from outside: name globs, [path-glob:]Type.Member"`
	Limit      int      `json:"limit" short:"n" help:"show at most this many"`
	Shape
}

// AddEntry says which declarations something outside the graph calls, beside those that
// the asker names: "Server.Handle*", or "web/**:*.Serve" for those in files that match.
func (a *DeadCodeArgs) AddEntry(patterns []string) {
	for _, p := range patterns {
		if !slices.Contains(a.Entry, p) {
			a.Entry = append(a.Entry, p)
		}
	}
}

// DeadCodeResult lists what nobody uses.
type DeadCodeResult struct {
	Room
	Dead     []DeadSymbol `json:"dead"`      // in the order of file and line
	Total    int          `json:"total"`     // of each reason together
	Certain  int          `json:"certain"`   // of Total: nobody uses it
	TestOnly int          `json:"test_only"` // of Total: only tests use it
	ByDead   int          `json:"by_dead"`   // of Total: only dead code uses it
	Maybe    int          `json:"maybe"`     // of Total: an unresolved name may mean it
	Looked   int          `json:"looked"`    // declarations looked at
	Path     string       `json:"path,omitempty"`
	API      int          `json:"api"` // unused, but exported by a library, when left out
}

// A DeadSymbol is a declaration that nobody needs.
type DeadSymbol struct {
	Ref
	Why   string `json:"why"` // unused, test-only, only-by-dead, maybe
	Lines int    `json:"lines"`
}

// The reasons of a [DeadSymbol].
const (
	DeadUnused   = "unused"
	DeadTestOnly = "test-only"
	DeadByDead   = "only-by-dead"
	DeadMaybe    = "maybe"
)

var deadCodeSpec = define(Spec{
	Verb:    "deadcode",
	Tool:    "find_dead_code",
	Title:   "Find dead code",
	Short:   "find declarations that nobody uses",
	Long:    "Use to find what can be deleted: declarations without any use, or used only by tests or (transitive) by dead code. Knows main, init, tests, interface methods and exported APIs; says maybe where a name is unresolved.",
	Example: []string{"sett deadcode", "sett deadcode tsdb --transitive", "sett deadcode --kind function --exported"},
}, deadCode)

func deadCode(ctx context.Context, g *graph.Snapshot, args *DeadCodeArgs) (*DeadCodeResult, error) {
	a := newAsker(ctx, g, args.Full)
	kinds, err := parseKinds("kind", args.Kind)
	if err != nil {
		return nil, err
	}
	filter, err := newKnownPath(g, "path", args.Path)
	if err != nil {
		return nil, err
	}
	d := &deadSearch{asker: a, args: args, kinds: kinds, path: filter}
	for _, pattern := range args.Entry {
		e, err := newEntryPattern(pattern)
		if err != nil {
			return nil, err
		}
		d.entry = append(d.entry, e)
	}
	res := d.search()
	return res, a.err
}

type deadSearch struct {
	*asker
	args    *DeadCodeArgs
	kinds   kindSet
	path    *pathFilter
	mainPkg map[string]bool // Go packages that are programs
	entry   []entryPattern
	blind   map[graph.FileID]bool // files that import what was not found; nil until needed
	res     *DeadCodeResult
}

// An entryPattern matches declarations that are called from outside.
type entryPattern struct {
	path *pathFilter // nil for all files
	name string      // glob over the qualified name
}

func newEntryPattern(text string) (entryPattern, error) {
	p := entryPattern{name: text}
	if dir, name, ok := strings.Cut(text, ":"); ok {
		var err error
		if p.path, err = newPathFilter("entry", dir); err != nil {
			return p, err
		}
		p.name = name
	}
	if _, err := path.Match(p.name, ""); err != nil || p.name == "" {
		return p, &InvalidError{"entry", fmt.Sprintf("%q is no pattern like Server.Handle* or web/**:*.Serve", text)}
	}
	return p, nil
}

// isEntry reports whether a configured pattern says that something outside calls it.
func (d *deadSearch) isEntry(n *graph.Node) bool {
	for _, e := range d.entry {
		if ok, _ := path.Match(e.name, n.Qual); ok && e.path.node(d.g, n) {
			return true
		}
	}
	return false
}

func (d *deadSearch) search() *DeadCodeResult {
	d.res = &DeadCodeResult{Dead: []DeadSymbol{}, Path: d.args.Path}
	d.mainPkg = mainPackages(d.g)
	var live []bool
	if d.args.Transitive {
		live = d.reachable()
	}
	for id := range graph.NodeID(d.g.NumNodes()) {
		if d.stop() {
			return d.res
		}
		n := d.g.Node(id)
		if n == nil || !d.candidate(n) {
			continue
		}
		d.res.Looked++
		if why := d.why(n, live); why != "" {
			d.add(n, why)
		}
	}
	slices.SortStableFunc(d.res.Dead, func(a, b DeadSymbol) int {
		return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line), cmp.Compare(a.Name, b.Name))
	})
	if n := d.args.Limit; n > 0 && len(d.res.Dead) > n {
		d.res.Dead = d.res.Dead[:n]
	}
	return d.res
}

// candidate reports whether a declaration could be dead at all.
func (d *deadSearch) candidate(n *graph.Node) bool {
	if n.External || len(n.Decls) == 0 || isModule(n) || n.Name == "" || n.Name == "_" || n.Name == "init" || !d.kinds.has(n.Kind) || !d.path.node(d.g, n) {
		return false
	}
	if d.isEntry(n) || n.Flags&(graph.FlagEntry|graph.FlagGenerated) != 0 || n.Flags&graph.FlagTest != 0 && !d.args.Tests {
		return false
	}
	if n.Name[0] == '[' { // [Symbol.iterator]: the language calls it
		return false
	}
	if p := d.g.Node(n.Parent); n.Parent != graph.NoNode && p != nil && !p.Kind.IsType() && !isModule(p) && strings.Contains(n.Qual, ".") && n.Lang != "go" {
		return d.args.Fields // of an object, whose members are mostly used through it
	}
	switch n.Kind {
	case graph.KindField, graph.KindVariant:
		return d.args.Fields && n.Flags&graph.FlagEmbedded == 0
	case graph.KindModule, graph.KindTest, graph.KindApp, graph.KindUnknown:
		return false
	}
	return true
}

// why says why a declaration is dead, or nothing when it is not.
func (d *deadSearch) why(n *graph.Node, live []bool) string {
	used, tested := d.uses(n)
	if d.satisfies(n) {
		return "" // called through an interface or a base class
	}
	byDead := false
	if used {
		if live == nil || live[n.ID] {
			return ""
		}
		byDead = true
	}
	if d.api(n) {
		if !used && !tested {
			d.res.API++
		}
		return ""
	}
	switch {
	case len(d.g.Missing(n.Name)) > 0, d.maySatisfy(n):
		return DeadMaybe
	case byDead:
		return DeadByDead
	case tested && n.Flags&graph.FlagTest == 0:
		return DeadTestOnly
	case tested:
		return ""
	}
	return DeadUnused
}

// uses reports whether others use a declaration, outside tests and in tests. What it
// says of itself does not count, nor what its members say.
func (d *deadSearch) uses(n *graph.Node) (used, tested bool) {
	var own map[graph.NodeID]bool
	for _, e := range d.g.In(n.ID) {
		if e.From == n.ID || !written(e) {
			continue
		}
		if e.Flags&graph.EdgeTest != 0 {
			tested = true
			continue
		}
		if own == nil {
			own = map[graph.NodeID]bool{}
			for _, c := range withMembers(d.g, n.ID) {
				own[c] = true
			}
		}
		if !own[e.From] {
			return true, tested
		}
	}
	return false, tested
}

// satisfies reports whether a method is wanted by an interface or a base class, or an
// interface method by its implementations' users.
func (d *deadSearch) satisfies(n *graph.Node) bool {
	if n.Kind != graph.KindMethod && n.Kind != graph.KindField {
		return false
	}
	for _, e := range d.g.Out(n.ID) {
		if e.Kind == graph.EdgeImplements || e.Kind == graph.EdgeOverrides {
			return true
		}
	}
	return false
}

// maySatisfy reports whether an exported method may be wanted by an interface of a package
// that was not found. That a Go file imports one shows in names of unknown type.
func (d *deadSearch) maySatisfy(n *graph.Node) bool {
	if n.Kind != graph.KindMethod || n.Flags&graph.FlagExported == 0 {
		return false
	}
	if d.blind == nil {
		d.blind = map[graph.FileID]bool{}
		d.g.MissingNames(func(_ string, us []graph.Unresolved) bool {
			for _, u := range us {
				if u.Reason == "package not found" || u.Reason == "type unknown" && d.g.File(u.File).Lang == "go" {
					d.blind[u.File] = true
				}
			}
			return true
		})
	}
	return slices.ContainsFunc(n.Decls, func(x graph.Decl) bool { return d.blind[x.File] })
}

// api reports whether a declaration can be used from outside the project.
func (d *deadSearch) api(n *graph.Node) bool {
	if d.args.Exported || n.Flags&graph.FlagExported == 0 {
		return false
	}
	p := ""
	if len(n.Decls) > 0 {
		p = d.g.File(n.Decls[0].File).Path
	}
	if n.Lang == "go" {
		return !d.mainPkg[n.Module] && n.Flags&graph.FlagTest == 0 && !strings.HasPrefix(p, "internal/") && !strings.Contains(p, "/internal/")
	}
	// What a package offers is exported, or exported again, by its entry file.
	base := path.Base(p)
	stem, _, _ := strings.Cut(base, ".")
	return stem == "index" || stem == "main" || stem == "mod" || strings.HasSuffix(p, ".d.ts") || strings.Contains(base, ".config.")
}

func (d *deadSearch) add(n *graph.Node, why string) {
	d.res.Total++
	switch why {
	case DeadUnused:
		d.res.Certain++
	case DeadTestOnly:
		d.res.TestOnly++
	case DeadByDead:
		d.res.ByDead++
	case DeadMaybe:
		d.res.Maybe++
	}
	full := n.Decls[0].Full
	d.res.Dead = append(d.res.Dead, DeadSymbol{Ref: d.ref(n.ID), Why: why, Lines: int(full.EndLine-full.Line) + 1})
}

// reachable marks what entry points, the API, top-level code and interface methods use,
// directly and through others. Tests count as entry points only when asked for.
func (d *deadSearch) reachable() []bool {
	live := make([]bool, d.g.NumNodes())
	var todo []graph.NodeID
	mark := func(id graph.NodeID) {
		if !live[id] {
			live[id] = true
			todo = append(todo, id)
		}
	}
	for id := range graph.NodeID(len(live)) {
		n := d.g.Node(id)
		if d.stop() {
			break
		}
		if n == nil || n.External {
			continue
		}
		switch {
		case n.Flags&graph.FlagTest != 0 && !d.args.Tests:
		case isModule(n), d.isEntry(n), n.Flags&(graph.FlagEntry|graph.FlagGenerated) != 0, n.Name == "_", n.Name == "init", d.api(n), d.satisfies(n):
			mark(id)
		}
	}
	for len(todo) > 0 && !d.stop() {
		id := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		for _, e := range d.g.Out(id) {
			mark(e.To)
		}
		// A type in use keeps its fields, and a member its type.
		if n := d.g.Node(id); n != nil && n.Parent != graph.NoNode {
			mark(n.Parent)
		}
	}
	return live
}

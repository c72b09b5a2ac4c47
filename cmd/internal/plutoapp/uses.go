package plutoapp

import (
	"context"
	"fmt"
	"strings"

	"github.com/settgraph/sett/cmd/internal/params"
	"github.com/settgraph/sett/compiler/xref"
	"github.com/settgraph/sett/sdk/pluto"
)

// callables are what can be called.
var callables = []xref.Kind{xref.Function, xref.Method, xref.Extern}

func callersOf(ctx context.Context, c *Call, a *usesArgs) (*Answer, error) {
	return c.uses(ctx, a, "caller", (*pluto.View).Callers, (*Call).callerSite, callables...)
}

func constructorsOf(ctx context.Context, c *Call, a *usesArgs) (*Answer, error) {
	return c.uses(ctx, a, "constructor", (*pluto.View).Constructors, (*Call).functionSite, xref.Class)
}

func enumUsagesOf(ctx context.Context, c *Call, a *usesArgs) (*Answer, error) {
	return c.uses(ctx, a, "use", (*pluto.View).EnumUses, (*Call).kindSite, xref.Enum, xref.Variant)
}

func raiseSitesOf(ctx context.Context, c *Call, a *usesArgs) (*Answer, error) {
	return c.uses(ctx, a, "site", (*pluto.View).RaiseSites, (*Call).kindSite, xref.Error)
}

func usagesOf(ctx context.Context, c *Call, a *usesArgs) (*Answer, error) {
	all := func(v *pluto.View, ctx context.Context, d *pluto.Decl) ([]pluto.Use, error) { return v.Uses(ctx, d) }
	return c.uses(ctx, a, "use", all, (*Call).kindSite)
}

// uses answers where a declaration is used.
func (c *Call) uses(ctx context.Context, a *usesArgs, what string,
	ask func(*pluto.View, context.Context, *pluto.Decl) ([]pluto.Use, error),
	site func(*Call, pluto.Use) any, kinds ...xref.Kind,
) (*Answer, error) {
	d, err := c.find(ctx, a.Symbol, a.Path, kinds...)
	if err != nil {
		return nil, err
	}
	all, err := ask(c.view, ctx, d)
	if err != nil {
		return nil, err
	}
	uses, cut, err := slice(a.page, all, c.rows(100), what)
	if err != nil {
		return nil, err
	}
	return &Answer{
		lines: func(b *strings.Builder) {
			if len(all) == 0 {
				fmt.Fprintf(b, "no %ss of %s\n", what, row(d))
				return
			}
			fmt.Fprintf(b, "%s of %s\n%s", plural(len(all), what), row(d), cut)
			c.sites(b, uses, what != "caller" && what != "constructor")
		},
		doc: func() any { return each(uses, func(u pluto.Use) any { return site(c, u) }) },
	}, nil
}

// sites writes uses by file, a line each.
func (c *Call) sites(b *strings.Builder, uses []pluto.Use, kinds bool) {
	file := ""
	for _, u := range uses {
		if u.At.File != file {
			file = u.At.File
			b.WriteString(file + "\n")
		}
		fmt.Fprintf(b, "  %d", u.At.Line)
		if u.Owner != nil && u.Kind != xref.Import {
			b.WriteString(" " + u.Owner.Qual)
		}
		if kinds {
			b.WriteString(" " + u.Kind.String())
		}
		if u.Dynamic {
			b.WriteString(" dynamic")
		}
		fmt.Fprintf(b, ": %s\n", u.Line)
	}
}

// owner is the name and the id of what a use is in.
func owner(u pluto.Use) (name string, id any) {
	if u.Owner == nil {
		return "", nil
	}
	return u.Owner.Qual, u.Owner.ID.String()
}

// snippet is the text of the expression around a use.
func snippet(u pluto.Use) string {
	const most = 400
	text := ""
	if u.Module != nil {
		if src := u.Module.Text(); u.Whole.Start >= 0 && int(u.Whole.End) <= len(src) && u.Whole.Start <= u.Whole.End {
			text = src[u.Whole.Start:u.Whole.End]
		}
	}
	if len(text) > most {
		text = strings.ToValidUTF8(text[:most], "") + "..."
	}
	return text
}

// place adds where a use is.
func (c *Call) place(o *object, u pluto.Use) *object {
	o.in(D000, "module", u.At.File).put("source_snippet", snippet(u)).put("span", span(u.Whole))
	if u.Dynamic {
		o.put("is_dynamic", true)
	}
	return o
}

func (c *Call) callerSite(u pluto.Use) any {
	name, id := owner(u)
	return c.place(c.object().in(D000, "caller_id", id).in(D000, "caller_name", name).
		in(D001, "module_path", c.abs(u.At.File)).in(D001, "function_name", name).in(D001, "function_uuid", id), u)
}

func (c *Call) functionSite(u pluto.Use) any { return c.place(c.function(u, false), u) }
func (c *Call) kindSite(u pluto.Use) any     { return c.place(c.function(u, true), u) }

// function says which function a use is in.
func (c *Call) function(u pluto.Use, kind bool) *object {
	name, id := owner(u)
	o := c.object().in(D001, "module_path", c.abs(u.At.File))
	if kind {
		o.put("usage_kind", u.Kind.String())
	}
	return o.in(D000, "function_id", id).put("function_name", name).in(D001, "function_uuid", id)
}

func errorSet(ctx context.Context, c *Call, a *getDeclarationArgs) (*Answer, error) {
	d, err := c.find(ctx, a.Symbol, a.Path, append(callables, xref.Test)...)
	if err != nil {
		return nil, err
	}
	errs, known, err := c.view.ErrorSet(ctx, d)
	if err != nil {
		return nil, err
	}
	return &Answer{
		lines: func(b *strings.Builder) {
			switch {
			case !known:
				fmt.Fprintf(b, "not known: %s is in a program that does not check\n", row(d))
				return
			case len(errs) == 0:
				fmt.Fprintf(b, "%s raises nothing  %s  %s:%d\n", d.Handle(), short(d.ID), d.Module.Path, d.Place().Line)
				return
			}
			fmt.Fprintf(b, "%s can raise %s  %s  %s:%d\n", d.Handle(), names(errs, func(e pluto.ErrorInfo) string { return e.Name }),
				short(d.ID), d.Module.Path, d.Place().Line)
			for _, e := range errs {
				b.WriteString(e.Name)
				if e.Decl != nil {
					fmt.Fprintf(b, "  %s  %s:%d", short(e.Decl.ID), e.Decl.Module.Path, e.Decl.Place().Line)
				}
				b.WriteString("\n")
				for _, o := range e.Origins {
					fmt.Fprintf(b, "  %s:%d %s\n", o.At.File, o.At.Line, originText(o))
				}
			}
		},
		doc: func() any {
			var set any
			if known {
				set = each(errs, func(e pluto.ErrorInfo) any {
					return c.errorRef(e).put("origins", each(e.Origins, func(o pluto.Origin) any { return c.origin(o) }))
				})
			}
			if c.main == D000 {
				if set == nil {
					return []any{}
				}
				return set
			}
			var fallible any
			if known {
				fallible = len(errs) > 0
			}
			return c.object().put("function_name", d.Qual).put("is_fallible", fallible).put("error_set", set)
		},
	}, nil
}

func originText(o pluto.Origin) string {
	switch {
	case o.Raised:
		return "raised here"
	case o.From != nil:
		return "from " + o.From.Handle()
	case o.Key.Qual != "":
		return "from " + strings.TrimSuffix(o.Key.File, ".pluto") + "." + o.Key.Qual
	}
	return "from a call"
}

func (c *Call) origin(o pluto.Origin) any {
	out := (&object{}).put("raised", o.Raised)
	if !o.Raised {
		var id any
		name := o.Key.Qual
		if o.From != nil {
			id, name = o.From.ID.String(), o.From.Qual
		}
		out.put("from", c.object().named("id", "uuid", id).put("name", name))
	}
	return out.put("file", c.path(o.At.File)).put("span", span(o.At))
}

// CallGraph is the tool call_graph for Pluto declarations.
func CallGraph() *Tool {
	return withParams(tool(SetPluto, "call_graph", "Call graph", "Use to see who calls whom from a Pluto function on.", reads, callGraph))
}

// maxDepth is how deep call graphs go.
const maxDepth = 20

func callGraph(ctx context.Context, c *Call, a *callGraphArgs) (*Answer, error) {
	depth := a.Depth
	switch {
	case depth < 0:
		return nil, &params.Error{Param: "depth", Text: "want something from 1 to 20"}
	case depth == 0 && c.main == D000:
		depth = 3
	case depth == 0:
		depth = 5
	}
	depth = min(depth, maxDepth)
	d, err := c.find(ctx, a.Symbol, a.Path, append(callables, xref.Test)...)
	if err != nil {
		return nil, err
	}
	dir := pluto.Callees
	if a.Direction == "callers" {
		dir = pluto.Callers
	}
	g, err := c.view.CallGraph(ctx, d, depth, dir)
	if err != nil {
		return nil, err
	}
	limit := a.Limit
	if limit <= 0 {
		limit = 200
		if c.json {
			limit = 2000
		}
	}
	nodes := g.Nodes[:min(limit, len(g.Nodes))]
	shown := map[*pluto.CallNode]bool{}
	for _, n := range nodes {
		shown[n] = true
	}
	return &Answer{
		lines: func(b *strings.Builder) { c.graphLines(b, g, nodes, shown, a.Direction, depth) },
		doc:   func() any { return c.graph(d, g, nodes, shown, a.Direction, depth) },
	}, nil
}

// nodeName names a node, also one outside of the project.
func nodeName(n *pluto.CallNode) string {
	if n.Decl != nil {
		return n.Decl.Handle()
	}
	return strings.TrimSuffix(n.Key.File, ".pluto") + "." + n.Key.Qual
}

func nodeID(n *pluto.CallNode) any {
	if n.Decl == nil {
		return nil
	}
	return n.Decl.ID.String()
}

// graphLines writes the graph as a tree in which every node is expanded once.
func (c *Call) graphLines(b *strings.Builder, g *pluto.CallGraph, nodes []*pluto.CallNode, shown map[*pluto.CallNode]bool, direction string, depth int) {
	fmt.Fprintf(b, "%s of %s: %s to depth %d\n", direction, nodeName(nodes[0]), plural(len(g.Nodes)-1, "function"), depth)
	if n := len(g.Nodes) - len(nodes); n > 0 {
		fmt.Fprintf(b, "showing the nearest %d\n", len(nodes))
	}
	done := map[*pluto.CallNode]bool{}
	var walk func(n *pluto.CallNode, indent string)
	walk = func(n *pluto.CallNode, indent string) {
		done[n] = true
		for _, e := range n.Calls {
			if !shown[e.To] {
				continue
			}
			b.WriteString(indent + nodeName(e.To))
			if d := e.To.Decl; d != nil {
				fmt.Fprintf(b, "  %s  %s:%d", short(d.ID), d.Module.Path, d.Place().Line)
			}
			if e.Dynamic {
				b.WriteString("  dynamic")
			}
			switch {
			case e.Cycle:
				b.WriteString("  cycle")
			case done[e.To] && len(e.To.Calls) > 0:
				b.WriteString("  above")
			}
			b.WriteString("\n")
			if !done[e.To] && e.To.Depth > n.Depth {
				walk(e.To, indent+"  ")
			}
		}
	}
	walk(nodes[0], "  ")
	if g.Cut {
		fmt.Fprintf(b, "more beyond depth %d\n", depth)
	}
}

// graph is the graph as edges, for 000, and as nodes with the root first, for 001.
func (c *Call) graph(d *pluto.Decl, g *pluto.CallGraph, nodes []*pluto.CallNode, shown map[*pluto.CallNode]bool, direction string, depth int) any {
	calls := []any{}
	list := each(nodes, func(n *pluto.CallNode) any {
		children := []any{}
		for _, e := range n.Calls {
			if !shown[e.To] {
				continue
			}
			var cycle any
			if e.Cycle {
				cycle = true
			}
			child := (&object{}).put("uuid", nodeID(e.To)).put("name", nameOf(e.To)).put("module_path", c.nodePath(e.To)).put("is_cycle", cycle)
			caller, callee := n, e.To
			if g.Direction == pluto.Callers {
				caller, callee = callee, caller
			}
			call := (&object{}).put("caller_id", nodeID(caller)).put("callee_id", nodeID(callee)).put("callee_name", nameOf(callee)).put("is_cycle", e.Cycle)
			if e.Dynamic {
				child.put("is_dynamic", true)
				call.put("is_dynamic", true)
			}
			children, calls = append(children, child), append(calls, call)
		}
		return (&object{}).put("uuid", nodeID(n)).put("name", nameOf(n)).put("module_path", c.nodePath(n)).put("depth", n.Depth).put("children", children)
	})
	o := c.object().in(D000, "root", d.ID.String()).in(D000, "calls", calls).
		in(D001, "root_uuid", d.ID.String()).in(D001, "root_name", d.Qual).in(D001, "direction", direction).in(D001, "max_depth", depth).in(D001, "nodes", list)
	if len(nodes) < len(g.Nodes) {
		o.put("total_nodes", len(g.Nodes))
	}
	return o
}

// nameOf is the name of a node in its module.
func nameOf(n *pluto.CallNode) string {
	if n.Decl != nil {
		return n.Decl.Qual
	}
	return n.Key.Qual
}

func (c *Call) nodePath(n *pluto.CallNode) string {
	if n.Decl == nil {
		return n.Key.File
	}
	return c.abs(n.Decl.Module.Path)
}

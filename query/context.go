package query

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/settgraph/sett/graph"
)

// ContextArgs asks for a declaration at a glance.
type ContextArgs struct {
	Selector
	Path     string   `json:"path" short:"p" alias:"in" help:"which declaration: only those in this file, folder or glob"`
	Sections []string `json:"sections" alias:"section" enum:"refs,callers,callees,hierarchy,types,members" help:"comma list of refs,callers,callees,hierarchy,types,members; all by default"`
	Limit    int      `json:"limit" short:"n" help:"at most this many names a section"`
	Shape
}

// ContextResult answers for each meaning of the name.
type ContextResult struct {
	Room
	Answers []Context `json:"answers"`

	full bool
}

// Fill reads the doc comments of what is declared in the project. read takes a path from
// the root. A comment that cannot be read is left out: the rest is an answer too.
func (r *ContextResult) Fill(read func(path string) ([]byte, error)) error {
	for i := range r.Answers {
		c := &r.Answers[i]
		if !r.full || c.Symbol.Doc == "" {
			continue
		}
		for _, p := range c.Symbol.Places {
			src, err := read(p.File)
			if err != nil || p.Off >= p.End || p.End > len(src) {
				continue
			}
			if c.Doc = docAbove(src, p.Off); c.Doc != "" {
				break
			}
		}
	}
	return nil
}

// Context is a declaration and its surroundings. Lists hold each declaration once, those
// outside tests first.
type Context struct {
	Symbol      Decl       `json:"symbol"`
	In          string     `json:"in,omitempty"`          // the package or type around it
	Doc         string     `json:"doc_comment,omitempty"` // all of the doc comment; only when all facts are asked for
	Sections    []string   `json:"sections"`
	Refs        RefSummary `json:"refs"`
	Callers     []Ref      `json:"callers"`
	TestCallers int        `json:"test_callers"` // of Callers
	Callees     []Ref      `json:"callees"`
	Hierarchy   []Relation `json:"hierarchy"`
	Types       []Ref      `json:"types"` // the project's types that the signature, or the fields, name
	Members     []Member   `json:"members"`
	Limit       int        `json:"limit,omitempty"`
}

// RefSummary counts direct uses.
type RefSummary struct {
	Total      int            `json:"total"`
	Files      int            `json:"files"`
	Tests      int            `json:"tests"`
	ByKind     map[string]int `json:"by_kind"`
	Unresolved int            `json:"unresolved"`
}

// A Relation is one line of a type's or method's place among others.
type Relation struct {
	Relation string `json:"relation"` // extends, embeds, implements, overrides; "implemented by" and so on the other way
	Symbols  []Ref  `json:"symbols"`
}

// A Member is a declaration inside a type.
type Member struct {
	Ref
	Sig      string `json:"signature,omitempty"`
	Exported bool   `json:"exported,omitempty"`
}

var contextSpec = define(Spec{
	Verb:    "context",
	Tool:    "get_context",
	Title:   "Context of a symbol",
	Short:   "a symbol at a glance: definition, users, calls, types, members",
	Long:    "Use to understand a symbol before reading files: definition, signature, doc line, how much it is used, callers, callees, what it implements, extends or embeds, who implements it, where its types are declared, and its members.",
	Example: []string{"sett context tsdb.Head", "sett context Head.Append --sections callers,callees"},
}, contextOf)

var allSections = []string{"refs", "callers", "callees", "hierarchy", "types", "members"}

func contextOf(ctx context.Context, g *graph.Snapshot, args *ContextArgs) (*ContextResult, error) {
	a := newAsker(ctx, g, args.Full)
	for _, s := range args.Sections {
		if !slices.Contains(allSections, s) {
			return nil, &InvalidError{"sections", fmt.Sprintf("no section %q; one of %s", s, strings.Join(allSections, ", "))}
		}
	}
	ts, err := a.targets(args.Selector, args.Path, maxMeanings)
	if err != nil {
		return nil, err
	}
	res := &ContextResult{Answers: []Context{}, full: args.Full}
	for _, t := range ts {
		res.Answers = append(res.Answers, a.context(t, args))
	}
	return res, a.err
}

func (a *asker) context(t target, args *ContextArgs) Context {
	n := a.g.Node(t.id)
	c := Context{Symbol: a.decl(t.id), Sections: args.Sections, Callers: []Ref{}, Callees: []Ref{}, Hierarchy: []Relation{}, Types: []Ref{}, Members: []Member{}, Limit: args.Limit}
	c.Symbol.Namesakes = t.namesakes
	c.Refs.ByKind = map[string]int{}
	if len(c.Sections) == 0 {
		c.Sections = allSections
	}
	has := func(s string) bool { return slices.Contains(c.Sections, s) }
	if p := a.g.Node(n.Parent); n.Parent != graph.NoNode && p != nil {
		c.In = displayName(p)
	}
	in, out := a.g.In(t.id), a.g.Out(t.id)
	if has("refs") {
		c.Refs = a.refSummary(n, in)
	}
	if has("callers") {
		c.Callers, c.TestCallers = a.ends(in, true, graph.EdgeCalls, graph.EdgeConstructs)
	}
	if has("callees") {
		c.Callees, _ = a.ends(out, false, graph.EdgeCalls)
	}
	if has("hierarchy") {
		c.Hierarchy = a.hierarchy(in, out)
	}
	if has("types") {
		c.Types = a.typesOf(n)
	}
	if has("members") && n.Kind != graph.KindFunction && n.Kind != graph.KindMethod {
		for _, id := range a.g.Children(t.id) {
			m := Member{Ref: a.ref(id)}
			m.Name = strings.TrimPrefix(m.Name, c.Symbol.Name+".")
			if k := a.g.Node(id); len(k.Decls) > 0 {
				m.Sig = k.Decls[0].Sig
				m.Exported = k.Flags&graph.FlagExported != 0
			}
			c.Members = append(c.Members, m)
		}
	}
	return c
}

// typesOf lists the types of the project that a declaration's signature names, or those that
// the fields of a type name, in the order in which they stand.
func (a *asker) typesOf(n *graph.Node) []Ref {
	from := []*graph.Node{n}
	switch {
	case n.Kind.IsType():
		for _, id := range a.g.Children(n.ID) {
			if m := a.g.Node(id); m.Kind == graph.KindField || m.Kind == graph.KindVariant {
				from = append(from, m)
			}
		}
	case n.Kind == graph.KindField || n.Kind == graph.KindVariant:
		if p := a.g.Node(n.Parent); n.Parent != graph.NoNode && p != nil && !isModule(p) {
			from = append(from, p) // in some languages it is the type that names its fields' types
		}
	}
	var sigs strings.Builder
	for _, m := range from {
		for _, d := range m.Decls {
			if !n.Kind.IsType() && m != n {
				continue
			}
			sigs.WriteString(d.Sig + "\n")
		}
	}
	names := nameWords(sigs.String())
	seen := map[graph.NodeID]bool{n.ID: true, n.Parent: true}
	refs := []Ref{}
	for _, m := range from {
		for _, e := range a.g.Out(m.ID) {
			if e.Kind != graph.EdgeTypeRef && e.Kind != graph.EdgeInstantiates || seen[e.To] || a.stop() || m != n && !n.Kind.IsType() && !inside(e, n) {
				continue
			}
			// What only a body names is no part of the signature.
			if to := a.g.Node(e.To); to != nil && !to.External && to.Kind.IsType() && names[to.Name] {
				seen[e.To] = true
				refs = append(refs, a.ref(e.To))
			}
		}
	}
	return refs
}

// inside reports whether the site is in the lines of a declaration.
func inside(e graph.Edge, n *graph.Node) bool {
	return slices.ContainsFunc(n.Decls, func(d graph.Decl) bool {
		return d.File == e.File && d.Full.Line <= e.Line && e.Line <= d.Full.EndLine
	})
}

// nameWords is the set of names in a signature.
func nameWords(sig string) map[string]bool {
	set := map[string]bool{}
	for _, w := range strings.FieldsFunc(sig, func(r rune) bool { return r != '_' && r != '$' && !unicode.IsLetter(r) && !unicode.IsDigit(r) }) {
		set[w] = true
	}
	return set
}

func (a *asker) refSummary(n *graph.Node, in []graph.Edge) RefSummary {
	s := RefSummary{ByKind: map[string]int{}, Unresolved: len(a.g.Missing(n.Name))}
	var sites []graph.Edge
	for _, e := range in {
		if written(e) {
			sites = append(sites, e)
		}
	}
	sortSites(sites)
	file := graph.NoFile
	for _, e := range slices.CompactFunc(sites, sameSite) {
		s.Total++
		s.ByKind[e.Kind.String()]++
		if e.Flags&graph.EdgeTest != 0 {
			s.Tests++
		}
		if e.File != file {
			file = e.File
			s.Files++
		}
	}
	return s
}

// ends lists the other ends of edges of some kinds, each once: those outside tests
// first, what the project declares before externals, in the order of sites.
func (a *asker) ends(es []graph.Edge, from bool, kinds ...graph.EdgeKind) (refs []Ref, tests int) {
	refs = []Ref{}
	seen := map[graph.NodeID]bool{}
	for _, e := range es {
		id := e.To
		if from {
			id = e.From
		}
		if !slices.Contains(kinds, e.Kind) || seen[id] || a.stop() {
			continue
		}
		seen[id] = true
		r := a.ref(id)
		if from && e.Flags&graph.EdgeTest != 0 {
			r.Test = true
			tests++
		}
		refs = append(refs, r)
	}
	order := func(r Ref) int {
		switch {
		case r.External:
			return 1
		case from && r.Test:
			return 2
		}
		return 0
	}
	slices.SortStableFunc(refs, func(a, b Ref) int { return cmp.Compare(order(a), order(b)) })
	return refs, tests
}

// hierarchy tells what a type or method extends, embeds, implements, overrides, raises and
// catches, and the same the other way.
func (a *asker) hierarchy(in, out []graph.Edge) []Relation {
	rels := []Relation{}
	held := map[graph.NodeID]bool{} // an interface that embeds another satisfies it too
	for _, e := range out {
		if e.Kind == graph.EdgeEmbeds || e.Kind == graph.EdgeExtends {
			held[e.To] = true
		}
	}
	out = slices.DeleteFunc(slices.Clone(out), func(e graph.Edge) bool {
		return e.Kind == graph.EdgeImplements && e.Flags&graph.EdgeDerived != 0 && held[e.To]
	})
	for _, k := range []struct {
		kind          graph.EdgeKind
		down, upwards string
	}{
		{graph.EdgeExtends, "extends", "extended by"},
		{graph.EdgeEmbeds, "embeds", "embedded by"},
		{graph.EdgeImplements, "implements", "implemented by"},
		{graph.EdgeOverrides, "overrides", "overridden by"},
		{graph.EdgeRaises, "raises", "raised by"},
		{graph.EdgeCatches, "catches", "caught by"},
	} {
		if rs, _ := a.ends(out, false, k.kind); len(rs) > 0 {
			rels = append(rels, Relation{k.down, rs})
		}
		if rs, _ := a.ends(in, true, k.kind); len(rs) > 0 {
			rels = append(rels, Relation{k.upwards, rs})
		}
	}
	return rels
}

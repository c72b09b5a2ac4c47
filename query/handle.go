package query

import (
	"path"
	"slices"
	"strings"

	"github.com/google/uuid"

	"github.com/settgraph/sett/graph"
)

// namespace is the root of the UUIDs of declarations. It never changes.
var namespace = uuid.MustParse("5e77c0de-9a4f-5b1d-8c3e-2f6a7d90b184")

// UUID returns the lasting identity of a declaration: the one that its project keeps for
// it, else one made from its symbol, so that the same source text gives the same one on
// every machine.
func UUID(g *graph.Snapshot, id graph.NodeID) string {
	n := g.Node(id)
	if n == nil {
		return ""
	}
	return nodeUUID(n)
}

func nodeUUID(n *graph.Node) string {
	for _, d := range n.Decls {
		if d.UUID != [16]byte{} {
			return uuid.UUID(d.UUID).String()
		}
	}
	return symbolUUID(n.Symbol)
}

func symbolUUID(y graph.Symbol) string {
	return uuid.NewSHA1(namespace, []byte(y.Lang+"\x00"+y.Module+"\x00"+y.Kind.String()+"\x00"+y.Qual)).String()
}

// Handle returns the shortest qualified name that [Resolve] takes to mean this
// declaration and no other: "tsdb.NewHead", "Head.Append", "src/app.ts#Foo". Where things
// of several kinds share a name, the kind stands in front: "type:labels.Labels"; before
// what a declaration of the project hides stands "external:".
func Handle(g *graph.Snapshot, id graph.NodeID) string {
	n := g.Node(id)
	if n == nil {
		return ""
	}
	last := n.Module
	fronts := []string{"", n.Kind.String() + ":"}
	if n.External {
		fronts = append(fronts, externalFront, externalFront+n.Kind.String()+":")
	}
	for _, front := range fronts {
		for _, h := range handles(n) {
			last = front + h
			if ids := match(g, last); len(ids) == 1 && ids[0] == id {
				return last
			}
		}
	}
	return last
}

// handles lists the spellings of a declaration that Handle may choose, shortest first.
func handles(n *graph.Node) []string {
	elems := strings.Split(n.Module, "/")
	var hs []string
	switch {
	case n.Kind == graph.KindFile:
		return []string{n.Module}
	case n.Qual == "":
		for i := len(elems) - 1; i >= 0; i-- {
			hs = append(hs, strings.Join(elems[i:], "/"))
		}
		return hs
	case n.Lang == "go":
		if strings.Contains(n.Qual, ".") {
			hs = append(hs, n.Qual)
		}
		for i := len(elems) - 1; i >= 0; i-- {
			hs = append(hs, strings.Join(elems[i:], "/")+"."+n.Qual)
		}
		return hs
	}
	if n.Lang == "pluto" {
		hs = append(hs, n.Qual)
		for i := len(elems) - 1; i >= 0; i-- {
			hs = append(hs, strings.Join(elems[i:], "/")+"."+n.Qual)
		}
		return hs
	}
	stem := strings.TrimSuffix(elems[len(elems)-1], path.Ext(n.Module))
	return append(hs, n.Qual, stem+"."+n.Qual, n.Module+"#"+n.Qual)
}

// externalFront stands before a name that means nothing of the project.
const externalFront = "external:"

// How well a selector names a declaration. Weaker meanings are not answered when there
// are stronger ones.
const (
	matchNone  = iota
	matchTail  // the end of its qualified name: "Append" of Head.Append
	matchPlain // all of its qualified name but the marks that keep namesakes apart
	matchWhole // all of its qualified name, with or without some of its module's path
	matchFull  // all of its qualified name and its module
)

// match returns the declarations that the name means, best meanings only, those of the
// project before externals, in the order of ids.
func match(g *graph.Snapshot, name string) []graph.NodeID {
	best, _ := matchAll(g, name, false)
	return best
}

// mainPackages returns the import paths of Go programs.
func mainPackages(g *graph.Snapshot) map[string]bool {
	set := map[string]bool{}
	for _, id := range g.Named("main") {
		if n := g.Node(id); n != nil && n.Lang == "go" && n.Kind == graph.KindFunction && n.Qual == "main" && !n.External {
			set[n.Module] = true
		}
	}
	return set
}

// matchAll returns the best meanings of a name and how many weaker ones there are. Any
// declaration of the project beats those of others.
func matchAll(g *graph.Snapshot, name string, fold bool) (best []graph.NodeID, weaker int) {
	name, external := strings.CutPrefix(name, externalFront)
	want := graph.KindUnknown
	if kind, rest, ok := strings.Cut(name, ":"); ok {
		if k, ok := graph.ParseKind(kind); ok {
			want, name = k, rest
		}
	}
	level, total := 0, 0
	seen := map[graph.NodeID]bool{}
	try := func(ids []graph.NodeID) {
		for _, id := range ids {
			if seen[id] {
				continue
			}
			seen[id] = true
			n := g.Node(id)
			if n == nil || want != graph.KindUnknown && n.Kind != want || external && !n.External || n.External && len(g.In(id)) == 0 {
				continue
			}
			l := matches(n, name, fold)
			if l == matchNone {
				continue
			}
			if !n.External {
				l += matchFull
			}
			total++
			if l > level {
				level, best = l, best[:0]
			}
			if l == level {
				best = append(best, id)
			}
		}
	}
	tails := lastNames(name)
	if fold {
		g.Names("", func(have string, ids []graph.NodeID) bool {
			if slices.ContainsFunc(tails, func(t string) bool { return strings.EqualFold(t, have) }) {
				try(ids)
			}
			return true
		})
	} else {
		for _, t := range tails {
			try(g.Named(t))
		}
	}
	slices.Sort(best)
	if rest, ok := strings.CutPrefix(name, "main."); ok && len(best) == 0 {
		// A Go program calls its package main, whatever its folder is called.
		mains := mainPackages(g)
		best, total = matchAll(g, rest, fold)
		best = slices.DeleteFunc(best, func(id graph.NodeID) bool { return !mains[g.Node(id).Module] })
		return best, 0
	}
	return best, total - len(best)
}

// lastNames returns what the last name in a selector can be: names may hold dots and
// slashes themselves, so every tail is one.
func lastNames(name string) []string {
	var ts []string
	add := func(t string) {
		if t != "" && !slices.Contains(ts, t) {
			ts = append(ts, t)
		}
	}
	add(name)
	for i := len(name) - 1; i > 0 && len(ts) < 16; i-- {
		switch name[i] {
		case '.', '#', '/':
			add(name[i+1:])
		}
	}
	for _, t := range slices.Clone(ts) {
		if at := strings.IndexByte(t, '@'); at > 0 {
			add(t[:at])
		}
	}
	if len(name) > 1 && name[len(name)-1] == '"' {
		add(name[strings.LastIndexByte(name[:len(name)-1], '"')+1 : len(name)-1])
	}
	return ts
}

// matches says how well a selector names a declaration.
func matches(n *graph.Node, sel string, fold bool) int {
	if fold {
		sel = strings.ToLower(sel)
	}
	in := func(s string) string {
		if fold {
			return strings.ToLower(s)
		}
		return s
	}
	if n.Qual == "" {
		switch {
		case in(n.Module) == sel:
			return matchFull
		case moduleMatches(in(n.Module), sel):
			return matchWhole
		}
		return matchNone
	}
	qual := in(n.Qual)
	for i, q := range []string{qual, in(unmarked(n.Qual))} {
		if sel == q {
			return matchWhole - i
		}
		if rest, ok := strings.CutSuffix(sel, q); ok && len(rest) > 1 {
			sep, module := rest[len(rest)-1], rest[:len(rest)-1]
			switch {
			case sep != '.' && sep != '#':
			case i == 0 && in(n.Module) == module:
				return matchFull
			case moduleMatches(in(n.Module), module):
				return matchWhole - i
			}
		}
	}
	if sel == in(n.Name) || strings.HasSuffix(qual, "."+sel) {
		return matchTail
	}
	return matchNone
}

// moduleMatches reports whether p is the module's path or its last elements. A file may
// be named without its extension, a Go module without its major version.
func moduleMatches(module, p string) bool {
	if pathTail(module, p) {
		return true
	}
	if ext := path.Ext(module); ext != "" && sourceExt(ext) && pathTail(strings.TrimSuffix(module, ext), p) {
		return true
	}
	last := lastElem(module)
	if len(last) > 1 && last[0] == 'v' && strings.Trim(last[1:], "0123456789") == "" && len(module) > len(last) {
		return pathTail(module[:len(module)-len(last)-1], p)
	}
	return false
}

func pathTail(module, p string) bool {
	return module == p || p != "" && strings.HasSuffix(module, p) && module[len(module)-len(p)-1] == '/'
}

// sourceExt reports whether the extension is of a source file, so that the import path
// gopkg.in/yaml.v3 keeps its end.
func sourceExt(ext string) bool {
	switch ext {
	case ".ts", ".tsx", ".mts", ".cts", ".js", ".jsx", ".mjs", ".cjs", ".pto", ".pluto":
		return true
	}
	return false
}

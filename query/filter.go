package query

import (
	"fmt"
	"slices"
	"strings"

	"github.com/bmatcuk/doublestar/v4"

	"github.com/settgraph/sett/graph"
)

// A pathFilter keeps files: one file, those below a folder, or those that a glob matches.
// A nil one keeps all.
type pathFilter struct{ text, glob string }

func newPathFilter(param, text string) (*pathFilter, error) {
	text = strings.TrimSuffix(strings.TrimSpace(text), "/")
	for strings.HasPrefix(text, "./") {
		text = text[2:]
	}
	if text == "" || text == "." {
		return nil, nil
	}
	f := &pathFilter{text: text}
	if strings.ContainsAny(text, "*?[{") {
		f.glob = text
		if !strings.Contains(text, "/") {
			f.glob = "**/" + text
		}
		if !doublestar.ValidatePattern(f.glob) {
			return nil, &InvalidError{param, fmt.Sprintf("%q is not a glob", text)}
		}
	}
	return f, nil
}

// newKnownPath is newPathFilter for questions that are about all files of a path: one that
// keeps none is a mistake.
func newKnownPath(g *graph.Snapshot, param, text string) (*pathFilter, error) {
	f, err := newPathFilter(param, text)
	if f == nil || err != nil {
		return f, err
	}
	if slices.ContainsFunc(g.Files(), func(x graph.File) bool { return x.Node != graph.NoNode && f.file(x.Path) }) {
		return f, nil
	}
	return nil, &NotFoundError{Name: text, Reason: fmt.Sprintf("no indexed file matches %q", f.text), Near: nearFiles(g, f.text)}
}

// file reports whether the filter keeps the path.
func (f *pathFilter) file(p string) bool {
	if f == nil {
		return true
	}
	if f.glob == "" {
		return p == f.text || strings.HasPrefix(p, f.text+"/")
	}
	ok, err := doublestar.Match(f.glob, p)
	if err == nil && !ok {
		ok, err = doublestar.Match(f.glob+"/**", p)
	}
	return err == nil && ok
}

// node reports whether the filter keeps a place where the node is declared. An external
// is where its module is.
func (f *pathFilter) node(g *graph.Snapshot, n *graph.Node) bool {
	if f == nil {
		return true
	}
	if len(n.Decls) == 0 {
		return f.file(n.Module)
	}
	return slices.ContainsFunc(n.Decls, func(d graph.Decl) bool { return f.file(g.File(d.File).Path) })
}

// A kindSet is a set of kinds of declarations; nil is all of them.
type kindSet []graph.Kind

func (s kindSet) has(k graph.Kind) bool { return s == nil || slices.Contains(s, k) }

// parseKinds reads the names of kinds, also the spellings that other languages use.
func parseKinds(param string, names []string) (kindSet, error) {
	var set kindSet
	for _, name := range names {
		name = strings.ToLower(strings.TrimSpace(name))
		switch name {
		case "":
			continue
		case "class", "struct": // which of the two is the language's choice
			set = append(set, graph.KindClass, graph.KindStruct)
			continue
		case "var", "property", "let":
			name = map[string]string{"var": "variable", "let": "variable", "property": "field"}[name]
		case "func", "fn":
			set = append(set, graph.KindFunction, graph.KindMethod)
			continue
		case "constant":
			name = "const"
		case "pkg":
			name = "package"
		case "namespace":
			name = "module"
		case "alias":
			name = "type"
		case "member":
			set = append(set, graph.KindField, graph.KindMethod, graph.KindVariant)
			continue
		case "types":
			for _, k := range graph.Kinds() {
				if k.IsType() {
					set = append(set, k)
				}
			}
			continue
		}
		k, ok := graph.ParseKind(name)
		if !ok {
			k, ok = graph.ParseKind(strings.TrimSuffix(name, "s"))
		}
		if !ok {
			var all []string
			for _, k := range graph.Kinds() {
				all = append(all, k.String())
			}
			return nil, &InvalidError{param, fmt.Sprintf("no kind %q; one of %s", name, strings.Join(all, ", "))}
		}
		set = append(set, k)
	}
	return set, nil
}

// An edgeSet is a set of kinds of uses; nil is all of them.
type edgeSet []graph.EdgeKind

func (s edgeSet) has(k graph.EdgeKind) bool { return s == nil || slices.Contains(s, k) }

// edgeWords are the names of uses that people type.
var edgeWords = map[string][]graph.EdgeKind{
	"call":      {graph.EdgeCalls},
	"import":    {graph.EdgeImports},
	"read":      {graph.EdgeReads},
	"write":     {graph.EdgeWrites},
	"type":      {graph.EdgeTypeRef, graph.EdgeConstructs, graph.EdgeEmbeds, graph.EdgeExtends, graph.EdgeImplements, graph.EdgeInstantiates},
	"ref":       {graph.EdgeRefs},
	"value":     {graph.EdgeRefs},
	"construct": {graph.EdgeConstructs},
	"embed":     {graph.EdgeEmbeds},
	"extend":    {graph.EdgeExtends},
	"implement": {graph.EdgeImplements},
	"override":  {graph.EdgeOverrides},
	"raise":     {graph.EdgeRaises},
	"catch":     {graph.EdgeCatches},
}

// parseEdges reads the names of uses: call, read, write, type, import, or an edge kind.
func parseEdges(param string, names []string) (edgeSet, error) {
	var set edgeSet
	for _, name := range names {
		name = strings.ToLower(strings.TrimSpace(name))
		if name == "" {
			continue
		}
		if ks, ok := edgeWords[name]; ok {
			set = append(set, ks...)
		} else if k, ok := graph.ParseEdgeKind(name); ok {
			set = append(set, k)
		} else if ks, ok := edgeWords[strings.TrimSuffix(name, "s")]; ok {
			set = append(set, ks...)
		} else {
			return nil, &InvalidError{param, fmt.Sprintf("no kind of use %q; one of call, read, write, type, import, value, construct, embed, extend, implement, override", name)}
		}
	}
	return set, nil
}

package query

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/settgraph/sett/graph"
)

// SymbolsArgs asks for the outline of a file or folder.
type SymbolsArgs struct {
	Path  string   `json:"path" pos:"0?" help:"a file, a folder, a glob, or a package; everything by default"`
	Kind  []string `json:"kind" short:"k" help:"only these kinds"`
	All   bool     `json:"all" short:"a" help:"of a folder, also members, tests and what is not exported"`
	Limit int      `json:"limit" short:"n" help:"show at most this many declarations"`
	Shape
}

// SymbolsResult is an outline.
type SymbolsResult struct {
	Room
	Path   string        `json:"path"`
	Folder bool          `json:"folder"` // more than one file
	Files  []FileOutline `json:"files"`  // by path; files without anything to show are left out
	Total  int           `json:"total"`  // declarations
	Shown  int           `json:"shown"`  // of Total
	Hidden int           `json:"hidden"` // declarations that a folder's outline leaves out
	Seen   int           `json:"seen"`   // files looked at
}

// A FileOutline is what one file declares.
type FileOutline struct {
	File    string   `json:"file"`
	Lines   int      `json:"lines"`
	Broken  bool     `json:"broken,omitempty"`
	Symbols []Symbol `json:"symbols"`
	Imports []string `json:"imports"` // only of a single file
}

// A Symbol is a declaration in an outline, with its members in the same file.
type Symbol struct {
	Name     string   `json:"name"`
	Kind     string   `json:"kind"`
	Line     int      `json:"line"`
	EndLine  int      `json:"end_line"`
	Sig      string   `json:"signature,omitempty"`
	Exported bool     `json:"exported,omitempty"`
	Members  []Symbol `json:"members"`
}

var symbolsSpec = define(Spec{
	Verb:    "symbols",
	Tool:    "list_symbols",
	Title:   "List symbols",
	Short:   "outline of a file or folder",
	Long:    "Use instead of reading a file to see what it declares: each declaration with line and signature, members indented, imports last. For a folder or package, the exported top-level declarations of each file (all: everything).",
	Example: []string{"sett symbols tsdb/head.go", "sett symbols tsdb --kind function"},
}, symbols)

func symbols(ctx context.Context, g *graph.Snapshot, args *SymbolsArgs) (*SymbolsResult, error) {
	a := newAsker(ctx, g, args.Full)
	kinds, err := parseKinds("kind", args.Kind)
	if err != nil {
		return nil, err
	}
	files, err := a.outlined(args.Path)
	if err != nil {
		return nil, err
	}
	res := &SymbolsResult{Path: orWord(cleanName(args.Path), "."), Folder: len(files) != 1, Files: []FileOutline{}, Seen: len(files)}
	if !res.Folder {
		res.Path = files[0].Path
	} else if args.Limit < 0 {
		return nil, &InvalidError{"limit", "it must not be negative"}
	}
	o := outliner{asker: a, kinds: kinds, brief: res.Folder && !args.All, limit: args.Limit, res: res}
	for _, f := range files {
		if a.stop() {
			break
		}
		if o.brief && f.Test {
			res.Hidden += max(0, len(g.InFile(f.ID))-1)
			continue
		}
		x := o.file(f)
		if !res.Folder {
			x.Imports = a.imports(f)
		}
		if len(x.Symbols) > 0 || !res.Folder {
			res.Files = append(res.Files, x)
		}
	}
	return res, a.err
}

// outlined returns the files that a path means: of a file, folder, glob, or package.
func (a *asker) outlined(p string) ([]*graph.File, error) {
	filter, err := newPathFilter("path", p)
	if err != nil {
		return nil, err
	}
	var files []*graph.File
	keep := func(filter func(string) bool) {
		for i := range a.g.Files() {
			if f := a.g.File(graph.FileID(i)); f.Node != graph.NoNode && filter(f.Path) {
				files = append(files, f)
			}
		}
	}
	keep(filter.file)
	if len(files) > 0 || filter == nil {
		return files, nil
	}
	// Not a path from the root: the end of one, or a package.
	for _, id := range match(a.g, cleanName(p)) {
		n := a.g.Node(id)
		if !isModule(n) || len(n.Decls) == 0 {
			continue
		}
		dir := a.path(n.Decls[0].File)
		if n.Kind == graph.KindPackage {
			dir = dir[:max(0, strings.LastIndexByte(dir, '/'))]
			keep(func(p string) bool {
				return strings.LastIndexByte(p, '/') == len(dir) && strings.HasPrefix(p, dir) || dir == "" && !strings.Contains(p, "/")
			})
		} else {
			keep(func(p string) bool { return p == dir })
		}
	}
	if len(files) == 0 {
		return nil, &NotFoundError{Name: p, Reason: fmt.Sprintf("no indexed file or folder %q", p), Near: nearFiles(a.g, p)}
	}
	return files, nil
}

type outliner struct {
	*asker
	kinds kindSet
	brief bool
	limit int
	res   *SymbolsResult
}

func (o *outliner) file(f *graph.File) FileOutline {
	x := FileOutline{File: f.Path, Lines: int(f.Lines), Broken: f.Broken, Symbols: []Symbol{}, Imports: []string{}}
	ids := o.g.InFile(f.ID)
	here := make(map[graph.NodeID]bool, len(ids))
	for _, id := range ids {
		here[id] = true
	}
	members := map[graph.NodeID][]graph.NodeID{}
	var top []graph.NodeID
	for _, id := range ids {
		n := o.g.Node(id)
		if n == nil || isModule(n) {
			continue
		}
		p := o.g.Node(n.Parent)
		if n.Parent == graph.NoNode || p == nil || isModule(p) || !here[n.Parent] {
			top = append(top, id)
		} else {
			members[n.Parent] = append(members[n.Parent], id)
		}
	}
	for _, id := range top {
		n := o.g.Node(id)
		if o.brief && n.Flags&graph.FlagExported == 0 {
			o.res.Hidden += 1 + len(members[id])
			continue
		}
		if o.brief && n.Kind == graph.KindMethod && strings.Contains(n.Qual, ".") {
			o.res.Hidden++ // a method apart from its type
			continue
		}
		if s, ok := o.symbol(n, f.ID, members, true); ok {
			x.Symbols = append(x.Symbols, s)
		}
	}
	return x
}

func (o *outliner) symbol(n *graph.Node, f graph.FileID, members map[graph.NodeID][]graph.NodeID, top bool) (Symbol, bool) {
	s := Symbol{Name: n.Name, Kind: n.Kind.String(), Exported: n.Flags&graph.FlagExported != 0, Members: []Symbol{}}
	if top {
		s.Name = displayName(n)
	}
	i := slices.IndexFunc(n.Decls, func(d graph.Decl) bool { return d.File == f })
	if i >= 0 {
		d := n.Decls[i]
		s.Line, s.EndLine, s.Sig = int(d.Name.Line), int(d.Full.EndLine), d.Sig
	}
	fits := o.kinds.has(n.Kind)
	show := fits && (o.limit <= 0 || o.res.Shown < o.limit)
	if fits {
		o.res.Total++
	}
	if show {
		o.res.Shown++
	}
	if o.brief {
		o.res.Hidden += len(members[n.ID])
		return s, show
	}
	for _, id := range members[n.ID] {
		if m, ok := o.symbol(o.g.Node(id), f, members, false); ok {
			s.Members = append(s.Members, m)
		}
	}
	return s, show || len(s.Members) > 0
}

// imports lists what a file imports, in the order of names.
func (a *asker) imports(f *graph.File) []string {
	set := map[string]bool{}
	for _, e := range a.g.Out(f.Node) {
		if e.Kind == graph.EdgeImports {
			if n := a.g.Node(e.To); n != nil && isSpecified(n) {
				set[n.Module] = true
			}
		}
	}
	return sorted(set)
}

// isSpecified reports whether n is what the specifier of an import stands for, not a name
// that is taken from there.
func isSpecified(n *graph.Node) bool {
	return isModule(n) || n.Kind == graph.KindModule && (n.Qual == "" || n.Qual[0] == '"')
}

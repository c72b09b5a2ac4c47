package query

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/settgraph/sett/graph"
)

// SymbolsArgs asks for the outline of a file or folder.
type SymbolsArgs struct {
	Path  string   `json:"path" pos:"0?" alias:"symbol" help:"a file, folder, glob, package, or file:line[:col] of a declaration; everything by default"`
	Kind  []string `json:"kind" short:"k" help:"only these kinds"`
	All   bool     `json:"all" short:"a" help:"of a folder, also members, tests and what is not exported"`
	Limit int      `json:"limit" short:"n" help:"show at most this many declarations"`
	Shape
}

// SymbolsResult is an outline.
type SymbolsResult struct {
	Room
	Path   string        `json:"path"`
	Of     string        `json:"of,omitempty"` // the declaration whose outline it is, if not of files
	Folder bool          `json:"folder"`       // more than one file
	Files  []FileOutline `json:"files"`        // by path; files without anything to show are left out
	Total  int           `json:"total"`        // declarations
	Shown  int           `json:"shown"`        // of Total
	Hidden int           `json:"hidden"`       // declarations that a folder's outline leaves out
	Seen   int           `json:"seen"`         // files looked at
}

// A FileOutline is what one file declares.
type FileOutline struct {
	File    string   `json:"file"`
	Lines   int      `json:"lines"`
	Broken  bool     `json:"broken,omitempty"`
	Symbols []Symbol `json:"symbols"`
	Imports []string `json:"imports"` // only of a single file

	ImportLines []int `json:"import_lines,omitempty"` // where each of Imports is first named
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
	Long:    "Use instead of reading a file to see what it declares: each declaration with line and signature, members indented, imports last. For a folder or package, the exported top-level declarations of each file (all: everything); for file:line, the declaration there.",
	Example: []string{"sett symbols tsdb/head.go", "sett symbols tsdb --kind function", "sett symbols tsdb/head.go:60"},
}, symbols)

func symbols(ctx context.Context, g *graph.Snapshot, args *SymbolsArgs) (*SymbolsResult, error) {
	a := newAsker(ctx, g, args.Full)
	kinds, err := parseKinds("kind", args.Kind)
	if err != nil {
		return nil, err
	}
	if res, err := a.outlineAt(args, kinds); res != nil || err != nil {
		return res, err
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
			x.Imports, x.ImportLines = a.imports(f)
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

// outlineAt answers for FILE:LINE[:COL]: the outline of the declaration that is there or used
// there, or is around it, with its members in every file. It is nil when the path is no
// position, or one outside all declarations.
func (a *asker) outlineAt(args *SymbolsArgs, kinds kindSet) (*SymbolsResult, error) {
	if !position.MatchString(cleanName(args.Path)) {
		return nil, nil
	}
	f, at, ok := placeOf(a.g, args.Path)
	if !ok { // the reason is that of any question about a place
		_, err := resolveAt(a.g, args.Path)
		return nil, err
	}
	id := graph.NoNode
	if at.Col > 0 || a.g.At(f.ID, at).Decl != graph.NoNode {
		if ids, err := resolveAt(a.g, args.Path); err == nil {
			id = ids[0]
		}
	} else {
		id = enclosing(a.g, f.ID, at.Line)
	}
	n := a.g.Node(id)
	if n == nil || len(n.Decls) == 0 {
		return nil, &NotFoundError{Name: args.Path, Reason: fmt.Sprintf("no declaration of the project at %s", args.Path)}
	}
	if isModule(n) {
		return symbols(a.ctx, a.g, &SymbolsArgs{Path: f.Path, Kind: args.Kind, All: args.All, Limit: args.Limit, Shape: args.Shape})
	}
	res := &SymbolsResult{Path: a.path(n.Decls[0].File), Of: displayName(n), Files: []FileOutline{}}
	o := outliner{asker: a, kinds: kinds, limit: args.Limit, res: res}
	for _, file := range a.filesOf(id) {
		f := a.g.File(file)
		x := FileOutline{File: f.Path, Lines: int(f.Lines), Broken: f.Broken, Symbols: []Symbol{}, Imports: []string{}}
		top, members := o.below(id, file)
		for _, id := range top {
			if s, ok := o.symbol(a.g.Node(id), file, members, true); ok {
				x.Symbols = append(x.Symbols, s)
			}
		}
		if len(x.Symbols) > 0 {
			res.Files = append(res.Files, x)
		}
	}
	res.Seen, res.Folder = len(res.Files), len(res.Files) > 1
	return res, a.err
}

// filesOf lists the files of a declaration and what is in it, its own first.
func (a *asker) filesOf(id graph.NodeID) []graph.FileID {
	var files []graph.FileID
	for _, id := range append([]graph.NodeID{id}, a.g.Children(id)...) {
		for _, d := range a.g.Node(id).Decls {
			if !slices.Contains(files, d.File) {
				files = append(files, d.File)
			}
		}
	}
	return files
}

// below returns what a file declares of a declaration: the declaration itself, or those of
// its members that stand elsewhere than it, and the members of everything below.
func (o *outliner) below(id graph.NodeID, file graph.FileID) (top []graph.NodeID, members map[graph.NodeID][]graph.NodeID) {
	in := func(id graph.NodeID) bool {
		return slices.ContainsFunc(o.g.Node(id).Decls, func(d graph.Decl) bool { return d.File == file })
	}
	members = map[graph.NodeID][]graph.NodeID{}
	var walk func(id graph.NodeID)
	walk = func(id graph.NodeID) {
		for _, k := range o.g.Children(id) {
			if in(k) {
				members[id] = append(members[id], k)
				walk(k)
			}
		}
	}
	walk(id)
	if in(id) {
		return []graph.NodeID{id}, members
	}
	return members[id], members
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

// imports lists what a file imports, in the order of names, and the line of each.
func (a *asker) imports(f *graph.File) (names []string, lines []int) {
	first := map[string]int{}
	for _, e := range a.g.Out(f.Node) {
		if e.Kind != graph.EdgeImports || e.File != f.ID {
			continue
		}
		if n := a.g.Node(e.To); n != nil && isSpecified(n) {
			if line, ok := first[n.Module]; !ok || int(e.Line) < line {
				first[n.Module] = int(e.Line)
			}
		}
	}
	names = slices.AppendSeq([]string{}, maps.Keys(first))
	slices.Sort(names)
	for _, n := range names {
		lines = append(lines, first[n])
	}
	return names, lines
}

// isSpecified reports whether n is what the specifier of an import stands for, not a name
// that is taken from there.
func isSpecified(n *graph.Node) bool {
	return isModule(n) || n.Kind == graph.KindModule && (n.Qual == "" || n.Qual[0] == '"')
}

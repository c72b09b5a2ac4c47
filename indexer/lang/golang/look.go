package golang

import (
	"context"
	"go/ast"
	"go/parser"
	"go/token"
	"path"
	"slices"
	"sync"

	"github.com/settgraph/sett/graph"
	"github.com/settgraph/sett/indexer/lang"
)

const (
	mostCost   = 384 << 20 // bytes, about, of what a looker remembers before it begins anew
	mostWorlds = 4         // configurations
	mostTrees  = 16        // parsed files
)

// A looker is the Language's Looker. It remembers the texts it has read, what was declared
// of the packages outside the project as long as its configuration files stay the same,
// and what was declared of those inside as long as no file changes.
type looker struct {
	mu      sync.Mutex
	root    string
	files   []lang.File
	configs []lang.File
	repo    *repo
	finder  *outsideFinder

	fset    *token.FileSet
	origins map[*token.File]origin
	sources map[string]*lookSource    // of the project, by path
	folders map[string][]folderSource // outside
	names   map[string]string         // of the packages in folders outside
	worlds  []*lookWorld              // the last used one first
	trees   []*lookTree               // likewise
	builtin *lookPkg
	cost    int
}

func newLooker() lang.Looker { return &looker{} }

// Look tells what is at a position.
func (l *looker) Look(ctx context.Context, in *lang.Input, path string, at graph.Pos) (place *graph.Place, err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	defer func() {
		if recover() != nil { // of the type checker: what it left behind is not to be trusted
			l.reset()
			place = nil
		}
	}()
	l.update(in)
	f := l.file(path)
	if f == nil || f.pkg == "" {
		return nil, nil
	}
	w := l.world(in, f)
	p := w.packageOf(f)
	if p == nil {
		return nil, nil
	}
	for _, lf := range p.files {
		if lf.source.path == path {
			return (&sight{world: w, file: lf, tree: l.tree(lf.source)}).look(at), nil
		}
	}
	return nil, nil
}

// Close gives back what is remembered.
func (l *looker) Close() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.reset()
}

func (l *looker) reset() {
	l.repo, l.finder, l.files, l.configs = nil, nil, nil, nil
	l.fset = token.NewFileSet()
	l.origins = map[*token.File]origin{}
	l.sources = map[string]*lookSource{}
	l.folders = map[string][]folderSource{}
	l.names = map[string]string{}
	l.worlds, l.trees, l.builtin, l.cost = nil, nil, nil, 0
}

// update forgets what no longer holds.
func (l *looker) update(in *lang.Input) {
	if l.repo == nil || l.cost > mostCost || l.root != in.Root || !slices.EqualFunc(l.configs, in.Configs, sameFile) {
		l.reset()
	}
	if l.repo != nil && slices.EqualFunc(l.files, in.Files, sameFile) {
		return
	}
	l.root, l.files, l.configs = in.Root, slices.Clone(in.Files), slices.Clone(in.Configs)
	if l.finder == nil {
		l.finder = newOutsideFinder(in.Root, readModules(in))
	}
	l.repo = newRepoOf(in, l.finder.modules)
	for _, w := range l.worlds {
		w.forget()
	}
}

func sameFile(a, b lang.File) bool { return a.Hash == b.Hash && a.Path == b.Path }

// file finds a file of the project.
func (l *looker) file(p string) *file {
	d := l.repo.dirs[path.Dir(p)]
	if d == nil {
		return nil
	}
	for _, f := range d.files {
		if f.path == p {
			return f
		}
	}
	return nil
}

// world returns the world of the configuration that a file is read in.
func (l *looker) world(in *lang.Input, f *file) *lookWorld {
	cfg := defaultConfig()
	if !cfg.match(f) {
		cfg = nearest(f)
	}
	i := slices.IndexFunc(l.worlds, func(w *lookWorld) bool { return w.cfg.id == cfg.id })
	var w *lookWorld
	if i >= 0 {
		w = l.worlds[i]
		l.worlds = slices.Delete(l.worlds, i, i+1)
	} else {
		w = l.newWorld(cfg)
	}
	l.worlds = slices.Insert(l.worlds, 0, w)
	l.worlds = l.worlds[:min(len(l.worlds), mostWorlds)]
	w.in, w.repo, w.finder = in, l.repo, l.finder
	return w
}

// A lookTree is a file of the project that was asked about.
type lookTree struct {
	*parsed
	source *lookSource
	raw    *lookTree // with what does not parse, when that had to be left out
}

// tree parses a file.
func (l *looker) tree(s *lookSource) *lookTree {
	i := slices.IndexFunc(l.trees, func(t *lookTree) bool { return t.source.path == s.path })
	if i >= 0 && l.trees[i].source == s {
		return l.trees[i]
	}
	if i < 0 && len(l.trees) == mostTrees {
		i = 0
	}
	if i >= 0 {
		for t := l.trees[i]; t != nil; t = t.raw {
			delete(l.origins, t.tf)
			l.fset.RemoveFile(t.tf)
		}
		l.trees = slices.Delete(l.trees, i, i+1)
	}
	const mode = parser.ParseComments | parser.SkipObjectResolution | parser.AllErrors
	tree, err := parser.ParseFile(l.fset, s.path, s.src, mode)
	if tree == nil || tree.Name == nil {
		return nil
	}
	t := l.newTree(s, tree)
	if err != nil {
		if mended := reparse(l.fset, s.path, s.src, mode, tree); mended != tree {
			raw := t
			t = l.newTree(s, mended)
			t.raw = raw
		}
	}
	l.trees = append(l.trees, t)
	return t
}

func (l *looker) newTree(s *lookSource, tree *ast.File) *lookTree {
	t := &lookTree{parsed: newParsed(&file{path: s.path}, s.src, l.fset, tree), source: s}
	l.origins[t.tf] = origin{source: s}
	return t
}

// covers reports whether a position is in a node, or right after it.
func covers(n ast.Node, at token.Pos) bool { return n.Pos() <= at && at <= n.End() }

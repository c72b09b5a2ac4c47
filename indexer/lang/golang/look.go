package golang

import (
	"bytes"
	"context"
	"go/ast"
	"go/parser"
	"go/token"
	"path"
	"slices"
	"sync"
	"unicode/utf8"

	"github.com/settgraph/sett/graph"
	"github.com/settgraph/sett/indexer/lang"
)

const (
	mostCost   = 384 << 20 // bytes, about, of what a looker remembers before it begins anew
	mostWorlds = 4         // configurations
	mostTrees  = 256       // parsed declarations
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
			off, ok := offsetIn(lf.source.src, at)
			if !ok {
				return nil, nil
			}
			return (&sight{world: w, file: lf, tree: l.tree(lf.source, off)}).look(off), nil
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
		cfg = existing(nearest(f), f)
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

// existing returns a configuration with a system and an architecture that go together, if
// the file takes part in one.
func existing(c *config, f *file) *config {
	only := map[string]string{"aix": "ppc64", "js": "wasm", "wasip1": "wasm", "zos": "s390x"}
	e := *c
	if arch := only[c.os]; arch != "" {
		e.arch = arch
	} else if c.arch == "wasm" {
		e.os = "js"
	}
	if !e.match(f) {
		return c
	}
	e.id = e.name()
	return &e
}

// A lookTree is a file of the project that was asked about, with the declaration in
// question alone, or whole when that does not parse.
type lookTree struct {
	*parsed
	source   *lookSource
	from, to int       // offsets of what is there
	raw      *lookTree // with what does not parse, when that had to be left out
}

const treeMode = parser.ParseComments | parser.SkipObjectResolution | parser.AllErrors

// tree parses the declaration of a file that holds an offset, and the imports.
func (l *looker) tree(s *lookSource, off int) *lookTree {
	for i, t := range l.trees {
		if t.source == s && t.from <= off && off < t.to {
			l.trees = append(slices.Delete(l.trees, i, i+1), t)
			return t
		}
	}
	l.trees = slices.DeleteFunc(l.trees, func(t *lookTree) bool {
		old := t.source != s && t.source.path == s.path
		if old {
			l.drop(t)
		}
		return old
	})
	if len(l.trees) == mostTrees {
		l.drop(l.trees[0])
		l.trees = slices.Delete(l.trees, 0, 1)
	}
	t := l.partTree(s, off)
	if t == nil {
		t = l.wholeTree(s)
	}
	if t != nil {
		l.trees = append(l.trees, t)
	}
	return t
}

func (l *looker) drop(t *lookTree) {
	for ; t != nil; t = t.raw {
		delete(l.origins, t.tf)
		l.fset.RemoveFile(t.tf)
	}
}

// partTree parses the declaration that holds an offset; nil when it has errors.
func (l *looker) partTree(s *lookSource, off int) *lookTree {
	head, from, to := len(s.src), 0, len(s.src)
	for i, g := range s.seg.segments {
		start := docStart(s.src, g.start)
		if i == 0 {
			head, to = start, start
		}
		if start > off {
			to = start
			break
		}
		from, to = start, len(s.src)
	}
	src := slices.Clone(s.src)
	if from > head {
		blank(src[head:from])
	}
	blank(src[max(to, head):])
	tree, err := parser.ParseFile(l.fset, s.path, src, treeMode)
	if err != nil {
		if tree != nil && tree.FileStart.IsValid() {
			if tf := l.fset.File(tree.FileStart); tf != nil {
				l.fset.RemoveFile(tf)
			}
		}
		return nil
	}
	t := l.newTree(s, tree)
	t.from, t.to = from, max(to, from+1)
	return t
}

func (l *looker) wholeTree(s *lookSource) *lookTree {
	tree, err := parser.ParseFile(l.fset, s.path, s.src, treeMode)
	if tree == nil || tree.Name == nil {
		return nil
	}
	t := l.newTree(s, tree)
	if err != nil {
		if mended := reparse(l.fset, s.path, s.src, treeMode, tree); mended != tree {
			raw := t
			t = l.newTree(s, mended)
			t.raw = raw
		}
	}
	return t
}

func (l *looker) newTree(s *lookSource, tree *ast.File) *lookTree {
	t := &lookTree{parsed: newParsed(&file{path: s.path}, s.src, l.fset, tree), source: s, to: len(s.src) + 1}
	l.origins[t.tf] = origin{source: s}
	return t
}

// covers reports whether a position is in a node, or right after it.
func covers(n ast.Node, at token.Pos) bool { return n.Pos() <= at && at <= n.End() }

// offsetIn returns the offset of a position in a text, the end of a line included.
func offsetIn(src []byte, at graph.Pos) (int, bool) {
	if at.Line == 0 || at.Col == 0 {
		return 0, false
	}
	off := 0
	for range at.Line - 1 {
		i := bytes.IndexByte(src[off:], '\n')
		if i < 0 {
			return 0, false
		}
		off += i + 1
	}
	if at.Line == 1 && bytes.HasPrefix(src, []byte("\ufeff")) {
		off += 3
	}
	for range at.Col - 1 {
		if off >= len(src) || src[off] == '\n' {
			return 0, false
		}
		_, n := utf8.DecodeRune(src[off:])
		off += n
	}
	return off, true
}

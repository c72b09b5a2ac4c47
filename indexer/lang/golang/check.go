package golang

import (
	"bytes"
	"cmp"
	"path"
	"slices"
	"strings"
	"sync"

	"golang.org/x/sync/errgroup"

	"github.com/settgraph/sett/graph"
)

// checkAll checks packages, which come in dependency order, each as soon as those that
// it imports are done.
func (r *run) checkAll(order []*pkg) error {
	type node struct {
		users   []int
		waiting int
	}
	nodes := make([]node, len(order))
	index := make(map[*pkg]int, len(order))
	for i, p := range order {
		index[p] = i
		for dep, d := range p.deps {
			if d == nil || p.source != nil && !p.source.build[dep] {
				continue
			}
			if j, ok := index[d]; ok && j != i {
				nodes[j].users = append(nodes[j].users, i)
				nodes[i].waiting++
			}
		}
	}
	ready := make(chan int, len(order))
	var mu sync.Mutex
	left := len(order)
	if left == 0 {
		return nil
	}
	for i := range nodes {
		if nodes[i].waiting == 0 {
			ready <- i
		}
	}
	var g errgroup.Group
	for range max(1, r.in.Workers) {
		g.Go(func() error {
			for i := range ready {
				if r.ctx.Err() == nil {
					if p := order[i]; p.source != nil {
						p.source.check()
					} else {
						p.outline.check(r)
					}
				}
				mu.Lock()
				left--
				for _, u := range nodes[i].users {
					if nodes[u].waiting--; nodes[u].waiting == 0 {
						ready <- u
					}
				}
				if left == 0 {
					close(ready)
				}
				mu.Unlock()
			}
			return nil
		})
	}
	_ = g.Wait()
	return r.ctx.Err()
}

// finishAll checks the tests and emits the units. Tests that add methods to types
// which others look at go first, one after the other.
func (r *run) finishAll() error {
	for _, u := range r.units {
		for _, s := range u.sources {
			if r.ctx.Err() != nil {
				return r.ctx.Err()
			}
			if s.mayAddMethods() && s.testsMentionReceivers() {
				s.parseTests()
				if s.addsMethods() {
					s.checkTests()
				}
			}
		}
	}
	var g errgroup.Group
	g.SetLimit(max(1, r.in.Workers))
	slices.SortStableFunc(r.units, func(a, b *unit) int { return cmp.Compare(b.weight(), a.weight()) })
	for _, u := range r.units {
		g.Go(func() error {
			if err := r.ctx.Err(); err != nil {
				return err
			}
			for _, s := range u.sources {
				s.finish()
			}
			f := r.facts(u)
			u.sources = nil
			if r.in.Progress != nil {
				r.in.Progress(len(u.dir.files))
			}
			return r.emit(f)
		})
	}
	return g.Wait()
}

// weight is how much of the unit is still to be done.
func (u *unit) weight() int {
	n := 0
	for _, s := range u.sources {
		for _, t := range s.texts {
			n += len(t.src)
		}
		for _, p := range s.testFiles {
			n += len(p.src)
		}
	}
	return n
}

// testsMentionReceivers reports whether some method in the test files may be of a type
// of the package itself.
func (s *source) testsMentionReceivers() bool {
	for _, f := range s.group.tests {
		t := s.texts[f]
		if t == nil {
			continue
		}
		src := t.src
		for {
			i := indexMethod(src)
			if i < 0 {
				break
			}
			src = src[i:]
			end := 0
			for end < len(src) && src[end] != ')' && src[end] != '\n' {
				end++
			}
			for _, w := range strings.FieldsFunc(string(src[:end]), func(r rune) bool { return strings.ContainsRune(" \t*[],()", r) }) {
				if s.typeKinds[w] != graph.KindUnknown {
					return true
				}
			}
		}
	}
	return false
}

// indexMethod returns the index after the next "func (" at the start of a line.
func indexMethod(src []byte) int {
	key := []byte("\nfunc (")
	i := bytes.Index(src, key)
	if i < 0 {
		return -1
	}
	return i + len(key)
}

// facts joins what was found in a unit.
func (r *run) facts(u *unit) *graph.Facts {
	b := newBuilder()
	if len(u.sources) > 0 {
		b = u.sources[0].b
		for _, s := range u.sources[1:] {
			b.merge(s.b)
		}
	}
	f := b.facts
	f.Unit = u.Name
	done := map[int]graph.FactFile{}
	for _, s := range u.sources {
		for _, ff := range s.files {
			done[ff.index] = ff.FactFile
		}
	}
	for _, file := range u.dir.files {
		ff, ok := done[file.index]
		if !ok {
			ff = r.unparsed(b, file)
		}
		f.Files = append(f.Files, ff)
		sym := b.sym(graph.Symbol{Kind: graph.KindFile, Module: file.path})
		f.Decls = append(f.Decls, graph.FactDecl{
			Sym: sym, Parent: -1, File: file.index, Name: graph.Pos{Line: 1, Col: 1},
			Full:  graph.Span{Pos: graph.Pos{Line: 1, Col: 1}, EndLine: max(1, ff.Lines), End: ff.Size},
			Flags: fileFlags(file), Sig: path.Base(file.path),
		})
	}
	return f
}

// unparsed describes a file that has no package clause, or could not be read.
func (r *run) unparsed(b *builder, file *file) graph.FactFile {
	ff := factFile(file, nil)
	src, err := r.in.ReadFile(file.path)
	if err == nil {
		ff = factFile(file, src)
	}
	ff.Broken = true
	if file.pkg != "" {
		return ff // a note says already why it could not be read
	}
	b.facts.Notes = append(b.facts.Notes, graph.Note{
		File: file.index, Pos: graph.Pos{Line: 1, Col: 1}, Text: "no package clause", Broken: true,
	})
	return ff
}

func fileFlags(f *file) graph.Flags {
	var fl graph.Flags
	if f.info.Summary.Test {
		fl |= graph.FlagTest
	}
	if f.info.Summary.Generated {
		fl |= graph.FlagGenerated
	}
	return fl
}

func factFile(f *file, src []byte) graph.FactFile {
	ff := graph.FactFile{
		Path: f.path, Size: uint32(len(src)), Hash: f.info.Hash, Test: f.info.Summary.Test, Generated: f.info.Summary.Generated,
	}
	for _, c := range src {
		if c == '\n' {
			ff.Lines++
		}
	}
	if n := len(src); n > 0 && src[n-1] != '\n' {
		ff.Lines++
	}
	return ff
}

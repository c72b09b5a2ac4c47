package ts

import (
	"context"
	"fmt"
	"iter"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/microsoft/typescript-go/sett"
	"github.com/settgraph/sett/graph"
	"github.com/settgraph/sett/indexer/lang"
)

// extract checks the files of todo, each by one of up to in.Workers checkers.
func extract(ctx context.Context, in *lang.Input, todo []lang.Unit, emit func(*graph.Facts) error) error {
	return extractWithin(ctx, in, todo, maxProgram, emit)
}

// extractWithin is extract with one program after the other, each for at most size bytes
// of source. The facts do not depend on size.
func extractWithin(ctx context.Context, in *lang.Input, todo []lang.Unit, size int64, emit func(*graph.Facts) error) error {
	if len(todo) == 0 {
		return nil
	}
	p := newProject(in)
	defer p.close()
	files := make(map[string]lang.File, len(in.Files))
	for _, f := range in.Files {
		files[f.Path] = f
	}
	var work []job
	for _, u := range todo {
		for _, path := range u.Files {
			if f, ok := files[path]; ok {
				work = append(work, job{u.Name, f})
			}
		}
	}
	slices.SortFunc(work, func(a, b job) int { return strings.Compare(a.file.Path, b.file.Path) })
	for batch := range batches(work, size) {
		if err := extractBatch(ctx, in, p, batch, emit); err != nil {
			return err
		}
	}
	return nil
}

// maxProgram bounds the bytes of source that one program is made for: a program keeps
// about a hundred times as many in memory. What its files import comes on top.
const maxProgram = 16 << 20

// batches cuts work into runs of at most size bytes of source, or of one larger file.
func batches(work []job, size int64) iter.Seq[[]job] {
	return func(yield func([]job) bool) {
		start, sum := 0, int64(0)
		for i, j := range work {
			if i > start && sum+j.file.Size > size {
				if !yield(work[start:i]) {
					return
				}
				start, sum = i, 0
			}
			sum += j.file.Size
		}
		if start < len(work) {
			yield(work[start:])
		}
	}
}

// extractBatch checks the files of work in one program.
func extractBatch(ctx context.Context, in *lang.Input, p *project, work []job, emit func(*graph.Facts) error) error {
	roots := make([]string, 0, len(work))
	for _, j := range work {
		if parsable(vroot + "/" + j.file.Path) {
			roots = append(roots, vroot+"/"+j.file.Path)
		}
	}
	if len(work) < len(in.Files) {
		// What declares globals or augments modules is seen without being imported.
		for _, f := range in.Files {
			if p.global(f) {
				roots = append(roots, vroot+"/"+f.Path)
			}
		}
	}
	slices.Sort(roots)
	roots = slices.Compact(roots)

	workers := max(1, min(in.Workers, len(work)))
	x := &extraction{in: in, proj: p, prog: p.program(roots, in.Workers), tables: &tables{m: map[*tsgo.SourceFile]*lazyTable{}}, emit: emit}
	if err := ctx.Err(); err != nil {
		return err
	}
	var wg sync.WaitGroup
	errs := make([]error, workers)
	for i := range workers {
		wg.Go(func() { errs[i] = x.work(ctx, work) })
	}
	wg.Wait()
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return ctx.Err()
}

type job struct {
	unit string
	file lang.File
}

// extraction is the shared state of the workers.
type extraction struct {
	in     *lang.Input
	proj   *project
	prog   *tsgo.Program
	tables *tables
	emit   func(*graph.Facts) error
	next   atomic.Int64
	failed atomic.Bool
}

// work takes files until none is left.
func (x *extraction) work(ctx context.Context, jobs []job) (err error) {
	var r *resolver
	for !x.failed.Load() && ctx.Err() == nil {
		i := int(x.next.Add(1)) - 1
		if i >= len(jobs) {
			return nil
		}
		if r == nil {
			c, err := x.checker()
			if err != nil {
				x.failed.Store(true)
				return err
			}
			r = &resolver{c: c, tables: x.tables, targets: map[*tsgo.Symbol][]target{}}
		}
		f, ok := x.file(r, jobs[i])
		if !ok {
			r = nil // its state cannot be trusted after a panic
		}
		if err := x.emit(f); err != nil {
			x.failed.Store(true)
			return err
		}
		if x.in.Progress != nil {
			x.in.Progress(1)
		}
	}
	return nil
}

func (x *extraction) checker() (c *tsgo.Checker, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("starting the TypeScript checker: %v", r)
		}
	}()
	c, _ = tsgo.NewChecker(x.prog, nil)
	return c, nil
}

// file makes the facts of one file. ok is false if the checker failed on it: then the
// facts hold its declarations at most.
func (x *extraction) file(r *resolver, j job) (f *graph.Facts, ok bool) {
	text := ""
	if src, err := x.in.ReadFile(j.file.Path); err == nil {
		text = string(src)
	}
	fact := graph.FactFile{Path: j.file.Path, Size: uint32(j.file.Size), Hash: j.file.Hash, Test: j.file.Summary.Test, Generated: j.file.Summary.Generated}
	b := newBuilder(j.unit, text, fact)
	v := vroot + "/" + j.file.Path
	var sf *tsgo.SourceFile
	if parsable(v) {
		sf = x.prog.GetSourceFile(v)
	}
	if sf == nil || sf.Text() != text {
		if why := x.proj.host.notes[v]; why != "" {
			b.note(0, why, false)
		} else {
			b.note(0, "not read by the compiler", true)
		}
		b.f.Decls = append(b.f.Decls, graph.FactDecl{Sym: b.sym(fileSymbol(j.file.Path)), Parent: -1, Name: graph.Pos{Line: 1, Col: 1}, Full: b.span(0, len(text))})
		return b.f, true
	}
	w := &walker{b: b, c: r.c, r: r, prog: x.prog, sf: sf}
	defer func() {
		if why := recover(); why != nil {
			b.note(0, fmt.Sprintf("the checker failed: %.100v", why), true)
			f, ok = b.f, false
		}
	}()
	if c := x.proj.owner[v]; c != nil && c.own[0] == v {
		for _, why := range c.faults {
			b.note(0, "configuration: "+why, true)
		}
	}
	garbled := false
	if d := sf.Diagnostics(); len(d) > 0 {
		if garbled = len(d) >= minGarble && len(d) > len(b.lines)/4; garbled {
			b.note(d[0].Pos(), fmt.Sprintf("%d syntax errors: uses are not read; the first: %s", len(d), d[0].String()), true)
		} else {
			b.note(d[0].Pos(), "syntax error: "+d[0].String(), true)
		}
	}
	w.table = x.tables.of(sf)
	w.entry = x.proj.fs.pkgs.entries[v]
	w.run(garbled)
	return b.f, true
}

// minGarble is the least number of syntax errors by which a file with one in every four
// lines counts as something else than a program. To bind the words of prose takes long,
// since the checker looks for a similar name for each.
const minGarble = 20

func fileSymbol(p string) graph.Symbol {
	return graph.Symbol{Lang: "ts", Kind: graph.KindFile, Module: p}
}

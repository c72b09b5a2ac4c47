package ts

import (
	"cmp"
	"context"
	"path"
	"slices"
	"strconv"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/microsoft/typescript-go/sett"
	"github.com/settgraph/sett/query/report"
)

// check checks the program of a configuration and adds what it finds.
//
// What hides what is as tsc has it: with errors of syntax no types are checked, with errors
// in options neither, and declarations only when all else is well. For a scope of files only
// their own errors count.
func (r *checkRun) check(k *checkConfig) {
	if k.parsed == nil {
		r.add(k, k.faults)
		return
	}
	whole := r.wanted == nil
	var all []*tsgo.Diagnostic
	if whole {
		all = k.parsed.GetConfigFileParsingDiagnostics()
	}
	if len(k.roots)+len(k.extra) == 0 {
		r.add(k, all)
		return
	}
	prog := r.program(k)
	if prog == nil { // a note says so
		r.add(k, all)
		return
	}
	files := r.toCheck(k, prog)
	r.noteEmptied(files)
	r.count(files)
	var syntax []*tsgo.Diagnostic
	var sound []*tsgo.SourceFile
	for _, f := range files {
		ds := prog.GetSyntacticDiagnostics(r.ctx, f)
		if len(ds) == 0 {
			sound = append(sound, f)
		}
		syntax = append(syntax, ds...)
	}
	if k.name == "" { // files that nobody put together hide nothing of each other
		all, syntax, files = syntax, nil, sound
	}
	if len(syntax) > 0 {
		r.add(k, append(all, syntax...))
		r.note("types were not checked%s: correct the syntax first", r.of(k))
		return
	}
	options := r.optionFaults(k, prog)
	if whole && len(options) > 0 {
		r.add(k, append(all, options...))
		r.note("types were not checked%s: correct its options first", r.of(k))
		return
	}
	if !whole && len(options)+len(k.parsed.GetConfigFileParsingDiagnostics()) > 0 {
		r.note("%s has errors of its own: check the project to see them", r.show(k.name))
	}
	r.add(k, all)
	r.semantic(k, prog, files)
}

// of names the configuration, where there is one.
func (r *checkRun) of(k *checkConfig) string {
	if k.name == "" {
		return ""
	}
	return " for " + r.show(k.name)
}

// optionFaults lists what is wrong with the options as a whole. Options that were retired
// are no fault in a project whose own compiler still has them.
func (r *checkRun) optionFaults(k *checkConfig, prog *tsgo.Program) []*tsgo.Diagnostic {
	ds := prog.GetProgramDiagnostics()
	if k.major == 0 || k.major >= current {
		return ds
	}
	return slices.DeleteFunc(ds, func(d *tsgo.Diagnostic) bool { return slices.Contains(removed[:], d.Code()) })
}

// program makes the program of a configuration; nil if the compiler fails on it. It loads in
// one goroutine, this one, so that a failure can be caught.
func (r *checkRun) program(k *checkConfig) (prog *tsgo.Program) {
	defer func() {
		if recover() != nil {
			r.note("the compiler failed on %s: it was not checked", cmp.Or(r.show(k.name), "the files"))
			prog = nil
		}
	}()
	return tsgo.NewProgram(tsgo.ProgramOptions{
		Host:                        r.host,
		Config:                      k.parsed,
		UseSourceOfProjectReference: true,
		SingleThreaded:              tsgo.TSTrue,
		CreateCheckerPool:           func(p *tsgo.Program) tsgo.CheckerPool { return newSlots(p) },
	})
}

// toCheck lists the files of a program whose findings are wanted and not had yet.
func (r *checkRun) toCheck(k *checkConfig, prog *tsgo.Program) []*tsgo.SourceFile {
	var list []*tsgo.SourceFile
	for _, f := range prog.SourceFiles() {
		name := f.FileName()
		if r.wanted == nil && (k.listed[name] && r.included[name] || r.pkgs.foreign(k, name)) || !r.wants(name) {
			continue
		}
		list = append(list, f)
	}
	for _, f := range k.extra {
		if sf := prog.GetSourceFile(f); sf == nil {
			r.note("%s cannot be part of a program with the options of %s: not checked", r.show(f), r.show(k.name))
		} else if len(prog.GetIncludeReasons()[sf.Path()]) == 1 {
			r.note("%s is in no tsconfig.json: checked with the options of %s", r.show(f), r.show(k.name))
		}
	}
	if r.wanted != nil && k.name == "" {
		for _, f := range k.roots {
			if len(r.in.Configs) > 0 && !tsgo.IsSourceFileJS(prog.GetSourceFile(f)) {
				r.note("%s is in no tsconfig.json: checked with the defaults of editors", r.show(f))
			}
		}
	}
	return list
}

// noteEmptied says which of the files the parser was not given.
func (r *checkRun) noteEmptied(files []*tsgo.SourceFile) {
	for _, f := range files {
		if why := r.host.notes[f.FileName()]; why != "" {
			r.note("%s: %s", r.show(f.FileName()), why)
		}
	}
}

// count counts the files of the project among those that were checked.
func (r *checkRun) count(files []*tsgo.SourceFile) {
	for _, f := range files {
		if _, in := r.rel(f.FileName()); in && !inNodeModules(f.FileName()) && isSource(f.FileName()) {
			r.checked[f.FileName()] = true
		}
	}
}

// numCheckers is how many type checkers share a program. It is the compiler's own number
// and not that of the workers, because in rare cases it shows in what is found.
const numCheckers = 4

// slots is a pool of checkers, each for the files at every fourth place.
type slots struct {
	prog *tsgo.Program
	of   map[*tsgo.SourceFile]int
	list [numCheckers]slot
}

type slot struct {
	mu sync.Mutex
	c  *tsgo.Checker
}

func newSlots(p *tsgo.Program) *slots {
	s := &slots{prog: p, of: make(map[*tsgo.SourceFile]int, len(p.SourceFiles()))}
	n := max(1, min(numCheckers, len(p.SourceFiles())))
	for i, f := range p.SourceFiles() {
		s.of[f] = i % n
	}
	return s
}

// GetChecker returns the checker of a file, made when it is first needed.
func (s *slots) GetChecker(_ context.Context, file *tsgo.SourceFile) (*tsgo.Checker, func()) {
	sl := &s.list[s.of[file]]
	sl.mu.Lock()
	defer func() {
		if sl.c == nil {
			sl.mu.Unlock() // making it failed, and the panic goes on
		}
	}()
	if sl.c == nil {
		sl.c, _ = tsgo.NewChecker(s.prog, nil)
	}
	return sl.c, sync.OnceFunc(sl.mu.Unlock)
}

// reset throws a checker away after it failed: its state is not to be trusted.
func (s *slots) reset(i int) { s.list[i] = slot{} }

// globals lists what the checkers found that belongs to no file.
func (s *slots) globals() (ds []*tsgo.Diagnostic) {
	defer func() { _ = recover() }()
	for i := range s.list {
		if c := s.list[i].c; c != nil {
			ds = append(ds, c.GetGlobalDiagnostics()...)
		}
	}
	return tsgo.SortDiagnostics(ds)
}

// semantic checks the types of the files, except of those whose findings are remembered.
func (r *checkRun) semantic(k *checkConfig, prog *tsgo.Program, files []*tsgo.SourceFile) {
	m, start := r.recall(k, prog), len(r.found)
	todo := slices.DeleteFunc(slices.Clone(files), func(f *tsgo.SourceFile) bool {
		ds, known := m.known(f)
		r.found = append(r.found, ds...)
		return known
	})
	pool := prog.GetCheckerPool().(*slots)
	found, failed := r.each(pool, todo, func(f *tsgo.SourceFile) []*tsgo.Diagnostic {
		ds := prog.GetSemanticDiagnostics(r.ctx, f)
		if k.name == "" && tsgo.IsSourceFileJS(f) {
			ds = slices.DeleteFunc(slices.Clone(ds), crossesScripts)
		}
		return ds
	})
	globals := pool.globals()
	if r.wanted == nil {
		r.add(k, globals)
	}
	for i, f := range todo {
		before := len(r.found)
		r.add(k, found[i])
		if !failed[f] && len(globals) == 0 && r.ctx.Err() == nil {
			m.keep(f, slices.Clone(r.found[before:]), found[i])
		}
	}
	// Declarations are only looked at when all else is well, of a scope as of a program.
	if len(r.found) > start || len(globals) > 0 || !prog.Options().GetEmitDeclarations() {
		return
	}
	found, _ = r.each(pool, files, func(f *tsgo.SourceFile) []*tsgo.Diagnostic {
		if prog.IsSourceFromProjectReference(f.Path()) || inNodeModules(f.FileName()) {
			return nil
		}
		return prog.GetDeclarationDiagnostics(r.ctx, f)
	})
	for _, ds := range found {
		r.add(k, ds)
	}
}

// crossesScripts reports whether a finding is about two scripts that share a page only if
// they are in one program: those without a configuration need not.
func crossesScripts(d *tsgo.Diagnostic) bool {
	return slices.ContainsFunc(d.RelatedInformation(), func(o *tsgo.Diagnostic) bool { return o.File() != nil && o.File() != d.File() })
}

// each calls do for all files, on as many workers as there are. A file on which it panics
// gets a note, and the next one of its checker a new checker.
func (r *checkRun) each(pool *slots, files []*tsgo.SourceFile, do func(*tsgo.SourceFile) []*tsgo.Diagnostic) (found [][]*tsgo.Diagnostic, failed map[*tsgo.SourceFile]bool) {
	found, failed = make([][]*tsgo.Diagnostic, len(files)), map[*tsgo.SourceFile]bool{}
	var groups [numCheckers][]int
	for i, f := range files {
		s := pool.of[f]
		groups[s] = append(groups[s], i)
	}
	var mu sync.Mutex
	one := func(slot, i int) {
		defer func() {
			if recover() != nil {
				pool.reset(slot)
				mu.Lock()
				defer mu.Unlock()
				failed[files[i]] = true
			}
		}()
		found[i] = do(files[i])
	}
	next := make(chan int, numCheckers)
	for s := range groups {
		next <- s
	}
	close(next)
	var wg sync.WaitGroup
	for range max(1, min(r.in.Workers, numCheckers)) {
		wg.Go(func() {
			for s := range next {
				for _, i := range groups[s] {
					if r.ctx.Err() != nil {
						return
					}
					one(s, i)
				}
			}
		})
	}
	wg.Wait()
	for i, f := range files {
		if failed[f] {
			found[i] = nil
			if r.ctx.Err() == nil {
				r.note("the type checker failed on %s: its types were not checked", r.show(f.FileName()))
			}
		}
	}
	return found, failed
}

// add adds findings, once sorted as tsc sorts them.
func (r *checkRun) add(k *checkConfig, ds []*tsgo.Diagnostic) {
	ds = tsgo.SortDiagnostics(ds)
	for _, d := range ds {
		if d.File() != nil && !r.wants(d.File().FileName()) {
			continue
		}
		r.found = append(r.found, r.diagnostic(d))
	}
}

// diagnostic writes a finding in the words of tsc.
func (r *checkRun) diagnostic(d *tsgo.Diagnostic) report.Diagnostic {
	out := report.Diagnostic{Severity: severity(d), Code: "TS" + strconv.Itoa(int(d.Code())), Source: "tsc", Message: tsgo.Flatten(d)}
	if f := d.File(); f != nil {
		out.File = r.display(f.FileName())
		out.Line, out.Col = place(f, d.Pos())
		out.EndLine, out.EndCol = place(f, d.End())
	}
	for _, o := range d.RelatedInformation() {
		rel := report.Related{Message: tsgo.Flatten(o)}
		if f := o.File(); f != nil {
			rel.File = r.display(f.FileName())
			rel.Line, rel.Col = place(f, o.Pos())
		}
		out.Related = append(out.Related, rel)
	}
	return out
}

func severity(d *tsgo.Diagnostic) string {
	switch d.Category() {
	case tsgo.CategoryError:
		return report.Error
	case tsgo.CategoryWarning:
		return report.Warning
	}
	return report.Info
}

// display writes the path of a file as tsc does: from the root, also for what lies outside.
func (r *checkRun) display(abs string) string {
	if p, in := r.rel(abs); in {
		return p
	}
	if lib, ok := strings.CutPrefix(abs, tsgo.LibPath()+"/"); ok {
		return path.Join("node_modules/typescript/lib", lib)
	}
	up, from := "", r.root
	for from != "/" && from != "." && !strings.HasPrefix(abs, strings.TrimSuffix(from, "/")+"/") {
		up, from = up+"../", path.Dir(from)
	}
	if from == "." {
		return abs
	}
	return up + strings.TrimPrefix(abs, strings.TrimSuffix(from, "/")+"/")
}

// place makes line and column, counted from 1 in code points, of an offset.
func place(f *tsgo.SourceFile, pos int) (line, col int) {
	text := f.Text()
	pos = max(0, min(pos, len(text)))
	line, in := tsgo.LineAndByteOffset(f, pos)
	start := max(0, min(pos-in, pos))
	return line + 1, utf8.RuneCountInString(text[start:pos]) + 1
}

package sdk

import (
	"context"
	"maps"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/settgraph/sett/compiler/load"
	"github.com/settgraph/sett/query"
	"github.com/settgraph/sett/query/report"
	"github.com/settgraph/sett/sdk/gorun"
	"github.com/settgraph/sett/sdk/jsrun"
	"github.com/settgraph/sett/sdk/plutorun"
)

// TestOptions say which tests are run, and how. The zero value runs all of them.
type TestOptions struct {
	// Targets are the files and folders, slash-separated from the root, whose tests are run;
	// none: all.
	Targets []string

	// Symbol, when not empty, names a declaration, and Path where it is looked for: the tests
	// that reach it are run, or it itself if it is a test.
	Symbol, Path string

	Filter      string        // a regular expression that names of tests must match
	Timeout     time.Duration // of the run of each language; 0: none
	Race, Short bool          // of Go: with the race detector; testing.Short is true
	Args        []string      // given to the runner as they are
	Progress    func(report.Event)
}

// Test runs tests of all languages and says what came of them. Go's run through the go
// command, those of JavaScript and TypeScript through the project's own script, Pluto's
// through the compiler. A test that fails is in the result; an error is that nothing could
// be run.
func (p *Project) Test(ctx context.Context, o TestOptions) (*report.Test, error) {
	if _, err := regexp.Compile(o.Filter); err != nil {
		return nil, &query.InvalidError{Param: "filter", Msg: err.Error()}
	}
	start := time.Now()
	run := tests{o: o, root: p.root, laid: p.withText(nil)}
	run.res = &report.Test{OK: true, What: what(o.Targets), Failures: []report.Failure{}, Steps: []report.Step{}}
	var err error
	if o.Symbol != "" {
		err = run.reaching(ctx, p)
	} else {
		err = run.below(ctx, p)
	}
	if err != nil {
		return nil, err
	}
	run.res.Took = time.Since(start)
	return run.res, nil
}

// tests is one run.
type tests struct {
	o    TestOptions
	root string
	laid map[string][]byte
	res  *report.Test
	mixed
}

// below runs the tests of the targets.
func (t *tests) below(ctx context.Context, p *Project) error {
	langs, err := p.buildable(ctx, t.o.Targets)
	if err != nil {
		return err
	}
	t.langs = langs.count()
	if langs.goes {
		if err := t.golang(ctx, gorun.Options{Targets: langs.of("go", t.o.Targets), Run: t.o.Filter}); err != nil {
			return err
		}
	}
	if langs.scripts {
		if err := t.js(ctx, jsrun.Options{Targets: langs.of("ts", t.o.Targets)}); err != nil {
			return err
		}
	}
	if langs.pluto {
		return t.pluto(ctx, plutorun.Options{Targets: langs.of("pluto", t.o.Targets)})
	}
	if !langs.goes && !langs.scripts {
		return &query.NotFoundError{Name: t.res.What, Reason: "there is nothing to test in " + t.res.What + ": no Go module, no package.json, no Pluto file"}
	}
	return nil
}

// reaching runs the tests that reach a declaration.
func (t *tests) reaching(ctx context.Context, p *Project) error {
	if len(t.o.Targets) > 0 {
		return &query.InvalidError{Param: "symbol", Msg: "the tests that reach a symbol are found by it alone; give no file or folder with it"}
	}
	impact, err := p.Impact(ctx, query.ImpactArgs{Selector: query.Selector{Symbol: t.o.Symbol}, Path: t.o.Path})
	if file := p.testAt(t.o.Symbol); file != "" {
		t.res.What = file // a test of JavaScript is a call: no declaration stands for it
		return t.js(ctx, jsrun.Options{Files: []string{file}})
	}
	if err != nil {
		return err
	}
	s := selection{named: true, names: map[string]bool{}, dirs: map[string]bool{}, files: map[string]bool{}, blocks: map[string][]string{}}
	var handles []string
	for _, a := range impact.Answers {
		handles = append(handles, a.Symbol.Handle)
		s.add(&a)
	}
	t.res.Symbol = t.o.Symbol
	if len(handles) <= 3 {
		t.res.Symbol = strings.Join(handles, ", ")
	}
	t.res.What = "what reaches " + t.res.Symbol
	if len(s.dirs)+len(s.files)+len(s.blocks) == 0 {
		return nil // the answer is that none does
	}
	for _, n := range []int{len(s.dirs), len(s.files), len(s.blocks)} {
		t.langs += min(n, 1)
	}
	if len(s.dirs) > 0 {
		o := gorun.Options{Packages: slices.Sorted(maps.Keys(s.dirs)), Run: t.o.Filter}
		if s.named && t.o.Filter == "" {
			o.Run = "^(" + strings.Join(slices.Sorted(maps.Keys(s.names)), "|") + ")$"
		}
		if err := t.golang(ctx, o); err != nil {
			return err
		}
	}
	if len(s.files) > 0 {
		if err := t.js(ctx, jsrun.Options{Files: slices.Sorted(maps.Keys(s.files))}); err != nil {
			return err
		}
	}
	if len(s.blocks) > 0 {
		return t.pluto(ctx, plutorun.Options{Names: s.blocks})
	}
	return nil
}

// testAt returns the file of a place in a test of JavaScript or TypeScript; "" for what is
// none. The graph must have been asked before.
func (p *Project) testAt(symbol string) string {
	m := inFile.FindStringSubmatch(symbol)
	if m == nil {
		return ""
	}
	p.mu.Lock()
	if p.now == nil || p.now.snap == nil {
		p.mu.Unlock()
		return ""
	}
	s, done := p.use()
	p.mu.Unlock()
	defer done()
	if f, ok := s.snap.FileByPath(m[1]); ok && f.Test && f.Lang == "ts" {
		return f.Path
	}
	return ""
}

var inFile = regexp.MustCompile(`^(.+?)(:\d+){1,2}$`)

// selection is the tests that reach a declaration.
type selection struct {
	dirs   map[string]bool // of Go, with
	names  map[string]bool // the tests in them,
	named  bool            // unless some are not known by name
	files  map[string]bool // of JavaScript and TypeScript
	blocks map[string][]string
}

func (s *selection) add(a *query.Impact) {
	for _, d := range a.Tests.Packages {
		s.dirs[d] = true
	}
	s.named = s.named && (len(a.Tests.Packages) == 0 || a.Tests.Named())
	for _, n := range a.Tests.Names {
		s.names[n] = true
	}
	for _, b := range a.Tests.Blocks {
		s.blocks[b.File] = append(s.blocks[b.File], b.Name)
	}
	for _, f := range a.Tests.Files {
		if !strings.HasSuffix(f, ".go") && !isPluto(f) {
			s.files[f] = true
		}
	}
	if len(a.Symbol.Places) > 0 {
		s.addSelf(a.Symbol, a.Symbol.Places[0].File)
	}
}

// addSelf adds the declaration itself, if it is a test.
func (s *selection) addSelf(d query.Decl, file string) {
	switch {
	case isPluto(file):
		if d.Kind == "test" {
			s.blocks[file] = append(s.blocks[file], d.Name)
		}
	case !d.Test:
	case !strings.HasSuffix(file, ".go"):
		s.files[file] = true
	case d.Kind == "function" && goTest.MatchString(d.Name):
		s.dirs[path.Dir(file)] = true
		s.names[d.Name] = true
	}
}

// goTest matches the names of what go test runs.
var goTest = regexp.MustCompile(`^(Test|Fuzz|Example)($|[^a-z])`)

func isPluto(p string) bool { return strings.HasSuffix(p, ".pluto") || strings.HasSuffix(p, ".pt") }

func (t *tests) golang(ctx context.Context, o gorun.Options) error {
	o.Root, o.Race, o.Short, o.Args = t.root, t.o.Race, t.o.Short, t.o.Args
	o.Timeout, o.Overlay, o.Progress = t.o.Timeout, t.laid, t.o.Progress
	r, err := gorun.Test(ctx, o)
	return t.add("Go", r, err)
}

func (t *tests) js(ctx context.Context, o jsrun.Options) error {
	o.Root, o.Name, o.Args, o.Timeout, o.Progress = t.root, t.o.Filter, t.o.Args, t.o.Timeout, t.o.Progress
	r, err := jsrun.Test(ctx, o)
	return t.add("JavaScript", r, err)
}

func (t *tests) pluto(ctx context.Context, o plutorun.Options) error {
	o.Root, o.Timeout, o.Progress, o.Layer = t.root, t.o.Timeout, t.o.Progress, layerOf(t.root, t.laid)
	if t.o.Filter != "" {
		o.Filter = regexp.MustCompile(t.o.Filter)
	}
	r, err := plutorun.Test(ctx, o)
	return t.add("Pluto", r, err)
}

func (t *tests) add(lang string, r *report.Test, err error) error {
	note, err := t.excuse(lang, err)
	switch {
	case err != nil:
		return err
	case note != "":
		t.res.OK, t.res.Notes = false, append(t.res.Notes, note)
	default:
		t.res.Add(r)
	}
	return nil
}

// layerOf is the unsaved text as the compiler of Pluto takes it.
func layerOf(root string, laid map[string][]byte) *load.Layer {
	if len(laid) == 0 {
		return nil
	}
	abs := make(map[string][]byte, len(laid))
	for p, text := range laid {
		abs[filepath.Join(root, filepath.FromSlash(p))] = text
	}
	return load.NewLayer(abs)
}

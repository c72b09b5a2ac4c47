package sdk

import (
	"context"
	"fmt"
	"os"
	"path"
	"time"

	"github.com/settgraph/sett/indexer"
	"github.com/settgraph/sett/query"
)

// An Answer is the result of a question with what it took.
type Answer struct {
	Result    any // a pointer to the question's result struct
	Freshness Freshness
	Note      string // one short line for the asker, mostly empty; see [Freshness.Note]
	Took      time.Duration
}

// Ask answers any question of the query table. It indexes first what is not indexed yet.
// Errors that the asker can act on are query.NotFoundError, AmbiguousError and InvalidError.
func (p *Project) Ask(ctx context.Context, spec query.Spec, args any) (*Answer, error) {
	start := time.Now()
	p.mu.Lock()
	var fresh Freshness
	if err := p.refresh(ctx, &fresh); err != nil {
		p.mu.Unlock()
		return nil, err
	}
	fresh.Took = time.Since(start)
	if e, ok := args.(interface{ AddEntry([]string) }); ok {
		config, err := p.configuration(ctx)
		if err != nil {
			p.mu.Unlock()
			return nil, err
		}
		e.AddEntry(config.Deadcode.Entry)
	}
	s, done := p.use()
	laid := p.laid
	p.mu.Unlock()
	defer done()

	res, err := p.askLocal(ctx, s, args)
	if res == nil && err == nil {
		res, err = p.askLook(ctx, s, args, laid)
	}
	if res == nil && err == nil {
		res, err = spec.Run(ctx, s.snap, args)
	}
	if err != nil {
		return nil, err
	}
	if m, ok := res.(interface{ InModules([]string) }); ok {
		p.mu.Lock()
		dirs := s.goModules()
		p.mu.Unlock()
		m.InModules(dirs)
	}
	if f, ok := res.(filler); ok {
		if err := p.fill(f, laid); err != nil {
			return nil, err
		}
	}
	return &Answer{Result: res, Freshness: fresh, Note: fresh.Note(), Took: time.Since(start)}, nil
}

// goModules returns the folders of the project's Go modules, "." for the root. The caller
// holds Project.mu.
func (s *state) goModules() []string {
	st, err := s.indexState()
	if err != nil {
		return nil
	}
	var dirs []string
	for _, f := range st.Paths() {
		if path.Base(f) == "go.mod" {
			dirs = append(dirs, path.Dir(f))
		}
	}
	return dirs
}

// configuration returns what sett.toml says. The caller holds p.mu.
func (p *Project) configuration(ctx context.Context) (*indexer.Config, error) {
	if p.last == nil {
		if _, err := p.scan(ctx, nil, p.laid); err != nil {
			return nil, err
		}
	}
	return p.last.Config, nil
}

// A filler is a result that shows source text, which a question cannot read itself.
type filler interface {
	Fill(read func(path string) ([]byte, error)) error
}

func (p *Project) fill(f filler, laid map[string][]byte) error {
	root, err := os.OpenRoot(p.root)
	if err != nil {
		return fmt.Errorf("opening the project: %w", err)
	}
	defer root.Close()
	return f.Fill(func(p string) ([]byte, error) {
		src, ok := laid[p]
		if !ok {
			var err error
			if src, err = root.ReadFile(p); err != nil {
				return nil, err
			}
		}
		return indexer.Text(p, src), nil
	})
}

// ask answers a question with typed arguments and result.
func ask[R any](ctx context.Context, p *Project, verb string, args any) (*R, error) {
	spec, ok := query.ByVerb(verb)
	if !ok {
		return nil, fmt.Errorf("internal error: no question %q", verb)
	}
	a, err := p.Ask(ctx, spec, args)
	if err != nil {
		return nil, err
	}
	return a.Result.(*R), nil
}

// Find finds declarations by name, prefix, pattern, place or UUID.
func (p *Project) Find(ctx context.Context, a query.FindArgs) (*query.FindResult, error) {
	return ask[query.FindResult](ctx, p, "find", &a)
}

// Refs finds the uses of a declaration.
func (p *Project) Refs(ctx context.Context, a query.RefsArgs) (*query.RefsResult, error) {
	return ask[query.RefsResult](ctx, p, "refs", &a)
}

// Impact finds what depends on a declaration, however far, and the tests that reach it.
func (p *Project) Impact(ctx context.Context, a query.ImpactArgs) (*query.ImpactResult, error) {
	return ask[query.ImpactResult](ctx, p, "impact", &a)
}

// CallGraph finds what a function calls, or what calls it, to a depth.
func (p *Project) CallGraph(ctx context.Context, a query.CallGraphArgs) (*query.CallGraphResult, error) {
	return ask[query.CallGraphResult](ctx, p, "callgraph", &a)
}

// Context tells all that matters about a declaration in a few lines.
func (p *Project) Context(ctx context.Context, a query.ContextArgs) (*query.ContextResult, error) {
	return ask[query.ContextResult](ctx, p, "context", &a)
}

// Circular finds cycles of imports or declarations.
func (p *Project) Circular(ctx context.Context, a query.CircularArgs) (*query.CircularResult, error) {
	return ask[query.CircularResult](ctx, p, "circular", &a)
}

// Symbols outlines a file or folder.
func (p *Project) Symbols(ctx context.Context, a query.SymbolsArgs) (*query.SymbolsResult, error) {
	return ask[query.SymbolsResult](ctx, p, "symbols", &a)
}

// Source returns the source text of a declaration.
func (p *Project) Source(ctx context.Context, a query.SourceArgs) (*query.SourceResult, error) {
	return ask[query.SourceResult](ctx, p, "source", &a)
}

// Path finds how one declaration reaches another.
func (p *Project) Path(ctx context.Context, a query.PathArgs) (*query.PathResult, error) {
	return ask[query.PathResult](ctx, p, "path", &a)
}

// DeadCode finds declarations that nothing uses.
func (p *Project) DeadCode(ctx context.Context, a query.DeadCodeArgs) (*query.DeadCodeResult, error) {
	return ask[query.DeadCodeResult](ctx, p, "deadcode", &a)
}

// Type tells the type of what is at a position.
func (p *Project) Type(ctx context.Context, a query.TypeArgs) (*query.TypeResult, error) {
	return ask[query.TypeResult](ctx, p, "type", &a)
}

// Definition tells where what is at a position is declared.
func (p *Project) Definition(ctx context.Context, a query.DefArgs) (*query.DefResult, error) {
	return ask[query.DefResult](ctx, p, "def", &a)
}

// Stats counts what the project holds.
func (p *Project) Stats(ctx context.Context, a query.StatsArgs) (*query.StatsResult, error) {
	return ask[query.StatsResult](ctx, p, "stats", &a)
}

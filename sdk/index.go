package sdk

import (
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/settgraph/sett/graph"
	"github.com/settgraph/sett/graph/store"
	"github.com/settgraph/sett/indexer"
	"github.com/settgraph/sett/sdk/pluto"
)

// IndexOptions say how an index run goes. The zero value brings the index up to date.
type IndexOptions struct {
	Force         bool        // read everything again
	SkipIfRunning bool        // return [ErrRunning] at once if another process is indexing, instead of waiting
	Progress      func(Event) // in place of that of Options
}

// ErrRunning says that another process is indexing.
var ErrRunning = errors.New("another process is indexing")

// IndexReport tells what an index run did and what the index holds.
type IndexReport struct {
	Files        map[string]int // sources by language
	Lines        int
	Decls        int // declarations of the project
	Edges        int // uses, and satisfied interfaces
	Externals    int // declarations outside the project that it uses
	Unresolved   int // names that could not be bound
	UnresolvedBy map[string]int
	Units        int // pieces that are extracted as a whole: Go folders, TypeScript files
	Extracted    int // of them, how many were read again
	Reused       int
	Removed      int
	Broken       []BrokenUnit   // places that could not be understood; the rest of their files is indexed
	Notes        []string       // what could not be read
	Skipped      map[string]int // files that do not count, by reason
	NotIndexed   map[string]int // files of languages that are not indexed
	Unstable     []string       // files that changed meanwhile; the next question reads them again
	Phases       []Phase
	Took         time.Duration
	Generation   string // what the store calls this index: a hash of its contents
	StoreBytes   int64  // of the generation on disk
	SourceBytes  int64  // of the indexed sources
}

// BrokenUnit is a place that a front end could not understand.
type BrokenUnit struct {
	File      string
	Line, Col int
	Text      string
}

// Phase is a part of a run and how long it took.
type Phase struct {
	Name string
	Took time.Duration
}

// Index brings the stored index up to date with the files, or makes it. It waits for
// another process that is indexing. A question does the same for what changed, so calling
// it is never necessary; it is how an index is made ahead of time and looked at.
func (p *Project) Index(ctx context.Context, o IndexOptions) (*IndexReport, error) {
	if p.opts.ReadOnly {
		return nil, errors.New("the project is open for reading only")
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if o.Progress == nil {
		o.Progress = p.opts.Progress
	}
	var report *IndexReport
	err := pluto.Whole(ctx, p.root, false, func() (err error) {
		report, err = p.index(ctx, o)
		return err
	})
	return report, err
}

// indexFirst makes an index where there is no usable one.
func (p *Project) indexFirst(ctx context.Context, fresh *Freshness, progress func(Event)) error {
	fresh.Indexed = true
	if p.opts.ReadOnly {
		return p.indexInMemory(ctx, progress)
	}
	_, err := p.index(ctx, IndexOptions{Progress: progress})
	var cannot *cannotStoreError
	if errors.As(err, &cannot) {
		return p.indexInMemory(ctx, progress)
	}
	return err
}

// cannotStoreError says that the project's folder cannot be written.
type cannotStoreError struct{ err error }

func (e *cannotStoreError) Error() string { return e.err.Error() }
func (e *cannotStoreError) Unwrap() error { return e.err }

func (p *Project) index(ctx context.Context, o IndexOptions) (*IndexReport, error) {
	start := time.Now()
	unlock, ok, err := p.store.Lock(ctx, !o.SkipIfRunning)
	switch {
	case err != nil && ctx.Err() == nil:
		return nil, &cannotStoreError{err}
	case err != nil:
		return nil, err
	case !ok:
		return nil, ErrRunning
	}
	defer unlock()

	// What is stored now is the base; somebody may have stored it while this waited.
	var bad *unusableError
	err = p.load(ctx)
	usable := err == nil
	if err != nil && !errors.As(err, &bad) && !errors.Is(err, store.ErrNone) {
		return nil, err
	}
	var base *graph.Snapshot
	var old *indexer.State
	var l layer
	if usable && !o.Force {
		if old, err = p.now.indexState(); err == nil {
			base, l = p.now.base, p.now.layer
		}
	}
	scan, err := p.scan(ctx, o.Progress, nil)
	if err != nil {
		return nil, err
	}
	if old != nil && p.now.gen != nil && len(l.gone) == 0 && old.Digest == scan.Digest {
		p.saveStat(scan)
		return p.report(scan, old, nil, start)
	}
	delta, err := indexer.Update(ctx, p.indexOptions(o.Progress, o.Force), scan, old)
	if err != nil {
		return nil, err
	}
	phase(&delta.Report, "link", o.Progress, func() {
		next := l.with(delta.Drop, delta.Facts, delta.State.Encode())
		var pages graph.Pages
		if pages, err = graph.Build(base, next.drop(), next.facts()); err != nil {
			return
		}
		pages[statePage] = next.state
		delta.Facts, next = nil, layer{} // what is in the pages need not stay in memory
		phase(&delta.Report, "store", o.Progress, func() { err = p.publish(ctx, pages, delta.State) })
	})
	if err != nil {
		return nil, err
	}
	p.saveStat(scan)
	return p.report(scan, delta.State, &delta.Report, start)
}

// phase times a part of the run, without what is timed within it.
func phase(r *indexer.Report, name string, progress func(Event), f func()) {
	if progress != nil {
		progress(Event{Phase: name})
	}
	start, before := time.Now(), len(r.Phases)
	f()
	took := time.Since(start)
	for _, p := range r.Phases[before:] {
		took -= p.Took
	}
	r.Phases = append(r.Phases, indexer.Phase{Name: name, Took: took})
}

// indexInMemory answers from an index that is never stored.
func (p *Project) indexInMemory(ctx context.Context, progress func(Event)) error {
	scan, err := p.scan(ctx, progress, nil)
	if err != nil {
		return err
	}
	delta, err := indexer.Update(ctx, p.indexOptions(progress, false), scan, nil)
	if err != nil {
		return err
	}
	pages, err := graph.Build(nil, nil, delta.Facts)
	if err != nil {
		return err
	}
	p.saveStat(scan)
	return p.keep(pages, delta.State)
}

// report describes the current state; r is nil when nothing had to be done.
func (p *Project) report(scan *indexer.Scan, st *indexer.State, r *indexer.Report, start time.Time) (*IndexReport, error) {
	snap, err := p.now.view()
	if err != nil {
		return nil, err
	}
	stats := snap.Stats()
	rep := &IndexReport{
		Files: st.Files(), Externals: stats.Externals, Units: len(st.Units()), Reused: len(st.Units()),
		UnresolvedBy: stats.Unresolved, Notes: scan.Notes, Skipped: st.Skipped, NotIndexed: st.Unindexed,
		Generation: p.now.ref.String(),
	}
	for _, n := range stats.Lines {
		rep.Lines += n
	}
	for _, n := range stats.Nodes {
		rep.Decls += n
	}
	for _, n := range stats.Edges {
		rep.Edges += n
	}
	for _, n := range stats.Unresolved {
		rep.Unresolved += n
	}
	for _, f := range scan.Files {
		if f.Lang != "" {
			rep.SourceBytes += f.Size
		}
	}
	for _, n := range st.Notes() {
		if n.Broken {
			rep.Broken = append(rep.Broken, BrokenUnit{File: n.File, Line: n.Line, Col: n.Col, Text: n.Text})
		}
	}
	if r != nil {
		rep.Extracted, rep.Reused, rep.Removed, rep.Unstable = r.Extracted, r.Reused, r.Removed, r.Unstable
		for _, ph := range r.Phases {
			rep.Phases = append(rep.Phases, Phase(ph))
		}
	} else {
		rep.Phases = []Phase{{Name: "scan", Took: scan.Took}}
	}
	if n, err := p.store.Size(p.now.ref); err == nil {
		rep.StoreBytes = n
	}
	rep.Took = time.Since(start)
	return rep, snap.Err()
}

// IndexCheck says whether the stored index is what the files give.
type IndexCheck struct {
	UpToDate bool
	Missing  bool     // there is no usable index
	Changed  []string // files that were added, changed or removed since, sorted, with a sign: "+a.go", "~b.go", "-c.go"
}

// CheckIndex compares the stored index with the files. It changes nothing.
func (p *Project) CheckIndex(ctx context.Context) (*IndexCheck, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	var bad *unusableError
	err := p.load(ctx)
	if errors.Is(err, store.ErrNone) || errors.As(err, &bad) {
		return &IndexCheck{Missing: true}, nil
	}
	if err != nil {
		return nil, err
	}
	old, err := p.now.indexState()
	if err != nil {
		return &IndexCheck{Missing: true}, nil
	}
	// What is remembered of the files is not believed here: this is what CI relies on.
	scan, err := indexer.ScanFiles(ctx, p.indexOptions(nil, false), nil)
	if err != nil {
		return nil, err
	}
	if old.Digest == scan.Digest {
		return &IndexCheck{UpToDate: true}, nil
	}
	r := &IndexCheck{}
	c := scan.Changes(old)
	for sign, paths := range map[string][]string{"+": c.Added, "~": c.Changed, "-": c.Removed} {
		for _, path := range paths {
			r.Changed = append(r.Changed, sign+path)
		}
	}
	slices.SortFunc(r.Changed, func(a, b string) int { return strings.Compare(a[1:], b[1:]) })
	if len(r.Changed) == 0 {
		r.Changed = []string{"~(settings or the version of sett)"}
	}
	return r, nil
}

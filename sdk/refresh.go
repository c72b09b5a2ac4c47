package sdk

import (
	"context"
	"errors"
	"os"
	"path/filepath"

	"github.com/settgraph/sett/graph"
	"github.com/settgraph/sett/graph/store"
	"github.com/settgraph/sett/indexer"
	"github.com/settgraph/sett/sdk/pluto"
)

// statePage is the page in which a generation keeps the indexer's state.
const statePage = "x/state"

// refresh brings p.now up to date with the files, of which it sees all of an edit that sett
// makes of them or nothing of it. The caller holds p.mu.
func (p *Project) refresh(ctx context.Context, fresh *Freshness) error {
	if p.opts.NoRefresh {
		return p.update(ctx, fresh)
	}
	return pluto.Whole(ctx, p.root, p.opts.ReadOnly, func() error { return p.update(ctx, fresh) })
}

// update is one reading of [Project.refresh].
func (p *Project) update(ctx context.Context, fresh *Freshness) error {
	var bad *unusableError
	err := p.load(ctx)
	switch {
	case err == nil:
	case errors.As(err, &bad):
		fresh.Unusable = bad.err
		fallthrough
	case errors.Is(err, store.ErrNone):
		if err := p.indexFirst(ctx, fresh, p.opts.Progress); err != nil || len(p.laid) == 0 {
			return err
		}
	default:
		return err
	}
	if p.opts.NoRefresh {
		fresh.Skipped = true
		return p.settle(ctx, fresh)
	}
	scan, err := p.scan(ctx, p.opts.Progress, p.laid)
	if err != nil {
		return err
	}
	if d, err := p.now.digest(); err == nil && d == scan.Digest {
		p.saveStat(scan)
		return p.settle(ctx, fresh)
	}
	old, err := p.now.indexState()
	if err != nil {
		fresh.Unusable = err
		return p.indexFirst(ctx, fresh, p.opts.Progress)
	}
	changes := scan.Changes(old)
	fresh.Reread, fresh.Gone = len(changes.Added)+len(changes.Changed), len(changes.Removed)
	delta, err := indexer.Update(ctx, p.questionOptions(), scan, old)
	if err != nil {
		return err
	}
	if err := p.lay(ctx, delta); err != nil {
		return err
	}
	p.saveStat(scan)
	return nil
}

// settle makes the snapshot of what the store holds, or everything anew when that cannot
// be laid together.
func (p *Project) settle(ctx context.Context, fresh *Freshness) error {
	if _, err := p.now.view(); err != nil {
		fresh.Unusable = err
		return p.indexFirst(ctx, fresh, p.opts.Progress)
	}
	return nil
}

// A layer is joined into a new generation when laying it over the old one would cost each
// process more than that is worth.
const (
	layerEdges = 60_000 // about 50 ms
	layerShare = 5      // one in so many units of the generation
	layerUnits = 50     // but not below so many
)

// lay makes a change the current state and, if nobody else is writing, stores it.
func (p *Project) lay(ctx context.Context, delta *indexer.Delta) error {
	now := p.now
	next := now.layer.with(delta.Drop, delta.Facts, delta.State.Encode())
	if next.edges() > layerEdges || len(next.gone) > max(layerUnits, now.base.NumUnits()/layerShare) {
		return p.join(ctx, next, delta.State)
	}
	snap, err := now.base.With(next.drop(), next.facts())
	if err != nil {
		return err
	}
	p.replace(&state{gen: now.gen, ref: now.ref, base: now.base, layer: next, snap: snap, index: delta.State})
	if p.opts.ReadOnly || now.gen == nil || len(p.laid) > 0 {
		return nil
	}
	unlock, ok, err := p.store.Lock(ctx, false)
	if err != nil || !ok {
		return nil // the answer is right all the same; another process stores it later
	}
	defer unlock()
	if ref, err := p.store.Current(); err != nil || ref != now.ref {
		return nil // somebody stored something newer than what this started from
	}
	ref, err := p.store.PublishLayer(ctx, now.ref.Base, next.encode())
	if err != nil {
		return nil // as above: the next process tries again
	}
	p.now.ref, p.now.stored = ref, true
	return nil
}

// join makes pages of the base and a layer too large to lay over it, and stores them as
// a new generation unless somebody else is writing.
func (p *Project) join(ctx context.Context, next layer, index *indexer.State) error {
	pages, err := graph.Build(p.now.base, next.drop(), next.facts())
	if err != nil {
		return err
	}
	pages[statePage] = index.Encode()
	if !p.opts.ReadOnly && len(p.laid) == 0 {
		unlock, ok, err := p.store.Lock(ctx, false)
		if err == nil && ok {
			defer unlock()
			return p.publish(ctx, pages, index)
		}
	}
	return p.keep(pages, index)
}

// publish stores pages as the new generation and makes it the current state. The caller
// holds the writer's lock.
func (p *Project) publish(ctx context.Context, pages graph.Pages, index *indexer.State) error {
	ref, err := p.store.Publish(ctx, pages)
	if err != nil {
		return err
	}
	gen, err := p.store.Open(ref)
	if err != nil {
		return err
	}
	s, err := read(gen)
	if err == nil {
		_, err = s.view()
	}
	if err != nil {
		return errors.Join(err, gen.Close())
	}
	if gen.Ref() == ref {
		s.index = index
	}
	p.replace(s)
	_ = p.store.Sweep() // what is left over costs disk, not truth; the next writer tries again
	return nil
}

// keep makes pages the current state without storing them.
func (p *Project) keep(pages graph.Pages, index *indexer.State) error {
	snap, err := graph.Open(pages)
	if err != nil {
		return err
	}
	p.replace(&state{base: snap, snap: snap, index: index})
	return nil
}

func (p *Project) indexOptions(progress func(Event), force bool) indexer.Options {
	o := indexer.Options{Root: p.root, Workers: p.opts.Workers, Force: force}
	if dir := filepath.Join(p.root, store.Dir); !p.opts.ReadOnly {
		if info, err := os.Lstat(dir); err == nil && info.IsDir() {
			o.Cache = filepath.Join(dir, "cache")
		}
	}
	if progress != nil {
		o.Progress = func(e indexer.Event) { progress(Event{Phase: e.Phase, Done: e.Done, Total: e.Total}) }
	}
	return o
}

// questionOptions are the options of what only a question needs.
func (p *Project) questionOptions() indexer.Options {
	o := p.indexOptions(nil, false)
	o.Overlay = p.laid
	return o
}

// scan looks at the files under the text laid over them, with the help of what is
// remembered of them.
func (p *Project) scan(ctx context.Context, progress func(Event), laid map[string][]byte) (*indexer.Scan, error) {
	if p.stat == nil && p.last == nil {
		p.stat = p.store.LoadStat()
	}
	o := p.indexOptions(progress, false)
	o.Last, o.Overlay = p.last, laid
	scan, err := indexer.ScanFiles(ctx, o, p.stat)
	if err == nil {
		p.last = scan
	}
	return scan, err
}

// saveStat remembers the files' sizes and times for the next scan. It is a cache: a
// failure to write it costs time, not truth.
func (p *Project) saveStat(scan *indexer.Scan) {
	data := scan.Stat()
	if data == nil {
		return
	}
	p.stat = data
	if !p.opts.ReadOnly {
		_ = p.store.SaveStat(data)
	}
}

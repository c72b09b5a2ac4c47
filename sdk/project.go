package sdk

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"github.com/settgraph/sett/graph"
	"github.com/settgraph/sett/graph/store"
	"github.com/settgraph/sett/indexer"
)

// Options say how a project is opened. The zero value is ready for use.
type Options struct {
	Workers   int         // how many goroutines index at once; 0 means one per processor
	NoRefresh bool        // answer from the index as stored, without looking at the files
	ReadOnly  bool        // never write below the project; what had to be re-read is forgotten
	Progress  func(Event) // told about long work; may be called from several goroutines
}

// An Event tells how far a phase of indexing is. Total is 0 when not yet known.
type Event struct {
	Phase       string // "scan", "extract", "link" or "store"
	Done, Total int
}

// A Project is an open project. It is safe for concurrent use.
type Project struct {
	root  string
	opts  Options
	store *store.Store

	mu  sync.Mutex // held while the snapshot is brought up to date
	now *state     // what the last question was answered from; nil at first
	old []*state   // states that somebody may still read

	laid map[string][]byte // see Overlay

	services indexer.Services

	stat []byte        // what a scan remembered of the disk
	last *indexer.Scan // the last one
}

// state is one consistent view of a project: a generation, what was re-read since, and
// the snapshot of both. After a refresh its snapshot is there.
type state struct {
	gen    *store.Generation // nil when the index could not be stored
	ref    store.Ref         // what the store held when this was made from it
	base   *graph.Snapshot   // of gen alone
	layer  layer             // re-read since gen was made
	snap   *graph.Snapshot   // base with layer; nil until needed, see view
	index  *indexer.State    // what the files were when snap was made; nil until needed
	stored bool              // ref holds all of layer

	users  int  // questions being answered from it; guarded by Project.mu
	pinned bool // given out by Project.Snapshot: open until Project.Close
}

// Open opens the project whose root is dir, exactly: see [FindRoot] for the root that a
// folder is in. It reads nothing of the index yet.
func Open(dir string, o Options) (*Project, error) {
	info, err := os.Stat(dir)
	if err != nil {
		return nil, fmt.Errorf("opening the project: %w", err)
	}
	if !info.IsDir() {
		return nil, fmt.Errorf("opening the project: %s is not a folder", dir)
	}
	root, err := filepath.Abs(dir)
	if err == nil {
		root, err = filepath.EvalSymlinks(root)
	}
	if err != nil {
		return nil, fmt.Errorf("opening the project: %w", err)
	}
	return &Project{root: root, opts: o, store: store.At(root)}, nil
}

// Root returns the absolute path of the project's root.
func (p *Project) Root() string { return p.root }

// Overlay lays text that is not on disk over the files, by slash-separated path from the
// root, for every question from now on; nil takes it away again. What it adds to the graph
// is never stored. The map and the texts must not change afterwards.
func (p *Project) Overlay(text map[string][]byte) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.laid = text
}

// Close releases the index. Snapshots that were given out must not be read any more.
func (p *Project) Close() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	var err error
	for _, s := range append(p.old, p.now) {
		if s != nil && s.gen != nil {
			err = errors.Join(err, s.gen.Close())
			s.gen = nil
		}
	}
	p.now, p.old = nil, nil
	p.services.Close()
	return err
}

// Freshness says what it took to bring the answer up to date with the files.
type Freshness struct {
	Indexed bool          // there was no usable index, so everything was read
	Reread  int           // files that were read again because they changed
	Gone    int           // files that are no longer there
	Skipped bool          // the files were not looked at
	Took    time.Duration // all of it

	Unusable error // why the stored index could not be used: damage, or another version's format
}

// Note returns one short line for the asker when there is something to say, else "".
func (f Freshness) Note() string {
	switch {
	case f.Unusable != nil:
		return fmt.Sprintf("rebuilt the index: %v", f.Unusable)
	case f.Reread > 0 && !f.Indexed:
		return fmt.Sprintf("re-read %s in %d ms", count(f.Reread, "changed file"), f.Took.Milliseconds())
	case f.Gone > 0 && !f.Indexed:
		return fmt.Sprintf("%s no longer there", count(f.Gone, "file"))
	}
	return ""
}

func count(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

// Snapshot returns the graph of the files as they are now, indexing first what is not
// indexed yet. The snapshot never changes and is valid until Close; ask again for a newer one.
func (p *Project) Snapshot(ctx context.Context) (*graph.Snapshot, Freshness, error) {
	start := time.Now()
	p.mu.Lock()
	defer p.mu.Unlock()
	var fresh Freshness
	err := p.refresh(ctx, &fresh)
	fresh.Took = time.Since(start)
	if err != nil {
		return nil, fresh, err
	}
	p.now.pinned = true
	return p.now.snap, fresh, nil
}

// load brings p.now to what the store holds. It returns [store.ErrNone] when there is no
// index, and an [unusableError] when there is one that cannot be read.
func (p *Project) load(ctx context.Context) error {
	if p.now != nil && p.now.gen == nil {
		return nil // kept in memory because it could not be stored
	}
	ref, err := p.store.Current()
	if err != nil {
		return unusable(err)
	}
	if p.now != nil && p.now.ref == ref {
		return nil
	}
	if p.now != nil && !p.now.stored && p.now.ref.Base == ref.Base {
		// What this process re-read is at least as new as what others stored, and the next
		// scan corrects it where it is not.
		return nil
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	gen, err := p.store.Open(ref)
	if err != nil {
		return unusable(err)
	}
	s, err := read(gen)
	if err != nil {
		gen.Close()
		return unusable(err)
	}
	p.replace(s)
	return nil
}

// replace makes s the current state and closes the generations that nobody reads any more:
// several states may be of one.
func (p *Project) replace(s *state) {
	if p.now != nil {
		p.old = append(p.old, p.now)
	}
	p.now = s
	read := map[*store.Generation]bool{nil: true, s.gen: true}
	p.old = slices.DeleteFunc(p.old, func(o *state) bool {
		if o.pinned || o.users > 0 {
			read[o.gen] = true
			return false
		}
		return o.gen == s.gen
	})
	p.old = slices.DeleteFunc(p.old, func(o *state) bool {
		if o.pinned || o.users > 0 {
			return false
		}
		if !read[o.gen] {
			read[o.gen] = true
			o.gen.Close()
		}
		return true
	})
}

// use returns the current state, which stays open until done is called.
func (p *Project) use() (s *state, done func()) {
	s = p.now
	s.users++
	return s, func() {
		p.mu.Lock()
		defer p.mu.Unlock()
		s.users--
	}
}

// read makes the state that a generation holds.
func read(gen *store.Generation) (*state, error) {
	base, err := graph.Open(gen)
	if err != nil {
		return nil, err
	}
	s := &state{gen: gen, ref: gen.Ref(), base: base, stored: true}
	if data := gen.Layer(); data != nil {
		if err := s.layer.decode(data); err != nil {
			return nil, err
		}
	}
	return s, nil
}

// view makes the snapshot. It waits until somebody asks, because the files may have
// changed again and then the layer is replaced before it is laid. The caller holds
// Project.mu.
func (s *state) view() (*graph.Snapshot, error) {
	if s.snap != nil {
		return s.snap, nil
	}
	if len(s.layer.gone) == 0 {
		s.snap = s.base
		return s.snap, nil
	}
	snap, err := s.base.With(s.layer.drop(), s.layer.facts())
	if err != nil {
		return nil, err
	}
	s.snap = snap
	return snap, nil
}

// digest identifies the files that the state was made of.
func (s *state) digest() (indexer.Digest, error) {
	if s.index != nil {
		return s.index.Digest, nil
	}
	data, err := s.stateData()
	if err != nil {
		return indexer.Digest{}, err
	}
	d, ok := indexer.PeekDigest(data)
	if !ok {
		return indexer.Digest{}, indexer.ErrState
	}
	return d, nil
}

// indexState returns what the files were when the state was made.
func (s *state) indexState() (*indexer.State, error) {
	if s.index != nil {
		return s.index, nil
	}
	data, err := s.stateData()
	if err != nil {
		return nil, err
	}
	st, err := indexer.DecodeState(data)
	if err != nil {
		return nil, err
	}
	s.index = st
	return st, nil
}

func (s *state) stateData() ([]byte, error) {
	if s.layer.state != nil {
		return s.layer.state, nil
	}
	return s.gen.Page(statePage)
}

// unusableError marks an index that has to be made anew.
type unusableError struct{ err error }

func (e *unusableError) Error() string { return e.err.Error() }
func (e *unusableError) Unwrap() error { return e.err }

func unusable(err error) error {
	if errors.Is(err, store.ErrNone) || errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	return &unusableError{err}
}

package app

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"runtime/debug"
	"slices"
	"sync"
	"time"

	"github.com/settgraph/sett/query"
	"github.com/settgraph/sett/sdk"
)

// maxOpen is how many projects a server keeps open when nobody is asking about them.
const maxOpen = 8

// restAfter is how long nobody must ask before memory is given back.
const restAfter = 10 * time.Second

// Projects are the projects that a long-lived server answers about. They are opened
// when first asked for; the least recently asked are closed when there are many.
type Projects struct {
	options sdk.Options
	staged  func(root string) map[string][]byte // what lies over the files of a project; or nil

	mu    sync.Mutex // guards the rest
	clock int
	open  map[string]*Session // by root
	rest  *time.Timer         // runs when nobody is asking; nil before the first question
}

// NewProjects returns an empty set; each project is opened with the options. staged, if it
// is not nil, gives the text that lies over the files below a root, by path from there.
func NewProjects(o sdk.Options, staged func(root string) map[string][]byte) *Projects {
	return &Projects{options: o, staged: staged, open: map[string]*Session{}}
}

// Ask answers a question about the project that dir is in. If its index has to be built
// first, all who ask meanwhile wait for one build and progress is told of it; the build
// stops when the last of them gives up.
func (ps *Projects) Ask(ctx context.Context, dir string, spec query.Spec, args any, form Form, progress func(sdk.Event)) (*Reply, error) {
	s, err := ps.acquire(dir)
	if err != nil {
		return nil, err
	}
	defer ps.release(s)
	if progress != nil {
		defer s.watch(progress)()
	}
	if err := s.ready(ctx); err != nil {
		return nil, err
	}
	if ps.staged != nil {
		s.project.Overlay(ps.staged(s.project.Root()))
	}
	return Ask(ctx, s.project, spec, args, form)
}

// Do lets f work with the project that dir is in, with the text that is staged laid over its
// files; progress, which may be nil, is told of indexing.
func (ps *Projects) Do(dir string, progress func(sdk.Event), f func(*sdk.Project) error) error {
	s, err := ps.acquire(dir)
	if err != nil {
		return err
	}
	defer ps.release(s)
	if progress != nil {
		defer s.watch(progress)()
	}
	if ps.staged != nil {
		s.project.Overlay(ps.staged(s.project.Root()))
	}
	return f(s.project)
}

// Close closes all projects. Nobody may be asking.
func (ps *Projects) Close() {
	ps.mu.Lock()
	defer ps.mu.Unlock()
	for _, s := range ps.open {
		_ = s.project.Close()
	}
	clear(ps.open)
	if ps.rest != nil {
		ps.rest.Stop()
	}
}

func (ps *Projects) acquire(dir string) (*Session, error) {
	root, err := Root(dir)
	if err != nil {
		return nil, err
	}
	ps.mu.Lock()
	defer ps.mu.Unlock()
	s := ps.open[root]
	if s == nil {
		if s, err = newSession(root, ps.options); err != nil {
			return nil, err
		}
		ps.open[root] = s
		ps.closeIdle()
	}
	if ps.rest != nil {
		ps.rest.Stop()
	}
	ps.clock++
	s.users, s.used = s.users+1, ps.clock
	return s, nil
}

func (ps *Projects) release(s *Session) {
	ps.mu.Lock()
	defer ps.mu.Unlock()
	s.users--
	ps.closeIdle()
	ps.idle()
}

// idle gives memory back to the system once nobody has asked for a while. The garbage of
// questions about types can be as much as what is kept, and without questions there is no
// collection that would return it.
func (ps *Projects) idle() {
	for _, s := range ps.open {
		if s.users > 0 {
			return
		}
	}
	if ps.rest == nil {
		ps.rest = time.AfterFunc(restAfter, debug.FreeOSMemory)
	} else {
		ps.rest.Reset(restAfter)
	}
}

// closeIdle closes the projects that were not asked about for longest, down to maxOpen,
// but none that somebody is asking about.
func (ps *Projects) closeIdle() {
	if len(ps.open) <= maxOpen {
		return
	}
	byUse := slices.SortedFunc(maps.Keys(ps.open), func(a, b string) int {
		return cmp.Compare(ps.open[a].used, ps.open[b].used)
	})
	for _, root := range byUse {
		if s := ps.open[root]; len(ps.open) > maxOpen && s.users == 0 && s.used > 0 {
			_ = s.project.Close()
			delete(ps.open, root)
		}
	}
}

// Session is one open project of [Projects].
type Session struct {
	project     *sdk.Project
	users, used int // guarded by Projects.mu

	mu       sync.Mutex // guards the rest
	built    bool
	build    *build
	watchers map[*func(sdk.Event)]bool
}

// build is one reading of the whole project that several askers wait for.
type build struct {
	cancel  context.CancelFunc
	done    chan struct{}
	err     error // valid when done is closed
	waiters int   // guarded by Session.mu
}

func newSession(root string, o sdk.Options) (*Session, error) {
	s := &Session{watchers: map[*func(sdk.Event)]bool{}}
	o.Progress = s.tell
	p, err := sdk.Open(root, o)
	if err != nil {
		return nil, err
	}
	s.project = p
	return s, nil
}

// ready waits until the project has an index of whatever age.
func (s *Session) ready(ctx context.Context) error {
	s.mu.Lock()
	if s.built = s.built || Indexed(s.project.Root()); s.built {
		s.mu.Unlock()
		return nil
	}
	b := s.build
	if b == nil {
		b = s.start(ctx)
	}
	b.waiters++
	s.mu.Unlock()

	select {
	case <-b.done:
		return b.err
	case <-ctx.Done():
		s.mu.Lock()
		defer s.mu.Unlock()
		if b.waiters--; b.waiters == 0 {
			b.cancel()
			if s.build == b {
				s.build = nil // who comes now starts afresh
			}
		}
		return ctx.Err()
	}
}

// start begins a build that outlives the asker who needed it first.
func (s *Session) start(ctx context.Context) *build {
	ctx, cancel := context.WithCancel(context.WithoutCancel(ctx))
	b := &build{cancel: cancel, done: make(chan struct{})}
	s.build = b
	go func() {
		defer cancel()
		err := s.index(ctx)
		s.mu.Lock()
		defer s.mu.Unlock()
		b.err = err
		s.built = s.built || err == nil
		if s.build == b {
			s.build = nil
		}
		close(b.done)
	}()
	return b
}

// index makes the index. A panic would otherwise end the server, since nobody else
// stands above this goroutine.
func (s *Session) index(ctx context.Context) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("building the index: internal error: %v", r)
		}
	}()
	if _, err := s.project.Index(ctx, sdk.IndexOptions{}); err != nil && ctx.Err() != nil {
		return err
	}
	return nil // a folder that cannot be written is no obstacle to an answer; the question finds out
}

// watch tells f of all progress until the returned function is called.
func (s *Session) watch(f func(sdk.Event)) (stop func()) {
	key := &f
	s.mu.Lock()
	s.watchers[key] = true
	s.mu.Unlock()
	return func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		delete(s.watchers, key)
	}
}

func (s *Session) tell(e sdk.Event) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for f := range s.watchers {
		(*f)(e)
	}
}

package indexer

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/zeebo/xxh3"

	"github.com/settgraph/sett/graph"
	"github.com/settgraph/sett/indexer/lang"
)

// Services are what the languages of one project keep for whoever asks about positions and
// for errors: see [lang.Looker] and [lang.Checker]. Each is made when it is first needed.
// The zero value is ready for use, and safe for concurrent use.
type Services struct {
	mu       sync.Mutex
	lookers  map[string]lang.Looker
	checkers map[string]lang.Checker
}

// Close gives back what the services remember. Nobody may be asking.
func (s *Services) Close() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, l := range s.lookers {
		l.Close()
	}
	for _, c := range s.checkers {
		c.Close()
	}
	s.lookers, s.checkers = nil, nil
}

func (s *Services) looker(l *lang.Language) lang.Looker {
	s.mu.Lock()
	defer s.mu.Unlock()
	return service(&s.lookers, l.Name, l.Looker)
}

func (s *Services) checker(l *lang.Language) lang.Checker {
	s.mu.Lock()
	defer s.mu.Unlock()
	return service(&s.checkers, l.Name, l.Checker)
}

// forget makes the language begin anew: its services are not to be trusted any more, or
// somebody is still at work in them.
func (s *Services) forget(name string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.lookers, name)
	delete(s.checkers, name)
}

// patience is how long a service may take to notice that its context has ended.
const patience = time.Second

// impatiently runs f and gives it up, done is false then, when it does not end soon after
// the context: type checkers do not look at theirs while they are at one type, and there are
// programs of a few lines whose types have more parts than any machine has bytes.
func impatiently[T any](ctx context.Context, f func() (T, error)) (t T, done bool, err error) {
	type result struct {
		t   T
		err error
	}
	results := make(chan result, 1)
	go func() {
		t, err := f()
		results <- result{t, err}
	}()
	select {
	case r := <-results:
		return r.t, true, r.err
	case <-ctx.Done():
	}
	select {
	case r := <-results:
		return r.t, true, r.err
	case <-time.After(patience):
		return t, false, ctx.Err()
	}
}

func service[T any](known *map[string]T, name string, open func() T) T {
	t, ok := (*known)[name]
	if !ok && open != nil {
		if *known == nil {
			*known = map[string]T{}
		}
		t = open()
		(*known)[name] = t
	}
	return t
}

// Look tells what is at a position of a file that the state holds; nil when that is nothing.
// ok is false when the language of the file cannot tell.
func (s *Services) Look(ctx context.Context, o Options, st *State, file string, at graph.Pos) (p *graph.Place, ok bool, err error) {
	i, found := find(st.files, file)
	if !found {
		return nil, false, nil
	}
	for _, l := range o.languages() {
		if l.Name != st.files[i].lang || l.Looker == nil {
			continue
		}
		looker := s.looker(&l)
		err = s.reading(o, &l, st.files, func(in *lang.Input) (err error) {
			var done bool
			p, done, err = impatiently(ctx, func() (p *graph.Place, err error) {
				defer guard(&err, l.Name, func() string { return file })
				return looker.Look(ctx, in, file, at)
			})
			if !done {
				s.forget(l.Name)
			}
			return err
		})
		return p, true, err
	}
	return nil, false, nil
}

// CheckScope says what is checked.
type CheckScope struct {
	// Only says which files are to be checked; nil: all.
	Only    func(path string) bool
	NoTests bool

	// Changed, when not nil, are the files that differ from something, also those that are
	// gone: they and all that depends on them, however far, are checked, as far as Only lets.
	Changed map[string]bool
}

// Checked is what the checker of one language found.
type Checked struct {
	Lang string
	lang.Checked
}

// Check lets the checker of each language that has files in the scope look at them. st, which
// may be nil, spares reading what is as it was.
func (s *Services) Check(ctx context.Context, o Options, scan *Scan, st *State, scope CheckScope) ([]Checked, error) {
	files, err := o.records(ctx, scan, st)
	if err != nil {
		return nil, err
	}
	var out []Checked
	for _, l := range o.languages() {
		if l.Checker == nil || !slices.ContainsFunc(files, func(f fileRecord) bool { return f.lang == l.Name }) {
			continue
		}
		checker := s.checker(&l)
		err := s.reading(o, &l, files, func(in *lang.Input) error {
			c, done, err := impatiently(ctx, func() (c *lang.Checked, err error) {
				defer guard(&err, l.Name, func() string { return "the check" })
				sc, any := scope.of(&l, in)
				if !any {
					return nil, nil
				}
				return checker.Check(ctx, in, sc)
			})
			if !done {
				s.forget(l.Name)
			}
			if err == nil && c != nil {
				out = append(out, Checked{l.Name, *c})
			}
			return err
		})
		if err != nil {
			return nil, err
		}
	}
	return out, ctx.Err()
}

// of is the scope as one language takes it; any is false when it has no file in it.
func (c *CheckScope) of(l *lang.Language, in *lang.Input) (sc lang.Scope, any bool) {
	sc.NoTests = c.NoTests
	if c.Only == nil && c.Changed == nil {
		return sc, len(in.Files) > 0
	}
	touched := func(string) bool { return true }
	if c.Changed != nil {
		touched = affected(l, in, c.Changed)
	}
	sc.Files = []string{}
	for _, f := range in.Files {
		if (c.Only == nil || c.Only(f.Path)) && touched(f.Path) {
			sc.Files = append(sc.Files, f.Path)
		}
	}
	return sc, len(sc.Files) > 0
}

// affected says which files can mean something else because others changed: those of the
// units that hold them, and of all units that depend on these. What depended on a file that
// is gone is known no more, and neither is what a configuration file changes: then it is all.
func affected(l *lang.Language, in *lang.Input, changed map[string]bool) func(string) bool {
	known := map[string]bool{}
	for _, f := range in.Files {
		known[f.Path] = true
	}
	for p, yes := range changed {
		if yes && (l.Config(p) || l.Source(p) && !known[p]) {
			return func(string) bool { return true }
		}
	}
	units := l.Units(in)
	users := map[string][]string{}
	files := map[string][]string{}
	var queue []string
	hit := map[string]bool{}
	for _, u := range units {
		files[u.Name] = u.Files
		for _, d := range u.Deps {
			users[d] = append(users[d], u.Name)
		}
		if slices.ContainsFunc(u.Files, func(p string) bool { return changed[p] }) {
			hit[u.Name] = true
			queue = append(queue, u.Name)
		}
	}
	out := map[string]bool{}
	for len(queue) > 0 {
		u := queue[0]
		queue = queue[1:]
		for _, p := range files[u] {
			out[p] = true
		}
		for _, user := range users[u] {
			if !hit[user] {
				hit[user] = true
				queue = append(queue, user)
			}
		}
	}
	return func(p string) bool { return out[p] }
}

// records are the files of a scan with their summaries, taken from the state where a file is
// as it was.
func (o *Options) records(ctx context.Context, scan *Scan, st *State) ([]fileRecord, error) {
	old := map[string]*fileRecord{}
	if st != nil {
		for i := range st.files {
			old[st.files[i].path] = &st.files[i]
		}
	}
	langs := map[string]*lang.Language{}
	for _, l := range o.languages() {
		langs[l.Name] = &l
	}
	root, err := os.OpenRoot(o.Root)
	if err != nil {
		return nil, fmt.Errorf("reading the project: %w", err)
	}
	defer root.Close()
	out := make([]fileRecord, 0, len(scan.Files))
	for _, f := range scan.Files {
		r := fileRecord{path: f.Path, size: f.Size, hash: f.Hash, lang: f.Lang}
		if l := langs[f.Lang]; l != nil {
			if was := old[f.Path]; was != nil && was.hash == f.Hash && was.lang == f.Lang {
				r.summary = was.summary
			} else if src, err := o.read(root, f.Path); err == nil {
				if r.summary, err = summary(l, f.Path, src); err != nil {
					return nil, err
				}
			} else if !errors.Is(err, fs.ErrNotExist) {
				return nil, fmt.Errorf("reading %s: %w", f.Path, bare(err))
			} else {
				continue // it went away since the scan
			}
		}
		out = append(out, r)
	}
	return out, ctx.Err()
}

// read returns a file of the project, or the unsaved text laid over it.
func (o *Options) read(root *os.Root, p string) ([]byte, error) {
	p = path.Clean(p)
	if text, ok := o.Overlay[p]; ok {
		return text, nil
	}
	if !fs.ValidPath(p) {
		return nil, &fs.PathError{Op: "read", Path: p, Err: fs.ErrInvalid}
	}
	return readFile(root, p, maxRead)
}

// find says where in sorted files one is.
func find(files []fileRecord, p string) (int, bool) {
	return slices.BinarySearchFunc(files, p, func(f fileRecord, p string) int { return strings.Compare(f.path, p) })
}

// reading gives f the project as a language sees it. A file, sorted by path as they are, may
// have become another one since its hash was taken. What services then remember under that
// hash is not what has it, and would be taken for it once the file is what it was: they begin
// anew.
func (s *Services) reading(o Options, l *lang.Language, files []fileRecord, f func(*lang.Input) error) error {
	return o.reading(l, files, func() { s.forget(l.Name) }, f)
}

// reading gives f the project as a language sees it. It calls changed, from several
// goroutines, when a file that is read is not the one whose hash is known.
func (o *Options) reading(l *lang.Language, files []fileRecord, changed func(), f func(*lang.Input) error) error {
	root, err := os.OpenRoot(o.Root)
	if err != nil {
		return fmt.Errorf("reading the project: %w", err)
	}
	defer root.Close()
	read := func(p string) ([]byte, error) {
		src, err := o.read(root, p)
		i, known := find(files, path.Clean(p))
		if known && (err != nil || xxh3.Hash(src) != files[i].hash) {
			changed()
		}
		return src, err
	}
	in := &lang.Input{Root: o.Root, Workers: o.workers(), Cache: o.Cache, ReadFile: read}
	for i := range files {
		r := &files[i]
		lf := lang.File{Path: r.path, Size: r.size, Hash: r.hash}
		if r.lang == l.Name {
			lf.Summary = r.summary
			in.Files = append(in.Files, lf)
		}
		if l.Config(r.path) {
			in.Configs = append(in.Configs, lf)
		}
	}
	return f(in)
}

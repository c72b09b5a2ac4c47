package indexer

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/settgraph/sett/graph"
	"github.com/settgraph/sett/indexer/lang"
	"github.com/zeebo/xxh3"
	"golang.org/x/sync/errgroup"
)

// A Delta is how facts changed since the state that it was made from.
type Delta struct {
	Facts  []*graph.Facts  // of the units that were extracted, sorted by unit
	Drop   map[string]bool // units whose old facts no longer hold: extracted again, or gone
	State  *State          // with this delta applied
	Report Report
}

// Report counts what an update did.
type Report struct {
	Files     map[string]int // sources by language
	Units     int            // all there are
	Extracted int            // how many were read again
	Reused    int
	Removed   int
	Broken    []UnitNote     // notes of broken units, old ones included, in the order of units
	Notes     []string       // what could not be read
	Skipped   map[string]int // as in Scan
	Unindexed map[string]int // as in Scan
	Unstable  []string       // files that changed during the run; the next update reads them again
	Phases    []Phase        // in the order they ran
}

// A Phase is a part of a run and how long it took.
type Phase struct {
	Name string
	Took time.Duration
}

// An update is one run of Update.
type update struct {
	ctx   context.Context
	o     Options
	scan  *Scan
	prev  *State
	langs []lang.Language
	root  *os.Root
	files []File         // the scan's, as far as they still exist
	at    map[string]int // index in files by path
	delta *Delta

	mu       sync.Mutex
	unstable map[string]bool // files that are not what the scan saw
}

// Update brings facts up to date with a scan: it extracts the units whose key differs
// from the one in prev, which may be nil. prev is not changed.
//
// Files that change during the run do no harm: their units are recorded in such a way
// that the next update extracts them again.
func Update(ctx context.Context, o Options, scan *Scan, prev *State) (*Delta, error) {
	root, err := os.OpenRoot(o.Root)
	if err != nil {
		return nil, fmt.Errorf("reading the project: %w", err)
	}
	defer root.Close()
	if prev == nil {
		prev = &State{}
	}
	u := &update{
		ctx: ctx, o: o, scan: scan, prev: prev, langs: o.languages(), root: root,
		files: slices.Clone(scan.Files), at: map[string]int{}, unstable: map[string]bool{},
		delta: &Delta{Drop: map[string]bool{}, State: &State{}},
	}
	u.delta.Report.Notes = slices.Clone(scan.Notes)
	u.phase("scan", scan.Took)
	if err := u.run(); err != nil {
		return nil, err
	}
	return u.delta, nil
}

func (u *update) phase(name string, took time.Duration) {
	u.delta.Report.Phases = append(u.delta.Report.Phases, Phase{name, took})
}

func (u *update) timed(name string, f func() error) error {
	start := time.Now()
	err := f()
	u.phase(name, time.Since(start))
	return err
}

func (u *update) run() error {
	var summaries map[string]lang.Summary
	err := u.timed("read", func() (err error) {
		summaries, err = u.summarize()
		return err
	})
	if err != nil {
		return err
	}
	for i, f := range u.files {
		u.at[f.Path] = i
	}
	st := u.delta.State
	generated := 0
	for i, l := range u.langs {
		st.langs = append(st.langs, langRecord{l.Name, l.Version})
		in := u.input(i, summaries)
		if !u.scan.Config.Index.Generated {
			before := len(in.Files)
			in.Files = slices.DeleteFunc(in.Files, func(f lang.File) bool { return f.Summary.Generated })
			generated += before - len(in.Files)
		}
		if err := u.language(i, in); err != nil {
			return err
		}
	}
	return u.finish(summaries, generated)
}

// summarize returns the summaries of all sources: old ones where path, contents and front
// end are the same. A file that is no longer what the scan saw is taken as it is now.
func (u *update) summarize() (map[string]lang.Summary, error) {
	known := map[string]*fileRecord{}
	version := map[string]int{}
	for _, l := range u.prev.langs {
		version[l.name] = l.version
	}
	for i := range u.prev.files {
		known[u.prev.files[i].path] = &u.prev.files[i]
	}
	langs := map[string]*lang.Language{}
	for i := range u.langs {
		langs[u.langs[i].Name] = &u.langs[i]
	}
	sums := make([]lang.Summary, len(u.files))
	gone := make([]bool, len(u.files))
	var todo []int
	for i, f := range u.files {
		if f.Lang == "" {
			continue
		}
		k := known[f.Path]
		if v, ok := version[f.Lang]; ok && v == langs[f.Lang].Version && k != nil && k.hash == f.Hash && k.size == f.Size && k.lang == f.Lang {
			sums[i] = k.summary
			continue
		}
		todo = append(todo, i)
	}
	var done atomic.Int64
	g, ctx := errgroup.WithContext(u.ctx)
	g.SetLimit(u.o.workers())
	for _, i := range todo {
		g.Go(func() error {
			if err := ctx.Err(); err != nil {
				return err
			}
			f := &u.files[i]
			src, err := u.read(f.Path)
			if err != nil {
				gone[i] = true
				u.note("cannot read " + f.Path + ": " + bare(err).Error())
				return nil
			}
			f.Size, f.Hash = int64(len(src)), xxh3.Hash(src)
			sums[i], err = summary(langs[f.Lang], f.Path, src)
			u.o.progress(Event{Phase: "read", Lang: f.Lang, Done: int(done.Add(1)), Total: len(todo)})
			return err
		})
	}
	if err := g.Wait(); err != nil {
		return nil, err
	}
	out := make(map[string]lang.Summary, len(u.files))
	left := u.files[:0]
	for i, f := range u.files {
		if gone[i] {
			u.unstable[f.Path] = true
			continue
		}
		left = append(left, f)
		if f.Lang != "" {
			out[f.Path] = sums[i]
		}
	}
	u.files = left
	return out, u.ctx.Err()
}

func summary(l *lang.Language, p string, src []byte) (s lang.Summary, err error) {
	defer guard(&err, l.Name, func() string { return p })
	return l.Summarize(p, src), nil
}

func (u *update) note(text string) {
	u.mu.Lock()
	defer u.mu.Unlock()
	u.delta.Report.Notes = append(u.delta.Report.Notes, text)
}

// read returns a file of the project as it is now.
func (u *update) read(p string) ([]byte, error) {
	return u.o.read(u.root, p)
}

// readStable is read for front ends: it notices when a file is not what the scan saw.
func (u *update) readStable(p string) ([]byte, error) {
	src, err := u.read(p)
	if i, ok := u.at[path.Clean(p)]; ok && (err != nil || xxh3.Hash(src) != u.files[i].Hash) {
		u.mu.Lock()
		u.unstable[u.files[i].Path] = true
		u.mu.Unlock()
	}
	return src, err
}

// input is the project as language i sees it.
func (u *update) input(i int, summaries map[string]lang.Summary) *lang.Input {
	in := &lang.Input{Root: u.o.Root, Workers: u.o.workers(), ReadFile: u.readStable}
	for _, f := range u.files {
		lf := lang.File{Path: f.Path, Size: f.Size, Hash: f.Hash}
		if f.Lang == u.langs[i].Name {
			lf.Summary = summaries[f.Path]
			in.Files = append(in.Files, lf)
		}
		if f.conf&(1<<i) != 0 {
			in.Configs = append(in.Configs, lf)
		}
	}
	return in
}

// language brings the units of language i up to date.
func (u *update) language(i int, in *lang.Input) error {
	l := u.langs[i]
	var units []lang.Unit
	err := u.timed("group "+l.Name, func() (err error) {
		units, err = group(l, in)
		return err
	})
	if err != nil || u.ctx.Err() != nil {
		return errors.Join(err, u.ctx.Err())
	}
	in.Units = units
	hashes := make(map[string]uint64, len(in.Files))
	for _, f := range in.Files {
		hashes[f.Path] = f.Hash
	}
	ks := keys(langKey(l, in.Configs, u.scan.outside[i]), units, hashes)
	old := make(map[string]*unitRecord, len(u.prev.units))
	for i := range u.prev.units {
		old[u.prev.units[i].name] = &u.prev.units[i]
	}
	var todo []lang.Unit
	st := u.delta.State
	for k, unit := range units {
		rec := unitRecord{name: unit.Name, key: ks[k]}
		if o := old[unit.Name]; o != nil && o.key == ks[k] && !u.o.Force {
			rec.notes = o.notes
		} else {
			todo = append(todo, unit)
		}
		st.units = append(st.units, rec)
	}
	if len(todo) == 0 {
		return nil
	}
	return u.timed("extract "+l.Name, func() error { return u.extract(l, in, todo) })
}

func group(l lang.Language, in *lang.Input) (units []lang.Unit, err error) {
	defer guard(&err, l.Name, func() string { return "the list of files" })
	return checkUnits(l, in.Files, l.Units(in))
}

// langKey covers what is the same for all units of a language.
func langKey(l lang.Language, configs []lang.File, outside uint64) uint64 {
	e := encoder{buf: []byte("sett lang 2\n")}
	e.u64(outside)
	e.str(l.Name)
	e.int(int64(l.Version))
	for _, f := range configs {
		e.str(f.Path)
		e.u64(f.Hash)
	}
	return xxh3.Hash(e.buf)
}

// extract runs a front end over units and checks that it did what it was told.
func (u *update) extract(l lang.Language, in *lang.Input, todo []lang.Unit) error {
	total := 0
	waiting := make(map[string]bool, len(todo))
	for _, unit := range todo {
		total += len(unit.Files)
		waiting[unit.Name] = true
	}
	var done atomic.Int64
	u.o.progress(Event{Phase: "extract", Lang: l.Name, Total: total})
	in.Progress = func(n int) {
		u.o.progress(Event{Phase: "extract", Lang: l.Name, Done: int(done.Add(int64(n))), Total: total})
	}
	emit := func(f *graph.Facts) error {
		u.mu.Lock()
		defer u.mu.Unlock()
		if f == nil || !waiting[f.Unit] {
			return fmt.Errorf("internal error: the %s front end gave facts that nobody asked for, or twice", l.Name)
		}
		delete(waiting, f.Unit)
		u.delta.Facts = append(u.delta.Facts, f)
		return u.ctx.Err()
	}
	err := runExtract(u.ctx, l, in, todo, emit, func() string {
		u.mu.Lock()
		defer u.mu.Unlock()
		return unitList(sortedKeys(waiting))
	})
	if cerr := u.ctx.Err(); cerr != nil {
		return cerr
	}
	if err != nil {
		return err
	}
	if len(waiting) > 0 {
		return fmt.Errorf("internal error: the %s front end gave no facts for %s", l.Name, unitList(sortedKeys(waiting)))
	}
	return nil
}

func runExtract(ctx context.Context, l lang.Language, in *lang.Input, todo []lang.Unit, emit func(*graph.Facts) error, what func() string) (err error) {
	defer guard(&err, l.Name, what)
	return l.Extract(ctx, in, todo, emit)
}

// unitList names a few units.
func unitList(names []string) string {
	const most = 3
	if len(names) == 0 {
		return "the end of its work"
	}
	if len(names) > most {
		return fmt.Sprintf("one of %s and %d more", strings.Join(names[:most], ", "), len(names)-most)
	}
	return strings.Join(names, ", ")
}

// finish puts the state and the report together.
func (u *update) finish(summaries map[string]lang.Summary, generated int) error {
	d, st := u.delta, u.delta.State
	slices.SortFunc(st.units, func(a, b unitRecord) int { return strings.Compare(a.name, b.name) })
	at := make(map[string]int, len(st.units))
	for i, rec := range st.units {
		if i > 0 && st.units[i-1].name == rec.name {
			return fmt.Errorf("internal error: two languages have a unit %s", rec.name)
		}
		at[rec.name] = i
	}
	slices.SortFunc(d.Facts, func(a, b *graph.Facts) int { return strings.Compare(a.Unit, b.Unit) })
	shaken := u.shakenConfig()
	for _, f := range d.Facts {
		rec := &st.units[at[f.Unit]]
		f.Key = rec.key
		rec.notes = unitNotes(f)
		d.Drop[f.Unit] = true
		for _, file := range f.Files {
			if u.unstable[file.Path] || shaken {
				rec.key = [16]byte{} // which no unit has: it will be extracted again
			}
		}
	}
	for _, old := range u.prev.units {
		if _, ok := at[old.name]; !ok {
			d.Drop[old.name] = true
			d.Report.Removed++
		}
	}
	for _, f := range u.files {
		st.files = append(st.files, fileRecord{path: f.Path, size: f.Size, hash: f.Hash, lang: f.Lang, summary: summaries[f.Path]})
	}
	st.Skipped = maps.Clone(u.scan.Skipped)
	st.Unindexed = maps.Clone(u.scan.Unindexed)
	if generated > 0 {
		st.Skipped[skipGenerated] += generated
	}
	st.Digest = digest(u.langs, u.scan.Config, u.scan.outside, u.files)
	if len(u.unstable) > 0 {
		st.Digest = Digest{}
	}
	r := &d.Report
	r.Files = st.Files()
	r.Units, r.Extracted = len(st.units), len(d.Facts)
	r.Reused = r.Units - r.Extracted
	r.Skipped, r.Unindexed = st.Skipped, st.Unindexed
	r.Unstable = sortedKeys(u.unstable)
	slices.Sort(r.Notes)
	for _, n := range st.Notes() {
		if n.Broken {
			r.Broken = append(r.Broken, n)
		}
	}
	return nil
}

// shakenConfig reports whether a configuration file changed during the run.
func (u *update) shakenConfig() bool {
	for p := range u.unstable {
		if i, ok := u.at[p]; ok && u.files[i].conf != 0 {
			return true
		}
	}
	return false
}

func unitNotes(f *graph.Facts) []UnitNote {
	var ns []UnitNote
	for _, n := range f.Notes {
		un := UnitNote{Unit: f.Unit, Line: int(n.Line), Col: int(n.Col), Text: n.Text, Broken: n.Broken}
		if n.File >= 0 && n.File < len(f.Files) {
			un.File = f.Files[n.File].Path
		}
		ns = append(ns, un)
	}
	return ns
}

package pluto

import (
	"context"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/settgraph/sett/compiler/identity"
	"github.com/settgraph/sett/sdk/pluto/journal"
)

// stages are the edits that are in memory only. Each step is the whole of what lies over the
// disk; before the first there is nothing, or the base.
type stages struct {
	base   *stage // before the first step, when older ones cannot be undone any more; or nil
	steps  []*stage
	cursor int // so many steps hold, the rest is undone
	next   uint64
}

// stage is what lies over the disk, and the records of ids that go with it.
type stage struct {
	id       uint64
	label    string
	time     time.Time
	paths    []string // that this step changed
	files    layer
	from, to identity.Recorded
}

// now is what holds.
func (s *stages) now() *stage {
	switch {
	case s.cursor > 0:
		return s.steps[s.cursor-1]
	case s.base != nil:
		return s.base
	}
	return &stage{}
}

// push adds a step; what was undone is gone.
func (s *stages) push(n *stage) {
	s.next++
	n.id, n.time = s.next, time.Now().UTC().Truncate(time.Millisecond)
	s.steps = append(s.steps[:s.cursor:s.cursor], n)
	if len(s.steps) > maxSteps {
		s.base, s.steps = s.steps[0], s.steps[1:]
	}
	s.cursor = len(s.steps)
}

// maxSteps bounds how many staged edits can be undone.
const maxSteps = 200

// forget drops what was undone: the disk is not what it was based on any more. When these
// files were written, steps over them cannot be undone any more either.
func (s *stages) forget(written []string) {
	s.steps = s.steps[:s.cursor:s.cursor]
	over := func(n *stage) bool {
		return slices.ContainsFunc(written, func(name string) bool { return slices.Contains(n.paths, name) })
	}
	if slices.ContainsFunc(s.steps, over) {
		s.base, s.steps, s.cursor = s.now(), nil, 0
	}
}

// keep stages a change.
func (p *Project) keep(tx *Tx, c *Change) {
	p.mu.Lock()
	defer p.mu.Unlock()
	n := &stage{label: c.Label, files: tx.view.layer}
	for _, f := range c.all() {
		n.paths = append(n.paths, f.Path)
	}
	n.from, n.to = identity.Delta(p.sidecar.ids, tx.now)
	p.stage.push(n)
	c.Entry = n.id
	p.settle(tx)
}

// Dirty lists the files with staged edits.
func (p *Project) Dirty() []string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return users(slices.Sorted(maps.Keys(p.stage.now().files)))
}

// Overlay is what is staged, by path, ids included, for those who read the files themselves:
// a file that is gone is empty. It is nil when nothing is staged, and must not be changed.
func (p *Project) Overlay() map[string][]byte {
	p.mu.Lock()
	defer p.mu.Unlock()
	now := p.stage.now()
	if len(now.files) == 0 {
		return nil
	}
	out := map[string][]byte{}
	for name, l := range now.files {
		out[name] = l.data
	}
	if len(now.from)+len(now.to) > 0 {
		out[idsFile] = identity.Merge([]byte(p.sidecar.text), now.from.Encode(), now.to.Encode())
	}
	return out
}

// chosen are the staged files of these paths with what is noted beside them, all for none.
func (p *Project) chosen(paths []string) ([]string, error) {
	p.mu.Lock()
	files := p.stage.now().files
	p.mu.Unlock()
	if len(paths) == 0 {
		return slices.Sorted(maps.Keys(files)), nil
	}
	var out []string
	for _, name := range paths {
		rel, err := p.Path(name)
		if err != nil {
			return nil, err
		}
		for _, try := range []string{rel, rel + ".pluto", rel + ".pt"} {
			if _, ok := files[try]; !ok {
				continue
			}
			// What view and module have in common goes with either.
			for _, name := range []string{try, recordOf(strings.TrimSuffix(try, path.Ext(try)) + ".pluto")} {
				if _, ok := files[name]; ok && !slices.Contains(out, name) {
					out = append(out, name)
				}
			}
		}
	}
	slices.Sort(out)
	return out, nil
}

// Save writes staged edits, of these files or all, in one go: all or nothing. It returns the
// files that were written; a project that edits directly tells what it has written since the
// last Save.
func (p *Project) Save(ctx context.Context, paths ...string) ([]string, error) {
	if p.opts.ReadOnly {
		return nil, readOnly(nil)
	}
	if err := p.begin(ctx); err != nil {
		return nil, err
	}
	defer p.end()
	names, err := p.chosen(paths)
	if err != nil {
		return nil, err
	}
	if len(names) == 0 {
		p.mu.Lock()
		defer p.mu.Unlock()
		return p.told(paths)
	}
	held, err := p.lock(ctx)
	if err != nil {
		return nil, err
	}
	defer held.Release()
	p.mu.Lock()
	defer p.mu.Unlock()
	now := p.stage.now()
	var changes []journal.Change
	for _, name := range names {
		l := now.files[name]
		changes = append(changes, journal.Change{Path: name, Before: l.base, After: l.data, Like: l.like})
	}
	from, to := pick(now.from, names), pick(now.to, names)
	if len(from)+len(to) > 0 {
		changes = append(changes, journal.Change{Path: idsFile, Before: from.Encode(), After: to.Encode()})
	}
	if _, err := held.Commit(p.stage.label(), nil, changes); err != nil {
		return nil, journalError(err)
	}
	p.rest(names, "edits of other files")
	return users(names), nil
}

// told are the files of these paths, all for none, that direct edits have written and that
// nobody was told of; p.mu is held.
func (p *Project) told(paths []string) ([]string, error) {
	out := slices.Sorted(maps.Keys(p.written))
	if len(paths) > 0 {
		out = nil
		for _, name := range paths {
			rel, err := p.Path(name)
			if err != nil {
				return nil, err
			}
			for _, try := range []string{rel, rel + ".pluto", rel + ".pt"} {
				if p.written[try] {
					out = append(out, try)
				}
			}
		}
	}
	for _, name := range out {
		delete(p.written, name)
	}
	return out, nil
}

// label joins what the steps that hold did.
func (s *stages) label() string {
	var labels []string
	for _, n := range s.steps[:s.cursor] {
		if n.label != "" {
			labels = append(labels, n.label)
		}
	}
	if len(labels) > 3 {
		labels = append(labels[:3:3], fmt.Sprintf("and %d more", len(labels)-3))
	}
	return strings.Join(labels, "; ")
}

// pick are the records of these files.
func pick(r identity.Recorded, names []string) identity.Recorded {
	out := identity.Recorded{}
	for k, id := range r {
		if slices.Contains(names, k.File) {
			out[k] = id
		}
	}
	return out
}

// rest leaves of the staged files only those with other names, as one step; p.mu is held.
func (p *Project) rest(names []string, label string) {
	now := p.stage.now()
	left := &stage{label: label, files: layer{}, from: maps.Clone(now.from), to: maps.Clone(now.to)}
	for name, l := range now.files {
		if !slices.Contains(names, name) {
			left.files[name] = l
			left.paths = append(left.paths, name)
		}
	}
	for k := range pick(now.from, names) {
		delete(left.from, k)
	}
	for k := range pick(now.to, names) {
		delete(left.to, k)
	}
	p.stage.base, p.stage.steps, p.stage.cursor = nil, nil, 0
	if len(left.files) > 0 {
		slices.Sort(left.paths)
		p.stage.push(left)
	}
	p.drop()
}

// Discard drops staged edits, of these files or all, and returns which files had some. It is
// a step of the history: Undo brings them back.
func (p *Project) Discard(ctx context.Context, paths ...string) ([]string, error) {
	if err := p.begin(ctx); err != nil {
		return nil, err
	}
	defer p.end()
	names, err := p.chosen(paths)
	if err != nil || len(names) == 0 {
		return nil, err
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	now := p.stage.now()
	n := &stage{label: "discard " + strings.Join(users(names), ", "), paths: names, files: maps.Clone(now.files), from: maps.Clone(now.from), to: maps.Clone(now.to)}
	for _, name := range names {
		delete(n.files, name)
	}
	for k := range pick(now.from, names) {
		delete(n.from, k)
	}
	for k := range pick(now.to, names) {
		delete(n.to, k)
	}
	p.stage.push(n)
	p.drop()
	return users(names), nil
}

// begin waits until nobody else in this process edits.
func (p *Project) begin(ctx context.Context) error {
	select {
	case <-p.editing:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (p *Project) end() { p.editing <- struct{}{} }

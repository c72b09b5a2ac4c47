package pluto_test

import (
	"maps"

	"github.com/google/uuid"

	"github.com/settgraph/sett/sdk/pluto"
)

// history is what undoing and redoing must lead to.
type history struct {
	disk, mem moments
}

// moments are steps, of which the first at hold and the others are undone.
type moments struct {
	list []moment
	at   int
}

// moment is a project before and after a step.
type moment struct{ before, after state }

// state is what is compared: the files, and who has which id where that is known.
type state struct {
	files map[string]string
	ids   map[uuid.UUID]string
}

func (w *world) state() state {
	return state{w.files, ids(w.v)}
}

func (m *moments) push(before, after state) {
	m.list = append(m.list[:m.at:m.at], moment{before, after})
	m.at = len(m.list)
}

// written forgets staged steps that lie over files that were written: what was undone, and all
// when a step has one of these files.
func (m *moments) written(c *pluto.Change) {
	m.list = m.list[:m.at:m.at]
	for _, one := range m.list {
		for _, f := range c.Files {
			was, had := one.before.files[f.Path]
			is, has := one.after.files[f.Path]
			if had != has || was != is {
				*m = moments{}
				return
			}
		}
	}
}

// record notes a change that was made.
func (g *game) record(before *world, c *pluto.Change) {
	switch {
	case c.Entry == 0:
	case c.Staged:
		g.past.mem.push(before.state(), g.now.state())
	default:
		g.past.disk.push(before.state(), g.now.state())
		g.past.mem.written(c)
	}
}

// travel undoes or redoes one step, and compares what comes of it.
func (g *game) travel(back bool) bool {
	before := g.now
	m, staged := &g.past.mem, true
	if back && m.at == 0 || !back && m.at == len(m.list) {
		m, staged = &g.past.disk, false
	}
	var c *pluto.Change
	var err error
	if back {
		c, err = g.p.Undo(ctx)
	} else {
		c, err = g.p.Redo(ctx)
	}
	if err != nil {
		code := pluto.CodeOf(err)
		possible := back && m.at > 0 || !back && m.at < len(m.list)
		if !staged && len(g.p.Dirty()) > 0 {
			possible = false
		}
		if possible && !(g.outer && code == pluto.Conflict) || code == "" {
			g.fail("back %v: %v", back, err)
		}
		g.note("- %v", err)
		g.same(before, "refused: "+err.Error())
		return false
	}
	g.now = g.look()
	g.told(before, c)
	var from, want state
	switch {
	case back && m.at > 0:
		m.at--
		from, want = m.list[m.at].after, m.list[m.at].before
	case !back && m.at < len(m.list):
		from, want = m.list[m.at].before, m.list[m.at].after
		m.at++
	default:
		g.fail("back %v: nothing was there to undo or redo, and it did %q: staged %v, %d of %d and %d of %d", back, c.Label, c.Staged, g.past.mem.at, len(g.past.mem.list), g.past.disk.at, len(g.past.disk.list))
		return false
	}
	if c.Staged != staged {
		g.fail("back %v: staged is %v", back, c.Staged)
	}
	if !staged {
		g.past.mem.written(c)
		g.mixed = g.mixed || g.past.mem.at > 0
	}
	if g.outer {
		for _, f := range c.Files {
			if got, ok := g.now.files[f.Path]; ok != (f.After != nil) || got != string(f.After) {
				g.fail("back %v: %s is %q, want %q", back, f.Path, got, f.After)
			}
		}
		return true
	}
	g.equal("files", g.now.files, patch(before.files, from.files, want.files))
	if want.ids != nil && !g.mixed && !maps.Equal(ids(g.now.v), want.ids) {
		for id, name := range want.ids {
			if now := ids(g.now.v)[id]; now != name {
				g.fail("back %v: the id of %s is that of %q", back, name, now)
			}
		}
		g.fail("back %v: the ids differ; %q, staged %v, %d of %d and %d of %d", back, c.Label, staged, g.past.mem.at, len(g.past.mem.list), g.past.disk.at, len(g.past.disk.list))
	}
	return true
}

// patch makes the change between two states of files in a third.
func patch(files, from, to map[string]string) map[string]string {
	out := maps.Clone(files)
	for name := range from {
		if !has(to, name) {
			delete(out, name)
		}
	}
	for name, text := range to {
		if was, ok := from[name]; !ok || was != text {
			out[name] = text
		}
	}
	return out
}

// equal compares files.
func (g *game) equal(what string, got, want map[string]string) {
	g.t.Helper()
	for name, text := range want {
		if now, ok := got[name]; !ok || now != text {
			g.fail("%s: %s is %q, want %q", what, name, now, text)
		}
	}
	for name := range got {
		if _, ok := want[name]; !ok {
			g.fail("%s: %s is there", what, name)
		}
	}
}

// rewind undoes everything, and redoes it.
func (g *game) rewind() {
	for !g.outer && !g.bad && g.travel(false) {
	}
	end, back := g.now.state(), 0
	mem := g.past.mem.list
	for g.travel(true) {
		if back++; back > 300 || g.bad {
			g.fail("undo has no end")
			return
		}
	}
	if g.bad || g.outer || g.mixed {
		return
	}
	start := g.past.disk.list
	if len(start) > 0 {
		g.equal("all undone", g.now.files, start[0].before.files)
	}
	for forth := 0; g.travel(false); forth++ {
		if forth > 300 || g.bad {
			return
		}
	}
	if len(mem) == 0 && !g.bad {
		g.equal("all redone", g.now.files, end.files)
	}
}

// save writes staged edits, all or of one file.
func (g *game) save() {
	before := g.now
	dirty := g.p.Dirty()
	var paths []string
	if len(dirty) > 1 && g.r.IntN(4) == 0 {
		paths = []string{pick(g.r, dirty)}
	}
	g.say("save %v of %v", paths, dirty)
	saved, err := g.p.Save(ctx, paths...)
	if err != nil {
		if !g.outer || pluto.CodeOf(err) != pluto.Conflict {
			g.fail("%v", err)
		}
		g.same(before, "refused")
		return
	}
	if len(dirty) == 0 {
		g.same(before, "nothing to save")
		return
	}
	g.now = g.look()
	g.equal("files", g.now.files, before.files)
	for _, name := range saved {
		got, ok := g.now.disk[name]
		want, there := before.files[name]
		if got != want || ok != there {
			g.fail("%s is %q on disk, want %q", name, got, want)
		}
	}
	for name, text := range before.disk {
		if got := g.now.disk[name]; !contains(saved, name) && got != text {
			g.fail("%s is %q on disk, and was not to be saved", name, got)
		}
	}
	if !maps.Equal(ids(g.now.v), ids(before.v)) {
		g.fail("ids change")
	}
	from := state{files: before.disk}
	if len(g.past.mem.list) > 0 && len(paths) == 0 && g.past.mem.at > 0 && maps.Equal(g.past.mem.list[0].before.files, before.disk) {
		from.ids = g.past.mem.list[0].before.ids
	}
	g.past.mem = moments{}
	if left := g.p.Dirty(); len(left) > 0 {
		if len(paths) == 0 {
			g.fail("%v is not saved", left)
		}
		g.mixed = true
		g.past.disk.push(from, state{files: g.now.disk})
		g.past.mem.push(state{files: g.now.disk}, g.now.state())
	} else {
		g.past.disk.push(from, g.now.state())
	}
}

// discard drops staged edits, all or of one file.
func (g *game) discard() {
	before := g.now
	dirty := g.p.Dirty()
	var paths []string
	if len(dirty) > 1 && g.r.IntN(2) == 0 {
		paths = []string{pick(g.r, dirty)}
	}
	g.say("discard %v of %v", paths, dirty)
	names, err := g.p.Discard(ctx, paths...)
	if err != nil {
		g.fail("%v", err)
		return
	}
	if len(dirty) == 0 {
		g.same(before, "nothing to discard")
		return
	}
	g.now = g.look()
	for name, text := range before.files {
		want, ok := text, true
		if contains(names, name) {
			want, ok = before.disk[name], before.disk[name] != "" || has(before.disk, name)
		}
		if got, there := g.now.files[name]; there != ok || got != want {
			g.fail("%s is %q, want %q", name, got, want)
		}
	}
	g.past.mem.push(before.state(), g.now.state())
}

// restart closes the project and opens it: staged edits are gone, everything else stays.
func (g *game) restart() {
	before := g.now
	dirty := len(g.p.Dirty()) > 0
	g.say("restart")
	g.open()
	g.past.mem = moments{}
	g.now = g.look()
	g.equal("files", g.now.files, before.disk)
	if !dirty && !maps.Equal(ids(g.now.v), ids(before.v)) {
		g.fail("ids change")
	}
}

func has[V any](m map[string]V, k string) bool {
	_, ok := m[k]
	return ok
}

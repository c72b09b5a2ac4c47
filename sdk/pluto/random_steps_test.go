package pluto_test

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/settgraph/sett/compiler/xref"
	"github.com/settgraph/sett/sdk/pluto"
)

// step makes one random step.
func (g *game) step() {
	kinds := []struct {
		name  string
		times int
		do    func()
	}{
		{"edit", 50, func() { g.edit(1) }},
		{"several", 14, func() { g.edit(2 + g.r.IntN(3)) }},
		{"there and back", 7, g.back},
		{"undo", 6, func() { g.say("undo"); g.travel(true) }},
		{"redo", 4, func() { g.say("redo"); g.travel(false) }},
		{"generate", 4, g.generate},
		{"sync", 6, g.sync},
		{"idle sync", 3, g.idle},
		{"migrate", 4, g.migrate},
		{"there and back form", 3, g.formAndBack},
		{"restart", 3, g.restart},
		{"outside", 9, g.outside},
		{"save", 9, g.save},
		{"discard", 3, g.discard},
	}
	sum := 0
	for i, k := range kinds {
		switch k.name {
		case "outside":
			if !g.outer {
				kinds[i].times = 0
			}
		case "sync":
			if g.quiet {
				kinds[i].times = 0
			}
		case "save", "discard":
			if !g.o.Staged {
				kinds[i].times = 1
			}
		}
		sum += kinds[i].times
	}
	n := g.r.IntN(sum)
	for _, k := range kinds {
		if n -= k.times; n < 0 {
			k.do()
			g.done["step "+k.name]++
			break
		}
	}

	if !g.bad && g.r.IntN(3) == 0 {
		g.afresh(g.r.IntN(4) == 0)
	}
}

// finish compares what a step that is no transaction of the game's own has done.
func (g *game) finish(before *world, c *pluto.Change, x *expect, checked bool) {
	g.t.Helper()
	g.now = g.look()
	g.told(before, c)
	g.kept(before, x)
	g.commented(before, x)
	g.judged(before, c, x, checked)
	g.record(before, c)
}

// refused notes an error, which has to have one of the codes.
func (g *game) refusedWith(before *world, err error, codes ...pluto.Code) {
	g.t.Helper()
	g.note("- %v", err)
	if !slices.Contains(codes, pluto.CodeOf(err)) {
		g.fail("%v", err)
	}
	g.same(before, "refused")
}

// generate writes views.
func (g *game) generate() {
	before := g.now
	m := g.module(before.v)
	name := pick(g.r, []string{"", m.Path, m.Name, filepath.ToSlash(filepath.Dir(m.Path))})
	o := pluto.GenerateOptions{NoHints: g.r.IntN(6) == 0, Force: g.r.IntN(4) == 0}
	g.say("generate %q %+v", name, o)
	r, err := g.p.GeneratePT(ctx, name, o)
	if err != nil {
		g.refusedWith(before, err, pluto.Conflict)
		return
	}
	g.finish(before, r.Change, newExpect(), false)
	if !maps.Equal(g.now.errors, before.errors) {
		g.fail("the compiler says %v, before %v", g.now.errors, before.errors)
	}
	if o.NoHints {
		return
	}
	again := g.now
	if r, err = g.p.GeneratePT(ctx, name, o); err != nil || len(r.Change.Files) > 0 {
		g.fail("again: %+v, %v", r, err)
	}
	g.same(again, "generated again")
}

// idle syncs views that nobody edited.
func (g *game) idle() {
	before := g.now
	g.say("sync what is in sync")
	if r, err := g.p.GeneratePT(ctx, "", pluto.GenerateOptions{Force: true}); err != nil {
		g.refusedWith(before, err, pluto.Conflict)
		return
	} else {
		g.finish(before, r.Change, newExpect(), false)
	}
	now := g.now
	views := false
	for _, m := range now.v.Modules() {
		views = views || m.Human != ""
		if m.Human == "" {
			continue
		}
		r, err := g.p.SyncPT(ctx, m.Human, "", pluto.SyncOptions{})
		if err != nil {
			if !m.File().OK {
				continue
			}
			g.fail("%s: %v", m.Human, err)
			return
		}
		if len(r.Change.Files) > 0 || len(r.Added)+len(r.Removed)+len(r.Renamed)+len(r.Modified)+len(r.Moved)+len(r.Imports) > 0 {
			g.fail("a sync of %s does something: %+v", m.Human, r)
		}
	}
	g.same(now, "sync of unchanged views")
}

// put writes a file as another program does, or, where nobody else may, through the project.
func (g *game) put(name, text string) bool {
	if g.outer {
		write(g.t, g.root, name, text)
		g.now = g.look()
		return true
	}
	before := g.now
	c, err := g.p.Edit(ctx, pluto.EditOptions{}, func(tx *pluto.Tx) error { return tx.Put(name, []byte(text)) })
	if err != nil {
		g.fail("%v", err)
		return false
	}
	x := newExpect()
	x.open, x.sound, x.modest = true, false, false
	g.now = g.look()
	g.told(before, c)
	g.record(before, c)
	return true
}

// sync edits a view and takes the edit over.
func (g *game) sync() {
	before := g.now
	var m *pluto.Module
	for _, try := range before.v.Modules() {
		if try.File().OK && (m == nil || g.r.IntN(3) == 0) {
			m = try
		}
	}
	if m == nil {
		return
	}
	g.say("sync %s", m.Path)
	if g.outer && contains(g.p.Dirty(), m.Path) {
		return
	}
	view := m.Human
	if strings.HasSuffix(m.Path, ".pt") {
		view = m.Path
	} else if view == "" || g.r.IntN(3) > 0 {
		r, err := g.p.GeneratePT(ctx, m.Path, pluto.GenerateOptions{Force: true, Direct: g.outer})
		if err != nil {
			g.refusedWith(before, err, pluto.Conflict)
			return
		}
		g.mixed = g.mixed || g.outer && g.o.Staged
		g.finish(before, r.Change, newExpect(), false)
		if g.bad {
			return
		}
		view = r.Files[0].View
	}
	known := g.now
	e := g.rewrite(known.v, known.decls[m.ID].Module, view, known.files[view])
	g.note("%s", e.what)
	if !g.put(view, e.text) || g.bad {
		return
	}
	edited := g.now
	if view == m.Path { // until then it was a module itself
		known = edited
	}
	r, err := g.p.SyncPT(ctx, view, "", pluto.SyncOptions{Force: g.r.IntN(4) == 0})
	if err != nil {
		g.refusedWith(edited, err, pluto.Conflict, pluto.ParseError)
		if pluto.CodeOf(err) == pluto.ParseError && parsed("x.pluto", e.text).OK {
			g.fail("it parses")
		}
		return
	}
	x := newExpect()
	x.open, x.sound, x.modest = true, false, false
	x.lost, x.gained = everything(edited.comments), comments(parsed("x.pluto", e.text))
	g.finish(edited, r.Change, x, true)
	if g.bad || r.Files[0].Merged || r.Files[0].Outdated {
		return
	}
	now, err := g.now.v.Module(r.Files[0].Path)
	if err != nil {
		g.fail("%v", err)
		return
	}
	if got, want := bare(now.Text()), bare(e.text); got != want {
		g.fail("the module says %q, want %q: %+v", got, want, r.Files)
	}
	if view == m.Path || known.files[view] == "" || bare(known.files[view]) != bare(m.Text()) {
		return
	}
	for id, d := range known.decls {
		if d.Module.ID == m.ID && d.Parent == nil && d.Kind != xref.Module && !e.gone[d.Key] {
			if is := g.now.decls[id]; is == nil || is.Kind != d.Kind {
				g.fail("%s lost its id %s", d.Key, id)
			}
		}
	}
}

func everything(m map[string]int) []string {
	var out []string
	for c, n := range m {
		for range n {
			out = append(out, c)
		}
	}
	return out
}

// bare is a text without lines that state ids.
func bare(text string) string {
	var out strings.Builder
	if rest, ok := strings.CutPrefix(text, "\ufeff"); ok {
		out.WriteString("\ufeff")
		text = rest
	}
	for line := range strings.Lines(text) {
		if !strings.HasPrefix(strings.TrimSpace(line), "// @uuid:") {
			out.WriteString(line)
		}
	}
	return out.String()
}

// rewritten is a text that somebody edited.
type rewritten struct {
	what, text string
	gone       map[xref.Key]bool // who is not there any more, as far as can be told
	fresh      map[string]bool   // names that come
}

// rewrite edits a text of a module by hand.
func (g *game) rewrite(v *pluto.View, m *pluto.Module, name, text string) rewritten {
	e := rewritten{text: text, gone: map[xref.Key]bool{}, fresh: map[string]bool{}}
	for range 1 + g.r.IntN(2) {
		file := parsed(m.Path, e.text)
		var decls []*xref.Decl
		for _, d := range xref.Decls(file) {
			decls = append(decls, d)
		}
		kind := g.r.IntN(8)
		if len(decls) == 0 {
			kind = 0
		}
		eol := "\n"
		if strings.Contains(e.text, "\r\n") {
			eol = "\r\n"
		}
		switch kind {
		case 0, 1:
			part, _ := g.part()
			e.text = strings.TrimRight(e.text, "\r\n") + eol + eol + strings.ReplaceAll(part, "\n", eol) + eol
			e.what += " appends " + part
		case 2:
			d := pick(g.r, decls)
			e.what += " deletes " + d.Qual
			e.text = e.text[:d.WithDoc.Start] + e.text[d.WithDoc.End:]
			e.gone[d.Key] = true
		case 3:
			d := pick(g.r, decls)
			if d.Kind == xref.Test || d.Name == "main" {
				continue
			}
			to := g.name(d.Kind)
			e.what += " renames " + d.Qual + " to " + to
			at := d.NameAt
			e.text = e.text[:at.Start] + to + e.text[at.End:]
			e.fresh[to] = true
		case 4, 5:
			d := pick(g.r, decls)
			i := strings.IndexByte(e.text[d.Full.Start:d.Full.End], '{')
			if i < 0 || d.Kind == xref.Enum {
				continue
			}
			at := int(d.Full.Start) + i + 1
			e.what += " remarks in " + d.Qual
			e.text = e.text[:at] + " " + g.comment() + eol + e.text[at:]
		case 6:
			i := g.r.IntN(len(decls))
			if i == 0 {
				continue
			}
			a, b := decls[i-1].WithDoc, decls[i].WithDoc
			if a.End > b.Start || strings.Contains(e.text[a.Start:b.End], "tests[") {
				continue
			}
			e.what += " swaps " + decls[i-1].Qual + " and " + decls[i].Qual
			e.text = e.text[:a.Start] + e.text[b.Start:b.End] + e.text[a.End:b.Start] + e.text[a.Start:a.End] + e.text[b.End:]
		case 7:
			if g.r.IntN(3) > 0 {
				continue
			}
			at := g.r.IntN(len(e.text))
			e.what += fmt.Sprintf(" breaks at %d", at)
			e.text = e.text[:at] + pick(g.r, []string{"}", "{", "\"", "fn", "@"}) + e.text[at:]
			for _, d := range decls {
				e.gone[d.Key] = true
			}
		}
	}
	return e
}

// outside edits a file as another program does, and reloads, or not.
func (g *game) outside() {
	before := g.now
	m := g.module(before.v)
	g.say("outside: %s", m.Path)
	if m.Binary || contains(g.p.Dirty(), m.Path) || !has(before.disk, m.Path) {
		return
	}
	if g.r.IntN(8) == 0 {
		if err := os.Remove(filepath.Join(g.root, filepath.FromSlash(m.Path))); err != nil {
			g.fail("%v", err)
			return
		}
		g.note("removes it")
		g.now = g.look()
		return
	}
	e := g.rewrite(before.v, m, m.Path, before.disk[m.Path])
	g.note("%s", e.what)
	write(g.t, g.root, m.Path, e.text)
	reload, dirty := g.r.IntN(3) > 0, g.p.Dirty()
	discarded := false
	known := maps.Clone(g.unseen)
	g.unseen[m.Path] = true
	if reload {
		name := pick(g.r, []string{"", m.Path})
		g.note("and reload %q", name)
		if _, err := g.p.Reload(ctx, name, pluto.EditOptions{Force: g.r.IntN(2) == 0}); err != nil {
			if pluto.CodeOf(err) != pluto.Conflict {
				g.fail("%v", err)
			}
			reload = false
		} else if clear(g.unseen); name == "" && len(dirty) > 0 { // staged edits are discarded, which is a step
			g.now = g.look()
			g.past.mem.push(before.state(), g.now.state())
			discarded = true
		}
	}
	g.now = g.look()
	for id, d := range before.decls {
		if e.gone[d.Key] || d.Parent != nil || known[d.Module.Path] || discarded {
			continue
		}
		is := g.now.decls[id]
		switch {
		case is == nil && !reload && d.Module.ID == m.ID:
		case is == nil:
			g.fail("%s lost its id", d.Key)
		case is.Kind != d.Kind || is.Name != d.Name && !e.fresh[is.Name]:
			g.fail("%s is %s", d.Key, is.Key)
		}
	}
}

// migrate changes the form of some modules.
func (g *game) migrate() {
	before := g.now
	to := pick(g.r, []string{pluto.BinaryForm, pluto.TextForm})
	var paths []string
	for range g.r.IntN(3) {
		m := g.module(before.v)
		paths = append(paths, pick(g.r, []string{m.Path, m.Name, filepath.ToSlash(filepath.Dir(m.Path))}))
	}
	o := pluto.MigrateOptions{To: to, Hints: g.r.IntN(4) == 0}
	g.say("migrate %q %+v", paths, o)
	g.form(before, paths, o)
}

func (g *game) form(before *world, paths []string, o pluto.MigrateOptions) bool {
	r, err := g.p.Migrate(ctx, paths, o)
	if err != nil {
		g.refusedWith(before, err, pluto.Conflict, pluto.ParseError, pluto.Ambiguous)
		return false
	}
	g.finish(before, r.Change, newExpect(), false)
	for id, d := range before.decls {
		if is := g.now.decls[id]; d.Kind == xref.Module && is != nil && is.Module.Text() != d.Module.Text() && !(o.Hints && bare(is.Module.Text()) == bare(d.Module.Text())) {
			if o.To == pluto.TextForm && bare(is.Module.Text()) == bare(d.Module.Text()) {
				continue // a hint that was wrong
			}
			g.fail("%s says %q, want %q", d.Module.Path, is.Module.Text(), d.Module.Text())
		}
	}
	return true
}

// formAndBack changes the form of a module, and back: the bytes are the same.
func (g *game) formAndBack() {
	before := g.now
	m := g.module(before.v)
	g.say("migrate there and back %s", m.Path)
	if filepath.Ext(m.Path) == ".pt" {
		return
	}
	forms := []string{pluto.BinaryForm, pluto.TextForm}
	if m.Binary {
		slices.Reverse(forms)
	}
	for _, to := range forms {
		if !g.form(g.now, []string{m.Path}, pluto.MigrateOptions{To: to}) || g.bad {
			return
		}
	}
	if !m.Binary {
		g.equal("there and back", g.now.files, before.files)
	}
	g.equal("there and back, texts", plains(g.now.files), plains(before.files))
	if !equalIDs(g.now, before) {
		g.fail("ids change")
	}
}

package pluto_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/google/uuid"

	"github.com/settgraph/sett/compiler/xref"
	"github.com/settgraph/sett/sdk/pluto"
)

// operations are what a transaction does; each says what it expects when it is not refused.
var operations = []struct {
	name  string
	times int
	quiet int // so many times among edits that no program can see
	do    func(g *game, tx *pluto.Tx, x *expect) error
}{
	{"add", 5, 2, (*game).add},
	{"replace", 5, 0, (*game).replace},
	{"rename", 7, 6, (*game).rename},
	{"delete", 5, 0, (*game).delete},
	{"move", 6, 5, (*game).move},
	{"method", 2, 1, (*game).addMethod},
	{"field", 2, 0, (*game).addField},
	{"variant", 1, 0, (*game).addVariant},
	{"create", 1, 1, (*game).createModule},
	{"rename module", 3, 3, (*game).renameModule},
	{"delete module", 1, 0, (*game).deleteModule},
}

// operate does one of them.
func (g *game) operate(tx *pluto.Tx, x *expect) (string, error) {
	sum := 0
	times := func(i int) int {
		if g.quiet {
			return operations[i].quiet
		}
		return operations[i].times
	}
	for i := range operations {
		sum += times(i)
	}
	n := g.r.IntN(sum)
	for i, op := range operations {
		if n -= times(i); n < 0 {
			return op.name, op.do(g, tx, x)
		}
	}
	return "", nil
}

// spot is a place beside some declaration of the list, or none.
func (g *game) spot(among []*pluto.Decl) pluto.Spot {
	if len(among) == 0 || g.r.IntN(3) == 0 {
		return pluto.Spot{}
	}
	d := pick(g.r, among)
	switch g.r.IntN(12) {
	case 0:
		return pluto.Spot{Before: d, After: d}
	case 1, 2, 3, 4, 5:
		return pluto.Spot{Before: d}
	}
	return pluto.Spot{After: d}
}

func (g *game) add(tx *pluto.Tx, x *expect) error {
	v := tx.View()
	m := g.module(v)
	name, beside := m.Path, m.Decls
	if g.r.IntN(3) == 0 {
		name, beside = m.Name, nil
	}
	if g.r.IntN(4) == 0 {
		name, beside = g.path(m.Path), nil
	}
	src := g.source(g.decl(v).Name)
	if g.quiet && !src.sound {
		return refusal("it does not check")
	}
	at := g.spot(beside)
	g.note("add to %s at %s: %q", name, spotted(at), src.text)
	_, err := v.Module(name)
	fresh := err != nil
	added, err := tx.Add(name, src.text, at)
	if err != nil {
		return err
	}
	var names []string
	for _, d := range added {
		x.added[d.ID] = true
		names = append(names, d.Name)
	}
	if src.names != nil && !slices.Equal(names, src.names) {
		g.fail("it adds %q, want %q", names, src.names)
	}
	if fresh {
		if m, err := tx.View().Module(name); err != nil {
			g.fail("%v", err)
		} else {
			x.added[m.ID] = true
		}
	}
	x.gained = append(x.gained, src.comments...)
	if strings.Contains(src.text, "test \"") && slices.ContainsFunc(m.Decls, func(d *pluto.Decl) bool { return d.Kind == xref.App }) {
		src.sound = false // an app has no tests beside it
	}
	x.sound, x.modest = x.sound && src.sound, false
	return nil
}

func spotted(at pluto.Spot) string {
	switch {
	case at.Before != nil && at.After != nil:
		return "both sides of " + at.Before.Handle()
	case at.Before != nil:
		return "before " + at.Before.Handle()
	case at.After != nil:
		return "after " + at.After.Handle()
	}
	return "the end"
}

func (g *game) replace(tx *pluto.Tx, x *expect) error {
	d := g.decl(tx.View())
	old := d.Source()
	if g.r.IntN(2) == 0 {
		old = d.Bare()
	}
	src := old
	sound, free := false, false
	nameAt := strings.LastIndex(d.Source(), d.Bare()) // of the declaration in its source
	switch g.r.IntN(8) {
	case 0:
		sound = true
	case 1, 2: // a remark inside
		if i := strings.IndexByte(src, '{'); i >= 0 && (d.Kind == xref.Function || d.Kind == xref.Method || d.Kind == xref.Test) {
			src = src[:i+1] + " " + g.comment() + "\n" + src[i+1:]
			sound = true
		}
	case 3, 4: // another name
		to := g.name(d.Kind)
		if g.r.IntN(4) == 0 {
			to = g.odd(g.decl(tx.View()).Name)
		}
		at := int(d.NameAt.Start - d.Full.Start)
		end := int(d.NameAt.End - d.Full.Start)
		if nameAt < 0 || d.Kind == xref.Test {
			break
		}
		src = d.Bare()[:at] + to + d.Bare()[end:]
		x.name[d.ID] = to
		if d.Kind == xref.Method {
			x.renames(d.Name, to)
		}
		x.modest = false
	case 5: // something is missing
		at := g.r.IntN(len(src))
		src = src[:at] + src[min(len(src), at+1+g.r.IntN(12)):]
		free = true
	case 6:
		src, _ = g.part()
		free = true
	case 7:
		src = pick(g.r, []string{"", "// nothing", "fn f() {\n}\n\nfn g() {\n}", "x", src + "\n" + src, src + " // " + "Remark.", g.comment() + "\n" + src})
		free = true
	}
	g.note("replace %s by %q", d.Key, src)
	now, err := tx.Replace(d, src)
	if err != nil {
		return err
	}
	if now.ID != d.ID {
		g.fail("%s has another id", now.Key)
	}
	if free {
		x.free[d.ID] = true
		x.name[d.ID] = now.Name
		if d.Kind == xref.Method {
			x.renames(d.Name, now.Name)
		}
	}
	x.lost = append(x.lost, comments(parsed("x.pluto", d.Source()))...)
	x.gained = append(x.gained, comments(parsed("x.pluto", src))...)
	x.sound = x.sound && sound
	x.modest = x.modest && sound
	return nil
}

func (g *game) rename(tx *pluto.Tx, x *expect) error {
	v := tx.View()
	d := g.decl(v)
	to := g.name(d.Kind)
	if g.r.IntN(3) == 0 {
		to = g.odd(g.decl(v).Name)
	}
	fileOnly := !g.quiet && g.r.IntN(10) == 0
	if g.quiet && (d.Name == "main" || d.Kind == xref.Error || d.Kind == xref.Field && d.Parent.Kind == xref.Error) {
		return refusal("it can be seen")
	}
	g.note("rename %s to %s %v", d.Key, to, fileOnly)
	now, err := tx.Rename(d, to, fileOnly)
	if err != nil {
		return err
	}
	if now.ID != d.ID || now.Name != to {
		g.fail("it is %s", now.Key)
	}
	x.name[d.ID] = to
	if d.Kind == xref.Method {
		x.renames(d.Name, to)
	}
	if fileOnly {
		x.modest = false
	}
	if d.Name == "main" || to == "main" {
		x.sound, x.modest = false, false
	}
	return nil
}

// refusal is an operation that the game does not want.
type refusal string

func (r refusal) Error() string { return string(r) }

func (g *game) delete(tx *pluto.Tx, x *expect) error {
	v := tx.View()
	d := g.decl(v)
	if g.r.IntN(3) > 0 { // what nothing uses is rare
		for range 10 {
			if uses, err := v.Uses(ctx, d); err == nil && len(uses) == 0 && d.Kind != xref.Param {
				break
			}
			d = g.decl(v)
		}
	}
	g.note("delete %s", d.Key)
	gone, err := tx.Delete(d)
	if err != nil {
		return err
	}
	if gone.Source != d.Source() {
		g.fail("it takes away %q, want %q", gone.Source, d.Source())
	}
	if _, err := tx.View().Lookup(d.ID); pluto.CodeOf(err) != pluto.NotFound {
		g.fail("it is still there: %v", err)
	}
	for c := range family(d) {
		x.gone[c.ID] = true
	}
	x.lost = append(x.lost, comments(parsed("x.pluto", d.Source()))...)
	x.single = d
	if d.Name == "main" {
		x.sound = false
	}
	if len(gone.Dangling) > 0 {
		x.modest = false
	}
	return nil
}

func (g *game) move(tx *pluto.Tx, x *expect) error {
	v := tx.View()
	d := g.decl(v)
	if d.Parent != nil && g.r.IntN(8) > 0 {
		for d.Parent != nil {
			d = d.Parent
		}
	}
	m := g.module(v)
	name, at := m.Path, g.spot(m.Decls)
	if g.r.IntN(4) == 0 {
		name, at = g.path(m.Path), pluto.Spot{}
	}
	g.note("move %s to %s at %s", d.Key, name, spotted(at))
	_, err := v.Module(name)
	fresh := err != nil
	now, err := tx.Move(d, name, at)
	if err != nil {
		return err
	}
	if now.ID != d.ID || now.Name != d.Name {
		g.fail("it is %s", now.Key)
	}
	x.module[d.ID] = now.Module.ID
	if fresh {
		x.added[now.Module.ID] = true
	}
	return nil
}

func (g *game) addMethod(tx *pluto.Tx, x *expect) error {
	d := g.decl(tx.View(), xref.Class, xref.Trait, xref.App, xref.Class, xref.Enum)
	if d == nil {
		return refusal("there is none")
	}
	name := g.name(xref.Method)
	if g.r.IntN(6) == 0 && len(d.Members) > 0 {
		name = pick(g.r, d.Members).Name
	}
	src := fmt.Sprintf("fn %s(self, by: int) int {\n    return by %s\n}", name, g.comment())
	sound := true
	if !g.quiet {
		switch g.r.IntN(9) {
		case 0:
			src, sound = fmt.Sprintf("fn %s(self) int", name), d.Kind != xref.Class
		case 1:
			src, sound = src+"\n"+src, false
		case 2:
			src, sound = "count: int", false
		case 3:
			src, sound = src+"\n}\nclass X {", false
		case 4:
			src, sound = fmt.Sprintf("fn %s(by: int) {\n}", name), false
		case 5:
			src = g.comment() + "\n" + strings.ReplaceAll(src, "\n", "\r\n") + "\n"
		}
	}
	at := g.spot(d.Members)
	g.note("add a method to %s at %s: %q", d.Key, spotted(at), src)
	now, err := tx.AddMethod(d, src, at)
	if err != nil {
		return err
	}
	return g.member(now, d, xref.Method, name, src, sound && (d.Kind != xref.Trait || strings.Contains(src, "{")), x)
}

// renames expects that methods of a name can get another one, also those that have got it from
// such a name.
func (x *expect) renames(from, to string) {
	for k, names := range x.family {
		if slices.Contains(names, from) {
			x.family[k] = append(names, to)
		}
	}
	x.family[from] = append(x.family[from], to)
}

// member expects a new member.
func (g *game) member(now, owner *pluto.Decl, kind xref.Kind, name, src string, sound bool, x *expect) error {
	if now.Name != name || now.Kind != kind || now.Parent == nil || now.Parent.ID != owner.ID {
		g.fail("it adds %s", now.Key)
	}
	x.added[now.ID] = true
	x.gained = append(x.gained, comments(parsed("x.pluto", src))...)
	x.sound, x.modest = x.sound && sound, false
	return nil
}

func (g *game) addField(tx *pluto.Tx, x *expect) error {
	d := g.decl(tx.View(), xref.Class, xref.Error, xref.Variant, xref.App)
	if d == nil {
		return refusal("there is none")
	}
	name := g.name(xref.Field)
	if g.r.IntN(6) == 0 {
		name = g.odd(g.decl(tx.View()).Name)
	}
	typ := pick(g.r, []string{"int", "string", "[int]", "Map<string, int>", "fn(int) int", "int?", "Nobody", "", "int, y: int", "int // x", "fn"})
	at, injected := g.spot(d.Members), g.r.IntN(6) == 0
	g.note("add a field %s: %s to %s at %s, %v", name, typ, d.Key, spotted(at), injected)
	now, err := tx.AddField(d, name, typ, injected, at)
	if err != nil {
		return err
	}
	return g.member(now, d, xref.Field, name, "", false, x)
}

func (g *game) addVariant(tx *pluto.Tx, x *expect) error {
	d := g.decl(tx.View(), xref.Enum, xref.Enum, xref.Variant)
	if d == nil {
		return refusal("there is none")
	}
	name := g.name(xref.Variant)
	if g.r.IntN(6) == 0 && len(d.Members) > 0 {
		name = pick(g.r, d.Members).Name
	}
	src := pick(g.r, []string{name, name + " { n: int }", name + " {\n    n: int\n    m: string\n}", "// Another.\n" + name, name + ", X", "fn f() {\n}", "", name + "\n}\nclass X {"})
	at := g.spot(d.Members)
	g.note("add a variant to %s at %s: %q", d.Key, spotted(at), src)
	now, err := tx.AddVariant(d, src, at)
	if err != nil {
		return err
	}
	return g.member(now, d, xref.Variant, name, src, false, x)
}

func (g *game) createModule(tx *pluto.Tx, x *expect) error {
	v := tx.View()
	name := g.path(g.module(v).Path)
	src := &given{sound: true}
	if g.r.IntN(3) > 0 {
		src = g.source(g.decl(v).Name)
	}
	if g.quiet && !src.sound {
		return refusal("it does not check")
	}
	g.note("create %s: %q", name, src.text)
	m, err := tx.CreateModule(name, src.text)
	if err != nil {
		return err
	}
	x.added[m.ID] = true
	x.gained = append(x.gained, src.comments...)
	x.sound, x.modest = x.sound && src.sound, false
	return nil
}

func (g *game) renameModule(tx *pluto.Tx, x *expect) error {
	v := tx.View()
	m := g.module(v)
	to := g.path(g.module(v).Path)
	if g.quiet && (m.Name == "main" || slices.ContainsFunc(m.Decls, func(d *pluto.Decl) bool { return d.Name == "main" || d.Kind == xref.App })) {
		return refusal("it is run, or would be beside what is")
	}
	g.note("rename module %s to %s", m.Path, to)
	now, err := tx.RenameModule(m.Path, to)
	if err != nil {
		return err
	}
	if now.ID != m.ID {
		g.fail("%s has another id", now.Path)
	}
	x.name[m.ID] = now.Self.Name
	return nil
}

func (g *game) deleteModule(tx *pluto.Tx, x *expect) error {
	m := g.module(tx.View())
	g.note("delete module %s", m.Path)
	gone, err := tx.DeleteModule(m.Path)
	if err != nil {
		return err
	}
	if gone.Source != m.Text() {
		g.fail("it takes away %q, want %q", gone.Source, m.Text())
	}
	x.gone[m.ID] = true
	for d := range m.All() {
		x.gone[d.ID] = true
	}
	x.lost = append(x.lost, comments(m.File())...)
	starts := strings.Contains(m.Text(), "fn main") // without it others are programs
	x.modest = x.modest && len(gone.Dangling) == 0 && !starts
	x.sound = x.sound && !starts
	return nil
}

// again plays the same random numbers from a seed on.
func (g *game) again(seed uint64, fresh int, f func()) {
	r := g.r
	g.r, g.fresh = rand.New(rand.NewPCG(seed, 77)), fresh
	f()
	g.r = r
}

// edit makes a transaction of n operations.
func (g *game) edit(n int) {
	before := g.now
	seed, fresh := g.r.Uint64(), g.fresh
	o := pluto.EditOptions{Force: !g.quiet && g.r.IntN(4) == 0}
	if g.o.Staged && g.r.IntN(8) == 0 {
		o.Direct = true
	}
	if !g.o.Staged && !g.quiet && g.r.IntN(40) == 0 {
		o.Staged = true
	}
	g.mixed = g.mixed || o.Direct || o.Staged
	dry := g.r.IntN(4) == 0
	g.say("force %v, direct %v, staged %v:", o.Force, o.Direct, o.Staged)
	head := g.said[len(g.said)-1]
	run := func(o pluto.EditOptions) (c *pluto.Change, x *expect, kinds []string, err error) {
		g.said[len(g.said)-1] = head
		g.again(seed, fresh, func() {
			x = newExpect()
			c, err = g.p.Edit(ctx, o, func(tx *pluto.Tx) error {
				for range n {
					was, mark := tx.View(), x.clone()
					kind, err := g.operate(tx, x)
					kinds = append(kinds, kind)
					if err == nil {
						continue
					}
					x = mark
					if tx.View() != was {
						g.fail("a refused operation changes the view")
					}
					g.note("(%v)", err)
					if n == 1 || g.r.IntN(2) == 0 {
						return err
					}
				}
				return nil
			})
		})
		if n > 1 {
			x.single = nil
		}
		return c, x, kinds, err
	}
	var would *pluto.Change
	var wouldErr error
	if dry {
		o := o
		o.DryRun = true
		would, _, _, wouldErr = run(o)
		g.same(before, "a dry run")
		if wouldErr == nil {
			if got := g.patched(before.files, would.Diff); got != nil {
				want := plains(before.files)
				for _, f := range would.Files {
					if delete(want, f.Path); f.After != nil {
						want[f.Path] = plain(string(f.After))
					}
				}
				g.equal("the diff of a dry run", got, want)
			}
		}
	}
	c, x, kinds, err := run(o)
	for _, k := range kinds {
		if err != nil {
			g.refused[k]++
		} else {
			g.done[k]++
		}
	}
	if dry && (err == nil) != (wouldErr == nil) && !(o.Direct || g.o.Staged) {
		g.fail("it is %v, and a dry run was %v", err, wouldErr)
	}
	if err != nil {
		g.note("- %v", err)
		if _, mine := err.(refusal); !mine && pluto.CodeOf(err) == "" {
			g.fail("an error without a code: %v", err)
		}
		g.same(before, "refused")
		return
	}
	g.now = g.look()
	if would != nil {
		files := func(c *pluto.Change) map[string]string {
			out := map[string]string{}
			for _, f := range c.Files {
				out[f.Path] = plain(string(f.After))
			}
			return out
		}
		g.equal("a dry run", files(would), files(c))
	}
	g.told(before, c)
	g.kept(before, x)
	g.commented(before, x)
	g.judged(before, c, x, true)
	g.record(before, c)
}

// back renames something there and back: the bytes are the same.
func (g *game) back() {
	before := g.now
	d := g.decl(before.v)
	to := g.name(d.Kind)
	g.say("rename there and back %s to %s", d.Key, to)
	if d.Name == "main" {
		return
	}
	var c *pluto.Change
	do := func(id uuid.UUID, to string) error {
		var err error
		before := g.now
		c, err = g.p.Edit(ctx, pluto.EditOptions{}, func(tx *pluto.Tx) error {
			d, err := tx.View().Lookup(id)
			if err == nil {
				_, err = tx.Rename(d, to, false)
			}
			return err
		})
		if err != nil {
			g.same(before, "refused")
			return err
		}
		g.now = g.look()
		g.told(before, c)
		g.record(before, c)
		return nil
	}
	if err := do(d.ID, to); err != nil {
		g.note("- %v", err)
		return
	}
	if err := do(d.ID, d.Name); err != nil {
		g.fail("it does not go back: %v", err)
		return
	}
	g.equal("there and back", plains(g.now.files), plains(before.files))
	g.equal("there and back, bytes", refless(g.now.files), refless(before.files))
	if !equalIDs(g.now, before) {
		g.fail("ids change")
	}
}

func equalIDs(a, b *world) bool {
	x, y := ids(a.v), ids(b.v)
	for id, name := range x {
		if y[id] != name {
			return false
		}
	}
	return len(x) == len(y)
}

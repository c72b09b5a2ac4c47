package pluto_test

import (
	"maps"
	"slices"
	"strings"

	"github.com/google/uuid"

	"github.com/settgraph/sett/compiler/plto"
	"github.com/settgraph/sett/compiler/xref"
	"github.com/settgraph/sett/query"
	"github.com/settgraph/sett/sdk"
	"github.com/settgraph/sett/sdk/pluto"
)

// expect is what a step is to do to declarations.
type expect struct {
	name   map[uuid.UUID]string    // another name
	family map[string][]string     // methods with one name may get another together
	module map[uuid.UUID]uuid.UUID // another module
	added  map[uuid.UUID]bool
	gone   map[uuid.UUID]bool
	free   map[uuid.UUID]bool // who knows about the members
	open   bool               // who knows at all
	lost   []string           // comments that may go
	gained []string           // comments that may come
	sound  bool               // what is without errors stays so
	modest bool               // it refuses to bring errors of its own
	single *pluto.Decl        // of a forced deletion and nothing else: what goes
}

func newExpect() *expect {
	return &expect{
		name: map[uuid.UUID]string{}, family: map[string][]string{}, module: map[uuid.UUID]uuid.UUID{}, added: map[uuid.UUID]bool{},
		gone: map[uuid.UUID]bool{}, free: map[uuid.UUID]bool{}, sound: true, modest: true,
	}
}

func (x *expect) clone() *expect {
	y := *x
	y.name, y.family, y.module = maps.Clone(x.name), maps.Clone(x.family), maps.Clone(x.module)
	for k, names := range y.family {
		y.family[k] = slices.Clone(names)
	}
	y.added, y.gone, y.free = maps.Clone(x.added), maps.Clone(x.gone), maps.Clone(x.free)
	return &y
}

// same sees to it that nothing is different.
func (g *game) same(before *world, why string) {
	g.t.Helper()
	after := g.look()
	g.equal(why, after.files, before.files)
	g.equal(why+", on disk", after.disk, before.disk)
	if !maps.Equal(ids(after.v), ids(before.v)) {
		g.fail("%s: ids change", why)
	}
	if after.entries != before.entries {
		g.fail("%s: the history had %d entries and has %d", why, before.entries, after.entries)
	}
	g.now = after
}

// told compares what a change says with what happened since before.
func (g *game) told(before *world, c *pluto.Change) {
	g.t.Helper()
	after := g.now
	said := map[string]pluto.FileChange{}
	for _, f := range c.Files {
		said[f.Path] = f
	}
	names := maps.Clone(before.files)
	maps.Copy(names, after.files)
	for name := range names {
		was, had := before.files[name]
		is, there := after.files[name]
		f, ok := said[name]
		delete(said, name)
		switch {
		case was == is && had == there:
			if ok && (!g.outer || string(f.After) != is) {
				g.fail("%s is said to change", name)
			}
		case !ok:
			g.fail("%s changes from %q to %q, and nobody says so", name, was, is)
		case string(f.Before) != was || string(f.After) != is || (f.Before != nil) != had || (f.After != nil) != there:
			g.fail("%s changes from %q to %q, and not from %q to %q", name, was, is, f.Before, f.After)
		}
	}
	for name, f := range said {
		if !g.outer || f.After != nil { // what another program removed is not there to begin with
			g.fail("%s is said to change and is not there", name)
		}
	}

	added, removed, renamed, modified := map[uuid.UUID]bool{}, map[uuid.UUID]bool{}, map[uuid.UUID]bool{}, map[uuid.UUID]bool{}
	for id, d := range after.decls {
		was := before.decls[id]
		switch o := outer(d); {
		case was == nil:
			if o == nil || before.decls[o.ID] != nil {
				added[id] = true
			}
			continue
		case o == nil && was.Module.Path != d.Module.Path, o != nil && (d.Name != was.Name || o.ID != outer(was).ID):
			renamed[id] = true
		}
		if d.Kind != xref.Module && around(d) != around(was) {
			modified[id] = true
		}
	}
	for id, d := range before.decls {
		if o := outer(d); after.decls[id] == nil && (o == nil || after.decls[o.ID] != nil) {
			removed[id] = true
		}
	}
	for _, l := range []struct {
		what string
		got  []pluto.DeclChange
		want map[uuid.UUID]bool
		in   *world
	}{{"added", c.Added, added, after}, {"removed", c.Removed, removed, before}, {"renamed", c.Renamed, renamed, after}, {"modified", c.Modified, modified, after}} {
		for _, d := range l.got {
			is := l.in.decls[d.ID]
			if is == nil || !l.want[d.ID] {
				g.fail("%s is said to be %s", d.Handle, l.what)
				continue
			}
			if d.Handle != is.Handle() || d.Kind != is.Kind || d.Name != is.Name || d.Module != is.Module.Path {
				g.fail("%s is said to be %s, and is %s %s", d.Handle, l.what, is.Kind, is.Handle())
			}
			if l.what == "renamed" && d.Was != before.decls[d.ID].Handle() {
				g.fail("%s was %s, not %s", d.Handle, before.decls[d.ID].Handle(), d.Was)
			}
			delete(l.want, d.ID)
		}
		for id := range l.want {
			g.fail("%s is %s, and nobody says so", l.in.decls[id].Handle(), l.what)
		}
	}
}

func outer(d *pluto.Decl) *pluto.Decl {
	switch {
	case d.Kind == xref.Module:
		return nil
	case d.Parent != nil:
		return d.Parent
	}
	return d.Module.Self
}

// around is the text of a declaration but for its name.
func around(d *pluto.Decl) string {
	text := d.Module.Text()
	return text[d.WithDoc.Start:d.NameAt.Start] + "\x00" + text[d.NameAt.End:d.WithDoc.End]
}

// kept sees to it that all declarations are who they were, but for what was to be.
func (g *game) kept(before *world, x *expect) {
	g.t.Helper()
	if x.open {
		return
	}
	after := g.now
	among := func(d *pluto.Decl, set map[uuid.UUID]bool) bool {
		for ; d != nil; d = outer(d) {
			if set[d.ID] {
				return true
			}
		}
		return false
	}
	for id, was := range before.decls {
		is := after.decls[id]
		switch {
		case x.gone[id]:
			if is != nil {
				g.fail("%s is still there, as %s", was.Key, is.Key)
			}
			continue
		case among(outer(was), x.free) && is == nil:
			continue
		case is == nil:
			g.fail("the id of %s is lost", was.Key)
			continue
		case is.Kind != was.Kind:
			g.fail("%s is %s", was.Key, is.Key)
		}
		name := was.Name
		if to, ok := x.name[id]; ok {
			name = to
		} else if slices.Contains(x.family[name], is.Name) && was.Kind == xref.Method {
			name = is.Name
		}
		if is.Name != name {
			g.fail("%s is called %s, want %s", was.Key, is.Name, name)
		}
		if o, was := outer(is), outer(was); o != nil {
			want := was.ID
			if to, ok := x.module[id]; ok {
				want = to
			}
			if o.ID != want {
				g.fail("%s is in %s", is.Key, o.Key)
			}
		}
	}
	for id, d := range after.decls {
		if before.decls[id] == nil && !among(d, x.added) && !among(outer(d), x.free) {
			g.fail("%s has a new id", d.Key)
		}
	}
}

// commented sees to it that no comment is lost and none invented.
func (g *game) commented(before *world, x *expect) {
	g.t.Helper()
	least, most := maps.Clone(before.comments), maps.Clone(before.comments)
	for _, c := range x.lost {
		least[c]--
	}
	for _, c := range x.gained {
		most[c]++
	}
	for c, n := range least {
		if g.now.comments[c] < n {
			g.fail("the comment %q was there %d times and is %d times", c, before.comments[c], g.now.comments[c])
		}
	}
	for c, n := range g.now.comments {
		if n > most[c] {
			g.fail("the comment %q was there %d times and is %d times", c, before.comments[c], n)
		}
	}
}

// judged sees to it that the compiler says what the change promised.
func (g *game) judged(before *world, c *pluto.Change, x *expect, checked bool) {
	g.t.Helper()
	clean := len(before.errors) == 0
	if clean && x.sound && len(c.Dangling) == 0 && len(g.now.errors) > 0 {
		g.fail("the project does not check any more: %v", slices.Sorted(maps.Keys(g.now.errors)))
	}
	if !clean && x.modest && len(c.Dangling) == 0 && total(g.now.errors) > total(before.errors) {
		g.fail("the project has new errors: %v, before %v", slices.Sorted(maps.Keys(g.now.errors)), slices.Sorted(maps.Keys(before.errors)))
	}
	if len(c.Dangling) > 0 && clean && len(g.now.errors) == 0 && !slices.ContainsFunc(c.Dangling, unchecked) {
		g.fail("%d uses dangle, such as %+v, and the project checks", len(c.Dangling), c.Dangling[0].At)
	}
	if x.single != nil && len(c.Dangling) > 0 {
		want := map[pluto.Place]bool{}
		for d := range family(x.single) {
			for _, u := range g.uses(before, d) {
				if u.Module != x.single.Module || u.At.Start < x.single.Place().Start || u.At.End > x.single.Place().End {
					want[u.At] = true
				}
			}
		}
		for _, u := range c.Dangling {
			if !want[u.At] && len(want) > 0 {
				g.fail("%+v dangles, and is no use of %s", u.At, x.single.Key)
			}
			delete(want, u.At)
		}
		for at := range want {
			g.fail("%+v is a use of %s, and nobody says that it dangles", at, x.single.Key)
		}
	}
	if !checked {
		return
	}
	said := counted(c.Diags)
	for text, n := range g.now.errors {
		if had := before.errors[text]; n > had && said[text] < n {
			g.fail("nobody says %q; said: %v", text, slices.Sorted(maps.Keys(said)))
		}
	}
	for text, n := range said {
		if g.now.errors[text] < n {
			g.fail("the change says %q, and it is not so", text)
		}
	}
}

// unchecked says whether a use is in something that is only checked for those who use it.
func unchecked(u pluto.Use) bool {
	d := u.Owner
	for d != nil && d.Parent != nil {
		d = d.Parent
	}
	return d != nil && (d.Kind == xref.Trait || strings.Contains(d.Bare(), "<T"))
}

func total(m map[string]int) int {
	n := 0
	for _, k := range m {
		n += k
	}
	return n
}

func family(d *pluto.Decl) func(func(*pluto.Decl) bool) {
	return func(yield func(*pluto.Decl) bool) {
		if !yield(d) {
			return
		}
		for _, m := range d.Members {
			for c := range family(m) {
				if !yield(c) {
					return
				}
			}
		}
	}
}

func (g *game) uses(w *world, d *pluto.Decl) []pluto.Use {
	g.t.Helper()
	out, err := w.v.Uses(ctx, d)
	if err != nil {
		g.fail("%v", err)
	}
	return out
}

// afresh compares the project with one that somebody opens now, and with the graph.
func (g *game) afresh(graph bool) {
	g.t.Helper()
	if len(g.p.Dirty()) > 0 {
		return
	}
	p, err := pluto.Open(g.root, pluto.Options{ReadOnly: true})
	if err != nil {
		g.fail("%v", err)
		return
	}
	defer p.Close()
	v, err := p.View(ctx)
	if err != nil {
		g.fail("%v", err)
		return
	}
	now, then := ids(g.now.v), ids(v)
	for id, name := range now {
		if then[id] != name {
			g.fail("%s has the id %s, which after a restart is of %q", name, id, then[id])
		}
	}
	if errors := g.errors(v); !maps.Equal(errors, g.now.errors) {
		g.fail("the compiler says %v, after a restart %v", g.now.errors, errors)
	}
	if !graph {
		return
	}
	s, err := sdk.Open(g.root, sdk.Options{})
	if err != nil {
		g.fail("%v", err)
		return
	}
	defer s.Close()
	snap, _, err := s.Snapshot(ctx)
	if err != nil {
		g.fail("%v", err)
		return
	}
	nodes := map[string]bool{}
	for _, f := range snap.Files() {
		nodes[query.UUID(snap, f.Node)] = true
		for _, id := range snap.InFile(f.ID) {
			nodes[query.UUID(snap, id)] = true
		}
	}
	for id, d := range g.now.decls {
		if !nodes[id.String()] && d.Kind != xref.Param {
			g.fail("%s has the id %s, which the graph does not know", d.Key, id)
		}
	}
}

// patched applies a unified diff to texts.
func (g *game) patched(files map[string]string, diff string) map[string]string {
	g.t.Helper()
	out := map[string]string{}
	for name, data := range files {
		out[name] = plain(data)
	}
	var from, to string
	var old, now []string
	flush := func() {
		if from == "" {
			return
		}
		now = append(now, old...)
		delete(out, strings.TrimPrefix(from, "a/"))
		if to != "/dev/null" {
			out[strings.TrimPrefix(to, "b/")] = strings.Join(now, "")
		}
		from = ""
	}
	at := 0
	lines := strings.SplitAfter(diff, "\n")
	for i := 0; i < len(lines); i++ {
		line := lines[i]
		switch {
		case strings.HasPrefix(line, "Binary files "):
		case strings.HasPrefix(line, "diff --git "): // an empty file
			flush()
			name := strings.TrimSpace(line[strings.LastIndex(line, " b/")+3:])
			if i++; strings.HasPrefix(lines[i], "new file") {
				out[name] = ""
			} else {
				delete(out, name)
			}
		case strings.HasPrefix(line, "--- ") && i+1 < len(lines) && strings.HasPrefix(lines[i+1], "+++ "):
			flush()
			from, to = strings.TrimRight(line[4:], "\t\n"), strings.TrimRight(lines[i+1][4:], "\t\n")
			old, now, at = split(out[strings.TrimPrefix(from, "a/")]), nil, 0
			i++
		case strings.HasPrefix(line, "@@ "):
			var start int
			head := strings.Fields(line)[1]
			for _, c := range strings.Split(strings.TrimPrefix(head, "-"), ",")[0] {
				start = start*10 + int(c-'0')
			}
			if !strings.HasSuffix(head, ",0") {
				start--
			}
			for at < start {
				now, old = append(now, old[0]), old[1:]
				at++
			}
		case line == "":
		default:
			text := line[1:]
			if i+1 < len(lines) && strings.HasPrefix(lines[i+1], "\\ No newline") {
				text = strings.TrimSuffix(text, "\n")
				i++
			}
			if line[0] != '+' {
				if len(old) == 0 || old[0] != text {
					g.fail("the diff does not apply: %q at line %d of %s", line, at+1, from)
					return nil
				}
				old = old[1:]
				at++
			}
			if line[0] != '-' {
				now = append(now, text)
			}
		}
	}
	flush()
	return out
}

func split(text string) []string {
	if text == "" {
		return nil
	}
	out := strings.SplitAfter(text, "\n")
	if out[len(out)-1] == "" {
		out = out[:len(out)-1]
	}
	return out
}

// plain is the text of a file in either form.
func plain(data string) string {
	if plto.Is([]byte(data)) {
		if text, err := plto.Text([]byte(data)); err == nil {
			return text
		}
	}
	return data
}

func plains(files map[string]string) map[string]string {
	out := map[string]string{}
	for name, data := range files {
		out[name] = plain(data)
	}
	return out
}

// refless are files of which those in binary form do not say what other modules declare: that
// is brought up to date whenever they are written.
func refless(files map[string]string) map[string]string {
	out := maps.Clone(files)
	for name, data := range files {
		if f, err := plto.Decode([]byte(data)); plto.Is([]byte(data)) && err == nil {
			f.Refs = nil
			if data, err := f.Encode(); err == nil {
				out[name] = string(data)
			}
		}
	}
	return out
}

func contains(list []string, s string) bool { return slices.Contains(list, s) }

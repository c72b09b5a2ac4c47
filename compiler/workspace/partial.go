package workspace

import (
	"context"
	"crypto/sha256"
	"fmt"
	"maps"
	"slices"

	"github.com/settgraph/sett/compiler/diag"
	"github.com/settgraph/sett/compiler/load"
)

// Checking by interfaces. When only bodies of modules changed that a program imports, the
// program is not checked if another one that was can answer for it. This is so when
//
//   - the program is made of the same modules, nothing of it was or is in doubt (no errors of
//     syntax or imports), and the changed files, of which none is of its own namespace, had
//     no errors;
//   - what other modules can see of the text of the changed files is as it was;
//   - the two programs said the same before, about the changed files and about everything
//     that these import: what they now mention means the same in both, the errors that
//     methods of traits can raise too. When a changed file waits for tasks, both declare the
//     same errors besides;
//   - checking the other program said of the changed files that they have no errors and that
//     their functions can raise what they could, and of all other files what it said before.
//     So the change is not felt beyond the changed files, not even by generic declarations
//     that they use with new types.
//
// Then the program's result is the old one, but for the changed files, of which the other
// program's is taken. Results name declarations by keys, so that what moved within a changed
// file leaves the rest as it is; diagnostics and facts of the program that do point into a
// changed file make it be checked.

// class is programs that a change does to the same.
type class struct {
	delta   map[string]bool // the changed files
	members []int
}

// hidden says which files of a program changed, when it may be that this cannot be seen
// outside of them, and names the class of the program; nil when the program must be checked.
func (c *checking) hidden(p *program, old *result) (delta map[string]bool, name string) {
	l := p.load
	if old == nil || old.shape != l.shape || !l.clean || !old.clean {
		return nil, ""
	}
	delta = map[string]bool{}
	asks := false
	for file, sum := range l.sums {
		if old.sums[file] == sum {
			continue
		}
		now, before := c.s.byPath[file], old.modules[file]
		if now == nil || before == nil || slices.Contains(p.group.Files, file) {
			return nil, ""
		}
		a, b := now.visible(), before.visible()
		if a.sum != b.sum {
			return nil, ""
		}
		if slices.ContainsFunc(old.diags, func(d *diag.Diagnostic) bool { return d.Severity == diag.Error && fileName(d) == file }) {
			return nil, ""
		}
		asks = asks || a.asks
		delta[file] = true
	}
	h, was := sha256.New(), old.details()
	for _, f := range slices.Sorted(maps.Keys(delta)) {
		fmt.Fprintf(h, "%q\n", f)
	}
	for _, mod := range below(l.project, delta) {
		fmt.Fprintf(h, "module %q\n", mod.Name)
		for _, f := range mod.Files {
			fmt.Fprintf(h, "%q %p\n", f.Src.Name, was.files[f.Src.Name])
		}
	}
	if asks {
		h.Write(was.errors[:])
	}
	return delta, string(h.Sum(nil))
}

// below lists the modules of files and everything that they import.
func below(p *load.Project, files map[string]bool) []*load.Module {
	in := map[*load.Module]bool{}
	for _, mod := range slices.Backward(p.Modules) { // those that import come after what they import
		for _, f := range mod.Files {
			if files[f.Src.Name] {
				in[mod] = true
			}
		}
		if in[mod] {
			for _, to := range mod.Imports {
				in[to] = true
			}
		}
	}
	return slices.DeleteFunc(slices.Clone(p.Modules), func(mod *load.Module) bool { return !in[mod] })
}

// represent checks one program of each class, and the others too where that does not answer
// for them.
func (c *checking) represent(ctx context.Context, classes []*class) error {
	var leaders []int
	for _, cl := range classes {
		leaders = append(leaders, cl.members[0])
	}
	if err := c.check(ctx, leaders); err != nil {
		return err
	}
	var rest []int
	for _, cl := range classes {
		first := cl.members[0]
		before, now := c.s.base[c.s.groups[first].identity()], c.results[first]
		contained := len(cl.members) > 1 && unfelt(before.details(), now.details(), cl.delta)
		for _, i := range cl.members[1:] {
			p := c.s.programs[i]
			old := c.s.base[p.group.identity()]
			if !contained || old.pointsInto(cl.delta) {
				rest = append(rest, i)
				continue
			}
			c.results[i] = old.with(c.s, p, now, cl.delta)
		}
	}
	return c.check(ctx, rest)
}

// unfelt says whether a program says the same as before about all files but the changed
// ones, and about the interface of those.
func unfelt(before, now *details, delta map[string]bool) bool {
	if before.errors != now.errors || !slices.Equal(before.di, now.di) {
		return false
	}
	for name := range before.files {
		if now.files[name] == nil && !delta[name] {
			return false
		}
	}
	for name, f := range now.files {
		old := before.files[name]
		switch {
		case !delta[name]:
			if f != old {
				return false
			}
		case hasError(f.diags):
			return false
		case old == nil || !sameInterface(old.facts, f.facts):
			return false
		}
	}
	return true
}

// sameInterface says whether the facts are the same but for why functions raise what they do.
func sameInterface(a, b fileFacts) bool {
	h, g := sha256.New(), sha256.New()
	a.writeErrors(h)
	b.writeErrors(g)
	return [32]byte(h.Sum(nil)) == [32]byte(g.Sum(nil)) && slices.EqualFunc(a, b, func(x, y fact) bool {
		x.sig, y.sig = nil, nil
		return x.equal(y)
	})
}

// pointsInto says whether what is said of other files has places in the changed ones.
func (r *result) pointsInto(delta map[string]bool) bool {
	for name, f := range r.details().files {
		if delta[name] {
			continue
		}
		for _, d := range f.diags {
			if slices.ContainsFunc(d.Notes, func(n diag.Note) bool { return n.File != nil && delta[n.File.Name] }) {
				return true
			}
		}
		if f.facts.points(delta) {
			return true
		}
	}
	return false
}

// with is the result with what another says of the changed files.
func (r *result) with(s *State, p *program, now *result, delta map[string]bool) *result {
	out := &result{loaded: p.load, modules: s.modulesOf(p.group), represented: true}
	for _, d := range r.diags {
		if !delta[fileName(d)] {
			out.diags = append(out.diags, d)
		}
	}
	for _, d := range now.diags {
		if delta[fileName(d)] {
			out.diags = append(out.diags, d)
		}
	}
	sortDiags(out.diags)
	was := r.details()
	files := maps.Clone(was.files)
	for name := range delta {
		if f := now.details().files[name]; f != nil {
			files[name] = f
		} else {
			delete(files, name)
		}
	}
	d := &details{files, was.di, was.errors}
	out.details = func() *details { return d }
	return out
}

package refactor

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/settgraph/sett/compiler/diag"
	"github.com/settgraph/sett/compiler/source"
	"github.com/settgraph/sett/compiler/workspace"
	"github.com/settgraph/sett/compiler/xref"
)

// verify makes sure that a rename changed names and nothing else.
func (d *draft) verify(before *workspace.Checked, r *renaming) error {
	if r.only != "" {
		for _, m := range r.family {
			for _, site := range before.UsesOf(m.Key) {
				if site.File != r.only {
					d.plan.Dangling = append(d.plan.Dangling, site)
				}
			}
		}
		if sortSites(d.plan.Dangling); len(d.plan.Dangling) > 0 {
			return nil // what is said to break breaks
		}
	}
	v := &verification{d: d, before: before}
	return v.run()
}

// verification compares what names mean before and after a plan.
type verification struct {
	d             *draft
	before, after *workspace.Checked
	state         *workspace.State // that the plan leads to
	old           []region         // whose text went or was replaced; what it uses is not compared
	modules       bool             // imports and qualifiers are meant to change
}

// region is a span of a file.
type region struct {
	file string
	at   source.Span
}

func (r region) has(file string, at source.Span) bool {
	return file == r.file && r.at.Start <= at.Start && at.End <= r.at.End
}

// run refuses the plan when the project has errors that it had not, or when a name that the
// plan does not concern means something else.
func (v *verification) run() error {
	if err := v.look(); err != nil {
		return err
	}
	if one := v.fresh(); one != nil {
		return found(Conflict, "the project would not check any more: ", one)
	}
	return v.compare()
}

// look checks what the plan leads to.
func (v *verification) look() error {
	var err error
	if v.state, err = v.d.plan.After(v.d.ctx, v.d.s); err != nil {
		return err
	}
	v.d.plan.made, v.d.plan.next = v.d.s, v.state
	v.after, err = v.state.Checked(v.d.ctx)
	return err
}

// fresh is an error that the plan brings, or nil. Errors are counted by file and code, as
// messages may name what was renamed.
func (v *verification) fresh() *diag.Diagnostic {
	type kind struct {
		file string
		code diag.Code
	}
	of := func(d *diag.Diagnostic) kind {
		if d.File == nil {
			return kind{"", d.Code}
		}
		return kind{v.d.plan.pathAfter(d.File.Name), d.Code}
	}
	had := map[kind]int{}
	for _, one := range v.before.Diags("") {
		had[of(one)]++
	}
	for _, one := range v.after.Diags("") {
		if had[of(one)]--; had[of(one)] < 0 && one.Severity == diag.Error {
			return one
		}
	}
	return nil
}

// meaning is what a name at a place is.
type meaning struct {
	file   string
	start  int32
	target xref.Key
}

// compare refuses the plan when a name means something else than before, or nothing.
func (v *verification) compare() error {
	p := v.d.plan
	c := comparison{was: map[meaning]xref.Site{}, now: map[meaning]xref.Site{}}
	for _, m := range v.d.s.Modules() {
		to := p.pathAfter(m.Path)
		before, after := v.before.Sites(m.Path), v.after.Sites(to)
		edits, except := v.d.edits[m.Path], v.inserted(m.Path)
		whole := len(except) == 0 && !slices.ContainsFunc(v.old, func(r region) bool { return r.file == m.Path })
		if whole && v.unchanged(edits, before, after) {
			continue
		}
		for _, site := range before {
			if start, ok := shifted(edits, site.At.Start); ok && !v.passes(v.old, m.Path, site) {
				c.was[meaning{to, start, v.target(site)}] = site
			}
		}
		v.add(&c, to, after, except)
	}
	for path := range p.Create {
		v.add(&c, path, v.after.Sites(path), v.inserted(path))
	}
	return c.judge(v.d)
}

// add adds the sites of a file after the plan, without those in spans of it.
func (v *verification) add(c *comparison, path string, sites []xref.Site, except []region) {
	for _, site := range sites {
		if !v.passes(except, path, site) {
			c.now[meaning{path, site.At.Start, site.Target}] = site
		}
	}
}

// target is the key that the target of a site has after the plan.
func (v *verification) target(site xref.Site) xref.Key {
	if now, ok := v.d.plan.Moved[site.Target]; ok {
		return now
	}
	return site.Target
}

// unchanged says whether the names in a file mean what they did, one after the other.
func (v *verification) unchanged(edits []change, before, after []xref.Site) bool {
	if len(before) != len(after) {
		return false
	}
	for i := range before {
		start, ok := shifted(edits, before[i].At.Start)
		if !ok || after[i].At.Start != start || after[i].Target != v.target(before[i]) {
			return false
		}
	}
	return true
}

// comparison is what names mean before and after.
type comparison struct{ was, now map[meaning]xref.Site }

// judge says what is different.
func (c *comparison) judge(d *draft) error {
	lost, gained := missingIn(c.was, c.now), missingIn(c.now, c.was)
	switch {
	case len(lost) > 0:
		site := c.was[lost[0]]
		text := fmt.Sprintf("a use of %s would mean something else", describe(site.Target))
		for _, g := range gained {
			if g.file == lost[0].file && g.start == lost[0].start {
				text = fmt.Sprintf("a use of %s would mean %s", describe(site.Target), describe(g.target))
			}
		}
		return refuse(Conflict, "%s", text).at(d.s.Module(site.File).File.Src, site.At.Start)
	case len(gained) > 0:
		e := refuse(Conflict, "something else would mean %s", describe(gained[0].target))
		for _, m := range d.s.Modules() {
			if d.plan.pathAfter(m.Path) == gained[0].file {
				e.at(m.File.Src, unshifted(d.edits[m.Path], gained[0].start))
			}
		}
		return e
	}
	return nil
}

// missingIn are the meanings that only the first map has, in order.
func missingIn(a, b map[meaning]xref.Site) []meaning {
	var out []meaning
	for k := range a {
		if _, ok := b[k]; !ok {
			out = append(out, k)
		}
	}
	slices.SortFunc(out, func(a, b meaning) int {
		return cmp.Or(cmp.Compare(a.file, b.file), cmp.Compare(a.start, b.start), cmp.Compare(a.target.String(), b.target.String()))
	})
	return out
}

// passes says whether a site is not compared.
func (v *verification) passes(regions []region, path string, site xref.Site) bool {
	if v.modules && (site.Use == xref.Import || site.Use == xref.ModuleRef) {
		return true
	}
	return slices.ContainsFunc(regions, func(r region) bool { return r.has(path, site.At) })
}

// inserted are the spans of new text that carries a declaration.
func (v *verification) inserted(path string) []region {
	var out []region
	shift := int32(0)
	for _, c := range v.d.edits[path] {
		start := c.At.Start + shift
		shift += int32(len(c.New)) - (c.At.End - c.At.Start)
		if c.from != nil {
			out = append(out, region{v.d.plan.pathAfter(path), source.Span{Start: start, End: start + int32(len(c.New))}})
		}
	}
	return out
}

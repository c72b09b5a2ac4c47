package xref

import (
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"
	"testing"

	"github.com/settgraph/sett/compiler/check"
	"github.com/settgraph/sett/compiler/internal/plutoeval"
	"github.com/settgraph/sett/compiler/source"
)

// TestRename holds the law of renaming: a declaration that gets another name, together with
// all sites of it, leaves a program that checks as before and has as many sites, those in
// bodies that nothing checks too.
func TestRename(t *testing.T) {
	renamed, ran := 0, 0
	for _, prog := range programs(t) {
		p := prog.check()
		if p.Diags.Errors() > 0 {
			continue
		}
		r := newRenamer(p)
		for _, group := range r.groups() {
			fresh := freshName(group[0])
			after := prog.with(r.rename(group, fresh)).check()
			if after.Diags.Errors() > 0 || len(after.Diags.Sorted()) != len(p.Diags.Sorted()) || len(Sites(after)) != r.total {
				t.Errorf("%s: %s as %s:\n%s", prog.name, group[0].Key, fresh, messages(after))
			}
			renamed++
			if prog.stdout == nil || renamed%sampled != 0 || after.Diags.Errors() > 0 {
				continue
			}
			want, got := plutoeval.Run(p), plutoeval.Run(after)
			if want.Unknown != "" || got.Unknown != "" {
				continue
			}
			ran++
			if out := strings.ReplaceAll(got.Stdout, fresh, group[0].Name); out != want.Stdout || got.Code != want.Code {
				t.Errorf("%s: %s as %s prints\n%s(%d) instead of\n%s(%d)", prog.name, group[0].Key, fresh, out, got.Code, want.Stdout, want.Code)
			}
		}
	}
	if renamed < 6000 || ran < 3000/sampled {
		t.Errorf("only %d names were changed, %d programs run", renamed, ran)
	}
	t.Logf("%d names were changed, %d programs run", renamed, ran)
}

// sampled is of how many programs one is run with another name.
const sampled = 5

func freshName(d *Decl) string {
	if d.Kind == Class {
		return "ZzFresh"
	}
	return "zz_fresh"
}

// renamer rewrites the names of declarations in the texts of a program.
type renamer struct {
	p     *check.Program
	decls []*Decl
	sites map[Key][]Site
	same  map[Key]Key // of declarations that have to have one name, another of them
	texts map[string]*source.File
	total int
}

func newRenamer(p *check.Program) *renamer {
	r := &renamer{p: p, sites: map[Key][]Site{}, same: map[Key]Key{}, texts: texts(p)}
	all := Sites(p)
	r.total = len(all)
	for i, s := range all {
		r.sites[s.Target] = append(r.sites[s.Target], s)
		if i > 0 && s.File == all[i-1].File && s.At == all[i-1].At {
			r.join(s.Target, all[i-1].Target)
		}
	}
	for m, of := range FactsOf(p).Implements {
		for _, k := range of {
			r.join(m, k)
		}
	}
	seen := map[string]bool{}
	for _, m := range p.Project.Modules {
		for _, f := range m.Files {
			if !m.Std && !seen[f.Src.Name] {
				seen[f.Src.Name] = true
				r.decls = slices.AppendSeq(r.decls, All(Decls(f)))
			}
		}
	}
	return r
}

func (r *renamer) first(k Key) Key {
	for {
		next, ok := r.same[k]
		if !ok {
			return k
		}
		k = next
	}
}

func (r *renamer) join(a, b Key) {
	if a, b = r.first(a), r.first(b); a != b {
		r.same[a] = b
	}
}

// groups are the declarations that can have another name, together with those that must have
// the same one.
func (r *renamer) groups() [][]*Decl {
	byFirst := map[Key][]*Decl{}
	var order []Key
	for _, d := range r.decls {
		k := r.first(d.Key)
		if len(byFirst[k]) == 0 {
			order = append(order, k)
		}
		byFirst[k] = append(byFirst[k], d)
	}
	var out [][]*Decl
	for _, k := range order {
		if !slices.ContainsFunc(byFirst[k], r.fixed) {
			out = append(out, byFirst[k])
		}
	}
	return out
}

// fixed says whether a name has a meaning of its own.
func (r *renamer) fixed(d *Decl) bool {
	switch d.Kind {
	case Test:
		return true
	case Error:
		return predeclared(d.Name)
	case Field:
		return d.Parent.Kind == Error && predeclared(d.Parent.Name)
	}
	return d.Name == "main" && (d.Kind == Function || d.Parent != nil && d.Parent.Kind == App)
}

// rename gives declarations a name, and returns the texts that this changes.
func (r *renamer) rename(group []*Decl, to string) map[string]string {
	edits := &edits{texts: r.texts}
	for _, d := range group {
		edits.add(d.Key.File, d.NameAt, to)
		for _, s := range r.sites[d.Key] {
			text := to
			switch {
			case s.Shorthand:
				text = to + ": " + r.texts[s.File].Text[s.At.Start:s.At.End]
			case s.Ambient:
				text = strings.ToLower(to[:1]) + to[1:]
			}
			edits.add(s.File, s.At, text)
		}
	}
	return edits.apply()
}

// edits are pieces of texts and what takes their place.
type edits struct {
	texts  map[string]*source.File
	byFile map[string][]edit
}

type edit struct {
	at   source.Span
	text string
}

func (e *edits) add(file string, at source.Span, text string) {
	if e.byFile == nil {
		e.byFile = map[string][]edit{}
	}
	if one := (edit{at, text}); !slices.Contains(e.byFile[file], one) {
		e.byFile[file] = append(e.byFile[file], one)
	}
}

func (e *edits) apply() map[string]string {
	out := map[string]string{}
	for file, es := range e.byFile {
		slices.SortFunc(es, func(a, b edit) int { return int(a.at.Start - b.at.Start) })
		text := e.texts[file].Text
		var b strings.Builder
		last := int32(0)
		for _, e := range es {
			if e.at.Start < last {
				panic(fmt.Sprintf("edits of %s overlap at %d", file, e.at.Start))
			}
			b.WriteString(text[last:e.at.Start] + e.text)
			last = e.at.End
		}
		out[file] = b.String() + text[last:]
	}
	return out
}

// TestRenameModule gives the files and folders that are modules other names.
func TestRenameModule(t *testing.T) {
	renamed := 0
	for _, prog := range programs(t) {
		p := prog.check()
		manifest := slices.ContainsFunc(slices.Collect(maps.Keys(prog.files)), func(name string) bool { return path.Base(name) == "pluto.toml" })
		if manifest || p.Diags.Errors() > 0 {
			continue // dependencies go by the names in manifests
		}
		r := newRenamer(p)
		for _, m := range p.Project.Modules {
			key := moduleKey(m)
			if m.Std || m == p.Project.Root || key.File == "." {
				continue
			}
			edits := &edits{texts: r.texts}
			for _, s := range r.sites[key] {
				if s.Use == Import || !s.Alias {
					edits.add(s.File, s.At, "zz_fresh")
				}
			}
			after := prog.with(edits.apply())
			dir, base := path.Split(key.File)
			for name, text := range after.files {
				rest, inside := strings.CutPrefix(name, key.File)
				if inside && (rest == "" || rest[0] == '/') {
					delete(after.files, name)
					after.files[dir+"zz_fresh"+map[bool]string{false: path.Ext(base)}[m.Folder]+rest] = text
				}
			}
			if q := after.check(); q.Diags.Errors() > 0 || len(Sites(q)) != r.total {
				t.Errorf("%s: %s:\n%s%v", prog.name, key, messages(q), after.files)
			}
			renamed++
		}
	}
	if renamed < 60 {
		t.Errorf("only %d modules were renamed", renamed)
	}
	t.Logf("%d modules were renamed", renamed)
}

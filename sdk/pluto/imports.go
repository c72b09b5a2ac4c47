package pluto

import (
	"path"
	"slices"
	"strings"

	"github.com/settgraph/sett/compiler/syntax"
)

// Dependencies lists what each module imports, in order of the modules. An import of a folder
// is one of all modules in it. It needs no check, so it is right for broken programs too.
func (v *View) Dependencies() []Dependency {
	folders := map[string][]*Module{}
	for _, m := range v.modules {
		dir := path.Dir(m.Path)
		folders[dir] = append(folders[dir], m)
	}
	out := make([]Dependency, 0, len(v.modules))
	for _, m := range v.modules {
		d := Dependency{Module: m}
		for _, imp := range m.file.Imports {
			to := v.imported(m, imp, folders)
			if len(to) == 0 {
				d.Outside = append(d.Outside, dotted(imp))
			}
			for _, t := range to {
				if t != m && !slices.Contains(d.Imports, t) {
					d.Imports = append(d.Imports, t)
				}
			}
		}
		slices.SortFunc(d.Imports, func(a, b *Module) int { return strings.Compare(a.Path, b.Path) })
		slices.Sort(d.Outside)
		d.Outside = slices.Compact(d.Outside)
		out = append(out, d)
	}
	return out
}

func dotted(imp *syntax.Import) string {
	var names []string
	for _, n := range imp.Path {
		names = append(names, n.Name)
	}
	return strings.Join(names, ".")
}

// imported finds the modules of an import, which are looked for beside the file. A single
// name is a folder rather than a file, a longer path a file rather than a folder.
func (v *View) imported(m *Module, imp *syntax.Import, folders map[string][]*Module) []*Module {
	if len(imp.Path) == 0 || imp.Path[0].Name == "std" {
		return nil
	}
	var names []string
	for _, n := range imp.Path {
		names = append(names, n.Name)
	}
	at := path.Join(path.Dir(m.Path), strings.Join(names, "/"))
	file := v.byPath[at+".pluto"]
	if file == nil {
		file = v.byPath[at+".pt"]
	}
	folder := folders[at]
	switch {
	case len(names) == 1 && len(folder) > 0:
		return folder
	case file != nil:
		return []*Module{file}
	}
	return folder
}

// ImportCycle is a circle of imports: each module imports the next one, the last is the first
// again. It starts at the smallest path. nil when there is none.
func (v *View) ImportCycle() []*Module {
	next := map[*Module][]*Module{}
	for _, d := range v.Dependencies() {
		next[d.Module] = d.Imports
	}
	const open, done = 1, 2
	state := map[*Module]int{}
	type frame struct {
		m  *Module
		at int
	}
	for _, start := range v.modules {
		if state[start] != 0 {
			continue
		}
		path := []frame{{m: start}}
		state[start] = open
		for len(path) > 0 {
			f := &path[len(path)-1]
			if f.at == len(next[f.m]) {
				state[f.m] = done
				path = path[:len(path)-1]
				continue
			}
			to := next[f.m][f.at]
			f.at++
			switch state[to] {
			case 0:
				state[to] = open
				path = append(path, frame{m: to})
			case open:
				from := slices.IndexFunc(path, func(f frame) bool { return f.m == to })
				var circle []*Module
				for _, f := range path[from:] {
					circle = append(circle, f.m)
				}
				least := 0
				for i, m := range circle {
					if m.Path < circle[least].Path {
						least = i
					}
				}
				circle = append(circle[least:len(circle):len(circle)], circle[:least]...)
				return append(circle, circle[0])
			}
		}
	}
	return nil
}

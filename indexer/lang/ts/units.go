package ts

import (
	"path"
	"slices"
	"strings"

	"github.com/microsoft/typescript-go/sett"
	"github.com/settgraph/sett/indexer/lang"
)

// unitName is the unit of a file: each file is one.
func unitName(p string) string { return "ts:" + p }

// units makes a unit of each file, dependent on the files that its imports resolve to and
// on all that declare globals. It reaches the latter through the first of them, which
// depends on the others, so that there are not as many edges as pairs.
func units(in *lang.Input) []lang.Unit {
	p := newProject(in)
	defer p.close()
	rv := &importResolver{p: p, r: tsgo.NewResolver(p.host, p.options, "", ""), cache: map[importKey][]string{}}
	var globals []string
	for _, f := range in.Files {
		if p.global(f) {
			globals = append(globals, unitName(f.Path))
		}
	}
	list := make([]lang.Unit, len(in.Files))
	for i, f := range in.Files {
		name := unitName(f.Path)
		var deps []string
		switch {
		case len(globals) == 0:
		case name == globals[0]:
			deps = slices.Clone(globals)
		default:
			deps = globals[:1:1]
		}
		for _, spec := range f.Summary.Imports {
			if !parsable(vroot + "/" + f.Path) {
				break
			}
			deps = append(deps, rv.resolve(f.Path, spec)...)
		}
		deps = append(deps, rv.jsxRuntime(f.Path)...)
		slices.Sort(deps)
		deps = slices.Compact(deps)
		if at, found := slices.BinarySearch(deps, name); found {
			deps = slices.Delete(deps, at, at+1)
		}
		list[i] = lang.Unit{Name: name, Files: []string{f.Path}, Deps: deps, Shape: f.Summary.Shape}
	}
	return list
}

type importKey struct{ dir, spec, config string }

// importResolver finds the units that a specifier may lead to.
type importResolver struct {
	p     *project
	r     *tsgo.Resolver
	cache map[importKey][]string
}

func (rv *importResolver) resolve(file, spec string) []string {
	v := vroot + "/" + file
	var redirect tsgo.ResolvedProjectReference
	key := importKey{dir: path.Dir(file), spec: spec}
	if c := rv.p.owner[v]; c != nil {
		redirect, key.config = c.parsed, c.path
	}
	if units, ok := rv.cache[key]; ok {
		return units
	}
	var units []string
	// Conditions of a package's exports differ between import and require: depend on both.
	for _, mode := range []tsgo.ResolutionMode{tsgo.ModuleKindESNext, tsgo.ModuleKindCommonJS} {
		units = append(units, rv.try(spec, v, mode, redirect)...)
		if len(units) > 0 && strings.HasPrefix(spec, ".") {
			break
		}
	}
	slices.Sort(units)
	units = slices.Compact(units)
	rv.cache[key] = units
	return units
}

func (rv *importResolver) try(spec, v string, mode tsgo.ResolutionMode, redirect tsgo.ResolvedProjectReference) (units []string) {
	defer func() {
		if recover() != nil {
			units = nil
		}
	}()
	m, _ := rv.r.ResolveModuleName(spec, v, mode, redirect)
	if m.IsResolved() {
		if f, ok := rel(m.ResolvedFileName); ok && rv.p.fs.files[m.ResolvedFileName] && isSource(f) {
			return []string{unitName(f)}
		}
	}
	return nil
}

// jsxRuntime is what every file with JSX of a configuration imports unseen.
func (rv *importResolver) jsxRuntime(file string) []string {
	c := rv.p.owner[vroot+"/"+file]
	if c == nil || c.opts.JsxImportSource == "" {
		return nil
	}
	switch path.Ext(file) {
	case ".tsx", ".jsx":
		return append(rv.resolve(file, c.opts.JsxImportSource+"/jsx-runtime"), rv.resolve(file, c.opts.JsxImportSource+"/jsx-dev-runtime")...)
	}
	return nil
}

package ts

import (
	"cmp"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/microsoft/typescript-go/sett"
	"github.com/settgraph/sett/indexer/lang"
)

// config is one tsconfig.json or jsconfig.json.
type config struct {
	path   string // virtual
	dir    string
	files  []string              // virtual paths of the project files that it includes
	opts   *tsgo.CompilerOptions // as written, with what it extends
	refs   []string
	parsed *tsgo.ParsedCommandLine // what files that it owns are resolved with
	own    []string                // the files that are resolved with it
	faults []string                // where it cannot be read, as file:line: why
}

// project is the input of one run, ready for programs.
type project struct {
	fs      *projectFS
	host    *host
	configs []*config             // sorted by path
	owner   map[string]*config    // virtual path of a source file -> its config; absent if it has none
	crowd   map[string]bool       // virtual paths of the scripts that see no other; see findCrowd
	options *tsgo.CompilerOptions // of the one program for all files
}

const rootConfig = vroot + "/.sett.tsconfig.json"

// loadConfigs finds and reads all configurations of the project.
func (p *project) loadConfigs() {
	seen := map[string]*config{}
	var load func(v string)
	load = func(v string) {
		if seen[v] != nil || !p.fs.files[v] {
			return
		}
		c := p.readConfig(v)
		seen[v] = c
		for _, r := range c.refs {
			load(r)
		}
	}
	var fallback []string
	for _, f := range p.fs.in.Configs {
		v := vroot + "/" + f.Path
		switch path.Base(v) {
		case "tsconfig.json":
			load(v)
		case "jsconfig.json":
			if !p.fs.files[path.Dir(v)+"/tsconfig.json"] {
				load(v)
			}
		case "tsconfig.base.json", "tsconfig.app.json", "tsconfig.options.json":
			fallback = append(fallback, v)
		}
	}
	// A folder without a tsconfig.json of its own may still say what holds below it.
	for _, v := range fallback {
		if !p.fs.files[path.Dir(v)+"/tsconfig.json"] {
			load(v)
		}
	}
	for _, c := range seen {
		p.configs = append(p.configs, c)
	}
	slices.SortFunc(p.configs, func(a, b *config) int { return strings.Compare(a.path, b.path) })
}

// readConfig parses one configuration; what cannot be understood counts as not written.
func (p *project) readConfig(v string) (c *config) {
	c = &config{path: v, dir: path.Dir(v), opts: &tsgo.CompilerOptions{}}
	defer func() {
		if recover() != nil {
			c.files, c.opts, c.refs = nil, &tsgo.CompilerOptions{}, nil
			c.faults = []string{v[len(vroot)+1:] + ":1: it cannot be read"}
		}
	}()
	parsed, _ := tsgo.GetParsedCommandLineOfConfigFilePath(v, tsgo.Path(v), nil, nil, p.host, nil)
	if parsed == nil {
		c.faults = []string{v[len(vroot)+1:] + ":1: it cannot be read"}
		return c
	}
	c.faults = syntaxFaults(parsed)
	if o := parsed.CompilerOptions(); o != nil {
		c.opts = o
	}
	c.refs = parsed.ResolvedProjectReferencePaths()
	for _, f := range parsed.FileNames() {
		if p.fs.files[f] && isSource(f) {
			c.files = append(c.files, f)
		}
	}
	return c
}

// syntaxFaults lists the syntax errors of a configuration and of what it extends, the
// first of each file. Others, like a package to extend that is not installed, are no fault
// of the file.
func syntaxFaults(parsed *tsgo.ParsedCommandLine) []string {
	var list []string
	seen := map[string]bool{}
	for _, d := range parsed.GetConfigFileParsingDiagnostics() {
		f := d.File()
		if f == nil || d.Code()/1000 != 1 { // codes from 1000 to 1999 are those of the parser
			continue
		}
		if p, in := rel(f.FileName()); in && !seen[p] {
			seen[p] = true
			line := 1 + strings.Count(f.Text()[:min(d.Pos(), len(f.Text()))], "\n")
			list = append(list, fmt.Sprintf("%s:%d: %s", p, line, d.String()))
		}
	}
	return list
}

// assignFiles gives each source file the configuration that says how it resolves: the
// deepest one that includes it, else the nearest one above it, so that tests which a
// build leaves out still see its paths.
func (p *project) assignFiles() {
	p.owner = map[string]*config{}
	better := func(c, than *config) bool {
		if than == nil {
			return true
		}
		if d := len(c.dir) - len(than.dir); d != 0 {
			return d > 0
		}
		return rank(c) < rank(than)
	}
	byDir := map[string]*config{}
	for _, c := range p.configs {
		for _, f := range c.files {
			if better(c, p.owner[f]) {
				p.owner[f] = c
			}
		}
		if old := byDir[c.dir]; old == nil || cmp.Or(cmp.Compare(weight(c), weight(old)), -cmp.Compare(rank(c), rank(old))) > 0 {
			byDir[c.dir] = c
		}
	}
	for _, f := range p.fs.in.Files {
		v := vroot + "/" + f.Path
		if p.owner[v] == nil {
			for d := path.Dir(v); parsable(v) && len(d) >= len(vroot); d = path.Dir(d) {
				if c := byDir[d]; c != nil {
					p.owner[v] = c
					break
				}
			}
		}
		if c := p.owner[v]; c != nil {
			c.own = append(c.own, v)
		}
	}
}

// crowdSize is how many scripts that no configuration includes may share their globals.
const crowdSize = 2000

// findCrowd looks for scripts that no configuration includes. A few are the scripts of a
// site, which see each other. Thousands are the inputs of some tool, each by itself:
// taken for one program, all would merge with all.
func (p *project) findCrowd() {
	included := map[string]bool{}
	for _, c := range p.configs {
		for _, f := range c.files {
			included[f] = true
		}
	}
	crowd := map[string]bool{}
	for _, f := range p.fs.in.Files {
		if v := vroot + "/" + f.Path; f.Summary.Hints == hintScript && !included[v] {
			crowd[v] = true
		}
	}
	if len(crowd) > crowdSize {
		p.crowd = crowd
	}
}

// global reports whether others see the declarations of a file without importing it.
func (p *project) global(f lang.File) bool {
	return f.Summary.Hints != "" && !p.crowd[vroot+"/"+f.Path] && parsable(vroot+"/"+f.Path)
}

func rank(c *config) string {
	if b := path.Base(c.path); b != "tsconfig.json" {
		return b
	}
	return ""
}

// weight tells a configuration that has files of its own from one that only refers to others.
func weight(c *config) int {
	if len(c.files) > 0 {
		return 2
	}
	if c.opts.Paths.Size() > 0 {
		return 1
	}
	return 0
}

// buildOptions makes the options of the program, and those that each configuration
// resolves with. One program holds all files, so that a symbol is the same everywhere;
// what differs between configurations and matters to names is how modules resolve.
func (p *project) buildOptions() {
	base := &tsgo.CompilerOptions{}
	most := 0
	for _, c := range p.configs {
		if len(c.own) > most {
			base, most = c.opts, len(c.own)
		}
	}
	o := base.Clone()
	o.ConfigFilePath = rootConfig
	o.Paths, o.PathsBasePath, o.RootDirs = nil, "", nil
	o.CustomConditions = nil
	o.ModuleDetection = tsgo.ModuleDetectionKindAuto
	p.lenient(o)
	o.Target = tsgo.ScriptTargetESNext
	o.UseDefineForClassFields = tsgo.TSUnknown
	o.Lib = p.libs()
	o.Types, o.TypeRoots = p.types()
	p.options = o

	for _, c := range p.configs {
		r := c.opts.Clone()
		r.ModuleDetection = c.opts.GetEmitModuleDetectionKind()
		r.ConfigFilePath = c.path
		if r.BaseUrl != "" {
			addBaseURL(r)
		}
		p.lenient(r)
		// The compiler maps declaration output back to its source. Nothing may take a
		// hand-written declaration file beside a script for such output.
		r.DeclarationDir = path.Join("/.sett-out", c.path)
		parsed := tsgo.NewParsedCommandLine(r, c.own, tsgo.ComparePathsOptions{UseCaseSensitiveFileNames: true, CurrentDirectory: vroot})
		parsed.ConfigFile = tsgo.NewTsconfigSourceFileFromFilePath(c.path, tsgo.Path(c.path), "{}")
		c.parsed = parsed
	}
}

// lenient sets what lets most names bind, whatever the project checks.
func (p *project) lenient(o *tsgo.CompilerOptions) {
	o.AllowJs, o.CheckJs = tsgo.TSTrue, tsgo.TSUnknown
	o.NoEmit, o.Declaration, o.Composite, o.Incremental = tsgo.TSTrue, tsgo.TSUnknown, tsgo.TSUnknown, tsgo.TSUnknown
	o.DeclarationDir, o.OutDir, o.RootDir, o.OutFile, o.TsBuildInfoFile = "", "", "", "", ""
	o.Module, o.ModuleResolution = tsgo.ModuleKindPreserve, tsgo.ModuleResolutionKindBundler
	o.ESModuleInterop, o.AllowSyntheticDefaultImports = tsgo.TSUnknown, tsgo.TSUnknown
	o.AllowImportingTsExtensions = tsgo.TSTrue
	o.ResolveJsonModule = tsgo.TSFalse // JSON is no source: its changes would go unseen
	o.AllowArbitraryExtensions = tsgo.TSTrue
	o.SkipLibCheck, o.SkipDefaultLibCheck = tsgo.TSTrue, tsgo.TSTrue
	o.NoLib, o.NoResolve, o.LibReplacement = tsgo.TSFalse, tsgo.TSFalse, tsgo.TSFalse
	o.DeduplicatePackages = tsgo.TSFalse
	o.PreserveSymlinks = tsgo.TSFalse
	o.ImportHelpers = tsgo.TSFalse
	o.ResolvePackageJsonExports, o.ResolvePackageJsonImports = tsgo.TSUnknown, tsgo.TSUnknown
	o.TraceResolution = tsgo.TSFalse
	if o.Jsx == tsgo.JsxEmitNone {
		o.Jsx = tsgo.JsxEmitPreserve
	}
}

// addBaseURL expresses the retired baseUrl by paths.
func addBaseURL(o *tsgo.CompilerOptions) {
	base := o.BaseUrl
	if !path.IsAbs(base) {
		base = path.Join(path.Dir(o.ConfigFilePath), base)
	}
	paths := tsgo.NewPaths()
	for k, list := range o.Paths.Entries() {
		abs := make([]string, len(list))
		for i, s := range list {
			if abs[i] = s; !path.IsAbs(s) {
				abs[i] = path.Join(base, s)
			}
		}
		paths.Set(k, abs)
	}
	if !paths.Has("*") {
		paths.Set("*", []string{base + "/*"})
	}
	o.Paths, o.PathsBasePath, o.BaseUrl = paths, base, ""
}

// libs is the union of the libraries that configurations name; nil, the default of the
// newest language with the DOM, if one names none.
func (p *project) libs() []string {
	var libs []string
	for _, c := range p.configs {
		if len(c.own) == 0 {
			continue
		}
		if c.opts.Lib == nil {
			return nil
		}
		libs = append(libs, c.opts.Lib...)
	}
	for _, f := range p.fs.in.Files {
		if p.owner[vroot+"/"+f.Path] == nil {
			return nil
		}
	}
	slices.Sort(libs)
	return slices.Compact(libs)
}

// types is the union of the type packages that configurations name, and every place to
// look for them. An unset list means all that are installed.
func (p *project) types() (types, roots []string) {
	dirs := map[string]bool{vroot: true}
	for _, c := range p.configs {
		for d := c.dir; len(d) > len(vroot); d = path.Dir(d) {
			dirs[d] = true
		}
		if c.opts.Types == nil && len(c.own) > 0 {
			types = append(types, "*")
		}
		types = append(types, c.opts.Types...)
		roots = append(roots, c.opts.TypeRoots...)
	}
	if len(p.configs) == 0 {
		types = []string{"*"}
	}
	for d := range dirs {
		roots = append(roots, d+"/node_modules/@types")
	}
	roots = slices.DeleteFunc(roots, func(d string) bool { return !p.fs.DirectoryExists(d) })
	slices.Sort(types)
	slices.Sort(roots)
	return slices.Compact(types), slices.Compact(roots)
}

package ts

import (
	"cmp"
	"encoding/json"
	"maps"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/microsoft/typescript-go/sett"
	"github.com/settgraph/sett/query/report"
)

// checkConfig is one program to check: a tsconfig.json, or the files that have none.
type checkConfig struct {
	name   string // absolute path; "" when there is no file
	dir    string
	parsed *tsgo.ParsedCommandLine // nil when it cannot be read at all
	faults []*tsgo.Diagnostic      // why
	roots  []string                // the files that it lists, absolute
	listed map[string]bool
	extra  []string // files that it does not list and that are checked with its options
	pkg    *packageFolder
	named  bool // a script of its package checks it
	chosen bool // it is part of what is checked when nobody names files; see choose
	major  int  // release of TypeScript that the project uses; 0 when not known
}

// bare reports whether it says nothing about which files it is for.
func (k *checkConfig) bare() bool {
	return k.parsed != nil && !tsgo.Writes(k.parsed, "files") && !tsgo.Writes(k.parsed, "include") && len(k.parsed.ProjectReferences()) == 0
}

// with returns the configuration with more files.
func (k *checkConfig) with(files []string) *checkConfig {
	if len(files) == 0 {
		return k
	}
	c := *k
	c.extra = files
	options := *k.parsed.ParsedConfig
	options.FileNames = slices.Concat(k.roots, files)
	c.parsed = tsgo.NewParsedCommandLine(options.CompilerOptions, options.FileNames, tsgo.ComparePathsOptions{
		UseCaseSensitiveFileNames: k.parsed.UseCaseSensitiveFileNames(), CurrentDirectory: k.parsed.GetCurrentDirectory(),
	})
	c.parsed.ParsedConfig, c.parsed.ConfigFile, c.parsed.Errors, c.parsed.Raw = &options, k.parsed.ConfigFile, k.parsed.Errors, k.parsed.Raw
	return &c
}

// plan lists the configurations of the project in the order in which they are checked, and
// those that are only asked about files that are named. A file is checked by the first that
// lists it, so the order is: those that scripts check; those that say which files they are
// for, the outer ones first, each after those it refers to, as tsc -b builds; then those
// that do not, the inner ones first. An outer tsconfig.json that lists nothing is in most
// projects the base of the inner ones, and only what these leave is meant to be its.
func (r *checkRun) plan() (chosen, left []*checkConfig) {
	var seeds []*checkConfig
	loaded := map[string]*checkConfig{}
	for _, name := range slices.Sorted(maps.Keys(r.packages().named)) {
		if parsable(name) && r.fs.FileExists(name) {
			seeds = append(seeds, r.load(loaded, name))
		}
	}
	for _, f := range r.in.Configs {
		abs := r.root + "/" + f.Path
		switch path.Base(f.Path) {
		case "tsconfig.json":
		case "jsconfig.json":
			if r.fs.FileExists(path.Dir(abs) + "/tsconfig.json") {
				continue
			}
		default:
			continue
		}
		if parsable(abs) && loaded[abs] == nil {
			seeds = append(seeds, r.load(loaded, abs))
		}
	}
	r.choose(seeds)
	slices.SortStableFunc(seeds, func(a, b *checkConfig) int {
		if a.named != b.named {
			if a.named {
				return -1
			}
			return 1
		}
		if a.bare() != b.bare() {
			if a.bare() {
				return 1
			}
			return -1
		}
		d := cmp.Compare(strings.Count(a.dir, "/"), strings.Count(b.dir, "/"))
		if a.bare() {
			d = -d
		}
		return cmp.Or(d, cmp.Compare(a.name, b.name))
	})
	done := map[string]bool{}
	var list []*checkConfig
	var add func(k *checkConfig)
	add = func(k *checkConfig) {
		if done[k.name] {
			return
		}
		done[k.name] = true
		if k.parsed != nil {
			for _, ref := range k.parsed.ResolvedProjectReferencePaths() {
				if ref = tsgo.NormalizePath(ref); r.fs.FileExists(ref) {
					add(r.load(loaded, ref))
				} else if r.wanted == nil {
					r.found = append(r.found, report.Diagnostic{
						Severity: report.Error, Code: "TS6053", Source: "tsc", Message: "File '" + ref + "' not found.",
					})
				}
			}
		}
		list = append(list, k)
	}
	for _, k := range seeds {
		if k.chosen {
			add(k)
		}
	}
	chosen = r.prune(list)
	for _, k := range seeds {
		if !done[k.name] && k.parsed != nil {
			left = append(left, k)
		}
	}
	return chosen, left
}

// prune leaves out what is no project of its own: configurations whose files others list
// too, and those without files that only others extend.
func (r *checkRun) prune(list []*checkConfig) []*checkConfig {
	base := map[string]bool{}
	for _, k := range list {
		if k.parsed != nil {
			for _, e := range k.parsed.ExtendedSourceFiles() {
				base[e] = true
			}
		}
	}
	seen := map[string]bool{}
	return slices.DeleteFunc(list, func(k *checkConfig) bool {
		more := len(k.roots) == 0 && !base[k.name]
		for _, f := range k.roots {
			if !r.pkgs.foreign(k, f) {
				more = more || !seen[f]
				seen[f] = true
			}
		}
		return !more
	})
}

// load parses a configuration with the compiler's own rules.
func (r *checkRun) load(loaded map[string]*checkConfig, abs string) (k *checkConfig) {
	if k := loaded[abs]; k != nil {
		return k
	}
	k = &checkConfig{name: abs, dir: path.Dir(abs), listed: map[string]bool{}}
	loaded[abs] = k
	defer func() {
		if recover() != nil {
			k.parsed, k.roots = nil, nil
			r.note("%s cannot be read: it was not checked", r.show(abs))
		}
	}()
	k.parsed, k.faults = r.parse(abs, &tsgo.CompilerOptions{NoEmit: tsgo.TSTrue})
	if k.parsed == nil {
		return k
	}
	k.major = r.release(k.dir)
	age(k.parsed.CompilerOptions(), k.major)
	k.roots = k.parsed.FileNames()
	for _, f := range k.roots {
		k.listed[f] = true
	}
	// What others that refer to it see: what it says about emitting counts, since it is
	// built before them.
	if p, _ := r.parse(abs, nil); p != nil {
		age(p.CompilerOptions(), k.major)
		r.host.mu.Lock()
		r.host.refs[abs] = p
		r.host.mu.Unlock()
	}
	return k
}

func (r *checkRun) parse(abs string, forced *tsgo.CompilerOptions) (*tsgo.ParsedCommandLine, []*tsgo.Diagnostic) {
	return tsgo.GetParsedCommandLineOfConfigFilePath(abs, tsgo.ToPath(abs, r.root, r.fs.UseCaseSensitiveFileNames()), forced, nil, r.host, r.host)
}

// inferred is the configuration of files that have none, as editors take them.
func (r *checkRun) inferred(files []string) *checkConfig {
	o := &tsgo.CompilerOptions{
		NoEmit:                     tsgo.TSTrue,
		AllowJs:                    tsgo.TSTrue,
		Module:                     tsgo.ModuleKindESNext,
		ModuleResolution:           tsgo.ModuleResolutionKindBundler,
		Target:                     tsgo.ScriptTargetLatestStandard,
		Jsx:                        tsgo.JsxEmitReactJSX,
		AllowImportingTsExtensions: tsgo.TSTrue,
		Strict:                     tsgo.TSFalse,
		StrictNullChecks:           tsgo.TSTrue,
		StrictFunctionTypes:        tsgo.TSTrue,
		AllowNonTsExtensions:       tsgo.TSTrue,
		ResolveJsonModule:          tsgo.TSTrue,
		SkipLibCheck:               tsgo.TSTrue,
		Types:                      []string{"*"},
	}
	k := &checkConfig{dir: r.root, roots: files, listed: map[string]bool{}}
	k.parsed = tsgo.NewParsedCommandLine(o, files, tsgo.ComparePathsOptions{
		UseCaseSensitiveFileNames: r.fs.UseCaseSensitiveFileNames(), CurrentDirectory: r.root,
	})
	return k
}

// release finds out which release of TypeScript a folder uses: the installed one, else the
// one that a package.json asks for. 0 means that nothing says.
func (r *checkRun) release(dir string) int {
	for d := dir; len(d) >= len(r.root); d = path.Dir(d) {
		if m := r.manifest(d + "/node_modules/typescript/package.json"); m != nil {
			return major(m.Version)
		}
		if m := r.manifest(d + "/package.json"); m != nil {
			for _, deps := range []map[string]string{m.DevDependencies, m.Dependencies, m.PeerDependencies} {
				if v := major(deps["typescript"]); v > 0 {
					return v
				}
			}
		}
	}
	return 0
}

// packageFile is what finding errors reads of a package.json.
type packageFile struct {
	Version          string            `json:"version"`
	Dependencies     map[string]string `json:"dependencies"`
	DevDependencies  map[string]string `json:"devDependencies"`
	PeerDependencies map[string]string `json:"peerDependencies"`
	PackageManager   string            `json:"packageManager"`
	Scripts          json.RawMessage   `json:"scripts"`
	Private          any               `json:"private"`
	Workspaces       json.RawMessage   `json:"workspaces"`
}

// manifest reads a package.json; nil if there is none that can be read.
func (r *checkRun) manifest(abs string) *packageFile {
	if !r.fs.FileExists(abs) {
		return nil
	}
	text, ok := r.fs.ReadFile(abs)
	m := &packageFile{}
	if !ok || json.Unmarshal([]byte(text), m) != nil {
		return nil
	}
	return m
}

// major is the first number of a version or a range of versions, 0 if there is none.
func major(version string) int {
	v := strings.TrimLeft(version, "^~>=v ")
	if i := strings.IndexFunc(v, func(c rune) bool { return c < '0' || c > '9' }); i >= 0 {
		v = v[:i]
	}
	n, err := strconv.Atoi(v)
	if err != nil {
		return 0
	}
	return n
}

// current is the first release that works as the compiler inside does.
const current = 7

// age sets what older releases take for granted where nothing is written, and says in terms
// of today what they could be told and cannot be told any more.
func age(o *tsgo.CompilerOptions, major int) {
	if major == 0 || major >= current {
		return
	}
	if major < 6 {
		ageFive(o)
	}
	switch o.ModuleResolution {
	case tsgo.ModuleResolutionKindNode10, tsgo.ModuleResolutionKindClassic:
		o.ModuleResolution = tsgo.ModuleResolutionKindBundler
		o.ResolvePackageJsonExports, o.ResolvePackageJsonImports = tsgo.TSFalse, tsgo.TSFalse
		off(&o.ResolveJsonModule)
	}
	if o.BaseUrl != "" {
		addBaseURL(o)
	}
}

// ageFive sets the defaults of TypeScript before 6.
func ageFive(o *tsgo.CompilerOptions) {
	off(&o.Strict)
	off(&o.NoUncheckedSideEffectImports)
	if o.Types == nil {
		o.Types = []string{"*"}
	}
	node := o.Module >= tsgo.ModuleKindNode16 && o.Module <= tsgo.ModuleKindNodeNext
	if o.Target == tsgo.ScriptTargetNone {
		switch {
		case o.Module == tsgo.ModuleKindNodeNext:
			o.Target = tsgo.ScriptTargetESNext
		case node:
			o.Target = tsgo.ScriptTargetES2022
		default:
			o.Target = tsgo.ScriptTargetES5
		}
	}
	if o.Module == tsgo.ModuleKindNone {
		o.Module = tsgo.ModuleKindCommonJS
		if o.Target >= tsgo.ScriptTargetES2015 {
			o.Module = tsgo.ModuleKindES2015
		}
	}
	if o.ModuleResolution == tsgo.ModuleResolutionKindUnknown && !node && o.Module != tsgo.ModuleKindPreserve {
		o.ModuleResolution = tsgo.ModuleResolutionKindNode10
	}
}

// off turns an option off that nobody set.
func off(o *tsgo.Tristate) {
	if *o == tsgo.TSUnknown {
		*o = tsgo.TSFalse
	}
}

// removed are the codes of what the compiler says about options that it has no more.
var removed = [...]int32{5102, 5108}

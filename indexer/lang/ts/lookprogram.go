package ts

import (
	"encoding/json"
	"path"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/microsoft/typescript-go/sett"
	"github.com/microsoft/typescript-go/sett/service"
	"github.com/settgraph/sett/indexer/lang"
	"github.com/zeebo/xxh3"
)

// maxLookPrograms bounds how many programs are kept, of maxLookFiles files together unless
// they are the last two, and maxGuests how many files outside its configuration one holds.
const (
	maxLookPrograms = 8
	maxLookFiles    = 5000
	maxGuests       = 64
)

// lookState is what a looker remembers of a project: its configurations, parsed files and
// the programs made of them.
type lookState struct {
	in       *lang.Input // of the question being answered, else nil
	files    []lang.File // as the last question had them
	configs  []lang.File
	p        *project
	host     *lookHost
	hashes   map[string]uint64 // virtual path of a source -> what its contents should hash to
	global   map[string]bool   // virtual paths of what others see without importing it
	parsed   map[tsgo.SourceFileParseOptions]*parsedFile
	extra    map[string]uint64 // virtual paths of what is no source but was read, to its hash
	age      int               // counts the times that the project was read anew
	programs []*lookProgram    // the last used one first
	options  map[*config]*tsgo.ParsedCommandLine
}

type parsedFile struct {
	sf   *tsgo.SourceFile
	hash uint64
	age  int // of the state that last saw the text
}

// lookProgram is the program of one configuration.
type lookProgram struct {
	config *config // nil for the files that have none
	js     bool    // whether scripts count although the configuration leaves them out
	alone  string  // the one guest, if it declares what all other files would see
	guests []string
	prog   *tsgo.Program
	svc    *service.Service
	stale  map[string]bool // virtual paths of files that changed since
}

// refresh takes note of what changed between two questions.
func (s *lookState) refresh(in *lang.Input) {
	s.in = in
	if s.p == nil || s.p.fs.in.Root != in.Root || !slices.EqualFunc(s.configs, in.Configs, sameFile) || !slices.EqualFunc(s.files, in.Files, sameRole) {
		s.reload()
		return
	}
	var changed []string
	for i, f := range in.Files {
		if f.Hash != s.files[i].Hash {
			v := vroot + "/" + f.Path
			s.hashes[v] = f.Hash
			changed = append(changed, v)
		}
	}
	for v, hash := range s.extra {
		if text, _ := s.p.fs.read(v); xxh3.HashString(text) != hash {
			changed = append(changed, v)
		}
	}
	if len(changed) == 0 {
		return
	}
	s.files = slices.Clone(in.Files)
	for _, lp := range s.programs {
		for _, v := range changed {
			if lp.prog.GetSourceFile(v) != nil {
				lp.stale[v] = true
			}
		}
	}
}

func sameFile(a, b lang.File) bool { return a.Path == b.Path && a.Hash == b.Hash }

// sameRole reports whether a file, perhaps with other contents, is seen by the same others.
func sameRole(a, b lang.File) bool { return a.Path == b.Path && a.Summary.Hints == b.Summary.Hints }

// reload reads the project's configurations anew. Files that did not change stay parsed.
func (s *lookState) reload() {
	if s.p != nil {
		s.p.close()
	}
	s.files, s.configs = slices.Clone(s.in.Files), slices.Clone(s.in.Configs)
	s.p = newProject(&lang.Input{Root: s.in.Root, Files: s.files, Configs: s.configs, Workers: s.in.Workers, ReadFile: func(p string) ([]byte, error) {
		return s.in.ReadFile(p)
	}})
	s.host = &lookHost{host: s.p.host, s: s}
	s.programs, s.options = nil, map[*config]*tsgo.ParsedCommandLine{}
	s.hashes, s.global, s.extra = make(map[string]uint64, len(s.files)), map[string]bool{}, map[string]uint64{}
	for _, f := range s.files {
		v := vroot + "/" + f.Path
		s.hashes[v] = f.Hash
		if s.p.global(f) {
			s.global[v] = true
		}
	}
	s.age++
}

// close forgets everything.
func (s *lookState) close() {
	if s.p != nil {
		s.p.close()
	}
	*s = lookState{}
}

// drop forgets a program that failed.
func (s *lookState) drop(lp *lookProgram) {
	s.programs = slices.DeleteFunc(s.programs, func(o *lookProgram) bool { return o == lp })
}

// program returns an up-to-date program that holds the file.
func (s *lookState) program(v string) *lookProgram {
	c := s.p.owner[v]
	js := isScript(v) && (c == nil || !s.parsedConfig(c).CompilerOptions().GetAllowJS())
	alone := ""
	if c != nil && s.global[v] && !slices.Contains(c.files, v) {
		alone = v
	}
	i := slices.IndexFunc(s.programs, func(lp *lookProgram) bool { return lp.config == c && lp.js == js && lp.alone == alone })
	if i < 0 {
		s.programs = slices.Insert(s.programs, 0, &lookProgram{config: c, js: js, alone: alone})
		s.programs = s.programs[:min(len(s.programs), maxLookPrograms)]
	} else {
		lp := s.programs[i]
		s.programs = slices.Insert(slices.Delete(s.programs, i, i+1), 0, lp)
	}
	lp := s.programs[0]
	switch {
	case lp.prog != nil && lp.prog.GetSourceFile(v) == nil:
		s.invite(lp, v)
		fallthrough
	case lp.prog == nil, len(lp.stale) > 1:
		s.build(lp, v)
	case len(lp.stale) == 1:
		for changed := range lp.stale {
			prog, _, _ := lp.prog.UpdateProgram(tsgo.Path(changed), s.host, service.NewPool)
			s.adopt(lp, prog)
		}
	}
	return lp
}

// invite takes a file that the configuration leaves out into its program, and with it the
// others that may be asked about next: each time, the program is made anew.
func (s *lookState) invite(lp *lookProgram, v string) {
	lp.guests = append(lp.guests, v)
	if c := lp.config; c != nil && lp.alone == "" {
		for _, o := range c.own {
			if len(lp.guests) == maxGuests {
				break
			}
			if lp.prog.GetSourceFile(o) == nil && !s.global[o] && isScript(o) == isScript(v) && !slices.Contains(lp.guests, o) {
				lp.guests = append(lp.guests, o)
			}
		}
	}
	lp.guests = lp.guests[max(0, len(lp.guests)-maxGuests):]
}

// adopt makes prog the program of lp, and forgets parsed files that no program holds.
func (s *lookState) adopt(lp *lookProgram, prog *tsgo.Program) {
	lp.prog, lp.svc, lp.stale = prog, service.New(prog), map[string]bool{}
	files := 0
	for i, o := range s.programs {
		if o.prog != nil {
			files += len(o.prog.SourceFiles())
		}
		if i >= 2 && files > maxLookFiles {
			s.programs = slices.Delete(s.programs, i, len(s.programs))
			break
		}
	}
	held := map[*tsgo.SourceFile]bool{}
	for _, o := range s.programs {
		if o.prog != nil {
			for _, f := range o.prog.SourceFiles() {
				held[f] = true
			}
		}
	}
	for k, f := range s.parsed {
		if !held[f.sf] {
			delete(s.parsed, k)
		}
	}
}

// build makes the program of lp anew.
func (s *lookState) build(lp *lookProgram, v string) {
	cfg := s.commandLine(lp)
	roots := cfg.ParsedConfig.FileNames
	for _, g := range append(lp.guests, v) {
		if !slices.Contains(roots, g) {
			roots = append(roots, g)
		}
	}
	cfg.ParsedConfig.FileNames = roots
	s.parseAhead(roots, cfg.CompilerOptions())
	s.adopt(lp, service.NewProgram(tsgo.ProgramOptions{Host: s.host, Config: cfg, UseSourceOfProjectReference: true}))
}

// commandLine is what the program of lp is made from, without its guests.
func (s *lookState) commandLine(lp *lookProgram) *tsgo.ParsedCommandLine {
	var o *tsgo.CompilerOptions
	var roots []string
	name := rootConfig
	if c := lp.config; c != nil {
		o, roots, name = s.parsedConfig(c).CompilerOptions().Clone(), slices.Clone(c.files), c.path
		o.DeclarationDir = ""
	} else {
		o = &tsgo.CompilerOptions{ConfigFilePath: rootConfig, Module: tsgo.ModuleKindPreserve, Jsx: tsgo.JsxEmitPreserve, AllowJs: tsgo.TSTrue}
		s.asWritten(o, vroot)
		for _, f := range s.files {
			if v := vroot + "/" + f.Path; s.p.owner[v] == nil && s.global[v] {
				roots = append(roots, v)
			}
		}
	}
	if lp.js {
		o.AllowJs = tsgo.TSTrue
	}
	cfg := tsgo.NewParsedCommandLine(o, roots, tsgo.ComparePathsOptions{UseCaseSensitiveFileNames: true, CurrentDirectory: vroot})
	cfg.ConfigFile = tsgo.NewTsconfigSourceFileFromFilePath(name, tsgo.Path(name), "{}")
	for _, c := range s.p.configs {
		if c != lp.config {
			cfg.ParsedConfig.ProjectReferences = append(cfg.ParsedConfig.ProjectReferences, &tsgo.ProjectReference{Path: c.path, OriginalPath: c.path})
		}
	}
	return cfg
}

// parsedConfig is a configuration with its own options, as files of it are resolved.
func (s *lookState) parsedConfig(c *config) *tsgo.ParsedCommandLine {
	if p := s.options[c]; p != nil {
		return p
	}
	o := c.opts.Clone()
	o.ConfigFilePath = c.path
	s.asWritten(o, c.dir)
	o.DeclarationDir = path.Join("/.sett-out", c.path) // see buildOptions
	p := tsgo.NewParsedCommandLine(o, c.own, tsgo.ComparePathsOptions{UseCaseSensitiveFileNames: true, CurrentDirectory: vroot})
	p.ConfigFile = tsgo.NewTsconfigSourceFileFromFilePath(c.path, tsgo.Path(c.path), "{}")
	s.options[c] = p
	return p
}

// asWritten leaves of options what types and names depend on, and gives those that are not
// set the default of the release of TypeScript that the project is written for.
func (s *lookState) asWritten(o *tsgo.CompilerOptions, dir string) {
	o.NoEmit, o.Declaration, o.Composite, o.Incremental = tsgo.TSTrue, tsgo.TSUnknown, tsgo.TSUnknown, tsgo.TSUnknown
	o.OutDir, o.RootDir, o.OutFile, o.TsBuildInfoFile = "", "", "", ""
	o.TraceResolution, o.ImportHelpers, o.DeduplicatePackages = tsgo.TSFalse, tsgo.TSFalse, tsgo.TSFalse
	if o.BaseUrl != "" {
		addBaseURL(o)
	}
	if major := s.typescript(dir); major > 0 && major < 6 {
		if o.Strict == tsgo.TSUnknown {
			o.Strict = tsgo.TSFalse
		}
		if o.Types == nil {
			o.Types = []string{"*"}
		}
	}
}

// typescript is the major release that a folder of the project uses, 0 if nothing says it.
func (s *lookState) typescript(dir string) int {
	major := func(version string) int {
		version = strings.TrimLeft(version, "^~>=v ")
		version, _, _ = strings.Cut(version, ".")
		n, _ := strconv.Atoi(version)
		return n
	}
	var m struct {
		Version string            `json:"version"`
		Dev     map[string]string `json:"devDependencies"`
		Deps    map[string]string `json:"dependencies"`
	}
	read := func(v string) bool {
		text, ok := s.p.fs.ReadFile(v)
		return ok && json.Unmarshal([]byte(text), &m) == nil
	}
	for d := dir; len(d) >= len(vroot); d = path.Dir(d) {
		if read(d + "/node_modules/typescript/package.json") {
			return major(m.Version)
		}
		if read(d + "/package.json") {
			if n := max(major(m.Dev["typescript"]), major(m.Deps["typescript"])); n > 0 {
				return n
			}
		}
	}
	return 0
}

func isScript(v string) bool {
	switch path.Ext(v) {
	case ".js", ".jsx", ".mjs", ".cjs":
		return true
	}
	return false
}

// parseAhead parses what a program will hold with all processors: the program itself is
// made in one goroutine, so that nothing that fails there ends the process. What it misses
// is parsed then.
func (s *lookState) parseAhead(roots []string, o *tsgo.CompilerOptions) {
	a := &ahead{s: s, o: o, r: tsgo.NewResolver(s.host, o, "", ""), free: make(chan struct{}, max(s.in.Workers, 1)), seen: map[string]bool{}}
	if !o.NoLib.IsTrue() {
		for _, l := range o.Lib {
			a.lib(l)
		}
		if o.Lib == nil {
			a.add(tsgo.LibPath() + "/" + tsgo.GetDefaultLibFileName(o))
		}
	}
	for _, v := range roots {
		a.add(v)
	}
	for _, t := range o.Types {
		a.resolve(t, vroot+"/x.ts", true)
	}
	a.running.Wait()
}

// ahead follows references between files, each once.
type ahead struct {
	s       *lookState
	o       *tsgo.CompilerOptions
	r       *tsgo.Resolver
	free    chan struct{} // holds a token for each file being parsed
	running sync.WaitGroup
	mu      sync.Mutex
	seen    map[string]bool // files, and what was imported from where
}

func (a *ahead) first(key string) bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.seen[key] {
		return false
	}
	a.seen[key] = true
	return true
}

func (a *ahead) lib(name string) {
	if file, ok := tsgo.GetLibFileName(name); ok {
		a.add(tsgo.LibPath() + "/" + file)
	}
}

// add parses a file and then what it refers to, unless it is a project's: all of those
// that count are roots.
func (a *ahead) add(v string) {
	if !a.first(v) {
		return
	}
	a.running.Go(func() {
		a.free <- struct{}{}
		defer func() {
			recover() // what fails here fails again where the program is made
			<-a.free
		}()
		sf := a.s.host.GetSourceFile(tsgo.SourceFileParseOptions{FileName: v, Path: tsgo.Path(v), ExternalModuleIndicatorOptions: service.ModuleOptions(v, a.o)})
		if sf == nil {
			return
		}
		for _, l := range sf.LibReferenceDirectives {
			a.lib(l.FileName)
		}
		for _, f := range sf.ReferencedFiles {
			if p := path.Join(path.Dir(v), f.FileName); inNodeModules(p) {
				a.add(p)
			}
		}
		for _, t := range sf.TypeReferenceDirectives {
			a.resolve(t.FileName, v, true)
		}
		for _, i := range sf.Imports() {
			a.resolve(i.Text(), v, false)
		}
	})
}

// resolve adds the dependency's file that a specifier means.
func (a *ahead) resolve(spec, from string, types bool) {
	relative := strings.HasPrefix(spec, ".")
	if relative && !inNodeModules(from) {
		return
	}
	key := spec + "\x00"
	if relative {
		key += path.Dir(from)
	} else if i := strings.LastIndex(from, "/node_modules/"); i >= 0 {
		key += from[:i]
	}
	if !a.first(key) {
		return
	}
	file := ""
	if types {
		if t, _ := a.r.ResolveTypeReferenceDirective(spec, from, tsgo.ResolutionMode(0), nil); t != nil {
			file = t.ResolvedFileName
		}
	} else if m, _ := a.r.ResolveModuleName(spec, from, tsgo.ModuleKindESNext, nil); m != nil {
		file = m.ResolvedFileName
	}
	if inNodeModules(file) && !isScript(file) {
		a.add(file)
	}
}

// lookHost gives programs their files, parsed once.
type lookHost struct {
	*host
	s  *lookState
	mu sync.Mutex // guards the maps of s
}

// GetResolvedProjectReference answers with the own options of a configuration.
func (h *lookHost) GetResolvedProjectReference(name string, _ tsgo.Path) *tsgo.ParsedCommandLine {
	for _, c := range h.s.p.configs {
		if c.path == name {
			return h.s.parsedConfig(c)
		}
	}
	return nil
}

// GetSourceFile returns the file as it is now, from before if it is the same.
func (h *lookHost) GetSourceFile(opts tsgo.SourceFileParseOptions) *tsgo.SourceFile {
	v := opts.FileName
	if h.s.p.crowd[v] {
		opts.ExternalModuleIndicatorOptions.Force = true
	}
	h.mu.Lock()
	old := h.s.parsed[opts]
	h.mu.Unlock()
	want, source := h.s.hashes[v]
	r, in := rel(v)
	if old != nil && (!in || source && old.hash == want || !source && old.age == h.s.age && inNodeModules(v)) {
		return old.sf
	}
	text, ok := h.fs.ReadFile(v)
	if !ok {
		return nil
	}
	hash := xxh3.HashString(text)
	h.mu.Lock()
	if in && !source && !inNodeModules(r) {
		h.s.extra[v] = hash
	}
	if old != nil && old.hash == hash {
		old.age = h.s.age
		h.mu.Unlock()
		return old.sf
	}
	h.mu.Unlock()
	if in && source && unreadable(text) != "" {
		text = ""
	}
	sf, _ := parse(true, opts, text)
	h.mu.Lock()
	defer h.mu.Unlock()
	if now := h.s.parsed[opts]; now != nil && now != old && now.hash == hash {
		return now.sf // two programs' roots were parsed at once
	}
	h.s.parsed[opts] = &parsedFile{sf, hash, h.s.age}
	return sf
}

package ts

import (
	"bytes"
	"strings"
	"sync"

	"github.com/microsoft/typescript-go/sett"
	"github.com/settgraph/sett/indexer/lang"
)

// newProject reads the configurations and manifests of the input.
func newProject(in *lang.Input) *project {
	p := &project{fs: newProjectFS(in)}
	newWorkspace(p.fs)
	p.host = &host{fs: tsgo.BundledFS(p.fs), proj: p}
	p.loadConfigs()
	p.assignFiles()
	p.findCrowd()
	p.buildOptions()
	return p
}

// close releases what the project holds open.
func (p *project) close() { p.fs.close() }

// host gives the compiler its files.
type host struct {
	fs    tsgo.FS
	proj  *project
	mu    sync.Mutex
	notes map[string]string // virtual path -> why the contents were not read
}

// FS is the file system of the compilation.
func (h *host) FS() tsgo.FS { return h.fs }

// DefaultLibraryPath is where the embedded libraries lie.
func (h *host) DefaultLibraryPath() string { return tsgo.LibPath() }

// GetCurrentDirectory is the virtual root.
func (h *host) GetCurrentDirectory() string { return vroot }

// Trace drops what the compiler tells.
func (h *host) Trace(*tsgo.DiagnosticMessage, ...any) {}

// GetResolvedProjectReference answers with the options prepared for a configuration.
func (h *host) GetResolvedProjectReference(name string, _ tsgo.Path) *tsgo.ParsedCommandLine {
	for _, c := range h.proj.configs {
		if c.path == name {
			return c.parsed
		}
	}
	return nil
}

// GetSourceFile parses a file. One that cannot be read as source counts as empty.
func (h *host) GetSourceFile(opts tsgo.SourceFileParseOptions) *tsgo.SourceFile {
	text, ok := h.fs.ReadFile(opts.FileName)
	if !ok {
		return nil
	}
	if h.proj.crowd[opts.FileName] {
		opts.ExternalModuleIndicatorOptions.Force = true
	}
	if _, in := rel(opts.FileName); in && !inNodeModules(opts.FileName) {
		if why := unreadable(text); why != "" {
			h.note(opts.FileName, why)
			text = ""
		}
	}
	sf, err := parse(true, opts, text)
	if err != "" {
		h.note(opts.FileName, err)
	}
	return sf
}

func (h *host) note(file, why string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.notes == nil {
		h.notes = map[string]string{}
	}
	h.notes[file] = why
}

// parse parses text, and binds it if asked to. If that fails, which would end the process
// in one of the compiler's own goroutines, it gives an empty file and the reason.
func parse(bind bool, opts tsgo.SourceFileParseOptions, text string) (sf *tsgo.SourceFile, failed string) {
	kind := tsgo.GetScriptKindFromFileName(opts.FileName)
	defer func() {
		if recover() != nil {
			sf, failed = tsgo.ParseSourceFile(opts, "", kind), "the parser failed on this file"
		}
	}()
	sf = tsgo.ParseSourceFile(opts, text, kind)
	if bind {
		tsgo.BindSourceFile(sf)
	}
	return sf, ""
}

// parsable reports whether the compiler takes the path for what it is.
func parsable(path string) bool {
	return tsgo.NormalizePath(path) == path && !strings.ContainsAny(path, "\\\x00")
}

// unreadable says why text is not worth parsing: "" if it is.
func unreadable(text string) string {
	if len(text) > maxSource {
		return "larger than 1 MB: not read"
	}
	if strings.IndexByte(text[:min(len(text), 8192)], 0) >= 0 {
		return "binary: not read"
	}
	if tooDeep(text) {
		return "nested more than 2,000 levels deep: not read"
	}
	if len(text) > maxLine {
		long := 0
		for line := range strings.SplitSeq(text, "\n") {
			if len(line) > maxLine {
				long += len(line)
			}
		}
		if long > len(text)/2 {
			return "mostly lines of more than 20,000 characters: not read"
		}
	}
	return ""
}

// maxDepth bounds recursion: the compiler descends into what it parses, and a goroutine
// that runs out of stack ends the process.
const maxDepth = 2000

// tooDeep reports whether brackets or prefix operators nest deeper than any person writes.
// It does not know strings and comments, which hardly hold so many without closing them.
func tooDeep(text string) bool {
	depth, run := 0, 0
	for i := 0; i < len(text); i++ {
		switch text[i] {
		case '(', '[', '{':
			depth++
		case ')', ']', '}':
			depth = max(depth-1, 0)
		case '!', '~', '+', '-', '<':
			run++
		case ' ', '\t', '\n', '\r':
		default:
			run = 0
		}
		if depth > maxDepth || run > maxDepth {
			return true
		}
	}
	return false
}

// maxLine is the length of a line that no person writes. A file that consists of such
// lines is a bundle or data.
const maxLine = 20_000

func unreadableBytes(b []byte) bool {
	if len(b) > maxSource || bytes.IndexByte(b[:min(len(b), 8192)], 0) >= 0 {
		return true
	}
	return unreadable(string(b)) != ""
}

// program makes the program of the given virtual root files and all they import.
func (p *project) program(roots []string, workers int) *tsgo.Program {
	cfg := tsgo.NewParsedCommandLine(p.options, roots, tsgo.ComparePathsOptions{UseCaseSensitiveFileNames: true, CurrentDirectory: vroot})
	cfg.ConfigFile = tsgo.NewTsconfigSourceFileFromFilePath(rootConfig, rootConfig, "{}")
	for _, c := range p.configs {
		cfg.ParsedConfig.ProjectReferences = append(cfg.ParsedConfig.ProjectReferences, &tsgo.ProjectReference{Path: c.path, OriginalPath: c.path})
	}
	single := tsgo.TSFalse
	if workers == 1 {
		single = tsgo.TSTrue
	}
	return tsgo.NewProgram(tsgo.ProgramOptions{
		Host:                        p.host,
		Config:                      cfg,
		UseSourceOfProjectReference: true,
		SingleThreaded:              single,
	})
}

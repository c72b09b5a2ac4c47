package gorun

import (
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"unicode/utf8"
)

// places finds the files that the go command and test programs name.
type places struct {
	root, real string // the root as we name it, and without links
	overlay    map[string][]byte
	laid       map[string]string // where the text of a file is instead → the file; not all tools know to say the latter
	modules    []*module
	bases      map[string]string   // file name → the only file of that name, "" if there are several; nil before the first look
	texts      map[string][]string // file → lines, of the files that were looked at
}

func (o Options) places(modules []*module) *places {
	p := &places{root: o.Root, real: o.Root, overlay: o.Overlay, modules: modules, laid: map[string]string{}, texts: map[string][]string{}}
	if real, err := filepath.EvalSymlinks(o.Root); err == nil {
		p.real = real
	}
	return p
}

// rel is an absolute path from the root, with slashes; one outside stays as it is.
func (p *places) rel(abs string) string {
	for _, root := range []string{p.root, p.real} {
		if rel, err := filepath.Rel(root, abs); err == nil && filepath.IsLocal(rel) {
			return filepath.ToSlash(rel)
		}
	}
	return filepath.ToSlash(abs)
}

// named is the file that a tool named which ran in dir: a path of any kind, or with -trimpath
// an import path with a file name.
func (p *places) named(dir, name string) string {
	name = filepath.FromSlash(name)
	if filepath.IsAbs(name) {
		if file, ok := p.laid[name]; ok {
			return file
		}
		return p.rel(name)
	}
	if inDir := p.rel(filepath.Join(dir, name)); p.exists(inDir) {
		return inDir
	}
	slashed := filepath.ToSlash(name)
	if i := strings.LastIndexByte(slashed, '/'); i > 0 {
		if folder, ok := p.folder(slashed[:i]); ok {
			return path.Join(folder, slashed[i+1:])
		}
	}
	return p.rel(filepath.Join(dir, name))
}

// folder is the folder of a package from the root, if it is in one of the modules.
func (p *places) folder(pkg string) (string, bool) {
	pkg, _, _ = strings.Cut(pkg, " ") // "a/b [a/b.test]"
	best, rest := (*module)(nil), ""
	for _, m := range p.modules {
		after, ok := strings.CutPrefix(pkg, m.path)
		if ok && m.path != "" && (after == "" || after[0] == '/') && (best == nil || len(m.path) > len(best.path)) {
			best, rest = m, after
		}
	}
	if best == nil {
		return "", false
	}
	return p.rel(filepath.Join(best.dir, filepath.FromSlash(rest))), true
}

// inPackage is the file of which a test of the package printed the base name. Helpers of other
// packages print theirs too: then it is the only file of that name.
func (p *places) inPackage(pkg, base string) string {
	if strings.ContainsAny(base, `/\`) {
		folder, _ := p.folder(pkg)
		return p.named(filepath.Join(p.root, filepath.FromSlash(folder)), base)
	}
	folder, ok := p.folder(pkg)
	if ok {
		if file := path.Join(folder, base); p.exists(file) {
			return file
		}
	}
	if p.bases == nil {
		p.look()
	}
	if file := p.bases[base]; file != "" {
		return file
	}
	if ok {
		return path.Join(folder, base)
	}
	return base
}

// look notes where the files of the modules are.
func (p *places) look() {
	p.bases = map[string]string{}
	for _, m := range p.modules {
		_ = filepath.WalkDir(m.dir, func(file string, d fs.DirEntry, err error) error {
			switch {
			case err != nil:
				return fs.SkipDir
			case d.IsDir() && file != m.dir && (d.Name()[0] == '.' || d.Name() == "node_modules"):
				return fs.SkipDir
			case !d.IsDir() && strings.HasSuffix(file, ".go"):
				rel := p.rel(file)
				if was, ok := p.bases[d.Name()]; ok && was != rel {
					rel = ""
				}
				p.bases[d.Name()] = rel
			}
			return nil
		})
	}
}

// abs is the absolute path of a file from the root.
func (p *places) abs(file string) string {
	if f := filepath.FromSlash(file); filepath.IsAbs(f) {
		return f
	}
	return filepath.Join(p.root, filepath.FromSlash(file))
}

func (p *places) exists(file string) bool {
	if _, ok := p.overlay[file]; ok {
		return true
	}
	_, err := os.Stat(p.abs(file))
	return err == nil
}

// line is a line of a file, "" when there is none.
func (p *places) line(file string, n int) string {
	lines, ok := p.texts[file]
	if !ok {
		text, laid := p.overlay[file]
		if !laid {
			if info, err := os.Stat(p.abs(file)); err == nil && info.Size() < 16<<20 {
				text, _ = os.ReadFile(p.abs(file))
			}
		}
		lines = strings.Split(string(text), "\n")
		p.texts[file] = lines
	}
	if n < 1 || n > len(lines) {
		return ""
	}
	return lines[n-1]
}

// column makes a column of bytes, as the go command counts, one of code points.
func (p *places) column(file string, line, col int) int {
	text := p.line(file, line)
	if col < 1 || col > len(text) {
		return col
	}
	return utf8.RuneCountInString(text[:col-1]) + 1
}

// logs are lines of source that only log; what they print is not why a test failed.
var logs = regexp.MustCompile(`\.(Logf?|Skipf?|Output)\(`)

// logs says whether the line of source does no more than log.
func (p *places) logs(file string, line int) bool { return logs.MatchString(p.line(file, line)) }

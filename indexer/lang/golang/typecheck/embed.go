package typecheck

import (
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strconv"
	"strings"
)

// embeds reports patterns of go:embed that match nothing.
func (s *session) embeds(p *pkg, t *text) {
	if !strings.Contains(string(t.src), "//go:embed ") {
		return
	}
	imports := false
	for _, i := range t.imports {
		imports = imports || i.path == "embed"
	}
	if !imports {
		return // the compiler's to refuse
	}
	for n, line := range strings.Split(string(t.src), "\n") {
		rest, ok := strings.CutPrefix(strings.TrimLeft(line, " \t"), "//go:embed ")
		if !ok {
			continue
		}
		lead := len(line) - len(rest)
		for rest != "" {
			trimmed := strings.TrimLeft(rest, " \t\r")
			lead += len(rest) - len(trimmed)
			rest = trimmed
			if rest == "" {
				break
			}
			word, pattern := rest, ""
			if q := rest[0]; q == '"' || q == '`' {
				prefix, err := strconv.QuotedPrefix(rest)
				if err != nil {
					break
				}
				word = prefix
				pattern, _ = strconv.Unquote(prefix)
			} else {
				if i := strings.IndexAny(rest, " \t\r"); i >= 0 {
					word = rest[:i]
				}
				pattern = word
			}
			if why := embedProblem(p.dir, pattern); why != "" {
				s.fault(t, place{n + 1, lead + 1}, "", "pattern "+pattern+": "+why)
			}
			rest, lead = rest[len(word):], lead+len(word)
		}
	}
}

func embedProblem(dir, pattern string) string {
	glob, all := strings.CutPrefix(pattern, "all:")
	if _, err := path.Match(glob, ""); err != nil || glob != "." && !fs.ValidPath(glob) {
		return "invalid pattern syntax"
	}
	list, err := filepath.Glob(filepath.Join(escapeGlob(dir), filepath.FromSlash(glob)))
	if err != nil || len(list) == 0 {
		return "no matching files found"
	}
	for _, f := range list {
		info, err := os.Lstat(f)
		if err != nil {
			continue
		}
		if info.Mode().IsRegular() {
			return ""
		}
		if info.IsDir() {
			found := false
			_ = filepath.WalkDir(f, func(p string, d fs.DirEntry, err error) error {
				if err != nil || found {
					return fs.SkipAll
				}
				name := d.Name()
				hidden := p != f && !all && (strings.HasPrefix(name, ".") || strings.HasPrefix(name, "_"))
				switch {
				case d.IsDir() && (hidden || p != f && isFile(filepath.Join(p, "go.mod"))):
					return fs.SkipDir
				case d.Type().IsRegular() && !hidden:
					found = true
				}
				return nil
			})
			if found {
				return ""
			}
			rel, _ := filepath.Rel(dir, f)
			return "cannot embed directory " + filepath.ToSlash(rel) + ": contains no embeddable files"
		}
		rel, _ := filepath.Rel(dir, f)
		return "cannot embed irregular file " + filepath.ToSlash(rel)
	}
	return "no matching files found"
}

func escapeGlob(dir string) string {
	if filepath.Separator == '\\' {
		return dir
	}
	return strings.NewReplacer(`\`, `\\`, `*`, `\*`, `?`, `\?`, `[`, `\[`).Replace(dir)
}

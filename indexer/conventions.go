package indexer

import (
	"bytes"
	"path"
	"strings"

	"github.com/settgraph/sett/indexer/lang"
)

// Reasons why files and folders do not count, as reports name them.
const (
	skipExcluded   = "excluded"   // by sett.toml
	skipIgnored    = "ignored"    // by an ignore file
	skipVendored   = "vendored"   // a copied dependency
	skipTestdata   = "testdata"   // input of Go tests
	skipHidden     = "hidden"     // in a folder whose name begins with a dot
	skipGenerated  = "generated"  // and sett.toml does not want them
	skipBinary     = "binary"     // named like a source, with a zero byte in it
	skipMinified   = "minified"   // JavaScript for machines
	skipLarge      = "too large"  // over the limit
	skipLink       = "link"       // a symbolic link: its target counts where it really is
	skipSpecial    = "special"    // a pipe, a socket, a device
	skipName       = "odd name"   // with control characters, or no UTF-8
	skipUnreadable = "unreadable" // the system does not let us
	skipAbsent     = "absent"     // one of markers that does not exist; not reported
)

// neverWalked are folders of tools that hold no sources; even sett.toml cannot include them.
func neverWalked(name string) bool {
	switch name {
	case ".git", ".sett", ".hg", ".svn", ".jj", ".bzr":
		return true
	}
	return false
}

// folderConvention returns why a folder is skipped by its name. The front ends still read
// copied dependencies, they are just not part of the project. Of the folders whose name
// begins with a dot only those count that by convention hold a project's own sources;
// others hold caches, settings and, often, whole copies of the project.
//
// The go command sees nothing in a folder named testdata: what lies there is input of
// tests, often broken on purpose. So it is in a Go module; elsewhere it is a name like any.
func folderConvention(name string, vendored, gomod bool) string {
	switch name {
	case "testdata":
		if gomod {
			return skipTestdata
		}
	case "node_modules":
		return skipVendored
	case "vendor", "bower_components", "jspm_packages":
		if !vendored {
			return skipVendored
		}
	case ".github", ".storybook", ".vitepress", ".vuepress", ".dumi", ".ladle":
		return ""
	}
	if strings.HasPrefix(name, ".") {
		return skipHidden
	}
	return ""
}

// markers are files inside skipped folders that change whenever the dependencies there
// do. They are watched if a language counts them as configuration.
func markers(folder string) []string {
	switch folder {
	case "vendor":
		return []string{"modules.txt"}
	case "node_modules":
		return []string{".package-lock.json", ".modules.yaml", ".yarn-state.yml", ".yarn-integrity"}
	}
	return nil
}

func isJavaScript(name string) bool {
	switch path.Ext(name) {
	case ".js", ".mjs", ".cjs", ".jsx":
		return true
	}
	return false
}

func minifiedName(name string) bool {
	stem := strings.TrimSuffix(name, path.Ext(name))
	return isJavaScript(name) && (strings.HasSuffix(stem, ".min") || strings.HasSuffix(stem, "-min"))
}

// minified recognizes JavaScript with lines that nobody wrote.
func minified(src []byte) bool {
	const least, average = 4 << 10, 400
	return len(src) > least && len(src)/(bytes.Count(src, []byte{'\n'})+1) > average
}

// hasZero applies git's rule: a zero byte near the beginning.
func hasZero(src []byte) bool {
	return bytes.IndexByte(src[:min(len(src), 8000)], 0) >= 0
}

// isBinary reports whether the contents have a zero byte and are no source of the language.
func isBinary(l *lang.Language, src []byte) bool {
	if !hasZero(src) {
		return false
	}
	if l.Text != nil {
		_, ok := l.Text(src)
		return !ok
	}
	return true
}

// Text returns the text of a source that positions count in: mostly src itself.
func Text(p string, src []byte) []byte {
	for _, l := range Languages() {
		if l.Text != nil && l.Source(p) {
			if text, ok := l.Text(src); ok {
				return text
			}
		}
	}
	return src
}

// sizeLimit returns the size over which a source is skipped. JavaScript has a lower limit
// because its large files are bundles.
func sizeLimit(name string, cfg *Config) int64 {
	switch {
	case cfg.Index.MaxFileSize > 0:
		return int64(cfg.Index.MaxFileSize)
	case isJavaScript(name):
		return 1 << 20
	}
	return 16 << 20
}

// otherLanguage names the language of a source by its extension, so that an answer can
// say that it is not indexed. It is asked about files that no front end takes.
func otherLanguage(name string) string {
	switch strings.ToLower(path.Ext(name)) {
	case ".go":
		return "go"
	case ".ts", ".tsx", ".mts", ".cts":
		return "typescript"
	case ".js", ".jsx", ".mjs", ".cjs":
		return "javascript"
	case ".py", ".pyi", ".pyx":
		return "python"
	case ".rs":
		return "rust"
	case ".java":
		return "java"
	case ".kt", ".kts":
		return "kotlin"
	case ".rb":
		return "ruby"
	case ".swift":
		return "swift"
	case ".c", ".h":
		return "c"
	case ".cc", ".cpp", ".cxx", ".hh", ".hpp", ".hxx":
		return "c++"
	case ".m", ".mm":
		return "objective-c"
	case ".cs":
		return "c#"
	case ".fs":
		return "f#"
	case ".php":
		return "php"
	case ".scala":
		return "scala"
	case ".groovy":
		return "groovy"
	case ".dart":
		return "dart"
	case ".ex", ".exs":
		return "elixir"
	case ".erl":
		return "erlang"
	case ".hs":
		return "haskell"
	case ".ml", ".mli":
		return "ocaml"
	case ".clj", ".cljs":
		return "clojure"
	case ".lua":
		return "lua"
	case ".zig":
		return "zig"
	case ".jl":
		return "julia"
	case ".pl", ".pm":
		return "perl"
	case ".r":
		return "r"
	case ".sol":
		return "solidity"
	case ".vue":
		return "vue"
	case ".svelte":
		return "svelte"
	case ".astro":
		return "astro"
	case ".sh", ".bash":
		return "shell"
	case ".proto":
		return "protobuf"
	}
	return ""
}

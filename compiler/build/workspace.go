package build

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/settgraph/sett/compiler/rt/sources"
)

// workspace is the folder of a Go module with the runtime and the programs of one version of
// the runtime:
//
//	<cache>/go/<hash of the runtime>/go.mod
//	<cache>/go/<hash of the runtime>/rt/...
//	<cache>/go/<hash of the runtime>/p/<hash of the text>/main.go, program
type workspace struct {
	cache string
	dir   string
	fixed bool   // the cache is the one that was asked for, or none
	temp  string // the folder to remove afterwards, when there is no cache
	gocmd string // "" when there is none
}

// CacheDir is the folder in which builds are kept, and whether there is one: without a home
// there is none.
func CacheDir() (string, bool) {
	if dir := os.Getenv("SETT_CACHE"); dir != "" {
		if abs, err := filepath.Abs(dir); err == nil {
			return abs, true
		}
	}
	dir, err := os.UserCacheDir()
	if err != nil {
		return "", false
	}
	return filepath.Join(dir, "sett", "pluto"), true
}

func openWorkspace(cache string) (*workspace, error) {
	ws := &workspace{cache: cache, fixed: cache != "", gocmd: findGo()}
	if cache == "" {
		ws.cache, _ = CacheDir()
	}
	err := errors.New("there is no cache folder")
	if ws.cache != "" {
		err = ws.open()
	}
	if err != nil && !ws.fixed {
		err = ws.moveOut()
	}
	if err != nil {
		return nil, fmt.Errorf("writing the runtime into the cache: %w", errors.Join(err, ws.drop()))
	}
	return ws, nil
}

// open puts the runtime into the cache.
func (ws *workspace) open() error {
	rt := runtimeFiles()
	ws.dir = filepath.Join(ws.cache, "go", hashOf(rt))
	return place(ws.dir, rt)
}

// moveOut goes on in a temporary folder: the machine has no home, or one that is not ours to
// write to.
func (ws *workspace) moveOut() error {
	dir, err := os.MkdirTemp("", "sett-")
	if err != nil {
		return err
	}
	ws.temp, ws.cache = dir, dir
	return ws.open()
}

// goModule is the module of generated programs.
const goModule = "module pluto\n\ngo 1.26\n"

// runtimeFiles are the files beside every program.
func runtimeFiles() Files {
	files := Files{"go.mod": []byte(goModule)}
	for name, text := range sources.Files() {
		files["rt/"+name] = text
	}
	return files
}

// drop removes a workspace that is not in a cache.
func (ws *workspace) drop() error {
	if ws.temp == "" {
		return nil
	}
	return os.RemoveAll(ws.temp)
}

// findGo is the go command: that of PATH, or the one at a place where it often is.
func findGo() string {
	if p, err := exec.LookPath("go"); err == nil {
		if abs, err := filepath.Abs(p); err == nil {
			return abs
		}
	}
	roots := []string{os.Getenv("GOROOT"), "/usr/local/go", "/usr/lib/go", "/opt/homebrew/opt/go/libexec", `C:\Program Files\Go`}
	for _, root := range roots {
		p := filepath.Join(root, "bin", "go"+exeSuffix(""))
		if info, err := os.Stat(p); root != "" && err == nil && !info.IsDir() {
			return p
		}
	}
	return ""
}

// exeSuffix is how executables end on a system; "" is this one.
func exeSuffix(goos string) string {
	if goos == "" {
		goos = runtime.GOOS
	}
	switch goos {
	case "windows":
		return ".exe"
	case "wasip1", "js":
		return ".wasm"
	}
	return ""
}

// key names files and the go command that builds them.
func (ws *workspace) key(files Files) string {
	if real, err := filepath.EvalSymlinks(ws.gocmd); err == nil {
		if info, err := os.Stat(real); err == nil {
			files = maps.Clone(files)
			files["/go"] = fmt.Appendf(nil, "%s %d %d", real, info.Size(), info.ModTime().UnixNano())
		}
	}
	return hashOf(files)
}

// env is the environment of the go command: what would make the build depend on the asker's
// settings is not in it.
func (ws *workspace) env(race bool, goos, goarch string) []string {
	cgo := "0"
	if race {
		cgo = "1"
	}
	drop := []string{"GOFLAGS", "GOWORK", "GOTOOLCHAIN", "GOENV", "CGO_ENABLED", "GOOS", "GOARCH", "GOEXPERIMENT", "GO111MODULE", "GOPROXY", "GODEBUG", "PWD"}
	env := []string{"GOFLAGS=", "GOWORK=off", "GOTOOLCHAIN=local", "GOENV=off", "CGO_ENABLED=" + cgo, "GOPROXY=off", "GO111MODULE=on", "PWD=" + ws.dir}
	if goos != "" {
		env = append(env, "GOOS="+goos, "GOARCH="+goarch)
	}
	hasCache := false
	for _, kv := range os.Environ() {
		name, value, _ := strings.Cut(kv, "=")
		hasCache = hasCache || name == "GOCACHE" && value != ""
		if !slices.Contains(drop, name) {
			env = append(env, kv)
		}
	}
	if _, err := os.UserCacheDir(); !hasCache && (err != nil || ws.temp != "") { // Go's would be in a folder that is not there, or not ours
		env = append(env, "GOCACHE="+filepath.Join(ws.cache, "go-build"))
	}
	return env
}

// used says whether the program is there, and notes that it is used.
func (ws *workspace) used(program, dir string) bool {
	if info, err := os.Stat(program); err != nil || info.IsDir() {
		return false
	}
	now := time.Now()
	_ = os.Chtimes(dir, now, now) // only the sweeper looks at it
	return true
}

// place puts files into a folder that has all of them or does not exist.
func place(dir string, files Files) error {
	if _, err := os.Stat(dir); err == nil {
		now := time.Now()
		_ = os.Chtimes(dir, now, now) // only the sweeper looks at it
		return nil
	}
	parent := filepath.Dir(dir)
	if err := os.MkdirAll(parent, 0o755); err != nil {
		return err
	}
	tmp, err := os.MkdirTemp(parent, ".new-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(tmp)
	for name, text := range files {
		if err := writeFile(filepath.Join(tmp, filepath.FromSlash(name)), text); err != nil {
			return err
		}
	}
	if err := os.Chmod(tmp, 0o755); err != nil {
		return err
	}
	err = os.Rename(tmp, dir)
	if _, there := os.Stat(dir); there == nil {
		return nil // another process was faster
	}
	return err
}

func writeFile(path string, text []byte) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	return os.WriteFile(path, text, 0o644)
}

// The bounds of the cache.
const (
	keepPrograms = 400
	keepBytes    = 1 << 30
	keepFor      = 14 * 24 * time.Hour
	sweepEvery   = time.Hour        // unless there are too many programs
	sweepAtMost  = 10 * time.Second // often
	inStart      = 30 * time.Second // somebody may be about to run the program
	inBuild      = 20 * time.Minute // or to build the text
)

// sweep removes what was not used for long, and the oldest of what is too much. Nothing
// depends on it, so it says nothing when it fails.
func (ws *workspace) sweep() {
	root := filepath.Join(ws.cache, "go")
	mark := filepath.Join(root, "swept")
	last := sweepEvery
	if info, err := os.Stat(mark); err == nil {
		last = time.Since(info.ModTime())
	}
	programs, _ := os.ReadDir(filepath.Join(ws.dir, "p"))
	if last < sweepAtMost || last < sweepEvery && len(programs) <= keepPrograms {
		return
	}
	_ = os.WriteFile(mark, nil, 0o644)
	sweep(root, ws.dir, time.Now())
}

// program is a folder with a program, or with its text only.
type program struct {
	dir  string
	used time.Time
	size int64
	text bool
}

// sweep keeps the youngest folders of programs, and the versions of the runtime that have
// some or are the current one.
func sweep(root, current string, now time.Time) {
	var all []program
	dirs, _ := filepath.Glob(filepath.Join(root, "*", "p", "*"))
	for _, dir := range dirs {
		if info, err := os.Stat(dir); err == nil && info.IsDir() {
			p := program{dir: dir, used: info.ModTime()}
			p.size, p.text = sizeOf(dir)
			all = append(all, p)
		}
	}
	slices.SortFunc(all, func(a, b program) int { return b.used.Compare(a.used) })
	count, total := 0, int64(0)
	for _, p := range all {
		count++
		total += p.size
		age, young := now.Sub(p.used), inStart
		if p.text {
			young = inBuild
		}
		if age < young || age < keepFor && count <= keepPrograms && total <= keepBytes {
			continue
		}
		gone := filepath.Join(filepath.Dir(p.dir), ".gone-"+filepath.Base(p.dir))
		if os.Rename(p.dir, gone) == nil { // at once, so that nobody finds half of it
			_ = os.RemoveAll(gone)
		}
	}
	runtimes, _ := filepath.Glob(filepath.Join(root, "*", "go.mod"))
	for _, mod := range runtimes {
		dir := filepath.Dir(mod)
		left, _ := os.ReadDir(filepath.Join(dir, "p"))
		if info, err := os.Stat(dir); err == nil && dir != current && len(left) == 0 && now.Sub(info.ModTime()) > inBuild {
			_ = os.RemoveAll(dir)
		}
	}
}

// sizeOf is the size of what is in a folder, and whether there is no program.
func sizeOf(dir string) (n int64, text bool) {
	text = true
	_ = filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return nil // it is being removed
		}
		if strings.HasPrefix(d.Name(), "program") {
			text = false
		}
		if info, err := d.Info(); err == nil {
			n += info.Size()
		}
		return nil
	})
	return n, text
}

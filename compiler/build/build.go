// Package build turns generated Go text into a program. It keeps a folder with a Go module
// that has the runtime and every program of late, so that the go command finds its own cache
// warm, and so that an unchanged program needs no build at all.
package build

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// Files are texts by their names; a name may have slashes.
type Files map[string][]byte

// Options says how to build. The zero value is a program for this machine, made to start
// soon: it has no symbols for debuggers.
type Options struct {
	CacheDir string // "" for SETT_CACHE, then the user's cache folder
	Target   string // "" for this machine, "wasm32-wasi", or a pair like linux/arm64
	Release  bool   // leave the paths of this machine out of the program
	Race     bool   // with the race detector of Go
}

// Program is a program that was built.
type Program struct {
	Path   string // the executable, in the cache: it stays what it is while somebody uses it
	Dir    string // the folder of its Go text
	Reused bool   // it was built before
	temp   string
}

// Close removes the program when there is no cache to keep it in.
func (p *Program) Close() error {
	if p.temp == "" {
		return nil
	}
	return os.RemoveAll(p.temp)
}

// CopyTo copies the executable to a place, whose folder is made. A program that runs there is
// replaced, not overwritten; what is no file stays.
func (p *Program) CopyTo(path string) error {
	const special = os.ModeDir | os.ModeDevice | os.ModeNamedPipe | os.ModeSocket
	if info, err := os.Stat(path); err == nil && info.Mode()&special != 0 {
		return &os.PathError{Op: "replace", Path: path, Err: errors.New("it is no file")}
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	in, err := os.Open(p.Path)
	if err != nil {
		return err
	}
	defer in.Close()
	out, err := os.CreateTemp(filepath.Dir(path), ".sett-*")
	if err != nil {
		return err
	}
	defer os.Remove(out.Name())
	_, err = io.Copy(out, in)
	if err := errors.Join(err, out.Chmod(0o755), out.Close()); err != nil {
		return err
	}
	return os.Rename(out.Name(), path)
}

// LinkError is a program that cannot be made for a reason that is not in its text.
type LinkError struct {
	Code string // of the rule
	Text string
}

func (e *LinkError) Error() string { return e.Text }

// The rules of link errors.
const (
	CodeNoGo   = "P1404"
	CodeTarget = "P1405"
)

// InternalError is Go text that the go command refuses: a fault of the compiler.
type InternalError struct {
	File   string // the Go text, kept for whoever looks into it
	Output string
}

func (e *InternalError) Error() string {
	return fmt.Sprintf("the generated program does not build; it is kept in %s\n%s", e.File, e.Output)
}

// Build builds the files of a package main, which may import the runtime as pluto/rt. The
// same files give the same program, which is built once.
func Build(ctx context.Context, files Files, o Options) (*Program, error) {
	ws, err := openWorkspace(o.CacheDir)
	if err != nil {
		return nil, err
	}
	key := ws.key(files)
	goos, goarch := "", ""
	if o.Target != "" {
		if goos, goarch, err = target(ctx, o.Target); err != nil {
			return nil, errors.Join(err, ws.drop())
		}
	}
	return ws.build(ctx, key, files, o, goos, goarch)
}

// build builds the package in a folder of the files, which the key names.
func (ws *workspace) build(ctx context.Context, key string, files Files, o Options, goos, goarch string) (*Program, error) {
	dir := filepath.Join(ws.dir, "p", key)
	p := &Program{Dir: dir, temp: ws.temp, Path: filepath.Join(dir, "program"+o.suffix(goos, goarch))}
	if ws.used(p.Path, dir) {
		p.Reused = true
		return p, nil
	}
	if err := place(dir, files); err != nil {
		if !ws.fixed && ws.temp == "" && ws.moveOut() == nil {
			return ws.build(ctx, key, files, o, goos, goarch)
		}
		return nil, errors.Join(err, ws.drop())
	}
	if err := ws.gobuild(ctx, p.Path, o, goos, goarch, "./p/"+key); err != nil {
		var fault *InternalError
		if errors.As(err, &fault) {
			fault.File = dir
			return nil, err
		}
		return nil, errors.Join(err, ws.drop())
	}
	ws.sweep()
	return p, nil
}

// suffix tells the variants of one program apart.
func (o Options) suffix(goos, goarch string) string {
	s := ""
	if o.Release {
		s += "-release"
	}
	if o.Race {
		s += "-race"
	}
	if goos != "" {
		s += "-" + goos + "-" + goarch
	}
	return s + exeSuffix(goos)
}

// Write writes the whole Go module of a program into a folder: what `go build` in it builds
// is the program.
func Write(dir string, files Files) error {
	all := maps.Clone(files)
	for name, text := range runtimeFiles() {
		all[name] = text
	}
	for _, name := range slices.Sorted(maps.Keys(all)) {
		if err := writeFile(filepath.Join(dir, filepath.FromSlash(name)), all[name]); err != nil {
			return err
		}
	}
	return nil
}

// hashOf names files by their names and contents.
func hashOf(files Files) string {
	h := sha256.New()
	for _, name := range slices.Sorted(maps.Keys(files)) {
		fmt.Fprintf(h, "%s %d\n", name, len(files[name]))
		h.Write(files[name])
	}
	return hex.EncodeToString(h.Sum(nil)[:12])
}

// gobuild runs go build for a package of the workspace and puts the program at out.
func (ws *workspace) gobuild(ctx context.Context, out string, o Options, goos, goarch string, pkg string) error {
	if ws.gocmd == "" {
		return noGo()
	}
	tmp, err := os.CreateTemp(filepath.Dir(out), ".program-*")
	if err != nil {
		return fmt.Errorf("making room for the program: %w", err)
	}
	tmp.Close()
	defer os.Remove(tmp.Name())
	// -s leaves the symbols out, which takes a third off the time of linking
	args := []string{"build", "-buildvcs=false", "-ldflags=-s -w", "-o", tmp.Name()}
	if o.Release {
		args = append(args, "-trimpath")
	}
	if o.Race {
		args = append(args, "-race")
	}
	cmd := exec.CommandContext(ctx, ws.gocmd, append(args, pkg)...)
	cmd.Dir = ws.dir
	cmd.Env = ws.env(o.Race, goos, goarch)
	var output bytes.Buffer
	cmd.Stdout, cmd.Stderr = &output, &output
	if err := cmd.Run(); err != nil {
		return goFailure(ctx, err, output.String(), goos, goarch)
	}
	if err := os.Chmod(tmp.Name(), 0o755); err != nil {
		return fmt.Errorf("making the program executable: %w", err)
	}
	if err := os.Rename(tmp.Name(), out); err != nil {
		return fmt.Errorf("keeping the program: %w", err)
	}
	return nil
}

func noGo() error {
	return &LinkError{CodeNoGo, "the Go toolchain was not found; install Go 1.26 or newer from https://go.dev/dl and see to it that `go` is in PATH"}
}

var (
	tooOld    = regexp.MustCompile(`requires go >= (\S+) \(running go (\S+?)[;)]`)
	needsLink = regexp.MustCompile(`(?i)requires external|-buildmode|unsupported GOOS/GOARCH`)
	noRace    = regexp.MustCompile(`-race (requires|is not supported|is only supported)[^\n]*`)
)

// goFailure finds out whose fault it is that go build failed.
func goFailure(ctx context.Context, err error, output, goos, goarch string) error {
	var exit *exec.ExitError
	switch {
	case ctx.Err() != nil:
		return context.Cause(ctx)
	case !errors.As(err, &exit):
		return fmt.Errorf("running go build: %w", err)
	case tooOld.MatchString(output):
		m := tooOld.FindStringSubmatch(output)
		return &LinkError{CodeNoGo, fmt.Sprintf("the Go toolchain is too old: programs need Go %s, and `go` is %s", m[1], m[2])}
	case noRace.MatchString(output):
		return &LinkError{CodeTarget, "the race detector cannot be used here: " + noRace.FindString(output)}
	case needsLink.MatchString(output):
		return &LinkError{CodeTarget, fmt.Sprintf("programs for %s/%s need a linker of that system, which Go does not have", goos, goarch)}
	case strings.Contains(output, "no space left on device"):
		return fmt.Errorf("running go build: no space left on device")
	}
	return &InternalError{Output: strings.TrimSpace(output)}
}

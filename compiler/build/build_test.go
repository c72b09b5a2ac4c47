package build

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// hello is a program of the runtime.
func hello(text string) Files {
	return Files{"main.go": []byte(`package main

import "pluto/rt"

func main() {
	rt.Sources("main.pluto")
	rt.Main(func() rt.Error {
		rt.PrintString("` + text + `")
		return nil
	})
}
`)}
}

// inTestCache uses a cache of the test. The Go cache is that of the machine.
func inTestCache(t *testing.T) string {
	t.Helper()
	if findGo() == "" {
		t.Skip("there is no go command")
	}
	dir := t.TempDir()
	t.Setenv("SETT_CACHE", dir)
	return dir
}

func mustBuild(t *testing.T, files Files, o Options) *Program {
	t.Helper()
	p, err := Build(t.Context(), files, o)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func output(t *testing.T, p *Program, env ...string) string {
	t.Helper()
	cmd := exec.Command(p.Path)
	cmd.Env = append(os.Environ(), env...)
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return string(out)
}

func TestBuild(t *testing.T) {
	inTestCache(t)
	t.Setenv("GOFLAGS", "-mod=vendor -nonsense")
	t.Setenv("GOWORK", "/nowhere/go.work")
	t.Setenv("GOTOOLCHAIN", "go9.9.9")
	t.Setenv("GOOS", "plan9")
	p := mustBuild(t, hello("hi"), Options{})
	if got := output(t, p); got != "hi\n" || p.Reused {
		t.Errorf("printed %q, reused %v", got, p.Reused)
	}
	if again := mustBuild(t, hello("hi"), Options{}); !again.Reused || again.Path != p.Path {
		t.Errorf("the same text was built again: %+v", again)
	}
	if other := mustBuild(t, hello("ho"), Options{}); other.Reused || other.Path == p.Path {
		t.Errorf("another text is the same program: %+v", other)
	}
	if err := p.Close(); err != nil {
		t.Error(err)
	}
	if got := output(t, p); got != "hi\n" {
		t.Errorf("after Close: %q", got)
	}
}

// TestBuildSideBySide builds one program many times at once.
func TestBuildSideBySide(t *testing.T) {
	inTestCache(t)
	errs := make(chan error, 8)
	for range cap(errs) {
		go func() {
			p, err := Build(context.Background(), hello("side by side"), Options{})
			if err == nil {
				_, err = os.Stat(p.Path)
			}
			errs <- err
		}()
	}
	for range cap(errs) {
		if err := <-errs; err != nil {
			t.Error(err)
		}
	}
}

func TestTargets(t *testing.T) {
	inTestCache(t)
	p := mustBuild(t, hello("far"), Options{Target: "wasm32-wasi"})
	head, err := os.ReadFile(p.Path)
	if err != nil || !strings.HasPrefix(string(head), "\x00asm") || !strings.HasSuffix(p.Path, ".wasm") {
		t.Errorf("%s is no WebAssembly: %v", p.Path, err)
	}
	tests := []struct{ target, want string }{
		{"linux/amd65", "unknown target 'linux/amd65'; near it are linux/amd64"},
		{"wasm32", "wasm32-wasi"},
		{"windows", "windows/amd64"},
		{"macos/arm64", "unknown target 'macos/arm64'"},
	}
	for _, tt := range tests {
		_, err := Build(t.Context(), hello("x"), Options{Target: tt.target})
		var link *LinkError
		if !errors.As(err, &link) || link.Code != CodeTarget || !strings.Contains(link.Text, tt.want) {
			t.Errorf("%s: %v, want %q", tt.target, err, tt.want)
		}
	}
	if _, err := Build(t.Context(), hello("x"), Options{Target: "ios/arm64"}); err == nil || !strings.Contains(err.Error(), "need a linker of that system") {
		t.Errorf("ios/arm64: %v", err)
	}
}

func TestNoGo(t *testing.T) {
	if _, err := os.Stat("/usr/local/go/bin/go"); err == nil {
		ws := &workspace{dir: t.TempDir()}
		err = ws.gobuild(t.Context(), filepath.Join(ws.dir, "x"), Options{}, "", "", ".")
		wantNoGo(t, err)
		return
	}
	t.Setenv("PATH", t.TempDir())
	t.Setenv("GOROOT", "")
	_, err := Build(t.Context(), hello("x"), Options{CacheDir: t.TempDir()})
	wantNoGo(t, err)
}

func wantNoGo(t *testing.T, err error) {
	t.Helper()
	var link *LinkError
	if !errors.As(err, &link) || link.Code != CodeNoGo || !strings.HasPrefix(link.Text, "the Go toolchain was not found; install Go") {
		t.Errorf("without go: %v", err)
	}
}

// TestOldGo runs a go command that is too old.
func TestOldGo(t *testing.T) {
	dir := t.TempDir()
	script := "#!/bin/sh\necho 'go: go.mod requires go >= 1.26 (running go 1.20.1; GOTOOLCHAIN=local)' >&2\nexit 1\n"
	if err := os.WriteFile(filepath.Join(dir, "go"), []byte(script), 0o755); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", dir)
	_, err := Build(t.Context(), hello("old"), Options{CacheDir: t.TempDir()})
	if want := "the Go toolchain is too old: programs need Go 1.26, and `go` is 1.20.1"; err == nil || err.Error() != want {
		t.Errorf("got %v, want %q", err, want)
	}
}

// TestRefused keeps text that Go refuses.
func TestRefused(t *testing.T) {
	inTestCache(t)
	_, err := Build(t.Context(), Files{"main.go": []byte("package main\n\nfunc main() { x }\n")}, Options{})
	var fault *InternalError
	if !errors.As(err, &fault) || !strings.Contains(err.Error(), "undefined: x") {
		t.Fatalf("got %v", err)
	}
	if text, err := os.ReadFile(filepath.Join(fault.File, "main.go")); err != nil || !strings.Contains(string(text), "{ x }") {
		t.Errorf("the text is not kept: %v", err)
	}
}

func TestCancelled(t *testing.T) {
	inTestCache(t)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Build(ctx, hello("never"), Options{}); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}

// TestNoHome works without any folder to cache in.
func TestNoHome(t *testing.T) {
	if findGo() == "" {
		t.Skip("there is no go command")
	}
	out, err := exec.Command(findGo(), "env", "GOCACHE").Output()
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv("GOCACHE", strings.TrimSpace(string(out)))
	for _, name := range []string{"SETT_CACHE", "XDG_CACHE_HOME", "HOME"} {
		t.Setenv(name, "")
	}
	p := mustBuild(t, hello("homeless"), Options{})
	if got := output(t, p); got != "homeless\n" {
		t.Errorf("printed %q", got)
	}
	if err := p.Close(); err != nil {
		t.Error(err)
	}
	if _, err := os.Stat(p.Path); err == nil {
		t.Error("the program is still there")
	}
}

// TestForeignHome works with a folder to cache in that cannot be written to.
func TestForeignHome(t *testing.T) {
	if findGo() == "" {
		t.Skip("there is no go command")
	}
	out, err := exec.Command(findGo(), "env", "GOCACHE").Output()
	if err != nil {
		t.Fatal(err)
	}
	cache := t.TempDir()
	t.Setenv("SETT_CACHE", cache)
	t.Setenv("GOCACHE", strings.TrimSpace(string(out)))
	ws, err := openWorkspace("")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(ws.dir, "p"), nil, 0o644); err != nil { // where the programs would be
		t.Fatal(err)
	}
	p := mustBuild(t, hello("elsewhere"), Options{})
	if got := output(t, p); got != "elsewhere\n" || strings.HasPrefix(p.Path, cache) {
		t.Errorf("%s printed %q", p.Path, got)
	}
	if err := p.Close(); err != nil {
		t.Error(err)
	}
	if _, err := Build(t.Context(), hello("nowhere"), Options{CacheDir: cache}); err == nil {
		t.Error("a folder that was asked for is passed over")
	}
}

// TestWrite builds the written module with the plain go command.
func TestWrite(t *testing.T) {
	inTestCache(t)
	dir := t.TempDir()
	if err := Write(dir, hello("written")); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(findGo(), "run", ".")
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil || string(out) != "written\n" {
		t.Errorf("%v\n%s", err, out)
	}
}

func TestBatch(t *testing.T) {
	inTestCache(t)
	programs := map[string]Files{
		"one": hello("1"), "two": hello("2"), "same": hello("1"),
		"bad": {"main.go": []byte("package main\n\nfunc main() {\n\ty\n}\n")},
	}
	p, refused, err := Batch(t.Context(), programs, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if len(refused) != 1 || !strings.Contains(refused["bad"], "undefined: y") {
		t.Errorf("refused: %v", refused)
	}
	for name, want := range map[string]string{"one": "1\n", "two": "2\n", "same": "1\n"} {
		if got := output(t, p, ProgramVariable+"="+name); got != want {
			t.Errorf("%s printed %q", name, got)
		}
	}
}

// TestSweep keeps what is young, and the youngest of what is old.
func TestSweep(t *testing.T) {
	root := t.TempDir()
	now := time.Now()
	add := func(name, file string, age time.Duration) string {
		dir := filepath.Join(root, "rt1", "p", name)
		if err := writeFile(filepath.Join(dir, file), []byte("x")); err != nil {
			t.Fatal(err)
		}
		if err := os.Chtimes(dir, now, now.Add(-age)); err != nil {
			t.Fatal(err)
		}
		return dir
	}
	want := map[string]bool{
		add("young", "program", time.Hour):             true,
		add("old", "program", keepFor+time.Hour):       false,
		add("text", "main.go", time.Minute):            true,
		add("oldtext", "main.go", keepFor+time.Hour):   false,
		filepath.Join(root, "rt1"):                     true,
		filepath.Join(root, "rt2"):                     false,
		add("crowded", "program", 2*time.Hour):         false,
		add("crowdedtext", "main.go", inBuild/2):       true,
		add("crowdedstart", "program.exe", inStart/10): true,
	}
	for i := range keepPrograms {
		add(fmt.Sprint("p", i), "program", time.Minute)
	}
	if err := writeFile(filepath.Join(root, "rt2", "go.mod"), nil); err != nil {
		t.Fatal(err)
	}
	if err := os.Chtimes(filepath.Join(root, "rt2"), now, now.Add(-time.Hour)); err != nil {
		t.Fatal(err)
	}
	want[filepath.Join(root, "rt1", "p", "young")] = false // it is one too many
	sweep(root, filepath.Join(root, "rt1"), now)
	for dir, want := range want {
		if _, err := os.Stat(dir); (err == nil) != want {
			t.Errorf("%s is there: %v, want %v", dir, err == nil, want)
		}
	}
	left, _ := os.ReadDir(filepath.Join(root, "rt1", "p"))
	if len(left) < keepPrograms-5 || len(left) > keepPrograms+5 {
		t.Errorf("%d are left", len(left))
	}
}

// TestCopyTo makes folders, replaces programs, and leaves alone what is no file.
func TestCopyTo(t *testing.T) {
	dir := t.TempDir()
	from := filepath.Join(dir, "from")
	if err := os.WriteFile(from, []byte("program"), 0o600); err != nil {
		t.Fatal(err)
	}
	p := &Program{Path: from}
	to := filepath.Join(dir, "a", "b")
	for range 2 {
		if err := p.CopyTo(to); err != nil {
			t.Fatal(err)
		}
	}
	if info, err := os.Stat(to); err != nil || info.Mode().Perm() != 0o755 || info.Size() != 7 {
		t.Errorf("%v, %v", info, err)
	}
	if err := p.CopyTo(filepath.Join(dir, "a")); err == nil {
		t.Error("a folder was replaced")
	}
	if err := os.Symlink(os.DevNull, filepath.Join(dir, "null")); err != nil {
		t.Fatal(err)
	}
	if err := p.CopyTo(filepath.Join(dir, "null")); err == nil {
		t.Error("a device was replaced")
	}
}

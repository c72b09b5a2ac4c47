package sources

import (
	"go/parser"
	"go/token"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// light are the packages of Go that the core may import: a small program links all of them.
var light = []string{
	"bufio", "cmp", "io", "maps", "math", "math/rand/v2", "os", "runtime", "runtime/metrics", "slices", "strconv", "strings",
	"sync", "sync/atomic", "syscall", "time", "unsafe",
}

func TestFiles(t *testing.T) {
	files := Files()
	core := 0
	for path, text := range files {
		if strings.Contains(string(text), ours+`"`) || strings.Contains(string(text), ours+"/") {
			t.Errorf("%s imports the runtime by its path here", path)
		}
		if strings.HasSuffix(path, "_test.go") || path == "embed.go" {
			t.Errorf("%s ships", path)
		}
		if !strings.HasSuffix(path, ".go") {
			continue
		}
		f, err := parser.ParseFile(token.NewFileSet(), path, text, parser.ImportsOnly)
		if err != nil {
			t.Error(err)
			continue
		}
		if strings.Contains(path, "/") {
			continue
		}
		core++
		for _, imp := range f.Imports {
			if p, _ := strconv.Unquote(imp.Path.Value); !slices.Contains(light, p) {
				t.Errorf("%s imports %s", path, p)
			}
		}
	}
	if core < 20 || files["local.s"] == nil {
		t.Errorf("only %d files of the core", core)
	}
	if Hash() != Hash() || len(Hash()) != 64 {
		t.Error("the hash is not one")
	}
}

// The shipped text builds, vets and runs as a module of its own, and stays small.
func TestProgram(t *testing.T) {
	dir := t.TempDir()
	write := func(path, text string) {
		t.Helper()
		path = filepath.Join(dir, path)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for path, text := range Files() {
		write("rt/"+path, string(text))
	}
	write("go.mod", "module pluto\n\ngo 1.26\n")
	write("hello/main.go", `package main

import "pluto/rt"

func main() {
	rt.Sources("main.pluto")
	rt.Main(func() rt.Error {
		tx, rx := rt.Chan[string](1)
		rt.Go(nil, "t", func() (rt.Void, rt.Error) { return rt.Void{}, tx.Send("hello") })
		v, err := rx.Recv()
		rt.PrintString(v)
		return err
	})
}
`)
	run := func(env string, name string, args ...string) string {
		t.Helper()
		cmd := exec.Command(name, args...)
		cmd.Dir = dir
		cmd.Env = append(os.Environ(), "GOFLAGS=-mod=mod", "GOWORK=off", env)
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("%s %v: %v\n%s", name, args, err, out)
		}
		return string(out)
	}
	exe := filepath.Join(dir, "hello.exe")
	run("", "go", "build", "-ldflags=-w", "-o", exe, "./hello")
	if out := run("", exe); out != "hello\n" {
		t.Errorf("it prints %q", out)
	}
	info, err := os.Stat(exe)
	if err != nil {
		t.Fatal(err)
	}
	if info.Size() > 2<<20 && runtime.GOOS == "linux" {
		t.Errorf("it has %d bytes", info.Size())
	}
	run("", "go", "vet", "./rt", "./hello")
	inlined := run("", "go", "build", "-gcflags=-m", "./rt")
	for _, accessor := range []string{
		"(*Array[go.shape.string]).At", "(*Array[go.shape.string]).Set", "(*Array[go.shape.string]).Ref", "(*Array[go.shape.string]).Push",
		"(*Array[go.shape.string]).Pop", "(*Array[go.shape.string]).Last", "(*Bytes).At", "(*Bytes).Set", "StrAt", "StrByteAt", "FloatToInt",
	} {
		if !strings.Contains(inlined, "can inline "+accessor+"\n") {
			t.Errorf("%s is not inlined", accessor)
		}
	}
	for _, target := range []string{"GOOS=wasip1 GOARCH=wasm", "GOOS=windows GOARCH=amd64", "GOOS=darwin GOARCH=arm64"} {
		goos, goarch, _ := strings.Cut(target, " ")
		t.Setenv("GOARCH", strings.TrimPrefix(goarch, "GOARCH="))
		run(goos, "go", "build", "-o", exe, "./hello")
	}
}

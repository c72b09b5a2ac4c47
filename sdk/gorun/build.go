package gorun

import (
	"context"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/settgraph/sett/query/report"
)

// Build builds packages with go build, module after module. Without an output, binaries are
// dropped: what counts is that everything compiles and links. With one, a program is written
// there; for several, it is a folder. All errors of the compiler are told of, not only the
// first ten of a package.
func Build(ctx context.Context, o Options) (*report.Build, error) {
	r, err := o.newRunner(ctx)
	if err != nil {
		return nil, err
	}
	defer r.close()
	b := &report.Build{OK: true, What: r.o.what()}
	target, err := o.target()
	if err != nil {
		return nil, err
	}
	if o.Output != "" && len(r.modules) > 1 {
		return nil, &report.Misuse{Param: "output", Text: fmt.Sprintf("it is for one module, not for %d; name a folder of one of them", len(r.modules))}
	}
	n := 0
	for i, m := range r.modules {
		r.tell(report.Event{Phase: "go build " + strings.Join(m.patterns, " "), Done: i, Total: len(r.modules)})
		m.env = append(m.env, target.env...)
		built, stop, err := r.build(b, m, target)
		if err != nil {
			return nil, err
		}
		n += built
		if stop {
			b.OK = false
			break
		}
	}
	b.Diagnostics = report.Sort(b.Diagnostics)
	if b.OK && n > 0 && len(b.Artifacts) == 0 {
		b.Built = []string{count(n, "package", "packages")}
	}
	b.Notes = r.notes
	return b, nil
}

// wasi is what compilers of other languages, and that of Pluto, call wasip1/wasm.
const wasi = "wasm32-wasi"

// A target is a system that programs are built for.
type target struct {
	name string // linux-amd64
	goos string
	env  []string
}

// target reads Options.Target.
func (o Options) target() (target, error) {
	if o.Target == "" {
		goos, arch := runtime.GOOS, runtime.GOARCH
		if v := os.Getenv("GOOS"); v != "" {
			goos = v
		}
		if v := os.Getenv("GOARCH"); v != "" {
			arch = v
		}
		return target{name: goos + "-" + arch, goos: goos}, nil
	}
	if o.Target == wasi {
		o.Target = "wasip1/wasm"
	}
	goos, arch, ok := strings.Cut(strings.ReplaceAll(o.Target, "-", "/"), "/")
	if !ok || goos == "" || arch == "" || strings.Contains(arch, "/") {
		return target{}, &report.Misuse{Param: "target", Text: fmt.Sprintf("%q is not of the form os/arch, like linux/arm64; `go tool dist list` has all", o.Target)}
	}
	t := target{name: goos + "-" + arch, goos: goos, env: []string{"GOOS=" + goos, "GOARCH=" + arch}}
	if (goos != runtime.GOOS || arch != runtime.GOARCH) && os.Getenv("CGO_ENABLED") == "" {
		t.env = append(t.env, "CGO_ENABLED=0") // there is no C compiler for other systems
	}
	return t, nil
}

// build builds what is named of a module. It gives the number of packages, and whether the run
// is at its end.
func (r *runner) build(b *report.Build, m *module, to target) (n int, stop bool, err error) {
	began := time.Now()
	out := os.DevNull
	if r.o.Output != "" {
		out = filepath.FromSlash(r.o.Output)
		if !filepath.IsAbs(out) {
			out = filepath.Join(r.o.Root, out)
		}
		if strings.HasSuffix(filepath.ToSlash(r.o.Output), "/") {
			out += string(filepath.Separator)
		}
	}
	programs, all, listed := r.list(m)
	flags := []string{"-o", out}
	if r.o.Output != "" && listed && len(programs) == 0 && all > 0 {
		return 0, false, &report.Misuse{Param: "output", Text: fmt.Sprintf("there is no program to write to %s: none of %s is a main package", r.o.Output, count(all, "package", "packages"))}
	}
	if r.o.Race {
		flags = append(flags, "-race")
	}
	diagnostics, step, err := r.compile(m, flags)
	if err != nil {
		return 0, false, err
	}
	b.Steps = append(b.Steps, step.Step)
	if r.ended(step.Step) {
		return 0, true, nil
	}
	if step.Code != 0 {
		b.OK = false
		if step.tooMany { // asked for at once, all packages would be built anew
			more, again, err := r.compile(m, append(flags, "-gcflags=-e"))
			if err != nil {
				return 0, false, err
			}
			b.Steps = append(b.Steps, again.Step)
			if r.ended(again.Step) {
				stop = true
			} else if again.Code != 0 {
				diagnostics = more
			}
		}
		b.Diagnostics = append(b.Diagnostics, diagnostics...)
		return 0, stop, nil
	}
	if r.o.Output != "" {
		b.Artifacts = append(b.Artifacts, r.artifacts(out, programs, to, began)...)
	}
	return all, false, nil
}

// A compiled is a step of a build, and whether it told only of the first errors.
type compiled struct {
	report.Step
	tooMany bool
}

// compile runs go build.
func (r *runner) compile(m *module, flags []string) ([]report.Diagnostic, compiled, error) {
	c := r.command(m, "build", flags, slices.Concat(r.o.Args, m.patterns)...)
	var printed text
	take := func(line []byte) { printed.write(string(line) + "\n") }
	c.Stdout, c.Stderr = take, take
	res, step, err := r.run("build", c)
	if err != nil {
		return nil, compiled{}, err
	}
	if res.Code == 0 {
		return nil, compiled{Step: step}, nil
	}
	f := r.where.compileErrors(m.dir, printed.all())
	if len(f.diagnostics) > 0 {
		step.Tail = nil
	} else if !res.TimedOut && !res.Canceled {
		f.diagnostics = []report.Diagnostic{{Severity: report.Error, Source: "go", Message: "go build failed without a word it is known by"}}
	}
	return f.diagnostics, compiled{step, f.tooMany}, nil
}

// list finds the programs among the packages, by their import paths, and counts all.
func (r *runner) list(m *module) (programs []string, all int, ok bool) {
	c := r.command(m, "list", []string{"-e", "-f", "{{.Name}} {{.ImportPath}}"}, m.patterns...)
	c.Stdout = func(line []byte) {
		name, imported, _ := strings.Cut(string(line), " ")
		if all++; name == "main" {
			programs = append(programs, imported)
		}
	}
	res, err := r.quietly(c)
	return programs, all, err == nil && res.Code == 0
}

// artifacts are the programs that a build wrote.
func (r *runner) artifacts(out string, programs []string, to target, began time.Time) []report.Artifact {
	info, err := os.Stat(out)
	if err != nil {
		return nil
	}
	made := func(file string, size int64) report.Artifact {
		return report.Artifact{Path: r.where.rel(file), Target: to.name, Bytes: size}
	}
	if !info.IsDir() {
		return []report.Artifact{made(filepath.Clean(out), info.Size())}
	}
	var all []report.Artifact
	for _, p := range programs {
		name := path.Base(p)
		if major.MatchString(name) && path.Dir(p) != "." {
			name = path.Base(path.Dir(p))
		}
		if to.goos == "windows" {
			name += ".exe"
		}
		file := filepath.Join(out, name)
		if info, err := os.Stat(file); err == nil && !info.ModTime().Before(began.Add(-2*time.Second)) {
			all = append(all, made(file, info.Size()))
		}
	}
	return all
}

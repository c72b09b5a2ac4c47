package plutorun

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/settgraph/sett/compiler"
	"github.com/settgraph/sett/compiler/build"
	"github.com/settgraph/sett/compiler/syntax"
	"github.com/settgraph/sett/compiler/workspace"
	"github.com/settgraph/sett/indexer/lang/pluto"
	"github.com/settgraph/sett/query/report"
	"github.com/settgraph/sett/sdk/child"
)

// outputFolder is where programs go unless somebody says where.
const outputFolder = ".pluto-build"

// Build builds programs: that of each target, a file or a folder with a main.pluto or files
// that are a program together; or every program below the root. A program with errors is in
// the result; an error is that nothing can be said.
func Build(ctx context.Context, o Options) (*report.Build, error) {
	began := time.Now()
	out := &report.Build{OK: true, What: o.what(), Artifacts: []report.Artifact{}, Diagnostics: []report.Diagnostic{}, Steps: []report.Step{}}
	programs, err := o.programs(ctx)
	if err != nil {
		return nil, err
	}
	if o.Output != "" && len(programs) > 1 {
		return nil, &report.Misuse{Param: "output", Text: fmt.Sprintf("there are %d programs in %s; name the file or folder of one", len(programs), o.what())}
	}
	if len(programs) == 0 {
		out.Notes = append(out.Notes, "no Pluto file in "+o.what()+" has a fn main or an app: nothing was built")
	}
	limited, cancel := ctx, func() {}
	if o.Timeout > 0 {
		limited, cancel = context.WithTimeout(ctx, o.Timeout)
	}
	defer cancel()
	step := report.Step{Tool: "pluto", Command: o.command(), Dir: "."}
	for i, p := range programs {
		o.tell(report.Event{Phase: "building " + o.rel(p.entry), Done: i, Total: len(programs)})
		err := o.build(limited, p, out)
		if ended := limited.Err(); err != nil && ended != nil && errors.Is(err, ended) {
			out.OK = false
			step.Canceled = ctx.Err() != nil
			step.TimedOut = !step.Canceled
			break
		}
		if err != nil {
			return nil, err
		}
	}
	out.Diagnostics = report.Sort(out.Diagnostics)
	if step.Took = time.Since(began); !out.OK {
		step.Code = 1
	}
	out.Steps = append(out.Steps, step)
	return out, nil
}

// command is what a shell would take to do the same.
func (o *Options) command() string {
	c := child.Command{Args: append([]string{"sett", "build"}, o.Targets...)}
	if o.Output != "" {
		c.Args = append(c.Args, "-o", o.Output)
	}
	if o.Target != "" {
		c.Args = append(c.Args, "--target", o.Target)
	}
	return c.Shell()
}

// program is what is built: an entry, and whether the other files of its folder are left out.
type program struct {
	entry      string // absolute; a file, or a folder
	standalone bool
}

// programs are those of the targets. A folder with source files is one program, any other one
// has the programs below it; so has the root, whatever there is in it.
func (o *Options) programs(ctx context.Context) ([]program, error) {
	targets := o.Targets
	if len(targets) == 0 {
		targets = []string{""}
	}
	var out []program
	for _, t := range targets {
		at := o.abs(t)
		if text, ok := o.Layer.Read(at); ok && text != nil {
			out = append(out, program{entry: at})
			continue
		}
		info, err := os.Stat(at)
		if err != nil {
			return nil, &report.Misuse{Text: "there is no file or folder " + t, Err: err}
		}
		root := at == filepath.Clean(o.Root)
		if !root && (!info.IsDir() || hasSources(at)) {
			out = append(out, program{entry: at})
			continue
		}
		below, err := o.below(ctx, at)
		if err != nil {
			return nil, err
		}
		out = append(out, below...)
	}
	slices.SortFunc(out, func(a, b program) int { return strings.Compare(a.entry, b.entry) })
	return slices.CompactFunc(out, func(a, b program) bool { return a.entry == b.entry }), nil
}

func hasSources(dir string) bool {
	entries, _ := os.ReadDir(dir) // a folder that cannot be read has none
	return slices.ContainsFunc(entries, func(e os.DirEntry) bool { return e.Type().IsRegular() && isSource(e.Name()) })
}

// below are the programs in and below a folder that begin somewhere.
func (o *Options) below(ctx context.Context, dir string) ([]program, error) {
	all := *o
	all.Targets = nil
	files, err := all.sources()
	if err != nil {
		return nil, err
	}
	in := workspace.Input{Root: o.Root, Stdlib: o.Stdlib, Read: func(path string) ([]byte, error) { return o.read(o.abs(path)) }}
	for _, f := range files {
		in.Files = append(in.Files, o.rel(f))
	}
	slices.Sort(in.Files)
	state, err := workspace.Build(ctx, in, nil)
	if err != nil {
		return nil, fmt.Errorf("looking for programs: %w", err)
	}
	var out []program
	for _, g := range state.Groups() {
		at := o.abs(g.Entry)
		if rel, err := filepath.Rel(dir, at); err != nil || !filepath.IsLocal(rel) {
			continue
		}
		if m := state.Module(g.Entry); !g.Test && m != nil && starts(m.File) {
			out = append(out, program{at, g.Standalone})
		}
	}
	return out, nil
}

// starts says whether a file has what a program begins with.
func starts(f *syntax.File) bool {
	return slices.ContainsFunc(f.Decls, func(d syntax.Decl) bool {
		_, app := d.(*syntax.AppDecl)
		fn, ok := d.(*syntax.FuncDecl)
		return app || ok && fn.Name != nil && fn.Name.Name == "main"
	})
}

// build builds one program and puts it where it goes.
func (o *Options) build(ctx context.Context, what program, out *report.Build) error {
	entry, lo := what.entry, o.loading()
	lo.Standalone = what.standalone
	p := compiler.Check(entry, lo)
	built, err := compiler.Build(ctx, p, build.Options{Target: o.Target, Release: true})
	if err != nil {
		return fmt.Errorf("building %s: %w", o.rel(entry), err)
	}
	for _, d := range p.Diags.Sorted() {
		out.Diagnostics = append(out.Diagnostics, pluto.Finding(d))
	}
	if built == nil {
		out.OK = false
		return nil
	}
	defer built.Close()
	at, err := o.install(entry, built)
	if err != nil {
		return err
	}
	info, err := os.Stat(at)
	if err != nil {
		return fmt.Errorf("writing %s: %w", o.rel(at), err)
	}
	target := strings.ReplaceAll(o.Target, "/", "-")
	if target == "" {
		target = runtime.GOOS + "-" + runtime.GOARCH
	}
	out.Artifacts = append(out.Artifacts, report.Artifact{Path: o.rel(at), Target: target, Bytes: info.Size()})
	return nil
}

// install copies a program to its place and returns that.
func (o *Options) install(entry string, built *build.Program) (string, error) {
	name := strings.TrimSuffix(filepath.Base(entry), filepath.Ext(entry)) + filepath.Ext(built.Path)
	at := o.abs(o.Output)
	if o.Output == "" {
		dir := filepath.Join(o.Root, outputFolder)
		at = filepath.Join(dir, filepath.Dir(o.rel(entry)), name)
		if err := os.MkdirAll(dir, 0o755); err != nil {
			return "", fmt.Errorf("making room for the program: %w", err)
		}
		ignore := filepath.Join(dir, ".gitignore")
		if _, err := os.Lstat(ignore); errors.Is(err, fs.ErrNotExist) {
			_ = os.WriteFile(ignore, []byte("*\n"), 0o644) // a convenience
		}
	} else if info, err := os.Stat(at); err == nil && info.IsDir() {
		at = filepath.Join(at, name)
	}
	if isSource(at) {
		return "", &report.Misuse{Param: "output", Text: o.rel(at) + " is source text, and no place for a program"}
	}
	if err := built.CopyTo(at); err != nil {
		return "", fmt.Errorf("writing %s: %w", o.rel(at), err)
	}
	return at, nil
}

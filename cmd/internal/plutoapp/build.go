package plutoapp

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/settgraph/sett/cmd/internal/params"
	"github.com/settgraph/sett/compiler"
	"github.com/settgraph/sett/compiler/build"
	"github.com/settgraph/sett/compiler/check"
	"github.com/settgraph/sett/compiler/load"
	"github.com/settgraph/sett/sdk/pluto"
)

// entry is the file or folder that a program is made of, as an absolute path.
func (c *Call) entry(ctx context.Context, path string) (string, error) {
	v, err := c.look(ctx)
	if err != nil {
		return "", err
	}
	if path == "" {
		path = "."
	}
	abs, err := inside(v.Root(), path)
	if err != nil {
		return "", err
	}
	if info, err := os.Stat(abs); err == nil && info.IsDir() {
		return abs, nil
	}
	m, err := v.Module(path)
	if err != nil {
		return "", err
	}
	return c.abs(m.Path), nil
}

// loading is how programs are loaded: with the edits that are staged.
func (c *Call) loading(b building) load.Options {
	o := load.Options{Standalone: b.Standalone, Stdlib: c.project.stdlib, Base: c.project.Root()}
	staged := map[string][]byte{}
	for _, path := range c.project.Dirty() {
		staged[c.abs(path)] = nil
		if m, err := c.view.Module(path); err == nil && m.Path == path {
			staged[c.abs(path)] = m.Bytes()
		}
	}
	if len(staged) > 0 {
		o.Layer = load.NewLayer(staged)
	}
	return o
}

// check checks a program, of whose files it sees all of an edit that another process makes or
// nothing of it.
func (c *Call) check(ctx context.Context, entry string, o load.Options) (p *check.Program) {
	_ = pluto.Whole(ctx, c.project.Root(), c.app.options.ReadOnly, func() error { // it fails as the function does: never
		p = compiler.Check(entry, o)
		return nil
	})
	return p
}

// program checks and builds a program; built is nil when it has errors.
func (c *Call) program(ctx context.Context, b building, o build.Options) (entry string, p *check.Program, built *build.Program, err error) {
	if entry, err = c.entry(ctx, b.Path); err != nil {
		return "", nil, nil, err
	}
	c.step("checking")
	p = c.check(ctx, entry, c.loading(b))
	if p.Diags.Errors() > 0 {
		return entry, p, nil, nil
	}
	c.step("building")
	built, err = compiler.Build(ctx, p, o)
	return entry, p, built, err
}

// outputFolder is where programs go unless somebody says where.
const outputFolder = ".pluto-build"

func compile(ctx context.Context, c *Call, a *compileArgs) (*Answer, error) {
	if clip(a.Target) != a.Target {
		return nil, &params.Error{Param: "target", Text: fmt.Sprintf("no value %q", clip(a.Target))}
	}
	if _, err := c.look(ctx); err != nil {
		return nil, err
	}
	if _, err := inside(c.project.Root(), first(a.Output, outputFolder)); err != nil {
		return nil, err
	}
	entry, p, built, err := c.program(ctx, a.building, build.Options{Target: a.Target, Release: true})
	if err != nil {
		return nil, err
	}
	var output string
	var size int64
	if built != nil {
		defer built.Close()
		if output, size, err = c.install(built, entry, a.Output); err != nil {
			return nil, err
		}
	}
	ds := p.Diags.Sorted()
	errs, warnings := bySeverity(ds)
	rel := c.rel(entry)
	return &Answer{
		failed: built == nil,
		lines: func(b *strings.Builder) {
			if built != nil {
				target := strings.ReplaceAll(a.Target, "/", "-")
				if target == "" {
					target = runtime.GOOS + "-" + runtime.GOARCH
				}
				fmt.Fprintf(b, "built %s (%s, %s)\n", c.rel(output), target, bytesText(size))
			} else {
				fmt.Fprintf(b, "not built: %s in %s\n", verdict(ds), named(rel))
			}
			diagLines(b, ds)
		},
		doc: func() any {
			var out any
			if built != nil {
				out = c.path(c.rel(output))
			}
			o := (&object{d: c.dialect}).put("success", built != nil).in(D001, "path", c.abs(rel)).in(D001, "output", out)
			if built != nil {
				o.put("output_path", out)
			}
			return c.diagnosed(o, errs, warnings)
		},
	}, nil
}

// rel is a path from the root.
func (c *Call) rel(abs string) string {
	for _, root := range []string{c.project.Root(), realPath(c.project.Root())} {
		if rel, err := filepath.Rel(root, abs); err == nil && !strings.HasPrefix(rel, "..") {
			return filepath.ToSlash(rel)
		}
	}
	return filepath.ToSlash(abs)
}

func realPath(path string) string {
	if real, err := filepath.EvalSymlinks(path); err == nil {
		return real
	}
	return path
}

func bytesText(n int64) string {
	switch {
	case n < 1000:
		return fmt.Sprintf("%d B", n)
	case n < 1000*1000:
		return fmt.Sprintf("%.1f KB", float64(n)/1000)
	}
	return fmt.Sprintf("%.1f MB", float64(n)/1000/1000)
}

// install puts a program where it was asked for, in the project.
func (c *Call) install(built *build.Program, entry, output string) (string, int64, error) {
	root := c.project.Root()
	name := strings.TrimSuffix(filepath.Base(entry), filepath.Ext(entry)) + filepath.Ext(built.Path)
	if output == "" {
		dir := filepath.Join(root, outputFolder)
		if err := os.MkdirAll(dir, 0o755); err != nil {
			return "", 0, fmt.Errorf("making room for the program: %w", err)
		}
		ignore := filepath.Join(dir, ".gitignore")
		if _, err := os.Lstat(ignore); errors.Is(err, fs.ErrNotExist) {
			_ = os.WriteFile(ignore, []byte("*\n"), 0o644) // a convenience
		}
		output = filepath.Join(outputFolder, name)
	}
	abs, err := inside(root, output)
	if err != nil {
		return "", 0, err
	}
	if info, err := os.Stat(abs); err == nil && info.IsDir() {
		abs = filepath.Join(abs, name)
	}
	if err := c.forPrograms(abs, name); err != nil {
		return "", 0, err
	}
	if err := built.CopyTo(abs); err != nil {
		return "", 0, fmt.Errorf("writing %s: %w", c.rel(abs), err)
	}
	info, err := os.Stat(abs)
	if err != nil {
		return "", 0, fmt.Errorf("writing %s: %w", c.rel(abs), err)
	}
	return abs, info.Size(), nil
}

// forPrograms refuses places where a program would be taken for something else, or would take
// the place of it.
func (c *Call) forPrograms(abs, name string) error {
	first, _, _ := strings.Cut(c.rel(abs), "/")
	if IsSource(abs) || first == ".git" || first == ".sett" {
		return &params.Error{Param: "output", Text: c.rel(abs) + " is no place for a program"}
	}
	info, err := os.Stat(abs)
	if err == nil && (!info.Mode().IsRegular() || info.Mode()&0o111 == 0 && (filepath.Ext(name) == "" || filepath.Ext(abs) != filepath.Ext(name))) {
		return &Failure{Code: "conflict", Text: c.rel(abs) + " is there already and is no program", Hint: "choose another name"}
	}
	return nil
}

// testFiles are the files whose tests are run: the one that was named, or those below a
// folder that have any.
func (c *Call) testFiles(ctx context.Context, path string) ([]*pluto.Module, error) {
	v, err := c.look(ctx)
	if err != nil {
		return nil, err
	}
	if path != "" {
		if m, err := v.Module(path); err == nil {
			return []*pluto.Module{m}, nil
		}
	}
	modules, err := c.below(v, path)
	if err != nil {
		return nil, err
	}
	var out []*pluto.Module
	for _, m := range modules {
		if m.Err == nil && compiler.HasTests(m.File()) {
			out = append(out, m)
		}
	}
	if len(out) == 0 {
		return nil, &Failure{Code: "not_found", Text: "there are no files with tests in " + first(path, "the project"), Hint: "add_declaration adds a test: test \"name\" { ... }"}
	}
	return out, nil
}

func first(s, otherwise string) string {
	if s != "" {
		return s
	}
	return otherwise
}

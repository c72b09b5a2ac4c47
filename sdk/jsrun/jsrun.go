// Package jsrun builds and tests the projects of a package.json: with the project's own
// scripts, run by the package manager that the project uses.
//
// Results do not come from reading what a runner prints for people. A file that every node
// process of the script loads first ([NODE_OPTIONS]) finds the test runner, wherever in the
// script it is started, and gives it one more reporter, ours, which writes an event a line.
// So the scripts run as their authors wrote them, nothing in the project changes, and what
// was known when a run is cut short is known here too.
//
// [NODE_OPTIONS]: https://nodejs.org/api/cli.html#node_optionsoptions
package jsrun

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/settgraph/sett/query/report"
	"github.com/settgraph/sett/sdk/child"
)

// Options says what is built or tested, and how.
type Options struct {
	Root     string             // absolute: the project
	Targets  []string           // folders, or test files, from the root; none: the project
	Files    []string           // exact test files, from the root; they win over Targets
	Name     string             // a regular expression for the full names of tests ("math > adds"), as JavaScript takes it; "": all
	Args     []string           // given to the test runner, or to the build script, as they are
	Timeout  time.Duration      // for the whole run; 0: none
	Progress func(report.Event) // told how far it is; never concurrently; may be nil
}

// Test runs the tests of a project: those of the root's script, or of the packages below when
// the root has none; with Targets those of the packages that the targets are in or hold. What
// goes wrong with the tests is in the report; an error means that nothing could be run, and
// says what to do about it. A project without tests is OK, with a note.
//
// Failed counts what is in Failures and is not broken: also a hook that failed and an error
// that no test caught, which runners count apart.
func Test(ctx context.Context, o Options) (*report.Test, error) {
	p, err := o.open()
	if err != nil {
		return nil, err
	}
	jobs, err := p.plan(o.Root, o.Targets, o.Files)
	if err != nil {
		return nil, err
	}
	t := &report.Test{OK: true, What: what("the tests of", len(jobs), func(i int) string { return jobs[i].pkg.label() })}
	if len(jobs) == 0 {
		t.What = "no tests"
		t.Notes = append(t.Notes, "no package.json has a test script")
		return t, nil
	}
	began := time.Now()
	ran := 0
	var problem error
	for _, j := range jobs {
		if !j.pkg.Ready {
			problem = p.unready(j.pkg)
			t.Notes, t.OK = append(t.Notes, problem.Error()), false
			continue
		}
		left, ok := o.left(began)
		if !ok || ctx.Err() != nil {
			t.OK = false
			t.Notes = append(t.Notes, fmt.Sprintf("the tests of %s did not run: time was up", j.pkg.label()))
			continue
		}
		one, err := p.test(ctx, o, j, left)
		if err != nil {
			return nil, err
		}
		ran++
		t.Add(one)
	}
	if ran == 0 && problem != nil {
		return nil, problem
	}
	if note := p.Manager.note(t.Steps); note != "" {
		t.Notes = append(t.Notes, note)
	}
	return t, nil
}

// open detects the project and makes the root absolute, since scripts run in other folders.
func (o *Options) open() (*Project, error) {
	root, err := filepath.Abs(o.Root)
	if err != nil {
		return nil, fmt.Errorf("finding the folder %s: %w", o.Root, err)
	}
	o.Root = root
	return Detect(root)
}

// left is the time that a run still has.
func (o Options) left(began time.Time) (time.Duration, bool) {
	if o.Timeout <= 0 {
		return 0, true
	}
	left := o.Timeout - time.Since(began)
	return left, left > 0
}

// unready says that a package cannot run, and what helps.
func (p *Project) unready(pkg *Package) error {
	at := ""
	if pkg.Dir != "." {
		at = " in " + pkg.Dir
		if p.Workspaces {
			at = " in the root of the project"
		}
	}
	return &report.Misuse{Text: fmt.Sprintf("the dependencies of %s are not installed: run `%s`%s", pkg.label(), p.Manager.install(), at)}
}

// unstarted says that a script could not be run, and what helps.
func (p *Project) unstarted(doing string, err error) error {
	if errors.Is(err, exec.ErrNotFound) {
		name := p.Manager.Command[0]
		return &report.Misuse{Text: name + " is needed for " + doing + ", and is not in PATH: install it, or Node.js from https://nodejs.org", Err: err}
	}
	return fmt.Errorf("%s: %w", doing, err)
}

// label is how people are told of a package.
func (p *Package) label() string {
	switch {
	case p.Dir != ".":
		return p.Dir
	case p.Name != "":
		return p.Name
	}
	return "the project"
}

func what(verb string, n int, label func(int) string) string {
	const most = 4
	var names []string
	for i := range min(n, most) {
		names = append(names, label(i))
	}
	s := verb + " " + strings.Join(names, ", ")
	if n > most {
		s += fmt.Sprintf(" and %d more", n-most)
	}
	return s
}

// Build runs the build script of a project: the root's, or, when it has none, those of the
// packages below, one after the other, those that others depend on first; with Targets those of the
// packages that the targets are in or hold. A project without a build script is OK, with a
// note, and nothing runs. Types are not checked, unless the script does.
func Build(ctx context.Context, o Options) (*report.Build, error) {
	p, err := o.open()
	if err != nil {
		return nil, err
	}
	pkgs := p.builds(o.Targets)
	b := &report.Build{OK: true, What: what("the build of", len(pkgs), func(i int) string { return pkgs[i].label() })}
	if len(pkgs) == 0 {
		b.What = "nothing"
		b.Notes = append(b.Notes, "no package.json has a build script: nothing ran")
		return b, nil
	}
	began := time.Now()
	var problem error
	for i, pkg := range pkgs {
		if !pkg.Ready {
			problem = p.unready(pkg)
			b.Notes, b.OK = append(b.Notes, problem.Error()), false
			continue
		}
		left, ok := o.left(began)
		if !ok || ctx.Err() != nil {
			b.OK = false
			b.Notes = append(b.Notes, fmt.Sprintf("%s was not built: time was up", pkg.label()))
			continue
		}
		if o.Progress != nil {
			o.Progress(report.Event{Phase: "building " + pkg.label(), Done: i, Total: len(pkgs)})
		}
		if err := p.build(ctx, o, pkg, left, b); err != nil {
			return nil, err
		}
	}
	if len(b.Steps) == 0 && problem != nil {
		return nil, problem
	}
	if note := p.Manager.note(b.Steps); note != "" {
		b.Notes = append(b.Notes, note)
	}
	b.Diagnostics = report.Sort(b.Diagnostics)
	return b, nil
}

// keptOutput is how much of the end of what a script printed is read for errors.
const keptOutput = 256 << 10

// build runs the build script of one package.
func (p *Project) build(ctx context.Context, o Options, pkg *Package, left time.Duration, b *report.Build) error {
	dir := filepath.Join(o.Root, filepath.FromSlash(pkg.Dir))
	began := time.Now()
	c := child.Command{
		Dir: dir, Args: p.Manager.run("build", o.Args), Env: p.environment(), Timeout: left,
		Log: child.LogFile(o.Root, "build"), Keep: keptOutput,
	}
	res, err := child.Run(ctx, c)
	if err != nil {
		return p.unstarted("building "+pkg.label(), err)
	}
	step := res.Step(p.Manager.Command[len(p.Manager.Command)-1], pkg.Dir, c, o.Root)
	step.Command = child.Command{Args: c.Args}.Shell()
	found := findings(localizer(o.Root, realPath(o.Root), dir), string(res.Tail))
	if report.Count(found, report.Error) > 0 {
		step.Tail = nil
	} else if res.Code != 0 {
		step.Tail = said(res.Tail, 40)
	}
	b.Diagnostics = append(b.Diagnostics, found...)
	b.Steps = append(b.Steps, step)
	b.OK = b.OK && res.Code == 0 && !res.TimedOut && !res.Canceled
	if res.Code == 0 {
		b.Built = append(b.Built, fmt.Sprintf("%s (%s)", pkg.label(), step.Command))
	}
	b.Artifacts = append(b.Artifacts, artifacts(o.Root, pkg, began)...)
	return nil
}

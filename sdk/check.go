package sdk

import (
	"context"
	"path"
	"slices"
	"strings"

	"github.com/settgraph/sett/indexer"
	"github.com/settgraph/sett/query/report"
	"github.com/settgraph/sett/sdk/gorun"
	"github.com/settgraph/sett/sdk/pluto"
)

// CheckOptions say what is checked. The zero value is the whole project as it is on disk.
type CheckOptions struct {
	// Targets are the files and folders, slash-separated from the root, whose findings are
	// wanted; none: all.
	Targets []string

	// Changed keeps to what differs from the last commit of git, and to all that can mean
	// something else because of it.
	Changed bool

	NoTests bool // leave test files out
	Vet     bool // let go vet look at Go packages too

	// Text is laid over the files, by slash-separated path from the root, as [Project.Overlay]
	// does for good.
	Text map[string][]byte

	Progress func(report.Event)
}

// Check finds what is wrong, in all languages that have a checker. It needs no index. A
// target that is no source file of the project is a query.NotFoundError.
func (p *Project) Check(ctx context.Context, o CheckOptions) (*report.Check, error) {
	res := &report.Check{What: what(o.Targets), Diagnostics: []report.Diagnostic{}}
	c := check{CheckOptions: o, laid: p.withText(o.Text)}
	if o.Changed {
		var err error
		if c.changed, err = p.changes(ctx); err != nil {
			return nil, err
		}
		for f := range o.Text {
			c.changed[f] = true
		}
		res.What = "what changed since the last commit"
		if where := what(o.Targets); where != wholeProject {
			res.What += ", in " + where
		}
	}
	var checked []indexer.Checked
	read := func() (err error) {
		checked, err = c.run(ctx, p)
		return err
	}
	var err error
	if p.opts.NoRefresh {
		err = read()
	} else { // all of an edit that sett makes, or nothing of it
		err = pluto.Whole(ctx, p.root, p.opts.ReadOnly, read)
	}
	if err != nil {
		return nil, err
	}
	vet := false
	for _, l := range checked {
		res.Files += l.Files
		res.Notes = append(res.Notes, l.Notes...)
		res.Diagnostics = append(res.Diagnostics, l.Findings...)
		vet = vet || l.Lang == "go" && o.Vet
	}
	if vet {
		c.step("go vet")
		found, notes, err := gorun.Vet(ctx, gorun.Options{Root: p.root, Targets: o.Targets, Overlay: c.laid})
		if err != nil {
			return nil, err
		}
		res.Notes = append(res.Notes, notes...)
		res.Diagnostics = append(res.Diagnostics, slices.DeleteFunc(found, c.beside)...)
	}
	res.Diagnostics = report.Sort(res.Diagnostics)
	res.Errors, res.Warnings = report.Count(res.Diagnostics, report.Error), report.Count(res.Diagnostics, report.Warning)
	return res, nil
}

// check is one check under way.
type check struct {
	CheckOptions
	laid    map[string][]byte
	changed map[string]bool // nil unless only what changed is wanted
}

func (c *check) step(phase string) {
	if c.Progress != nil {
		c.Progress(report.Event{Phase: phase})
	}
}

// run reads the files and lets the checkers look at them.
func (c *check) run(ctx context.Context, p *Project) ([]indexer.Checked, error) {
	c.step("reading files")
	scan, st, options, err := p.sources(ctx, c.laid)
	if err != nil {
		return nil, err
	}
	for f := range c.Text {
		if !slices.ContainsFunc(scan.Files, func(s indexer.File) bool { return s.Path == f && s.Lang != "" }) {
			return nil, notSource(p.root, scan, f)
		}
	}
	only, err := inTargets(p.root, scan, c.Targets)
	if err != nil {
		return nil, err
	}
	c.step("checking")
	return p.services.Check(ctx, options, scan, st, indexer.CheckScope{Only: only, NoTests: c.NoTests, Changed: c.changed})
}

// beside says whether a finding of vet, which sees whole packages, is out of the scope.
func (c *check) beside(d report.Diagnostic) bool {
	if c.NoTests && strings.HasSuffix(d.File, "_test.go") {
		return true
	}
	if c.changed == nil {
		return false
	}
	for f := range c.changed {
		if path.Dir(f) == path.Dir(d.File) {
			return false
		}
	}
	return true
}

package sdk

import (
	"context"
	"errors"
	"time"

	"github.com/settgraph/sett/query"
	"github.com/settgraph/sett/query/report"
	"github.com/settgraph/sett/sdk/gorun"
	"github.com/settgraph/sett/sdk/jsrun"
	"github.com/settgraph/sett/sdk/plutorun"
)

// BuildOptions say what is built, and for what. The zero value builds all of it.
type BuildOptions struct {
	Targets  []string // files and folders, slash-separated from the root; none: all
	Output   string   // where the program goes, absolute or from the root; only with what makes one program
	Target   string   // the system that it is for, as "linux/arm64"; "": this one
	Args     []string // given to the go command or the script as they are
	Timeout  time.Duration
	Progress func(report.Event)
}

// Build builds what there is: Go packages by the go command, JavaScript and TypeScript by
// the project's own script, Pluto programs by the compiler. What does not build is in the
// result; an error is that nothing could be tried.
func (p *Project) Build(ctx context.Context, o BuildOptions) (*report.Build, error) {
	langs, err := p.buildable(ctx, o.Targets)
	if err != nil {
		return nil, err
	}
	laid := p.withText(nil)
	res := &report.Build{OK: true, What: what(o.Targets), Artifacts: []report.Artifact{}, Diagnostics: []report.Diagnostic{}, Steps: []report.Step{}}
	n := langs.count()
	switch {
	case n == 0:
		return nil, &query.NotFoundError{Name: res.What, Reason: "there is nothing to build in " + res.What + ": no Go module, no package.json, no Pluto file"}
	case n > 1 && o.Output != "":
		return nil, &query.InvalidError{Param: "output", Msg: "there are several languages in " + res.What + "; name the file or folder that makes the program"}
	case o.Target != "" && langs.scripts && n == 1:
		return nil, &query.InvalidError{Param: "target", Msg: "scripts of package.json build for no system in particular"}
	}
	several := mixed{langs: n}
	if langs.goes {
		r, err := gorun.Build(ctx, gorun.Options{Root: p.root, Targets: langs.of("go", o.Targets), Output: o.Output, Target: o.Target, Args: o.Args,
			Timeout: o.Timeout, Overlay: laid, Progress: o.Progress})
		if err == nil && n > 1 {
			for i := range r.Built {
				r.Built[i] += " of Go"
			}
		}
		if err := several.join(res, "Go", r, err); err != nil {
			return nil, err
		}
	}
	if langs.scripts {
		r, err := jsrun.Build(ctx, jsrun.Options{Root: p.root, Targets: langs.of("ts", o.Targets), Args: o.Args, Timeout: o.Timeout, Progress: o.Progress})
		if err := several.join(res, "JavaScript", r, err); err != nil {
			return nil, err
		}
	}
	if langs.pluto {
		r, err := plutorun.Build(ctx, plutorun.Options{Root: p.root, Targets: langs.of("pluto", o.Targets), Output: o.Output, Target: o.Target,
			Timeout: o.Timeout, Layer: layerOf(p.root, laid), Progress: o.Progress})
		if err := several.join(res, "Pluto", r, err); err != nil {
			return nil, err
		}
	}
	return res, nil
}

// join adds the build of one language.
func (m *mixed) join(res *report.Build, lang string, r *report.Build, err error) error {
	if note, err := m.excuse(lang, err); err != nil {
		return err
	} else if note != "" {
		res.OK, res.Notes = false, append(res.Notes, note)
		return nil
	}
	res.OK = res.OK && r.OK
	res.Built = append(res.Built, r.Built...)
	res.Artifacts = append(res.Artifacts, r.Artifacts...)
	res.Diagnostics = append(res.Diagnostics, r.Diagnostics...)
	res.Steps = append(res.Steps, r.Steps...)
	res.Notes = append(res.Notes, r.Notes...)
	return nil
}

// mixed are the runs of a project of several languages. What keeps one of them from running
// is told beside what the others found, unless there are no others.
type mixed struct{ langs, kept int }

// excuse makes a note of what kept a language from running, if another one may still have run.
// A wrong option is to be mended, whoever else could make something of it.
func (m *mixed) excuse(lang string, err error) (note string, fault error) {
	var misuse *report.Misuse
	if err == nil || !errors.As(err, &misuse) || misuse.Param != "" {
		return "", err
	}
	if m.kept++; m.kept == m.langs {
		return "", err
	}
	return lang + ": " + misuse.Error(), nil
}

package mcpserver

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/settgraph/sett/cmd/internal/app"
	"github.com/settgraph/sett/cmd/internal/params"
	"github.com/settgraph/sett/cmd/internal/plutoapp"
	"github.com/settgraph/sett/query"
	"github.com/settgraph/sett/sdk"
)

// aboutWork are the parameters that checks, builds and tests have in common.
type aboutWork struct {
	Format  string `json:"format" enum:"lines,json,sarif,github"`
	Project string `json:"project_path"`
	Budget  int    `json:"budget" default:"600"`
}

// waiting says how long a command may take.
type waiting struct {
	Timeout   float64 `json:"timeout" help:"seconds"`
	TimeoutMS int     `json:"timeout_ms" help:"milliseconds"`
}

type checkArgs struct {
	Path    string `json:"path" pos:"0?" alias:"file"`
	Content string `json:"content" help:"unsaved text of path"`
	Changed bool   `json:"changed" help:"what differs from the last commit, and what that can break"`
	Vet     bool   `json:"vet" help:"go vet too"`
	NoTests bool   `json:"no_tests"`
	aboutWork
}

type buildArgs struct {
	Path   string `json:"path" pos:"0?" alias:"file"`
	Target string `json:"target" help:"linux/arm64, wasm32-wasi"`
	Output string `json:"output"`
	waiting
	aboutWork
}

type testArgs struct {
	Path   string `json:"path" pos:"0?" alias:"file"`
	Symbol string `json:"symbol" help:"only tests that reach it"`
	Filter string `json:"filter" help:"regexp of names"`
	Race   bool   `json:"race"`
	Short  bool   `json:"short"`
	Target string `json:"target"` // 002 has it; tests run on this system
	waiting
	aboutWork
}

// The limits of commands.
const (
	usualWait = 5 * time.Minute
	mostWait  = 10 * time.Minute
)

func (w *waiting) limit() (time.Duration, error) {
	d := time.Duration(w.Timeout * float64(time.Second))
	switch {
	case w.Timeout != 0 && w.TimeoutMS != 0:
		return 0, &params.Error{Text: "timeout (seconds) and timeout_ms are the same parameter; give one"}
	case w.Timeout < 0 || w.TimeoutMS < 0:
		return 0, &params.Error{Param: "timeout", Text: "want something positive"}
	case w.TimeoutMS != 0:
		d = time.Duration(w.TimeoutMS) * time.Millisecond
	case w.Timeout == 0:
		return usualWait, nil
	}
	if d > mostWait || w.Timeout > mostWait.Seconds() {
		return 0, &params.Error{Param: "timeout", Text: fmt.Sprintf("at most %s", mostWait)}
	}
	return d, nil
}

// workTools are what looks at code by running or imitating its compiler.
func workTools() []*tool {
	return []*tool{
		workTool("check", "Check code",
			"Use after edits: the errors that the compiler would give, in Go, TypeScript, JavaScript and Pluto, without building. Unsaved text and staged edits are seen.",
			hints{readOnly: true, idempotent: true}, (*call).check),
		workTool("build", "Build",
			"Use to build Go packages, a JavaScript project by its own script, or a Pluto program.",
			hints{openWorld: true, idempotent: true}, (*call).build),
		workTool("test", "Run tests",
			"Use to run tests of a file, a folder, all, or those that reach a symbol: counts, and for each failure place, expected, got.",
			hints{destructive: true, openWorld: true}, (*call).test),
	}
}

// workTool makes a tool that any language may be behind. What names nothing but Pluto, or
// is spelled as the documents of Pluto spell it, is answered as they say.
func workTool[A any](name, title, description string, h hints, handle func(*call, context.Context, *A, written) (*app.Reply, error)) *tool {
	twin := plutoapp.Lookup(name)
	t := &tool{
		name: name, title: title, description: description, toolset: plutoapp.SetBuild, hints: h,
		params:   func() []any { return []any{new(A)} },
		describe: describeWork,
	}
	t.answer = func(ctx context.Context, c *call, raw json.RawMessage) (*app.Reply, error) {
		g := written{}
		if json.Unmarshal(raw, &g) != nil || g == nil {
			g = written{}
		}
		if twin != nil && !c.server.cot && c.onlyPluto(ctx, g) {
			return c.pluto(ctx, twin, raw)
		}
		args := new(A)
		if err := t.set.FillJSON(raw, args); err != nil {
			return nil, err
		}
		return handle(c, ctx, args, g)
	}
	return t
}

// written are the arguments of a call as they were written.
type written map[string]json.RawMessage

func (g written) has(names ...string) bool {
	for _, n := range names {
		if g[n] != nil {
			return true
		}
	}
	return false
}

// describeWork says how tools/list describes the parameters of checks, builds and tests.
func describeWork(f *params.Field) (text string, listed bool) {
	switch f.Name {
	case "format", "project_path", "budget", "timeout_ms", "no_tests", "race", "short":
		return "", false
	case "path", "output", "timeout":
		return "", true
	}
	return f.Help, f.Help != ""
}

// onlyPluto says whether a call is about Pluto and nothing else.
func (c *call) onlyPluto(ctx context.Context, g written) bool {
	manual := g.has("stdlib", "standalone", "cwd")
	if !manual && g.has("content", "changed", "vet", "symbol", "race", "short", "no_tests") {
		return false
	}
	path := text(g, "path")
	switch {
	case manual, plutoapp.IsSource(path), c.server.options.Dialect != "":
		return true
	case !c.hasPluto(ctx, g):
		return false
	}
	only := false
	err := c.server.projects.Do(c.folder(ctx, text(g, "project_path")), nil, func(p *sdk.Project) error {
		targets, err := app.Targets(p.Root(), "", one(path))
		if err != nil {
			return err
		}
		langs, err := p.Languages(ctx, targets)
		only = langs["pluto"] && !langs["go"] && !langs["ts"]
		return err
	})
	return err == nil && only
}

// one is the targets that a path names; the whole project is none.
func one(path string) []string {
	if path == "" || path == "." {
		return nil
	}
	return []string{path}
}

// work lets f work with the project and the targets of a call.
func (c *call) work(ctx context.Context, about *aboutWork, path string, f func(p *sdk.Project, targets []string) (any, error)) (*app.Reply, error) {
	var reply *app.Reply
	err := c.server.projects.Do(c.folder(ctx, about.Project), c.progress, func(p *sdk.Project) error {
		targets, err := app.Targets(p.Root(), "", one(path))
		if err != nil {
			return err
		}
		if len(targets) == 1 && targets[0] == "." {
			targets = nil
		}
		res, err := f(p, targets)
		if err != nil {
			return err
		}
		text, ok := c.server.cotText(res, about.Format)
		if !ok {
			text, err = app.Render(res, app.Form{Name: about.Format})
		}
		reply = &app.Reply{Result: res, Text: text}
		return err
	})
	return reply, err
}

func (c *call) check(ctx context.Context, a *checkArgs, g written) (*app.Reply, error) {
	return c.work(ctx, &a.aboutWork, a.Path, func(p *sdk.Project, targets []string) (any, error) {
		o := sdk.CheckOptions{Targets: targets, Changed: a.Changed, Vet: a.Vet, NoTests: a.NoTests, Progress: app.Progress(c.progress)}
		if g.has("content") {
			if len(targets) != 1 {
				return nil, &params.Error{Param: "content", Text: "it needs the path of the file that it is the text of"}
			}
			if info, err := os.Stat(filepath.Join(p.Root(), filepath.FromSlash(targets[0]))); err == nil && info.IsDir() {
				return nil, &params.Error{Param: "content", Text: targets[0] + " is a folder"}
			}
			o.Text = map[string][]byte{targets[0]: []byte(a.Content)}
		}
		res, err := p.Check(ctx, o)
		if err == nil {
			res.Budget = a.Budget
		}
		return res, err
	})
}

func (c *call) build(ctx context.Context, a *buildArgs, _ written) (*app.Reply, error) {
	limit, err := a.limit()
	if err != nil {
		return nil, err
	}
	return c.work(ctx, &a.aboutWork, a.Path, func(p *sdk.Project, targets []string) (any, error) {
		o := sdk.BuildOptions{Targets: targets, Target: a.Target, Timeout: limit, Progress: app.Progress(c.progress)}
		if o.Target == "native" {
			o.Target = ""
		}
		if a.Output != "" {
			out, err := app.Targets(p.Root(), "", []string{a.Output})
			if err != nil {
				return nil, err
			}
			o.Output = out[0]
		}
		res, err := p.Build(ctx, o)
		if err == nil {
			res.Budget = a.Budget
		}
		return res, err
	})
}

func (c *call) test(ctx context.Context, a *testArgs, _ written) (*app.Reply, error) {
	limit, err := a.limit()
	if err != nil {
		return nil, err
	}
	if a.Target != "" && a.Target != "native" {
		return nil, &params.Error{Param: "target", Text: "tests run on this system: native"}
	}
	return c.work(ctx, &a.aboutWork, a.Path, func(p *sdk.Project, targets []string) (any, error) {
		o := sdk.TestOptions{Targets: targets, Filter: a.Filter, Race: a.Race, Short: a.Short, Timeout: limit, Progress: app.Progress(c.progress)}
		if a.Symbol != "" { // then the path says which declaration of the name
			which := &query.TypeArgs{Symbol: a.Symbol, Path: a.Path}
			if err := app.Localize(p.Root(), "", which); err != nil {
				return nil, err
			}
			o.Targets, o.Symbol, o.Path = nil, which.Symbol, which.Path
		}
		res, err := p.Test(ctx, o)
		if err == nil {
			res.Budget = a.Budget
		}
		return res, err
	})
}

// Package plutoapp is what the command line and the MCP server have in common about Pluto:
// THE table of its tools (tool.go), their arguments (args.go), and their answers, as lines
// and as the JSON of the two documents that describe them (dialect.go).
package plutoapp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"path"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/settgraph/sett/cmd/internal/params"
	"github.com/settgraph/sett/sdk/pluto"
)

// Options say how an [App] answers.
type Options struct {
	Staged   bool    // edits wait for save
	ReadOnly bool    // refuse what changes files of a project
	Dialect  Dialect // answers are JSON in this dialect unless a call says otherwise; 0: lines
	Default  Dialect // the dialect of JSON that a call leaves open; 0: [D001]

	// Listed says whether the asker can call a tool; nil: all. What a hint says of one that it
	// cannot call is said of one of the graph that is as good.
	Listed func(name string) bool

	// Root finds the root of the project that a folder is in; nil: the folder itself.
	Root func(dir string) (string, error)
	// Fixed says that somebody chose the project: a path outside of it is no reason to
	// look for another one.
	Fixed bool
}

// App answers the tools. It keeps projects open, and is safe for concurrent use.
type App struct {
	options Options

	mu     sync.Mutex
	open   map[string]*project // by root
	loaded string              // the root that load_project chose; "" for none
	clock  int
}

// project is an open project and what its clients have seen of it.
type project struct {
	*pluto.Project
	stdlib      string
	users, used int  // guarded by App.mu
	gone        bool // it is to be closed when nobody uses it

	mu   sync.Mutex
	seen map[string]sight // by path
}

// sight is a file as a client knows it.
type sight struct {
	hash string
	at   time.Time
}

// New returns an App that has opened nothing yet.
func New(o Options) *App {
	if o.Dialect != 0 {
		o.Default = o.Dialect
	}
	if o.Default == 0 {
		o.Default = D001
	}
	if o.Dialect == D000 {
		o.Staged = true
	}
	return &App{options: o, open: map[string]*project{}}
}

// Close closes all projects. Nobody may be asking.
func (a *App) Close() {
	a.mu.Lock()
	defer a.mu.Unlock()
	for _, p := range a.open {
		_ = p.Close()
	}
	clear(a.open)
}

// Request is one call of a tool.
type Request struct {
	Dir      string          // the folder of the project, when the arguments name none
	Args     json.RawMessage // an object
	Progress func(phase string)
}

// Run answers a call. The error, if there is one, is for [Explain].
func (a *App) Run(ctx context.Context, t *Tool, r Request) (*Reply, error) {
	c, args, err := a.prepare(t, r)
	if err != nil {
		return nil, c.failed(err)
	}
	return a.answer(ctx, t, c, args)
}

// RunArgs answers a call whose arguments are filled, as a command line does.
func (a *App) RunArgs(ctx context.Context, t *Tool, dir string, asJSON bool, args any) (*Reply, error) {
	c := &Call{app: a, tool: t, dir: dir, dialect: Both, main: a.options.Default, json: asJSON}
	return a.answer(ctx, t, c, args)
}

func (a *App) answer(ctx context.Context, t *Tool, c *Call, args any) (*Reply, error) {
	defer c.close()
	if t.Writes() && a.options.ReadOnly {
		return nil, c.failed(&Failure{Code: "read_only", Text: "this server changes no files", Hint: "ask its owner to start it without --read-only"})
	}
	if w, ok := args.(interface{ form() *common }); ok {
		c.about = *w.form()
	}
	answer, err := t.handle(ctx, c, args)
	if err != nil {
		return nil, c.failed(err)
	}
	text, err := c.render(answer)
	if err != nil {
		return nil, err
	}
	return &Reply{Text: text, Failed: answer.failed, Diff: answer.diff}, nil
}

// Reply is the answer of a tool.
type Reply struct {
	Text   []byte // ends in a newline, unless it is the text of a file that does not
	Failed bool   // what was checked does not hold: errors, failed tests, views out of date
	Diff   bool   // the text is a diff
}

// form lets [App] see what every call has.
func (c *common) form() *common { return c }

// prepare reads the arguments of a call. The call is never nil.
func (a *App) prepare(t *Tool, r Request) (*Call, any, error) {
	c := &Call{app: a, tool: t, dir: r.Dir, progress: r.Progress, agent: true, main: a.options.Default, json: a.options.Dialect != 0}
	g, err := readGiven(r.Args)
	if err != nil {
		return c, nil, err
	}
	c.speak(g)
	if raw, ok := g["staged"]; ok && string(raw) == "false" {
		if _, said := g["save"]; !said {
			g["save"] = json.RawMessage("true") // whatever the server does by itself
		}
	}
	for _, name := range []string{"id", "uuid", "class_id", "target_id"} {
		if text := g.text(name); text != "" {
			c.byID = name
		}
	}
	if c.also, err = g.merge(t.params.Lookup("symbol")); err != nil {
		return c, nil, err
	}
	raw, err := g.raw()
	if err != nil {
		return c, nil, err
	}
	args := t.args()
	if err := t.params.FillJSON(raw, args); err != nil {
		return c, nil, err
	}
	return c, args, nil
}

// speak finds out in which dialect, and in which form, a call is answered.
func (c *Call) speak(g given) {
	if d := g.dialect(c.tool.Name); d != 0 {
		c.dialect, c.main, c.asked = d, d, true
	} else {
		c.app.mu.Lock()
		if c.app.loaded != "" && c.app.options.Dialect == 0 {
			c.main = D001 // load_project is of that document
		}
		c.app.mu.Unlock()
		c.dialect = Both
		if c.app.options.Dialect != 0 {
			c.dialect = c.app.options.Dialect
		}
	}
	switch g.text("format") {
	case "json":
		c.json = true
	case "lines":
		c.json = false
	}
}

// use opens the project that a call is about. The folder that the call names wins, then the
// one that load_project chose, then that of the server.
func (c *Call) use() (*project, error) {
	if c.project != nil {
		return c.project, nil
	}
	dir := c.dir
	c.app.mu.Lock()
	loaded := c.app.loaded
	c.app.mu.Unlock()
	switch {
	case c.about.Project == "":
	case filepath.IsAbs(c.about.Project):
		dir = c.about.Project
	default:
		dir = filepath.Join(dir, c.about.Project)
	}
	root := loaded
	if root == "" || c.about.Project != "" {
		var err error
		if root, err = c.app.root(dir); err != nil {
			return nil, err
		}
	}
	p, err := c.app.acquire(root, c.about.Stdlib)
	if err != nil {
		return nil, err
	}
	c.project = p
	return p, nil
}

// root is the root of the project that a folder is in.
func (a *App) root(dir string) (string, error) {
	abs, err := filepath.Abs(dir)
	if err != nil {
		return "", fmt.Errorf("finding the project: %w", err)
	}
	info, err := os.Stat(abs)
	switch {
	case os.IsNotExist(err):
		return "", &params.Error{Text: "there is no folder " + clip(dir)}
	case errors.Is(err, os.ErrPermission):
		return "", fmt.Errorf("finding the project: %w", err)
	case err != nil: // it is too long, or no path at all
		return "", &params.Error{Text: fmt.Sprintf("%q is no folder", clip(dir))}
	case !info.IsDir():
		abs = filepath.Dir(abs)
	}
	if a.options.Root == nil {
		return abs, nil
	}
	return a.options.Root(abs)
}

// maxOpen is how many projects stay open when nobody asks about them.
const maxOpen = 8

// acquire opens a project, or finds it open. Another standard library than the one that it
// was opened with opens it again, unless edits would be lost.
func (a *App) acquire(root, stdlib string) (*project, error) {
	if stdlib != "" {
		abs, err := filepath.Abs(stdlib)
		if err != nil {
			return nil, fmt.Errorf("finding the standard library: %w", err)
		}
		if info, err := os.Stat(abs); err != nil || !info.IsDir() {
			return nil, &params.Error{Param: "stdlib", Text: "there is no folder " + stdlib}
		}
		stdlib = abs
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	p := a.open[root]
	if p != nil && stdlib != "" && p.stdlib != stdlib {
		if len(p.Dirty()) > 0 {
			return nil, &Failure{Code: "conflict", Text: "the project has staged edits, and is open with another standard library", Hint: "save or discard them first"}
		}
		delete(a.open, root)
		p.gone = true
		p.closeIdle()
		p = nil
	}
	if p == nil {
		opened, err := pluto.Open(root, pluto.Options{ReadOnly: a.options.ReadOnly, Staged: a.options.Staged, Stdlib: stdlib})
		if err != nil {
			return nil, err
		}
		p = &project{Project: opened, stdlib: stdlib, seen: map[string]sight{}}
		a.open[root] = p
	}
	a.clock++
	p.users, p.used = p.users+1, a.clock
	a.trim()
	return p, nil
}

func (a *App) release(p *project) {
	a.mu.Lock()
	defer a.mu.Unlock()
	p.users--
	p.closeIdle()
	a.trim()
}

func (p *project) closeIdle() {
	if p.gone && p.users == 0 {
		_ = p.Close()
	}
}

// trim closes the projects that were not asked about for longest, but none with edits that
// only it has.
func (a *App) trim() {
	for len(a.open) > maxOpen {
		oldest := ""
		for root, p := range a.open {
			if p.users == 0 && len(p.Dirty()) == 0 && (oldest == "" || p.used < a.open[oldest].used) {
				oldest = root
			}
		}
		if oldest == "" {
			return
		}
		_ = a.open[oldest].Close()
		delete(a.open, oldest)
	}
}

// Call is one call of a tool.
type Call struct {
	app      *App
	tool     *Tool
	dir      string
	about    common
	progress func(phase string)

	dialect Dialect // whose members objects have
	main    Dialect // whose containers, and whose paths
	asked   bool    // the call has a spelling of the dialect
	json    bool
	agent   bool // who reads the lines has little room

	also []spelling // when the symbol is spelled in several ways that are not the same text
	byID string     // the parameter that should hold a UUID

	project *project
	view    *pluto.View
}

func (c *Call) close() {
	if c.project != nil {
		c.app.release(c.project)
	}
}

func (c *Call) step(phase string) {
	if c.progress != nil {
		c.progress(phase)
	}
}

// look is the project as it is now.
func (c *Call) look(ctx context.Context) (*pluto.View, error) {
	if c.view != nil {
		return c.view, nil
	}
	p, err := c.use()
	if err != nil {
		return nil, err
	}
	v, err := p.View(ctx)
	if err != nil {
		return nil, err
	}
	c.view = v
	p.note(v, false)
	return v, nil
}

// note remembers files as the clients know them: those that are new, or all.
func (p *project) note(v *pluto.View, all bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, m := range v.Modules() {
		if _, known := p.seen[m.Path]; !known || all {
			p.seen[m.Path] = sight{m.Hash, m.Loaded}
		}
	}
}

// noteFiles remembers files that the clients have changed or asked for themselves.
func (p *project) noteFiles(v *pluto.View, paths ...string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, path := range paths {
		if m, err := v.Module(path); err == nil {
			p.seen[m.Path] = sight{m.Hash, time.Now()}
		} else {
			delete(p.seen, path)
		}
	}
}

// path is a path as the answer has it: absolute in the dialect of 001.
func (c *Call) path(rel string) string {
	if c.main == D001 {
		return c.abs(rel)
	}
	return rel
}

func (c *Call) abs(rel string) string {
	if c.project == nil {
		return rel
	}
	return filepath.Join(c.project.Root(), filepath.FromSlash(rel))
}

// answerOf is one answer in both forms; only one of them is made.
type answerOf struct {
	lines  func(b *strings.Builder)
	doc    func() any // of type raw when the answer is a text in JSON's place too
	failed bool
	diff   bool
}

// Answer is what a handler returns.
type Answer = answerOf

// raw is an answer that is a text in every form.
type raw string

func (c *Call) render(a *Answer) ([]byte, error) {
	if !c.json {
		var b strings.Builder
		a.lines(&b)
		return []byte(b.String()), nil
	}
	doc := a.doc()
	if text, ok := doc.(raw); ok {
		return []byte(text), nil
	}
	b, err := compact(doc)
	return append(b, '\n'), err
}

// Loaded is the root of the project that load_project has chosen, or "".
func (a *App) Loaded() string {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.loaded
}

// Overlay is what is staged in the projects at and below a folder, by slash-separated path
// from there; a file that is gone is empty.
func (a *App) Overlay(folder string) map[string][]byte {
	var all map[string][]byte
	for root, p := range a.projects() {
		rel, err := filepath.Rel(folder, root)
		if err != nil || !filepath.IsLocal(rel) {
			continue
		}
		for name, data := range p.Overlay() {
			if all == nil {
				all = map[string][]byte{}
			}
			all[path.Join(filepath.ToSlash(rel), name)] = data
		}
	}
	return all
}

// Staged says whether a project has edits that are not on disk yet.
func (a *App) Staged() bool {
	for _, p := range a.projects() {
		if len(p.Dirty()) > 0 {
			return true
		}
	}
	return false
}

// projects are those that are open, for questions that may have to wait for each.
func (a *App) projects() map[string]*project {
	a.mu.Lock()
	defer a.mu.Unlock()
	return maps.Clone(a.open)
}

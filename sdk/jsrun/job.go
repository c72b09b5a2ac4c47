package jsrun

import (
	"bytes"
	"context"
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/settgraph/sett/query/report"
	"github.com/settgraph/sett/sdk/child"
)

//go:embed reporter
var reporters embed.FS

// A hook is the folder with our reporters that one job has for itself.
type hook struct {
	dir    string
	option string // what NODE_OPTIONS has for it
}

// choice is what the hook gives a runner: arguments before and after the script's own.
type choice struct {
	First []string `json:"first"`
	Last  []string `json:"last"`
}

// settings is config.json, which the hook reads.
type settings struct {
	Option   string   `json:"option"`
	Files    []string `json:"files"`    // files and folders that the tests are narrowed to; null: none
	Narrowed bool     `json:"narrowed"` // to those, or by name
	Several  bool     `json:"several"`  // runners are started by the script
	Args     []string `json:"args"`
	Vitest   choice   `json:"vitest"`
	Jest     choice   `json:"jest"`
	Mocha    choice   `json:"mocha"`
}

// newHook writes the reporters and what they are to do.
func newHook(o Options, j job, node bool, shown bool) (*hook, error) {
	dir, err := os.MkdirTemp("", "sett-js-")
	if err != nil {
		return nil, fmt.Errorf("making a folder for the reporters: %w", err)
	}
	h := &hook{dir: realPath(dir)}
	files, err := reporters.ReadDir("reporter")
	if err != nil {
		return nil, errors.Join(err, h.close())
	}
	for _, f := range files {
		data, err := reporters.ReadFile("reporter/" + f.Name())
		if err == nil {
			err = os.WriteFile(h.file(f.Name()), data, 0o600)
		}
		if err != nil {
			return nil, errors.Join(fmt.Errorf("writing the reporters: %w", err), h.close())
		}
	}
	options := []string{"--require=" + h.file("hook.cjs")}
	if node {
		if shown {
			options = append(options, "--test-reporter=spec", "--test-reporter-destination=stdout")
		}
		options = append(options, "--test-reporter="+h.file("node.mjs"), "--test-reporter-destination="+h.file("node.out"))
	}
	for i, opt := range options {
		if strings.ContainsAny(opt, " \"\\") {
			options[i] = strconv.Quote(opt)
		}
	}
	h.option = strings.Join(options, " ")
	data, err := json.Marshal(h.settings(o, j))
	if err == nil {
		err = os.WriteFile(h.file("config.json"), data, 0o600)
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("writing the settings of the reporters: %w", err), h.close())
	}
	return h, nil
}

func (h *hook) file(name string) string { return filepath.Join(h.dir, name) }

func (h *hook) close() error { return os.RemoveAll(h.dir) }

func (h *hook) settings(o Options, j job) settings {
	var places, patterns []string
	for _, p := range j.places {
		at := filepath.Join(realPath(o.Root), filepath.FromSlash(p))
		places = append(places, at)
		patterns = append(patterns, regexp.QuoteMeta(filepath.ToSlash(at))+"(/|$)")
	}
	s := settings{Option: h.option, Files: places, Args: o.Args, Narrowed: o.Name != "" || len(places) > 0, Several: j.pkg.starting("test") > 1}
	s.Vitest = choice{First: places, Last: []string{"--reporter=" + h.file("vitest.mjs")}}
	s.Jest = choice{First: patterns, Last: []string{"--reporters=" + h.file("jest.cjs")}}
	if j.files && len(places) > 0 {
		s.Jest = choice{First: places, Last: append(s.Jest.Last, "--runTestsByPath")}
		s.Mocha.First = places
	}
	s.Mocha.Last = []string{"--reporter=" + h.file("mocha.cjs")}
	if s.Narrowed { // what a part covers is no reason to fail
		s.Vitest.Last = append(s.Vitest.Last, "--coverage.enabled=false")
		s.Jest.Last = append(s.Jest.Last, "--coverage=false")
	}
	if name := pattern(spaced(o.Name)); name != "" {
		if _, err := strconv.ParseFloat(name, 64); err == nil {
			name = "(?:" + name + ")" // else it comes out of the flags as a number
		}
		s.Vitest.Last = append(s.Vitest.Last, "--testNamePattern="+name)
		s.Jest.Last = append(s.Jest.Last, "--testNamePattern="+name)
		s.Mocha.Last = append(s.Mocha.Last, "--grep="+name)
	}
	for _, list := range []*[]string{&s.Args, &s.Vitest.First, &s.Jest.First, &s.Mocha.First} {
		if *list == nil {
			*list = []string{} // null has no elements to spread
		}
	}
	return s
}

// spaced is a name as runners have it, who join the names of a test and of what it is in with
// a space.
func spaced(name string) string { return strings.ReplaceAll(name, separator, " ") }

// pattern is a name as an expression that also fits what is written in it as it is: names of
// tests have parentheses and dots, and are given back as they were told.
func pattern(name string) string {
	literal := regexp.QuoteMeta(name)
	if literal == name || strings.HasPrefix(name, "/") { // node takes /this/i for an expression with flags
		return name
	}
	return name + "|" + literal
}

func realPath(p string) string {
	if real, err := filepath.EvalSymlinks(p); err == nil {
		return real
	}
	return p
}

// environment is what scripts are started with beyond ours.
func (p *Project) environment(more ...string) []string {
	env := []string{"COREPACK_ENABLE_DOWNLOAD_PROMPT=0", "NPM_CONFIG_UPDATE_NOTIFIER=false"}
	if p.Manager.Name == "pnpm" && !p.Manager.Missing { // it would load the version that the project names
		env = append(env, "npm_config_manage_package_manager_versions=false", "pnpm_config_manage_package_manager_versions=false")
	}
	return append(env, more...)
}

// notFound is a shell's exit code for a command that is nowhere.
const notFound = 127

// said is the end of what a script printed, without what package managers say before it.
func said(tail []byte, n int) []string {
	var kept []string
	all := child.Lines(tail, n)
	for i, line := range all {
		banner := strings.HasPrefix(line, "> ")
		pair := banner && (i > 0 && strings.HasPrefix(all[i-1], "> ") || i+1 < len(all) && strings.HasPrefix(all[i+1], "> "))
		if pair || strings.HasPrefix(line, "npm warn ") || strings.HasPrefix(line, "npm notice") || line == "" && len(kept) == 0 {
			continue
		}
		kept = append(kept, line)
	}
	return kept
}

// test runs one job. A package whose script does not get as far as its test runner is tested
// by the script of a package above it, if there is one with the same runner: in a workspace
// often only that one is ever run.
func (p *Project) test(ctx context.Context, o Options, j job, left time.Duration) (*report.Test, error) {
	began := time.Now()
	t, stuck, err := p.attempt(ctx, o, j, left)
	above := p.ownerAbove(j.pkg)
	if err != nil || !stuck || above == nil || above.Runner != j.pkg.Runner || !ours(above.Runner) {
		return t, err
	}
	if left > 0 {
		if left -= time.Since(began); left <= 0 {
			return t, nil
		}
	}
	wide := job{pkg: above, places: j.places, files: j.files}
	if len(wide.places) == 0 {
		wide.places = []string{j.pkg.Dir}
	}
	second, stuck, err := p.attempt(ctx, o, wide, left)
	if err != nil || stuck {
		return t, err
	}
	second.Notes = append(second.Notes, fmt.Sprintf("the test script of %s cannot start %s: that of %s was run for it", j.pkg.label(), j.pkg.Runner, above.label()))
	return second, nil
}

// attempt runs one job; stuck says that the script could not start its runner, or the runner
// did not find out what to run.
func (p *Project) attempt(ctx context.Context, o Options, j job, left time.Duration) (t *report.Test, stuck bool, err error) {
	node, err := knowsReporters(ctx)
	if err != nil {
		return nil, false, err
	}
	text := j.pkg.script(j.pkg.holder("test", runsNodeTest))
	node = node && (j.pkg.Runner == nodeTest || j.pkg.Runner == "")
	h, err := newHook(o, j, node, !strings.Contains(text, "--test-reporter"))
	if err != nil {
		return nil, false, err
	}
	defer func() { _ = h.close() }() // a folder of temporary files that stays does no harm
	c, notes := p.command(o, j, h)
	options := h.option
	if own := os.Getenv("NODE_OPTIONS"); own != "" {
		options = own + " " + options
	}
	c.Env = p.environment(append(c.Env, "NODE_OPTIONS="+options)...)
	if os.Getenv("CI") == "" {
		c.Env = append(c.Env, "CI=1") // nobody is there to press keys
	}
	c.Dir = filepath.Join(o.Root, filepath.FromSlash(j.pkg.Dir))
	c.Timeout, c.Log, c.Keep = left, child.LogFile(o.Root, "test"), keptOutput

	r := newRun(o.Root, o.Name)
	r.cwd = c.Dir
	var tap tapReader
	c.Stdout = func(line []byte) { tap.line(string(line)) }
	follow := follower{file: h.file("events"), run: r, progress: o.Progress, phase: "testing " + j.pkg.label()}
	stop := follow.start()
	res, err := child.Run(ctx, c)
	stop()
	if err != nil {
		return nil, false, p.unstarted("testing "+j.pkg.label(), err)
	}

	end := ending{code: res.Code, signal: res.Signal, timedOut: res.TimedOut, canceled: res.Canceled, after: res.Took, tail: said(res.Tail, 400)}
	tool := j.pkg.Runner
	if len(r.runners) > 0 {
		tool = strings.Join(r.runners, ", ")
	}
	if tool == "" {
		tool = p.Manager.Command[len(p.Manager.Command)-1]
	}
	t = r.finish(end)
	t.Notes = append(t.Notes, j.unheard(o, r, c, end)...)
	if r.started == 0 && r.idle > 0 && end.code == 0 {
		t.Notes = append(t.Notes, "the test script of "+j.pkg.label()+" starts its runners for other files")
	} else if r.started == 0 {
		r.unitemised(t, j, end, &tap, tool)
	} else if t.Passed+t.Failed+t.Skipped+t.Broken+t.NotRun == 0 && !res.TimedOut && !res.Canceled {
		t.Notes = append(t.Notes, "no tests were found in "+j.pkg.label())
	}
	for i, f := range t.Failures {
		if f.Suite == "" {
			t.Failures[i].Suite = j.pkg.label()
		}
	}
	step := res.Step(tool, j.pkg.Dir, c, o.Root)
	shown := child.Command{}
	for _, a := range c.Args { // as somebody would type it
		shown.Args = append(shown.Args, strings.ReplaceAll(a, quoted(h.option+" "), ""))
	}
	step.Command = shown.Shell()
	if len(t.Failures) > 0 {
		step.Tail = nil
	} else if res.Code != 0 {
		step.Tail = said(res.Tail, 40)
	}
	t.Steps = []report.Step{step}
	t.Took = res.Took
	t.Notes = append(t.Notes, notes...)
	stuck = len(t.Failures) == 0 && !res.TimedOut && !res.Canceled && (r.started == 0 && res.Code == notFound || r.started > 0 && !r.counted && res.Code != 0)
	return t, stuck, nil
}

// knowsReporters says whether the node of this machine can be given reporters by its
// environment: those before 18.15 end at once.
func knowsReporters(ctx context.Context) (bool, error) {
	if !inPath("node") {
		return false, nil
	}
	res, err := child.Run(ctx, child.Command{Dir: os.TempDir(), Args: []string{"node", "--version"}, Timeout: 20 * time.Second})
	if err != nil {
		return false, fmt.Errorf("asking node for its version: %w", err)
	}
	var major, minor int
	if _, err := fmt.Sscanf(strings.TrimSpace(string(res.Tail)), "v%d.%d", &major, &minor); err != nil {
		return false, nil
	}
	return major > 19 || major == 18 && minor >= 15 || major == 19 && minor >= 6, nil
}

// command is how the tests of a package are started: by the script as it is whenever our
// environment reaches the runner and says all there is to say.
func (p *Project) command(o Options, j job, h *hook) (child.Command, []string) {
	pkg, runner := j.pkg, j.pkg.Runner
	var notes []string
	if pkg.script("test") == "" {
		notes = append(notes, fmt.Sprintf("%s has no test script: %s was run directly", pkg.label(), runner))
		args := []string{binary(o.Root, pkg.Dir, runner)}
		if runner == "vitest" {
			args = append(args, "run")
		}
		return child.Command{Args: args}, notes
	}
	if !ours(runner) {
		args := o.Args
		if len(j.places) > 0 && runner != "" {
			for _, place := range j.places {
				args = append(args[:len(args):len(args)], filepath.Join(o.Root, filepath.FromSlash(place)))
			}
		}
		return child.Command{Args: p.Manager.run("test", args)}, notes
	}
	script, edited := p.edited(o, j, h)
	if edited == "" {
		return child.Command{Args: p.Manager.run("test", nil)}, notes
	}
	if script != "test" {
		notes = append(notes, fmt.Sprintf("of the test script of %s only %s was run, since only that could be told what to report", pkg.label(), script))
	}
	if pre := pkg.script("pre" + script); pre != "" {
		edited = pre + " && " + edited
	}
	path := os.Getenv("PATH")
	for _, dir := range bins(o.Root, pkg.Dir) {
		path = dir + string(os.PathListSeparator) + path
	}
	return child.Command{Args: []string{"sh", "-c", edited}, Env: []string{"PATH=" + path, "npm_lifecycle_event=" + script}}, notes
}

// edited is the script with what its runner could not be told by the environment; "" when
// the script can run as it is.
func (p *Project) edited(o Options, j job, h *hook) (script, text string) {
	pkg := j.pkg
	node := pkg.Runner == nodeTest
	if script = pkg.holder("test", setsOptions); script != "" {
		text = joinOptions(pkg.script(script), h.option)
	}
	if !node {
		return script, text
	}
	at := pkg.holder("test", runsNodeTest)
	own := pkg.script(at)
	alone := strings.Contains(own, "--test-reporter") && !strings.Contains(own, "--test-reporter-destination")
	if at == "" || o.Name == "" && len(j.places) == 0 && len(o.Args) == 0 && !alone {
		return script, text
	}
	if at != script {
		script, text = at, own
	}
	var flags, files []string
	if o.Name != "" {
		// node 20 compares with the name alone, later ones also with all of it
		name := o.Name
		if i := strings.LastIndex(name, separator); i >= 0 {
			name = name[i+len(separator):]
		}
		flags = append(flags, "--test-name-pattern="+pattern(name))
	}
	if alone {
		flags = append(flags, "--test-reporter-destination=stdout")
	}
	flags = append(flags, o.Args...)
	for _, place := range j.places {
		files = append(files, filepath.Join(o.Root, filepath.FromSlash(place)))
	}
	return script, editNodeTest(text, flags, files)
}

// unheard says what of a request the script did not do: the files and names that it could
// not be narrowed to, and the runners that it did not come to.
func (j job) unheard(o Options, r *run, c child.Command, end ending) []string {
	var notes []string
	heard := ours(j.pkg.Runner) || r.idle > 0 || slices.ContainsFunc(r.runners, func(name string) bool { return name != nodeTest })
	if !heard && len(j.places) > 0 && j.pkg.Runner == "" {
		notes = append(notes, fmt.Sprintf("the test script of %s cannot be narrowed to files: all of it ran", j.pkg.label()))
	}
	if !heard && o.Name != "" {
		notes = append(notes, fmt.Sprintf("the test script of %s cannot be narrowed to names of tests: all of it ran", j.pkg.label()))
	}
	whole := c.Args[0] != "sh" && end.code != 0 && !end.timedOut && !end.canceled
	if n := j.pkg.starting("test"); whole && r.started > 0 && r.started+r.idle < n {
		notes = append(notes, fmt.Sprintf("the test script of %s stopped there: it starts %d test runners, and ended in number %d", j.pkg.label(), n, r.started+r.idle))
	}
	return notes
}

// bins are the folders with the programs of a package's dependencies, the nearest last.
func bins(root, dir string) []string {
	var all []string
	for at := filepath.Join(root, filepath.FromSlash(dir)); ; at = filepath.Dir(at) {
		bin := filepath.Join(at, "node_modules", ".bin")
		if _, err := os.Stat(bin); err == nil {
			all = append([]string{bin}, all...)
		}
		if filepath.Dir(at) == at {
			return all
		}
	}
}

// binary is a program of a package's dependencies; its name when there is none.
func binary(root, dir, name string) string {
	all := bins(root, dir)
	for i := len(all) - 1; i >= 0; i-- {
		if at := filepath.Join(all[i], name); inPath(at) {
			return at
		}
	}
	return name
}

// unitemised is about a run of which no reporter of ours told.
func (r *run) unitemised(t *report.Test, j job, end ending, tap *tapReader, tool string) {
	if tap.seen() {
		tap.into(t, r, j.pkg.Dir)
		t.OK = end.code == 0 && !end.timedOut && !end.canceled && len(t.Failures) == 0
		t.Notes = append(t.Notes, fmt.Sprintf("the results of %s were read from the TAP that it printed", j.pkg.label()))
		return
	}
	if end.code == 0 && !end.timedOut {
		t.Notes = append(t.Notes, fmt.Sprintf("the results of %s are not itemised: %s ended without an error", j.pkg.label(), tool))
		return
	}
	if ours(j.pkg.Runner) && !end.timedOut && !end.canceled {
		local := localizer(r.root, r.real, r.cwd)
		for _, d := range findings(local, strings.Join(end.tail, "\n")) {
			if d.Severity == report.Error && len(t.Failures) < 50 {
				t.Failures = append(t.Failures, report.Failure{Suite: j.pkg.Dir, Kind: report.Broken, File: d.File, Line: d.Line, Col: d.Col, Message: strings.TrimSpace(d.Code + " " + d.Message)})
				t.Broken++
			}
		}
		t.Notes = append(t.Notes, fmt.Sprintf("the test script of %s ended before %s began", j.pkg.label(), j.pkg.Runner))
		return
	}
	t.Notes = append(t.Notes, fmt.Sprintf("the results of %s are not itemised", j.pkg.label()))
}

// A follower reads the events as they are written.
type follower struct {
	file     string
	run      *run
	progress func(report.Event)
	phase    string

	offset int64
	rest   []byte // the beginning of a line whose end is not written yet
	told   report.Event
}

// start begins to follow; the function that it gives reads what is left and ends it.
func (f *follower) start() (stop func()) {
	done := make(chan struct{})
	var wait sync.WaitGroup
	wait.Go(func() {
		tick := time.NewTicker(150 * time.Millisecond)
		defer tick.Stop()
		for {
			select {
			case <-done:
				f.read()
				return
			case <-tick.C:
				f.read()
			}
		}
	})
	return func() {
		close(done)
		wait.Wait()
	}
}

// read feeds the run with what was written since the last time.
func (f *follower) read() {
	file, err := os.Open(f.file)
	if err != nil {
		return // no runner has begun
	}
	defer file.Close()
	buf := make([]byte, 64<<10)
	for {
		n, err := file.ReadAt(buf, f.offset)
		f.offset += int64(n)
		f.rest = append(f.rest, buf[:n]...)
		for {
			i := bytes.IndexByte(f.rest, '\n')
			if i < 0 {
				break
			}
			f.run.feed(f.rest[:i])
			f.rest = f.rest[i+1:]
		}
		if n == 0 || err != nil && !errors.Is(err, io.EOF) {
			break
		}
	}
	now := report.Event{Phase: f.phase, Done: f.run.done, Total: f.run.total, Failed: f.run.failures}
	if f.progress != nil && now != f.told {
		f.progress(now)
		f.told = now
	}
}

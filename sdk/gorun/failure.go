package gorun

import (
	"fmt"
	"os"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/settgraph/sett/query/report"
)

// A block is what one call of t.Log, t.Error and the like printed, or, without a file, lines
// that came from elsewhere.
type block struct {
	base  string // the file's name as printed
	line  int
	lines []string
}

var (
	blockStart = regexp.MustCompile(`^ {4,}(\S[^:]*\.go):(\d+): ?(.*)$`)
	behind     = regexp.MustCompile(`^(.*\S) {4}([\w.-]+_test\.go):(\d+): ?(.*)$`) // a text without a line end
)

// blocksOf splits what a test printed.
func blocksOf(lines []string) []block {
	var out []block
	for _, line := range lines {
		line = strings.TrimRight(line, "\r")
		m := blockStart.FindStringSubmatch(line)
		n := len(out) - 1
		switch {
		case m != nil:
			b := block{base: m[1], lines: []string{m[3]}}
			b.line, _ = strconv.Atoi(m[2])
			out = append(out, b)
		case n >= 0 && out[n].base != "" && strings.HasPrefix(line, "        "):
			out[n].lines = append(out[n].lines, line[8:])
		case strings.Contains(line, "_test.go:") && behind.MatchString(line):
			m := behind.FindStringSubmatch(line)
			b := block{base: m[2], lines: []string{m[4]}}
			b.line, _ = strconv.Atoi(m[3])
			out = append(out, block{lines: []string{m[1]}}, b)
		case n >= 0 && out[n].base == "":
			out[n].lines = append(out[n].lines, line)
		default:
			out = append(out, block{lines: []string{line}})
		}
	}
	return out
}

func (b block) message() string {
	return unindent(strings.TrimSpace(strings.Join(clean(b.lines), "\n")))
}

// own are lines of source that make a test fail by themselves.
var own = regexp.MustCompile(`\.(Errorf?|Fatalf?)\(|\b(assert|require)\.`)

// failures tells of what failed in a package whose test program ended.
func (s *stream) failures(p *pkg) {
	n := len(s.to.Failures)
	if !p.orderly && s.cutShort(p) {
		n = -1
	}
	for _, t := range p.order {
		if t.state == failed && !t.told && (!t.bad || s.ownFailure(p, t)) {
			s.add(s.failed(p, t))
		}
	}
	if n < 0 || len(s.to.Failures) > n {
		return
	}
	lines := clean(p.out.all())
	f := report.Failure{Suite: p.path, Kind: report.Failed, Output: relevant(lines)}
	if message, at, ok := s.where.race(s.dir, lines); ok {
		f.Kind, f.Message = report.Raced, message
		f.Output = relevant(withoutRaces(lines))
		if len(at) > 0 {
			f.File, f.Line = at[0].file, at[0].line
		}
	} else if len(p.order) == 0 {
		f.Kind, f.Message = report.Broken, "the test program failed before any test began"
	} else {
		f.Message = "the tests passed, but the test program failed"
	}
	s.add(f)
}

// ownFailure says whether a test failed not only because a subtest did.
func (s *stream) ownFailure(p *pkg, t *test) bool {
	return slices.ContainsFunc(blocksOf(t.out.all()), func(b block) bool {
		return b.base != "" && b.base != "testing.go" && own.MatchString(s.where.line(s.where.inPackage(p.path, b.base), b.line))
	})
}

// add adds a failure to the report.
func (s *stream) add(f report.Failure) {
	if f.Kind == report.Broken {
		s.to.Broken++
	} else {
		s.to.Failed++
	}
	s.to.Failures = append(s.to.Failures, f)
}

// failed tells of a test that failed.
func (s *stream) failed(p *pkg, t *test) report.Failure {
	t.told = true
	f := report.Failure{Name: t.name, Suite: p.path, Kind: report.Failed, Took: t.took}
	lines := t.out.all()
	raced, spots, isRace := s.where.race(s.dir, lines)
	if isRace {
		lines = withoutRaces(lines)
	}
	blocks := blocksOf(lines)
	blocks = slices.DeleteFunc(blocks, func(b block) bool { return b.base == "testing.go" })
	main := -1
	for i, b := range blocks {
		if b.base == "" {
			continue
		}
		file := s.where.inPackage(p.path, b.base)
		if logs := s.where.logs(file, b.line); logs && isRace {
			continue
		} else if main < 0 || !logs {
			main = i
			f.File, f.Line = file, b.line
			if !logs {
				break
			}
		}
	}
	switch {
	case main >= 0:
		f.Message = blocks[main].message()
		if a, ok := testify(f.Message); ok {
			f.Message, f.Expected, f.Got = a.message, a.expected, a.got
			if file, line, ok := placeIn(a.place); ok {
				f.File, f.Line = s.where.inPackage(p.path, file), line
			}
		} else {
			f.Expected, f.Got = values(f.Message)
		}
		blocks = slices.Delete(blocks, main, main+1)
	case isRace:
		f.Kind, f.Message = report.Raced, raced
		if len(spots) > 0 {
			f.File, f.Line = spots[0].file, spots[0].line
		}
	default:
		f.File, f.Line = s.where.declared(p.path, t.name)
		if strings.HasPrefix(t.name, "Example") {
			if got, want, ok := exampleValues(lines); ok {
				f.Message, f.Expected, f.Got = "the output is not as expected", want, got
				blocks = nil
			}
		}
	}
	if isRace && f.Kind != report.Raced {
		f.Kind = report.Raced
		f.Message = raced + "\n" + f.Message
	}
	f.Output = relevant(flat(blocks))
	if f.Message == "" && len(f.Output) == 0 {
		f.Message = "it failed without a word"
	}
	return f
}

// flat are the lines of blocks, with their places.
func flat(blocks []block) []string {
	var out []string
	for _, b := range blocks {
		for i, line := range b.lines {
			if b.base != "" && i == 0 {
				line = fmt.Sprintf("%s:%d: %s", b.base, b.line, line)
			} else if b.base != "" {
				line = "    " + line
			}
			out = append(out, line)
		}
	}
	return clean(out)
}

// placeIn reads file:line.
func placeIn(text string) (string, int, bool) {
	i := strings.LastIndexByte(text, ':')
	if i <= 0 {
		return "", 0, false
	}
	line, err := strconv.Atoi(strings.TrimSpace(text[i+1:]))
	return text[:i], line, err == nil
}

// exampleValues reads what an example printed and should have printed.
func exampleValues(lines []string) (got, want string, ok bool) {
	text := strings.Join(lines, "\n")
	if i := strings.Index(text, "got:\n"); i >= 0 {
		got, want, ok = strings.Cut(text[i+len("got:\n"):], "\nwant:\n")
		if !ok {
			got, want, ok = strings.Cut(text[i+len("got:\n"):], "want:\n")
		}
	}
	return cut(strings.TrimRight(got, "\n")), cut(strings.TrimRight(want, "\n")), ok
}

// declared is where a test's function is declared.
func (p *places) declared(pkg, name string) (string, int) {
	name, _, _ = strings.Cut(name, "/")
	folder, ok := p.folder(pkg)
	if !ok {
		return "", 0
	}
	var files []string
	if entries, err := os.ReadDir(p.abs(folder)); err == nil {
		for _, e := range entries {
			files = append(files, path.Join(folder, e.Name()))
		}
	}
	for file := range p.overlay {
		if path.Dir(file) == folder {
			files = append(files, file)
		}
	}
	slices.Sort(files)
	for _, file := range files {
		if !strings.HasSuffix(file, "_test.go") {
			continue
		}
		p.line(file, 1)
		for i, line := range p.texts[file] {
			if strings.HasPrefix(line, "func "+name+"(") {
				return file, i + 1
			}
		}
	}
	return "", 0
}

// leftOut is the line that stands for others.
func leftOut(n int) string {
	if n == 1 {
		return "... (1 line left out)"
	}
	return fmt.Sprintf("... (%d lines left out)", n)
}

const (
	firstLines = 20
	lastLines  = 5
)

// relevant are the first and last lines of what was printed, without empty lines around them.
func relevant(lines []string) []string {
	for len(lines) > 0 && strings.TrimSpace(lines[0]) == "" {
		lines = lines[1:]
	}
	for len(lines) > 0 && strings.TrimSpace(lines[len(lines)-1]) == "" {
		lines = lines[:len(lines)-1]
	}
	if len(lines) == 0 {
		return nil
	}
	if left := len(lines) - firstLines - lastLines; left > 1 {
		return slices.Concat(lines[:firstLines], []string{leftOut(left)}, lines[len(lines)-lastLines:])
	}
	return slices.Clone(lines)
}

// buildOf are the lines about the building of a package, nil if there are none.
func (s *stream) buildOf(p *pkg, failedBuild string) []string {
	if failedBuild == "" {
		return nil
	}
	lines := slices.Clone(s.builds[failedBuild])
	var others []string
	for name, more := range s.builds {
		if name != failedBuild && len(more) > 0 && strings.TrimSpace(more[0]) == "# "+p.path {
			others = append(others, name)
		}
	}
	slices.Sort(others)
	for _, name := range others {
		lines = append(lines, s.builds[name]...)
	}
	return lines
}

// broken tells of a package that could not be built or loaded.
func (s *stream) broken(p *pkg, build string, lines []string) {
	var whole []string
	for _, l := range lines {
		whole = append(whole, strings.Split(strings.TrimSuffix(l, "\n"), "\n")...)
	}
	f := report.Failure{Suite: p.path, Kind: report.Broken, Message: "it cannot be built"}
	if quit, late := s.quit(strings.Join(whole, "\n")); quit {
		if f.Kind, f.Message = report.Timeout, "it was being built "+s.lateWords; late {
			s.add(f)
		}
		return
	}
	found := s.where.compileErrors(s.dir, whole)
	if ds := found.diagnostics; len(ds) > 0 {
		d := first(ds)
		f.File, f.Line, f.Col, f.Message = d.File, d.Line, d.Col, d.Message
		if len(ds) > 1 && !s.blamed[build] {
			var rest []string
			for _, o := range ds {
				if report.Compare(o, d) != 0 {
					rest = append(rest, say(o))
				}
			}
			if found.tooMany {
				rest = append(rest, "... (the compiler stopped telling)")
			}
			f.Output = relevant(rest)
		}
	}
	s.blamed[build] = true
	s.add(f)
}

// quit says whether words are of a program that we asked to end, and why we did.
func (s *stream) quit(words string) (quit, late bool) {
	if !strings.Contains(words, "SIGQUIT: ") && !strings.Contains(words, "signal: ") {
		return false, false
	}
	if !s.deadline.IsZero() && !time.Now().Before(s.deadline) {
		return true, true
	}
	return s.gaveUp != nil && s.gaveUp(), false
}

// cutShort tells why a test program ended before its time, if it did.
func (s *stream) cutShort(p *pkg) bool {
	if p.crash == nil {
		t := p.busy(nil)
		if t == nil {
			return false
		}
		f := s.failed(p, t)
		f.Kind = report.Panic
		f.Message = strings.TrimSuffix("the test ended the whole program, as os.Exit or log.Fatal does\n"+f.Message, "\n")
		s.add(f)
		s.unfinished(p)
		return true
	}
	c := p.crash
	message, all := trace(p.printed(c).from(c.line))
	if after, ok := strings.CutPrefix(message, "panic: test timed out after "); ok {
		s.timedOut(p, after, all)
		s.unfinished(p)
		return true
	}
	if quit, late := s.quit(message); quit {
		if late {
			s.lateAll(p)
		}
		s.unfinished(p)
		return true
	}
	f := report.Failure{Suite: p.path, Kind: report.Panic, Message: message}
	var frames []frame
	if len(all) > 0 {
		frames = all[0].frames
	}
	before := p.out.all()
	if t := p.blame(frames); t != nil {
		for u := t; u != nil; u = u.parent {
			u.told = true
		}
		f.Name, f.Took = t.name, t.took
		before = t.out.all()
		if t == c.owner {
			before = before[:min(c.line, len(before))]
		}
	} else {
		before = before[:min(c.line, len(before))]
	}
	spots := s.where.spots(s.dir, frames)
	if len(spots) == 0 && f.Name != "" { // a deadlock is found by nobody in particular
		spots = s.where.spots(s.dir, of(all, p.path, root(f.Name)))
	}
	if len(spots) > 0 {
		f.File, f.Line = spots[0].file, spots[0].line
	} else if f.Name != "" {
		f.File, f.Line = s.where.declared(p.path, f.Name)
	}
	f.Output = slices.Concat(relevant(flat(blocksOf(before))), spotLines(spots))
	s.add(f)
	s.unfinished(p)
	return true
}

// root is the test that a subtest is of.
func root(name string) string {
	name, _, _ = strings.Cut(name, "/")
	return name
}

// timedOut tells of the tests that were running when go test's own time was up.
func (s *stream) timedOut(p *pkg, words string, all []goroutine) {
	lines := strings.Split(words, "\n")
	message := "test timed out after " + lines[0]
	type run struct {
		name string
		took time.Duration
	}
	var runs []run
	for _, line := range lines[1:] {
		name, rest, ok := strings.Cut(strings.TrimSpace(line), " (")
		if took, err := time.ParseDuration(strings.TrimSuffix(rest, ")")); ok && err == nil {
			runs = append(runs, run{name, took})
		}
	}
	for _, r := range runs {
		if slices.ContainsFunc(runs, func(o run) bool { return strings.HasPrefix(o.name, r.name+"/") }) {
			continue // it waits for a subtest
		}
		s.late(p, p.test(r.name), message, r.took, all)
	}
	if len(runs) == 0 {
		s.add(report.Failure{Suite: p.path, Kind: report.Timeout, Message: message + "; no test was running", Output: relevant(clean(p.out.all()))})
	}
}

// late tells of a test that was running when time was up.
func (s *stream) late(p *pkg, t *test, message string, took time.Duration, all []goroutine) {
	for u := t; u != nil; u = u.parent {
		u.told = true
	}
	f := report.Failure{Name: t.name, Suite: p.path, Kind: report.Timeout, Message: message, Took: took}
	printed := t.out.all()
	if p.crash != nil && p.crash.owner == t {
		printed = printed[:min(p.crash.line, len(printed))]
	}
	spots := s.where.spots(s.dir, of(all, p.path, root(t.name)))
	if len(spots) > 0 {
		f.File, f.Line = spots[0].file, spots[0].line
	} else {
		f.File, f.Line = s.where.declared(p.path, t.name)
	}
	f.Output = slices.Concat(relevant(flat(blocksOf(printed))), spotLines(spots))
	s.add(f)
}

// blame finds the test that ended the program: the one whose function is in the trace, and of
// its subtests the one that had just failed or was last heard of. Output may be said to be of
// another test that ran at the same time.
func (p *pkg) blame(frames []frame) *test {
	var top *test
	for _, f := range frames {
		if t := p.tests[f.testName(p.path)]; t != nil && t.state != passed && t.state != skipped {
			top = t
			break
		}
	}
	if top == nil && p.crash.owner != nil {
		top = p.tests[root(p.crash.owner.name)]
	}
	for _, t := range p.crash.fails {
		if top == nil || root(t.name) == root(top.name) {
			return t // subtests fail before those that they are of
		}
	}
	if top == nil && p.crash.owner == nil {
		return nil
	}
	if t := p.busy(top); t != nil {
		return t
	}
	return top
}

// busy is the test without running subtests that was last heard of, below a test or anywhere.
func (p *pkg) busy(top *test) *test {
	var best *test
	for _, t := range p.live() {
		if (top == nil || root(t.name) == root(top.name)) && t.state == running && (best == nil || t.last > best.last) {
			best = t
		}
	}
	return best
}

// live are the tests that began and did not end, without those that wait for subtests.
func (p *pkg) live() []*test {
	waits := map[*test]bool{}
	for _, t := range p.order {
		if t.state == running || t.state == paused {
			waits[t.parent] = true
		}
	}
	var out []*test
	for _, t := range p.order {
		if (t.state == running || t.state == paused) && !waits[t] {
			out = append(out, t)
		}
	}
	return out
}

// unfinished counts the tests that began and did not end, but for those that are told of.
func (s *stream) unfinished(p *pkg) {
	for _, t := range p.live() {
		if !t.told {
			s.to.NotRun++
		}
	}
}

// lateAll tells of the tests that are running now that we end the run.
func (s *stream) lateAll(p *pkg) {
	var all []goroutine
	if c := p.crash; c != nil {
		_, all = trace(p.printed(c).from(c.line))
	}
	told := false
	for _, t := range p.live() {
		if t.state == running {
			s.late(p, t, "it was running "+s.lateWords, 0, all)
			told = true
		}
	}
	if told {
		return
	}
	f := report.Failure{Suite: p.path, Kind: report.Timeout, Message: "it was running " + s.lateWords}
	before := p.out.all()
	if p.crash != nil && p.crash.owner == nil {
		before = before[:min(p.crash.line, len(before))]
	}
	var spots []spot
	for _, g := range all {
		if spots = s.where.spots(s.dir, g.frames); len(spots) > 0 {
			f.File, f.Line = spots[0].file, spots[0].line
			break
		}
	}
	f.Output = slices.Concat(relevant(clean(before)), spotLines(spots))
	s.add(f)
}

// printed is where the last words are.
func (p *pkg) printed(c *crash) *text {
	if c.owner != nil {
		return &c.owner.out
	}
	return &p.out
}

// finish takes the end of the run. Packages that are still open were ended with it: by us,
// because it was late, or by somebody else.
func (s *stream) finish(late bool) {
	for _, p := range slices.Clone(s.open) {
		s.count(p, false)
		if late {
			s.lateAll(p)
		}
		s.unfinished(p)
		for _, t := range p.order {
			if t.state == failed && !t.told && (!t.bad || s.ownFailure(p, t)) {
				s.add(s.failed(p, t))
			}
		}
		s.close(p)
	}
}

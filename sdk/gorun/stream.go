package gorun

import (
	"strings"
	"time"

	"github.com/settgraph/sett/query/report"
	"github.com/settgraph/sett/sdk/child"
)

// An event is a line of go test -json.
type event struct {
	Action, Package, Test, Output, ImportPath, FailedBuild string
	Elapsed                                                float64
}

// The states of a test.
type state int8

const (
	running state = iota
	paused
	passed
	failed
	skipped
)

// A test is a test, subtest, example or fuzz target of a package.
type test struct {
	name   string
	parent *test
	state  state
	subs   int  // that have begun
	bad    bool // one of its subtests failed
	told   bool // a failure is told of it
	last   int  // when it was last heard of, by the number of the event
	took   time.Duration
	out    text
}

// A pkg is a package whose tests run.
type pkg struct {
	path    string
	began   bool // its test program, or its building
	tests   map[string]*test
	order   []*test
	out     text // what no test printed
	now     int  // the number of the last event
	orderly bool // the program said PASS or FAIL itself: nothing ended it before its time
	cached  bool
	unbuilt bool    // it was said not to be built
	none    bool    // it has no tests to run
	fails   []*test // that failed since something else was heard
	crash   *crash
}

// A crash is the beginning of the last words of a test program.
type crash struct {
	owner *test   // who is said to have printed them, maybe wrongly; nil for nobody
	fails []*test // the tests that had just failed
	line  int     // of the owner's output, or the package's
}

// stream reads what go test -json prints, line by line, and fills in a report.
type stream struct {
	to     *report.Test
	where  *places
	dir    string // that the go command runs in
	tell   func(done, failed int)
	pkgs   map[string]*pkg
	open   []*pkg // not ended yet
	builds map[string][]string
	ended  int
	loose  text            // lines that are no events
	blamed map[string]bool // builds whose failure is told in full
	ran    int             // tests
	rules  int             // packages in which no test matched
	empty  int             // packages without tests

	deadline       time.Time // when we end the run; zero for never
	lateWords      string    // about what was going on then
	gaveUp         func() bool
	failedPackages int
	last           event
	header         string // the last heading of standard error
	piece          string // what the last line is as text
	lastPackage    string // that the text was of
}

func newStream(to *report.Test, where *places, dir string, tell func(done, failed int)) *stream {
	return &stream{to: to, where: where, dir: dir, tell: tell, pkgs: map[string]*pkg{}, builds: map[string][]string{}, blamed: map[string]bool{}}
}

// line takes a line that the go command printed.
func (s *stream) line(line []byte) {
	s.piece = ""
	if len(line) == 0 {
		return
	}
	if line[0] != '{' || !s.last.decode(line) {
		s.piece = string(line) + "\n"
		s.loose.write(s.piece)
		return
	}
	e := &s.last
	s.piece = e.Output
	if e.Output != "" && e.Package != s.lastPackage {
		s.piece = "=== " + e.Package + e.ImportPath + "\n" + e.Output
		s.lastPackage = e.Package
	}
	s.event(e)
}

// errLine takes a line of standard error. Go commands that know no events for building tell
// there what is wrong, package by package.
func (s *stream) errLine(line []byte) {
	text := string(line) + "\n"
	s.loose.write(text)
	if name, ok := strings.CutPrefix(text, "# "); ok {
		s.header, _, _ = strings.Cut(strings.TrimSpace(name), " ")
	}
	if s.header != "" {
		s.builds[s.header] = append(s.builds[s.header], text)
	}
}

// text is the last line for people: what the event says was printed.
func (s *stream) text() []byte { return []byte(s.piece) }

func (s *stream) event(e *event) {
	switch {
	case e.ImportPath != "" && e.Action == "build-output":
		s.builds[e.ImportPath] = append(s.builds[e.ImportPath], e.Output)
		return
	case e.Package == "":
		return
	}
	p := s.pkg(e.Package)
	p.now++
	if e.Test == "" {
		s.packageEvent(p, e)
		return
	}
	t := p.test(e.Test)
	t.last = p.now
	switch e.Action {
	case "run", "cont":
		t.state = running
	case "pause":
		t.state = paused
	case "output":
		s.output(p, t, e.Output)
		return
	case "pass":
		t.end(passed, e.Elapsed)
		t.out = text{} // nobody asks what it printed
	case "skip":
		t.end(skipped, e.Elapsed)
	case "fail":
		if t.state != failed && p.crash == nil {
			p.fails = append(p.fails, t)
		}
		t.end(failed, e.Elapsed)
		if t.parent != nil {
			t.parent.bad = true
		}
		return
	}
	p.fails = nil
}

func (t *test) end(as state, elapsed float64) {
	t.state, t.took = as, time.Duration(elapsed*float64(time.Second))
}

// pkg is the package of that path.
func (s *stream) pkg(path string) *pkg {
	p, ok := s.pkgs[path]
	if !ok {
		p = &pkg{path: path, tests: map[string]*test{}}
		s.pkgs[path] = p
		s.open = append(s.open, p)
	}
	return p
}

// test is the test of that name; one that was never said to begin is known by what it prints.
func (p *pkg) test(name string) *test {
	t, ok := p.tests[name]
	if !ok {
		t = &test{name: name}
		for i := strings.LastIndexByte(name, '/'); i > 0; i = strings.LastIndexByte(name[:i], '/') {
			if parent, ok := p.tests[name[:i]]; ok { // a name may have slashes that separate nothing
				t.parent = parent
				parent.subs++
				break
			}
		}
		p.tests[name] = t
		p.order = append(p.order, t)
	}
	return t
}

// framing are the lines that the test framework prints about tests.
func framing(line string) bool {
	line = strings.TrimLeft(line, " ")
	for _, prefix := range [...]string{"=== RUN ", "=== PAUSE ", "=== CONT ", "=== NAME ", "=== ATTR ", "--- PASS: ", "--- FAIL: ", "--- SKIP: ", "=== ARTIFACTS "} {
		if strings.HasPrefix(line, prefix) {
			return true
		}
	}
	return false
}

// output takes a piece of what a test printed.
func (s *stream) output(p *pkg, t *test, piece string) {
	if t.out.whole() && framing(piece) && strings.HasSuffix(piece, "\n") {
		return
	}
	p.heard(t, &t.out, piece)
	t.out.write(piece)
}

// heard notices the last words of a test program.
func (p *pkg) heard(t *test, out *text, piece string) {
	if out.whole() && lastWords(piece) {
		p.crash = &crash{owner: t, fails: p.fails, line: out.lines}
	}
	p.fails = nil
}

// lastWords says whether a line is one that Go's runtime begins its last words with.
func lastWords(line string) bool {
	return strings.HasPrefix(line, "panic: ") || strings.HasPrefix(line, "fatal error: ") || strings.HasPrefix(line, "SIGQUIT: ") ||
		strings.HasPrefix(line, "SIGABRT: ") || strings.HasPrefix(line, "SIGSEGV: ") || strings.HasPrefix(line, "unexpected fault address ") || strings.HasPrefix(line, "signal: ")
}

func (s *stream) packageEvent(p *pkg, e *event) {
	switch e.Action {
	case "start":
		p.began = true
	case "output":
		switch out := e.Output; {
		case out == "PASS\n" || out == "FAIL\n":
			p.orderly = true
		case strings.HasPrefix(out, "ok  \t"):
			p.cached = strings.HasSuffix(out, "\t(cached)\n") || strings.Contains(out, "\t(cached)\t") || strings.Contains(out, "\t(cached) ")
			p.none = strings.Contains(out, "[no tests to run]") || strings.Contains(out, "[no test files]")
		case strings.HasPrefix(out, "FAIL\t"):
			p.unbuilt = strings.Contains(out, "[build failed]") || strings.Contains(out, "[setup failed]")
		case strings.HasPrefix(out, "?   \t"), out == "testing: warning: no tests to run\n", strings.HasPrefix(out, "coverage: "):
		default:
			p.heard(nil, &p.out, out)
			p.out.write(out)
		}
	case "pass", "fail", "skip":
		if e.FailedBuild == "" && p.unbuilt {
			e.FailedBuild = p.path
		}
		s.end(p, e)
	}
}

// end takes the end of a package, of which nothing is remembered afterwards.
func (s *stream) end(p *pkg, e *event) {
	s.count(p, e.Action == "pass")
	switch {
	case e.Action == "skip" && len(p.order) == 0:
		s.empty++
	case p.none && len(p.order) == 0:
		s.rules++
	}
	if e.Action == "fail" {
		s.failedPackages++
		if lines := s.buildOf(p, e.FailedBuild); lines != nil || e.FailedBuild != "" {
			s.broken(p, e.FailedBuild, lines)
		} else {
			s.failures(p)
		}
	}
	s.close(p)
	s.ended++
	s.progress()
}

func (s *stream) close(p *pkg) {
	delete(s.pkgs, p.path)
	for i, o := range s.open {
		if o == p {
			s.open = append(s.open[:i], s.open[i+1:]...)
			break
		}
	}
}

func (s *stream) progress() {
	if s.tell != nil {
		s.tell(s.ended, s.to.Failed)
	}
}

// count counts what passed and what was skipped.
func (s *stream) count(p *pkg, ok bool) {
	for _, t := range p.order {
		switch t.state {
		case passed:
			s.to.Passed++
			if p.cached {
				s.to.Cached++
			}
		case skipped:
			s.to.Skipped++
			s.to.Skips = append(s.to.Skips, report.Skip{Name: t.name, Suite: p.path, Reason: reasonOf(t)})
		}
	}
	s.ran += len(p.order)
	if len(p.order) > 0 || ok && !p.none {
		s.to.Suites++
	}
}

// reasonOf is why a test was skipped: its last words.
func reasonOf(t *test) string {
	blocks := blocksOf(t.out.all())
	for i := len(blocks) - 1; i >= 0; i-- {
		if blocks[i].base != "" {
			return oneLine(blocks[i].message())
		}
	}
	return ""
}

func oneLine(text string) string { return strings.Join(strings.Fields(text), " ") }

// text is what somebody printed: its first and last lines, of bounded size.
type text struct {
	head  []string
	tail  []string // the lines after the head, the newest of them, from next on
	next  int
	lines int // all that there were, whole ones
	part  []byte
}

const (
	headLines = 3000
	tailLines = 300
	lineMax   = 4000
)

// whole says whether the next piece begins a line.
func (x *text) whole() bool { return len(x.part) == 0 }

// write takes pieces, which need not be lines. Of a long line it keeps the beginning and the
// end: a failure may be told of behind what a test printed without a line end.
func (x *text) write(piece string) {
	for piece != "" {
		line, rest, ends := strings.Cut(piece, "\n")
		if len(x.part) == 0 && ends && len(line) <= lineMax {
			x.add(line)
		} else {
			x.part = append(x.part, line...)
			if ends {
				x.add(shorten(x.part))
				x.part = x.part[:0]
			} else if n := len(x.part); n > 4*lineMax {
				x.part = append(x.part[:lineMax], x.part[n-lineMax:]...)
			}
		}
		piece = rest
	}
}

// shorten drops the middle of a long line.
func shorten(line []byte) string {
	if len(line) <= lineMax {
		return string(line)
	}
	return string(line[:lineMax/2]) + "..." + string(line[len(line)-lineMax/2:])
}

func (x *text) add(line string) {
	x.lines++
	switch {
	case len(x.head) < headLines:
		x.head = append(x.head, line)
	case len(x.tail) < tailLines:
		x.tail = append(x.tail, line)
	default:
		x.tail[x.next] = line
		x.next = (x.next + 1) % tailLines
	}
}

// all are the lines that are kept, with one that says what is left out.
func (x *text) all() []string { return x.from(0) }

// from are the lines from a line on.
func (x *text) from(n int) []string {
	var lines []string
	lines = append(lines, x.head[min(n, len(x.head)):]...)
	skip := 0
	if left := x.lines - len(x.head) - len(x.tail); left > 0 && n < len(x.head) {
		lines = append(lines, leftOut(left))
	} else if n > len(x.head) {
		skip = max(0, n-len(x.head)-left)
	}
	tail := append(append([]string(nil), x.tail[x.next:]...), x.tail[:x.next]...)
	lines = append(lines, tail[min(skip, len(tail)):]...)
	if len(x.part) > 0 {
		lines = append(lines, shorten(x.part))
	}
	return lines
}

// clean are lines as a terminal shows them.
func clean(lines []string) []string {
	out := make([]string, len(lines))
	for i, l := range lines {
		out[i] = child.Clean(l)
	}
	return out
}

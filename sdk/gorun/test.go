package gorun

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/settgraph/sett/query/report"
)

// defaultTimeout is the time that go test gives a test program by itself.
const defaultTimeout = 10 * time.Minute

// Test runs tests with go test, module after module. What goes wrong with the tests, and with
// loading and building them, is in the report; an error means that nothing could be run.
//
// Every test and subtest, example and fuzz seed counts as one, as go test -v prints them. Only
// a test that failed for no other reason than that its subtests did is not counted, nor told
// of. A package whose test program fails though its tests passed counts as one failure; one
// that cannot be built or loaded is broken. That no test matches is no failure, but is said.
func Test(ctx context.Context, o Options) (*report.Test, error) {
	r, err := o.newRunner(ctx)
	if err != nil {
		return nil, err
	}
	defer r.close()
	began := time.Now()
	t := &report.Test{OK: true, What: r.o.what()}
	var sum stream
	for _, m := range r.modules {
		s, stop, err := r.test(t, m, sum.ended)
		if err != nil {
			return nil, err
		}
		sum.ended, sum.ran, sum.rules, sum.empty = sum.ended+s.ended, sum.ran+s.ran, sum.rules+s.rules, sum.empty+s.empty
		if stop {
			t.OK = false
			break
		}
	}
	t.OK = t.OK && t.Failed == 0 && t.Broken == 0
	switch {
	case sum.ran > 0 || !t.OK:
	case r.o.Run != "":
		r.note("no test matches " + r.o.Run)
	default:
		r.note("there are no tests")
	}
	if sum.ran > 0 && sum.empty > 0 {
		r.note(count(sum.empty, "package has", "packages have") + " no tests")
	}
	t.Took, t.Notes = time.Since(began), r.notes
	return t, nil
}

// test runs the tests of a module. It says whether the run is at its end.
func (r *runner) test(t *report.Test, m *module, before int) (*stream, bool, error) {
	c := r.command(m, "test", r.testFlags())
	c.Args = slices.Concat(c.Args, m.patterns, r.o.Args) // what go test does not know is for the tests, with all that follows
	phase := strings.Join(append([]string{"go test"}, m.patterns...), " ")
	if len(phase) > 60 {
		phase = fmt.Sprintf("go test of %d packages", len(m.patterns))
	}
	s := newStream(t, r.where, m.dir, func(done, failed int) {
		r.tell(report.Event{Phase: phase, Done: before + done, Failed: failed})
	})
	s.progress()
	s.deadline, s.lateWords = r.deadline, fmt.Sprintf("when time was up after %s", r.o.Timeout)
	s.gaveUp = func() bool { return r.ctx.Err() != nil }
	c.Stdout, c.Stderr, c.Text = s.line, s.errLine, s.text
	res, step, err := r.run("test", c)
	if err != nil {
		return nil, false, err
	}
	failures, open := len(t.Failures), len(s.open)
	s.finish(res.TimedOut)
	stop := r.ended(step)
	switch {
	case res.Code == 0 || stop:
	case len(r.modules) > 1 && s.matchedNothing():
		r.note("the module " + m.path + " has no packages")
		step.Tail = nil
		t.Steps = append(t.Steps, step)
		return s, false, nil
	case s.failedPackages == 0 && len(t.Failures) == failures:
		s.unloaded(m)
	case open > 0:
		r.note("the go command ended before its tests did")
	}
	if res.Code != 0 {
		t.OK = false
	}
	if len(t.Failures) > 0 || step.Code == 0 || stop {
		step.Tail = nil
	} else {
		step.Tail = relevant(clean(s.loose.all()))
	}
	t.Steps = append(t.Steps, step)
	return s, stop, nil
}

func (r *runner) testFlags() []string {
	flags := []string{"-json"}
	if r.o.Race {
		flags = append(flags, "-race")
	}
	if r.o.Short {
		flags = append(flags, "-short")
	}
	if run := r.o.runPattern(); run != "" {
		flags = append(flags, "-run="+run)
	}
	given := slices.ContainsFunc(r.o.Args, func(a string) bool {
		a = strings.TrimLeft(a, "-")
		return a == "timeout" || strings.HasPrefix(a, "timeout=") || strings.HasPrefix(a, "test.timeout")
	})
	if r.o.Timeout > defaultTimeout && !given { // or go test ends them earlier
		flags = append(flags, "-timeout="+r.o.Timeout.String())
	}
	return flags
}

// matchedNothing says whether the go command found no packages at all.
func (s *stream) matchedNothing() bool {
	return slices.ContainsFunc(s.loose.all(), func(l string) bool { return strings.HasSuffix(l, "matched no packages") })
}

// unloaded tells of a go command that failed before it came to any package.
func (s *stream) unloaded(m *module) {
	f := report.Failure{Suite: m.path, Kind: report.Broken, Message: "the go command failed without a word"}
	if f.Suite == "" {
		f.Suite = s.where.rel(m.dir)
	}
	ds := s.where.compileErrors(s.dir, s.loose.all()).diagnostics
	if len(ds) > 0 {
		d := first(ds)
		f.File, f.Line, f.Col, f.Message = d.File, d.Line, d.Col, d.Message
		var rest []string
		for _, o := range ds {
			if report.Compare(o, d) != 0 {
				rest = append(rest, say(o))
			}
		}
		f.Output = relevant(rest)
	}
	s.add(f)
}

// count is a number with the right one of two phrases.
func count(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}

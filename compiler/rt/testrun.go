package rt

import (
	"os"
	"strconv"
	"strings"
	"time"
)

// Test is a test block.
type Test struct {
	Name string
	Line int
	Func func() Error
}

// testOptions come from the environment, see the package comment.
type testOptions struct {
	filter       string
	failFast     bool
	json         bool
	timeout      time.Duration
	skip         map[int]bool
	seed         uint64
	iterations   int
	maxSchedules int
	maxDepth     int
	report       string
}

func number(name string, otherwise int) int {
	n, err := strconv.Atoi(os.Getenv(name))
	if err != nil || n < 0 {
		return otherwise
	}
	return n
}

func readTestOptions() testOptions {
	o := testOptions{
		filter:       os.Getenv("PLUTO_TEST_FILTER"),
		failFast:     os.Getenv("PLUTO_TEST_FAIL_FAST") == "1",
		json:         os.Getenv("PLUTO_TEST_JSON") == "1",
		timeout:      time.Duration(number("PLUTO_TEST_TIMEOUT_MS", 60000)) * time.Millisecond,
		skip:         map[int]bool{},
		iterations:   max(number("PLUTO_TEST_ITERATIONS", 100), 1),
		maxSchedules: max(number("PLUTO_MAX_SCHEDULES", 10000), 1),
		maxDepth:     number("PLUTO_MAX_DEPTH", 200),
		report:       os.Getenv("PLUTO_TEST_REPORT"),
	}
	for _, s := range strings.Split(os.Getenv("PLUTO_TEST_SKIP"), ",") {
		if i, err := strconv.Atoi(s); err == nil {
			o.skip[i] = true
		}
	}
	text := os.Getenv("PLUTO_TEST_SEED")
	if seed, err := strconv.ParseUint(text, 0, 64); err == nil {
		o.seed = seed
	} else if seed, err := strconv.ParseInt(text, 0, 64); err == nil {
		o.seed = uint64(seed)
	} else {
		o.seed = uint64(time.Now().UnixNano())
	}
	return o
}

// RunTests runs the tests in order under a scheduler (Sequential, RoundRobin, Random or
// Exhaustive) and ends the process: with 0 when all passed, else with 1.
func RunTests(tests []Test, scheduler string) {
	inTests = true
	catchFatal()
	r := &testRunner{options: readTestOptions(), tests: tests, scheduler: scheduler}
	r.resume()
	for i := r.begin; i < len(tests); i++ {
		if r.options.skip[i] || !strings.Contains(tests[i].Name, r.options.filter) {
			continue
		}
		if r.failed > 0 && r.options.failFast {
			break
		}
		r.test(i)
	}
	r.note("done")
	if !r.options.json {
		passed := strconv.Itoa(r.passed)
		if r.failed == 0 {
			Write("\n" + passed + " tests passed\n")
		} else {
			Write("\n" + passed + " passed, " + strconv.Itoa(r.failed) + " failed\n")
		}
	}
	if r.failed > 0 {
		Exit(1)
	}
	Exit(0)
}

type testRunner struct {
	options   testOptions
	tests     []Test
	scheduler string
	begin     int // the first test that no process before has run
	passed    int
	failed    int
}

// verdict is how a test ended.
type verdict struct {
	failure string
	output  string // what was printed, when it was kept back
	warns   string // and what would have gone to stderr
	extra   string // a line about the schedules, for stderr
}

// resume takes up what a process before this one has reported. A test that was started and
// has no verdict has ended that process.
func (r *testRunner) resume() {
	if r.options.report == "" {
		return
	}
	data, _ := os.ReadFile(r.options.report) // not there: nothing was reported
	running := -1
	for _, line := range strings.Split(string(data), "\n") {
		word, rest, _ := strings.Cut(line, " ")
		index, _, _ := strings.Cut(rest, " ")
		i, err := strconv.Atoi(index)
		if err != nil {
			continue
		}
		switch word {
		case "start":
			running = i
		case "passed":
			running, r.passed = -1, r.passed+1
		case "failed":
			running, r.failed = -1, r.failed+1
		}
		r.begin = i + 1
	}
	if 0 <= running && running < len(r.tests) {
		r.tell(running, 0, verdict{failure: "the test ended the process"})
	}
}

// note appends a line to the report.
func (r *testRunner) note(line string) {
	if r.options.report == "" {
		return
	}
	f, err := os.OpenFile(r.options.report, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o644)
	if err == nil {
		f.WriteString(line + "\n")
		f.Close()
	}
}

// test runs one test and tells how it went.
func (r *testRunner) test(i int) {
	r.note("start " + strconv.Itoa(i))
	if !r.options.json {
		Write("test " + r.tests[i].Name + " ... ")
		Flush()
	}
	began := time.Now()
	v := r.schedule(r.tests[i].Func)
	if !r.options.json {
		Write(v.output)
		v.output = ""
		if text := v.warns + v.failure; text != "" {
			Warn(strings.TrimSuffix(text, "\n"))
		}
	}
	r.tell(i, time.Since(began), v)
}

func (r *testRunner) tell(i int, took time.Duration, v verdict) {
	ms := strconv.FormatFloat(float64(took.Microseconds())/1000, 'f', 3, 64)
	outcome := "passed"
	if v.failure == "" {
		r.passed++
	} else {
		r.failed++
		outcome = "failed"
	}
	r.note(outcome + " " + strconv.Itoa(i) + " " + ms)
	switch {
	case r.options.json:
		t := r.tests[i]
		Write(`{"name":` + jsonString(t.Name) + `,"line":` + strconv.Itoa(t.Line) + `,"outcome":"` + outcome +
			`","duration_ms":` + ms + `,"output":` + jsonString(v.output+v.warns) + `,"message":` + jsonString(v.failure) + "}\n")
	case v.failure == "":
		Write("ok\n")
	default:
		Write("FAILED\n")
	}
	Flush()
	if v.extra != "" && !r.options.json {
		Warn(v.extra)
	}
}

// schedule runs a test as often as its scheduler wants. The time limit holds for each run;
// Exhaustive begins no run after it.
func (r *testRunner) schedule(f func() Error) verdict {
	began := time.Now()
	switch r.scheduler {
	case "RoundRobin":
		return r.run(f, roundRobin{}, r.options.json)
	case "Random":
		first := verdict{}
		for n := range r.options.iterations {
			seed := r.options.seed + uint64(n)
			v := r.run(f, &randomOrder{state: seed}, true)
			if v.failure != "" {
				v.failure += "\n(seed: 0x" + strconv.FormatUint(seed, 16) + ", iteration: " + strconv.Itoa(n) + ")"
				return v
			}
			if n == 0 {
				first = v
			}
		}
		return first
	case "Exhaustive":
		e := &explorer{maxDepth: r.options.maxDepth}
		first := verdict{}
		explored := 0
		for n := range r.options.maxSchedules {
			e.restart()
			v := r.run(f, e, true)
			if v.failure != pruned {
				explored++
				v.extra = "  Exhaustive: " + strconv.Itoa(explored) + " schedules explored"
				if v.failure != "" {
					return v
				}
				if n == 0 {
					first = v
				}
				first.extra = v.extra
			}
			if !e.advance() || r.options.timeout > 0 && time.Since(began) > r.options.timeout {
				break
			}
		}
		return first
	}
	return r.run(f, nil, r.options.json)
}

// pruned stands for the failure of a run that was cut off for teaching nothing new.
const pruned = "\x00"

// run runs a test once, in a world of its own. What it prints is kept back if keep is set.
func (r *testRunner) run(f func() Error, s strategy, keep bool) verdict {
	w := &world{out: &stdout}
	if keep {
		w.out = &output{kept: true}
	}
	st := newStage(w, s)
	body := &Task[Void]{}
	w.add(&body.task, "main")
	st.fibers = append(st.fibers, &body.task)
	go body.run(func() (Void, Error) { return Void{}, f() })

	var timeout <-chan time.Time
	if r.options.timeout > 0 {
		timer := time.NewTimer(r.options.timeout)
		defer timer.Stop()
		timeout = timer.C
	}
	select {
	case <-st.over:
		st.unwind()
	case <-timeout:
		st.finish(result{failure: "pluto: test timed out after " + strconv.FormatInt(r.options.timeout.Milliseconds(), 10) + " ms"})
	}
	v := verdict{failure: st.result.failure}
	if st.result.pruned {
		v.failure = pruned
	}
	if keep {
		w.out.mu.Lock()
		v.output, v.warns = string(w.out.buf), string(w.out.warns)
		w.out.mu.Unlock()
	}
	return v
}

// jsonString is s as a JSON string; bytes that are no text become the replacement mark.
func jsonString(s string) string {
	const hex = "0123456789abcdef"
	b := []byte{'"'}
	for _, c := range s {
		switch {
		case c == '"' || c == '\\':
			b = append(b, '\\', byte(c))
		case c == '\n':
			b = append(b, `\n`...)
		case c < 0x20:
			b = append(b, `\u00`...)
			b = append(b, hex[c>>4], hex[c&15])
		default:
			b = append(b, string(c)...)
		}
	}
	return string(append(b, '"'))
}

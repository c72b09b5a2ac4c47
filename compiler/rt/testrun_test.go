package rt

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

func passes() Error { return nil }

func init() {
	add := func(name, scheduler string, tests ...Test) {
		programs[name] = func() {
			Sources("main.pluto")
			RunTests(tests, scheduler)
		}
	}
	fails := Test{"fails", 5, func() Error { PrintString("from fails"); ExpectInt(6, 1, 2); return nil }}
	add("tests pass", "Sequential", Test{"adds", 1, passes}, Test{"prints", 2, func() Error { PrintString("hi"); return nil }})
	add("one test", "Sequential", Test{"adds", 1, passes})
	add("tests fail", "Sequential",
		Test{"adds", 1, passes}, fails,
		Test{"raises", 10, func() Error { return &TimeoutError{Raised: At(0, 11), Millis: 3} }},
		Test{"aborts", 12, indexInTest},
		Test{"breaks a contract", 13, func() Error { panic(Fault("assertion failed: x == 1")) }},
		Test{"fails in a task", 14, func() Error {
			Go(nil, "t", func() (Void, Error) { ExpectTrue(15, false); return Void{}, nil })
			PrintString("never")
			return nil
		}},
		Test{"last", 20, passes})
	add("sequential", "Sequential",
		Test{"inline", 1, func() Error {
			tx, rx := Chan[int64](3)
			c := NewCopier()
			mine := tx.Copy(c)
			var l RWLock
			l.Lock()
			k := Go(c, "t", func() (int64, Error) {
				l.Lock()
				PrintString("task")
				for i := range int64(3) {
					mine.Send(i)
				}
				l.Unlock()
				return 7, nil
			})
			l.Unlock()
			PrintString("body")
			tx.Close()
			for {
				v, ok := rx.Next()
				if !ok {
					break
				}
				PrintInt(v)
			}
			ExpectInt(2, k.MustGet(), 7)
			bad := Go(nil, "bad", func() (int64, Error) { return PowInt(1, -1) })
			bad.Detach()
			_, err := bad.Get()
			ExpectString(3, err.ErrorName(), "MathError")
			return nil
		}},
		Test{"send", 1, func() Error { tx, _ := Chan[int64](1); tx.Send(1); return tx.Send(2) }},
		Test{"recv", 1, func() Error { _, rx := Chan[int64](1); _, err := rx.Recv(); return err }},
		Test{"for", 1, func() Error { _, rx := Chan[int64](1); rx.Next(); return nil }},
		Test{"select", 1, func() Error {
			_, rx := Chan[int64](1)
			var v int64
			_, err := Select(false, rx.Case(&v))
			return err
		}},
		Test{"default", 1, func() Error {
			_, rx := Chan[int64](1)
			var v int64
			arm, err := Select(true, rx.Case(&v))
			ExpectInt(1, int64(arm), -1)
			return err
		}},
		Test{"in a task", 1, func() Error {
			_, rx := Chan[int64](1)
			Go(nil, "t", func() (int64, Error) { return rx.Recv() })
			return nil
		}})
	for _, s := range []string{"RoundRobin", "Random", "Exhaustive"} {
		add(s, s,
			Test{"producer and consumer", 1, pipeline},
			Test{"detached", 1, func() Error {
				k := Go(nil, "bad", func() (int64, Error) { return PowInt(1, -1) })
				k.Get()
				k.Detach()
				return nil
			}},
			Test{"stuck", 2, stuckTest},
			Test{"unfinished", 3, func() Error {
				_, rx := Chan[int64](1)
				Go(nil, "t", func() (int64, Error) { return rx.Recv() })
				return nil
			}},
			Test{"after it", 4, passes})
	}
	add("a race", "Random", Test{"order", 1, race})
	add("a race, explored", "Exhaustive", Test{"order", 1, race})
	add("independent", "Exhaustive", Test{"independent", 1, func() Error {
		tasks := NewArray[*Task[Void]]()
		for range 3 {
			tasks.Push(Go(nil, "t", func() (Void, Error) {
				tx, rx := Chan[int64](1)
				for i := range int64(5) {
					tx.Send(i)
					rx.Recv()
				}
				return Void{}, nil
			}))
		}
		for _, k := range tasks.S {
			k.Get()
		}
		return nil
	}})
	add("spins", "Exhaustive", Test{"spins", 1, func() Error {
		tx, rx := Chan[int64](1)
		Go(nil, "t", func() (Void, Error) { return Void{}, tx.Send(1) })
		for {
			if _, err := rx.TryRecv(); err == nil {
				return nil
			}
		}
	}})
	add("hangs", "Sequential",
		Test{"hangs", 1, func() Error {
			for n := int64(0); ; n++ {
				n ^= 1
			}
		}},
		Test{"after it", 2, passes})
	add("crashes", "Sequential", Test{"first", 1, passes}, Test{"crashes", 2, func() Error { PrintInt(overflow(1)); return nil }}, Test{"bad", 3, fails.Func}, Test{"last", 4, passes})
}

//line main.pluto:12
func indexInTest() Error { NewArray[int64]().At(0); return nil }

func pipeline() Error {
	tx, rx := Chan[int64](1)
	c := NewCopier()
	mine := tx.Copy(c)
	Go(c, "producer", func() (Void, Error) {
		for i := range int64(3) {
			if err := mine.Send(i); err != nil {
				return Void{}, err
			}
		}
		return Void{}, nil
	})
	tx.Close()
	sum := int64(0)
	for {
		v, ok := rx.Next()
		if !ok {
			break
		}
		sum += v
	}
	ExpectInt(9, sum, 3)
	PrintString("piped")
	return nil
}

func stuckTest() Error {
	tx, _ := Chan[int64](1)
	_, rx := Chan[int64](1)
	k := Go(nil, "t", func() (int64, Error) { return rx.Recv() })
	Go(nil, "u", func() (Void, Error) { tx.Send(1); return Void{}, tx.Send(2) })
	_, err := k.Get()
	return err
}

// race fails when the second task is first.
func race() Error {
	tx, rx := Chan[int64](2)
	for i := range int64(2) {
		Go(nil, "t", func() (Void, Error) { return Void{}, tx.Send(i) })
	}
	v, err := rx.Recv()
	ExpectInt(3, v, 0)
	return err
}

func TestTestRuns(t *testing.T) {
	for _, c := range []struct {
		name string
		env  []string
		want ended
	}{
		{"tests pass", nil, ended{"test adds ... ok\ntest prints ... hi\nok\n\n2 tests passed\n", "", 0}},
		{"one test", nil, ended{"test adds ... ok\n\n1 tests passed\n", "", 0}},
		{"tests fail", nil, ended{
			"test adds ... ok\ntest fails ... from fails\nFAILED\ntest raises ... FAILED\ntest aborts ... FAILED\ntest breaks a contract ... FAILED\ntest fails in a task ... FAILED\ntest last ... ok\n\n2 passed, 5 failed\n",
			"FAIL (line 6): expected 1 to equal 2\nerror: uncaught TimeoutError { millis: 3 }\n  at main.pluto:11\npluto: array index out of bounds: index 0, length 0\n  at main.pluto:12\nassertion failed: x == 1\nFAIL (line 15): expected true but got false\n", 1}},
		{"tests fail", []string{"PLUTO_TEST_FAIL_FAST=1"}, ended{"test adds ... ok\ntest fails ... from fails\nFAILED\n\n1 passed, 1 failed\n", "FAIL (line 6): expected 1 to equal 2\n", 1}},
		{"tests fail", []string{"PLUTO_TEST_FILTER=a"}, ended{
			"test adds ... ok\ntest fails ... from fails\nFAILED\ntest raises ... FAILED\ntest aborts ... FAILED\ntest breaks a contract ... FAILED\ntest fails in a task ... FAILED\ntest last ... ok\n\n2 passed, 5 failed\n",
			"FAIL (line 6): expected 1 to equal 2\nerror: uncaught TimeoutError { millis: 3 }\n  at main.pluto:11\npluto: array index out of bounds: index 0, length 0\n  at main.pluto:12\nassertion failed: x == 1\nFAIL (line 15): expected true but got false\n", 1}},
		{"tests fail", []string{"PLUTO_TEST_FILTER=ad"}, ended{"test adds ... ok\n\n1 tests passed\n", "", 0}},
		{"tests fail", []string{"PLUTO_TEST_FILTER=none"}, ended{"\n0 tests passed\n", "", 0}},
		{"tests fail", []string{"PLUTO_TEST_SKIP=1,2,3,4,5"}, ended{"test adds ... ok\ntest last ... ok\n\n2 tests passed\n", "", 0}},
		{"sequential", nil, ended{
			"test inline ... task\nbody\n0\n1\n2\nok\ntest send ... FAILED\ntest recv ... FAILED\ntest for ... FAILED\ntest select ... FAILED\ntest default ... ok\ntest in a task ... FAILED\n\n2 passed, 5 failed\n",
			"pluto: error in detached task: negative exponent in integer pow\n" +
				"pluto: deadlock detected — channel send on full buffer in sequential test mode\n" +
				"pluto: deadlock detected — channel recv on empty buffer in sequential test mode\n" +
				"pluto: deadlock detected — channel recv on empty buffer in sequential test mode\n" +
				"pluto: deadlock detected — select with no ready channels in sequential test mode\n" +
				"pluto: deadlock detected — channel recv on empty buffer in sequential test mode\n", 1}},
		{"RoundRobin", nil, ended{
			"test producer and consumer ... piped\nok\ntest detached ... ok\ntest stuck ... FAILED\ntest unfinished ... ok\ntest after it ... ok\n\n4 passed, 1 failed\n",
			"pluto: error in detached task: negative exponent in integer pow\npluto: deadlock detected in test\n  Fiber 0: blocked on task get\n  Fiber 1: blocked on channel recv\n  Fiber 2: blocked on channel send\n", 1}},
		{"Random", []string{"PLUTO_TEST_SEED=1"}, ended{
			"test producer and consumer ... piped\nok\ntest detached ... ok\ntest stuck ... FAILED\ntest unfinished ... ok\ntest after it ... ok\n\n4 passed, 1 failed\n",
			"pluto: error in detached task: negative exponent in integer pow\npluto: deadlock detected in test\n  Fiber 0: blocked on task get\n  Fiber 1: blocked on channel recv\n  Fiber 2: blocked on channel send\n(seed: 0x1, iteration: 0)\n", 1}},
		{"a race, explored", nil, ended{"test order ... FAILED\n\n0 passed, 1 failed\n", "FAIL (line 3): expected 1 to equal 0\n  Exhaustive: 3 schedules explored\n", 1}},
		{"independent", nil, ended{"test independent ... ok\n\n1 tests passed\n", "  Exhaustive: 8 schedules explored\n", 0}},
		{"spins", []string{"PLUTO_MAX_DEPTH=8"}, ended{"test spins ... ok\n\n1 tests passed\n", "  Exhaustive: 13 schedules explored\n", 0}},
		{"hangs", []string{"PLUTO_TEST_TIMEOUT_MS=100"}, ended{"test hangs ... FAILED\ntest after it ... ok\n\n1 passed, 1 failed\n", "pluto: test timed out after 100 ms\n", 1}},
	} {
		t.Run(c.name+strings.Join(c.env, ","), func(t *testing.T) {
			t.Parallel()
			got := runProgram(t, c.name, "", c.env...)
			if got != c.want {
				t.Errorf("\ngot  %q\nwant %q", got.lines(), c.want.lines())
			}
		})
	}
}

// A seed that fails fails again, and only the iteration that failed is needed.
func TestRandomSeed(t *testing.T) {
	first := runProgram(t, "a race", "", "PLUTO_TEST_SEED=42")
	m := regexp.MustCompile(`FAIL \(line 3\): expected 1 to equal 0\n\(seed: (0x[0-9a-f]+), iteration: (\d+)\)\n`).FindStringSubmatch(first.stderr)
	if m == nil || first.code != 1 {
		t.Fatalf("100 orders do not find the race: %q", first.lines())
	}
	again := runProgram(t, "a race", "", "PLUTO_TEST_SEED="+m[1], "PLUTO_TEST_ITERATIONS=1")
	if want := strings.Replace(first.stderr, "iteration: "+m[2], "iteration: 0", 1); again.stderr != want {
		t.Errorf("the seed gives %q, want %q", again.stderr, want)
	}
	if other := runProgram(t, "a race", "", "PLUTO_TEST_SEED=42"); other != first {
		t.Errorf("the same seed gives %q and %q", first.lines(), other.lines())
	}
}

// The exploration finds every outcome that there is, and no order twice.
func TestExplorer(t *testing.T) {
	seen := map[string]int{}
	e := &explorer{maxDepth: 100}
	r := testRunner{}
	var order string
	inTests = true
	defer func() { inTests = false }()
	f := func() Error {
		order = ""
		tx, rx := Chan[int64](4)
		for i := range int64(2) {
			Go(nil, "t", func() (Void, Error) {
				tx.Send(i)
				tx.Send(i)
				return Void{}, nil
			})
		}
		for range 4 {
			v, _ := rx.Recv()
			order += ShowInt(v)
		}
		return nil
	}
	runs := 0
	for {
		e.restart()
		if v := r.run(f, e, true); v.failure == "" {
			seen[order]++
		} else if v.failure != pruned {
			t.Fatal(v.failure)
		}
		if runs++; !e.advance() {
			break
		}
	}
	for _, want := range []string{"0011", "0101", "0110", "1001", "1010", "1100"} {
		if seen[want] == 0 {
			t.Errorf("the order %s was not explored", want)
		}
	}
	if len(seen) != 6 || runs > 2000 {
		t.Errorf("%d runs, orders %v", runs, seen)
	}
}

func TestJSONAndReport(t *testing.T) {
	report := filepath.Join(t.TempDir(), "report")
	got := runProgram(t, "tests fail", "", "PLUTO_TEST_JSON=1", "PLUTO_TEST_REPORT="+report, "PLUTO_TEST_SKIP=2,3,4,5")
	type event struct {
		Name, Outcome, Output, Message string
		Line                           int
		Duration                       *float64 `json:"duration_ms"`
	}
	var events []event
	for _, line := range strings.Split(strings.TrimSuffix(got.stdout, "\n"), "\n") {
		var e event
		if err := json.Unmarshal([]byte(line), &e); err != nil || e.Duration == nil {
			t.Fatalf("%v: %s", err, line)
		}
		e.Duration = nil
		events = append(events, e)
	}
	want := []event{
		{"adds", "passed", "", "", 1, nil},
		{"fails", "failed", "from fails\n", "FAIL (line 6): expected 1 to equal 2", 5, nil},
		{"last", "passed", "", "", 20, nil},
	}
	if len(events) != 3 || events[0] != want[0] || events[1] != want[1] || events[2] != want[2] || got.code != 1 || got.stderr != "" {
		t.Errorf("got %+v, %q", events, got.lines())
	}
	text, err := os.ReadFile(report)
	if err != nil {
		t.Fatal(err)
	}
	if s := regexp.MustCompile(`[0-9]+\.[0-9]{3}`).ReplaceAllString(string(text), "T"); s != "start 0\npassed 0 T\nstart 1\nfailed 1 T\nstart 6\npassed 6 T\ndone\n" {
		t.Errorf("the report is %q", s)
	}
	var s string
	if err := json.Unmarshal([]byte(jsonString("a\"\\\n\t\x00é\xff")), &s); err != nil || s != "a\"\\\n\t\x00é\ufffd" {
		t.Errorf("%v, %q", err, s)
	}
}

// A test that takes the process with it is a failed one; the next process goes on after it.
func TestCrashIsResumed(t *testing.T) {
	if inRace {
		t.Skip()
	}
	report := filepath.Join(t.TempDir(), "report")
	first := runProgram(t, "crashes", "", "PLUTO_TEST_REPORT="+report)
	if want := (ended{"test first ... ok\ntest crashes ... ", "pluto: stack overflow\n  at main.pluto:96\n", 1}); first != want {
		t.Errorf("\ngot  %q\nwant %q", first.lines(), want.lines())
	}
	second := runProgram(t, "crashes", "", "PLUTO_TEST_REPORT="+report)
	if want := (ended{"FAILED\ntest bad ... from fails\nFAILED\ntest last ... ok\n\n2 passed, 2 failed\n", "FAIL (line 6): expected 1 to equal 2\n", 1}); second != want {
		t.Errorf("\ngot  %q\nwant %q", second.lines(), want.lines())
	}
}

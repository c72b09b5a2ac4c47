package gorun

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/settgraph/sett/query/report"
)

// read reads a stream as Test does.
func read(t testing.TB, text []byte, late bool) (*report.Test, *stream) {
	t.Helper()
	root := t.TempDir()
	if err := os.WriteFile(filepath.Join(root, "go.mod"), []byte("module ex\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	o := Options{Root: root}
	modules, err := o.modules()
	if err != nil {
		t.Fatal(err)
	}
	r := &report.Test{}
	s := newStream(r, o.places(modules), root, nil)
	for line := range bytes.Lines(text) {
		s.line(bytes.TrimSuffix(line, []byte("\n")))
	}
	s.finish(late)
	return r, s
}

// events writes events from lines of "action package test output".
func events(lines ...string) []byte {
	var b bytes.Buffer
	for _, l := range lines {
		w := append(strings.SplitN(l, " ", 4), "", "", "")
		text, _ := json.Marshal(event{Action: w[0], Package: w[1], Test: strings.TrimPrefix(w[2], "-"), Output: w[3]})
		b.Write(append(text, '\n'))
	}
	return b.Bytes()
}

func TestStream(t *testing.T) {
	tests := []struct {
		name                            string
		lines                           []string
		late                            bool
		passed, failed, skipped, notRun int
		failures                        string // kind and name
	}{
		{name: "nothing"},
		{name: "cut in the middle", lines: []string{"start ex/a", "run ex/a A", "pass ex/a A", "run ex/a B", "run ex/a B/sub", "run ex/a C", "pause ex/a C"},
			passed: 1, notRun: 2},
		{name: "late", lines: []string{"start ex/a", "run ex/a A", "pass ex/a A", "run ex/a B", "run ex/a B/sub", "run ex/a C", "pause ex/a C"}, late: true,
			passed: 1, failed: 1, notRun: 1, failures: "timeout B/sub"},
		{name: "late without a test", lines: []string{"start ex/a"}, late: true, failed: 1, failures: "timeout "},
		{name: "failed before late", lines: []string{"start ex/a", "run ex/a A", "fail ex/a A", "run ex/a B"}, late: true, failed: 2, failures: "timeout B, failed A"},
		{name: "two packages at once", lines: []string{"start ex/a", "start ex/b", "run ex/a A", "run ex/b A", "output ex/a A panic: x\n", "output ex/b A panic: really\n",
			"fail ex/b A", "pass ex/a A", "output ex/b - FAIL\tex/b\n", "output ex/a - PASS\n", "pass ex/a", "fail ex/b"},
			passed: 1, failed: 1, failures: "panic A"},
		{name: "slashes in names", lines: []string{"run ex/a A", "run ex/a A/b/c", "fail ex/a A/b/c", "fail ex/a A", "output ex/a - FAIL\n", "fail ex/a"},
			failed: 1, failures: "failed A/b/c"},
		{name: "an end without a beginning", lines: []string{"fail ex/a A", "pass ex/b B", "output ex/a - FAIL\n", "fail ex/a"}, passed: 1, failed: 1, failures: "failed A"},
		{name: "not events", lines: []string{"", "what ex/a A", "run", "output"}, notRun: 1},
	}
	for _, tt := range tests {
		r, _ := read(t, events(tt.lines...), tt.late)
		var failures []string
		for _, f := range r.Failures {
			failures = append(failures, f.Kind+" "+f.Name)
		}
		if r.Passed != tt.passed || r.Failed != tt.failed || r.Skipped != tt.skipped || r.NotRun != tt.notRun || strings.Join(failures, ", ") != tt.failures {
			t.Errorf("%s: %d passed, %d failed, %d skipped, %d not run, %q", tt.name, r.Passed, r.Failed, r.Skipped, r.NotRun, failures)
		}
	}
}

// TestStreamOldGo reads what go commands before 1.24 print of packages that do not compile.
func TestStreamOldGo(t *testing.T) {
	r, s := read(t, nil, false)
	for _, l := range []string{"# ex/b [ex/b.test]", "b/b.go:2:23: undefined: x", "# ex/c", "c/c.go:1:1: undefined: y"} {
		s.errLine([]byte(l))
	}
	for line := range bytes.Lines(events("start ex/b", "output ex/b - FAIL\tex/b [build failed]\n", "fail ex/b")) {
		s.line(line)
	}
	want := report.Failure{Suite: "ex/b", Kind: report.Broken, File: "b/b.go", Line: 2, Col: 23, Message: "undefined: x"}
	if r.Broken != 1 || fmt.Sprintf("%+v", r.Failures) != fmt.Sprintf("%+v", []report.Failure{want}) {
		t.Errorf("%+v", r)
	}
}

// TestText compares what is kept of a text with all of it.
func TestText(t *testing.T) {
	for _, n := range []int{0, 1, headLines - 1, headLines, headLines + 1, headLines + tailLines, headLines + tailLines + 1, headLines + 5*tailLines + 7} {
		var x text
		var all []string
		for i := range n {
			line := fmt.Sprint("line ", i)
			all = append(all, line)
			x.write(line[:2])
			x.write(line[2:] + "\n")
		}
		want := all
		if left := n - headLines - tailLines; left > 0 {
			want = slices.Concat(all[:headLines], []string{leftOut(left)}, all[n-tailLines:])
		}
		if got := x.all(); !slices.Equal(got, want) {
			t.Errorf("%d lines: got %d, want %d", n, len(got), len(want))
		}
		if n > headLines+tailLines {
			if got := x.from(n - 5); !slices.Equal(got, all[n-5:]) {
				t.Errorf("%d lines: the last five are %q", n, got)
			}
		}
	}
	var x text
	x.write(strings.Repeat("long", lineMax) + "\nend")
	if got := x.all(); len(got) != 2 || len(got[0]) != lineMax+3 || got[1] != "end" {
		t.Errorf("%d lines", len(got))
	}
}

// FuzzDecode compares events with what encoding/json reads.
func FuzzDecode(f *testing.F) {
	for _, line := range []string{
		`{"Time":"2026-01-02T03:04:05.67Z","Action":"output","Package":"ex/a","Test":"TestA/b","Output":"a \"b\" \\ \u003c \u00e9 \ud83d\ude00\t\n"}`,
		`{"Action":"pass","Package":"ex/a","Elapsed":0.01}`, `{"Action":"pass","Elapsed":1e3,"Package":"x"}`, `{"ImportPath":"a [b]","Action":"build-fail"}`,
		`{"Action":"output","Output":"é"}`, `{ "Action": "run" }`, `{"Action":"attr","Key":"k","Value":"v"}`, `{"Action":"x","Other":{"a":[1]}}`, `{"Action":"run",}`, `{`, `{}`, `{"Action":"\`,
		`{"Action":"pass","Elapsed":}`, `{"Action":"pass","Elapsed":"1"}`, `{"Action":"a\u"}`, `{"Action":"a\u12"}`, `{"Action":"a\` + `"}`,
	} {
		f.Add([]byte(line), []byte(line))
	}
	f.Fuzz(func(t *testing.T, before, line []byte) {
		var got, want event
		got.decode(before)
		ok := got.decode(line)
		wantOK := json.Unmarshal(line, &want) == nil && want.Action != ""
		// what no go command prints may be read more leniently: bad UTF-8, raw control characters, keys in other letters, infinite times
		if wantOK && (!ok || got != want) && utf8.Valid(line) && !bytes.ContainsFunc(line, func(r rune) bool { return r < ' ' }) {
			t.Errorf("%q: %+v, %v; want %+v", line, got, ok, want)
		}
	})
}

// FuzzStream reads damaged streams: nothing may panic, and no count may be negative.
func FuzzStream(f *testing.F) {
	f.Add(events("start ex/a", "run ex/a A", "output ex/a A panic: x\n", "output ex/a A \n", "output ex/a A goroutine 1 [running]:\n",
		"output ex/a A ex/a.A(0x1)\n", "output ex/a A \t/p/a_test.go:3 +0x1\n", "fail ex/a A", "output ex/a - FAIL\tex/a\n", "fail ex/a"), 0, 0)
	f.Add(events("start ex/a", "run ex/a A", "output ex/a A     a_test.go:3: got 1, want 2\n", "run ex/a A/b", "output ex/a A/b ==================\n",
		"output ex/a A/b WARNING: DATA RACE\n", "output ex/a A/b Read at 0x1 by goroutine 1:\n", "fail ex/a A/b", "fail ex/a A", "output ex/a - FAIL\n", "fail ex/a"), 3, 40)
	f.Add(events("start ex/a", "run ex/a TestA", "output ex/a TestA panic: test timed out after 1s\n", "output ex/a TestA \trunning tests:\n",
		"output ex/a TestA \t\tTestA (1s)\n", "fail ex/a"), 7, 2)
	f.Add([]byte(`{"ImportPath":"ex/b","Action":"build-output","Output":"# ex/b\nb.go:1:2: no\n"}`+"\n"+`{"Action":"fail","Package":"ex/b","FailedBuild":"ex/b"}`), 1, 1)
	root := f.TempDir()
	o := Options{Root: root}
	f.Fuzz(func(t *testing.T, text []byte, cut, drop int) {
		if n := len(text); n > 0 {
			cut, drop = max(0, cut)%n, max(0, drop)%n
			text = slices.Concat(text[:cut], text[min(n, cut+drop):])
		}
		r := &report.Test{}
		s := newStream(r, o.places([]*module{{dir: root, path: "ex"}}), root, nil)
		s.deadline = time.Unix(1, 0)
		for line := range bytes.Lines(text) {
			s.line(bytes.TrimSuffix(line, []byte("\n")))
			s.errLine(line)
		}
		s.finish(len(text)%2 == 0)
		s.unloaded(&module{dir: root})
		if r.Passed < 0 || r.NotRun < 0 || r.Failed+r.Broken != len(r.Failures) || len(s.open) != 0 {
			t.Errorf("%+v", r)
		}
	})
}

// BenchmarkStream reads 100 MB of events: a thousand packages of a hundred tests each, some
// of which print much.
func BenchmarkStream(b *testing.B) {
	var text bytes.Buffer
	stamp := `{"Time":"2026-01-02T03:04:05.678901234Z","Action":`
	for p := 0; text.Len() < 100<<20; p++ {
		pkg := fmt.Sprintf(`"Package":"ex/some/package%d"`, p)
		for i := range 100 {
			test := fmt.Sprintf(`,"Test":"TestSomething%d"`, i)
			text.WriteString(stamp + `"run",` + pkg + test + "}\n")
			for j := range i % 10 {
				fmt.Fprintf(&text, "%s\"output\",%s%s,\"Output\":\"    some_test.go:%d: a line of \\\"text\\\" that a test prints\\n\"}\n", stamp, pkg, test, j)
			}
			text.WriteString(stamp + `"pass",` + pkg + test + `,"Elapsed":0.01}` + "\n")
		}
		text.WriteString(stamp + `"output",` + pkg + `,"Output":"PASS\n"}` + "\n" + stamp + `"pass",` + pkg + `,"Elapsed":1}` + "\n")
	}
	b.SetBytes(int64(text.Len()))
	b.ReportAllocs()
	for b.Loop() {
		r := &report.Test{}
		s := newStream(r, Options{Root: b.TempDir()}.places(nil), ".", nil)
		for line := range bytes.Lines(text.Bytes()) {
			s.line(line)
		}
		if r.Passed == 0 {
			b.Fatal("nothing passed")
		}
	}
}

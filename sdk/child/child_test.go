//go:build unix

package child

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// TestMain lets the test binary be a child that does what a shell does badly.
func TestMain(m *testing.M) {
	switch what, arg, _ := strings.Cut(os.Getenv("CHILD_TEST_ROLE"), " "); what {
	case "":
		os.Exit(m.Run())
	case "print": // so many MB of a text
		n, text, _ := strings.Cut(arg, " ")
		text, _ = strconv.Unquote(text)
		mb, _ := strconv.Atoi(n)
		block := bytes.Repeat([]byte(text), (1<<20)/len(text))
		for range mb {
			_, _ = os.Stdout.Write(block)
		}
	case "daemon": // leaves its group and session, holds the output open
		cmd := exec.Command("/bin/sh", "-c", "echo $$ > daemon; exec sleep 60")
		cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
		cmd.Stdout, cmd.Stderr = os.Stdout, os.Stderr
		if err := cmd.Start(); err != nil {
			panic(err)
		}
		for {
			if text, err := os.ReadFile("daemon"); err == nil && len(text) > 0 {
				break
			}
			time.Sleep(time.Millisecond)
		}
		fmt.Println("daemon started")
	case "run": // runs a command through this package and is killed meanwhile
		_, _ = Run(context.Background(), Command{Dir: arg, Args: []string{"sh", "-c",
			"sleep 0.3; trap '' TERM; sh -c 'echo $$ > grandchild; exec sleep 60' & echo $$ > child; wait"}})
	}
}

func shell(t *testing.T, script string) Command {
	t.Helper()
	return Command{Dir: t.TempDir(), Args: []string{"sh", "-c", script}}
}

func role(t *testing.T, role string) Command {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	return Command{Dir: t.TempDir(), Args: []string{self}, Env: []string{"CHILD_TEST_ROLE=" + role}}
}

func run(t *testing.T, c Command) *Result {
	t.Helper()
	res, err := Run(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	return res
}

func TestRun(t *testing.T) {
	tests := []struct {
		name, script string
		env          []string
		code         int
		signal       string
		out, errs    string
	}{
		{"fine", "echo one; echo two", nil, 0, "", "one|two|", ""},
		{"both", "echo one; echo two >&2; exit 3", nil, 3, "", "one|", "two|"},
		{"no end of line", "printf 'a\nb'", nil, 0, "", "a|b|", ""},
		{"empty lines", "echo; echo; echo x", nil, 0, "", "||x|", ""},
		{"windows", `printf 'a\r\nb\r\n'`, nil, 0, "", "a|b|", ""},
		{"progress", `printf '10%%\r20%%\r100%%\n'`, nil, 0, "", "10%\r20%\r100%|", ""},
		{"binary", `printf 'a\000\377b\n'`, nil, 0, "", "a\x00\xffb|", ""},
		{"signal", "kill -SEGV $$", nil, 128 + 11, "segmentation fault", "", ""},
		{"killed", "kill -KILL $$", nil, 128 + 9, "killed", "", ""},
		{"env", "echo $A $B", []string{"A=1", "B=2", "A=3"}, 0, "", "3 2|", ""},
		{"no input", "cat; echo end", nil, 0, "", "end|", ""},
		{"closes its output", "echo one; exec >&- 2>&-; sleep 0.1; exit 4", nil, 4, "", "one|", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var out, errs strings.Builder
			c := shell(t, tt.script)
			c.Env = tt.env
			c.Stdout = func(line []byte) { fmt.Fprintf(&out, "%s|", line) }
			c.Stderr = func(line []byte) { fmt.Fprintf(&errs, "%s|", line) }
			res := run(t, c)
			if res.Code != tt.code || res.Signal != tt.signal || out.String() != tt.out || errs.String() != tt.errs {
				t.Errorf("code %d, signal %q, printed %q and %q; want %d, %q, %q, %q",
					res.Code, res.Signal, out.String(), errs.String(), tt.code, tt.signal, tt.out, tt.errs)
			}
			if res.TimedOut || res.Canceled {
				t.Errorf("ended by us: %+v", res)
			}
		})
	}
}

// TestRunNever starts nothing, and says why.
func TestRunNever(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "text"), []byte("text"), 0o644); err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		name string
		c    Command
		want string
		is   error
	}{
		{"missing", Command{Dir: dir, Args: []string{"no-such-program"}}, "no-such-program is not installed, or its folder is not in PATH", exec.ErrNotFound},
		{"missing path", Command{Dir: dir, Args: []string{"./no/such"}}, "./no/such cannot be run", exec.ErrNotFound},
		{"missing in its own path", Command{Dir: dir, Args: []string{"sh"}, Env: []string{"PATH=" + dir}}, "sh is not installed", exec.ErrNotFound},
		{"no program", Command{Dir: dir, Args: []string{"./text"}}, "./text cannot be run", os.ErrPermission},
		{"no folder", Command{Dir: dir + "/gone", Args: []string{"sh"}}, "there is no folder", nil},
		{"nothing", Command{Dir: dir}, "no program", nil},
		{"too long", Command{Dir: dir, Args: []string{"sh", strings.Repeat("x", 8<<20)}}, "more than the system takes", syscall.E2BIG},
		{"log", Command{Dir: dir, Args: []string{"sh"}, Log: dir + "/text/log"}, "folder of the log", nil},
	}
	for _, tt := range tests {
		res, err := Run(t.Context(), tt.c)
		if err == nil || !strings.Contains(err.Error(), tt.want) || tt.is != nil && !errors.Is(err, tt.is) {
			t.Errorf("%s: %+v, %v; want %q", tt.name, res, err, tt.want)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if res, err := Run(ctx, shell(t, "echo > made")); err != nil || !res.Canceled || res.Code != -1 {
		t.Errorf("cancelled before the start: %+v, %v", res, err)
	}
}

// TestRunEnds ends children that would not end, with all that they started.
func TestRunEnds(t *testing.T) {
	const family = "sleep 60 & echo $! >> pids; "
	many := strings.Repeat("(sleep 60) & echo $! >> pids; ", 100)
	tests := []struct {
		name, script string
		cancel, quit bool
		code         int
		slow         bool // it needs killing
	}{
		{name: "obedient", script: family + "echo ready; wait", code: 128 + 15},
		{name: "obedient, cancelled", script: family + "echo ready; wait", cancel: true, code: 128 + 15},
		{name: "stubborn", script: "trap '' TERM; " + family + "echo ready; while :; do sleep 0.05; done", code: 128 + 9, slow: true},
		{name: "polite", script: "trap 'exit 7' TERM; " + family + "echo ready; wait", code: 7},
		{name: "asked where it is", script: "trap 'echo here; exit 8' QUIT; trap '' TERM; echo ready; while :; do sleep 0.05; done", quit: true, code: 8},
		{name: "many", script: many + "echo ready; wait", code: 128 + 15},
		{name: "stubborn children", script: "sh -c 'trap \"\" TERM; echo $$ >> pids; echo ready; while :; do sleep 0.05; done' & wait", code: 128 + 15},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			c := shell(t, tt.script)
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			c.Quit = tt.quit
			ready := make(chan struct{})
			c.Stdout = func(line []byte) {
				if string(line) == "ready" {
					close(ready)
				}
			}
			if tt.cancel {
				go func() {
					<-ready
					cancel()
				}()
			} else {
				c.Timeout = time.Second
			}
			began := time.Now()
			res, err := Run(ctx, c)
			if err != nil {
				t.Fatal(err)
			}
			if res.Code != tt.code || res.TimedOut == tt.cancel || res.Canceled != tt.cancel {
				t.Errorf("%+v, want code %d", res, tt.code)
			}
			if took := time.Since(began); took > 20*time.Second || tt.slow && took < grace {
				t.Errorf("took %s", took)
			}
			text, err := os.ReadFile(filepath.Join(c.Dir, "pids"))
			if err != nil && !tt.quit {
				t.Fatal(err)
			}
			for _, pid := range strings.Fields(string(text)) {
				gone(t, pid)
			}
		})
	}
}

// TestRunLeavesNothing ends what a child leaves behind in its group, at once; one that left
// the group and holds the output does not make anybody wait for long.
func TestRunLeavesNothing(t *testing.T) {
	c := shell(t, "sleep 60 & echo $! > pid; echo bye")
	began := time.Now()
	if res := run(t, c); res.Code != 0 || string(res.Tail) != "bye\n" {
		t.Errorf("%+v", res)
	}
	if took := time.Since(began); took >= grace {
		t.Errorf("waited %s for what was left behind", took)
	}
	gone(t, pidIn(t, c.Dir, "pid"))

	c = role(t, "daemon")
	began = time.Now()
	res := run(t, c)
	pid, err := strconv.Atoi(pidIn(t, c.Dir, "daemon"))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = syscall.Kill(pid, syscall.SIGKILL) }()
	if took := time.Since(began); took > 5*grace || res.Code != 0 || string(res.Tail) != "daemon started\n" {
		t.Errorf("%+v after %s", res, took)
	}
}

// TestRunDiesWithUs ends children, and theirs, when this process is killed.
func TestRunDiesWithUs(t *testing.T) {
	dir := t.TempDir()
	c := role(t, "run "+dir)
	cmd := exec.Command(c.Args[0])
	cmd.Env = append(os.Environ(), c.Env...)
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	child, grandchild := pidIn(t, dir, "child"), pidIn(t, dir, "grandchild")
	_ = cmd.Process.Kill()
	_ = cmd.Wait()
	gone(t, child)
	gone(t, grandchild)
}

// TestRunLarge reads much output of every shape in bounded memory.
func TestRunLarge(t *testing.T) {
	tests := []struct {
		name, text string
		lines      int // -1: whatever
		longest    int
	}{
		{"lines", "a line of some forty characters or so...\n", -1, 64},
		{"one line", "x", 1, longest},
		{"progress", "50%\r", 1, longest},
		{"binary", "\x00\xff\xfe\x80", 1, longest},
		{"empty lines", "\n", 20 << 20, 0},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			const mb = 20
			c := role(t, fmt.Sprintf("print %d %q", mb, tt.text))
			c.Log = filepath.Join(c.Dir, "logs", "log")
			lines, long := 0, 0
			c.Stdout = func(line []byte) { lines, long = lines+1, max(long, len(line)) }
			res := run(t, c)
			want := int64(mb) * int64((1<<20)/len(tt.text)*len(tt.text))
			if res.Bytes != want || len(res.Tail) != keep || res.LogCut {
				t.Errorf("%d bytes, %d in the tail; want %d", res.Bytes, len(res.Tail), want)
			}
			if info, err := os.Stat(c.Log); err != nil || info.Size() != want {
				t.Errorf("the log: %v, %v", info, err)
			}
			if tt.lines >= 0 && lines != tt.lines || tt.lines < 0 && lines != int(want)/len(tt.text) || long > tt.longest {
				t.Errorf("%d lines, the longest has %d; want %d and %d", lines, long, tt.lines, tt.longest)
			}
		})
	}
}

// TestSinkCut cuts a log that gets too long, and goes on.
func TestSinkCut(t *testing.T) {
	path := filepath.Join(t.TempDir(), "log")
	f, err := createLog(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	s := sink{keep: 10, log: f, logged: logMax - 5}
	s.take([]byte("abc\n"), nil, nil, false)
	s.take([]byte("def\n"), nil, nil, false)
	s.take([]byte("ghi\n"), nil, nil, false)
	n, tail, cut := s.end()
	text, _ := os.ReadFile(path)
	if n != 12 || string(tail) != "c\ndef\nghi\n" || !cut || string(text) != "abc\nd\n[the log ends here: more than 256 MB were printed]\n" {
		t.Errorf("%d bytes, tail %q, cut %v, log %q", n, tail, cut, text)
	}
	if s.take([]byte("late\n"), func([]byte) { t.Error("told after the end") }, nil, false) {
		t.Error("goes on after the end")
	}
}

// TestText gives the log other text than the lines that are told of.
func TestText(t *testing.T) {
	c := shell(t, "echo one; echo two; echo oops >&2; printf three")
	c.Log = filepath.Join(c.Dir, "log")
	last := ""
	c.Stdout = func(line []byte) { last = string(line) }
	c.Text = func() []byte { return []byte("<" + last + ">\n") }
	res := run(t, c)
	text, err := os.ReadFile(c.Log)
	for _, want := range []string{"<one>\n<two>\n", "oops\n", "<three>\n"} {
		if !strings.Contains(string(text), want) || len(text) != len("<one>\n<two>\noops\n<three>\n") {
			t.Errorf("the log is %q, %v", text, err)
		}
	}
	if res.Bytes != int64(len("one\ntwo\noops\nthree")) {
		t.Errorf("%d bytes", res.Bytes)
	}
}

// TestTail compares the tail with the end of everything, for parts of every size.
func TestTail(t *testing.T) {
	for keep := 1; keep < 12; keep++ {
		for size := 1; size < 30; size++ {
			s := sink{keep: keep}
			var all []byte
			for i := range 20 {
				part := bytes.Repeat([]byte{byte('a' + i)}, (i*7+size)%size+1)
				all = append(all, part...)
				s.take(part, nil, nil, false)
			}
			if _, tail, _ := s.end(); !bytes.Equal(tail, all[max(0, len(all)-keep):]) {
				t.Fatalf("keep %d, parts of %d: %q", keep, size, tail)
			}
		}
	}
}

func pidIn(t *testing.T, dir, name string) string {
	t.Helper()
	for range 1000 {
		if text, err := os.ReadFile(filepath.Join(dir, name)); err == nil && bytes.HasSuffix(text, []byte("\n")) {
			return strings.TrimSpace(string(text))
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Fatal("the child never said who it is")
	return ""
}

// gone waits for a process to end; one that nobody has waited for counts as gone.
func gone(t *testing.T, pid string) {
	t.Helper()
	for range 500 {
		out, _ := exec.Command("ps", "-o", "stat=", "-p", pid).Output()
		if stat := strings.TrimSpace(string(out)); stat == "" || stat[0] == 'Z' {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Errorf("the process %s goes on", pid)
}

// BenchmarkRun reads 100 MB.
func BenchmarkRun(b *testing.B) {
	self, err := os.Executable()
	if err != nil {
		b.Fatal(err)
	}
	for name, text := range map[string]string{"lines": "a line of some forty characters or so...\n", "one line": "x"} {
		b.Run(name, func(b *testing.B) {
			dir := b.TempDir()
			b.SetBytes(100 << 20)
			b.ReportAllocs()
			for b.Loop() {
				lines := 0
				c := Command{Dir: dir, Args: []string{self}, Env: []string{fmt.Sprintf("CHILD_TEST_ROLE=print 100 %q", text)},
					Log: filepath.Join(dir, "log"), Stdout: func([]byte) { lines++ }}
				if res, err := Run(b.Context(), c); err != nil || res.Bytes < 99<<20 {
					b.Fatal(res, err)
				}
			}
		})
	}
}

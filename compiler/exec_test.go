//go:build unix

package compiler

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// shell runs a script as a program.
func shell(script string, args ...string) Process {
	return Process{Path: "/bin/sh", Args: append([]string{"-c", script, "sh"}, args...)}
}

func TestExec(t *testing.T) {
	tests := []struct {
		script string
		code   int
		out    string
	}{
		{"exit 0", 0, ""},
		{"exit 7", 7, ""},
		{`echo "$1-$WORD"; cat; echo oops >&2`, 0, "arg-given\nin\noops\n"},
		{"kill -SEGV $$", 1, ""},
		{"kill -KILL $$", 1, ""},
		{"pwd", 0, "/\n"},
	}
	for _, tt := range tests {
		var out bytes.Buffer
		p := shell(tt.script, "arg")
		p.In, p.Out, p.Err, p.Env, p.Dir = strings.NewReader("in\n"), &out, &out, []string{"WORD=given"}, "/"
		code, err := Exec(t.Context(), p)
		if err != nil || code != tt.code || out.String() != tt.out {
			t.Errorf("%s: code %d, %v, printed %q; want %d, %q", tt.script, code, err, out.String(), tt.code, tt.out)
		}
	}
	if _, err := Exec(t.Context(), Process{Path: "/nowhere/at/all"}); err == nil || !strings.Contains(err.Error(), "starting the program") {
		t.Errorf("a program that is not there: %v", err)
	}
}

// TestExecSignals passes signals on.
func TestExecSignals(t *testing.T) {
	signals := make(chan os.Signal, 1)
	r, w := pipe(t)
	p := shell("trap 'exit 9' TERM; echo ready; while :; do sleep 0.05; done")
	p.Out, p.Signals = w, signals
	go func() {
		ready := make([]byte, 6)
		_, _ = r.Read(ready)
		signals <- syscall.SIGTERM
	}()
	if code, err := Exec(t.Context(), p); code != 9 || err != nil {
		t.Errorf("code %d, %v", code, err)
	}
}

func pipe(t *testing.T) (r, w *os.File) {
	t.Helper()
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { r.Close(); w.Close() })
	return r, w
}

// TestExecCancel ends a program with all that it has started, also one that does not want to.
func TestExecCancel(t *testing.T) {
	for name, script := range map[string]string{
		"obedient": "sleep 60 & echo $! > child; echo ready; wait",
		"stubborn": "trap '' TERM; sleep 60 & echo $! > child; echo ready; while :; do sleep 0.05; done",
	} {
		ctx, cancel := context.WithCancel(t.Context())
		r, w := pipe(t)
		p := shell(script)
		p.Out, p.Group, p.Dir = w, true, t.TempDir()
		go func() {
			ready := make([]byte, 6)
			_, _ = r.Read(ready)
			cancel()
		}()
		began := time.Now()
		if _, err := Exec(ctx, p); !errors.Is(err, context.Canceled) {
			t.Errorf("%s: %v", name, err)
		}
		if took := time.Since(began); took > 10*patience {
			t.Errorf("%s: took %s", name, took)
		}
		text, err := os.ReadFile(filepath.Join(p.Dir, "child"))
		if err != nil {
			t.Fatal(err)
		}
		if err := gone(strings.TrimSpace(string(text))); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Exec(ctx, shell("exit 0")); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled before the start: %v", err)
	}
}

// gone says whether a process is still there; one that nobody has waited for counts as gone.
func gone(pid string) error {
	for began := time.Now(); time.Since(began) < 5*time.Second; time.Sleep(10 * time.Millisecond) {
		var out bytes.Buffer
		p := shell("ps -o stat= -p " + pid)
		p.Out = &out
		_, _ = Exec(context.Background(), p)
		if stat := strings.TrimSpace(out.String()); stat == "" || stat[0] == 'Z' {
			return nil
		}
	}
	return errors.New("the process " + pid + " goes on")
}

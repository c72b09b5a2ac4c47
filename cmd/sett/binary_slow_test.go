//go:build slow

package main

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// build makes the program as a user has it.
func build(t *testing.T) string {
	t.Helper()
	exe := filepath.Join(t.TempDir(), "sett")
	if out, err := exec.Command("go", "build", "-o", exe, ".").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return exe
}

func sample(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range map[string]string{
		"go.mod":  "module example.com/p\n\ngo 1.21\n",
		"main.go": "package main\n\nfunc main() { help() }\n\nfunc help() {}\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// TestBinary runs the program over real pipes.
func TestBinary(t *testing.T) {
	exe := build(t)

	t.Run("stdio", func(t *testing.T) {
		dir := sample(t)
		cmd := exec.Command(exe, "mcp")
		cmd.Dir = dir
		cmd.Env = append(os.Environ(), "CLAUDE_PROJECT_DIR="+dir)
		in, err := cmd.StdinPipe()
		if err != nil {
			t.Fatal(err)
		}
		out, err := cmd.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		var errs bytes.Buffer
		cmd.Stderr = &errs
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		for _, line := range []string{
			`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}`,
			`{"jsonrpc":"2.0","method":"notifications/initialized"}`,
			`{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"find_references","arguments":{"symbol":"help"}}}`,
		} {
			if _, err := io.WriteString(in, line+"\n"); err != nil {
				t.Fatal(err)
			}
		}
		r := bufio.NewReader(out)
		for _, want := range []string{`"protocolVersion":"2025-06-18"`, `help function main.go:5 · 1 ref in 1 file\nmain.go:3\n`} {
			line, err := r.ReadString('\n')
			if err != nil || !strings.Contains(line, want) {
				t.Fatalf("%v: %s, want %s", err, line, want)
			}
		}
		if err := in.Close(); err != nil {
			t.Fatal(err)
		}
		if rest, err := io.ReadAll(r); err != nil || len(rest) > 0 {
			t.Errorf("after the end: %q, %v", rest, err)
		}
		if err := cmd.Wait(); err != nil || errs.Len() > 0 {
			t.Errorf("%v, stderr %q", err, errs.String())
		}
	})

	t.Run("terminate", func(t *testing.T) {
		cmd := exec.Command(exe, "mcp", sample(t))
		in, err := cmd.StdinPipe()
		if err != nil {
			t.Fatal(err)
		}
		defer in.Close()
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		time.Sleep(200 * time.Millisecond) // until it listens for signals
		if err := cmd.Process.Signal(syscall.SIGTERM); err != nil {
			t.Fatal(err)
		}
		done := make(chan error, 1)
		go func() { done <- cmd.Wait() }()
		select {
		case err := <-done:
			if err != nil {
				t.Errorf("ended with %v", err)
			}
		case <-time.After(5 * time.Second):
			_ = cmd.Process.Kill()
			t.Error("does not end when told to")
		}
	})

	t.Run("quick", func(t *testing.T) {
		dir := sample(t)
		best := time.Hour
		for range 20 {
			start := time.Now()
			cmd := exec.Command(exe, "find", "help")
			cmd.Dir = dir
			if out, err := cmd.Output(); err != nil || !strings.Contains(string(out), "def help main.go:5 function") {
				t.Fatalf("%v: %s", err, out)
			}
			best = min(best, time.Since(start))
		}
		t.Logf("the best of 20 questions took %v", best)
		if best > 50*time.Millisecond {
			t.Errorf("the best of 20 questions took %v, want at most 50 ms on any machine", best)
		}
	})

	t.Run("exit codes", func(t *testing.T) {
		dir := sample(t)
		for args, want := range map[string]int{"find help": 0, "find hlep": 1, "find": 2, "index": 0} {
			cmd := exec.Command(exe, strings.Fields(args)...)
			cmd.Dir = dir
			err := cmd.Run()
			var exit *exec.ExitError
			got := 0
			if errors.As(err, &exit) {
				got = exit.ExitCode()
			} else if err != nil {
				t.Fatal(err)
			}
			if got != want {
				t.Errorf("%s: exit %d, want %d", args, got, want)
			}
		}
	})
}

package typecheck

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"go/build"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// A tool is the go command of this machine, and what it says of itself. Without one
// (command is "") it has the values that this program was built with.
type tool struct {
	command string
	env     struct {
		GOROOT, GOVERSION, GOOS, GOARCH, CGO_ENABLED, GOFLAGS, GOTOOLDIR, GOMODCACHE, GOWORK string
	}
	build build.Context
	key   uint64 // of all that the go command says of its environment
}

func findTool(ctx context.Context, dir string) (*tool, error) {
	t := &tool{build: build.Default}
	if p, err := exec.LookPath("go"); err == nil {
		t.command = p
	} else if p := filepath.Join(build.Default.GOROOT, "bin", "go"); build.Default.GOROOT != "" && isFile(p) {
		t.command = p
	}
	if t.command != "" {
		out, _, err := t.run(ctx, dir, nil, "env", "-json")
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if err != nil || json.Unmarshal(out, &t.env) != nil {
			t.command = ""
		}
		t.key = envKey(out)
	}
	if t.command == "" {
		t.env.GOROOT, t.env.GOOS, t.env.GOARCH = build.Default.GOROOT, build.Default.GOOS, build.Default.GOARCH
		t.env.GOFLAGS, t.env.GOWORK = os.Getenv("GOFLAGS"), os.Getenv("GOWORK")
		t.env.GOMODCACHE = os.Getenv("GOMODCACHE")
		if t.env.GOMODCACHE == "" {
			if list := filepath.SplitList(build.Default.GOPATH); len(list) > 0 {
				t.env.GOMODCACHE = filepath.Join(list[0], "pkg", "mod")
			}
		}
		t.env.CGO_ENABLED = "0"
	}
	t.build.GOROOT, t.build.GOOS, t.build.GOARCH = t.env.GOROOT, t.env.GOOS, t.env.GOARCH
	t.build.CgoEnabled = t.env.CGO_ENABLED == "1"
	t.build.BuildTags = flagTags(t.env.GOFLAGS)
	return t, nil
}

// flagTags returns the build tags that GOFLAGS sets.
func flagTags(flags string) []string {
	var tags []string
	for _, f := range strings.Fields(flags) {
		f = strings.TrimPrefix(f, "-")
		if v, ok := strings.CutPrefix(strings.TrimPrefix(f, "-"), "tags="); ok {
			tags = strings.FieldsFunc(strings.Trim(v, `"'`), func(r rune) bool { return r == ',' || r == ' ' })
		}
	}
	return tags
}

// run runs the go command, without the network, and gives back what it printed.
func (t *tool) run(ctx context.Context, dir string, env []string, args ...string) (stdout, stderr []byte, err error) {
	return execute(ctx, dir, append([]string{"GOPROXY=off"}, env...), nil, t.command, args...)
}

func execute(ctx context.Context, dir string, env []string, stdin io.Reader, command string, args ...string) (stdout, stderr []byte, err error) {
	cmd := exec.CommandContext(ctx, command, args...)
	cmd.Dir, cmd.Stdin = dir, stdin
	cmd.Env = append(append(os.Environ(), "PWD="+dir), env...)
	cmd.WaitDelay = 2 * time.Second
	var out, bad bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &bad
	err = cmd.Run()
	if ctx.Err() != nil {
		err = ctx.Err()
	}
	return out.Bytes(), bad.Bytes(), err
}

// exited reports whether a command ran and said no, in contrast to one that did not run.
func exited(err error) bool {
	var e *exec.ExitError
	return errors.As(err, &e)
}

func isFile(path string) bool {
	info, err := os.Stat(path)
	return err == nil && !info.IsDir()
}

func isDir(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

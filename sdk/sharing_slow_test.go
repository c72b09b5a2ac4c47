//go:build slow

package sdk_test

import (
	"context"
	"fmt"
	"math/rand"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/settgraph/sett/query"
	"github.com/settgraph/sett/sdk"
)

// The sharing test plays many servers, command lines and indexers on one folder, which is
// edited all the while, and kills some of them at random. Nobody may meet an error, and
// every answer must be true at some moment between its question and its coming.
//
// SETT_SHARING is how long it runs: 15s unless set.

const actorEnv = "SETT_TEST_ACTOR"

func TestMain(m *testing.M) {
	if role := os.Getenv(actorEnv); role != "" {
		if err := act(role, os.Args[len(os.Args)-1]); err != nil {
			fmt.Fprintln(os.Stderr, role+":", err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// act is one process of the play: it goes on until it is killed or finds something wrong.
func act(role, dir string) error {
	ctx := context.Background()
	switch role {
	case "server": // one project for many questions
		p, err := sdk.Open(dir, sdk.Options{})
		if err != nil {
			return err
		}
		for {
			if err := question(ctx, p, dir); err != nil {
				return err
			}
		}
	case "command": // a project for each question
		for {
			p, err := sdk.Open(dir, sdk.Options{})
			if err != nil {
				return err
			}
			if err := question(ctx, p, dir); err != nil {
				return err
			}
			if err := p.Close(); err != nil {
				return err
			}
		}
	case "indexer":
		for {
			p, err := sdk.Open(dir, sdk.Options{})
			if err != nil {
				return err
			}
			if _, err := p.Index(ctx, sdk.IndexOptions{Force: rand.Intn(4) == 0}); err != nil {
				return err
			}
			if err := p.Close(); err != nil {
				return err
			}
		}
	}
	return fmt.Errorf("no role %q", role)
}

var counter = regexp.MustCompile(`func V(\d+)\(`)

// edition reads which edition of the file is on disk.
func edition(dir string) (int, error) {
	b, err := os.ReadFile(filepath.Join(dir, "cart", "v.go"))
	if err != nil {
		return 0, err
	}
	m := counter.FindSubmatch(b)
	if m == nil {
		return 0, fmt.Errorf("no edition in %q", b)
	}
	return strconv.Atoi(string(m[1]))
}

func question(ctx context.Context, p *sdk.Project, dir string) error {
	before, err := edition(dir)
	if err != nil {
		return err
	}
	r, err := p.Find(ctx, query.FindArgs{Symbol: `/^V\d+$/`})
	if err != nil {
		return fmt.Errorf("asking: %w", err)
	}
	after, err := edition(dir)
	if err != nil {
		return err
	}
	if len(r.Hits) != 1 {
		return fmt.Errorf("%d answers, want 1: %v", len(r.Hits), r.Hits)
	}
	got, err := strconv.Atoi(r.Hits[0].Name[1:])
	if err != nil || got < before || got > after {
		return fmt.Errorf("the answer is edition %s, the file went from %d to %d meanwhile", r.Hits[0].Name, before, after)
	}
	return nil
}

func TestSlowSharing(t *testing.T) {
	took := 15 * time.Second
	if s := os.Getenv("SETT_SHARING"); s != "" {
		d, err := time.ParseDuration(s)
		if err != nil {
			t.Fatal(err)
		}
		took = d
	}
	dir := project(t, sample)
	edit := func(n int) error {
		path := filepath.Join(dir, "cart", "v.go")
		if err := os.WriteFile(path+".new", fmt.Appendf(nil, "package cart\n\nfunc V%d() {}\n", n), 0o666); err != nil {
			return err
		}
		return os.Rename(path+".new", path)
	}
	if err := edit(0); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), took)
	defer cancel()
	var wg sync.WaitGroup
	play := func(role string) {
		wg.Go(func() {
			for ctx.Err() == nil {
				cmd := exec.Command(os.Args[0], dir)
				cmd.Env = append(os.Environ(), actorEnv+"="+role)
				var out lastBytes
				cmd.Stderr = &out
				if err := cmd.Start(); err != nil {
					t.Error(err)
					return
				}
				done := make(chan error, 1)
				go func() { done <- cmd.Wait() }()
				select {
				case <-time.After(time.Duration(rand.Intn(1500)) * time.Millisecond):
					cmd.Process.Kill() // ours: started above
					<-done
				case <-ctx.Done():
					cmd.Process.Kill()
					<-done
				case err := <-done:
					t.Errorf("a %s ended: %v\n%s", role, err, out.b)
					return
				}
			}
		})
	}
	for range 6 {
		play("server")
	}
	for range 4 {
		play("command")
	}
	for range 2 {
		play("indexer")
	}
	edits := 0
	for ctx.Err() == nil {
		edits++
		if err := edit(edits); err != nil {
			t.Error(err)
			break
		}
		time.Sleep(time.Duration(rand.Intn(60)) * time.Millisecond)
	}
	wg.Wait()
	t.Logf("%d edits", edits)
	if edits < 20 {
		t.Errorf("only %d edits happened", edits)
	}
	p := open(t, dir, sdk.Options{})
	if got, want := dump(t, p), cold(t, dir); got != want {
		t.Error("after all, the index differs from one made from nothing")
	}
}

type lastBytes struct{ b []byte }

func (l *lastBytes) Write(b []byte) (int, error) {
	l.b = append(l.b, b...)
	if len(l.b) > 4096 {
		l.b = l.b[len(l.b)-4096:]
	}
	return len(b), nil
}

func TestSlowRandomEdits(t *testing.T) {
	for seed := range int64(6) {
		randomEdits(t, seed+100, 60)
	}
}

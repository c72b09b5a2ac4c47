package store

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/settgraph/sett/graph"
)

// The test binary, started again with this variable, is one of many processes.
const roleVar = "SETT_STORE_TEST_ROLE"

func TestMain(m *testing.M) {
	if role := os.Getenv(roleVar); role != "" {
		if err := play(role, os.Args[1]); err != nil {
			fmt.Println("FAIL:", err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// numbered are the pages of generation n; a reader can tell n, and so all pages, from meta.
func numbered(n uint64) graph.Pages { return somePages(n, 12, 3000) }

func play(role, root string) error {
	s := At(root)
	switch role {
	case "read":
		for {
			if err := readNumbered(s); err != nil {
				return err
			}
		}
	case "publish":
		r := rand.New(rand.NewPCG(uint64(os.Getpid()), 1))
		for {
			if err := publishNumbered(s, r); err != nil {
				return err
			}
		}
	case "lock":
		if _, ok, err := s.Lock(context.Background(), true); err != nil || !ok {
			return fmt.Errorf("no lock: %v", err)
		}
		fmt.Println("locked")
		time.Sleep(time.Minute)
	case "full":
		_, err := s.Publish(context.Background(), somePages(77, 100, 20000))
		if err == nil {
			return errors.New("published although the disk is full")
		}
		fmt.Println("said:", err)
	}
	return nil
}

// readNumbered opens what is current and verifies every byte of it.
func readNumbered(s *Store) error {
	ref, err := s.Current()
	if err != nil {
		return fmt.Errorf("Current: %w", err)
	}
	g, err := s.Open(ref)
	if err != nil {
		return fmt.Errorf("Open: %w", err)
	}
	defer g.Close()
	meta, err := g.Page("meta")
	if err != nil {
		return err
	}
	n, err := strconv.ParseUint(strings.TrimPrefix(string(meta), "generation "), 10, 64)
	if err != nil {
		return fmt.Errorf("meta is %q", meta)
	}
	for k, want := range numbered(n) {
		got, err := g.Page(k)
		if err != nil {
			return err
		}
		if !bytes.Equal(got, want) {
			return fmt.Errorf("page %s of generation %d is wrong", k, n)
		}
	}
	if l := g.Layer(); l != nil && string(l) != "layer over "+g.Ref().Base {
		return fmt.Errorf("the layer of %v is %q", g.Ref(), l)
	}
	return nil
}

func publishNumbered(s *Store, r *rand.Rand) error {
	ctx := context.Background()
	unlock, ok, err := s.Lock(ctx, true)
	if err != nil || !ok {
		return fmt.Errorf("Lock: %v, %w", ok, err)
	}
	defer unlock()
	ref, err := s.Publish(ctx, numbered(r.Uint64N(8)))
	if err != nil {
		return fmt.Errorf("Publish: %w", err)
	}
	if r.IntN(2) == 0 {
		if _, err := s.PublishLayer(ctx, ref.Base, []byte("layer over "+ref.Base)); err != nil {
			return fmt.Errorf("PublishLayer: %w", err)
		}
	}
	if err := s.Sweep(); err != nil {
		return fmt.Errorf("Sweep: %w", err)
	}
	return nil
}

func start(t *testing.T, role, root string) (*exec.Cmd, *bytes.Buffer) {
	t.Helper()
	cmd := exec.Command(os.Args[0], root)
	cmd.Env = append(os.Environ(), roleVar+"="+role)
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	return cmd, &out
}

// A publisher is killed again and again, each time a little later.
func TestKilledPublisher(t *testing.T) {
	rounds := 60
	if testing.Short() {
		rounds = 10
	}
	root := t.TempDir()
	s := At(root)
	publish(t, s, numbered(0))
	r := rand.New(rand.NewPCG(1, 2))
	for i := range rounds {
		cmd, out := start(t, "publish", root)
		time.Sleep(10*time.Millisecond + time.Duration(r.IntN(60_000))*time.Microsecond)
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
		if out.Len() > 0 {
			t.Fatalf("round %d: %s", i, out)
		}
		if err := readNumbered(s); err != nil {
			t.Fatalf("round %d: %v", i, err)
		}
	}
	// The killed ones left no lock, and nothing that is not swept.
	unlock, ok, err := s.Lock(t.Context(), false)
	if err != nil || !ok {
		t.Fatalf("Lock: %v, %v", ok, err)
	}
	defer unlock()
	if err := s.Sweep(); err != nil {
		t.Fatal(err)
	}
	for _, dir := range []string{"gen", "layer"} {
		if _, err := os.Stat(s.path(dir)); errors.Is(err, fs.ErrNotExist) {
			continue // nobody lived long enough to make it
		}
		for _, name := range readNames(t, s.path(dir)) {
			if !isID(name) {
				t.Errorf("%s is left in %s", name, dir)
			}
		}
	}
}

// Between any two steps of a publication the store is as it was before, and the next
// publication succeeds. The steps are replayed here, as a kill cannot be aimed.
func TestInterruptedSteps(t *testing.T) {
	old, pages := numbered(1), numbered(2)
	done := At(t.TempDir())
	id := publish(t, done, pages).Base
	files := readDir(t, done.path("gen", id))
	type step struct {
		name string
		do   func(s *Store)
	}
	mkdir := func(s *Store, name string) {
		if err := os.MkdirAll(s.path("gen", name), 0o777); err != nil {
			t.Fatal(err)
		}
	}
	steps := []step{{"temporary folder", func(s *Store) { mkdir(s, "tmp-1") }}}
	for name, b := range files {
		steps = append(steps,
			step{"half of " + name, func(s *Store) { mkdir(s, "tmp-1"); writeTest(t, s.path("gen", "tmp-1", name), []byte(b[:len(b)/2])) }},
			step{"all of " + name, func(s *Store) { mkdir(s, "tmp-1"); writeTest(t, s.path("gen", "tmp-1", name), []byte(b)) }})
	}
	steps = append(steps,
		step{"folder in place", func(s *Store) {
			mkdir(s, id)
			for name, b := range files {
				writeTest(t, s.path("gen", id, name), []byte(b))
			}
		}},
		step{"half a folder in place", func(s *Store) { mkdir(s, id); writeTest(t, s.path("gen", id, "SEAL"), []byte(files["SEAL"])) }},
		step{"half of CURRENT", func(s *Store) { writeTest(t, s.path("tmp-2"), []byte(id[:9])) }},
		step{"half a layer", func(s *Store) {
			if err := os.MkdirAll(s.path("layer"), 0o777); err != nil {
				t.Fatal(err)
			}
			writeTest(t, s.path("layer", "tmp-3"), nil)
		}},
		step{"half a removal", func(s *Store) { mkdir(s, "tmp-4/old") }})
	if len(steps) < 9 {
		t.Fatalf("%d steps", len(steps))
	}
	for _, st := range steps {
		s := At(t.TempDir())
		ref := publish(t, s, old)
		st.do(s)
		checkPages(t, s, ref, old)
		if cur, err := s.Current(); err != nil || cur != ref {
			t.Errorf("%s: Current is %v, %v", st.name, cur, err)
		}
		got := publish(t, s, pages)
		if got.Base != id {
			t.Errorf("%s: published as %s", st.name, got.Base)
		}
		checkPages(t, s, got, pages)
		if _, err := s.Verify(got); err != nil {
			t.Errorf("%s: %v", st.name, err)
		}
		if err := s.Sweep(); err != nil {
			t.Errorf("%s: %v", st.name, err)
		}
	}
}

func TestKilledLockHolder(t *testing.T) {
	root := t.TempDir()
	s := At(root)
	cmd := exec.Command(os.Args[0], root)
	cmd.Env = append(os.Environ(), roleVar+"=lock")
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	if line, err := bufio.NewReader(out).ReadString('\n'); line != "locked\n" {
		t.Fatalf("the other process says %q, %v", line, err)
	}
	if _, ok, err := s.Lock(t.Context(), false); ok || err != nil {
		t.Errorf("locked twice: %v, %v", ok, err)
	}
	_ = cmd.Process.Kill()
	_ = cmd.Wait()
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Second)
	defer cancel()
	unlock, ok, err := s.Lock(ctx, true)
	if err != nil || !ok {
		t.Fatalf("the lock of a killed process: %v, %v", ok, err)
	}
	unlock()
}

// A disk that is full gives an error, and the old index stays.
func TestFullDisk(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("there is no limit to set")
	}
	root := t.TempDir()
	s := At(root)
	ref := publish(t, s, numbered(3))
	cmd := exec.Command("sh", "-c", `ulimit -f 64 && exec "$0" "$1"`, os.Args[0], root)
	cmd.Env = append(os.Environ(), roleVar+"=full")
	out, err := cmd.CombinedOutput()
	if err != nil || !strings.HasPrefix(string(out), "said: writing the index: ") {
		t.Errorf("%v: %s", err, out)
	}
	if cur, err := s.Current(); err != nil || cur != ref {
		t.Errorf("Current is %v, %v", cur, err)
	}
	checkPages(t, s, ref, numbered(3))
	if left := readNames(t, s.path("gen")); len(left) != 1 {
		t.Errorf("%q is left", left)
	}
}

func TestManyProcesses(t *testing.T) {
	d := 3 * time.Second
	if testing.Short() {
		d = time.Second
	}
	hammer(t, d)
}

// hammer lets many processes, and a few goroutines, read and publish, and kills some of
// them at random. None may fail, nor read anything wrong.
func hammer(t *testing.T, d time.Duration) {
	root := t.TempDir()
	s := At(root)
	publish(t, s, numbered(0))
	end := time.Now().Add(d)
	var wg sync.WaitGroup
	for i := range 6 {
		role := "read"
		if i >= 4 {
			role = "publish"
		}
		wg.Go(func() {
			r := rand.New(rand.NewPCG(uint64(i), 9))
			for time.Now().Before(end) {
				cmd, out := start(t, role, root)
				time.Sleep(time.Duration(50+r.IntN(400)) * time.Millisecond)
				_ = cmd.Process.Kill()
				_ = cmd.Wait()
				if out.Len() > 0 {
					t.Errorf("a process that is to %s: %s", role, out)
					return
				}
			}
		})
	}
	var reads int
	for range 2 {
		wg.Go(func() {
			for time.Now().Before(end) && !t.Failed() {
				if err := readNumbered(s); err != nil {
					t.Error(err)
				}
			}
		})
	}
	wg.Go(func() {
		for time.Now().Before(end) && !t.Failed() {
			if err := readNumbered(s); err != nil {
				t.Error(err)
			}
			reads++
		}
	})
	wg.Wait()
	if reads == 0 { // how many there are depends on how busy the machine is
		t.Error("nothing was read")
	}
	if err := readNumbered(s); err != nil {
		t.Error(err)
	}
}

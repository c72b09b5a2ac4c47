package journal

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"
)

// files reads everything below a folder but the journal.
func files(t testing.TB, root string) map[string]string {
	t.Helper()
	out := map[string]string{}
	err := filepath.WalkDir(root, func(p string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, _ := filepath.Rel(root, p)
		rel = filepath.ToSlash(rel)
		if rel == ".sett" {
			return fs.SkipDir
		}
		if d.IsDir() {
			if rel != "." {
				out[rel+"/"] = ""
			}
			return nil
		}
		if info, err := os.Stat(p); err == nil && info.IsDir() {
			return nil // a link
		}
		data, err := os.ReadFile(p)
		out[rel] = string(data)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func put(t testing.TB, root, name, text string) {
	t.Helper()
	p := filepath.Join(root, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(p), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(p, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// do runs f with the lock.
func do[T any](t testing.TB, j *Journal, f func(h *Held) (T, error)) (T, error) {
	t.Helper()
	h, err := j.Lock(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	defer h.Release()
	return f(h)
}

func commit(t testing.TB, j *Journal, label string, cs ...Change) error {
	t.Helper()
	_, err := do(t, j, func(h *Held) (Entry, error) { return h.Commit(label, nil, cs) })
	return err
}

func undo(t testing.TB, j *Journal) error {
	t.Helper()
	_, err := do(t, j, (*Held).Undo)
	return err
}

func redo(t testing.TB, j *Journal) error {
	t.Helper()
	_, err := do(t, j, (*Held).Redo)
	return err
}

// bytesOf is contents; nil for "-".
func bytesOf(s string) []byte {
	if s == "-" {
		return nil
	}
	return []byte(s)
}

func TestCommitUndoRedo(t *testing.T) {
	root := t.TempDir()
	put(t, root, "a.pluto", "one")
	put(t, root, "gone/b.pluto", "two")
	start := files(t, root)
	j := Open(root, Options{})
	err := commit(t, j, "all kinds",
		Change{Path: "a.pluto", Before: bytesOf("one"), After: bytesOf("ONE")},
		Change{Path: "gone/b.pluto", Before: bytesOf("two"), After: nil},
		Change{Path: "new/deep/c.pluto", Before: nil, After: bytesOf("three")},
		Change{Path: "empty.pluto", Before: nil, After: bytesOf("")},
	)
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]string{"a.pluto": "ONE", "gone/": "", "new/": "", "new/deep/": "", "new/deep/c.pluto": "three", "empty.pluto": ""}
	end := files(t, root)
	if !maps.Equal(end, want) {
		t.Errorf("after the commit: %v, want %v", end, want)
	}
	for range 3 {
		if err := undo(t, j); err != nil {
			t.Fatal(err)
		}
		if got := files(t, root); !maps.Equal(got, start) {
			t.Errorf("after undo: %v, want %v", got, start)
		}
		j = Open(root, Options{}) // a restart changes nothing
		if err := redo(t, j); err != nil {
			t.Fatal(err)
		}
		if got := files(t, root); !maps.Equal(got, end) {
			t.Errorf("after redo: %v, want %v", got, end)
		}
	}
	if err := redo(t, j); !errors.Is(err, ErrNothing) {
		t.Errorf("redo with nothing to redo: %v", err)
	}
	h, err := j.History()
	if err != nil || len(h) != 1 || h[0].Label != "all kinds" || h[0].Undone {
		t.Errorf("history: %v, %v", h, err)
	}
}

func TestConflict(t *testing.T) {
	root := t.TempDir()
	put(t, root, "a", "1")
	put(t, root, "b", "1")
	j := Open(root, Options{})
	var conflict *ConflictError
	err := commit(t, j, "", Change{Path: "a", Before: bytesOf("1"), After: bytesOf("2")}, Change{Path: "b", Before: bytesOf("0"), After: bytesOf("2")})
	if !errors.As(err, &conflict) || !slices.Equal(conflict.Paths, []string{"b"}) {
		t.Fatalf("commit over another text: %v", err)
	}
	if got := files(t, root); got["a"] != "1" {
		t.Errorf("a conflict left half of a change: %v", got)
	}
	err = commit(t, j, "", Change{Path: "a", Before: nil, After: bytesOf("2")})
	if !errors.As(err, &conflict) {
		t.Errorf("creating a file that is there: %v", err)
	}
	err = commit(t, j, "", Change{Path: "c", Before: bytesOf("x"), After: bytesOf("2")})
	if !errors.As(err, &conflict) {
		t.Errorf("changing a file that is gone: %v", err)
	}
	if err := commit(t, j, "", Change{Path: "a", Before: bytesOf("1"), After: bytesOf("2")}); err != nil {
		t.Fatal(err)
	}
	put(t, root, "a", "3")
	if err := undo(t, j); !errors.As(err, &conflict) {
		t.Errorf("undo over another text: %v", err)
	}
	put(t, root, "a", "2")
	if err := undo(t, j); err != nil {
		t.Errorf("undo after the text is back: %v", err)
	}
}

func TestEditAfterUndoDropsRedo(t *testing.T) {
	root := t.TempDir()
	put(t, root, "a", "0")
	j := Open(root, Options{})
	for i := range 3 {
		if err := commit(t, j, strconv.Itoa(i), Change{Path: "a", Before: bytesOf(strconv.Itoa(i)), After: bytesOf(strconv.Itoa(i + 1))}); err != nil {
			t.Fatal(err)
		}
	}
	for range 2 {
		if err := undo(t, j); err != nil {
			t.Fatal(err)
		}
	}
	if err := commit(t, j, "other", Change{Path: "a", Before: bytesOf("1"), After: bytesOf("x")}); err != nil {
		t.Fatal(err)
	}
	if err := redo(t, j); !errors.Is(err, ErrNothing) {
		t.Errorf("redo: %v", err)
	}
	var labels []string
	h, _ := j.History()
	for _, e := range h {
		labels = append(labels, e.Label)
	}
	if got := strings.Join(labels, " "); got != "other 0" {
		t.Errorf("history: %s", got)
	}
}

func TestBounds(t *testing.T) {
	root := t.TempDir()
	j := Open(root, Options{MaxEntries: 3, MaxBytes: 4000})
	text := ""
	step := func(next string) {
		t.Helper()
		var before []byte
		if text != "" {
			before = []byte(text)
		}
		if err := commit(t, j, "", Change{Path: "a", Before: before, After: []byte(next)}); err != nil {
			t.Fatal(err)
		}
		text = next
	}
	for i := range 6 {
		step(strconv.Itoa(i))
	}
	if h, _ := j.History(); len(h) != 3 {
		t.Errorf("%d entries, want 3", len(h))
	}
	step(strings.Repeat("x", 10000))
	if h, _ := j.History(); len(h) != 1 {
		t.Errorf("%d entries after a large one, want 1", len(h))
	}
	names, _ := filepath.Glob(filepath.Join(root, ".sett/journal/*.entry"))
	if len(names) != 1 {
		t.Errorf("files of entries: %v", names)
	}
}

func TestModesAndLinks(t *testing.T) {
	root, outside := t.TempDir(), t.TempDir()
	put(t, root, "run", "1")
	put(t, root, "real/x", "1")
	put(t, outside, "secret", "1")
	if err := os.Chmod(filepath.Join(root, "run"), 0o751); err != nil {
		t.Fatal(err)
	}
	for name, to := range map[string]string{"link": "real/x", "out": filepath.Join(outside, "secret"), "outdir": outside} {
		if err := os.Symlink(to, filepath.Join(root, name)); err != nil {
			t.Skip(err)
		}
	}
	j := Open(root, Options{})
	err := commit(t, j, "", Change{Path: "run", Before: bytesOf("1"), After: bytesOf("2")}, Change{Path: "link", Before: bytesOf("1"), After: bytesOf("2")})
	if err != nil {
		t.Fatal(err)
	}
	if info, _ := os.Stat(filepath.Join(root, "run")); info.Mode().Perm() != 0o751 {
		t.Errorf("the mode is %v now", info.Mode())
	}
	if info, _ := os.Lstat(filepath.Join(root, "link")); info.Mode()&fs.ModeSymlink == 0 {
		t.Error("the link is a file now")
	}
	if got := files(t, root)["real/x"]; got != "2" {
		t.Errorf("behind the link is %q", got)
	}
	for _, p := range []string{"out", "outdir/secret", "outdir/new", "../up", "/abs", "a/../../b", ""} {
		if err := commit(t, j, "", Change{Path: p, Before: bytesOf("1"), After: bytesOf("2")}); err == nil {
			t.Errorf("wrote through %q", p)
		}
		if err := commit(t, j, "", Change{Path: p, After: bytesOf("2")}); err == nil {
			t.Errorf("created %q", p)
		}
	}
	if got := files(t, outside); !maps.Equal(got, map[string]string{"secret": "1"}) {
		t.Errorf("outside: %v", got)
	}
	// A file that goes and comes back has its mode again.
	if err := commit(t, j, "", Change{Path: "run", Before: bytesOf("2")}); err != nil {
		t.Fatal(err)
	}
	if err := undo(t, j); err != nil {
		t.Fatal(err)
	}
	if info, err := os.Stat(filepath.Join(root, "run")); err != nil || info.Mode().Perm() != 0o751 {
		t.Errorf("the mode after undo: %v, %v", info, err)
	}
}

// merge is a merge of sets of letters.
func merge(disk, from, to []byte) []byte {
	set := map[byte]bool{}
	for _, c := range disk {
		set[c] = true
	}
	for _, c := range from {
		delete(set, c)
	}
	for _, c := range to {
		set[c] = true
	}
	if len(set) == 0 {
		return nil
	}
	return slices.Sorted(maps.Keys(set))
}

func TestMerge(t *testing.T) {
	root := t.TempDir()
	j := Open(root, Options{Merge: map[string]func(disk, from, to []byte) []byte{"set": merge}})
	if err := commit(t, j, "", Change{Path: "set", After: bytesOf("ab")}); err != nil {
		t.Fatal(err)
	}
	put(t, root, "set", "abz") // others may add to it
	if err := commit(t, j, "", Change{Path: "set", Before: bytesOf("a"), After: bytesOf("c")}); err != nil {
		t.Fatal(err)
	}
	want := func(w string) {
		t.Helper()
		if got, _ := os.ReadFile(filepath.Join(root, "set")); string(got) != w {
			t.Errorf("the set is %q, want %q", got, w)
		}
	}
	want("bcz")
	if err := undo(t, j); err != nil {
		t.Fatal(err)
	}
	want("abz")
	if err := undo(t, j); err != nil {
		t.Fatal(err)
	}
	want("z")
}

func TestDamage(t *testing.T) {
	damages := map[string]func(data []byte) []byte{
		"empty":     func([]byte) []byte { return nil },
		"truncated": func(d []byte) []byte { return d[:len(d)/2] },
		"flipped": func(d []byte) []byte {
			d = bytes.Clone(d)
			d[len(d)/2] ^= 1
			return d
		},
		"garbage": func([]byte) []byte { return bytes.Repeat([]byte("\xff\x00{"), 1000) },
		"json":    func([]byte) []byte { return []byte(`{"next":-1,"entries":null}`) },
	}
	for name, damage := range damages {
		for _, which := range []string{"head", "00000001.entry", "00000002.entry"} {
			t.Run(name+" "+which, func(t *testing.T) {
				root := t.TempDir()
				j := Open(root, Options{})
				for i := range 2 {
					var before []byte
					if i > 0 {
						before = bytesOf("0")
					}
					if err := commit(t, j, "", Change{Path: "a", Before: before, After: bytesOf(strconv.Itoa(i))}); err != nil {
						t.Fatal(err)
					}
				}
				file := filepath.Join(root, ".sett/journal", which)
				data, err := os.ReadFile(file)
				if err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(file, damage(data), 0o644); err != nil {
					t.Fatal(err)
				}
				if _, err := j.History(); err != nil {
					t.Errorf("history: %v", err)
				}
				_ = undo(t, j)
				_ = undo(t, j)
				noted := len(j.Notes()) > 0
				if !noted {
					t.Error("nothing was said")
				}
				now, ok := files(t, root)["a"]
				var before []byte
				if ok {
					before = []byte(now)
				}
				if err := commit(t, j, "", Change{Path: "a", Before: before, After: bytesOf("new")}); err != nil {
					t.Errorf("the damage blocks an edit: %v", err)
				}
				if err := undo(t, j); err != nil {
					t.Errorf("undo after the damage: %v", err)
				}
			})
		}
	}
}

func TestReadOnlyFolder(t *testing.T) {
	if os.Geteuid() == 0 {
		t.Skip("root may write everywhere")
	}
	root := t.TempDir()
	if err := os.Chmod(root, 0o555); err != nil {
		t.Fatal(err)
	}
	defer os.Chmod(root, 0o755)
	if _, err := Open(root, Options{}).Lock(context.Background()); !errors.Is(err, ErrReadOnly) {
		t.Errorf("lock: %v", err)
	}
}

func TestBusy(t *testing.T) {
	root := t.TempDir()
	h, err := Open(root, Options{}).Lock(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	defer h.Release()
	if _, err := Open(root, Options{Wait: 20 * time.Millisecond}).Lock(context.Background()); !errors.Is(err, ErrBusy) {
		t.Errorf("a second lock: %v", err)
	}
}

func TestConcurrentCounters(t *testing.T) {
	root := t.TempDir()
	put(t, root, "a", "0")
	put(t, root, "b", "0")
	var wg sync.WaitGroup
	const writers, each = 4, 10
	for range writers {
		wg.Go(func() {
			j := Open(root, Options{})
			for range each {
				h, err := j.Lock(context.Background())
				if err != nil {
					t.Error(err)
					return
				}
				data, _ := os.ReadFile(filepath.Join(root, "a"))
				n, _ := strconv.Atoi(string(data))
				next := bytesOf(strconv.Itoa(n + 1))
				_, err = h.Commit("", nil, []Change{{Path: "a", Before: data, After: next}, {Path: "b", Before: data, After: next}})
				h.Release()
				if err != nil {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
	want := strconv.Itoa(writers * each)
	if got := files(t, root); got["a"] != want || got["b"] != want {
		t.Errorf("%v, want %s", got, want)
	}
}

// The child of TestKilled commits, undoes and redoes until it is killed. All files hold the
// same number, some of them exist only for even numbers.
func TestMain(m *testing.M) {
	if root := os.Getenv("SETT_JOURNAL_CHILD"); root != "" {
		child(root)
		os.Exit(0)
	}
	os.Exit(m.Run())
}

const count = 8

func child(root string) {
	j := Open(root, Options{MaxEntries: 10})
	r := rand.New(rand.NewPCG(uint64(time.Now().UnixNano()), 1))
	for {
		h, err := j.Lock(context.Background())
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(3)
		}
		switch r.IntN(4) {
		case 0:
			_, err = h.Undo()
		case 1:
			_, err = h.Redo()
		default:
			data, rerr := os.ReadFile(filepath.Join(root, "f0"))
			if rerr != nil {
				os.Exit(4)
			}
			n, _ := strconv.Atoi(string(data))
			_, err = h.Commit("next", nil, generation(n, n+1))
		}
		h.Release()
		if err != nil && !errors.Is(err, ErrNothing) {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(5)
		}
	}
}

// generation is the change from one number to the next.
func generation(from, to int) []Change {
	var cs []Change
	for i := range count {
		c := Change{Path: fmt.Sprintf("f%d", i), Before: bytesOf(strconv.Itoa(from)), After: bytesOf(strconv.Itoa(to))}
		if i >= count/2 {
			c.Path = fmt.Sprintf("dir%d/f%d", to/2%2, i)
			if from%2 != 0 {
				c.Before = nil
			} else {
				c.Path = fmt.Sprintf("dir%d/f%d", from/2%2, i)
			}
			if to%2 != 0 {
				c.After = nil
			}
		}
		cs = append(cs, c)
	}
	return cs
}

// check says what of a generation is missing.
func checkGeneration(got map[string]string) error {
	n, err := strconv.Atoi(got["f0"])
	if err != nil {
		return err
	}
	want := map[string]string{}
	for i := range count {
		switch {
		case i < count/2:
			want[fmt.Sprintf("f%d", i)] = got["f0"]
		case n%2 == 0:
			want[fmt.Sprintf("dir%d/f%d", n/2%2, i)] = got["f0"]
		}
	}
	for name := range got {
		if strings.HasSuffix(name, "/") {
			delete(got, name)
		}
	}
	if !maps.Equal(got, want) {
		return fmt.Errorf("%v, want %v", got, want)
	}
	return nil
}

func TestKilled(t *testing.T) {
	root := t.TempDir()
	for i := range count {
		if i < count/2 {
			put(t, root, fmt.Sprintf("f%d", i), "0")
		} else {
			put(t, root, fmt.Sprintf("dir0/f%d", i), "0")
		}
	}
	rounds := 40
	if testing.Short() {
		rounds = 10
	}
	unfinished := 0
	for i := range rounds {
		cmd := exec.Command(os.Args[0], "-test.run=^$")
		cmd.Env = append(os.Environ(), "SETT_JOURNAL_CHILD="+root)
		var stderr bytes.Buffer
		cmd.Stderr = &stderr
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		time.Sleep(20*time.Millisecond + time.Duration(rand.IntN(60000))*time.Microsecond)
		_ = cmd.Process.Kill()
		if err := cmd.Wait(); err == nil || stderr.Len() > 0 {
			t.Fatalf("the child ended by itself: %v %s", err, stderr.String())
		}
		j := Open(root, Options{})
		if _, pending := j.State(); pending {
			unfinished++
		}
		h, err := j.Lock(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		h.Release()
		if notes := j.Notes(); len(notes) > 0 {
			t.Errorf("round %d: %v", i, notes)
		}
		if err := checkGeneration(files(t, root)); err != nil {
			t.Fatalf("round %d: half of a change: %v", i, err)
		}
	}
	t.Logf("%d of %d were killed in the middle of a change", unfinished, rounds)
	if unfinished == 0 && !testing.Short() {
		t.Error("no child was killed in the middle of a change: the test proves nothing")
	}
}

// A change that cannot be completed, because somebody wrote one of its files after the
// process died, is taken back, but not what they wrote.
func TestTakenBack(t *testing.T) {
	root := t.TempDir()
	for _, name := range []string{"a", "b", "c"} {
		put(t, root, name, "old")
	}
	j := Open(root, Options{})
	var cs []Change
	for _, name := range []string{"a", "b", "c"} {
		cs = append(cs, Change{Path: name, Before: bytesOf("old"), After: bytesOf("new")})
	}
	if err := commit(t, j, "", cs...); err != nil {
		t.Fatal(err)
	}
	// As if it had died after the first file.
	h, err := j.Lock(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	h.head.Pending, h.head.Cursor = 1, 0
	if err := h.saveHead(); err != nil {
		t.Fatal(err)
	}
	h.Release()
	put(t, root, "b", "theirs")
	put(t, root, "c", "old")
	if h, err = j.Lock(context.Background()); err != nil {
		t.Fatal(err)
	}
	h.Release()
	if got, want := files(t, root), map[string]string{"a": "old", "b": "theirs", "c": "old"}; !maps.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
	if len(j.Notes()) == 0 {
		t.Error("nothing was said")
	}
}

func FuzzDecode(f *testing.F) {
	e := &entry{ID: 1, Label: "x", Files: []Change{{Path: "a", Before: bytesOf("1"), After: bytesOf("2"), Mode: 0o644}, {Path: "b", After: bytesOf("")}}}
	data, err := e.encode()
	if err != nil {
		f.Fatal(err)
	}
	f.Add(data)
	f.Add((&head{Next: 2, Entries: []record{{1, 3}}, Cursor: 1}).encode())
	f.Fuzz(func(t *testing.T, data []byte) {
		if e, err := decodeEntry(data); err == nil {
			again, err := e.encode()
			if err != nil {
				t.Fatal(err)
			}
			if _, err := decodeEntry(again); err != nil {
				t.Errorf("does not decode again: %v", err)
			}
		}
		_, _ = decodeHead(data)
	})
}

// BenchmarkCommit changes a hundred files.
func BenchmarkCommit(b *testing.B) {
	root := b.TempDir()
	j := Open(root, Options{})
	text := func(n int) []byte { return bytes.Repeat([]byte{byte('a' + n%2)}, 2000) }
	var cs []Change
	for i := range 100 {
		cs = append(cs, Change{Path: fmt.Sprintf("d%d/f%d", i%10, i), After: text(0)})
	}
	if err := commit(b, j, "", cs...); err != nil {
		b.Fatal(err)
	}
	for n := 1; b.Loop(); n++ {
		for i := range cs {
			cs[i].Before, cs[i].After = text(n-1), text(n)
		}
		if err := commit(b, j, "", cs...); err != nil {
			b.Fatal(err)
		}
	}
}

// during is a journal in which something happens after a change has looked at its files and
// before it replaces them.
func during(root string, something func()) *Journal {
	calls := 0
	return Open(root, Options{Merge: map[string]func(disk, from, to []byte) []byte{"z": func(_, _, to []byte) []byte {
		if calls++; calls == 2 { // once before the entry is written, once after
			something()
		}
		return to
	}}})
}

func TestOverwrittenMeanwhile(t *testing.T) {
	for _, name := range []string{"a", "b", "c"} {
		root := t.TempDir()
		put(t, root, "a", "1")
		put(t, root, "b", "1")
		j := during(root, func() { put(t, root, name, "theirs") })
		err := commit(t, j, "", Change{Path: "a", Before: bytesOf("1"), After: bytesOf("2")}, Change{Path: "b", Before: bytesOf("1"), After: nil},
			Change{Path: "c", After: bytesOf("2")}, Change{Path: "z", After: bytesOf("2")})
		var conflict *ConflictError
		if !errors.As(err, &conflict) || !slices.Equal(conflict.Paths, []string{name}) {
			t.Errorf("%s was overwritten while it was being changed: %v", name, err)
		}
		want := map[string]string{"a": "1", "b": "1"}
		want[name] = "theirs"
		if got := files(t, root); !maps.Equal(got, want) {
			t.Errorf("%s was overwritten while it was being changed: %v is there, want %v", name, got, want)
		}
		if h, err := j.History(); err != nil || len(h) != 0 {
			t.Errorf("history: %v, %v", h, err)
		}
	}
}

func TestHeadCannotBeWritten(t *testing.T) {
	root := t.TempDir()
	put(t, root, "a", "1")
	stuck := filepath.Join(root, filepath.FromSlash(headFile+".tmp"))
	block := func() {
		if err := os.Mkdir(stuck, 0o777); err != nil {
			t.Error(err)
		}
	}
	j := during(root, block)
	if err := commit(t, j, "change", Change{Path: "a", Before: bytesOf("1"), After: bytesOf("2")}, Change{Path: "z", After: bytesOf("2")}); err != nil {
		t.Errorf("the change was made, and is called failed: %v", err)
	}
	if n := j.Notes(); len(n) != 1 || !strings.Contains(n[0], "the history could not be written") {
		t.Errorf("notes: %q", n)
	}
	if err := os.Remove(stuck); err != nil {
		t.Fatal(err)
	}
	if err := undo(t, Open(root, Options{})); err != nil {
		t.Errorf("undo of it: %v", err)
	}
	if got := files(t, root); got["a"] != "1" {
		t.Errorf("after undo: %v", got)
	}
}

func TestTakenBackLater(t *testing.T) {
	root := t.TempDir()
	put(t, root, "a", "1")
	put(t, root, "b", "1")
	folder := filepath.Join(root, "b")
	j := during(root, func() {
		if err := errors.Join(os.Remove(folder), os.MkdirAll(filepath.Join(folder, "x"), 0o777)); err != nil {
			t.Error(err)
		}
	})
	var conflict *ConflictError
	err := commit(t, j, "", Change{Path: "a", Before: bytesOf("1"), After: bytesOf("2")}, Change{Path: "b", Before: bytesOf("1"), After: bytesOf("2")}, Change{Path: "z", After: bytesOf("2")})
	if !errors.As(err, &conflict) || !slices.Equal(conflict.Paths, []string{"b"}) {
		t.Errorf("a file became a folder: %v", err)
	}
	if got, want := files(t, root), map[string]string{"a": "1", "b/": "", "b/x/": ""}; !maps.Equal(got, want) {
		t.Errorf("a file became a folder: %v is there, want %v", got, want)
	}
	if err := commit(t, Open(root, Options{}), "", Change{Path: "a", Before: bytesOf("1"), After: bytesOf("3")}); err != nil {
		t.Errorf("the next change: %v", err)
	}
}

func TestPermissions(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("there are none")
	}
	root := t.TempDir()
	mode := func(name string) fs.FileMode {
		info, err := os.Stat(filepath.Join(root, filepath.FromSlash(name)))
		if err != nil {
			t.Fatal(err)
		}
		return info.Mode().Perm()
	}
	put(t, root, "secret", "1")
	secret := filepath.Join(root, "secret")
	if err := os.Chmod(secret, 0o600); err != nil {
		t.Fatal(err)
	}
	usual := filepath.Join(root, "usual")
	if err := os.WriteFile(usual, nil, 0o666); err != nil {
		t.Fatal(err)
	}
	j := Open(root, Options{})
	if err := commit(t, j, "", Change{Path: "secret", Before: bytesOf("1")}, Change{Path: "moved", After: bytesOf("1"), Like: "secret"}, Change{Path: "new", After: bytesOf("1")}); err != nil {
		t.Fatal(err)
	}
	if mode("moved") != 0o600 || mode("new") != mode("usual") || mode(entryFile(1)) != 0o600 {
		t.Errorf("moved %v, new %v, entry %v", mode("moved"), mode("new"), mode(entryFile(1)))
	}
	if err := undo(t, j); err != nil {
		t.Fatal(err)
	}
	if mode("secret") != 0o600 {
		t.Errorf("after undo: %v", mode("secret"))
	}
	if err := redo(t, j); err != nil {
		t.Fatal(err)
	}
	if mode("moved") != 0o600 {
		t.Errorf("after redo: %v", mode("moved"))
	}
	// What somebody did to it since stays.
	if err := commit(t, j, "", Change{Path: "moved", Before: bytesOf("1"), After: bytesOf("2")}); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(filepath.Join(root, "moved"), 0o640); err != nil {
		t.Fatal(err)
	}
	if err := undo(t, j); err != nil || mode("moved") != 0o640 {
		t.Errorf("after undo: %v, %v", mode("moved"), err)
	}
}

// TestForged brings a change to its end that whoever made the folder has put there.
func TestForged(t *testing.T) {
	for _, name := range []string{".git/hooks/pre-commit", "sub/.GIT/config", ".git", ".sett/journal/head", ".sett/pluto.lock", "../up", "/abs"} {
		root := t.TempDir()
		e := &entry{ID: 1, Files: []Change{{Path: name, After: bytesOf("x"), Mode: 0o755}, {Path: "a", After: bytesOf("x")}}}
		data, err := e.encode()
		if err != nil {
			t.Fatal(err)
		}
		h := head{Next: 2, Entries: []record{{1, int64(len(data))}}, Pending: 1}
		put(t, root, entryFile(1), string(data))
		put(t, root, headFile, string(h.encode()))
		j := Open(root, Options{})
		if err := commit(t, j, "", Change{Path: "b", After: bytesOf("1")}); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if got, want := files(t, root), map[string]string{"b": "1"}; !maps.Equal(got, want) {
			t.Errorf("%s: %v is there", name, got)
		}
		if n := j.Notes(); len(n) != 1 {
			t.Errorf("%s: notes %q", name, n)
		}
	}
}

package store

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/settgraph/sett/graph"
)

// somePages returns pages that compress about as well as real ones, n of them of roughly
// the size, different for every seed.
func somePages(seed uint64, n, size int) graph.Pages {
	r := rand.New(rand.NewPCG(seed, 1))
	words := make([]string, 400)
	for i := range words {
		words[i] = fmt.Sprintf("name%x", r.Uint32N(1<<16))
	}
	pages := graph.Pages{"meta": []byte(fmt.Sprintf("generation %d", seed))}
	for _, k := range []string{"files", "d"} {
		pages[k] = somePage(r, words, size)
	}
	for i := range n {
		pages[fmt.Sprintf("%c/%06d", "nioxr"[i%5], i/5)] = somePage(r, words, size)
	}
	return pages
}

func somePage(r *rand.Rand, words []string, size int) []byte {
	var b bytes.Buffer
	for b.Len() < size {
		b.WriteString(words[r.IntN(len(words))])
		b.WriteByte(byte(r.Uint32()))
		b.WriteByte(byte(r.Uint32N(4)))
	}
	return b.Bytes()
}

func publish(t testing.TB, s *Store, pages graph.Pages) Ref {
	t.Helper()
	unlock, ok, err := s.Lock(t.Context(), true)
	if err != nil || !ok {
		t.Fatalf("Lock: %v, %v", ok, err)
	}
	defer unlock()
	ref, err := s.Publish(t.Context(), pages)
	if err != nil {
		t.Fatal(err)
	}
	return ref
}

func checkPages(t testing.TB, s *Store, ref Ref, pages graph.Pages) {
	t.Helper()
	g, err := s.Open(ref)
	if err != nil {
		t.Fatal(err)
	}
	defer g.Close()
	for k, want := range pages {
		got, err := g.Page(k)
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(got, want) {
			t.Fatalf("page %s: %d bytes differ from the %d published", k, len(got), len(want))
		}
	}
}

func TestPublishAndRead(t *testing.T) {
	s := At(t.TempDir())
	if _, err := s.Current(); !errors.Is(err, ErrNone) {
		t.Fatalf("Current of an empty project: %v", err)
	}
	pages := somePages(1, 40, 9000)
	pages["empty"] = []byte{}
	pages["x/state"] = somePage(rand.New(rand.NewPCG(9, 9)), []string{"a", "bb"}, 3<<20)
	ref := publish(t, s, pages)
	if cur, err := s.Current(); err != nil || cur != ref {
		t.Fatalf("Current = %v, %v; published %v", cur, err, ref)
	}
	checkPages(t, s, ref, pages)
	if b, err := os.ReadFile(s.path(".gitignore")); err != nil || string(b) != "*\n" {
		t.Errorf(".gitignore holds %q, %v", b, err)
	}

	g, err := s.Open(ref)
	if err != nil {
		t.Fatal(err)
	}
	defer g.Close()
	if _, err := g.Page("no/such"); err == nil {
		t.Error("an unknown page was read")
	}
	if g.Layer() != nil {
		t.Error("there is a layer that nobody published")
	}
}

// The same pages have the same name and the same bytes on disk, wherever they are written.
func TestPublishIsReproducible(t *testing.T) {
	var want map[string]string
	for i := range 3 {
		s := At(t.TempDir())
		ref := publish(t, s, somePages(7, 30, 5000))
		got := readDir(t, s.path("gen", ref.Base))
		if i == 0 {
			want = got
			continue
		}
		if len(got) != len(want) {
			t.Fatalf("%d files, then %d", len(want), len(got))
		}
		for name, b := range want {
			if got[name] != b {
				t.Errorf("%s differs", name)
			}
		}
	}
}

func readDir(t testing.TB, dir string) map[string]string {
	t.Helper()
	m := map[string]string{}
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		b, err := os.ReadFile(filepath.Join(dir, e.Name()))
		if err != nil {
			t.Fatal(err)
		}
		m[e.Name()] = string(b)
	}
	return m
}

func TestLayer(t *testing.T) {
	s := At(t.TempDir())
	pages := somePages(1, 5, 2000)
	base := publish(t, s, pages).Base
	data := []byte(strings.Repeat("facts of one file ", 1000))
	for _, d := range [][]byte{data, {}} {
		ref, err := s.PublishLayer(t.Context(), base, d)
		if err != nil {
			t.Fatal(err)
		}
		if cur, err := s.Current(); err != nil || cur != ref {
			t.Fatalf("Current = %v, %v; published %v", cur, err, ref)
		}
		g, err := s.Open(ref)
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(g.Layer(), d) || g.Layer() == nil {
			t.Errorf("the layer is %d bytes, want %d", len(g.Layer()), len(d))
		}
		g.Close()
		checkPages(t, s, ref, pages)
	}
	if _, err := s.PublishLayer(t.Context(), "../../etc", data); err == nil {
		t.Error("a layer was published over nonsense")
	}
	// A layer is bound to its base.
	ref, err := s.PublishLayer(t.Context(), base, data)
	if err != nil {
		t.Fatal(err)
	}
	other := publish(t, s, somePages(2, 5, 2000))
	if _, err := s.Open(Ref{other.Base, ref.Layer}); !IsCorrupt(err) {
		t.Errorf("a layer of another base was opened: %v", err)
	}
}

func TestOpenFollowsCurrent(t *testing.T) {
	s := At(t.TempDir())
	old := publish(t, s, somePages(1, 5, 2000))
	cur := publish(t, s, somePages(2, 5, 2000))
	if err := s.discard(s.path("gen", old.Base)); err != nil {
		t.Fatal(err)
	}
	g, err := s.Open(old)
	if err != nil {
		t.Fatal(err)
	}
	defer g.Close()
	if g.Ref() != cur {
		t.Errorf("opened %v, current is %v", g.Ref(), cur)
	}
	if err := s.discard(s.path("gen", cur.Base)); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Open(cur); !IsCorrupt(err) {
		t.Errorf("the current generation is missing, and: %v", err)
	}
}

func TestSweep(t *testing.T) {
	s := At(t.TempDir())
	var refs []Ref
	for i := range 4 {
		refs = append(refs, publish(t, s, somePages(uint64(i), 5, 2000)))
	}
	for _, name := range []string{"gen/tmp-1", "gen/.hidden", "layer"} {
		if err := os.MkdirAll(s.path(name), 0o777); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(s.path("layer", "tmp-2"), nil, 0o666); err != nil {
		t.Fatal(err)
	}
	open, err := s.Open(refs[0])
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := open.Close(); err != nil {
			t.Errorf("closing what was swept: %v", err)
		}
	}()
	age := func(id string) {
		old := time.Now().Add(-time.Hour)
		if err := os.Chtimes(s.path("gen", id), old, old); err != nil {
			t.Fatal(err)
		}
	}
	age(refs[0].Base)
	age(refs[1].Base)
	if err := s.Sweep(); err != nil {
		t.Fatal(err)
	}
	if got := len(readNames(t, s.path("gen"))); got != 2 {
		t.Errorf("%d generations are left, want the current one and the one before", got)
	}
	if left := readNames(t, s.path("layer")); len(left) != 0 {
		t.Errorf("%q is left", left)
	}
	if _, err := open.Page("meta"); err != nil {
		t.Errorf("a swept generation that is open: %v", err)
	}
	age(refs[2].Base)
	if err := s.Sweep(); err != nil {
		t.Fatal(err)
	}
	checkPages(t, s, refs[3], somePages(3, 5, 2000))
	if got := len(readNames(t, s.path("gen"))); got != 1 {
		t.Errorf("%d generations are left, want the current one", got)
	}
}

func readNames(t testing.TB, dir string) []string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	names := []string{}
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names
}

func TestLock(t *testing.T) {
	s := At(t.TempDir())
	unlock, ok, err := s.Lock(t.Context(), false)
	if err != nil || !ok {
		t.Fatalf("Lock of a free lock: %v, %v", ok, err)
	}
	if _, ok, err := s.Lock(t.Context(), false); ok || err != nil {
		t.Fatalf("Lock of a taken lock: %v, %v", ok, err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Millisecond)
	defer cancel()
	if _, ok, err := s.Lock(ctx, true); ok || !errors.Is(err, context.DeadlineExceeded) {
		t.Fatalf("waiting for a taken lock: %v, %v", ok, err)
	}
	time.AfterFunc(20*time.Millisecond, unlock)
	unlock, ok, err = s.Lock(t.Context(), true)
	if err != nil || !ok {
		t.Fatalf("waiting for a lock that is released: %v, %v", ok, err)
	}
	unlock()
}

func TestStat(t *testing.T) {
	s := At(t.TempDir())
	if got := s.LoadStat(); got != nil {
		t.Errorf("nothing was saved and %q loaded", got)
	}
	for _, data := range []string{"a cache", "", "another"} {
		if err := s.SaveStat([]byte(data)); err != nil {
			t.Fatal(err)
		}
		if got := s.LoadStat(); string(got) != data || got == nil {
			t.Errorf("loaded %q, saved %q", got, data)
		}
	}
	flipEvery(t, s.path("stat"), func() {
		if got := s.LoadStat(); got != nil {
			t.Errorf("loaded %q from a damaged file", got)
		}
	})
}

// flipEvery calls f with each byte of a file damaged in turn, and with the file cut off.
func flipEvery(t testing.TB, path string, f func()) {
	t.Helper()
	good, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for i := range good {
		bad := bytes.Clone(good)
		bad[i] ^= 1 << (i % 8)
		writeTest(t, path, bad)
		f()
	}
	for _, n := range []int{0, 1, len(good) / 2, len(good) - 1} {
		writeTest(t, path, good[:n])
		f()
	}
	writeTest(t, path, good)
}

func writeTest(t testing.TB, path string, b []byte) {
	t.Helper()
	if err := os.WriteFile(path, b, 0o666); err != nil {
		t.Fatal(err)
	}
}

func BenchmarkPublish5MB(b *testing.B) {
	pages := somePages(1, 250, 20<<10)
	stored := int64(0)
	for b.Loop() {
		s := At(b.TempDir())
		ref := publish(b, s, pages)
		b.StopTimer()
		stored = 0
		for _, data := range readDir(b, s.path("gen", ref.Base)) {
			stored += int64(len(data))
		}
		b.StartTimer()
	}
	raw := int64(0)
	for _, p := range pages {
		raw += int64(len(p))
	}
	b.ReportMetric(float64(raw)/1e6, "MB-raw")
	b.ReportMetric(float64(stored)/1e6, "MB-stored")
}

func BenchmarkOpen(b *testing.B) {
	s := At(b.TempDir())
	ref := publish(b, s, somePages(1, 250, 20<<10))
	for _, read := range []int{0, 1, 5} {
		b.Run(fmt.Sprintf("pages=%d", read), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				g, err := s.Open(ref)
				if err != nil {
					b.Fatal(err)
				}
				for i := range read {
					if _, err := g.Page(fmt.Sprintf("n/%06d", i)); err != nil {
						b.Fatal(err)
					}
				}
				b.StopTimer()
				g.Close()
				b.StartTimer()
			}
		})
	}
}

func BenchmarkPage(b *testing.B) {
	s := At(b.TempDir())
	g, err := s.Open(publish(b, s, somePages(1, 250, 20<<10)))
	if err != nil {
		b.Fatal(err)
	}
	defer g.Close()
	b.SetBytes(20 << 10)
	for b.Loop() {
		if _, err := g.Page("n/000007"); err != nil {
			b.Fatal(err)
		}
	}
}

package indexer

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"
)

// A project is a folder under test, with what the last scan left.
type project struct {
	t     testing.TB
	dir   string
	o     Options
	stat  []byte
	last  *Scan
	state *State
	ages  int
}

func newProject(t testing.TB, files map[string]string) *project {
	t.Helper()
	p := &project{t: t, dir: t.TempDir()}
	p.o = Options{Root: p.dir, Languages: langsOf(fake())}
	writeTree(t, p.dir, files)
	p.age()
	return p
}

// age sets recent times back, so that nothing is racy.
func (p *project) age() {
	p.t.Helper()
	p.ages++
	now := time.Now()
	old := now.Add(-time.Hour).Add(time.Duration(p.ages) * time.Second) // a time of its own for each edit
	err := filepath.Walk(p.dir, func(path string, info os.FileInfo, err error) error {
		if err != nil || info.Mode()&os.ModeSymlink != 0 || now.Sub(info.ModTime()) > time.Minute {
			return nil
		}
		return os.Chtimes(path, old, old)
	})
	if err != nil {
		p.t.Fatal(err)
	}
}

// scan scans with what is remembered, and verifies that a scan without gives the same.
func (p *project) scan() *Scan {
	p.t.Helper()
	s, err := ScanFiles(context.Background(), p.o, p.stat)
	if err != nil {
		p.t.Fatal(err)
	}
	cold, err := ScanFiles(context.Background(), p.o, nil)
	if err != nil {
		p.t.Fatal(err)
	}
	o := p.o
	if o.Last = p.last; o.Last != nil {
		o.Last.lookedOutside = time.Time{} // as if it were long ago
	}
	again, err := ScanFiles(context.Background(), o, nil)
	if err != nil {
		p.t.Fatal(err)
	}
	p.last = again
	if again.Digest != cold.Digest || !slices.Equal(again.Files, cold.Files) || fmt.Sprint(again.Skipped, again.Notes) != fmt.Sprint(cold.Skipped, cold.Notes) {
		p.t.Errorf("a scan after another gives\n\t%v\none alone\n\t%v", names(again), names(cold))
	}
	if s.Digest != cold.Digest || !slices.Equal(s.Files, cold.Files) {
		p.t.Errorf("a scan that remembers gives\n\t%v\none that does not\n\t%v", names(s), names(cold))
	}
	if got, want := fmt.Sprint(s.Skipped, s.Unindexed, s.Notes), fmt.Sprint(cold.Skipped, cold.Unindexed, cold.Notes); got != want {
		p.t.Errorf("a scan that remembers counts\n\t%s\none that does not\n\t%s", got, want)
	}
	if b := s.Stat(); b != nil {
		p.stat = b
	}
	return s
}

func names(s *Scan) []string {
	var ns []string
	for _, f := range s.Files {
		ns = append(ns, f.Path)
	}
	return ns
}

// update scans and brings the state up to date.
func (p *project) update() *Delta {
	p.t.Helper()
	d, err := Update(context.Background(), p.o, p.scan(), p.state)
	if err != nil {
		p.t.Fatal(err)
	}
	p.state = d.State
	return d
}

func (p *project) write(name, text string) { writeTree(p.t, p.dir, map[string]string{name: text}) }

func (p *project) must(err error) {
	p.t.Helper()
	if err != nil {
		p.t.Fatal(err)
	}
}

func (p *project) path(name string) string { return filepath.Join(p.dir, filepath.FromSlash(name)) }

// Each step changes the project; the scan after it must see just that.
func TestScanSeesEveryChange(t *testing.T) {
	p := newProject(t, map[string]string{
		"a.fk": "one", "sub/b.fk": "two", "sub/deep/c.fk": "three", "gen/d.fk": "four",
		"fake.mod": "1", ".gitignore": "*.tmp\n", "README.md": "text",
	})
	steps := []struct {
		name                    string
		do                      func()
		added, changed, removed []string
		same                    bool // the digest is as before
	}{
		{name: "nothing", do: func() {}, same: true},
		{name: "edit", do: func() { p.write("a.fk", "1!!") }, changed: []string{"a.fk"}},
		{name: "edit, longer", do: func() { p.write("sub/b.fk", "two and more") }, changed: []string{"sub/b.fk"}},
		{name: "touch", do: func() { now := time.Now(); p.must(os.Chtimes(p.path("a.fk"), now, now)) }, same: true},
		{name: "new file", do: func() { p.write("sub/deep/new.fk", "x") }, added: []string{"sub/deep/new.fk"}},
		{name: "new folder", do: func() { p.write("n/e/w.fk", "x") }, added: []string{"n/e/w.fk"}},
		{name: "other file", do: func() { p.write("notes.txt", "x") }, same: true},
		{name: "rename", do: func() { p.must(os.Rename(p.path("n/e/w.fk"), p.path("n/e/v.fk"))) },
			added: []string{"n/e/v.fk"}, removed: []string{"n/e/w.fk"}},
		{name: "rename folder", do: func() { p.must(os.Rename(p.path("n"), p.path("m"))) },
			added: []string{"m/e/v.fk"}, removed: []string{"n/e/v.fk"}},
		{name: "remove", do: func() { p.must(os.Remove(p.path("sub/b.fk"))) }, removed: []string{"sub/b.fk"}},
		{name: "remove folder", do: func() { p.must(os.RemoveAll(p.path("m"))) }, removed: []string{"m/e/v.fk"}},
		{name: "ignore more, in place", do: func() { p.write(".gitignore", "gen/\n") }, removed: []string{"gen/d.fk"}},
		{name: "edit of an ignored file", do: func() { p.write("gen/d.fk", "five") }, same: true},
		{name: "ignore less", do: func() { p.write(".gitignore", "") }, added: []string{"gen/d.fk"}},
		{name: "new ignore file below", do: func() { p.write("sub/.gitignore", "deep\n") }, removed: []string{"sub/deep/c.fk", "sub/deep/new.fk"}},
		{name: "remove ignore file", do: func() { p.must(os.Remove(p.path("sub/.gitignore"))) }, added: []string{"sub/deep/c.fk", "sub/deep/new.fk"}},
		{name: "ignore tool's file", do: func() { p.write(".ignore", "deep\n") }, removed: []string{"sub/deep/c.fk", "sub/deep/new.fk"}},
		{name: "ignore tool's file is stronger", do: func() { p.write(".ignore", "!deep\n"); p.write(".gitignore", "deep\n") },
			added: []string{"sub/deep/c.fk", "sub/deep/new.fk"}},
		{name: "configuration of the language", do: func() { p.write("fake.mod", "2") }, changed: []string{"fake.mod"}},
		{name: "configuration that git ignores", do: func() { p.write(".gitignore", "deep\nfake.mod\n") }, same: true},
		{name: "exclude", do: func() { p.write("sett.toml", "[index]\nexclude = [\"/gen\"]\n") }, removed: []string{"gen/d.fk"}},
		{name: "exclude else", do: func() { p.write("sett.toml", "[index]\nexclude = [\"a.fk\"]\n") },
			added: []string{"gen/d.fk"}, removed: []string{"a.fk"}},
		{name: "no sett.toml", do: func() { p.must(os.Remove(p.path("sett.toml"))) }, added: []string{"a.fk"}},
		{name: "file becomes folder", do: func() { p.must(os.Remove(p.path("a.fk"))); p.write("a.fk/z.fk", "z") },
			added: []string{"a.fk/z.fk"}, removed: []string{"a.fk"}},
		{name: "becomes binary", do: func() { p.write("gen/d.fk", "\x00") }, removed: []string{"gen/d.fk"}},
		{name: "testdata", do: func() { p.write("sub/testdata/t.fk", "t") }, added: []string{"sub/testdata/t.fk"}},
		{name: "testdata in a Go module", do: func() { p.write("go.mod", "module m") }, removed: []string{"sub/testdata/t.fk"}},
		{name: "no Go module", do: func() { p.must(os.Remove(p.path("go.mod"))) }, added: []string{"sub/testdata/t.fk"}},
		{name: "is text again", do: func() { p.write("gen/d.fk", "d") }, added: []string{"gen/d.fk"}},
	}
	for _, racy := range []bool{false, true} {
		// Racy: everything happens within the resolution of a file's time.
		t.Run(fmt.Sprintf("racy=%v", racy), func(t *testing.T) {
			sub := newProject(t, map[string]string{
				"a.fk": "one", "sub/b.fk": "two", "sub/deep/c.fk": "three", "gen/d.fk": "four",
				"fake.mod": "1", ".gitignore": "*.tmp\n", "README.md": "text",
			})
			*p = *sub
			prev := p.update().State
			for _, step := range steps {
				step.do()
				if !racy {
					p.age()
				}
				s := p.scan()
				c := s.Changes(prev)
				if !slices.Equal(c.Added, step.added) || !slices.Equal(c.Changed, step.changed) || !slices.Equal(c.Removed, step.removed) {
					t.Errorf("%s: %+v", step.name, c)
				}
				if (s.Digest == prev.Digest) != step.same {
					t.Errorf("%s: digest is the same: %v", step.name, !step.same)
				}
				d, err := Update(t.Context(), p.o, s, prev)
				if err != nil {
					t.Fatal(err)
				}
				prev = d.State
			}
		})
	}
}

// An edit that leaves size and time as they were is seen where the system tells of it, and
// in any case when the time is recent.
func TestScanSeesHiddenEdit(t *testing.T) {
	p := newProject(t, map[string]string{"a.fk": "one"})
	at := time.Now().Add(-time.Hour)
	if runtime.GOOS != "linux" && runtime.GOOS != "darwin" {
		at = time.Now()
	}
	p.must(os.Chtimes(p.path("a.fk"), at, at))
	before := p.scan().Digest
	time.Sleep(10 * time.Millisecond) // the clock of the file system ticks
	p.write("a.fk", "two")
	p.must(os.Chtimes(p.path("a.fk"), at, at))
	if p.scan().Digest == before {
		t.Error("an edit with the time set back was not seen")
	}
}

func TestScanRemembers(t *testing.T) {
	p := newProject(t, map[string]string{"a.fk": "one", "sub/b.fk": "two", ".gitignore": "x\n"})
	if p.scan().Stat() == nil {
		t.Error("the first scan left nothing to remember")
	}
	if p.scan().Stat() != nil {
		t.Error("nothing changed, and the scan wants to remember something else")
	}
	for _, stat := range [][]byte{{}, []byte("nonsense"), p.stat[:len(p.stat)/2], append(slices.Clone(p.stat), 0)} {
		s, err := ScanFiles(t.Context(), p.o, stat)
		if err != nil || len(s.Files) != 2 {
			t.Errorf("with a damaged memory: %v, %v", s, err)
		}
	}
}

func TestScanSkips(t *testing.T) {
	big := strings.Repeat("x", 2<<20)
	files := map[string]string{
		"ok.fk": "x", "deep/er/ok.fk": "x", ".github/ok.fk": "x", "a b/ö.fk": "x",
		"node_modules/m/i.fk": "x", "vendor/v/v.fk": "x", "vendor/modules.txt": "1", "pkg/vendor/v.fk": "x",
		".hidden/h.fk": "x", ".claude/worktrees/w/c.fk": "x", ".git/g.fk": "x", ".sett/s.fk": "x",
		"app.min.js": "x", "bundle.js": strings.Repeat("a=1;", 4000), "ok.js": strings.Repeat("a=1;\n", 4000),
		"big.js": big, "big.fk": strings.Repeat("line\n", 400000), "bin.fk": "a\x00b", "y.fk/inside.txt": "",
		"p.py": "", "q.py": "", "r.rs": "", "node_modules/m/z.py": "", "build/o.fk": "x", ".gitignore": "build\n",
		"nested/.git/HEAD": "x", "nested/n.fk": "x",
		"testdata/t.fk": "x", "gomod/go.mod": "module m\n", "gomod/x/testdata/t.fk": "x", "gomod/x/x.fk": "x",
	}
	p := newProject(t, files)
	odd := 0
	if runtime.GOOS == "linux" {
		p.write("new\nline.fk", "x")
		p.write("bad\xff.fk", "x")
		p.write("odd\x01dir/x.fk", "x")
		odd = 2
	}
	s := p.scan()
	want := []string{".github/ok.fk", "a b/ö.fk", "big.fk", "deep/er/ok.fk", "gomod/x/x.fk", "nested/n.fk", "ok.fk", "ok.js", "testdata/t.fk", "vendor/modules.txt"}
	if got := names(s); !slices.Equal(got, want) {
		t.Errorf("the scan takes\n\t%q\nwant\n\t%q", got, want)
	}
	for reason, n := range map[string]int{
		"vendored folders": 3, "testdata folders": 1, "hidden folders": 2, "ignored folders": 1, "minified": 2, "too large": 1, "binary": 1, "odd name": odd,
	} {
		if s.Skipped[reason] != n {
			t.Errorf("%d are skipped as %s, want %d", s.Skipped[reason], reason, n)
		}
	}
	if s.Unindexed["python"] != 2 || s.Unindexed["rust"] != 1 {
		t.Errorf("not indexed: %v", s.Unindexed)
	}
	if odd > 0 && len(s.Notes) != 3 {
		t.Errorf("notes: %q", s.Notes)
	}
}

func TestScanWithConfig(t *testing.T) {
	files := map[string]string{
		"a.fk": "x", "vendor/acme/v.fk": "x", "vendor/other/v.fk": "x", ".hidden/h.fk": "x", ".hidden/i.fk": "x", "gen/g.fk": "generated", "gen/keep.fk": "x",
		".gitignore": "/gen\n", ".git/x.fk": "", "node_modules/m/i.fk": "x", "lib.min.js": "x", "large.fk": strings.Repeat("x\n", 600),
	}
	for _, test := range []struct{ config, want string }{
		{"", "a.fk large.fk"},
		{"[index]\nvendored = true\n", "a.fk large.fk vendor/acme/v.fk vendor/other/v.fk"},
		{"[index]\ninclude = ['vendor/acme']\n", "a.fk large.fk vendor/acme/v.fk"},
		{"[index]\ninclude = ['.hidden/h.fk', 'gen', 'lib.min.js', '.git']\nexclude = ['keep.fk']\n", ".hidden/h.fk a.fk gen/g.fk large.fk"},
		{"[index]\ninclude = ['node_modules/m/**']\nmax_file_size = '1KiB'\n", "a.fk node_modules/m/i.fk"},
		{"[index]\nexclude = ['*', '!/a.fk']\n", "a.fk"},
	} {
		p := newProject(t, files)
		p.write("sett.toml", test.config)
		if got := strings.Join(names(p.scan()), " "); got != test.want {
			t.Errorf("%q: the scan takes\n\t%s\nwant\n\t%s", test.config, got, test.want)
		}
	}
}

func TestConfigErrors(t *testing.T) {
	for _, test := range []struct{ text, want string }{
		{"[index]\nexlude = []\n", "sett.toml:2: unknown key index.exlude"},
		{"# hi\n[indx]\nexclude = []\n", "sett.toml:2: unknown key indx"},
		{"[index]\n\nvendored = 3\n", "sett.toml:3: "},
		{"[index]\nexclude = [\n", "sett.toml:"},
		{"[index]\nexclude = ['']\n", "sett.toml:2: \"\" is no pattern"},
		{"[index]\nmax_file_size = 'lots'\n", "sett.toml:2: a size is"},
		{"[index]\nmax_file_size = -1\n", "sett.toml:2: a size is"},
		{"a = \xff\n", "sett.toml:"},
	} {
		_, err := ParseConfig([]byte(test.text))
		var c *ConfigError
		if !errors.As(err, &c) || !strings.HasPrefix(err.Error(), test.want) {
			t.Errorf("%q gives %v, want %s", test.text, err, test.want)
		}
		p := newProject(t, map[string]string{"sett.toml": test.text})
		if _, err := ScanFiles(t.Context(), p.o, nil); !errors.As(err, &c) {
			t.Errorf("a scan with %q gives %v", test.text, err)
		}
	}
	c, err := ParseConfig([]byte("[deadcode]\nentry = ['*Handler']\n[index]\nmax_file_size = '2MiB'\ngenerated = false\n"))
	if err != nil || c.Index.MaxFileSize != 2<<20 || c.Index.Generated || !slices.Equal(c.Deadcode.Entry, []string{"*Handler"}) {
		t.Errorf("%+v, %v", c, err)
	}
}

func TestScanLinks(t *testing.T) {
	outside := t.TempDir()
	writeTree(t, outside, map[string]string{"secret.fk": "x", "dir/secret.fk": "x"})
	p := newProject(t, map[string]string{"in/a.fk": "x", "b.fk": "x"})
	for link, target := range map[string]string{
		"out.fk": filepath.Join(outside, "secret.fk"), "outdir": filepath.Join(outside, "dir"), "in2": "in", "in/loop": "..",
		"c.fk": "b.fk", "dangling.fk": "nowhere", "self.fk": "self.fk", ".gitignore": filepath.Join(outside, "dir"),
	} {
		if err := os.Symlink(target, p.path(link)); err != nil {
			t.Skip("no links here: ", err)
		}
	}
	s := p.scan()
	if got := names(s); !slices.Equal(got, []string{"b.fk", "in/a.fk"}) {
		t.Errorf("the scan takes %q", got)
	}
	if s.Skipped[skipLink] != 4 {
		t.Errorf("%d links to sources are skipped, want 4", s.Skipped[skipLink])
	}
	// A file that becomes a link is no longer the project's.
	p.must(os.Remove(p.path("b.fk")))
	p.must(os.Symlink(filepath.Join(outside, "secret.fk"), p.path("b.fk")))
	if got := names(p.scan()); !slices.Equal(got, []string{"in/a.fk"}) {
		t.Errorf("the scan takes %q", got)
	}
	// Nor can a front end read through one.
	d := p.update()
	if len(d.Facts) != 1 {
		t.Errorf("%d facts", len(d.Facts))
	}
	root, err := os.OpenRoot(p.dir)
	p.must(err)
	defer root.Close()
	for _, name := range []string{"out.fk", "outdir/secret.fk", "../x", "/etc/passwd"} {
		if _, err := readFile(root, name, 100); err == nil {
			t.Errorf("%s was read", name)
		}
	}
}

func TestScanUnreadable(t *testing.T) {
	if os.Getuid() == 0 || runtime.GOOS == "windows" {
		t.Skip("everything is readable to us")
	}
	p := newProject(t, map[string]string{"a.fk": "x", "d/b.fk": "x", "c.fk": "x"})
	p.must(os.Chmod(p.path("d"), 0))
	p.must(os.Chmod(p.path("c.fk"), 0))
	t.Cleanup(func() { os.Chmod(p.path("d"), 0o755) })
	s := p.scan()
	if got := names(s); !slices.Equal(got, []string{"a.fk"}) || len(s.Notes) != 2 {
		t.Errorf("the scan takes %q, notes %q", got, s.Notes)
	}
	p.must(os.Chmod(p.path("d"), 0o755))
	p.must(os.Chmod(p.path("c.fk"), 0o644))
	if got := names(p.scan()); len(got) != 3 {
		t.Errorf("the scan takes %q", got)
	}
}

func TestScanOverlay(t *testing.T) {
	p := newProject(t, map[string]string{"a.fk": "x", ".gitignore": "build/\n", "node_modules/i.fk": "x"})
	before := p.scan()
	p.o.Overlay = map[string][]byte{"a.fk": []byte("unsaved"), "n/e/w.fk": nil, "build/b.fk": nil, "node_modules/i.fk": nil, "x.txt": nil, ".hidden/x.fk": nil}
	s := p.scan()
	if got := names(s); !slices.Equal(got, []string{"a.fk", "n/e/w.fk"}) {
		t.Errorf("the scan takes %q", got)
	}
	if c := s.Changes(nil); len(c.Added) != 2 {
		t.Errorf("%+v", c)
	}
	p.o.Overlay = nil
	if p.scan().Digest != before.Digest {
		t.Error("unsaved text outlives the scan that it was given to")
	}
	p.o.Overlay = map[string][]byte{"../x.fk": nil}
	if _, err := ScanFiles(t.Context(), p.o, nil); err == nil {
		t.Error("unsaved text outside the project was taken")
	}
}

func TestScanFailures(t *testing.T) {
	p := newProject(t, map[string]string{"a.fk": "x"})
	for _, dir := range []string{p.path("none"), p.path("a.fk")} {
		if _, err := ScanFiles(t.Context(), Options{Root: dir, Languages: p.o.Languages}, nil); err == nil {
			t.Errorf("%s was scanned", dir)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := ScanFiles(ctx, p.o, nil); !errors.Is(err, context.Canceled) {
		t.Errorf("an ended context gives %v", err)
	}
}

func FuzzDecodeCache(f *testing.F) {
	p := newProject(f, map[string]string{"a.fk": "one", "sub/b.fk": "two", ".gitignore": "x\n", "c.py": ""})
	p.scan()
	f.Add(p.stat)
	f.Fuzz(func(t *testing.T, data []byte) {
		if c := decodeCache(data); c != nil {
			if again := decodeCache(c.encode()); again == nil {
				t.Error("what was decoded cannot be encoded")
			}
		}
		p.stat = data
		if s, err := ScanFiles(t.Context(), p.o, data); err != nil || s == nil {
			t.Error(err)
		}
	})
}

func BenchmarkScan1500(b *testing.B) {
	files := map[string]string{".gitignore": "*.log\n/build/\nnode_modules\n"}
	for i := range 1500 {
		files[fmt.Sprintf("pkg%02d/sub%d/file%d.fk", i%40, i%5, i)] = strings.Repeat("a line of text\n", 400)
	}
	p := newProject(b, files)
	p.scan()
	b.Run("cold", func(b *testing.B) {
		for b.Loop() {
			if _, err := ScanFiles(b.Context(), p.o, nil); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("unchanged", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			s, err := ScanFiles(b.Context(), p.o, p.stat)
			if err != nil || s.Stat() != nil {
				b.Fatal(err, "or something changed")
			}
		}
	})
}

func removeFile(p *project, name string) error { return os.Remove(p.path(name)) }

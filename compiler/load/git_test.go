package load

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

// repo is a git repository of a test.
type repo struct {
	t   *testing.T
	dir string
}

func newRepo(t *testing.T) *repo {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is not installed")
	}
	r := &repo{t, t.TempDir()}
	r.git("init", "--quiet", "--initial-branch=main")
	return r
}

func (r *repo) url() string { return "file://" + filepath.ToSlash(r.dir) }

func (r *repo) git(args ...string) string {
	r.t.Helper()
	cmd := exec.Command("git", append([]string{"-c", "user.name=t", "-c", "user.email=t@example.com"}, args...)...)
	cmd.Dir = r.dir
	out, err := cmd.CombinedOutput()
	if err != nil {
		r.t.Fatalf("git %s: %v\n%s", strings.Join(args, " "), err, out)
	}
	return strings.TrimSpace(string(out))
}

// commit commits one file, and returns the commit.
func (r *repo) commit(name, text string) string {
	r.t.Helper()
	put(r.t, r.dir, name, text)
	r.git("add", "--all")
	r.git("commit", "--quiet", "-m", "change "+name)
	return r.git("rev-parse", "HEAD")
}

// gitProject is a project that depends on git repositories.
type gitProject struct {
	t     *testing.T
	dir   string
	cache string
}

func newGitProject(t *testing.T, deps, main string) *gitProject {
	p := &gitProject{t, t.TempDir(), t.TempDir()}
	p.deps(deps)
	put(t, p.dir, "main.pluto", main)
	return p
}

func (p *gitProject) deps(text string) {
	put(p.t, p.dir, "pluto.toml", "[package]\nname = \"app\"\n[dependencies]\n"+text+"\n")
}

func (p *gitProject) opts() Options { return Options{CacheDir: p.cache, Base: p.dir} }

func (p *gitProject) load() *Project { return Load(p.dir, p.opts()) }

func (p *gitProject) lock() string {
	text, err := os.ReadFile(filepath.Join(p.dir, LockName))
	if err != nil {
		return ""
	}
	return string(text)
}

// text is the text of the first file of the module that the root knows by a name.
func text(t *testing.T, p *Project, binding string) string {
	t.Helper()
	if p.Diags.Errors() > 0 {
		t.Fatal(dump(p))
	}
	m := p.Root.Imports[binding]
	if m == nil || len(m.Files) == 0 {
		t.Fatalf("no module %s:\n%s", binding, dump(p))
	}
	return m.Files[0].Src.Text
}

func wantError(t *testing.T, p *Project, phrases ...string) {
	t.Helper()
	got := dump(p)
	for _, phrase := range phrases {
		if !strings.Contains(got, phrase) {
			t.Errorf("got\n%swant %q", got, phrase)
		}
	}
}

// TestGitRefs takes tags, branches, commits and the default branch, each from a folder of its
// own.
func TestGitRefs(t *testing.T) {
	r := newRepo(t)
	first := r.commit("kit.pluto", "// one\npub fn v() int {\n    return 1\n}\n")
	r.git("tag", "v1")
	r.git("tag", "-m", "annotated", "v1.1")
	r.git("checkout", "--quiet", "-b", "side")
	r.commit("kit.pluto", "// side\n")
	r.git("checkout", "--quiet", "main")
	r.commit("kit.pluto", "// main\n")
	u := r.url()
	p := newGitProject(t, `
a = { git = "`+u+`", tag = "v1" }
b = { git = "`+u+`", branch = "side" }
c = { git = "`+u+`" }
d = { git = "`+u+`/", rev = "`+first[:10]+`" }
e = { git = "`+u+`", tag = "v1.1" }
`, "import a\nimport b\nimport c\nimport d\nimport e\n")
	got := p.load()
	for name, want := range map[string]string{"a": "// one", "b": "// side", "c": "// main", "d": "// one", "e": "// one"} {
		if have, _, _ := strings.Cut(text(t, got, name), "\n"); have != want {
			t.Errorf("%s: %q, want %q", name, have, want)
		}
	}
	if len(got.Lock) != 5 || got.Lock[0].String() != "added a "+first[:12]+" (tag v1)" {
		t.Errorf("changes of the lock: %v", got.Lock)
	}
	if again := p.load(); len(again.Lock) != 0 || again.Diags.Errors() != 0 {
		t.Errorf("a second load: %s", dump(again))
	}
}

// TestGitLock keeps to the commits of the lock until it is moved.
func TestGitLock(t *testing.T) {
	r := newRepo(t)
	first := r.commit("kit.pluto", "// one\n")
	p := newGitProject(t, `kit = { git = "`+r.url()+`", branch = "main" }`, "import kit\n")
	text(t, p.load(), "kit")
	lock := p.lock()
	if !strings.Contains(lock, first) || !strings.Contains(lock, r.git("rev-parse", "HEAD^{tree}")) || !strings.Contains(lock, r.url()) {
		t.Errorf("the lock:\n%s", lock)
	}

	second := r.commit("kit.pluto", "// two\n")
	if got := text(t, p.load(), "kit"); got != "// one\n" {
		t.Errorf("with a lock: %q", got)
	}
	p.cache = t.TempDir() // as on another machine
	if got := text(t, p.load(), "kit"); got != "// one\n" || p.lock() != lock {
		t.Errorf("with a lock and a new cache: %q", got)
	}
	offline := p.opts()
	offline.Offline = true
	if got := text(t, Load(p.dir, offline), "kit"); got != "// one\n" {
		t.Errorf("offline: %q", got)
	}

	u := Update(filepath.Join(p.dir), p.opts())
	if len(u.Changes) != 1 || u.Changes[0].From != first || u.Changes[0].To != second || !u.Found || len(u.Deps) != 1 {
		t.Errorf("update: %+v", u)
	}
	if got := text(t, p.load(), "kit"); got != "// two\n" {
		t.Errorf("after the update: %q", got)
	}
	if u := Update(p.dir, p.opts()); len(u.Changes) != 0 || len(u.Deps) != 1 || u.Deps[0].From != second {
		t.Errorf("update again: %+v", u)
	}

	p.deps("")
	put(t, p.dir, "main.pluto", "fn main() {\n}\n")
	if got := p.load(); len(got.Lock) != 1 || got.Lock[0].String() != "removed kit" || p.lock() != "" {
		t.Errorf("without the dependency: %v, %q", got.Lock, p.lock())
	}
}

// TestGitTampered refuses a commit whose files are not those of the lock.
func TestGitTampered(t *testing.T) {
	r := newRepo(t)
	first := r.commit("kit.pluto", "// one\n")
	tree := r.git("rev-parse", "HEAD^{tree}")
	p := newGitProject(t, `kit = { git = "`+r.url()+`" }`, "import kit\n")
	p.load()
	put(t, p.dir, LockName, strings.ReplaceAll(p.lock(), tree, strings.Repeat("0", 40)))
	p.cache = t.TempDir()
	wantError(t, p.load(), "P1228", "git checkout failed for '"+r.url()+"'", first[:12], "pluto.lock says 000000000000")
}

// TestGitDefaultBranch follows the default branch when it gets another name.
func TestGitDefaultBranch(t *testing.T) {
	r := newRepo(t)
	r.commit("kit.pluto", "// one\n")
	p := newGitProject(t, `kit = { git = "`+r.url()+`" }`, "import kit\n")
	p.load()
	r.git("checkout", "--quiet", "-b", "trunk")
	r.git("branch", "--quiet", "-D", "main")
	r.commit("kit.pluto", "// trunk\n")
	Update(p.dir, p.opts())
	if got := text(t, p.load(), "kit"); got != "// trunk\n" {
		t.Errorf("after the update: %q", got)
	}
}

// TestGitNew finds a tag that was made after the repository was cloned.
func TestGitNew(t *testing.T) {
	r := newRepo(t)
	r.commit("kit.pluto", "// one\n")
	p := newGitProject(t, `kit = { git = "`+r.url()+`" }`, "import kit\n")
	p.load()
	r.commit("kit.pluto", "// two\n")
	r.git("tag", "v2")
	p.deps(`kit = { git = "` + r.url() + `", tag = "v2" }`)
	if got := text(t, p.load(), "kit"); got != "// two\n" {
		t.Errorf("got %q", got)
	}
}

// TestGitTransitive locks what dependencies depend on, once for all.
func TestGitTransitive(t *testing.T) {
	base := newRepo(t)
	base.commit("base.pluto", "// base\n")
	mid := newRepo(t)
	mid.commit("pluto.toml", "[package]\nname = \"mid\"\n[dependencies]\nbase = { git = \""+base.url()+"\" }\n")
	mid.commit("mid.pluto", "import base\n")
	p := newGitProject(t, `mid = { git = "`+mid.url()+`" }`, "import mid\n")
	got := p.load()
	if text(t, got, "mid"); len(got.Lock) != 2 || !strings.Contains(p.lock(), base.url()) {
		t.Errorf("%s%s", dump(got), p.lock())
	}
	base.commit("base.pluto", "// base two\n")
	if u := Update(p.dir, p.opts()); len(u.Changes) != 1 || u.Changes[0].Name != "base" {
		t.Errorf("update: %v", u.Changes)
	}
}

// TestGitRelative takes a repository beside the project.
func TestGitRelative(t *testing.T) {
	r := newRepo(t)
	r.commit("kit.pluto", "// one\n")
	p := newGitProject(t, "", "import kit\n")
	rel, err := filepath.Rel(p.dir, r.dir)
	if err != nil {
		t.Fatal(err)
	}
	p.deps(`kit = { git = "` + filepath.ToSlash(rel) + `" }`)
	if got := text(t, p.load(), "kit"); got != "// one\n" {
		t.Errorf("got %q", got)
	}
}

// TestGitFailures says what git says, asks nothing, and leaves the lock alone.
func TestGitFailures(t *testing.T) {
	r := newRepo(t)
	r.commit("kit.pluto", "// one\n")
	gone := "file://" + filepath.ToSlash(filepath.Join(t.TempDir(), "gone"))
	tests := []struct {
		deps string
		want []string
	}{
		{`kit = { git = "` + gone + `" }`, []string{"Manifest error: git clone failed for '" + gone + "': ", "does not appear to be a git repository"}},
		{`kit = { git = "` + r.url() + `", tag = "v9" }`, []string{"git checkout failed for '" + r.url() + "': the repository has no tag v9"}},
		{`kit = { git = "` + r.url() + `", branch = "v9" }`, []string{"the repository has no branch v9"}},
		{`kit = { git = "` + r.url() + `", rev = "--upload-pack=x" }`, []string{"the repository has no rev --upload-pack=x"}},
		{`kit = { git = "--upload-pack=touch x" }`, []string{"git clone failed for '--upload-pack=touch x'"}},
		{`kit = { git = "ext::sh -c true" }`, []string{"git clone failed for 'ext::sh -c true'"}},
	}
	for _, tt := range tests {
		p := newGitProject(t, tt.deps, "import kit\n")
		got := p.load()
		wantError(t, got, tt.want...)
		if strings.Contains(dump(got), "cannot find module") || p.lock() != "" {
			t.Errorf("%s: %s%s", tt.deps, dump(got), p.lock())
		}
	}

	t.Setenv("PATH", t.TempDir())
	p := newGitProject(t, `kit = { git = "`+r.url()+`" }`, "import kit\n")
	wantError(t, p.load(), "git clone failed", "git is not installed, or not in PATH")
}

// TestGitSideBySide has several processes fill one cache.
func TestGitSideBySide(t *testing.T) {
	r := newRepo(t)
	r.commit("kit.pluto", "// one\n")
	p := newGitProject(t, `kit = { git = "`+r.url()+`" }`, "import kit\n")
	var all sync.WaitGroup
	for range 4 {
		all.Go(func() {
			if got := p.load(); got.Diags.Errors() > 0 {
				t.Error(dump(got))
			}
		})
	}
	all.Wait()
}

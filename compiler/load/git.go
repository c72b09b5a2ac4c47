package load

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/gofrs/flock"
)

// gitRef is what a dependency asks of a repository: a rev, tag or branch, or (zero) the
// head of the default branch.
type gitRef struct{ kind, name string }

func (r gitRef) String() string {
	if r.kind == "" {
		return ""
	}
	return r.kind + " " + r.name
}

// revision is how git finds the commit of the ref in a mirror.
func (r gitRef) revision() string {
	switch r.kind {
	case "tag":
		return "refs/tags/" + r.name
	case "branch":
		return "refs/heads/" + r.name
	case "rev":
		return r.name
	}
	return "HEAD"
}

// How long git may take.
const (
	networkTime = 5 * time.Minute
	localTime   = time.Minute
)

// gitCache has a mirror of each repository, and a folder with the files of each commit that
// was asked for, so that two versions of one repository do not meet:
//
//	<root>/git/<hash of the url>/mirror
//	<root>/git/<hash of the url>/<commit>
type gitCache struct {
	root    string
	offline bool
	update  bool // look for newer commits, whatever the lock says
	lock    *lockFile
	l       *loader
	fetched map[string]bool
}

func newGitCache(l *loader, dir string) *gitCache {
	g := &gitCache{root: l.opts.CacheDir, offline: l.opts.Offline, update: l.update, l: l, fetched: map[string]bool{}}
	if g.root == "" {
		g.root = os.Getenv("PLUTO_CACHE_DIR")
	}
	if g.root == "" {
		if user, err := os.UserCacheDir(); err == nil {
			g.root = filepath.Join(user, "sett", "pluto")
		} else {
			g.root = filepath.Join(os.TempDir(), "sett-pluto")
		}
	}
	g.lock = readLock(l, filepath.Join(dir, LockName))
	return g
}

// close writes the lock when something changed.
func (g *gitCache) close() { g.lock.close(g.l) }

// checkout is the folder with the files of the commit that the lock, or else the ref of the
// dependency, says.
func (g *gitCache) checkout(d dependency, dir string) (string, error) {
	url := d.url
	if at := filepath.Join(dir, filepath.FromSlash(url)); !strings.Contains(url, ":") && !filepath.IsAbs(url) && g.l.disk.isDir(at) {
		url = at // a path beside the manifest
	}
	repo := g.repository(url)
	locked, isLocked := g.lock.find(d)
	if isLocked && !g.update {
		files := filepath.Join(repo.dir, locked.Commit)
		if g.l.disk.isDir(files) {
			return files, nil
		}
	}
	if g.l.opts.ReadOnly {
		return "", fmt.Errorf("git checkout failed for '%s': its files are not in the cache yet; `sett check` fetches them", d.url)
	}
	unlock, err := repo.lock()
	if err != nil {
		return "", fmt.Errorf("git clone failed for '%s': %w", d.url, err)
	}
	defer unlock()
	commit, err := g.resolve(repo, d, locked, isLocked && !g.update)
	if err != nil {
		return "", err
	}
	tree, err := repo.git(localTime, "rev-parse", "--verify", "--end-of-options", commit+"^{tree}")
	if err != nil {
		return "", fmt.Errorf("git checkout failed for '%s': %w", d.url, err)
	}
	if isLocked && locked.Commit == commit && locked.Tree != tree {
		return "", fmt.Errorf("git checkout failed for '%s': commit %s has the tree %s, but pluto.lock says %s", d.url, short(commit), short(tree), short(locked.Tree))
	}
	files, err := repo.checkout(commit)
	if err != nil {
		return "", fmt.Errorf("git checkout failed for '%s': %w", d.url, err)
	}
	g.lock.set(d, commit, tree)
	return files, nil
}

// resolve finds the commit; the mirror is made or brought up to date when that is needed.
func (g *gitCache) resolve(repo *repository, d dependency, locked lockEntry, useLock bool) (string, error) {
	fresh, err := g.mirror(repo, d.url)
	if err != nil {
		return "", err
	}
	want := d.ref.revision()
	if useLock {
		want = locked.Commit
	}
	if g.update && !fresh {
		if err := g.fetch(repo, d.url); err != nil {
			return "", err
		}
		fresh = true
	}
	commit, err := repo.git(localTime, "rev-parse", "--verify", "--end-of-options", want+"^{commit}")
	if err != nil && !fresh {
		if err := g.fetch(repo, d.url); err != nil {
			return "", err
		}
		commit, err = repo.git(localTime, "rev-parse", "--verify", "--end-of-options", want+"^{commit}")
	}
	if err != nil {
		what := d.ref.String()
		if useLock {
			what = "commit " + locked.Commit + " of pluto.lock"
		}
		if what == "" {
			what = "a default branch"
		}
		return "", fmt.Errorf("git checkout failed for '%s': the repository has no %s", d.url, what)
	}
	return commit, nil
}

// mirror clones the repository unless that was done before.
func (g *gitCache) mirror(repo *repository, url string) (fresh bool, err error) {
	if _, err := os.Stat(repo.mirror()); err == nil {
		return g.fetched[repo.dir], nil
	}
	if g.offline {
		return false, fmt.Errorf("git clone failed for '%s': it is not in the cache, and git may not be run", url)
	}
	tmp, err := os.MkdirTemp(repo.dir, "clone-")
	if err != nil {
		return false, fmt.Errorf("git clone failed for '%s': %w", url, err)
	}
	defer os.RemoveAll(tmp)
	into := filepath.Join(tmp, "mirror")
	if _, err := run(networkTime, tmp, nil, "clone", "--quiet", "--mirror", "--", repo.url, into); err != nil {
		return false, fmt.Errorf("git clone failed for '%s': %w", url, err)
	}
	if err := os.Rename(into, repo.mirror()); err != nil {
		return false, fmt.Errorf("git clone failed for '%s': %w", url, err)
	}
	g.fetched[repo.dir] = true
	return true, nil
}

// fetch brings the mirror up to date, its default branch too.
func (g *gitCache) fetch(repo *repository, url string) error {
	if g.fetched[repo.dir] {
		return nil
	}
	if g.offline {
		return fmt.Errorf("git fetch failed for '%s': git may not be run", url)
	}
	if _, err := repo.git(networkTime, "fetch", "--quiet", "--prune", "origin"); err != nil {
		return fmt.Errorf("git fetch failed for '%s': %w", url, err)
	}
	heads, err := repo.git(networkTime, "ls-remote", "--symref", "origin", "HEAD")
	if err != nil {
		return fmt.Errorf("git fetch failed for '%s': %w", url, err)
	}
	if line, ok := strings.CutPrefix(heads, "ref: "); ok {
		branch, _, _ := strings.Cut(line, "\t")
		if _, err := repo.git(localTime, "symbolic-ref", "HEAD", branch); err != nil {
			return fmt.Errorf("git fetch failed for '%s': %w", url, err)
		}
	}
	g.fetched[repo.dir] = true
	return nil
}

// repository is one repository in the cache.
type repository struct{ url, dir string }

func (g *gitCache) repository(url string) *repository {
	sum := sha256.Sum256([]byte(strings.TrimRight(url, "/")))
	return &repository{url, filepath.Join(g.root, "git", hex.EncodeToString(sum[:8]))}
}

func (r *repository) mirror() string { return filepath.Join(r.dir, "mirror") }

// lock keeps other processes away from the repository.
func (r *repository) lock() (unlock func(), err error) {
	if err := os.MkdirAll(r.dir, 0o755); err != nil {
		return nil, err
	}
	f := flock.New(filepath.Join(r.dir, "lock"))
	ctx, cancel := context.WithTimeout(context.Background(), networkTime)
	defer cancel()
	if _, err := f.TryLockContext(ctx, 50*time.Millisecond); err != nil {
		return nil, fmt.Errorf("waiting for another process: %w", err)
	}
	return func() { f.Unlock() }, nil
}

func (r *repository) git(limit time.Duration, args ...string) (string, error) {
	return run(limit, r.mirror(), nil, args...)
}

// checkout writes the files of the commit into a folder of their own.
func (r *repository) checkout(commit string) (string, error) {
	to := filepath.Join(r.dir, commit)
	if _, err := os.Stat(to); err == nil {
		return to, nil
	}
	tmp, err := os.MkdirTemp(r.dir, "checkout-")
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(tmp)
	files := filepath.Join(tmp, "files")
	if err := os.Mkdir(files, 0o755); err != nil {
		return "", err
	}
	env := []string{"GIT_INDEX_FILE=" + filepath.Join(tmp, "index"), "GIT_WORK_TREE=" + files, "GIT_DIR=" + r.mirror()}
	for _, args := range [][]string{{"read-tree", commit}, {"checkout-index", "--all", "--force"}} {
		if _, err := run(localTime, files, env, args...); err != nil {
			return "", err
		}
	}
	return to, os.Rename(files, to)
}

// run runs git without a person at hand: it asks nothing and does not wait for ever.
func run(limit time.Duration, dir string, env []string, args ...string) (string, error) {
	ctx, cancel := context.WithTimeout(context.Background(), limit)
	defer cancel()
	cmd := exec.CommandContext(ctx, "git", args...)
	cmd.Dir = dir
	cmd.WaitDelay = 2 * time.Second
	for _, kv := range os.Environ() {
		// what a hook of git sets would point to another repository
		if name, _, _ := strings.Cut(kv, "="); !strings.HasPrefix(name, "GIT_") || name == "GIT_SSH" || name == "GIT_SSH_COMMAND" || strings.HasPrefix(name, "GIT_CONFIG") {
			cmd.Env = append(cmd.Env, kv)
		}
	}
	cmd.Env = append(cmd.Env, "GIT_TERMINAL_PROMPT=0", "GIT_ASKPASS=true", "SSH_ASKPASS=true", "LC_ALL=C")
	cmd.Env = append(cmd.Env, env...)
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	err := cmd.Run()
	switch text := strings.TrimSpace(errs.String()); {
	case errors.Is(err, exec.ErrNotFound):
		return "", errors.New("git is not installed, or not in PATH")
	case ctx.Err() != nil:
		return "", fmt.Errorf("no answer within %s", limit)
	case err != nil && text != "":
		return "", errors.New(text)
	case err != nil:
		return "", err
	}
	return strings.TrimSpace(out.String()), nil
}

// short is a commit as people read it.
func short(commit string) string { return commit[:min(len(commit), 12)] }

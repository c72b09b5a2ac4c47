package indexer

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"unicode"
	"unicode/utf8"

	"github.com/settgraph/sett/indexer/lang"
	"github.com/zeebo/xxh3"
)

// A walker goes through the folders of a project, several at once, and gives the state of
// each: the one that it remembers, if nothing says that the folder changed.
type walker struct {
	ctx       context.Context
	root      *os.Root
	dir       string // where the root is
	langs     []lang.Language
	cfg       *Config
	include   *ignoreList
	exclude   *ignoreList
	old       *cache // nil if nothing is remembered
	now       int64
	keepRules bool // whether rules of folders are kept for skips
	progress  func(Event)
	seen      atomic.Int64

	slots chan struct{}
	wg    sync.WaitGroup
	dirty atomic.Bool

	mu    sync.Mutex
	dirs  map[string]*dirState
	rules map[string]*rules
	notes []string // about folders that could not be read
	err   error
}

// A mode says how what is in a folder is chosen. It is the first byte of the name of the
// folder in dirState.dirs.
type mode byte

const (
	modeNormal mode = '='
	modeAll    mode = '+' // included by sett.toml: rules and conventions do not apply
	modeOnly   mode = '?' // skipped, but it leads to what is included
)

func newWalker(ctx context.Context, root *os.Root, o *Options, langs []lang.Language, cfg *Config, now int64) *walker {
	return &walker{
		ctx: ctx, root: root, dir: o.Root, langs: langs, cfg: cfg, now: now,
		include:   parseIgnore("", []byte(strings.Join(cfg.Index.Include, "\n"))),
		exclude:   parseIgnore("", []byte(strings.Join(cfg.Index.Exclude, "\n"))),
		keepRules: len(o.Overlay) > 0,
		progress:  o.progress,
		slots:     make(chan struct{}, max(o.workers(), 2)), // two, because a disk answers slowly
		dirs:      map[string]*dirState{},
		rules:     map[string]*rules{},
	}
}

func (w *walker) walk() error {
	info, err := os.Stat(w.dir)
	if err != nil {
		return err
	}
	if !info.IsDir() {
		return &fs.PathError{Op: "reading the project", Path: w.dir, Err: errors.New("not a folder")}
	}
	w.enter("", info, nil, modeNormal)
	w.wg.Wait()
	if w.err != nil {
		return w.err
	}
	return w.ctx.Err()
}

// enter visits a folder and all below it.
func (w *walker) enter(dir string, info fs.FileInfo, above *rules, m mode) {
	w.wg.Go(func() {
		if w.ctx.Err() != nil {
			return
		}
		w.slots <- struct{}{}
		d, here := w.visit(dir, info, above, m)
		var infos []fs.FileInfo
		if d != nil {
			for _, name := range d.dirs {
				info, err := os.Lstat(w.abs(below(dir, name[1:])))
				if err != nil || !info.IsDir() {
					info = nil // it went just now; the next scan sees that
				}
				infos = append(infos, info)
			}
		}
		<-w.slots
		if d == nil {
			return
		}
		w.progress(Event{Phase: "scan", Done: int(w.seen.Add(int64(len(d.files))))})
		w.mu.Lock()
		w.dirs[dir] = d
		if w.keepRules {
			w.rules[dir] = here
		}
		w.mu.Unlock()
		for i, name := range d.dirs {
			if infos[i] != nil {
				w.enter(below(dir, name[1:]), infos[i], here, mode(name[0]))
			}
		}
	})
}

func (w *walker) abs(p string) string {
	if p == "" {
		return w.dir
	}
	return w.dir + string(filepath.Separator) + filepath.FromSlash(p)
}

// below is path.Join for what needs no cleaning: it is called for every file.
func below(dir, name string) string {
	if dir == "" {
		return name
	}
	return dir + "/" + name
}

// visit returns the state of a folder, and the rules that hold in it. The stamp of a
// folder or file is taken before its contents are read: a change in between is then seen
// by the next scan, at the latest.
func (w *walker) visit(dir string, info fs.FileInfo, above *rules, m mode) (*dirState, *rules) {
	st := stampOf(info)
	var old *dirState
	if w.old != nil {
		old = w.old.dirs[dir]
	}
	fresh := old != nil && old.stamp == st && !st.racy(w.old.when)
	d := &dirState{stamp: st}
	var entries []fs.DirEntry
	if fresh {
		d.ignores = w.ignoreFiles(dir, old, old.ignores)
	} else {
		w.dirty.Store(true)
		var err error
		if entries, err = w.list(dir); err != nil {
			w.cannot(dir, err)
			return nil, nil
		}
		d.ignores = w.ignoreFiles(dir, old, ignoresIn(entries))
	}
	here := &rules{above: above, dir: dir, files: d.ignores, walker: w}
	if fresh {
		d.gomod = old.gomod
	} else {
		d.gomod = slices.ContainsFunc(entries, func(e fs.DirEntry) bool { return e.Name() == "go.mod" && e.Type().IsRegular() })
	}
	here.gomod = d.gomod || above != nil && above.gomod
	here.hash = here.sum(m)
	d.rules = here.hash
	if fresh && old.rules == d.rules {
		d.dirs, d.skipped, d.others, d.notes = old.dirs, old.skipped, old.others, old.notes
		d.files = w.files(dir, old, old.files)
		return d, here
	}
	w.dirty.Store(true)
	if fresh {
		var err error
		if entries, err = w.list(dir); err != nil {
			w.cannot(dir, err)
			return nil, nil
		}
	}
	w.choose(d, dir, entries, here, m)
	d.files = w.files(dir, old, d.files)
	return d, here
}

func (w *walker) list(dir string) ([]fs.DirEntry, error) {
	f, err := w.root.Open(orDot(dir))
	if err != nil {
		return nil, err
	}
	defer f.Close()
	entries, err := f.ReadDir(-1)
	slices.SortFunc(entries, func(a, b fs.DirEntry) int { return strings.Compare(a.Name(), b.Name()) })
	return entries, err
}

func orDot(dir string) string {
	if dir == "" {
		return "."
	}
	return dir
}

func (w *walker) cannot(dir string, err error) {
	if errors.Is(err, fs.ErrNotExist) {
		return // it went while we looked
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.notes = append(w.notes, "cannot read folder "+orDot(dir)+": "+bare(err).Error())
	if dir == "" {
		w.err = errors.New("cannot read the project: " + bare(err).Error())
	}
}

// choose sorts out the entries of a folder.
func (w *walker) choose(d *dirState, dir string, entries []fs.DirEntry, here *rules, m mode) {
	d.skipped, d.others = map[string]int{}, map[string]int{}
	for _, e := range entries {
		name := e.Name()
		p := below(dir, name)
		if e.IsDir() {
			if neverWalked(name) {
				continue
			}
			reason, sub := w.judge(p, true, here, m)
			if reason == "" && odd(name) {
				reason = skipName
				d.notes = append(d.notes, "skipped a folder with an odd name: "+quote(p))
			}
			if reason != "" {
				d.skipped[reason+" folders"]++
			}
			if reason == "" || sub == modeOnly && !odd(name) {
				d.dirs = append(d.dirs, string(sub)+name)
			}
			if reason == skipVendored {
				for _, mark := range markers(name) {
					if _, conf := w.class(p + "/" + mark); conf != 0 {
						d.files = append(d.files, fileState{name: name + "/" + mark, lang: -1, conf: conf})
					}
				}
			}
			continue
		}
		l, conf := w.class(p)
		if l < 0 && conf == 0 {
			if other := otherLanguage(name); other != "" && e.Type().IsRegular() {
				if reason, _ := w.judge(p, false, here, m); reason == "" {
					d.others[other]++
				}
			}
			continue
		}
		reason, _ := w.judge(p, false, here, m)
		if l < 0 && reason == skipIgnored && m != modeOnly {
			reason = "" // a manifest says what the sources beside it mean, generated or not
		}
		switch {
		case reason != "":
		case odd(name):
			reason = skipName
			d.notes = append(d.notes, "skipped a file with an odd name: "+quote(p))
		case e.Type()&fs.ModeSymlink != 0:
			reason = skipLink
		case !e.Type().IsRegular():
			reason = skipSpecial
		case l >= 0 && minifiedName(name) && m != modeAll:
			reason = skipMinified
		}
		if reason != "" {
			d.skipped[reason]++
			continue
		}
		d.files = append(d.files, fileState{name: name, lang: l, conf: conf})
	}
}

// odd reports names that cannot stand in a line of an answer.
func odd(name string) bool {
	return !utf8.ValidString(name) || strings.ContainsFunc(name, unicode.IsControl)
}

// judge returns why an entry is skipped, or how the folder that it is is walked.
func (w *walker) judge(p string, dir bool, here *rules, m mode) (reason string, sub mode) {
	if w.exclude.match(p, dir) == ignored {
		return skipExcluded, modeNormal
	}
	if m == modeAll || w.include.match(p, dir) == ignored {
		return "", modeAll
	}
	if dir {
		reason = folderConvention(path.Base(p), w.cfg.Index.Vendored, here.gomod)
	}
	if reason == "" && (m == modeOnly || here.match(p, dir) == ignored) {
		reason = skipIgnored
	}
	if reason != "" && dir && w.include.leadsTo(p) {
		return reason, modeOnly
	}
	return reason, modeNormal
}

// skips judges a path that is not on disk by the rules of the folders above it.
func (w *walker) skips(p string) bool {
	here, m := w.rules[""], modeNormal
	elems := strings.Split(p, "/")
	for i, name := range elems {
		prefix := strings.Join(elems[:i+1], "/")
		dir := i < len(elems)-1
		if dir && neverWalked(name) || odd(name) || here == nil {
			return true
		}
		reason, sub := w.judge(prefix, dir, here, m)
		if reason != "" && sub != modeOnly {
			return true
		}
		m = sub
		if r := w.rules[prefix]; r != nil {
			here = r
		}
	}
	return false
}

// class asks the languages what a file is to them.
func (w *walker) class(p string) (source int, conf uint64) {
	source = -1
	for i, l := range w.langs {
		if source < 0 && l.Source != nil && l.Source(p) {
			source = i
		}
		if l.Config != nil && l.Config(p) {
			conf |= 1 << i
		}
	}
	return source, conf
}

// files brings the states of files up to date.
func (w *walker) files(dir string, old *dirState, fs []fileState) []fileState {
	var known map[string]*fileState
	if old != nil && len(old.files) > 0 {
		if len(fs) == len(old.files) && &fs[0] == &old.files[0] {
			out := make([]fileState, 0, len(fs)) // the folder did not change: same names, same order
			for i := range fs {
				if f, ok := w.file(dir, fs[i], &old.files[i]); ok {
					out = append(out, f)
				}
			}
			return out
		}
		known = make(map[string]*fileState, len(old.files))
		for i := range old.files {
			known[old.files[i].name] = &old.files[i]
		}
	}
	out := fs[:0]
	for _, f := range fs {
		if f, ok := w.file(dir, f, known[f.name]); ok {
			out = append(out, f)
		}
	}
	return out
}

// file looks at one file; old is what is remembered of it, or nil. It returns false if
// the file does not exist.
func (w *walker) file(dir string, f fileState, old *fileState) (fileState, bool) {
	p := below(dir, f.name)
	marker := strings.Contains(f.name, "/")
	info, err := os.Lstat(w.abs(p))
	if err != nil || !info.Mode().IsRegular() {
		if old == nil || old.skip != skipAbsent {
			w.dirty.Store(true)
		}
		if marker {
			f.stamp, f.hash, f.skip = stamp{}, 0, skipAbsent
			return f, true
		}
		return f, false
	}
	f.stamp = stampOf(info)
	if old != nil && old.stamp == f.stamp && !f.stamp.racy(w.old.when) && old.skip != skipUnreadable {
		f.hash, f.skip = old.hash, old.skip
		return f, true
	}
	w.dirty.Store(true)
	limit := int64(maxRead)
	if f.lang >= 0 {
		limit = sizeLimit(f.name, w.cfg)
	}
	src, err := readFile(w.root, p, limit)
	f.hash, f.skip = 0, ""
	switch {
	case errors.Is(err, errTooLarge):
		f.skip = skipLarge
	case errors.Is(err, fs.ErrNotExist):
		return f, false
	case err != nil:
		f.skip = skipUnreadable
		w.mu.Lock()
		w.notes = append(w.notes, "cannot read "+p+": "+bare(err).Error())
		w.mu.Unlock()
	case f.lang >= 0 && isBinary(&w.langs[f.lang], src):
		f.skip = skipBinary
	case f.lang >= 0 && isJavaScript(f.name) && minified(src):
		f.skip = skipMinified
	default:
		f.hash = xxh3.Hash(src)
		f.stamp.size = int64(len(src))
	}
	return f, true
}

// maxRead bounds the size of any file that is read.
const maxRead = 256 << 20

package pluto

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/settgraph/sett/compiler/identity"
	"github.com/settgraph/sett/compiler/plto"
	"github.com/settgraph/sett/indexer"
	"github.com/settgraph/sett/indexer/lang"
	"github.com/settgraph/sett/sdk/pluto/journal"
)

// idsFile holds the ids of declarations in text files that do not follow from their names.
const idsFile = ".sett/pluto-ids.json"

// Project is an open project. It is safe for concurrent use.
type Project struct {
	root    string
	opts    Options
	fs      *os.Root
	journal *journal.Journal
	langs   []lang.Language

	editing chan struct{} // holds a token while nobody edits

	mu      sync.Mutex // held while the view is brought up to date
	scan    *indexer.Scan
	sidecar sidecar
	view    *View              // the last one; nil at first
	seen    map[string]*Module // as first seen, or after the last edit or reload here: what Reload compares with
	stage   stages
	written map[string]bool // by direct edits since the last Save
	notes   []string
}

// sidecar is the file of recorded ids as it was read last.
type sidecar struct {
	text string
	ids  identity.Recorded
}

// Open opens the project whose root is the folder. Nothing of it is read yet, but a change
// that another process began before it died is brought to an end.
func Open(root string, o Options) (*Project, error) {
	abs, err := filepath.Abs(root)
	if err == nil {
		abs, err = filepath.EvalSymlinks(abs)
	}
	if err != nil {
		return nil, &Error{Code: NotFound, Text: fmt.Sprintf("cannot open the project %s: %v", root, bare(err)), Err: err}
	}
	dir, err := os.OpenRoot(abs)
	if err != nil {
		return nil, &Error{Code: NotFound, Text: fmt.Sprintf("cannot open the project %s: %v", root, bare(err)), Err: err}
	}
	p := &Project{
		root: abs, opts: o, fs: dir, editing: make(chan struct{}, 1), written: map[string]bool{}, seen: map[string]*Module{},
		journal: openJournal(abs),
	}
	p.editing <- struct{}{}
	p.langs = []lang.Language{
		{Name: "pluto", Version: 1, Source: endsIn(".pluto"), Text: func(src []byte) ([]byte, bool) { return src, true }}, // also one that is damaged
		{Name: "pt", Version: 1, Source: endsIn(".pt"), Text: textOf},                                                     // others have files of that name
	}
	return p, nil
}

// isSource says whether a file can be a module.
func isSource(name string) bool { return endsIn(".pluto")(name) || endsIn(".pt")(name) }

func endsIn(ext string) func(name string) bool {
	return func(name string) bool { return path.Ext(name) == ext && path.Base(name) != ext }
}

// textOf tells PLTO files from other bytes. Damaged ones are sources too: somebody has to
// say that they are damaged.
func textOf(src []byte) ([]byte, bool) {
	if !plto.Is(src) {
		return nil, false
	}
	text, _ := plto.Text(src)
	return []byte(text), true
}

// Close ends the use of the project. Staged edits that were not saved are gone.
func (p *Project) Close() error { return p.fs.Close() }

// Root is the folder of the project, absolute and with links followed.
func (p *Project) Root() string { return p.root }

// Options are those that it was opened with.
func (p *Project) Options() Options { return p.opts }

// Notes returns what had to be repaired or set aside since the last call: unfinished changes
// of processes that died, damaged files of the history or of recorded ids.
func (p *Project) Notes() []string {
	p.mu.Lock()
	defer p.mu.Unlock()
	n := append(p.notes, p.journal.Notes()...)
	p.notes = nil
	return n
}

// View is the project as it is now. It is cheap when nothing changed.
func (p *Project) View(ctx context.Context) (*View, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.refresh(ctx, false)
}

// refresh brings the view up to date; p.mu is held, but let go while it waits for a writer.
// With locked this process holds the journal's lock.
func (p *Project) refresh(ctx context.Context, locked bool) (*View, error) {
	for try := 0; ; try++ {
		before, pending := p.journal.State()
		if pending && !locked && !p.opts.ReadOnly {
			// Somebody is in the middle of a change, or died there. It may be an edit of this
			// very project, which needs p.mu to end.
			p.mu.Unlock()
			held, err := p.journal.Lock(ctx)
			if err == nil {
				held.Release()
			}
			p.mu.Lock()
			if ctx.Err() != nil {
				return nil, ctx.Err()
			}
			before, _ = p.journal.State()
		}
		v, err := p.look(ctx)
		if err != nil {
			return nil, err
		}
		// A change between the first and the last file that was read would be half seen.
		if after, _ := p.journal.State(); after == before || locked || try == 8 {
			for name, m := range v.byPath {
				if p.seen[name] == nil {
					p.seen[name] = m
				}
			}
			return v, nil
		}
	}
}

// look reads what changed on disk since the last view.
func (p *Project) look(ctx context.Context) (*View, error) {
	text, err := p.read(idsFile)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		text = nil
	}
	if string(text) != p.sidecar.text || p.sidecar.ids == nil {
		ids, bad, err := identity.Decode(text)
		switch {
		case err != nil:
			p.notes = append(p.notes, fmt.Sprintf("%s is damaged: %v; the ids of renamed declarations start anew", idsFile, err))
		case bad > 0:
			p.notes = append(p.notes, fmt.Sprintf("%s: passed over %d entries that make no sense", idsFile, bad))
		}
		p.sidecar = sidecar{string(text), ids}
		p.drop()
	}
	scan, err := indexer.ScanFiles(ctx, indexer.Options{Root: p.root, Languages: p.langs, Workers: 4, Last: p.scan}, nil)
	if err != nil {
		return nil, err
	}
	if p.view != nil && p.view.fresh && p.scan != nil && p.scan.Digest == scan.Digest && slices.Equal(p.scan.Left, scan.Left) {
		p.scan = scan
		return p.view, nil
	}
	v, err := p.build(ctx, scan, p.stage.now(), p.view)
	if err != nil {
		return nil, err
	}
	v.fresh = true
	p.scan, p.view = scan, v
	return v, nil
}

// drop says that the view is not of what is there any more.
func (p *Project) drop() {
	if p.view != nil && p.view.fresh {
		v := *p.view
		v.fresh = false
		p.view = &v
	}
}

// maxRead bounds the size of any file that is read.
const maxRead = 256 << 20

// read gives the contents of a file of the project.
func (p *Project) read(name string) ([]byte, error) {
	info, err := p.fs.Stat(name)
	switch {
	case err != nil:
		return nil, err
	case !info.Mode().IsRegular():
		return nil, &fs.PathError{Op: "read", Path: name, Err: errors.New("not a regular file")}
	case info.Size() > maxRead:
		return nil, &fs.PathError{Op: "read", Path: name, Err: errors.New("the file is too large")}
	}
	data, err := p.fs.ReadFile(name)
	if data == nil && err == nil {
		data = []byte{}
	}
	return data, err
}

// Path turns a path from the root, or an absolute one, into a slash path from the root. It
// follows links of the folders above it. A path that leads out of the project is an error.
func (p *Project) Path(name string) (string, error) { return within(p.root, name) }

func within(root, name string) (string, error) {
	outside := &Error{Code: OutsideProject, Text: fmt.Sprintf("'%s' is outside of the project", name), Hint: "give a path below " + root}
	if name == "" || strings.ContainsRune(name, 0) {
		return "", fail(InvalidArgument, "'%s' is no path", name)
	}
	full := filepath.FromSlash(name)
	if !filepath.IsAbs(full) {
		full = filepath.Join(root, full)
	}
	full = filepath.Clean(full)
	// Links are followed in what there is of the path.
	var rest []string
	for dir := full; ; dir = filepath.Dir(dir) {
		real, err := filepath.EvalSymlinks(dir)
		if err == nil {
			full = filepath.Join(append([]string{real}, rest...)...)
			break
		}
		if !errors.Is(err, fs.ErrNotExist) || dir == filepath.Dir(dir) {
			return "", outside
		}
		if _, err := os.Lstat(dir); err == nil {
			return "", outside // a link to nothing: who knows where
		}
		rest = append([]string{filepath.Base(dir)}, rest...)
	}
	rel, err := filepath.Rel(root, full)
	if err != nil || !filepath.IsLocal(rel) {
		return "", outside
	}
	return filepath.ToSlash(rel), nil
}

// bare removes the path from an error of the file system, which the message gives anyway.
func bare(err error) error {
	var p *fs.PathError
	if errors.As(err, &p) {
		return p.Err
	}
	return err
}

package ts

import (
	"fmt"
	"slices"
	"sync"

	"github.com/microsoft/typescript-go/sett"
)

// parseCache keeps parsed files. They belong to no program, so all may use them.
type parseCache struct {
	mu      sync.Mutex
	entries map[parseKey]*parseEntry
	turn    int // counts checks
}

type parseKey struct {
	opts  tsgo.SourceFileParseOptions
	stamp stamp
}

type parseEntry struct {
	once sync.Once
	file *tsgo.SourceFile // nil if the file is not there
	note string           // why it counts as empty
	turn int              // in which it was used last
}

// keepTurns is for how many checks a file stays that none of them needs.
const keepTurns = 8

func (c *parseCache) get(k parseKey) *parseEntry {
	c.mu.Lock()
	defer c.mu.Unlock()
	e := c.entries[k]
	if e == nil {
		e = &parseEntry{}
		if c.entries == nil {
			c.entries = map[parseKey]*parseEntry{}
		}
		c.entries[k] = e
	}
	e.turn = c.turn
	return e
}

// sweep ends a check.
func (c *parseCache) sweep() {
	c.mu.Lock()
	defer c.mu.Unlock()
	for k, e := range c.entries {
		if e.turn < c.turn-keepTurns {
			delete(c.entries, k)
		}
	}
	c.turn++
}

// checkHost gives programs their files. It is safe for concurrent use, except that one
// goroutine at a time may parse configurations.
type checkHost struct {
	fs      *checkFS
	bundled tsgo.FS
	cache   *parseCache
	root    string
	mu      sync.Mutex
	notes   map[string]string                  // absolute path -> why the file counts as empty
	refs    map[string]*tsgo.ParsedCommandLine // configurations that others refer to, by path
	extends map[tsgo.Path]*tsgo.ExtendedConfigCacheEntry
}

func newCheckHost(f *checkFS, cache *parseCache, root string) *checkHost {
	return &checkHost{
		fs: f, bundled: tsgo.BundledFS(f), cache: cache, root: root, notes: map[string]string{},
		refs: map[string]*tsgo.ParsedCommandLine{}, extends: map[tsgo.Path]*tsgo.ExtendedConfigCacheEntry{},
	}
}

// FS is the disk and the libraries inside the binary.
func (h *checkHost) FS() tsgo.FS { return h.bundled }

// DefaultLibraryPath is where the embedded libraries lie.
func (h *checkHost) DefaultLibraryPath() string { return tsgo.LibPath() }

// GetCurrentDirectory is the project's root, where tsc would be started.
func (h *checkHost) GetCurrentDirectory() string { return h.root }

// Trace drops what the compiler tells.
func (h *checkHost) Trace(*tsgo.DiagnosticMessage, ...any) {}

// GetResolvedProjectReference returns a configuration that another refers to.
func (h *checkHost) GetResolvedProjectReference(name string, _ tsgo.Path) *tsgo.ParsedCommandLine {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.refs[name]
}

// GetExtendedConfig parses a configuration that another extends, once.
func (h *checkHost) GetExtendedConfig(name string, p tsgo.Path, stack []tsgo.Path, host tsgo.ParseConfigHost) *tsgo.ExtendedConfigCacheEntry {
	if e := h.extends[p]; e != nil && !slices.Contains(stack, p) {
		return e
	}
	e := tsgo.ParseExtendedConfig(name, p, stack, host, h)
	h.extends[p] = e
	return e
}

// GetSourceFile parses a file, or returns what an earlier check parsed. It never fails: what
// cannot be parsed counts as empty, and a note says so.
func (h *checkHost) GetSourceFile(opts tsgo.SourceFileParseOptions) *tsgo.SourceFile {
	s, text, ok := h.fs.stamp(opts.FileName)
	if !ok {
		return nil
	}
	e := h.cache.get(parseKey{opts, s})
	e.once.Do(func() {
		if text == nil {
			t, ok := h.bundled.ReadFile(opts.FileName)
			if !ok {
				return
			}
			text = &t
		}
		if tooDeep(*text) {
			*text, e.note = "", fmt.Sprintf("nested more than %d levels deep: not read", maxDepth)
		}
		file, failed := parse(true, opts, *text)
		if e.file = file; failed != "" {
			e.note = failed
		}
	})
	if e.note != "" {
		h.mu.Lock()
		defer h.mu.Unlock()
		h.notes[opts.FileName] = e.note
	}
	return e.file
}

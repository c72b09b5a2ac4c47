package load

import (
	"bytes"
	"slices"
	"sync"

	"github.com/settgraph/sett/compiler/diag"
	"github.com/settgraph/sett/compiler/syntax"
)

// Cache shares parsed files between loads: the same content at the same place is parsed once,
// and everyone gets the same tree. It keeps the last few contents of each place. It is safe
// for concurrent use; trees are never written to.
type Cache struct {
	mu    sync.Mutex
	files map[cacheKey][]*parsed // the latest last
}

type cacheKey struct{ name, path string }

// parsed is a file after its first use.
type parsed struct {
	data  []byte
	once  sync.Once
	file  *syntax.File
	diags *diag.List
}

// versions is how many contents of one place are kept: what is saved, what is staged, and
// what is tried out.
const versions = 3

// NewCache makes an empty cache.
func NewCache() *Cache { return &Cache{files: map[cacheKey][]*parsed{}} }

// Parse is [Parse] of a content that must not change any more. The list is shared: do not add
// to it.
func (c *Cache) Parse(name, path string, data []byte) (*syntax.File, *diag.List) {
	p := c.entry(cacheKey{name, path}, data)
	p.once.Do(func() { p.file, p.diags = Parse(name, path, p.data) })
	return p.file, p.diags
}

func (c *Cache) entry(key cacheKey, data []byte) *parsed {
	c.mu.Lock()
	defer c.mu.Unlock()
	known := c.files[key]
	if i := slices.IndexFunc(known, func(p *parsed) bool { return bytes.Equal(p.data, data) }); i >= 0 {
		p := known[i]
		copy(known[i:], known[i+1:])
		known[len(known)-1] = p
		return p
	}
	if len(known) == versions {
		known = slices.Delete(known, 0, 1)
	}
	p := &parsed{data: data}
	c.files[key] = append(known, p)
	return p
}

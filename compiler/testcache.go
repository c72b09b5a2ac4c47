package compiler

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"hash"
	"io"
	"os"
	"path/filepath"
	"slices"

	"github.com/settgraph/sett/compiler/build"
	"github.com/settgraph/sett/compiler/check"
	"github.com/settgraph/sett/compiler/syntax"
)

// testCache remembers which tests of a file passed. The key of a test is made of everything
// that it can depend on: the text of the program without its tests, its own text, and the
// compiler. A program that can see anything else, files or the network, is not cached.
type testCache struct {
	path string   // "" when nothing is to be remembered
	keys []string // of the tests
	old  []string // of those that passed
	now  testCacheText
}

// testCacheText is the file of the cache.
type testCacheText struct {
	Version int      `json:"version"`
	Whole   string   `json:"whole"`   // names the whole text
	Written int64    `json:"written"` // when the entry was, in nanoseconds
	Passed  []string `json:"passed"`
}

// openTestCache finds what is known about the tests of a program whose Go text imports the
// packages of the runtime.
func openTestCache(p *check.Program, packages []string, o TestOptions) *testCache {
	c := &testCache{}
	root := p.Project.Root
	dir, ok := build.CacheDir()
	if o.Build.CacheDir != "" {
		dir, ok = o.Build.CacheDir, true
	}
	if o.NoCache || o.Seed != "" || o.Iterations > 0 || !ok || len(root.Files) == 0 || !repeatable(p, packages) {
		return c
	}
	entry := root.Files[0].Src
	written, err := os.Stat(entry.Path)
	if err != nil {
		return c // it is no file
	}
	common := sha256.New()
	if !writeSelf(common) {
		return c
	}
	for _, m := range p.Project.Modules {
		for _, f := range m.Files {
			writeText(common, f)
		}
	}
	base := common.Sum(nil)
	whole := sha256.New()
	whole.Write(base)
	for _, t := range p.Tests {
		h := sha256.New()
		h.Write(base)
		at := t.Decl.Span()
		io.WriteString(io.MultiWriter(h, whole), t.Func.File.Text[at.Start:at.End])
		c.keys = append(c.keys, hex.EncodeToString(h.Sum(nil)[:16]))
	}
	name := sha256.Sum256([]byte(entry.Path))
	c.path = filepath.Join(dir, "tests", hex.EncodeToString(name[:12])+".json")
	c.now = testCacheText{Version: 1, Whole: hex.EncodeToString(whole.Sum(nil)[:16]), Written: written.ModTime().UnixNano()}
	var old testCacheText
	data, err := os.ReadFile(c.path)
	if err != nil || json.Unmarshal(data, &old) != nil || old.Version != 1 {
		return c // nothing is known
	}
	if old.Whole == c.now.Whole && old.Written != c.now.Written {
		return c // the file was written anew, as it was: somebody wants to see it run
	}
	c.old = old.Passed
	return c
}

// repeatable says whether the tests do the same each time: they see nothing of the world, and
// their order of events is fixed.
func repeatable(p *check.Program, packages []string) bool {
	for _, t := range p.Tests {
		if t.Scheduler == "Random" {
			return false
		}
	}
	for _, name := range packages {
		switch name {
		case "base64", "json", "regex", "text":
		default:
			return false
		}
	}
	return true
}

// writeSelf writes which version of the compiler this is.
func writeSelf(h hash.Hash) bool {
	self, err := os.Executable()
	if err != nil {
		return false
	}
	info, err := os.Stat(self)
	if err != nil {
		return false
	}
	fmt.Fprintf(h, "%s %d %d\n", self, info.Size(), info.ModTime().UnixNano())
	return true
}

// writeText writes a file without its tests.
func writeText(h hash.Hash, f *syntax.File) {
	text, last := f.Src.Text, int32(0)
	fmt.Fprintf(h, "file %s\n", f.Src.Name)
	cut := func(t *syntax.TestDecl) {
		io.WriteString(h, text[last:t.Span().Start])
		last = t.Span().End
	}
	for _, d := range f.Decls {
		switch d := d.(type) {
		case *syntax.TestDecl:
			cut(d)
		case *syntax.TestsDecl:
			for _, t := range d.Tests {
				cut(t)
			}
		}
	}
	io.WriteString(h, text[last:])
}

// passed says whether a test passed as it is now.
func (c *testCache) passed(i int) bool {
	return c.path != "" && slices.Contains(c.old, c.keys[i])
}

// save remembers the tests that pass as they are now, and forgets all others.
func (c *testCache) save(r *TestReport) error {
	if c.path == "" {
		return nil
	}
	text := c.now
	text.Passed = []string{}
	for i, t := range r.Tests {
		if t.Outcome == Passed || t.Outcome != Failed && c.passed(i) {
			text.Passed = append(text.Passed, c.keys[i])
		}
	}
	data, err := json.Marshal(text)
	if err != nil {
		return fmt.Errorf("remembering the tests that passed: %w", err)
	}
	if err := replace(c.path, data); err != nil {
		return fmt.Errorf("remembering the tests that passed: %w", err)
	}
	return nil
}

// replace writes a file at once.
func replace(path string, text []byte) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	tmp, err := os.CreateTemp(filepath.Dir(path), ".new-*")
	if err != nil {
		return err
	}
	defer os.Remove(tmp.Name())
	_, err = tmp.Write(text)
	if closed := tmp.Close(); err == nil {
		err = closed
	}
	if err != nil {
		return err
	}
	return os.Rename(tmp.Name(), path)
}

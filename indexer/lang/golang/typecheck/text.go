package typecheck

import (
	"bytes"
	"go/ast"
	"go/build"
	"go/parser"
	"go/scanner"
	"go/token"
	"io"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/zeebo/xxh3"
)

// A text is one Go file as it was when it was read.
type text struct {
	path  string // absolute
	rel   string // from the root; "" outside
	hash  uint64
	shape uint64
	src   []byte

	name    string // of the package
	nameAt  place
	imports []spec
	ignored bool    // the build leaves it out
	script  bool    // unless it is named
	cgo     bool    // imports "C"
	bad     []fault // what is wrong above the declarations

	declares []string // names; nil when not known

	// mu guards the parsing: modules that are built apart may share a file. Who has called
	// parse may read what it leaves without it.
	mu     sync.Mutex
	known  bool // was parsed once; wrong says whether that found errors
	wrong  bool
	parsed bool
	file   *ast.File
	tok    *token.File
	syntax scanner.ErrorList
}

// A spec is one import of a file.
type spec struct {
	path string
	at   place
}

// A place is a line and a column in bytes, from 1.
type place struct{ line, col int }

// A fault is something wrong at a place of a text.
type fault struct {
	at  place
	msg string
}

// readText returns a file's text, the remembered one if it is the same.
func (s *session) readText(abs string) (*text, error) {
	f := s.files[abs]
	s.mu.Lock()
	old := s.c.texts[abs]
	s.mu.Unlock()
	if f != nil && old != nil && old.hash == f.Hash {
		return old, nil
	}
	src, err := s.read(abs)
	if err != nil {
		return nil, err
	}
	hash := xxh3.Hash(src)
	if old != nil && old.hash == hash {
		return old, nil
	}
	t := &text{path: abs, hash: hash, shape: hash, src: src}
	t.rel, _ = s.rel(abs)
	if f != nil {
		t.hash = f.Hash // of the contents, whoever counts
		if f.Summary.Shape != 0 {
			t.shape = f.Summary.Shape
		}
	}
	t.readHead(s.c.tool.build)
	s.mu.Lock()
	s.c.texts[abs] = t
	s.mu.Unlock()
	return t, nil
}

// readHead reads what stands above the declarations.
func (t *text) readHead(bc build.Context) {
	dir, name := filepath.Split(t.path)
	bc.OpenFile = func(string) (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(t.src)), nil }
	match, matchErr := bc.MatchFile(dir, name)
	if matchErr == nil && !match {
		t.ignored = true
		bc.BuildTags = append(slices.Clone(bc.BuildTags), "ignore")
		t.script, _ = bc.MatchFile(dir, name)
	}
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, t.path, t.src, parser.ImportsOnly|parser.SkipObjectResolution)
	at := func(pos token.Pos) place {
		p := fset.PositionFor(pos, false)
		return place{max(1, p.Line), max(1, p.Column)}
	}
	if f != nil && f.Name != nil {
		t.name, t.nameAt = f.Name.Name, at(f.Name.Pos())
		if f.Name.Name == "_" && err == nil {
			err = scanner.ErrorList{{Pos: fset.Position(f.Name.Pos()), Msg: "invalid package name _"}}
		}
	}
	if t.ignored && !t.script {
		return
	}
	if list, ok := err.(scanner.ErrorList); ok {
		for _, e := range list {
			t.bad = append(t.bad, fault{place{max(1, e.Pos.Line), max(1, e.Pos.Column)}, e.Msg})
		}
		if len(t.bad) > 1 {
			t.bad = t.bad[:1]
		}
	} else if matchErr != nil {
		msg := matchErr.Error()
		msg = strings.TrimPrefix(msg, t.path+": ")
		if _, rest, ok := strings.Cut(msg, "parsing //go:build line: "); ok {
			msg = "parsing //go:build line: " + rest
		}
		t.bad = append(t.bad, fault{place{1, 1}, msg})
	}
	for _, imp := range f.Imports {
		path, err := strconv.Unquote(imp.Path.Value)
		if err != nil {
			continue
		}
		if path == "C" {
			t.cgo = true
			continue
		}
		t.imports = append(t.imports, spec{path, at(imp.Pos())})
	}
	if t.cgo && !bc.CgoEnabled {
		t.ignored = true
	}
}

// parse parses the whole file, giving it positions that no other file has.
func (t *text) parse(base func(size int) int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.parsed {
		return
	}
	fset := token.NewFileSet()
	fset.AddFile("", base(len(t.src)+2), 0)
	f, err := parser.ParseFile(fset, t.path, t.src, parser.SkipObjectResolution|parser.ParseComments|parser.AllErrors)
	t.file, t.parsed, t.known = f, true, true
	if list, ok := err.(scanner.ErrorList); ok {
		t.syntax = list
	}
	t.wrong = err != nil
	if f != nil {
		t.tok = fset.File(f.FileStart)
	}
}

// state says how far the file is parsed, and whether errors were found.
func (t *text) state() (parsed, known, wrong bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.parsed, t.known, t.wrong
}

// release forgets the tree.
func (t *text) release() { t.parsed, t.file, t.tok, t.syntax = false, nil, nil, nil }

// column turns a column in bytes into one in code points.
func (t *text) column(p place) int {
	line := t.src
	for range p.line - 1 {
		i := bytes.IndexByte(line, '\n')
		if i < 0 {
			return p.col
		}
		line = line[i+1:]
	}
	if i := bytes.IndexByte(line, '\n'); i >= 0 {
		line = line[:i]
	}
	n := p.col - 1
	if n > len(line) {
		return utf8.RuneCount(line) + 1 + n - len(line)
	}
	return utf8.RuneCount(line[:n]) + 1
}

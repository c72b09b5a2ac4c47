package typecheck

import (
	"bytes"
	"cmp"
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"path/filepath"
	"reflect"
	"regexp"
	"runtime"
	"slices"
	"strings"

	"go/version"

	"github.com/settgraph/sett/query/report"
)

// errs gathers what go/types says of one part of a package, and says it as the compiler
// does: the two checkers share most of their text, but not all words and positions.
type errs struct {
	s     *session
	p     *pkg
	fset  *token.FileSet
	texts []*text
	trees []*ast.File
	only  bool // the findings of test files are wanted, others only if they are of all files together

	branch   bool // labels or jumps are wrong
	hurt     bool // something that others can see is wrong
	findings []report.Diagnostic
	said     string // the last finding, without its column
	last     int    // index of the finding that the next "\t..." belongs to; -1: none
}

// check runs go/types.
func (e *errs) check(path string, im types.Importer) *types.Package {
	e.last = -1
	lang := e.p.lang
	if lang != "" && version.Compare(lang, languageOf(runtime.Version())) > 0 {
		lang = ""
	}
	conf := types.Config{
		GoVersion: lang, Importer: im, FakeImportC: true, Error: e.take,
		Sizes: types.SizesFor("gc", e.s.c.tool.env.GOARCH),
	}
	tp, _ := conf.Check(path, e.fset, e.trees, nil)
	return tp
}

func languageOf(release string) string {
	if l := version.Lang(release); l != "" {
		return release
	}
	return "go1.999" // a development version
}

var needsVersion = regexp.MustCompile(`requires go[0-9]+\.[0-9]+ or later`)

func (e *errs) take(err error) {
	te, ok := err.(types.Error)
	if !ok {
		return
	}
	t := e.textOf(te.Pos)
	if t == nil {
		e.hurt = true
		return
	}
	at := e.place(te.Pos)
	if sub, ok := strings.CutPrefix(te.Msg, "\t"); ok {
		if e.last >= 0 {
			d := &e.findings[e.last]
			d.Related = append(d.Related, report.Related{File: t.rel, Line: at.line, Col: t.column(at), Message: sub})
		}
		return
	}
	code := codeOf(te)
	name := codeName(code)
	e.last = -1
	if name == "BrokenImport" {
		return
	}
	if !te.Soft && !e.inBody(te.Pos) {
		e.hurt = true
	}
	if t.rel == "" || e.p.only != nil && e.p.only != t || mayExplain(e.p.apart, te.Msg) {
		return
	}
	if strings.Contains(te.Msg, "invalid type") || strings.Contains(te.Msg, "invalid operand") {
		return // it follows from something else, or from what cgo would have declared
	}
	if e.only && !strings.HasSuffix(t.path, "_test.go") && name == "UnusedImport" {
		return
	}
	at, msg := e.compilerPlace(te.Pos, name, te.Msg), e.s.local(e.literals(te.Pos, e.notExported(te.Pos, te.Msg)))
	e.branch = e.branch || isBranch(name)
	if needsVersion.MatchString(msg) {
		if own := e.fileVersion(t); own != "" {
			msg += fmt.Sprintf(" (file declares //go:build %s)", own)
		} else {
			msg += fmt.Sprintf(" (-lang was set to %s; check go.mod)", version.Lang(e.p.lang))
		}
	}
	if said := fmt.Sprintf("%s:%d %s", t.rel, at.line, msg); said == e.said {
		return // the compiler does not repeat itself on a line
	} else {
		e.said = said
	}
	e.findings = append(e.findings, report.Diagnostic{
		File: t.rel, Line: at.line, Col: t.column(at), Severity: report.Error, Source: "go", Code: name, Message: msg,
	})
	e.last = len(e.findings) - 1
}

func (e *errs) fileVersion(t *text) string {
	for i, x := range e.texts {
		if x == t {
			return e.trees[i].GoVersion
		}
	}
	return ""
}

// local shortens the paths of project files in a message to those from the root.
func (s *session) local(msg string) string {
	return strings.ReplaceAll(msg, strings.TrimSuffix(s.in.Root, string(filepath.Separator))+string(filepath.Separator), "")
}

// isBranch reports whether an error is about labels and jumps, which the compiler's parser
// finds, in words and places of its own.
func isBranch(code string) bool {
	switch code {
	case "UndeclaredLabel", "DuplicateLabel", "MisplacedLabel", "UnusedLabel", "JumpOverDecl", "JumpIntoBlock", "MisplacedBreak", "MisplacedContinue", "MisplacedGoto", "MisplacedFallthrough", "InvalidBranch", "InvalidLabel":
		return true
	}
	return false
}

func (e *errs) textOf(pos token.Pos) *text {
	i, _ := slices.BinarySearchFunc(e.order(), pos, func(t *text, pos token.Pos) int {
		switch {
		case t.tok.Base()+t.tok.Size() < int(pos):
			return -1
		case t.tok.Base() > int(pos):
			return 1
		}
		return 0
	})
	o := e.order()
	if i < len(o) && o[i].tok.Base() <= int(pos) && int(pos) <= o[i].tok.Base()+o[i].tok.Size() {
		return o[i]
	}
	return nil
}

// order is the texts by position.
func (e *errs) order() []*text {
	if !slices.IsSortedFunc(e.texts, byBase) {
		// The trees must stay in step, so sort a copy.
		c := slices.Clone(e.texts)
		slices.SortFunc(c, byBase)
		return c
	}
	return e.texts
}

func byBase(a, b *text) int { return cmp.Compare(a.tok.Base(), b.tok.Base()) }

func (e *errs) place(pos token.Pos) place {
	p := e.fset.PositionFor(pos, false)
	return place{max(1, p.Line), max(1, p.Column)}
}

// inBody reports whether a position is inside a function with a name.
func (e *errs) inBody(pos token.Pos) bool {
	for _, f := range e.trees {
		if pos < f.FileStart || pos > f.FileEnd {
			continue
		}
		for _, d := range f.Decls {
			if fn, ok := d.(*ast.FuncDecl); ok && fn.Body != nil && fn.Body.Lbrace < pos && pos <= fn.Body.Rbrace {
				return true
			}
		}
	}
	return false
}

// codeOf reads the number of an error, which go/types keeps to itself.
func codeOf(err types.Error) int {
	f := reflect.ValueOf(err).FieldByName("go116code")
	if f.IsValid() && f.CanInt() {
		return int(f.Int())
	}
	return 0
}

// beyondTypes finds what the compiler refuses and go/types does not look at.
func (e *errs) beyondTypes(own []*text) {
	e.parserFindings(own)
	cgo := slices.ContainsFunc(e.texts, func(t *text) bool { return t.cgo })
	isMain, hasMain := false, false
	for _, t := range own {
		f := t.file
		isMain = isMain || f.Name.Name == "main" && !strings.HasSuffix(t.path, "_test.go")
		for _, d := range f.Decls {
			fn, ok := d.(*ast.FuncDecl)
			if !ok {
				continue
			}
			if fn.Recv == nil && fn.Name.Name == "main" {
				hasMain = true
			}
			if fn.Body == nil && !e.p.nonGo && !cgo && fn.Name.Name != "init" && !linknamed(t, fn) {
				at := fn.Name.Pos()
				if fn.Recv != nil {
					at = fn.Recv.Pos()
				}
				e.s.give(e, t, at, "", "missing function body")
			}
		}
	}
	if isMain && !hasMain && e.p.name == "main" && len(own) > 0 && len(e.findings) == 0 && !e.p.loose {
		e.findings = append(e.findings, report.Diagnostic{
			File: own[0].rel, Line: own[0].nameAt.line, Col: own[0].column(own[0].nameAt), Severity: report.Error, Source: "go",
			Message: "function main is undeclared in the main package",
		})
	}
	e.testFunctions(own)
}

func (s *session) give(e *errs, t *text, pos token.Pos, code, msg string) {
	if t.rel == "" {
		return
	}
	at := e.place(pos)
	e.findings = append(e.findings, report.Diagnostic{
		File: t.rel, Line: at.line, Col: t.column(at), Severity: report.Error, Source: "go", Code: code, Message: msg,
	})
}

// linknamed reports whether a directive says where the body of a function is.
func linknamed(t *text, fn *ast.FuncDecl) bool {
	return bytes.Contains(t.src, []byte("//go:linkname "+fn.Name.Name+" ")) || bytes.Contains(t.src, []byte("//go:linkname "+fn.Name.Name+"\n"))
}

// testFunctions finds tests that the test runner of the go command refuses.
func (e *errs) testFunctions(own []*text) {
	for _, t := range own {
		if !strings.HasSuffix(t.path, "_test.go") {
			continue
		}
		testing := ""
		for _, imp := range t.file.Imports {
			if imp.Path.Value == `"testing"` {
				testing = "testing"
				if imp.Name != nil {
					testing = imp.Name.Name
				}
			}
		}
		for _, d := range t.file.Decls {
			fn, ok := d.(*ast.FuncDecl)
			if !ok || fn.Recv != nil {
				continue
			}
			arg, kind := "", ""
			switch name := fn.Name.Name; {
			case name == "TestMain":
				if isTestFunc(fn, "T", testing) {
					arg, kind = "t", "T"
				} else {
					arg, kind = "m", "M"
				}
			case isTest(name, "Test"):
				arg, kind = "t", "T"
			case isTest(name, "Benchmark"):
				arg, kind = "b", "B"
			case isTest(name, "Fuzz"):
				arg, kind = "f", "F"
			}
			if kind == "" || isTestFunc(fn, kind, testing) && fn.Type.TypeParams == nil {
				continue
			}
			if fn.Type.TypeParams != nil {
				e.s.give(e, t, fn.Pos(), "", fmt.Sprintf("wrong signature for %s, test functions cannot have type parameters", fn.Name.Name))
				continue
			}
			e.s.give(e, t, fn.Pos(), "", fmt.Sprintf("wrong signature for %s, must be: func %s(%s *testing.%s)", fn.Name.Name, fn.Name.Name, arg, kind))
		}
	}
}

// isTest reports whether a name is a prefix and then something that begins in upper case.
func isTest(name, prefix string) bool {
	rest, ok := strings.CutPrefix(name, prefix)
	return ok && (rest == "" || !strings.ContainsAny(rest[:1], "abcdefghijklmnopqrstuvwxyz") && !startsLower(rest))
}

func startsLower(s string) bool {
	for _, r := range s {
		return strings.ToLower(string(r)) == string(r) && strings.ToUpper(string(r)) != string(r)
	}
	return false
}

// isTestFunc reports whether a function takes one pointer to a type that may be the one of
// package testing, going by its name, and returns nothing.
func isTestFunc(fn *ast.FuncDecl, kind, testing string) bool {
	ft := fn.Type
	if ft.Results != nil && len(ft.Results.List) > 0 || len(ft.Params.List) != 1 || len(ft.Params.List[0].Names) > 1 {
		return false
	}
	star, ok := ft.Params.List[0].Type.(*ast.StarExpr)
	if !ok {
		return false
	}
	switch x := star.X.(type) {
	case *ast.Ident:
		return x.Name == kind
	case *ast.SelectorExpr:
		return x.Sel.Name == kind
	}
	return false
}

// findCycles reports imports that lead back to where they come from.
func (s *session) findCycles(targets []*target) {
	state := map[*pkg]int{}
	var stack []*pkg
	var visit func(p *pkg)
	visit = func(p *pkg) {
		state[p] = 1
		stack = append(stack, p)
		for _, t := range p.files {
			for _, imp := range t.imports {
				q := p.deps[imp.path].pkg
				if q == nil {
					continue
				}
				switch state[q] {
				case 0:
					visit(q)
				case 1:
					ring := stack[slices.Index(stack, q):]
					for _, r := range ring {
						r.cyclic = true
					}
					s.ringFault(ring)
				}
			}
		}
		stack = stack[:len(stack)-1]
		state[p] = 2
	}
	for _, t := range targets {
		roots := []*pkg{t.p}
		for _, imp := range importsOf(t.p.tests, t.p.xtests) {
			if q := t.p.deps[imp].pkg; q != nil {
				roots = append(roots, q)
			}
		}
		for _, p := range roots {
			if state[p] == 0 {
				visit(p)
			}
		}
	}
	for _, t := range targets {
		if t.test {
			s.testCycle(t.p)
		}
	}
}

// ringFault reports a cycle, beginning with the same package whoever was asked about, where
// the last of it imports the first, or else at the last import of it in a file that was
// asked about: no part of a cycle is without errors.
func (s *session) ringFault(ring []*pkg) {
	ring = slices.Clone(ring)
	first := slices.MinFunc(ring, func(a, b *pkg) int { return cmp.Compare(a.path, b.path) })
	i := slices.Index(ring, first)
	ring = append(slices.Concat(ring[i:], ring[:i]), first)
	for i := len(ring) - 2; i >= 0; i-- {
		for _, t := range ring[i].files {
			if s.scope.Files != nil && !slices.Contains(s.scope.Files, t.rel) {
				continue
			}
			for _, imp := range t.imports {
				if imp.path == ring[i+1].path {
					s.fault(t, imp.at, "", cycleWords(ring, "import cycle not allowed"))
					return
				}
			}
		}
	}
}

// testCycle reports a test file of a package that imports what imports the package.
func (s *session) testCycle(p *pkg) {
	seen := map[*pkg]bool{}
	var path []*pkg
	var reach func(q *pkg) bool
	reach = func(q *pkg) bool {
		if q == p {
			path = append(path, q)
			return true
		}
		if seen[q] || q.cyclic {
			return false
		}
		seen[q] = true
		for _, imp := range importsOf(q.files) {
			if d := q.deps[imp].pkg; d != nil && reach(d) {
				path = append(path, q)
				return true
			}
		}
		return false
	}
	for _, t := range p.tests {
		for _, imp := range t.imports {
			q := p.deps[imp.path].pkg
			if q == nil || !reach(q) {
				continue
			}
			path = append(path, p)
			slices.Reverse(path)
			s.fault(t, imp.at, "", cycleWords(path, "import cycle not allowed in test"))
			p.deps[imp.path] = dep{err: "import cycle not allowed in test"}
			path = nil
			clear(seen)
		}
	}
}

func cycleWords(ring []*pkg, end string) string {
	var b strings.Builder
	for i, p := range ring {
		if i == 0 {
			b.WriteString("package " + p.path)
			continue
		}
		b.WriteString("\n\timports " + p.path)
		if from := ring[i-1].importer(p.path); from != "" {
			b.WriteString(" from " + from)
		}
	}
	return b.String() + ": " + end
}

// importer is the first file of a package that imports a path.
func (p *pkg) importer(path string) string {
	for _, list := range [][]*text{p.files, p.tests} {
		for _, t := range list {
			if slices.ContainsFunc(t.imports, func(i spec) bool { return i.path == path }) {
				return filepath.Base(t.path)
			}
		}
	}
	return ""
}

// loadFaults reports what the go command would say before it compiles anything.
func (s *session) loadFaults(targets []*target) {
	for _, t := range targets {
		p := t.p
		if p.clash != "" {
			s.fault(p.clashAt, p.clashAt.nameAt, "", s.local(p.clash))
		}
		if t.plain {
			s.cgoOnly(p)
		}
		if t.xtest {
			s.testMains(p)
		}
		for part, want := range []bool{t.plain, t.test, t.xtest} {
			if !want {
				continue
			}
			for _, x := range p.part(part) {
				for _, b := range x.bad {
					s.fault(x, b.at, "", b.msg)
				}
				for _, imp := range x.imports {
					if d := p.deps[imp.path]; d.err != "" && !d.unsure && !strings.HasPrefix(d.err, "import cycle") {
						s.fault(x, imp.at, "", s.local(d.err))
					}
				}
				s.embeds(p, x)
			}
		}
	}
}

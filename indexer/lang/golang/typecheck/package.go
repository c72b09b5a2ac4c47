package typecheck

import (
	"bytes"
	"go/ast"
	"path/filepath"
	"slices"
	"strings"
)

// What the go command refuses of a package as a whole.

// cgoLanguage is the language of a file that is compiled only with cgo or SWIG, as the go
// command calls it; "" for all others.
func cgoLanguage(name string) string {
	if strings.HasPrefix(name, "_") || strings.HasPrefix(name, ".") {
		return ""
	}
	switch filepath.Ext(name) {
	case ".c":
		return "C"
	case ".cc", ".cpp", ".cxx":
		return "C++"
	case ".m":
		return "Objective-C"
	case ".f", ".F", ".for", ".f90":
		return "Fortran"
	case ".swig", ".swigcxx":
		return "SWIG"
	}
	return ""
}

// cgoOnly reports files in other languages beside Go files of which none uses cgo.
func (s *session) cgoOnly(p *pkg) {
	if len(p.other) == 0 || len(p.files) == 0 || p.foreign || p.loose || !s.c.tool.build.CgoEnabled || slices.ContainsFunc(p.files, func(t *text) bool { return t.cgo || len(t.bad) > 0 }) {
		return
	}
	byLanguage := map[string][]string{}
	for _, name := range p.other {
		if match, err := s.c.tool.build.MatchFile(p.dir, name); match && err == nil {
			byLanguage[cgoLanguage(name)] = append(byLanguage[cgoLanguage(name)], name)
		}
	}
	if byLanguage["SWIG"] != nil {
		return
	}
	for _, l := range []string{"C", "C++", "Objective-C", "Fortran"} {
		if names := byLanguage[l]; names != nil {
			s.fault(p.files[0], p.files[0].nameAt, "", "package "+p.path+": "+l+" source files not allowed when not using cgo or SWIG: "+strings.Join(names, " "))
			return
		}
	}
}

// testMains reports a TestMain of the tests beside a package when those of the package have
// one too.
func (s *session) testMains(p *pkg) {
	of := func(list []*text) (*text, *ast.FuncDecl) {
		for _, x := range list {
			if len(x.bad) > 0 || !bytes.Contains(x.src, []byte("func TestMain(")) {
				continue
			}
			s.parse([]*text{x})
			if x.file == nil || x.wrong {
				continue
			}
			for _, d := range x.file.Decls {
				if fn, ok := d.(*ast.FuncDecl); ok && fn.Recv == nil && fn.Name.Name == "TestMain" && isTestFunc(fn, "M", "testing") {
					return x, fn
				}
			}
		}
		return nil, nil
	}
	if first, _ := of(p.tests); first == nil {
		return
	}
	if x, fn := of(p.xtests); x != nil {
		at := x.tok.PositionFor(fn.Name.Pos(), false)
		s.fault(x, place{at.Line, at.Column}, "", "multiple definitions of TestMain")
	}
}

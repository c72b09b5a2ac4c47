// Package oracle asks typescript-go's language service for references, so that tests can
// compare. Nothing but tests may import it: it is large.
package oracle

import (
	"context"

	"github.com/microsoft/typescript-go/internal/ast"
	"github.com/microsoft/typescript-go/internal/astnav"
	"github.com/microsoft/typescript-go/internal/compiler"
	"github.com/microsoft/typescript-go/internal/ls"
	"github.com/microsoft/typescript-go/internal/ls/autoimport"
	"github.com/microsoft/typescript-go/internal/ls/lsconv"
	"github.com/microsoft/typescript-go/internal/ls/lsutil"
	"github.com/microsoft/typescript-go/internal/lsp/lsproto"
	"github.com/microsoft/typescript-go/internal/scanner"
	"github.com/microsoft/typescript-go/internal/sourcemap"
)

// A Ref is one place that the language service lists.
type Ref struct {
	File       string
	Start, End int // byte offsets, inside the quotes of a string
}

// Service answers for one program.
type Service struct {
	prog *compiler.Program
	ls   *ls.LanguageService
}

// New returns the service of a program.
func New(prog *compiler.Program) *Service {
	return &Service{prog, ls.NewLanguageService("/", prog, newHost(prog), "")}
}

// References lists what find-all-references gives for the name at the offset, the
// declarations included. It returns nil if the service fails.
func (s *Service) References(file string, offset int) (refs []Ref) {
	sf := s.prog.GetSourceFile(file)
	if sf == nil {
		return nil
	}
	defer func() {
		if recover() != nil {
			refs = nil
		}
	}()
	node := astnav.GetTouchingPropertyName(sf, offset)
	for _, group := range s.ls.GetReferencedSymbolsForNode(context.Background(), offset, node, s.prog.GetSourceFiles()) {
		for _, e := range group.References() {
			n := e.Node()
			if n == nil {
				continue
			}
			f := ast.GetSourceFileOfNode(n)
			start, end := scanner.GetTokenPosOfNode(n, f, false), n.End()
			if ast.IsStringLiteralLike(n) && end-start > 2 {
				start, end = start+1, end-1
			}
			refs = append(refs, Ref{f.FileName(), start, end})
		}
	}
	return refs
}

type host struct {
	prog *compiler.Program
	conv *lsconv.Converters
}

func newHost(prog *compiler.Program) *host {
	h := &host{prog: prog}
	h.conv = lsconv.NewConverters(lsproto.PositionEncodingKindUTF8, func(name string) *lsconv.LSPLineMap {
		if f := prog.GetSourceFile(name); f != nil {
			return lsconv.ComputeLSPLineStarts(f.Text())
		}
		return lsconv.ComputeLSPLineStarts("")
	})
	return h
}

func (h *host) UseCaseSensitiveFileNames() bool                                          { return true }
func (h *host) ReadFile(p string) (string, bool)                                         { return h.prog.Host().FS().ReadFile(p) }
func (h *host) Converters() *lsconv.Converters                                           { return h.conv }
func (h *host) GetPreferences(string) lsutil.UserPreferences                             { return lsutil.UserPreferences{} }
func (h *host) GetECMALineInfo(string) *sourcemap.ECMALineInfo                           { return nil }
func (h *host) AutoImportRegistry() *autoimport.Registry                                 { return nil }
func (h *host) ReadDirectory(string, string, []string, []string, []string, int) []string { return nil }
func (h *host) GetDirectories(string) []string                                           { return nil }
func (h *host) DirectoryExists(p string) bool                                            { return h.prog.Host().FS().DirectoryExists(p) }
func (h *host) FileExists(p string) bool                                                 { return h.prog.Host().FS().FileExists(p) }

// Package service asks typescript-go's language service what is at a position of a
// program: what an editor shows on hovering, and where it goes to a definition.
package service

import (
	"context"
	"strings"

	"github.com/microsoft/typescript-go/internal/ast"
	"github.com/microsoft/typescript-go/internal/astnav"
	"github.com/microsoft/typescript-go/internal/checker"
	"github.com/microsoft/typescript-go/internal/compiler"
	"github.com/microsoft/typescript-go/internal/core"
	"github.com/microsoft/typescript-go/internal/ls"
	"github.com/microsoft/typescript-go/internal/ls/autoimport"
	"github.com/microsoft/typescript-go/internal/ls/lsconv"
	"github.com/microsoft/typescript-go/internal/ls/lsutil"
	"github.com/microsoft/typescript-go/internal/lsp/lsproto"
	"github.com/microsoft/typescript-go/internal/sourcemap"
)

// A Service answers about one program, with one checker that grows with the questions.
// It is not safe for concurrent use.
type Service struct {
	prog *compiler.Program
	ls   *ls.LanguageService
	conv *lsconv.Converters
}

// New returns the service of a program made by [NewProgram].
func New(prog *compiler.Program) *Service {
	h := newHost(prog)
	return &Service{prog, ls.NewLanguageService("/", prog, h, ""), h.conv}
}

// NewProgram makes a program with one checker, made when it is first asked for. All that
// is done runs in the calling goroutine, where a failure can be recovered from, as long as
// the host binds what it parses.
func NewProgram(opts compiler.ProgramOptions) *compiler.Program {
	opts.SingleThreaded = core.TSTrue
	opts.CreateCheckerPool = NewPool
	return compiler.NewProgram(opts)
}

// NewPool returns the pool of one checker of a program.
func NewPool(prog *compiler.Program) compiler.CheckerPool { return &pool{prog: prog} }

type pool struct {
	prog *compiler.Program
	one  *checker.Checker
}

// GetChecker returns the one checker.
func (p *pool) GetChecker(context.Context, *ast.SourceFile) (*checker.Checker, func()) {
	if p.one == nil {
		p.one, _ = checker.NewChecker(p.prog, nil)
	}
	return p.one, func() {}
}

// Checker returns the checker that answers.
func (s *Service) Checker() *checker.Checker {
	c, _ := s.prog.GetTypeChecker(context.Background())
	return c
}

// Node returns the token at the offset, or the name that ends there.
func (s *Service) Node(sf *ast.SourceFile, off int) *ast.Node {
	return astnav.GetTouchingPropertyName(sf, off)
}

// A Hover is what an editor shows on hovering.
type Hover struct {
	Text       string // the declaration, perhaps of several lines
	Doc        string // the comment with its tags
	Start, End int    // of what it is about, byte offsets
}

// Hover returns what an editor shows at the offset; Text is "" for nothing.
func (s *Service) Hover(ctx context.Context, sf *ast.SourceFile, off int) (h Hover, err error) {
	ask := func(format lsproto.MarkupKind) (*lsproto.Hover, string, error) {
		caps := &lsproto.ResolvedClientCapabilities{}
		caps.TextDocument.Hover.ContentFormat = []lsproto.MarkupKind{format}
		res, err := s.ls.ProvideHover(lsproto.WithClientCapabilities(ctx, caps), &lsproto.HoverParams{
			TextDocument: lsproto.TextDocumentIdentifier{Uri: lsconv.FileNameToDocumentURI(sf.FileName())},
			Position:     s.conv.PositionToLineAndCharacter(sf, core.TextPos(off)),
		})
		if err != nil || res.Hover == nil || res.Hover.Contents.MarkupContent == nil {
			return nil, "", err
		}
		return res.Hover, res.Hover.Contents.MarkupContent.Value, nil
	}
	// The plain form runs text and comment together; the other one says where the text ends.
	hover, marked, err := ask(lsproto.MarkupKindMarkdown)
	if err != nil || hover == nil {
		return h, err
	}
	ticks := marked[:len(marked)-len(strings.TrimLeft(marked, "`"))]
	text, rest, _ := strings.Cut(strings.TrimPrefix(marked[len(ticks):], "typescript\n"), "\n"+ticks+"\n")
	h.Text = text
	if hover.Range != nil {
		r := s.conv.FromLSPRange(sf, *hover.Range)
		h.Start, h.End = r.Pos(), r.End()
	}
	if rest != "" {
		_, plain, err := ask(lsproto.MarkupKindPlainText)
		if err != nil {
			return h, err
		}
		h.Doc = strings.TrimSpace(strings.TrimPrefix(plain, text))
	}
	return h, nil
}

// A Target is the name of a declaration, or all of one without a name.
type Target struct {
	File       string
	Start, End int // byte offsets
}

// Definitions returns where going to the definition at the offset leads.
func (s *Service) Definitions(ctx context.Context, sf *ast.SourceFile, off int) ([]Target, error) {
	res, err := s.ls.ProvideDefinition(ctx, lsconv.FileNameToDocumentURI(sf.FileName()), s.conv.PositionToLineAndCharacter(sf, core.TextPos(off)))
	if err != nil {
		return nil, err
	}
	var locs []lsproto.Location
	switch {
	case res.Location != nil:
		locs = []lsproto.Location{*res.Location}
	case res.Locations != nil:
		locs = *res.Locations
	}
	list := make([]Target, 0, len(locs))
	for _, l := range locs {
		name := l.Uri.FileName()
		t := Target{File: name}
		if f := s.prog.GetSourceFile(name); f != nil {
			r := s.conv.FromLSPRange(f, l.Range)
			t.Start, t.End = r.Pos(), r.End()
		} else if text, ok := s.prog.Host().FS().ReadFile(name); ok {
			r := s.conv.FromLSPRange(file{name, text}, l.Range)
			t.Start, t.End = r.Pos(), r.End()
		}
		list = append(list, t)
	}
	return list, nil
}

// file is text that is no source file of the program.
type file struct{ name, text string }

// FileName is the path.
func (f file) FileName() string { return f.name }

// Text is the contents.
func (f file) Text() string { return f.text }

// typeFlags are those of what an editor shows.
const typeFlags = checker.TypeFormatFlagsUseAliasDefinedOutsideCurrentScope | checker.TypeFormatFlagsUseInstantiationExpressions

// TypeText writes a type as an editor shows it; of an alias, what it stands for if expand.
func (s *Service) TypeText(t *checker.Type, at *ast.Node, expand bool) string {
	flags := typeFlags
	if expand {
		flags |= checker.TypeFormatFlagsInTypeAlias
	}
	return s.Checker().TypeToStringEx(t, at, flags, nil)
}

// SignatureText writes the type of a function that has one signature.
func (s *Service) SignatureText(sig *checker.Signature, at *ast.Node) string {
	return s.Checker().SignatureToStringEx(sig, at, typeFlags|checker.TypeFormatFlagsWriteArrowStyleSignature, nil)
}

// Callee returns the call that the name is the function of, nil if it is none.
func Callee(n *ast.Node) *ast.Node {
	if p := n.Parent; p != nil && ast.IsPropertyAccessExpression(p) && p.Name() == n {
		n = p
	}
	if p := n.Parent; p != nil && (ast.IsCallExpression(p) || ast.IsNewExpression(p)) && p.Expression() == n {
		return p
	}
	return nil
}

// ModuleOptions says when a file counts as a module, before its package is known.
func ModuleOptions(file string, o *core.CompilerOptions) ast.ExternalModuleIndicatorOptions {
	return ast.GetExternalModuleIndicatorOptions(file, o, ast.SourceFileMetaData{})
}

type host struct {
	prog *compiler.Program
	conv *lsconv.Converters
}

func newHost(prog *compiler.Program) *host {
	h := &host{prog: prog}
	lines := map[string]*lsconv.LSPLineMap{}
	h.conv = lsconv.NewConverters(lsproto.PositionEncodingKindUTF8, func(name string) *lsconv.LSPLineMap {
		m := lines[name]
		if m == nil {
			m = lsconv.ComputeLSPLineStarts(h.text(name))
			lines[name] = m
		}
		return m
	})
	return h
}

func (h *host) text(name string) string {
	if f := h.prog.GetSourceFile(name); f != nil {
		return f.Text()
	}
	text, _ := h.prog.Host().FS().ReadFile(name)
	return text
}

// ReadFile gives the text as the program sees it.
func (h *host) ReadFile(name string) (string, bool) {
	if f := h.prog.GetSourceFile(name); f != nil {
		return f.Text(), true
	}
	return h.prog.Host().FS().ReadFile(name)
}

// GetECMALineInfo serves the source maps of declaration files.
func (h *host) GetECMALineInfo(name string) *sourcemap.ECMALineInfo {
	text, ok := h.ReadFile(name)
	if !ok {
		return nil
	}
	return sourcemap.CreateECMALineInfo(text, core.ComputeECMALineStarts(text))
}

func (h *host) UseCaseSensitiveFileNames() bool                                          { return true }
func (h *host) Converters() *lsconv.Converters                                           { return h.conv }
func (h *host) GetPreferences(string) lsutil.UserPreferences                             { return lsutil.UserPreferences{} }
func (h *host) AutoImportRegistry() *autoimport.Registry                                 { return nil }
func (h *host) ReadDirectory(string, string, []string, []string, []string, int) []string { return nil }
func (h *host) GetDirectories(string) []string                                           { return nil }
func (h *host) DirectoryExists(p string) bool                                            { return h.prog.Host().FS().DirectoryExists(p) }
func (h *host) FileExists(p string) bool                                                 { return h.prog.Host().FS().FileExists(p) }

package pluto

import (
	"path/filepath"
	"strings"

	"github.com/settgraph/sett/compiler/source"
	"github.com/settgraph/sett/compiler/syntax"
	"github.com/settgraph/sett/compiler/xref"
	"github.com/settgraph/sett/graph"
)

// declaration is the place of a name that means a declaration.
func (s *spot) declaration(d *xref.Decl, at source.Span) *graph.Place {
	p := &graph.Place{
		Span: span(s.file.Src, at), Name: s.file.Src.Text[at.Start:at.End], Kind: declKind(d),
		Type: s.declType(d), Sig: signature(d) + inferred(d, s.index.Facts()), Doc: comment(d.File.Src.Text[d.WithDoc.Start:d.Full.Start]),
		Defs: s.definitions(d),
	}
	return p
}

func declKind(d *xref.Decl) string {
	if d.Kind == xref.Param {
		return "parameter"
	}
	return kinds[d.Kind].String()
}

// declType is the type of a declared name; that of a function is as function values have it.
func (s *spot) declType(d *xref.Decl) string {
	switch n := d.Node.(type) {
	case *syntax.Param:
		if text := s.types().of(n.Name); text != "" {
			return text
		}
		return s.paramText(n)
	case *syntax.FuncDecl:
		if text := s.types().of(n.Name); text != "" {
			return text
		}
		return s.signatureText(n.Params, n.Result)
	case *syntax.ExternDecl:
		if text := s.types().of(n.Name); text != "" {
			return text
		}
		return s.signatureText(n.Params, n.Result)
	case *syntax.TestDecl:
		return ""
	case *syntax.Variant:
		return s.types().of(n.Name)
	case syntax.Decl:
		if text := s.types().of(n.DeclName()); text != "" {
			return text
		}
		return d.Name
	}
	return ""
}

// paramText is the type of a parameter or field as it is written.
func (s *spot) paramText(p *syntax.Param) string {
	if p.Type == nil {
		return ""
	}
	return syntax.TypeString(p.Type)
}

func (s *spot) signatureText(params []*syntax.Param, result syntax.TypeExpr) string {
	texts := make([]string, len(params))
	for i, p := range params {
		texts[i] = s.paramText(p)
	}
	return "fn(" + strings.Join(texts, ", ") + ") " + syntax.TypeString(result)
}

// definitions is where a declaration is.
func (s *spot) definitions(d *xref.Decl) []graph.Definition {
	name, at := d.Qual, d.NameAt
	if i := strings.LastIndexByte(name, '#'); i > 0 && d.Kind != xref.Test {
		name = name[:i]
	}
	if d.Kind == xref.Test {
		name, at = d.Name, source.Span{Start: at.Start + 1, End: max(at.End-1, at.Start+1)} // without quotes
	}
	if d.Kind == xref.Param {
		name = d.Name
	} else if _, mod := s.index.File(d.File.Src.Name); mod != nil && mod.Name != "" && d.Kind != xref.Test {
		name = mod.Name + "." + name
	}
	return []graph.Definition{s.definition(d.File.Src, at, name, declKind(d))}
}

// definition is a place in a file of the program.
func (s *spot) definition(src *source.File, at source.Span, name, kind string) graph.Definition {
	out := graph.Definition{File: src.Name, Span: span(src, at), Name: name, Kind: kind}
	if s.inside(src) {
		return out
	}
	out.Outside = true
	if src.Path != "" {
		out.File = filepath.ToSlash(src.Path)
	}
	if _, mod := s.index.File(src.Name); mod != nil {
		out.Module = mod.Path
	}
	return out
}

// local is the definition of what only its file knows.
func (s *spot) local(at source.Span, name, kind string) graph.Definition {
	return s.definition(s.file.Src, at, name, kind)
}

// docAbove is the comment above what declares a local.
func (s *spot) docAbove(n syntax.Node) string {
	if _, ok := n.(*syntax.LetStmt); !ok {
		return ""
	}
	return comment(s.file.Src.Text[xref.WithDoc(s.file, n.Span()).Start:n.Span().Start])
}

// comment is the text of comment lines, the ids that tools keep there left out.
func comment(text string) string {
	var lines []string
	for line := range strings.Lines(text) {
		line, ok := strings.CutPrefix(strings.TrimSpace(line), "//")
		if !ok || strings.HasPrefix(strings.TrimSpace(line), "@uuid:") {
			continue
		}
		line = strings.TrimLeft(line, "/")
		lines = append(lines, strings.TrimRight(strings.TrimPrefix(line, " "), " \t"))
	}
	return strings.Trim(strings.Join(lines, "\n"), "\n")
}

// typedSignature is what declares a local, with the type that the checker found where none is
// written.
func typedSignature(src *source.File, l *syntax.Local, text string) string {
	sig := localSignature(src, l)
	switch n := l.In.(type) {
	case *syntax.LetStmt:
		if n.Type == nil && text != "" {
			sig += ": " + text
		}
	case *syntax.Binding:
		sig = l.Name
		if text != "" {
			sig += ": " + text
		}
	case *syntax.ForStmt, *syntax.Param, *syntax.TypeParam, *syntax.Import, *syntax.LetChanStmt:
	default:
		if text != "" {
			sig += ": " + text
		}
	}
	return sig
}

// oneLine is a text without its line breaks and indentation.
func oneLine(text string) string { return strings.Join(strings.Fields(text), " ") }

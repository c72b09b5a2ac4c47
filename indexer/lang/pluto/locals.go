package pluto

import (
	"context"
	"strings"
	"unicode/utf8"

	"github.com/settgraph/sett/compiler/diag"
	"github.com/settgraph/sett/compiler/source"
	"github.com/settgraph/sett/compiler/syntax"
	"github.com/settgraph/sett/graph"
	"github.com/settgraph/sett/indexer/lang"
)

// findLocal finds the local at a position: the text of the file alone says what it is.
func findLocal(ctx context.Context, in *lang.Input, file string, at graph.Pos) (*lang.Local, error) {
	data, err := in.ReadFile(file)
	if err != nil {
		return nil, err
	}
	text, err := textOf(data)
	if err != nil {
		return nil, nil // a damaged file has no names
	}
	src := source.NewFile(file, "", text)
	f := syntax.Parse(src, &diag.List{})
	off := src.Offset(int(at.Line), int(at.Col))
	for _, l := range syntax.Locals(f) {
		found := l.Decl.Span().Contains(off)
		for _, u := range l.Uses {
			found = found || u.At.Span().Contains(off)
		}
		if found {
			return local(src, l), ctx.Err()
		}
	}
	return nil, ctx.Err()
}

func local(src *source.File, l *syntax.Local) *lang.Local {
	out := &lang.Local{Name: l.Name, Kind: l.Kind.String(), Sig: localSignature(src, l), Decl: span(src, l.Decl.Span())}
	for _, u := range l.Uses {
		kind := graph.EdgeReads
		switch {
		case l.Kind == syntax.LocalTypeParam:
			kind = graph.EdgeTypeRef
		case l.Kind == syntax.LocalImport:
			kind = graph.EdgeRefs
		case u.Write:
			kind = graph.EdgeWrites
		case u.Call:
			kind = graph.EdgeCalls
		}
		at := u.At.Span()
		out.Sites = append(out.Sites, lang.LocalSite{
			Pos: pos(src, at.Start), Len: uint16(min(utf8.RuneCountInString(src.Text[at.Start:at.End]), 1<<16-1)), Kind: kind,
		})
	}
	return out
}

// localSignature is what declares a local, as it is written, without the value or the body.
func localSignature(src *source.File, l *syntax.Local) string {
	at := l.In.Span()
	switch n := l.In.(type) {
	case *syntax.LetStmt:
		at.End = l.Decl.Span().End
		if n.Type != nil {
			at.End = n.Type.Span().End
		}
	case *syntax.ForStmt:
		if n.Iter != nil {
			at.End = n.Iter.Span().End
		}
	case *syntax.Param, *syntax.TypeParam, *syntax.Import, *syntax.Binding, *syntax.LetChanStmt:
	default:
		at = l.Decl.Span()
	}
	return strings.Join(strings.Fields(src.Text[at.Start:at.End]), " ")
}

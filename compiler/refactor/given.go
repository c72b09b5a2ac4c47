package refactor

import (
	"strings"

	"github.com/settgraph/sett/compiler/diag"
	"github.com/settgraph/sett/compiler/source"
	"github.com/settgraph/sett/compiler/syntax"
	"github.com/settgraph/sett/compiler/xref"
)

// given is source text that came with the request.
type given struct {
	file  *syntax.File
	decls []*xref.Decl // top-level ones, or the members that the source consists of
	body  source.Span  // of the declarations with their comments, without imports
}

// parseGiven reads declarations. Errors are at their place in the source.
func parseGiven(src string) (*given, error) {
	src = strings.TrimPrefix(src, byteOrderMark)
	g := &given{}
	var diags diag.List
	g.file = syntax.Parse(source.NewFile("", "", src), &diags)
	if diags.Errors() > 0 {
		return nil, found(ParseError, "", diags.Sorted()[0])
	}
	g.decls = xref.Decls(g.file)
	g.body = source.Span{End: int32(len(src))}
	if n := len(g.file.Imports); n > 0 {
		g.body.Start = lineStop(src, g.file.Imports[n-1].Span().End)
	}
	return g, nil
}

// declarations reads at least one declaration.
func declarations(src string) (*given, error) {
	g, err := parseGiven(src)
	if err != nil {
		return nil, err
	}
	if len(g.file.Decls) == 0 {
		return nil, refuse(Invalid, "source contains no declarations")
	}
	return g, nil
}

// holder is the declaration that source of a member is parsed in.
type holder struct{ before, after string }

var (
	inClass   = holder{"class X {\n", "\n}\n"}
	inTrait   = holder{"trait X {\n", "\n}\n"}
	inApp     = holder{"app X {\n", "\n}\n"}
	inEnum    = holder{"enum X {\n", "\n}\n"}
	inPayload = holder{"error X {\n", "\n}\n"}
	inDeps    = holder{"class X[\n", "\n] {\n}\n"}
	inParams  = holder{"fn x(\n", "\n) {\n}\n"}
)

// parseMembers reads members as they stand in a declaration. Nothing but members is let
// through: what would end the declaration and begin another is refused.
func parseMembers(src string, h holder) (*given, error) {
	src = strings.TrimPrefix(src, byteOrderMark)
	text := h.before + src + h.after
	var diags diag.List
	f := syntax.Parse(source.NewFile("", "", text), &diags)
	start, end := int32(len(h.before)), int32(len(h.before)+len(src))
	if diags.Errors() > 0 {
		e := found(ParseError, "", diags.Sorted()[0])
		if e.At != nil {
			e.At.Line = max(1, e.At.Line-1)
			own := source.NewFile("", "", src)
			if e.At.Line > own.Lines() { // found at the end of what it was put into
				e.at(own, int32(len(src)))
			}
		}
		return nil, e
	}
	g := &given{file: f, body: source.Span{Start: start, End: end}}
	decls := xref.Decls(f)
	if len(f.Decls) != 1 || len(decls) != 1 || f.Decls[0].Span().End < end {
		return nil, refuse(Invalid, "the source is more than members of one declaration")
	}
	g.decls = decls[0].Members
	for _, m := range g.decls {
		if m.Full.Start < start || m.Full.End > end {
			return nil, refuse(Invalid, "the source is more than members of one declaration")
		}
	}
	if class, ok := f.Decls[0].(*syntax.ClassDecl); ok && len(class.Invariants) > 0 {
		return nil, refuse(Invalid, "the source contains an invariant").at(source.NewFile("", "", src), class.Invariants[0].Span().Start-start)
	}
	if app, ok := f.Decls[0].(*syntax.AppDecl); ok && len(app.Ambient)+len(app.Overrides) > 0 {
		return nil, refuse(Invalid, "the source is more than methods")
	}
	return g, nil
}

// parseType makes sure that a text is one type.
func parseType(src string) (string, error) {
	src = strings.TrimSpace(src)
	g, err := parseMembers("x: "+src, inParams)
	if e, ok := err.(*Error); ok {
		if e.At != nil && e.At.Line == 1 {
			e.At.Col = max(1, e.At.Col-len("x: "))
		}
		return "", e
	}
	if src == "" || len(g.decls) != 1 || len(commentsIn(g.file)) > 0 {
		return "", refuse(ParseError, "'%s' is not one type", src)
	}
	at := g.decls[0].Node.(*syntax.Param).Type.Span()
	if text := g.file.Src.Text[at.Start:at.End]; text != src {
		return "", refuse(ParseError, "'%s' is not one type", src)
	}
	return src, nil
}

func commentsIn(f *syntax.File) []source.Span {
	var out []source.Span
	for _, t := range f.Tokens {
		if t.Kind == syntax.COMMENT {
			out = append(out, t.At)
		}
	}
	return out
}

// builtins are the functions that the language declares.
var builtins = map[string]bool{
	"print": true, "expect": true, "time_ns": true, "gc_heap_size": true, "bytes_new": true,
	"abs": true, "min": true, "max": true, "pow": true, "sqrt": true, "floor": true, "ceil": true,
	"round": true, "sin": true, "cos": true, "tan": true, "log": true,
}

// predeclared are the types that the language declares; a name of theirs may not be given
// to another type.
var predeclared = map[string]bool{
	"FieldInfo": true, "ClassInfo": true, "VariantInfo": true, "EnumInfo": true, "TypeKind": true, "TypeInfo": true,
	"int": true, "float": true, "bool": true, "string": true, "byte": true, "bytes": true, "void": true,
	"Map": true, "Set": true, "Task": true, "Sender": true, "Receiver": true,
}

// checkName refuses what cannot be the name of a declaration of the kind.
func checkName(kind xref.Kind, name string) error {
	if kind == xref.Test {
		if name == "" {
			return refuse(Invalid, "a test needs a name")
		}
		return nil
	}
	var diags diag.List
	f := syntax.Parse(source.NewFile("", "", name), &diags)
	switch {
	case len(f.Tokens) != 2 || f.Tokens[0].At.End != int32(len(name)):
		return refuse(Invalid, "'%s' is not a valid identifier", name).hint("a name is letters, digits and underscores, and does not begin with a digit")
	case f.Tokens[0].Kind.IsKeyword():
		return refuse(Invalid, "'%s' is a reserved word", name)
	case f.Tokens[0].Kind != syntax.IDENT:
		return refuse(Invalid, "'%s' is not a valid identifier", name).hint("a name is letters, digits and underscores, and does not begin with a digit")
	}
	switch kind {
	case xref.Function, xref.Class, xref.Enum, xref.Trait, xref.Error, xref.Extern, xref.App:
		if builtins[name] {
			return refuse(Invalid, "'%s' is the name of a built-in function", name)
		}
		if predeclared[name] && kind != xref.Function && kind != xref.Extern && kind != xref.App {
			return refuse(Invalid, "'%s' is the name of a built-in type", name)
		}
	}
	return nil
}

package xref

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/settgraph/sett/compiler/check"
	"github.com/settgraph/sett/compiler/source"
	"github.com/settgraph/sett/compiler/syntax"
)

// TestEveryName holds the law of sites for all programs of the corpora: a name that is no
// declaration, no local and nothing of the language has a site, one place has sites of one
// name only, and the text there is that name.
func TestEveryName(t *testing.T) {
	names, accepted := 0, 0
	for _, prog := range programs(t) {
		p := prog.check()
		before := shape(p)
		sites := Sites(p)
		if after := shape(p); before != after {
			t.Errorf("%s: looking at the program changed it:\n%s\n%s", prog.name, before, after)
		}
		names += len(sites)
		problems := textProblems(p, sites)
		if p.Diags.Errors() == 0 {
			accepted++
			problems = append(problems, missing(p, sites)...)
		}
		if len(problems) > 0 {
			t.Errorf("%s:\n\t%s", prog.name, strings.Join(problems, "\n\t"))
		}
	}
	if names < 14_000 || accepted < 1000 {
		t.Errorf("only %d names in %d accepted programs", names, accepted)
	}
	t.Logf("%d sites, %d accepted programs", names, accepted)
}

// shape is what would be lowered of a program.
func shape(p *check.Program) string {
	var b strings.Builder
	for _, f := range p.Funcs {
		b.WriteString(f.Name + " ")
	}
	for _, c := range p.Classes {
		fmt.Fprintf(&b, "%s:%d:%s ", c.Name, len(c.Methods), c.Lifecycle)
	}
	for _, t := range p.Traits {
		fmt.Fprintf(&b, "%s:%d ", t.Name, len(t.Impls))
	}
	fmt.Fprintf(&b, "%d enums, %d diagnostics, %d tests", len(p.Enums), len(p.Diags.Sorted()), len(p.Tests))
	return b.String()
}

// textProblems looks at what is written at each site.
func textProblems(p *check.Program, sites []Site) (problems []string) {
	decls, order := map[Key]*Decl{}, texts(p)
	for _, m := range p.Project.Modules {
		for _, f := range m.Files {
			for d := range All(Decls(f)) {
				decls[d.Key] = d
			}
		}
	}
	for i, s := range sites {
		say := func(format string, args ...any) {
			problems = append(problems, s.File+":"+show(p, s)+": "+fmt.Sprintf(format, args...))
		}
		src := order[s.File]
		if s.At.Start < 0 || s.At.End > int32(len(src.Text)) || s.At.Start >= s.At.End {
			say("outside of the text")
			continue
		}
		text := src.Text[s.At.Start:s.At.End]
		if s.Full.Start > s.At.Start || s.Full.End < s.At.End {
			say("the whole, %v, is not around %v", s.Full, s.At)
		}
		if d := decls[s.Owner]; d != nil && (d.Full.Start > s.At.Start || d.Full.End < s.At.End) {
			say("the owner is elsewhere")
		} else if d == nil && s.Owner.Kind != Module {
			say("the owner is nowhere")
		}
		if i > 0 && sites[i-1].File == s.File && sites[i-1].At.Start > s.At.Start {
			say("out of order")
		}
		if s.Target.Kind == Module {
			if !s.Alias && s.Use == ModuleRef && !strings.Contains("/"+s.Target.File, "/"+text) {
				say("no module of that name")
			}
			continue
		}
		d := decls[s.Target]
		if d == nil {
			say("no such declaration")
			continue
		}
		want := d.Name
		if s.Ambient {
			want = strings.ToLower(want[:1]) + want[1:]
		}
		if text != want && !strings.HasPrefix(text, `\`) {
			say("the text is %q", text)
		}
	}
	return problems
}

// missing lists the names without a site that should have one, and those with too many.
func missing(p *check.Program, sites []Site) (problems []string) {
	type place struct {
		file string
		at   source.Span
	}
	count := map[place]map[Key]bool{}
	for _, s := range sites {
		at := place{s.File, s.At}
		if count[at] == nil {
			count[at] = map[Key]bool{}
		}
		if count[at][s.Target] {
			problems = append(problems, "twice: "+show(p, s))
		}
		count[at][s.Target] = true
	}
	ix := newIndex(p)
	for _, m := range p.Modules {
		if m.Src == nil || m.Src.Std {
			continue
		}
		for _, f := range m.Src.Files {
			e := &exempt{ix: ix, ok: map[source.Span]bool{}}
			for d := range All(ix.files[f]) {
				e.ok[d.NameAt] = true
			}
			e.walk(f)
			for _, id := range e.names {
				at := place{f.Src.Name, id}
				if unchecked[f.Src.Text[id.Start:id.End]] {
					continue
				}
				if n := len(count[at]); (n == 0) != e.ok[id] {
					line, col := f.Src.Position(id.Start)
					problems = append(problems, fmt.Sprintf("%s:%d:%d %s has %d sites", f.Src.Name, line, col, f.Src.Text[id.Start:id.End], n))
				}
			}
		}
	}
	return problems
}

// unchecked are the names of nothing that are in what an accepted program may say, because
// nobody checks it.
var unchecked = map[string]bool{
	"nothing": true, "there": true, "nope": true, "undefined": true, "no_such": true, "thing": true, "undefined_thing": true,
	"nothing_of_this_is_checked": true,
}

// exempt finds all names of a file, and those that need no site.
type exempt struct {
	ix    *index
	ok    map[source.Span]bool
	names []source.Span
	infos []*check.Info
}

func (e *exempt) name(id *syntax.Ident) {
	if id != nil {
		e.ok[id.Span()] = true
	}
}

// target is what the checker says that an expression means, the first time it was checked.
func (e *exempt) target(x syntax.Expr) check.Object {
	for _, info := range e.infos {
		if info.Has(x) && info.Target(x) != nil {
			return info.Target(x)
		}
	}
	return nil
}

func (e *exempt) walk(f *syntax.File) {
	var visit func(n syntax.Node)
	visit = func(n syntax.Node) {
		if b, ok := e.ix.bodies[n]; ok {
			e.infos = b.infos
		}
		switch n := n.(type) {
		case *syntax.Ident:
			if n.At.Start < n.At.End {
				e.names = append(e.names, n.At)
			}
		case *syntax.IdentExpr:
			e.names = append(e.names, n.At)
			if v, ok := e.target(n).(*check.Var); ok && e.ix.of(v) == nil {
				e.ok[n.At] = true
			}
			if en, ok := e.target(n).(*check.Enum); ok && en.Module.Src == nil {
				e.ok[n.At] = true
			}
		case *syntax.Import:
			for _, id := range n.Path[:len(n.Path)-1] {
				e.name(id)
			}
			e.name(n.Alias)
		case *syntax.TypeParam:
			e.name(n.Name)
		case *syntax.TestsDecl:
			e.name(n.Scheduler)
		case *syntax.LetStmt:
			e.name(n.Name)
		case *syntax.LetChanStmt:
			e.name(n.Tx)
			e.name(n.Rx)
		case *syntax.ForStmt:
			e.name(n.Name)
		case *syntax.SelectArm:
			e.name(n.Name)
		case *syntax.ScopeStmt:
			for _, b := range n.Bindings {
				e.name(b.Name)
			}
		case *syntax.ClosureExpr:
			for _, p := range n.Params {
				e.name(p.Name)
			}
		case *syntax.Handler:
			e.name(n.Name)
			if n.Type != nil && predeclared(n.Type.Name) && n.Module == nil && e.ix.errors[e.inFile(f, n.Type.Name)] == nil {
				e.name(n.Type)
			}
		case *syntax.RaiseStmt:
			if predeclared(n.Name.Name) && n.Module == nil && e.ix.errors[e.inFile(f, n.Name.Name)] == nil {
				e.name(n.Name)
				for _, i := range n.Fields {
					e.name(i.Name)
				}
			}
		case *syntax.Binding:
			if n.Name != n.Field {
				e.name(n.Name)
			}
		case *syntax.CallExpr:
			switch o := e.target(n).(type) {
			case check.Builtin:
				e.name(n.Name)
			case *check.Var:
				if e.ix.of(o) == nil {
					e.name(n.Name)
				}
			case nil:
				if n.Name.Name == "expect" {
					e.name(n.Name)
				}
			}
		case *syntax.MethodExpr:
			if _, ok := e.target(n).(check.BuiltinMethod); ok {
				e.name(n.Name)
			}
			if c, ok := n.X.(*syntax.CallExpr); ok && c.Name.Name == "expect" {
				e.name(n.Name)
			}
		case *syntax.FieldExpr:
			switch o := e.target(n).(type) {
			case check.BuiltinMethod:
				e.name(n.Name)
			case *check.Field:
				if o.Class.Module.Src == nil {
					e.name(n.Name)
				}
			case *check.ErrorField:
				if x, ok := n.X.(*syntax.IdentExpr); ok && o.Decl == nil {
					if v, ok := e.target(x).(*check.Var); ok && e.ix.errors[e.inFile(f, v.Type.Err.Name)] == nil {
						e.name(n.Name)
					}
				}
			case *check.Variant:
				if o.Enum.Module.Src == nil {
					e.name(n.Name)
				}
			}
		case *syntax.StaticExpr: // of the language
			e.name(n.Trait)
			e.name(n.Name)
		case *syntax.MatchArm:
			if n.Enum.Name == "TypeKind" {
				e.name(n.Enum)
				e.name(n.Variant)
				for _, b := range n.Bindings {
					e.name(b.Field)
				}
			}
		case *syntax.LitExpr:
			if reflection(n.Path[0].Name) {
				for _, id := range n.Path {
					e.name(id)
				}
				for _, i := range n.Fields {
					e.name(i.Name)
				}
			}
		case *syntax.NamedType:
			name := n.Name.Name
			if n.Module == nil && (slices.Contains(typeNames, name) || reflection(name) || e.typeParam(f, n)) {
				e.name(n.Name)
			}
		}
		syntax.Children(n, visit)
	}
	visit(f)
}

var typeNames = []string{"int", "string", "bool", "float", "byte", "bytes", "void", "Map", "Set", "Task", "Sender", "Receiver"}

func reflection(name string) bool {
	return slices.Contains([]string{"FieldInfo", "ClassInfo", "VariantInfo", "EnumInfo", "TypeKind", "TypeInfo"}, name)
}

func predeclared(name string) bool {
	return slices.Contains([]string{"MathError", "RustError", "ChannelClosed", "ChannelFull", "ChannelEmpty", "TaskCancelled", "NetworkError",
		"TimeoutError", "ServiceUnavailable"}, name)
}

// inFile is a name in the module of a file.
func (e *exempt) inFile(f *syntax.File, name string) binding {
	for _, m := range e.ix.program.Modules {
		if m.Src != nil && slices.Contains(m.Src.Files, f) {
			return binding{m.Src, name}
		}
	}
	return binding{}
}

// typeParam says whether a type is a type parameter of what is around it.
func (e *exempt) typeParam(f *syntax.File, n *syntax.NamedType) bool {
	found := false
	for _, around := range syntax.At(f, n.At.Start) {
		var params []*syntax.TypeParam
		switch d := around.(type) {
		case *syntax.FuncDecl:
			params = d.TypeParams
		case *syntax.ClassDecl:
			params = d.TypeParams
		case *syntax.EnumDecl:
			params = d.TypeParams
		}
		for _, p := range params {
			found = found || p.Name.Name == n.Name.Name
		}
	}
	return found
}

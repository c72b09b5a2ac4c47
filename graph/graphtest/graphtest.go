// Package graphtest makes graphs out of a few readable lines, for tests.
package graphtest

import (
	"bufio"
	"encoding/hex"
	"fmt"
	"path"
	"strconv"
	"strings"
	"testing"

	"github.com/settgraph/sett/graph"
)

// Snapshot builds the graph that the lines describe, checks its invariants when the test
// ends, and returns it. See [Parse] for the notation.
func Snapshot(t testing.TB, text string) *graph.Snapshot {
	t.Helper()
	facts, err := Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	pages, err := graph.Build(nil, nil, facts)
	if err != nil {
		t.Fatal(err)
	}
	s, err := graph.Open(pages)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		for _, p := range s.Check() {
			t.Error(p)
		}
	})
	return s
}

// Parse reads facts from lines. A line without indentation opens a file; its folder is the
// unit and the module, and Go when the name ends in .go, TypeScript otherwise (where every
// file is a unit and a module of its own). Below it, indented:
//
//	tsdb/head.go test                             a file; words: test generated broken
//	  struct Head 10-20 exported : type Head struct // Doc line.
//	  method Head.Append 30-40 exported           kind, name, lines, flags, signature, doc
//	  app Shop 50-60 id=0123…                     an identity of its own: 32 hexadecimal digits
//	  NewHead calls Head.Append 12:3              from, edge kind, to, place
//	  NewHead calls lib#Do 13:3 dynamic           in another module: lib
//	  NewHead calls !fmt#Println 14:3             outside the project; function unless `fmt#struct:Buffer`
//	  . imports lib 3:8                           `.` is the file itself; a bare module is its package or file
//	  missing Foo 15:3 package not found
//	  implements Head { Append/1 Close/2 }        method set with signatures by number
//	  interface Appender { Append/1 }             the same of an interface; its methods must be declared
//
// A method's parent is its type, any other declaration's the longest declared prefix of its
// name, else the package (Go) or the file. Use lines may stand before what they name.
func Parse(text string) ([]*graph.Facts, error) {
	p := &parser{facts: map[string]*unit{}, kinds: map[string]graph.Kind{}}
	// First all declarations, then what needs to know their kinds.
	for pass := range 2 {
		p.pass = pass
		sc := bufio.NewScanner(strings.NewReader(text))
		for n := 1; sc.Scan(); n++ {
			line := sc.Text()
			if strings.TrimSpace(line) == "" || strings.HasPrefix(strings.TrimSpace(line), "#") {
				continue
			}
			var err error
			if line[0] != ' ' && line[0] != '\t' {
				err = p.file(strings.Fields(line))
			} else {
				err = p.line(strings.TrimSpace(line))
			}
			if err != nil {
				return nil, fmt.Errorf("line %d: %w", n, err)
			}
		}
	}
	out := make([]*graph.Facts, len(p.order))
	for i, u := range p.order {
		out[i] = &u.Facts
	}
	return out, nil
}

type parser struct {
	facts map[string]*unit
	order []*unit
	kinds map[string]graph.Kind // module#qual
	pass  int
	unit  *unit
	at    int // index of the file
}

type unit struct {
	graph.Facts
	module  string
	symbols map[graph.Symbol]int
	files   map[string]int
}

func (u *unit) sym(y graph.Symbol) int {
	i, ok := u.symbols[y]
	if !ok {
		i = len(u.Symbols)
		u.symbols[y] = i
		u.Symbols = append(u.Symbols, y)
	}
	return i
}

func (p *parser) file(words []string) error {
	name := words[0]
	lang, module := "ts", name
	if strings.HasSuffix(name, ".go") {
		lang, module = "go", path.Dir(name)
	}
	u := p.facts[lang+":"+module]
	if u == nil {
		u = &unit{module: module, symbols: map[graph.Symbol]int{}, files: map[string]int{}}
		u.Unit, u.Lang = lang+":"+module, lang
		p.facts[u.Unit] = u
		p.order = append(p.order, u)
	}
	p.unit = u
	if p.pass == 1 {
		p.at = u.files[name]
		return nil
	}
	f := graph.FactFile{Path: name, Lines: 1000, Size: 100000, Hash: uint64(len(u.Files) + 1)}
	for _, w := range words[1:] {
		switch w {
		case "test":
			f.Test = true
		case "generated":
			f.Generated = true
		case "broken":
			f.Broken = true
		default:
			return fmt.Errorf("unknown word %q", w)
		}
	}
	p.at = len(u.Files)
	u.files[name] = p.at
	u.Files = append(u.Files, f)
	whole := graph.Span{Pos: graph.Pos{Line: 1, Col: 1}, EndLine: 1000, End: 100000}
	u.Decls = append(u.Decls, graph.FactDecl{Sym: u.sym(graph.Symbol{Lang: lang, Kind: graph.KindFile, Module: name}),
		Parent: -1, File: p.at, Name: whole.Pos, Full: whole, Flags: p.flags()})
	if lang == "go" && p.at == 0 {
		u.Decls = append(u.Decls, graph.FactDecl{Sym: u.sym(graph.Symbol{Lang: lang, Kind: graph.KindPackage, Module: module}),
			Parent: -1, File: p.at, Name: graph.Pos{Line: 1, Col: 9}, Full: graph.Span{Pos: whole.Pos, EndLine: 1, End: 9}, Flags: p.flags()})
	}
	return nil
}

func (p *parser) flags() graph.Flags {
	var f graph.Flags
	if x := p.unit.Files[p.at]; x.Test {
		f |= graph.FlagTest
	} else if x.Generated {
		f |= graph.FlagGenerated
	}
	return f
}

func (p *parser) line(line string) error {
	words := strings.Fields(line)
	if words[0] == "missing" {
		return p.missing(words)
	}
	if len(words) > 2 && words[2] == "{" {
		return p.methods(words)
	}
	if k, ok := graph.ParseKind(words[0]); ok {
		return p.decl(k, line)
	}
	if len(words) > 1 {
		if k, ok := graph.ParseEdgeKind(words[1]); ok {
			return p.edge(k, words)
		}
	}
	return fmt.Errorf("not a declaration, use, method set or missing name: %q", line)
}

func (p *parser) decl(k graph.Kind, line string) error {
	if p.pass == 1 {
		return nil
	}
	head, sig, _ := strings.Cut(line, " : ")
	sig, doc, _ := strings.Cut(sig, " // ")
	words := strings.Fields(head)
	if len(words) < 3 {
		return fmt.Errorf("want kind, name and lines: %q", line)
	}
	d := graph.FactDecl{File: p.at, Sig: strings.TrimSpace(sig), Doc: strings.TrimSpace(doc), Flags: p.flags()}
	from, to, ok := strings.Cut(words[2], "-")
	if !ok {
		to = from
	}
	a, err1 := strconv.Atoi(from)
	b, err2 := strconv.Atoi(to)
	if err1 != nil || err2 != nil {
		return fmt.Errorf("bad lines %q", words[2])
	}
	d.Name = graph.Pos{Line: uint32(a), Col: 6}
	d.Full = graph.Span{Pos: graph.Pos{Line: uint32(a), Col: 1}, EndLine: uint32(b), Off: uint32(a) * 100, End: uint32(b)*100 + 99}
	for _, w := range words[3:] {
		if id, ok := strings.CutPrefix(w, "id="); ok {
			if n, err := hex.Decode(d.UUID[:], []byte(id)); err != nil || n != len(d.UUID) {
				return fmt.Errorf("want 32 hexadecimal digits: %q", w)
			}
			continue
		}
		found := false
		for bit := graph.Flags(1); bit != 0 && bit <= graph.FlagEmbedded; bit <<= 1 {
			if strings.TrimSpace(bit.String()) == w {
				d.Flags |= bit
				found = true
			}
		}
		if !found {
			return fmt.Errorf("unknown flag %q", w)
		}
	}
	u := p.unit
	d.Sym = u.sym(graph.Symbol{Lang: u.Lang, Kind: k, Module: u.module, Qual: words[1]})
	p.kinds[u.module+"#"+words[1]] = k
	d.Parent = u.sym(p.container(words[1]))
	u.Decls = append(u.Decls, d)
	return nil
}

func (p *parser) container(qual string) graph.Symbol {
	u := p.unit
	for i := strings.LastIndexByte(qual, '.'); i > 0; i = strings.LastIndexByte(qual[:i], '.') {
		if k, ok := p.kinds[u.module+"#"+qual[:i]]; ok {
			return graph.Symbol{Lang: u.Lang, Kind: k, Module: u.module, Qual: qual[:i]}
		}
	}
	return p.moduleSymbol(u.module)
}

func (p *parser) moduleSymbol(module string) graph.Symbol {
	if strings.Contains(path.Base(module), ".") {
		return graph.Symbol{Lang: p.unit.Lang, Kind: graph.KindFile, Module: module}
	}
	return graph.Symbol{Lang: p.unit.Lang, Kind: graph.KindPackage, Module: module}
}

// symbol reads `Qual`, `module#Qual`, `module`, `.` or an external `!module#[kind:]Qual`.
func (p *parser) symbol(s string) (graph.Symbol, error) {
	u := p.unit
	if s == "." {
		return graph.Symbol{Lang: u.Lang, Kind: graph.KindFile, Module: u.Files[p.at].Path}, nil
	}
	if ext, ok := strings.CutPrefix(s, "!"); ok {
		module, qual, _ := strings.Cut(ext, "#")
		kind := graph.KindFunction
		if k, rest, ok := strings.Cut(qual, ":"); ok {
			qual = rest
			if kind, ok = graph.ParseKind(k); !ok {
				return graph.Symbol{}, fmt.Errorf("unknown kind %q", k)
			}
		} else if qual == "" {
			kind = graph.KindPackage
		}
		return graph.Symbol{Lang: u.Lang, Kind: kind, Module: module, Qual: qual, External: true}, nil
	}
	module, qual, ok := strings.Cut(s, "#")
	if !ok {
		module, qual = u.module, s
		if _, ok := p.kinds[module+"#"+qual]; !ok && (p.facts["go:"+s] != nil || p.facts["ts:"+s] != nil) {
			return p.moduleSymbol(s), nil
		}
	}
	k, ok := p.kinds[module+"#"+qual]
	if !ok {
		k = graph.KindFunction
	}
	return graph.Symbol{Lang: u.Lang, Kind: k, Module: module, Qual: qual}, nil
}

func (p *parser) edge(k graph.EdgeKind, words []string) error {
	if p.pass == 0 {
		return nil
	}
	if len(words) < 4 {
		return fmt.Errorf("want from, kind, to and place")
	}
	from, err := p.symbol(words[0])
	if err != nil {
		return err
	}
	to, err := p.symbol(words[2])
	if err != nil {
		return err
	}
	pos, err := place(words[3])
	if err != nil {
		return err
	}
	u := p.unit
	e := graph.FactEdge{Kind: k, From: u.sym(from), To: u.sym(to), File: p.at, Pos: pos}
	if u.Files[p.at].Test {
		e.Flags |= graph.EdgeTest
	}
	for _, w := range words[4:] {
		switch w {
		case "dynamic":
			e.Flags |= graph.EdgeDynamic
		case "type-only":
			e.Flags |= graph.EdgeTypeOnly
		default:
			return fmt.Errorf("unknown word %q", w)
		}
	}
	u.Edges = append(u.Edges, e)
	return nil
}

func place(s string) (graph.Pos, error) {
	l, c, ok := strings.Cut(s, ":")
	if !ok {
		c = "1"
	}
	line, err1 := strconv.Atoi(l)
	col, err2 := strconv.Atoi(c)
	if err1 != nil || err2 != nil {
		return graph.Pos{}, fmt.Errorf("bad place %q", s)
	}
	return graph.Pos{Line: uint32(line), Col: uint32(col)}, nil
}

func (p *parser) missing(words []string) error {
	if p.pass == 0 {
		return nil
	}
	if len(words) < 3 {
		return fmt.Errorf("want a name and a place")
	}
	pos, err := place(words[2])
	if err != nil {
		return err
	}
	p.unit.Missing = append(p.unit.Missing, graph.FactMiss{File: p.at, Pos: pos, Name: words[1], Reason: strings.Join(words[3:], " ")})
	return nil
}

// methods reads `implements Type { Name/finger … }` or `interface Type { … }`.
func (p *parser) methods(words []string) error {
	if p.pass == 0 {
		return nil
	}
	u := p.unit
	owner, err := p.symbol(words[1])
	if err != nil {
		return err
	}
	set := graph.MethodSet{Sym: u.sym(owner), Interface: words[0] == "interface"}
	for _, w := range words[3:] {
		if w == "}" {
			break
		}
		name, sig, ok := strings.Cut(w, "/")
		finger, err := strconv.ParseUint(sig, 10, 64)
		if !ok || err != nil {
			return fmt.Errorf("want name/number: %q", w)
		}
		m := owner
		m.Kind, m.Qual = graph.KindMethod, owner.Qual+"."+name
		set.Methods = append(set.Methods, graph.MethodSig{ID: name, Finger: finger, Sym: u.sym(m)})
	}
	u.Types = append(u.Types, set)
	return nil
}

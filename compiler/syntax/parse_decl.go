package syntax

import (
	"github.com/settgraph/sett/compiler/diag"
	"github.com/settgraph/sett/compiler/source"
)

const topLevel = "expected 'fn', 'class', 'trait', 'enum', 'error', 'app', 'stage', 'system', 'test', 'tests', 'extern fn', or 'extern rust', found %s"

// groups remembers which of the declarations that exclude each other were seen.
type groups struct {
	app, test, tests bool
	names            map[string]bool // of tests
}

func (p *parser) file(f *File) {
	var g groups
	for p.tok.kind == IMPORT {
		first := p.pos
		p.unit = p.tok.at.Start
		f.Imports = append(f.Imports, p.importDecl())
		if p.failed {
			p.syncMember(first)
			p.unwind = false
		}
	}
	for p.tok.kind != EOF {
		first := p.pos
		p.unit = p.tok.at.Start
		f.Decls = append(f.Decls, p.decl(&g))
		p.unwind = false
		if p.failed {
			p.syncDecl(first)
		}
	}
}

// syncDecl skips to the next declaration.
func (p *parser) syncDecl(first int) {
	p.resume()
	var open brackets
	for _, t := range p.toks[first:p.pos] {
		open.see(t.kind)
	}
	for p.tok.kind != EOF {
		if p.pos > first && p.tok.nl && (p.declStarts() || len(open) == 0 && startsDecl(p.tok.kind)) {
			return
		}
		open.see(p.tok.kind)
		p.advance()
	}
}

func startsDecl(k Kind) bool {
	switch k {
	case FN, CLASS, TRAIT, ENUM, ERROR, EXTERN, APP, TEST, TESTS, PUB, SCOPED, TRANSIENT, STAGE, SYSTEM:
		return true
	}
	return false
}

func (p *parser) importDecl() *Import {
	start := p.start()
	p.advance()
	d := &Import{Path: []*Ident{p.ident()}}
	for p.tok.kind == DOT && !p.tok.nl {
		p.advance()
		d.Path = append(d.Path, p.ident())
	}
	if p.tok.kind == AS && !p.tok.nl {
		p.advance()
		d.Alias = p.ident()
	}
	d.base = p.to(start)
	p.endStmt()
	return d
}

func (p *parser) decl(g *groups) Decl {
	start := p.start()
	pubAt := p.tok.at
	pub := p.got(PUB)
	life, lifeAt := Singleton, p.tok.at
	switch p.tok.kind {
	case SCOPED:
		life = Scoped
		p.advance()
	case TRANSIENT:
		life = Transient
		p.advance()
	}
	if life != Singleton && p.tok.kind != CLASS {
		if startsDecl(p.tok.kind) {
			p.failAt(lifeAt, diag.LifecycleModifier, "lifecycle modifiers (scoped, transient) can only be used on classes")
		} else {
			p.fail(diag.IncompleteModifier, "expected 'class' after lifecycle modifier, found %s", p.found())
		}
		return &BadDecl{p.to(start)}
	}
	notPub := func(what string) {
		if pub {
			p.reportAt(pubAt, diag.NotPub, "%s cannot be pub", what)
		}
	}
	conflict := func(is bool, code diag.Code, msg string) {
		if is {
			p.reportAt(p.tok.at, code, "%s", msg)
		}
	}
	switch p.tok.kind {
	case FN:
		return p.funcDecl(start, pub)
	case CLASS:
		return p.classDecl(start, pub, life)
	case TRAIT:
		return p.traitDecl(start, pub)
	case ENUM:
		return p.enumDecl(start, pub)
	case ERROR:
		return p.errorDecl(start, pub)
	case EXTERN:
		return p.externDecl(start, pub)
	case APP:
		notPub("app declarations")
		conflict(g.app, diag.AppConflict, "duplicate app declaration")
		conflict(g.tests, diag.AppConflict, "a file cannot contain both 'tests' and 'app' declarations")
		g.app = true
		return p.appDecl(start)
	case TEST:
		notPub("tests")
		conflict(g.tests, diag.MixedTests, "cannot mix bare 'test' blocks with 'tests' declarations")
		g.test = true
		return p.testDecl(g)
	case TESTS:
		notPub("tests declarations")
		conflict(g.app, diag.AppConflict, "a file cannot contain both 'tests' and 'app' declarations")
		conflict(g.test, diag.MixedTests, "cannot mix bare 'test' blocks with 'tests' declarations")
		g.tests = true
		return p.testsDecl(g)
	case EOF:
		if pub {
			p.fail(diag.IncompleteModifier, "expected declaration after 'pub'")
			return &BadDecl{p.to(start)}
		}
	}
	p.fail(diag.ExpectedDeclaration, topLevel, p.found())
	return &BadDecl{p.to(start)}
}

// funcDecl reads a function outside of a class.
func (p *parser) funcDecl(start int32, pub bool) *FuncDecl {
	p.ids = 0
	d := &FuncDecl{Pub: pub}
	p.advance()
	d.Name = p.ident()
	if p.tok.kind == LT {
		d.TypeParams = p.typeParams()
	}
	d.Params = p.params(LPAREN, RPAREN)
	p.signature(d, false)
	p.funcBody(start, d)
	return d
}

// signature reads what follows the parameters: the result and the contract clauses.
// That of a trait's method must be on the line of the parenthesis.
func (p *parser) signature(d *FuncDecl, trait bool) {
	switch k := p.tok.kind; {
	case k == LBRACE, k == REQUIRES, k == EOF, p.atEnsures():
	case trait && (p.tok.nl || k == RBRACE):
	default:
		d.Result = p.typ()
	}
	for {
		switch {
		case p.tok.kind == REQUIRES:
			d.Requires = append(d.Requires, p.clause())
		case p.atEnsures():
			d.Ensures = append(d.Ensures, p.clause())
		default:
			return
		}
	}
}

// atEnsures says whether a line begins with the word ensures and goes on with a condition.
func (p *parser) atEnsures() bool {
	if p.tok.kind != IDENT || !p.tok.nl || p.lit(p.pos) != "ensures" {
		return false
	}
	next := p.toks[p.pos+1]
	return !next.nl && next.kind != LBRACE && next.kind != EOF
}

func (p *parser) clause() *Clause {
	start := p.start()
	p.advance()
	c := &Clause{Cond: p.freeExpr()}
	c.base = p.to(start)
	p.endStmt()
	return c
}

// funcBody reads the body of a function. When the header is wrong but the line has a
// brace, what follows it is read as the body all the same; and when only the brace is
// missing, what is on the next lines.
func (p *parser) funcBody(start int32, d *FuncDecl) {
	if p.failed {
		p.toBrace()
	}
	d.Body = p.block()
	if p.failed && d.Body.At.End == d.Body.At.Start && p.bodyStarts(p.toks[p.failPos]) {
		p.resume()
		d.Body = p.blockRest(p.tok.at.Start)
	}
	d.NumExprs = int(p.ids)
	d.base = p.to(start)
}

// bodyStarts says whether a token can be the first of a body whose brace is missing.
func (p *parser) bodyStarts(t tok) bool {
	return t.nl && (t.kind == IDENT || t.kind == SELF || t.kind == IF || t.kind == MATCH || startsStmt(t.kind))
}

// toBrace recovers at a brace that is later on the line of the error.
func (p *parser) toBrace() {
	for i := p.failPos; i < len(p.toks) && (i == p.failPos || !p.toks[i].nl); i++ {
		if p.toks[i].kind == LBRACE {
			p.failPos = i
			p.resume()
			return
		}
	}
}

func (p *parser) typeParams() []*TypeParam {
	var params []*TypeParam
	p.expect(LT)
	for p.more(GT, len(params)) {
		start := p.start()
		t := &TypeParam{Name: p.ident()}
		if p.got(COLON) {
			t.Bounds = append(t.Bounds, p.ident())
			for p.got(PLUS) {
				t.Bounds = append(t.Bounds, p.ident())
			}
		}
		t.base = p.to(start)
		params = append(params, t)
	}
	p.expect(GT)
	return params
}

// params reads a list of parameters or dependencies between brackets.
func (p *parser) params(open, end Kind) []*Param {
	var params []*Param
	p.expect(open)
	for p.more(end, len(params)) {
		params = append(params, p.param())
	}
	p.expect(end)
	return params
}

func (p *parser) param() *Param {
	start := p.start()
	d := &Param{Name: p.ident()}
	p.expect(COLON)
	d.Type = p.typ()
	d.base = p.to(start)
	return d
}

// payload reads the fields of a variant or an error: commas are optional.
func (p *parser) payload() []*Param {
	var fields []*Param
	p.expect(LBRACE)
	for p.tok.kind != RBRACE && p.tok.kind != EOF {
		fields = append(fields, p.param())
		p.got(COMMA)
	}
	p.expect(RBRACE)
	return fields
}

// method reads a method of a class, an app or a trait, after `fn`.
func (p *parser) method(trait bool) *FuncDecl {
	p.ids = 0
	start := p.start()
	d := &FuncDecl{}
	p.expect(FN)
	d.Name = p.ident()
	p.expect(LPAREN)
	p.receiver(d)
	n := len(d.Params)
	if d.Self != NoSelf {
		n++
	}
	for p.more(RPAREN, n) {
		d.Params = append(d.Params, p.param())
		n++
	}
	p.expect(RPAREN)
	p.signature(d, trait)
	switch {
	case !trait || p.tok.kind == LBRACE:
		p.funcBody(start, d)
	default:
		d.NumExprs = int(p.ids)
		d.base = p.to(start)
		if len(d.Requires)+len(d.Ensures) == 0 {
			p.endStmt()
		}
	}
	return d
}

func (p *parser) receiver(d *FuncDecl) {
	start := p.start()
	switch p.tok.kind {
	case SELF:
		p.advance()
		d.Self = Self
	case MUT:
		p.advance()
		if p.tok.kind != SELF {
			p.fail(diag.SelfAfterMut, "expected 'self' after 'mut', found %s", p.found())
			return
		}
		p.advance()
		d.Self = MutSelf
	default:
		return
	}
	d.SelfAt = p.to(start).At
}

// identList reads names with commas between them.
func (p *parser) identList() []*Ident {
	ids := []*Ident{p.ident()}
	for p.got(COMMA) {
		ids = append(ids, p.ident())
	}
	return ids
}

// members reads what is between braces, one member at a time. Once something was wrong, a
// declaration at the left margin says that the closing brace was forgotten.
func (p *parser) members(member func()) { p.membersOf(false, member) }

// methods reads the members of a declaration that may have methods.
func (p *parser) methods(member func()) {
	p.inClass = true
	p.membersOf(true, member)
	p.inClass = false
}

func (p *parser) membersOf(class bool, member func()) {
	if !p.expect(LBRACE) {
		return
	}
	errors := p.errors
	for p.tok.kind != RBRACE && p.tok.kind != EOF && !p.unwind {
		first := p.pos
		p.unit = p.tok.at.Start
		member()
		if p.failed {
			p.syncMember(first)
		}
		if class && p.methodStarts() {
			p.unwind = false
		}
		p.unwind = p.unwind || p.errors > errors && p.declStarts()
	}
	if !p.unwind {
		p.expect(RBRACE)
	}
}

// methodStarts says whether a method of the declaration that is read begins here.
func (p *parser) methodStarts() bool {
	return p.inClass && p.tok.kind == FN && p.peek(1) == IDENT && !p.declStarts()
}

func (p *parser) classDecl(start int32, pub bool, life Lifecycle) *ClassDecl {
	d := &ClassDecl{Pub: pub, Lifecycle: life}
	p.advance()
	d.Name = p.ident()
	if p.tok.kind == LT {
		d.TypeParams = p.typeParams()
	}
	if p.got(USES) {
		d.Uses = p.identList()
	}
	if p.tok.kind == LBRACKET {
		d.Deps = p.params(LBRACKET, RBRACKET)
	}
	if p.got(IMPL) {
		d.Impls = p.identList()
	}
	p.methods(func() {
		switch p.tok.kind {
		case FN:
			m := p.method(false)
			d.Methods = append(d.Methods, m)
			d.Members = append(d.Members, m)
		case INVARIANT:
			p.ids = 0
			c := p.clause()
			c.NumExprs = int(p.ids)
			d.Invariants = append(d.Invariants, c)
			d.Members = append(d.Members, c)
		default:
			f := p.param()
			d.Fields = append(d.Fields, f)
			d.Members = append(d.Members, f)
			if p.tok.kind == COMMA && !p.tok.nl {
				p.advance()
			} else {
				p.endStmt()
			}
		}
	})
	d.base = p.to(start)
	return d
}

func (p *parser) traitDecl(start int32, pub bool) *TraitDecl {
	p.advance()
	d := &TraitDecl{Pub: pub, Name: p.ident()}
	p.methods(func() { d.Methods = append(d.Methods, p.method(true)) })
	d.base = p.to(start)
	return d
}

func (p *parser) enumDecl(start int32, pub bool) *EnumDecl {
	p.advance()
	d := &EnumDecl{Pub: pub, Name: p.ident()}
	if p.tok.kind == LT {
		d.TypeParams = p.typeParams()
	}
	p.members(func() {
		start := p.start()
		v := &Variant{Name: p.ident()}
		if p.tok.kind == LBRACE {
			v.Braces = true
			v.Fields = p.payload()
		}
		v.base = p.to(start)
		d.Variants = append(d.Variants, v)
	})
	d.base = p.to(start)
	return d
}

func (p *parser) errorDecl(start int32, pub bool) *ErrorDecl {
	p.advance()
	d := &ErrorDecl{Pub: pub, Name: p.ident()}
	d.Fields = p.payload()
	d.base = p.to(start)
	return d
}

func (p *parser) externDecl(start int32, pub bool) Decl {
	p.advance()
	if p.tok.kind != FN {
		p.fail(diag.ExternWithoutFn, "expected 'fn' after 'extern', found %s", p.found())
		return &BadDecl{p.to(start)}
	}
	p.advance()
	d := &ExternDecl{Pub: pub, Name: p.ident()}
	d.Params = p.params(LPAREN, RPAREN)
	if !p.tok.nl && p.tok.kind != RBRACE && p.tok.kind != EOF {
		d.Result = p.typ()
	}
	d.base = p.to(start)
	p.endStmt()
	return d
}

func (p *parser) appDecl(start int32) *AppDecl {
	p.advance()
	d := &AppDecl{Name: p.ident()}
	if p.tok.kind == LBRACKET {
		d.Deps = p.params(LBRACKET, RBRACKET)
	}
	p.methods(func() {
		start := p.start()
		switch p.tok.kind {
		case AMBIENT:
			p.advance()
			m := &AmbientLine{Type: p.ident()}
			m.base = p.to(start)
			d.Ambient = append(d.Ambient, m.Type)
			d.Members = append(d.Members, m)
			p.endStmt()
		case SCOPED, TRANSIENT:
			m := &Override{Lifecycle: Scoped}
			if p.tok.kind == TRANSIENT {
				m.Lifecycle = Transient
			}
			p.advance()
			m.Class = p.ident()
			m.base = p.to(start)
			d.Overrides = append(d.Overrides, m)
			d.Members = append(d.Members, m)
			p.endStmt()
		default:
			m := p.method(false)
			d.Methods = append(d.Methods, m)
			d.Members = append(d.Members, m)
		}
	})
	d.base = p.to(start)
	return d
}

func (p *parser) testDecl(g *groups) *TestDecl {
	p.ids = 0
	start := p.start()
	p.advance()
	d := &TestDecl{}
	if p.tok.kind == STRING || p.tok.kind == RSTRING {
		d.NameAt = p.tok.at
		d.Name = p.stringText()
		if g.names[d.Name] {
			p.reportAt(d.NameAt, diag.DuplicateTest, "duplicate test name '%s'", d.Name)
		}
		if g.names == nil {
			g.names = map[string]bool{}
		}
		g.names[d.Name] = true
	} else {
		d.NameAt = source.Span{Start: p.prevEnd, End: p.prevEnd}
		p.fail(diag.TestName, "expected test name (string literal) after 'test'")
		p.toBrace()
	}
	d.Body = p.block()
	d.NumExprs = int(p.ids)
	d.base = p.to(start)
	return d
}

func (p *parser) testsDecl(g *groups) *TestsDecl {
	start := p.start()
	p.advance()
	d := &TestsDecl{}
	p.expect(LBRACKET)
	if !p.failed && (p.tok.kind != IDENT || p.lit(p.pos) != "scheduler") {
		found := p.found()
		if p.tok.kind == IDENT {
			found = p.lit(p.pos)
		}
		p.fail(diag.Scheduler, "expected 'scheduler' in tests bracket, found '%s'", found)
	} else if !p.failed {
		p.advance()
	}
	p.expect(COLON)
	d.Scheduler = p.ident()
	switch d.Scheduler.Name {
	case "Sequential", "RoundRobin", "Random", "Exhaustive", "":
	default:
		p.reportAt(d.Scheduler.At, diag.Scheduler, "unknown scheduler strategy '%s' (expected Sequential, RoundRobin, Random, or Exhaustive)", d.Scheduler.Name)
	}
	p.expect(RBRACKET)
	if p.failed {
		p.toBrace()
	}
	p.members(func() {
		if p.tok.kind != TEST {
			p.fail(diag.TestsOnly, "only 'test' blocks are allowed inside a 'tests' declaration")
			return
		}
		d.Tests = append(d.Tests, p.testDecl(g))
	})
	d.base = p.to(start)
	return d
}

package syntax

import (
	"slices"

	"github.com/settgraph/sett/compiler/diag"
)

// expr reads an expression: a range, or operands with operators.
func (p *parser) expr() Expr {
	defer p.leave()
	start := p.start()
	if !p.enter() {
		return p.badExpr()
	}
	x := p.binary(1)
	if k := p.tok.kind; k == DOTDOT || k == DOTDOTEQ {
		p.advance()
		hi := p.binary(1)
		return &RangeExpr{p.ebase(start), x, hi, k == DOTDOTEQ}
	}
	return x
}

// headExpr reads an expression before a block, in which a brace opens the block.
func (p *parser) headExpr() Expr { return p.exprWith(true) }

// freeExpr reads an expression between brackets.
func (p *parser) freeExpr() Expr { return p.exprWith(false) }

func (p *parser) exprWith(head bool) Expr {
	saved := p.head
	p.head = head
	x := p.expr()
	p.head = saved
	return x
}

func (p *parser) badExpr() Expr { return &BadExpr{p.ebase(p.prevEnd)} }

// precedences of binary operators; 0 is none.
var precedences = [QUESTION + 1]uint8{
	OROR: 1, ANDAND: 2, OR: 3, XOR: 4, AND: 5, EQ: 6, NE: 6, LT: 7, GT: 7, LE: 7, GE: 7,
	SHL: 8, SHR: 8, PLUS: 9, MINUS: 9, STAR: 10, SLASH: 10, PERCENT: 10,
}

func (p *parser) binary(least uint8) Expr {
	start := p.start()
	x := p.cast()
	for n := 0; ; n++ {
		op, at := p.tok.kind, p.tok.at
		prec := precedences[op]
		if op == GT {
			if next := p.toks[p.pos+1]; next.kind == GT && next.at.Start == at.End {
				op, prec, at.End = SHR, precedences[SHR], next.at.End
			}
		}
		if prec == 0 || prec < least {
			return x
		}
		p.chain(n)
		if p.failed {
			return x
		}
		if p.advance(); op == SHR {
			p.advance()
		}
		y := p.binary(prec + 1)
		b := p.bins.get()
		*b = BinaryExpr{p.ebase(start), op, at, x, y}
		x = b
	}
}

func (p *parser) cast() Expr {
	start := p.start()
	x := p.unary()
	for n := 0; p.tok.kind == AS && !p.tok.nl; n++ {
		if p.chain(n); p.failed {
			break
		}
		p.advance()
		t := p.castType()
		x = &CastExpr{p.ebase(start), x, t}
	}
	return x
}

func (p *parser) unary() Expr {
	switch op := p.tok.kind; op {
	case MINUS, NOT, TILDE:
		defer p.leave()
		start := p.start()
		if !p.enter() {
			return p.badExpr()
		}
		p.advance()
		x := p.unary()
		return &UnaryExpr{p.ebase(start), op, x}
	}
	start := p.start()
	return p.postfix(start, p.primary())
}

// postfix reads what may follow an operand.
func (p *parser) postfix(start int32, x Expr) Expr {
	for n := 0; ; n++ {
		if p.chain(n); p.failed {
			return x
		}
		switch p.tok.kind {
		case DOT:
			x = p.selector(start, x)
		case LBRACKET:
			p.advance()
			i := p.freeExpr()
			p.expect(RBRACKET)
			x = &IndexExpr{p.ebase(start), x, i}
		case QUESTION:
			if p.tok.nl {
				return x
			}
			p.advance()
			x = &UnwrapExpr{p.ebase(start), x}
		case NOT:
			if p.tok.nl {
				return x
			}
			p.advance()
			x = &PropagateExpr{p.ebase(start), x}
		case CATCH:
			if p.tok.nl {
				return x
			}
			x = p.catch(start, x)
		default:
			return x
		}
	}
}

// selector reads `.name`, `.name(args)`, or the rest of the path of a literal.
func (p *parser) selector(start int32, x Expr) Expr {
	p.advance()
	name := p.ident()
	if p.failed {
		f := p.fields.get()
		*f = FieldExpr{p.ebase(start), x, name}
		return f
	}
	if p.tok.kind == LPAREN {
		args := p.args()
		m := p.meths.get()
		*m = MethodExpr{p.ebase(start), x, name, args}
		return m
	}
	if head, ok := x.(*IdentExpr); ok && p.tok.kind == LT {
		if g := p.generic(start, identOf(head), name); g != nil {
			return g
		}
	}
	if p.tok.kind == LBRACE && !p.tok.nl && p.literalAhead() {
		if path, g := pathOf(x); path != nil {
			lit := &LitExpr{Path: append(path, name)}
			if g != nil {
				lit.TypeArgs, lit.ArgsAt = g.Args, len(path)-1
			}
			lit.Fields = p.fieldInits()
			lit.ebase = p.ebase(start)
			return lit
		}
	}
	f := p.fields.get()
	*f = FieldExpr{p.ebase(start), x, name}
	return f
}

// generic reads the type arguments of `[module.]name<...>` when they belong to a literal of
// a class or to a path of an enum; nil when `<` compares.
func (p *parser) generic(start int32, module, name *Ident) Expr {
	after := p.scanArgs(p.pos, 0)
	if after < 0 {
		return nil
	}
	switch {
	case p.kindAt(after) == DOT && p.kindAt(after+1) == IDENT:
		args := p.typeArgs()
		return &GenericExpr{p.ebase(start), module, name, args}
	case p.kindAt(after) == LBRACE && p.literalAt(after):
		lit := &LitExpr{Path: []*Ident{name}}
		if module != nil {
			lit.Path, lit.ArgsAt = []*Ident{module, name}, 1
		}
		lit.TypeArgs = p.typeArgs()
		lit.Fields = p.fieldInits()
		lit.ebase = p.ebase(start)
		return lit
	}
	return nil
}

func identOf(x *IdentExpr) *Ident { return &Ident{x.base, x.Name} }

// pathOf is the names of x when it can begin the path of a literal, and its type arguments.
func pathOf(x Expr) ([]*Ident, *GenericExpr) {
	switch x := x.(type) {
	case *IdentExpr:
		return []*Ident{identOf(x)}, nil
	case *FieldExpr:
		if head, ok := x.X.(*IdentExpr); ok {
			return []*Ident{identOf(head), x.Name}, nil
		}
	case *GenericExpr:
		if x.Module != nil {
			return []*Ident{x.Module, x.Name}, x
		}
		return []*Ident{x.Name}, x
	}
	return nil, nil
}

// literalAhead says whether the current brace opens a literal.
func (p *parser) literalAhead() bool { return p.literalAt(p.pos) }

func (p *parser) literalAt(i int) bool {
	if p.head {
		return false
	}
	k := p.kindAt(i + 1)
	return k == RBRACE || k == IDENT && p.kindAt(i+2) == COLON
}

// args reads `(expressions)`.
func (p *parser) args() []Expr {
	p.expect(LPAREN)
	return p.list(RPAREN)
}

// list reads expressions with commas between them up to the end.
func (p *parser) list(end Kind) []Expr {
	mark := len(p.exprs)
	for p.more(end, len(p.exprs)-mark) {
		p.exprs = append(p.exprs, p.freeExpr())
	}
	args := slices.Clone(p.exprs[mark:])
	p.exprs = p.exprs[:mark]
	p.expect(end)
	return args
}

// fieldInits reads `{ name: value ... }`, commas optional.
func (p *parser) fieldInits() []*FieldInit {
	var fields []*FieldInit
	p.expect(LBRACE)
	for p.tok.kind != RBRACE && p.tok.kind != EOF {
		start := p.start()
		f := &FieldInit{Name: p.ident()}
		p.expect(COLON)
		f.Value = p.freeExpr()
		f.base = p.to(start)
		fields = append(fields, f)
		p.got(COMMA)
	}
	p.expect(RBRACE)
	return fields
}

// catch reads the handlers after x.
func (p *parser) catch(start int32, x Expr) Expr {
	c := &CatchExpr{X: x}
	for {
		at := p.start()
		p.advance()
		next := p.peek(1)
		if p.tok.kind != IDENT || next != LBRACE && next != COLON {
			c.Default = p.expr()
			break
		}
		h := &Handler{Name: p.ident()}
		if p.got(COLON) {
			h.Type = p.ident()
			if p.got(DOT) {
				h.Module, h.Type = h.Type, p.ident()
			}
		}
		h.Body = p.block()
		h.base = p.to(at)
		c.Handlers = append(c.Handlers, h)
		if p.chain(len(c.Handlers)); p.tok.kind != CATCH || p.unwind {
			break
		}
	}
	c.ebase = p.ebase(start)
	return c
}

func (p *parser) primary() Expr {
	start := p.start()
	switch p.tok.kind {
	case IDENT:
		return p.name(start)
	case INT:
		v, _, _ := intValue(p.lit(p.pos))
		p.advance()
		x := p.ints.get()
		*x = IntLit{p.ebase(start), v}
		return x
	case FLOAT:
		v := floatValue(p.lit(p.pos))
		p.advance()
		return &FloatLit{p.ebase(start), v}
	case TRUE, FALSE:
		v := p.tok.kind == TRUE
		p.advance()
		return &BoolLit{p.ebase(start), v}
	case NONE:
		p.advance()
		return &NoneLit{p.ebase(start)}
	case SELF:
		p.advance()
		return &SelfExpr{p.ebase(start)}
	case STRING, FSTRING, RSTRING:
		return p.stringLit()
	case LBRACKET:
		p.advance()
		elems := p.list(RBRACKET)
		return &ArrayLit{p.ebase(start), elems}
	case LPAREN:
		if p.closureAhead() {
			return p.closure(start)
		}
		p.advance()
		x := p.freeExpr()
		p.expect(RPAREN)
		return &ParenExpr{p.ebase(start), x}
	case SPAWN:
		return p.spawn(start)
	case IF:
		return p.ifExpr()
	case MATCH:
		return p.matchExpr(start)
	case EOF:
		p.fail(diag.UnexpectedEnd, "unexpected end of file in expression")
	default:
		p.fail(diag.UnexpectedInExpr, "unexpected token %s in expression", p.found())
	}
	return p.badExpr()
}

// name reads an expression that begins with a name.
func (p *parser) name(start int32) Expr {
	at, text := p.tok.at, p.lit(p.pos)
	switch next := p.toks[p.pos+1]; next.kind {
	case LT:
		if text == "Map" && !p.head {
			return p.mapLit(start)
		}
		if text == "Set" && !p.head {
			return p.setLit(start)
		}
		name := p.ident()
		after := p.scanArgs(p.pos, 0)
		if after >= 0 && p.kindAt(after) == LPAREN {
			types := p.typeArgs()
			return p.call(start, name, types)
		}
		if x := p.generic(start, nil, name); x != nil {
			return x
		}
	case LPAREN:
		return p.call(start, p.ident(), nil)
	case LBRACE:
		if !next.nl && p.literalAt(p.pos+1) {
			lit := &LitExpr{Path: []*Ident{p.ident()}}
			lit.Fields = p.fieldInits()
			lit.ebase = p.ebase(start)
			return lit
		}
		p.advance()
	case COLONCOLON:
		return p.static(start)
	default:
		p.advance()
	}
	x := p.names.get()
	*x = IdentExpr{ebase{base{at}, p.ids}, text}
	p.ids++
	return x
}

func (p *parser) call(start int32, name *Ident, types []TypeExpr) Expr {
	args := p.args()
	x := p.calls.get()
	*x = CallExpr{p.ebase(start), name, types, args}
	return x
}

func (p *parser) static(start int32) Expr {
	x := &StaticExpr{Trait: p.ident()}
	p.expect(COLONCOLON)
	x.Name = p.ident()
	x.TypeArgs = p.typeArgs()
	x.Args = p.args()
	x.ebase = p.ebase(start)
	return x
}

func (p *parser) mapLit(start int32) Expr {
	p.advance()
	p.advance()
	x := &MapLit{Key: p.typ()}
	p.expect(COMMA)
	x.Value = p.typ()
	p.closeAngle()
	p.expect(LBRACE)
	for p.tok.kind != RBRACE && p.tok.kind != EOF {
		x.Keys = append(x.Keys, p.freeExpr())
		p.expect(COLON)
		x.Vals = append(x.Vals, p.freeExpr())
		p.got(COMMA)
	}
	p.expect(RBRACE)
	x.ebase = p.ebase(start)
	return x
}

func (p *parser) setLit(start int32) Expr {
	p.advance()
	p.advance()
	x := &SetLit{Elem: p.typ()}
	p.closeAngle()
	p.expect(LBRACE)
	for p.tok.kind != RBRACE && p.tok.kind != EOF {
		x.Elems = append(x.Elems, p.freeExpr())
		p.got(COMMA)
	}
	p.expect(RBRACE)
	x.ebase = p.ebase(start)
	return x
}

// closureAhead says whether the parenthesis opens the parameters of a closure.
func (p *parser) closureAhead() bool {
	switch p.peek(1) {
	case IDENT:
		return p.peek(2) == COLON
	case RPAREN:
		i := p.pos + 2
		if startsType(p.kindAt(i)) {
			i = p.scanType(i, 0)
		}
		return i >= 0 && p.kindAt(i) == FATARROW
	}
	return false
}

func (p *parser) closure(start int32) Expr {
	x := &ClosureExpr{Params: p.params(LPAREN, RPAREN)}
	if p.tok.kind != FATARROW {
		x.Result = p.typ()
	}
	p.expect(FATARROW)
	if p.tok.kind == LBRACE {
		x.Body = p.block()
	} else {
		x.Value = p.expr()
	}
	x.ebase = p.ebase(start)
	return x
}

// spawn reads `spawn f(args)` or `spawn a.b.m(args)`.
func (p *parser) spawn(start int32) Expr {
	p.advance()
	at := p.start()
	var x Expr
	if p.tok.kind == SELF {
		p.advance()
		x = &SelfExpr{p.ebase(at)}
	} else {
		name := p.ident()
		if p.tok.kind == LPAREN {
			call := p.call(at, name, nil)
			return &SpawnExpr{p.ebase(start), call}
		}
		x = &IdentExpr{p.ebase(at), name.Name}
	}
	for n := 0; p.tok.kind == DOT; n++ {
		p.chain(n)
		p.got(DOT)
		name := p.ident()
		if p.tok.kind == LPAREN {
			args := p.args()
			call := &MethodExpr{p.ebase(at), x, name, args}
			return &SpawnExpr{p.ebase(start), call}
		}
		x = &FieldExpr{p.ebase(at), x, name}
	}
	p.fail(diag.SpawnForm, "expected '(' or '.' after identifier in spawn expression, found %s", p.found())
	call := &MethodExpr{p.ebase(at), x, &Ident{p.to(p.prevEnd), ""}, nil}
	return &SpawnExpr{p.ebase(start), call}
}

func (p *parser) ifExpr() *IfExpr {
	first := &IfExpr{}
	chain := []*IfExpr{}
	for x := first; ; {
		x.At.Start = p.start()
		chain = append(chain, x)
		p.expect(IF)
		x.Cond = p.headExpr()
		x.Then = p.block()
		p.chain(len(chain))
		if p.unwind || !p.expect(ELSE) || p.tok.kind != IF {
			x.Else = p.block()
			break
		}
		next := &IfExpr{}
		x.ElseIf = next
		x = next
	}
	for _, x := range chain {
		x.ebase = p.ebase(x.At.Start)
	}
	return first
}

func (p *parser) matchExpr(start int32) Expr {
	p.advance()
	x := &MatchExpr{X: p.headExpr()}
	p.expect(LBRACE)
	if p.tok.kind == RBRACE {
		p.fail(diag.MatchArms, "match expression must have at least one arm")
	}
	for p.tok.kind != RBRACE && p.tok.kind != EOF {
		at := p.start()
		arm := p.armPath()
		if p.tok.kind == LBRACE {
			p.bindings(arm)
		}
		p.expect(FATARROW)
		arm.Value = p.headExpr()
		arm.base = p.to(at)
		x.Arms = append(x.Arms, arm)
		if !p.got(COMMA) && p.tok.kind != RBRACE && p.tok.kind != EOF {
			p.fail(diag.MatchArms, "expected ',' between match arms, found %s", p.found())
		}
	}
	p.expect(RBRACE)
	x.ebase = p.ebase(start)
	return x
}

package syntax

// typ reads a type.
func (p *parser) typ() TypeExpr { return p.typeSuffix(p.start(), p.baseType(true)) }

// castType reads the type after `as`, where `<` after a basic type compares.
func (p *parser) castType() TypeExpr {
	start := p.start()
	args := true
	if p.tok.kind == IDENT {
		switch p.lit(p.pos) {
		case "int", "float", "bool", "byte", "string":
			args = false
		}
	}
	return p.typeSuffix(start, p.baseType(args))
}

func (p *parser) typeSuffix(start int32, t TypeExpr) TypeExpr {
	if p.tok.kind == QUESTION && !p.tok.nl {
		p.advance()
		return &NullableType{p.to(start), t}
	}
	return t
}

func (p *parser) baseType(args bool) TypeExpr {
	defer p.leave()
	start := p.start()
	if !p.enter() {
		return &BadType{p.to(start)}
	}
	switch p.tok.kind {
	case LBRACKET:
		p.advance()
		elem := p.typ()
		p.expect(RBRACKET)
		return &ArrayType{p.to(start), elem}
	case FN:
		p.advance()
		t := &FuncType{}
		p.expect(LPAREN)
		for p.more(RPAREN, len(t.Params)) {
			t.Params = append(t.Params, p.typ())
		}
		p.expect(RPAREN)
		if !p.tok.nl && startsType(p.tok.kind) {
			t.Result = p.typ()
		}
		t.base = p.to(start)
		return t
	}
	t := p.types.get()
	t.Name = p.ident()
	if p.tok.kind == DOT && !p.tok.nl {
		p.advance()
		t.Module, t.Name = t.Name, p.ident()
	}
	if args && p.tok.kind == LT {
		t.Args = p.typeArgs()
	}
	t.base = p.to(start)
	return t
}

func startsType(k Kind) bool { return k == IDENT || k == LBRACKET || k == FN }

// typeArgs reads `<A, B>`.
func (p *parser) typeArgs() []TypeExpr {
	p.expect(LT)
	args := []TypeExpr{p.typ()}
	for p.got(COMMA) && p.tok.kind != GT && p.tok.kind != GE && p.tok.kind != EOF {
		args = append(args, p.typ())
	}
	p.closeAngle()
	return args
}

// closeAngle reads a closing >, which may have been lexed as the first half of >=.
func (p *parser) closeAngle() {
	if p.tok.kind != GE {
		p.expect(GT)
		return
	}
	p.prevEnd = p.tok.at.Start + 1
	p.tok.kind = ASSIGN
	p.tok.nl = false
	p.tok.at.Start++
	p.toks[p.pos] = p.tok
	if p.rel != nil {
		p.rel[p.pos].Start++
	}
}

// more says whether another item of a list with mandatory commas follows, and reads the
// comma before it; n items were read.
func (p *parser) more(end Kind, n int) bool {
	if p.tok.kind == end || p.tok.kind == EOF {
		return false
	}
	if n == 0 {
		return true
	}
	return p.expect(COMMA) && p.tok.kind != end && p.tok.kind != EOF
}

// maxScan bounds the nesting of types that are looked ahead for.
const maxScan = 50

// scanArgs looks ahead for `<types>` at token i and gives the token after it, or -1.
func (p *parser) scanArgs(i, depth int) int {
	if depth > maxScan || p.kindAt(i) != LT {
		return -1
	}
	for n := 0; ; n++ {
		i++
		if n > 0 && p.kindAt(i) == GT {
			return i + 1
		}
		if i = p.scanType(i, depth+1); i < 0 {
			return -1
		}
		switch p.kindAt(i) {
		case COMMA:
		case GT:
			return i + 1
		default:
			return -1
		}
	}
}

// scanType looks ahead for a type at token i and gives the token after it, or -1.
func (p *parser) scanType(i, depth int) int {
	if depth > maxScan {
		return -1
	}
	switch p.kindAt(i) {
	case LBRACKET:
		if i = p.scanType(i+1, depth+1); i < 0 || p.kindAt(i) != RBRACKET {
			return -1
		}
		i++
	case FN:
		if i++; p.kindAt(i) != LPAREN {
			return -1
		}
		for i++; p.kindAt(i) != RPAREN; {
			if i = p.scanType(i, depth+1); i < 0 {
				return -1
			}
			if p.kindAt(i) == COMMA {
				i++
			} else if p.kindAt(i) != RPAREN {
				return -1
			}
		}
		if i++; startsType(p.kindAt(i)) && !p.toks[i].nl {
			return p.scanType(i, depth+1)
		}
	case IDENT:
		if i++; p.kindAt(i) == DOT && p.kindAt(i+1) == IDENT && !p.toks[i].nl {
			i += 2
		}
		if p.kindAt(i) == LT {
			if i = p.scanArgs(i, depth+1); i < 0 {
				return -1
			}
		}
	default:
		return -1
	}
	if p.kindAt(i) == QUESTION && !p.toks[i].nl {
		i++
	}
	return i
}

func (p *parser) kindAt(i int) Kind {
	if i >= len(p.toks) {
		return EOF
	}
	return p.toks[i].kind
}

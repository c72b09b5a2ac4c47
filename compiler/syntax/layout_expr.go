package syntax

// expr lays an expression out and says where the line has come to.
func (l *layout) expr(x Expr, in indent) indent {
	switch x := x.(type) {
	case *ParenExpr:
		return l.expr(x.X, in)
	case *UnaryExpr:
		l.set(l.first(x), prefix)
		return l.expr(x.X, in)
	case *BinaryExpr:
		return l.binary(x, in)
	case *CastExpr:
		in = l.expr(x.X, in)
		l.typ(x.Type)
		return in
	case *RangeExpr:
		return l.expr(x.Hi, l.expr(x.Lo, in))
	case *FieldExpr:
		return l.selector(x.X, in)
	case *IndexExpr:
		in = l.expr(x.X, in)
		l.set(l.last(x.X)+1, tightBefore)
		return l.expr(x.Index, in)
	case *UnwrapExpr:
		return l.expr(x.X, in)
	case *PropagateExpr:
		l.set(l.last(x), tightBefore)
		return l.expr(x.X, in)
	case *SpawnExpr:
		return l.expr(x.Call, in)
	case *CallExpr:
		open := l.last(x.Name) + 1
		if len(x.TypeArgs) > 0 {
			open = l.typeArgs(x.TypeArgs) + 1
		}
		return l.list(open, l.entries(x.Args), l.last(x), in)
	case *MethodExpr:
		in = l.selector(x.X, in)
		return l.list(l.last(x.Name)+1, l.entries(x.Args), l.last(x), in)
	case *StaticExpr:
		return l.list(l.typeArgs(x.TypeArgs)+1, l.entries(x.Args), l.last(x), in)
	case *GenericExpr:
		l.typeArgs(x.Args)
	case *LitExpr:
		open := l.last(x.Path[len(x.Path)-1]) + 1
		if len(x.TypeArgs) > 0 {
			end := l.typeArgs(x.TypeArgs)
			open = max(open, end+1)
		}
		return l.list(open, l.inits(x.Fields), l.last(x), in)
	case *MapLit:
		open := l.typeArgs([]TypeExpr{x.Key, x.Value}) + 1
		var entries []entry
		for i, key := range x.Keys {
			entries = append(entries, entry{l.first(key), l.last(x.Vals[i]), func(in indent) indent {
				return l.expr(x.Vals[i], l.expr(key, in))
			}})
		}
		return l.list(open, entries, l.last(x), in)
	case *SetLit:
		return l.list(l.typeArgs([]TypeExpr{x.Elem})+1, l.entries(x.Elems), l.last(x), in)
	case *ArrayLit:
		return l.list(l.first(x), l.entries(x.Elems), l.last(x), in)
	case *ClosureExpr:
		return l.closure(x, in)
	case *IfExpr:
		return l.ifExpr(x, in)
	case *MatchExpr:
		in = l.expr(x.X, in)
		l.arms(x.Arms, l.last(x), in)
	case *CatchExpr:
		return l.catch(x, in)
	}
	return in
}

func (l *layout) entry(x Expr) entry {
	return entry{l.first(x), l.last(x), func(in indent) indent { return l.expr(x, in) }}
}

func (l *layout) entries(xs []Expr) []entry {
	entries := make([]entry, len(xs))
	for i, x := range xs {
		entries[i] = l.entry(x)
	}
	return entries
}

func (l *layout) inits(fields []*FieldInit) []entry {
	entries := make([]entry, len(fields))
	for i, f := range fields {
		entries[i] = entry{l.first(f), l.last(f), func(in indent) indent { return l.expr(f.Value, in) }}
	}
	return entries
}

// binary keeps the line ends next to the operator.
func (l *layout) binary(x *BinaryExpr, in indent) indent {
	in = l.expr(x.X, in)
	op := l.at(x.OpAt.Start)
	switch y := l.first(x.Y); {
	case l.pieces[op].lines > 0:
		in = l.hang(op, in)
	case l.pieces[y].lines > 0:
		in = l.hang(y, in)
	}
	if x.Op == SHR {
		l.set(op+1, tightBefore)
	}
	return l.expr(x.Y, in)
}

func (l *layout) closure(x *ClosureExpr, in indent) indent {
	var entries []entry
	for _, p := range x.Params {
		entries = append(entries, l.param(p))
	}
	open := l.first(x)
	in = l.list(open, entries, l.closing(l.lastOf(open, entries)), in)
	l.result(x.Result)
	if x.Body == nil {
		return l.expr(x.Value, in)
	}
	l.inner(x.Body, in)
	return in
}

// ifExpr keeps the branches on one line when all of them fit there.
func (l *layout) ifExpr(x *IfExpr, in indent) indent {
	fit := true
	for e := x; e != nil; e = e.ElseIf {
		fit = fit && l.fits(e.Then) && (e.Else == nil || l.fits(e.Else))
	}
	lay := func(b *Block, in indent) {
		if fit {
			l.inner(b, in)
		} else {
			l.block(b, in.cur)
		}
	}
	for e := x; e != nil; e = e.ElseIf {
		in = l.expr(e.Cond, in)
		lay(e.Then, in)
		if e.Else != nil {
			lay(e.Else, in)
		}
	}
	return in
}

func (l *layout) catch(x *CatchExpr, in indent) indent {
	in = l.expr(x.X, in)
	for _, h := range x.Handlers {
		l.inner(h.Body, in)
	}
	if x.Default != nil {
		in = l.expr(x.Default, in)
	}
	return in
}

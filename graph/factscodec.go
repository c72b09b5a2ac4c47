package graph

import "fmt"

// EncodeFacts writes facts as a layer keeps them.
func EncodeFacts(fs []*Facts) []byte {
	var e encoder
	e.uint(Format)
	e.uint(uint64(len(fs)))
	for _, f := range fs {
		e.facts(f)
	}
	return e.buf
}

// DecodeFacts reads what [EncodeFacts] wrote. Damaged input is an error.
func DecodeFacts(b []byte) ([]*Facts, error) {
	d := decoder{buf: b}
	if v := d.uint(); v != Format && !d.bad {
		return nil, &FormatError{Got: v, Want: Format}
	}
	fs := make([]*Facts, 0, d.count())
	for range cap(fs) {
		f := d.facts()
		if d.bad {
			return nil, fmt.Errorf("facts: %w", errPage)
		}
		if err := f.validate(); err != nil {
			return nil, err
		}
		fs = append(fs, f)
	}
	if d.bad {
		return nil, fmt.Errorf("facts: %w", errPage)
	}
	return fs, nil
}

func (e *encoder) facts(f *Facts) {
	e.str(f.Unit)
	e.str(f.Lang)
	e.uint(uint64(len(f.Files)))
	for _, x := range f.Files {
		e.str(x.Path)
		e.uint(uint64(x.Lines))
		e.uint(uint64(x.Size))
		e.u64(x.Hash)
		e.bools(x.Test, x.Generated, x.Broken)
	}
	e.uint(uint64(len(f.Symbols)))
	prev := Symbol{}
	for _, y := range f.Symbols {
		e.bools(y.External, y.Lang == prev.Lang, y.Module == prev.Module)
		e.byte(byte(y.Kind))
		if y.Lang != prev.Lang {
			e.str(y.Lang)
		}
		if y.Module != prev.Module {
			e.str(y.Module)
		}
		e.str(y.Qual)
		prev = y
	}
	e.uint(uint64(len(f.Decls)))
	for _, d := range f.Decls {
		e.uint(uint64(d.Sym))
		e.int(int64(d.Parent))
		e.uint(uint64(d.File))
		e.pos(d.Name)
		e.span(d.Full)
		e.flags(d.Flags, d.UUID)
		e.str(d.Sig)
		e.str(d.Doc)
	}
	e.uint(uint64(len(f.Edges)))
	for _, x := range f.Edges {
		e.byte(byte(x.Kind)<<4 | x.Flags&0xf)
		e.uint(uint64(x.From))
		e.uint(uint64(x.To))
		e.uint(uint64(x.File))
		e.pos(x.Pos)
		e.uint(uint64(x.Len))
	}
	e.uint(uint64(len(f.Missing)))
	for _, m := range f.Missing {
		e.uint(uint64(m.File))
		e.pos(m.Pos)
		e.str(m.Name)
		e.str(m.Reason)
	}
	e.uint(uint64(len(f.Types)))
	for _, t := range f.Types {
		e.uint(uint64(t.Sym))
		e.bools(t.Interface)
		e.uint(uint64(len(t.Methods)))
		for _, m := range t.Methods {
			e.str(m.ID)
			e.u64(m.Finger)
			e.uint(uint64(m.Sym))
			e.bools(m.Pointer)
		}
	}
	e.uint(uint64(len(f.Notes)))
	for _, n := range f.Notes {
		e.int(int64(n.File))
		e.pos(n.Pos)
		e.str(n.Text)
		e.bools(n.Broken)
	}
}

func (d *decoder) facts() *Facts {
	f := &Facts{Unit: d.str(), Lang: d.str()}
	f.Files = decodeList(d, func() FactFile {
		x := FactFile{Path: d.str(), Lines: d.u32v(), Size: d.u32v(), Hash: d.u64()}
		b := d.byte()
		x.Test, x.Generated, x.Broken = b&1 != 0, b&2 != 0, b&4 != 0
		return x
	})
	prev := Symbol{}
	f.Symbols = decodeList(d, func() Symbol {
		b := d.byte()
		y := Symbol{External: b&1 != 0, Kind: Kind(d.byte()), Lang: prev.Lang, Module: prev.Module}
		if b&2 == 0 {
			y.Lang = d.str()
		}
		if b&4 == 0 {
			y.Module = d.str()
		}
		y.Qual = d.str()
		prev = y
		return y
	})
	f.Decls = decodeList(d, func() FactDecl {
		c := FactDecl{Sym: d.index(), Parent: int(d.int()), File: d.index(), Name: d.pos(), Full: d.span()}
		c.Flags, c.UUID = d.flags()
		c.Sig, c.Doc = d.str(), d.str()
		return c
	})
	f.Edges = decodeList(d, func() FactEdge {
		b := d.byte()
		return FactEdge{Kind: EdgeKind(b >> 4), Flags: b & 0xf, From: d.index(), To: d.index(), File: d.index(),
			Pos: d.pos(), Len: uint16(d.uint())}
	})
	f.Missing = decodeList(d, func() FactMiss {
		return FactMiss{File: d.index(), Pos: d.pos(), Name: d.str(), Reason: d.str()}
	})
	f.Types = decodeList(d, func() MethodSet {
		t := MethodSet{Sym: d.index(), Interface: d.byte() != 0}
		t.Methods = decodeList(d, func() MethodSig {
			return MethodSig{ID: d.str(), Finger: d.u64(), Sym: d.index(), Pointer: d.byte() != 0}
		})
		return t
	})
	f.Notes = decodeList(d, func() Note {
		return Note{File: int(d.int()), Pos: d.pos(), Text: d.str(), Broken: d.byte() != 0}
	})
	return f
}

func decodeList[T any](d *decoder, one func() T) []T {
	n := d.count()
	if n == 0 {
		return nil
	}
	list := make([]T, 0, min(n, 1<<16)) // a damaged count must not reserve the memory first
	for range n {
		list = append(list, one())
		if d.bad {
			return nil
		}
	}
	return list
}

// index reads a number that validate compares with a length.
func (d *decoder) index() int { return int(d.u32v()) }

func (e *encoder) bools(bs ...bool) {
	var v byte
	for i, b := range bs {
		if b {
			v |= 1 << i
		}
	}
	e.byte(v)
}

package workspace

import (
	"crypto/sha256"
	"strings"

	"github.com/settgraph/sett/compiler/source"
	"github.com/settgraph/sett/compiler/syntax"
)

// surface is what other modules can see of a file's text.
type surface struct {
	sum [32]byte
	// asks says that somewhere `.get` is written: what waiting for a task raises can depend
	// on which errors the whole program has.
	asks bool
}

// surfaceOf takes the tokens of a file without comments, but for the bodies that only the
// file itself can see: those of functions and methods that are not generic, and tests. How
// the text is laid out does not matter.
func surfaceOf(f *syntax.File) surface {
	hidden := hiddenIn(f)
	h := sha256.New()
	var s surface
	text := f.Src.Text
	newline, dot := false, false
	var buf []byte
	for _, t := range f.Tokens {
		switch t.Kind {
		case syntax.COMMENT, syntax.EOF:
			continue
		case syntax.NEWLINE:
			newline = true
			continue
		}
		word := text[t.At.Start:t.At.End]
		switch t.Kind {
		case syntax.IDENT:
			s.asks = s.asks || dot && word == "get"
		case syntax.STRING, syntax.FSTRING:
			s.asks = s.asks || strings.Contains(word, "get")
		}
		dot = t.Kind == syntax.DOT
		for len(hidden) > 0 && hidden[0].End <= t.At.Start {
			hidden = hidden[1:]
			buf = append(buf, '{', '}')
		}
		if len(hidden) > 0 && hidden[0].Start <= t.At.Start {
			newline = false
			continue
		}
		if newline && len(buf) > 0 {
			buf = append(buf, '\n')
		}
		newline = false
		buf = append(append(buf, word...), 0)
	}
	h.Write(buf)
	h.Sum(s.sum[:0])
	return s
}

// hiddenIn lists what no other module can see, in the order of the text.
func hiddenIn(f *syntax.File) []source.Span {
	var out []source.Span
	body := func(d *syntax.FuncDecl) {
		if d.Body != nil && len(d.TypeParams) == 0 {
			out = append(out, d.Body.Span())
		}
	}
	for _, d := range f.Decls {
		switch d := d.(type) {
		case *syntax.FuncDecl:
			body(d)
		case *syntax.ClassDecl:
			if len(d.TypeParams) == 0 {
				for _, m := range d.Methods {
					body(m)
				}
			}
		case *syntax.AppDecl:
			for _, m := range d.Methods {
				body(m)
			}
		case *syntax.TestDecl, *syntax.TestsDecl:
			out = append(out, d.Span())
		}
	}
	return out
}

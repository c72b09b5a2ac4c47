package golang

import (
	"bytes"
	"go/build/constraint"
	"go/scanner"
	"go/token"
	"slices"
	"strconv"
	"strings"

	"github.com/zeebo/xxh3"

	"github.com/settgraph/sett/indexer/lang"
)

// summarize reads a file once, token by token, with function bodies cut out: what is
// left is what other packages can see.
func summarize(path string, src []byte) lang.Summary {
	head := readHeader(src)
	s := lang.Summary{
		Test:      strings.HasSuffix(path, "_test.go"),
		Generated: head.generated,
	}
	if bytes.IndexByte(src[:min(len(src), 4096)], 0) >= 0 {
		s.Shape = xxh3.Hash(src)
		return s // not a source, whatever its name says
	}
	cut := cutBodies(src)
	fset := token.NewFileSet()
	var sc scanner.Scanner
	sc.Init(fset.AddFile("", -1, len(cut)), cut, nil, 0)
	hash := make([]byte, 0, len(cut)/2+64)
	hash = append(hash, head.build...)
	name := ""
	section := token.PACKAGE // PACKAGE until the clause ended, then IMPORT, then EOF
	inImport, group := false, false
	for {
		_, tok, lit := sc.Scan()
		if tok == token.EOF {
			break
		}
		hash = append(hash, byte(tok))
		if tok.IsLiteral() || tok == token.ILLEGAL {
			hash = append(hash, lit...)
			hash = append(hash, 0)
		}
		switch section {
		case token.PACKAGE:
			switch tok {
			case token.IDENT:
				if name == "" {
					name = lit
				}
			case token.SEMICOLON:
				section = token.IMPORT
			}
		case token.IMPORT:
			switch {
			case tok == token.IMPORT:
				inImport, group = true, false
			case !inImport:
				section = token.EOF
			case tok == token.LPAREN:
				group = true
			case tok == token.RPAREN:
				group = false
			case tok == token.STRING:
				if p, err := strconv.Unquote(lit); err == nil {
					s.Imports = append(s.Imports, p)
				}
			case tok == token.SEMICOLON && !group:
				inImport = false
			}
		}
	}
	slices.Sort(s.Imports)
	s.Imports = slices.Compact(s.Imports)
	s.Shape = xxh3.Hash(hash)
	s.Hints = name + "\n" + head.build
	return s
}

// header is what stands above the package clause.
type header struct {
	build     string // the build constraint in its modern form; empty when there is none
	generated bool
}

// readHeader reads the comments above the package clause.
func readHeader(src []byte) header {
	var h header
	var plus, pending []string // old-style lines count once a blank line follows
	src = bytes.TrimPrefix(src, []byte("\ufeff"))
	for len(src) > 0 {
		line, rest, _ := bytes.Cut(src, []byte("\n"))
		text := strings.TrimSpace(string(line))
		switch {
		case text == "":
			plus, pending = append(plus, pending...), nil
		case strings.HasPrefix(text, "//"):
			switch {
			case h.build == "" && constraint.IsGoBuild(text):
				if x, err := constraint.Parse(text); err == nil {
					h.build = x.String()
				}
			case constraint.IsPlusBuild(text):
				pending = append(pending, text)
			case strings.HasPrefix(text, "// Code generated ") && strings.HasSuffix(text, " DO NOT EDIT."):
				h.generated = true
			}
		case strings.HasPrefix(text, "/*"):
			start := bytes.Index(src, []byte("/*"))
			end := bytes.Index(src[start:], []byte("*/"))
			if end < 0 {
				return h
			}
			src = src[start+end+2:]
			continue
		default:
			rest = nil
		}
		src = rest
	}
	if h.build == "" {
		for _, l := range plus {
			x, err := constraint.Parse(l)
			if err != nil {
				continue
			}
			if h.build == "" {
				h.build = x.String()
			} else {
				h.build = "(" + h.build + ") && (" + x.String() + ")"
			}
		}
	}
	return h
}

// splitHints takes apart what summarize put together.
func splitHints(hints string) (pkg, build string) {
	pkg, build, _ = strings.Cut(hints, "\n")
	return pkg, build
}

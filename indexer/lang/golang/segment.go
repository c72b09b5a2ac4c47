package golang

import (
	"go/ast"
	"go/parser"
	"go/token"
	"slices"
)

// A segmented file is cut into its top-level declarations without being parsed; each
// is parsed when somebody asks for a name in it.
type segmented struct {
	src      []byte
	pkg      string
	imports  []importSpec
	segments []*segment
}

// A segment is one declaration of a file: a function, or a possibly parenthesised
// group of types, constants or variables.
type segment struct {
	file  *segmented
	tok   token.Token
	start int
	end   int
	names []string // what it may declare; a group may list too much
	recv  string   // of a method: the type
	text  []byte   // what there is to parse; nil: the source itself
	decl  ast.Decl // once parsed
	tried bool
}

// newSegmented cuts a file.
func newSegmented(src []byte) *segmented {
	f := &segmented{src: src}
	head, err := parser.ParseFile(token.NewFileSet(), "", src, parser.ImportsOnly|parser.SkipObjectResolution)
	if head == nil || head.Name == nil || err != nil && head.Name.Name == "_" {
		return f
	}
	f.pkg = head.Name.Name
	f.imports = importsOf(head)
	var open *segment
	lineStart := false
	for i := min(max(0, int(head.Name.End())-1), len(src)); i < len(src); {
		c := src[i]
		switch {
		case isLetter(c):
			end := wordEnd(src, i)
			if tok := topLevel(src[i:end]); lineStart && tok != token.ILLEGAL {
				if open != nil {
					open.end = i
				}
				open = &segment{file: f, tok: tok, start: i, end: len(src)}
				if tok != token.IMPORT {
					f.segments = append(f.segments, open)
				}
				end = open.read(src, end)
			} else if tok == token.FUNC {
				end = skipFunc(src, end)
			}
			lineStart = false
			i = end
		case c == '\n' || c == ';':
			lineStart = true
			i++
		case c == ' ' || c == '\t' || c == '\r':
			i++
		case c == '(' || c == '[' || c == '{':
			lineStart = false
			end := skipBalanced(src, i)
			if end < 0 {
				return f
			}
			i = end
		case c == '/':
			i = skipToken(src, i)
		default:
			lineStart = false
			i = skipToken(src, i)
		}
	}
	return f
}

func topLevel(word []byte) token.Token {
	switch string(word) {
	case "func":
		return token.FUNC
	case "type":
		return token.TYPE
	case "var":
		return token.VAR
	case "const":
		return token.CONST
	case "import":
		return token.IMPORT
	}
	return token.ILLEGAL
}

// skipFunc returns the index after a function that is part of a declaration.
func skipFunc(src []byte, i int) int {
	open, next := bodyOf(src, i)
	if open < 0 {
		return next
	}
	if end := skipBalanced(src, open); end >= 0 {
		return end
	}
	return len(src)
}

// read finds out what the segment declares, whose keyword ends at i, and returns where
// to go on.
func (g *segment) read(src []byte, i int) int {
	i = skipSpace(src, i)
	if i == len(src) {
		return i
	}
	if g.tok == token.FUNC {
		return g.readFunc(src, i)
	}
	if src[i] != '(' {
		g.readNames(src, i)
		return i
	}
	end := skipBalanced(src, i)
	if end < 0 {
		return len(src)
	}
	// In a group each line at depth one may begin with names.
	for j := i + 1; j < end-1; {
		j = skipSpace(src, j)
		if j >= end-1 {
			break
		}
		if isLetter(src[j]) {
			j = g.readNames(src, j)
		}
		for j < end-1 && src[j] != '\n' && src[j] != ';' {
			switch src[j] {
			case '(', '[', '{':
				if k := skipBalanced(src, j); k > 0 {
					j = k
				} else {
					j = end
				}
			default:
				j = skipToken(src, j)
			}
		}
	}
	return end
}

// readNames reads a list of names.
func (g *segment) readNames(src []byte, i int) int {
	for i < len(src) && isLetter(src[i]) {
		end := wordEnd(src, i)
		g.names = append(g.names, string(src[i:end]))
		i = skipBlank(src, end)
		if i == len(src) || src[i] != ',' {
			return end
		}
		i = skipSpace(src, i+1)
	}
	return i
}

// readFunc reads the name of a function and empties its body.
func (g *segment) readFunc(src []byte, i int) int {
	begin := i
	if src[i] == '(' {
		end := skipBalanced(src, i)
		if end < 0 {
			return len(src)
		}
		g.recv = receiverWord(src[i+1 : end-1])
		i = skipSpace(src, end)
	}
	if i < len(src) && isLetter(src[i]) {
		g.names = append(g.names, string(src[i:wordEnd(src, i)]))
	}
	open, next := bodyOf(src, begin)
	if open < 0 {
		return next
	}
	end := skipBalanced(src, open)
	if end < 0 {
		return len(src)
	}
	g.text = src[g.start:open]
	return end
}

// receiverWord returns the type in a receiver: the last name before type parameters.
func receiverWord(recv []byte) string {
	word := ""
	for i := 0; i < len(recv) && recv[i] != '['; {
		if isLetter(recv[i]) {
			end := wordEnd(recv, i)
			word = string(recv[i:end])
			i = end
		} else {
			i = skipToken(recv, i)
		}
	}
	return word
}

// skipBlank skips blanks and comments within a line.
func skipBlank(src []byte, i int) int {
	for i < len(src) && (src[i] == ' ' || src[i] == '\t' || src[i] == '\r') {
		i++
	}
	return i
}

// skipSpace skips blanks, line ends and comments.
func skipSpace(src []byte, i int) int {
	for i < len(src) {
		switch src[i] {
		case ' ', '\t', '\r', '\n', ';':
			i++
		case '/':
			end := skipToken(src, i)
			if end == i+1 {
				return i
			}
			i = end
		default:
			return i
		}
	}
	return i
}

// parse parses the segment once.
func (g *segment) parse(fset *token.FileSet) ast.Decl {
	if g.tried {
		return g.decl
	}
	g.tried = true
	text := g.text
	if text == nil {
		text = g.file.src[g.start:g.end]
	}
	const clause = "package p;"
	src := make([]byte, 0, len(clause)+len(text))
	src = append(append(src, clause...), text...)
	f, _ := parser.ParseFile(fset, "", src, parser.SkipObjectResolution)
	if f != nil {
		for _, d := range f.Decls {
			if _, bad := d.(*ast.BadDecl); !bad {
				g.decl = d
				break
			}
		}
	}
	return g.decl
}

// declares reports whether a parsed declaration declares name.
func declares(d ast.Decl, name string) (spec ast.Spec, ok bool) {
	switch d := d.(type) {
	case *ast.FuncDecl:
		return nil, d.Name.Name == name
	case *ast.GenDecl:
		for _, spec := range d.Specs {
			switch spec := spec.(type) {
			case *ast.TypeSpec:
				if spec.Name.Name == name {
					return spec, true
				}
			case *ast.ValueSpec:
				if slices.ContainsFunc(spec.Names, func(id *ast.Ident) bool { return id.Name == name }) {
					return spec, true
				}
			}
		}
	}
	return nil, false
}

// parsed returns the declarations that were parsed.
func (f *segmented) parsed() []ast.Decl {
	var out []ast.Decl
	for _, g := range f.segments {
		if g.decl != nil {
			out = append(out, g.decl)
		}
	}
	return out
}

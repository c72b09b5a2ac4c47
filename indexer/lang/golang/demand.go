package golang

import (
	"go/ast"
	"go/parser"
	"go/token"
	"strconv"
)

// names is what one file may ask of other packages, read off its text without parsing
// it. It may hold too much, never too little: "x.Y" is noted whatever x is.
type names struct {
	imports []importSpec
	pairs   map[pair]bool       // x.Y, with x at the head of a chain; true when it may embed
	members map[string]struct{} // every Y of .Y, of a Y: in a literal, and of a Y( that may be an interface's
}

type pair struct{ x, y string }

// An importSpec is one import as written; name is empty when it has none.
type importSpec struct{ name, path string }

// scanNames reads the names off a file.
func scanNames(src []byte) *names {
	n := &names{imports: readImports(src), pairs: map[pair]bool{}, members: map[string]struct{}{}}
	const (
		other = iota
		word  // a name was just read
		dot   // a name and a dot
	)
	var head []byte // the name before the dot, when it begins a chain
	state := other
	opens := true      // the chain begins where an embedded field could
	prev := byte('\n') // the last byte that counts
	for i := 0; i < len(src); {
		c := src[i]
		switch {
		case isLetter(c):
			end := wordEnd(src, i)
			w := src[i:end]
			if state == dot {
				n.member(w)
				if head != nil {
					k := pair{string(head), string(w)}
					embeds := opens && endsField(src, end)
					if had, ok := n.pairs[k]; !ok || embeds && !had {
						n.pairs[k] = embeds
					}
				}
				head = nil
			} else {
				head = w
				opens = prev == '\n' || prev == '{' || prev == ';'
				if opens && end < len(src) && src[end] == '(' { // perhaps a method of an interface
					n.member(w)
				}
			}
			state, prev, i = word, 'a', end
		case c == '.':
			if state != word {
				head = nil
			}
			state, prev = dot, c
			i++
		case c == ':':
			if state == word && head != nil && (i+1 == len(src) || src[i+1] != '=') {
				n.member(head)
			}
			state, prev = other, c
			i++
		case c == ' ' || c == '\t' || c == '\r':
			i++
		case c == '\n':
			if state == word {
				state = other
			}
			if state == other {
				prev = c
			}
			i++
		case c == '*' && (prev == '\n' || prev == '{' || prev == ';'):
			i++
		case c == '/' && i+1 < len(src) && (src[i+1] == '/' || src[i+1] == '*'):
			i = skipToken(src, i)
		default:
			state, prev = other, c
			i = skipToken(src, i)
		}
	}
	return n
}

func (n *names) member(w []byte) {
	if _, ok := n.members[string(w)]; !ok {
		n.members[string(w)] = struct{}{}
	}
}

// endsField reports whether an embedded field could end at i.
func endsField(src []byte, i int) bool {
	for ; i < len(src); i++ {
		switch src[i] {
		case ' ', '\t', '\r':
		case '\n', ';', '}', '`', '"', '/', '[':
			return true
		default:
			return false
		}
	}
	return true
}

// readImports parses the import declarations of a file.
func readImports(src []byte) []importSpec {
	f, _ := parser.ParseFile(token.NewFileSet(), "", src, parser.ImportsOnly|parser.SkipObjectResolution)
	if f == nil {
		return nil
	}
	return importsOf(f)
}

func importsOf(f *ast.File) []importSpec {
	var out []importSpec
	for _, s := range f.Imports {
		p, err := strconv.Unquote(s.Path.Value)
		if err != nil {
			continue
		}
		spec := importSpec{path: p}
		if s.Name != nil {
			spec.name = s.Name.Name
		}
		out = append(out, spec)
	}
	return out
}

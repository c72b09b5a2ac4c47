package golang

import (
	"bytes"
	"go/ast"
	"go/parser"
	"go/token"
)

// reparse parses a file that has errors again, after what does not parse was blanked
// out declaration by declaration: a bracket too few must not swallow the rest of the
// file. It returns the better of the two trees. Offsets stay the same.
func reparse(fset *token.FileSet, name string, src []byte, mode parser.Mode, tree *ast.File) *ast.File {
	pieces := splitAtMargin(src)
	if len(pieces) <= len(tree.Decls) && !hasBad(tree) {
		return tree
	}
	blanked := blankBroken(src, pieces)
	again, _ := parser.ParseFile(fset, name, blanked, mode)
	if again == nil || len(again.Decls) < len(tree.Decls) {
		return tree
	}
	return again
}

// blankBroken returns the text without the pieces that do not parse.
func blankBroken(src []byte, pieces [][2]int) []byte {
	blanked := bytes.Clone(src)
	for _, p := range pieces {
		if piece := src[p[0]:p[1]]; parses(piece) {
			continue
		}
		dst := blanked[p[0]:p[1]]
		blank(dst)
		// Its first line may still be good.
		if line, _, _ := bytes.Cut(src[p[0]:p[1]], []byte("\n")); bytes.HasSuffix(bytes.TrimSpace(line), []byte("{")) {
			end := len(line)
			for end < len(dst) && dst[end] == '\n' {
				end++
			}
			if end < len(dst) && parses(append(bytes.Clone(line), '}')) {
				copy(dst, line)
				dst[end] = '}'
			}
		}
	}
	return blanked
}

func hasBad(f *ast.File) bool {
	for _, d := range f.Decls {
		if _, bad := d.(*ast.BadDecl); bad {
			return true
		}
	}
	return false
}

// splitAtMargin cuts a file before each line that begins with the keyword of a
// declaration, after its imports.
func splitAtMargin(src []byte) [][2]int {
	var out [][2]int
	for i := 0; i < len(src); {
		end := i + bytes.IndexByte(src[i:], '\n') + 1
		if end == i {
			end = len(src)
		}
		if isLetter(src[i]) {
			switch topLevel(src[i:wordEnd(src, i)]) {
			case token.FUNC, token.TYPE, token.VAR, token.CONST:
				if n := len(out); n > 0 {
					out[n-1][1] = i
				}
				out = append(out, [2]int{i, len(src)})
			}
		}
		i = end
	}
	return out
}

func parses(piece []byte) bool {
	const clause = "package p;"
	src := append([]byte(clause), piece...)
	_, err := parser.ParseFile(token.NewFileSet(), "", src, parser.SkipObjectResolution)
	return err == nil
}

// blank overwrites text with spaces but keeps its lines.
func blank(text []byte) {
	for i, c := range text {
		if c != '\n' {
			text[i] = ' '
		}
	}
}

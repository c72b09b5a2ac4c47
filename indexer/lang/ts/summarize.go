package ts

import (
	"slices"
	"strings"

	"github.com/microsoft/typescript-go/sett"
	"github.com/settgraph/sett/indexer/lang"
	"github.com/zeebo/xxh3"
)

// hintGlobal marks a file that others see without importing it: it declares globals, or
// augments a module.
const hintGlobal = "global"

// hintScript marks a file whose only reason for that is to be a script with declarations.
const hintScript = "script"

// summarize parses one file for what it imports and what others can see of it.
func summarize(p string, src []byte) lang.Summary {
	s := lang.Summary{Test: isTest(p), Generated: isGenerated(src)}
	if unreadableBytes(src) {
		s.Shape = xxh3.HashString("unread")
		return s
	}
	v := vroot + "/x" + p[len(stripExt(p)):] // only its extension matters
	sf, _ := parse(false, tsgo.SourceFileParseOptions{FileName: v, Path: tsgo.Path(v)}, string(src))
	for _, spec := range sf.Imports() {
		if tsgo.IsStringLiteralLike(spec) && spec.Text() != "" {
			s.Imports = append(s.Imports, spec.Text())
		}
	}
	for _, name := range sf.ModuleAugmentations {
		if name.Kind == tsgo.KindStringLiteral && name.Text() != "" {
			s.Imports = append(s.Imports, name.Text())
		}
	}
	for _, ref := range sf.ReferencedFiles {
		// A path, never a package.
		spec := ref.FileName
		if isBare(spec) {
			spec = "./" + spec
		}
		s.Imports = append(s.Imports, spec)
	}
	for _, ref := range sf.TypeReferenceDirectives {
		s.Imports = append(s.Imports, ref.FileName)
	}
	if src := tsgo.GetPragmaArgument(tsgo.GetPragmaFromSourceFile(sf, "jsximportsource"), "factory"); src != "" {
		s.Imports = append(s.Imports, src+"/jsx-runtime", src+"/jsx-dev-runtime")
	}
	slices.Sort(s.Imports)
	s.Imports = slices.Compact(s.Imports)
	s.Hints = visibility(sf)
	s.Shape = shape(sf, src)
	return s
}

// visibility is hintGlobal or hintScript if the file changes what others see although they
// do not import it, "" if it does not.
func visibility(sf *tsgo.SourceFile) string {
	if len(sf.ModuleAugmentations) > 0 || len(sf.AmbientModuleNames) > 0 {
		return hintGlobal
	}
	if tsgo.IsExternalOrCommonJSModule(sf) {
		for _, s := range sf.Statements.Nodes {
			if s.Kind == tsgo.KindNamespaceExportDeclaration || s.Kind == tsgo.KindModuleDeclaration && tsgo.IsGlobalScopeAugmentation(s) {
				return hintGlobal
			}
		}
		return ""
	}
	switch {
	case !slices.ContainsFunc(sf.Statements.Nodes, declaresGlobal):
		return ""
	case sf.IsDeclarationFile:
		return hintGlobal
	}
	return hintScript
}

func declaresGlobal(s *tsgo.Node) bool {
	switch s.Kind {
	case tsgo.KindVariableStatement, tsgo.KindFunctionDeclaration, tsgo.KindClassDeclaration, tsgo.KindInterfaceDeclaration, tsgo.KindTypeAliasDeclaration,
		tsgo.KindJSTypeAliasDeclaration, tsgo.KindEnumDeclaration, tsgo.KindModuleDeclaration, tsgo.KindImportEqualsDeclaration:
		return true
	case tsgo.KindBlock, tsgo.KindIfStatement, tsgo.KindForStatement, tsgo.KindForInStatement, tsgo.KindForOfStatement, tsgo.KindTryStatement, tsgo.KindSwitchStatement, tsgo.KindWhileStatement:
		return true // may hold a var
	}
	return false
}

// shaper hashes the tokens of a file that others can see.
type shaper struct {
	h   *xxh3.Hasher
	sf  *tsgo.SourceFile
	src []byte
	cut []span

	blank, any bool // a blank is due before the next token; something was written
}

type span struct{ pos, end int }

// shape hashes the text of the file without what only the file itself can see: comments,
// bodies of functions whose type is written, and values of variables whose type is.
func shape(sf *tsgo.SourceFile, src []byte) uint64 {
	s := &shaper{h: xxh3.New(), sf: sf, src: src}
	s.find(sf.AsNode())
	s.hash()
	return s.h.Sum64()
}

// find collects the stretches to leave out.
func (s *shaper) find(n *tsgo.Node) bool {
	if n.Flags&tsgo.NodeFlagsReparsed != 0 {
		return false
	}
	switch n.Kind {
	case tsgo.KindFunctionDeclaration, tsgo.KindMethodDeclaration, tsgo.KindGetAccessor, tsgo.KindFunctionExpression, tsgo.KindArrowFunction:
		// A script's functions may declare members of what they belong to; a body
		// with an assertion or a nested import is visible too. Both are rare in
		// TypeScript and not looked for in JavaScript.
		if body := bodyOf(n); body != nil && n.Type() != nil && !tsgo.IsInJSFile(n) {
			s.cut = append(s.cut, span{body.Pos(), body.End()})
		}
	case tsgo.KindConstructor, tsgo.KindSetAccessor:
		if body := bodyOf(n); body != nil && !tsgo.IsInJSFile(n) && n.Kind == tsgo.KindSetAccessor {
			s.cut = append(s.cut, span{body.Pos(), body.End()})
		}
	case tsgo.KindVariableDeclaration, tsgo.KindPropertyDeclaration:
		if init := n.Initializer(); init != nil && n.Type() != nil {
			s.cut = append(s.cut, span{init.Pos(), init.End()})
		}
	}
	return n.ForEachChild(s.find)
}

// hash feeds all tokens outside the cuts.
func (s *shaper) hash() {
	slices.SortFunc(s.cut, func(a, b span) int {
		if a.pos != b.pos {
			return a.pos - b.pos
		}
		return b.end - a.end
	})
	at := 0
	for _, c := range s.cut {
		if c.pos >= at {
			s.feed(at, c.pos)
			s.h.Write([]byte{0})
			at = c.end
		}
	}
	s.feed(at, len(s.src))
}

// feed hashes a stretch, without blanks between tokens of different kinds counting for
// more than one, and without comments that begin a line. Others count: what looks like
// one may be part of a regular expression or of JSX.
func (s *shaper) feed(pos, end int) {
	text := s.sf.Text()[:end]
	newLine := pos == 0
	for pos < end {
		switch c := text[pos]; {
		case c == '\n':
			newLine, s.blank = true, true
			pos++
		case c <= ' ':
			s.blank = true
			pos++
		case newLine && strings.HasPrefix(text[pos:], "//"):
			if i := strings.IndexByte(text[pos:], '\n'); i >= 0 {
				pos += i
			} else {
				pos = end
			}
		case newLine && strings.HasPrefix(text[pos:], "/*"):
			if i := strings.Index(text[pos+2:], "*/"); i >= 0 {
				pos += i + 4
			} else {
				pos = end
			}
		default:
			if s.blank && s.any {
				s.h.Write([]byte{' '})
			}
			start := pos
			pos = token(text, pos)
			s.h.WriteString(text[start:pos])
			newLine, s.blank, s.any = false, false, true
		}
	}
}

// token returns the end of the run of text without blanks that begins at pos. A string is
// part of a run with all its blanks.
func token(text string, pos int) int {
	for pos < len(text) && text[pos] > ' ' {
		switch text[pos] {
		case '"', '\'', '`':
			pos = skipString(text, pos)
		case '\\':
			pos = min(pos+2, len(text))
		default:
			pos++
		}
	}
	return pos
}

// skipString returns the end of the string that opens at pos, or of its line.
func skipString(text string, pos int) int {
	quote := text[pos]
	for i := pos + 1; i < len(text); i++ {
		switch text[i] {
		case '\\':
			i++
		case quote:
			return i + 1
		case '\n':
			if quote != '`' {
				return i
			}
		}
	}
	return len(text)
}

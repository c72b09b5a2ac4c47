package format

import (
	"fmt"
	"slices"
	"strings"

	"github.com/settgraph/sett/query"
)

// typeLines prints
//
//	*http.Request · req parameter web/api.go:40:7
//	func (h *Head) Append(ref uint64) error · method tsdb/head.go:30:16
//	Append adds one sample.
func typeLines(r *query.TypeResult) string {
	return eachLook(r.Answers, r.Tokens(), func(l *query.Look, room int) string {
		var b strings.Builder
		first, rest := typeOf(l), ""
		if isTypeKind(l.Kind) && l.Sig != "" && l.Sig != first {
			rest = shorten(l.Sig, 60) + "\n"
		}
		of := subjectOf(l, first)
		if first == "" {
			b.WriteString("no type" + flag(!l.Checked, " known") + ": " + of + "\n")
		} else {
			b.WriteString(cutType(first, room-Tokens(of)-Tokens(rest)) + " · " + of + "\n" + rest)
		}
		if d := sentence(l.Doc); d != "" {
			b.WriteString(shorten(d, 50) + "\n")
		}
		return b.String()
	})
}

// eachLook joins the answers for each meaning, each within its share of the budget.
func eachLook(ls []query.Look, budget int, text func(l *query.Look, room int) string) string {
	var b strings.Builder
	used := 0
	for i := range ls {
		t := text(&ls[i], share(budget, used, len(ls)-i))
		used += Tokens(t)
		b.WriteString(t)
	}
	return b.String()
}

// typeOf is what an asker for the type wants to read first; "" for what has none.
func typeOf(l *query.Look) string {
	switch {
	case l.Sig != "" && (l.Type == "" || isCallableKind(l.Kind)):
		return oneLine(l.Sig)
	case l.Type == "" && l.Value != "":
		return oneLine(l.Value)
	case l.Type == "":
		return ""
	case l.Value != "":
		return oneLine(l.Type) + " = " + shorten(l.Value, 40)
	}
	return oneLine(l.Type)
}

func isCallableKind(kind string) bool {
	switch kind {
	case "function", "method", "component", "test", "builtin":
		return true
	}
	return false
}

func isTypeKind(kind string) bool {
	switch kind {
	case "class", "struct", "interface", "trait", "type", "enum", "error":
		return true
	}
	return false
}

// subjectOf says of what the first line tells the type, and where it is declared.
func subjectOf(l *query.Look, first string) string {
	var words []string
	switch name := l.Name; {
	case name == "" && l.Expr != "":
		words = append(words, shorten(l.Expr, 30))
	case name != "" && !hasWord(first, name[strings.LastIndexByte(name, '.')+1:]):
		words = append(words, name)
	}
	words = append(words, l.Kind)
	switch {
	case len(l.Definitions) == 0:
		if l.File != "" && l.Kind != "builtin" && l.Kind != "keyword" {
			words = append(words, spotOf(&l.Place))
		}
	case l.Definitions[0].Outside:
		words = append(words, "("+outsideOf(&l.Definitions[0])+")")
	default:
		words = append(words, spotOf(&l.Definitions[0].Place))
		if n := len(l.Definitions) - 1; n > 0 {
			words = append(words, fmt.Sprintf("+%d", n))
		}
	}
	if l.Namesakes > 0 {
		words = append(words, fmt.Sprintf("(%d more named so)", l.Namesakes))
	}
	return strings.Join(words, " ")
}

func outsideOf(d *query.Definition) string {
	if d.Module == "" {
		return "outside the project"
	}
	return d.Module
}

// hasWord reports whether a name stands in the text as a word of its own.
func hasWord(text, name string) bool {
	return slices.Contains(strings.FieldsFunc(text, func(r rune) bool { return !isNameRune(r) }), name)
}

// spotOf is a place with its column.
func spotOf(p *query.Place) string {
	if p.Line == 0 || p.Col == 0 {
		return at(p.File, p.Line)
	}
	return fmt.Sprintf("%s:%d", at(p.File, p.Line), p.Col)
}

// cutType cuts a type that is longer than its room and says how to see the rest.
func cutType(s string, room int) string {
	if n := Tokens(s); n > max(room, 20) {
		return shorten(s, max(room-12, 20)) + fmt.Sprintf(" (--budget %d)", roundUp(n+n/4+60))
	}
	return s
}

func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }

// sentence is the first sentence of a comment, or its first paragraph.
func sentence(doc string) string {
	doc = strings.TrimSpace(doc)
	if i := strings.Index(doc, "\n\n"); i >= 0 {
		doc = doc[:i]
	}
	doc = oneLine(doc)
	for i := 0; i+1 < len(doc); i++ {
		if (doc[i] == '.' || doc[i] == '!' || doc[i] == '?') && doc[i+1] == ' ' && !abbreviated(doc[:i]) {
			return doc[:i+1]
		}
	}
	return doc
}

// abbreviated reports whether a full stop behind the text ends no sentence: "e.g", "i.e".
func abbreviated(text string) bool {
	word := text[strings.LastIndexByte(text, ' ')+1:]
	return len(word) == 1 || strings.Contains(word, ".") && len(word) <= 4 || word == "vs" || word == "cf" || word == "etc"
}

func typeTable(r *query.TypeResult) table {
	t := table{head: []string{"name", "kind", "type", "value", "file", "line", "column"}}
	for _, l := range r.Answers {
		name, typ := l.Name, l.Type
		if name == "" {
			name = l.Expr
		}
		if typ == "" {
			typ = l.Sig
		}
		t.add(name, l.Kind, typ, l.Value, l.File, l.Line, l.Col)
	}
	return t
}

// Type002 prints the answer in the form of get_type in the manual of cot's server.
func Type002(r *query.TypeResult) string {
	var b strings.Builder
	for i := range r.Answers {
		l := &r.Answers[i]
		typ := typeOf(l)
		if typ == "" {
			typ = "none (" + l.Kind + ")"
		}
		fmt.Fprintf(&b, "Type at line %d, col %d: %s\n", l.Line, l.Col, typ)
	}
	return b.String()
}

package format

import (
	"fmt"
	"strings"
	"unicode"

	"github.com/settgraph/sett/query"
)

// defLines prints
//
//	def Head.Append tsdb/head.go:30:16 method
//	func (h *Head) Append(ref uint64) error
//	Append adds one sample.
func defLines(r *query.DefResult) string {
	return eachLook(r.Answers, r.Tokens(), func(l *query.Look, room int) string {
		var b strings.Builder
		for _, d := range l.Definitions {
			b.WriteString(defLine(&d))
		}
		if len(l.Definitions) == 0 {
			b.WriteString(nowhere(l) + "\n")
		}
		head := strings.TrimSuffix(b.String(), "\n")
		if l.Namesakes > 0 {
			head += fmt.Sprintf("\n%d more named so", l.Namesakes)
		}
		head = cutLines(head, room, func(n int) string {
			return fmt.Sprintf("+%s: --budget %d", plural(n, "definition"), roundUp(Tokens(head)+100))
		})
		tail := ""
		if l.Sig != "" {
			tail += "\n" + shorten(l.Sig, 60)
		}
		if d := sentence(l.Doc); d != "" {
			tail += "\n" + shorten(d, 50)
		}
		return head + tail + "\n"
	})
}

func defLine(d *query.Definition) string {
	place := spotOf(&d.Place)
	if d.File == "" {
		place = "(" + outsideOf(d) + ")"
	}
	return fmt.Sprintf("def %s %s %s\n", d.Name, place, d.Kind)
}

// nowhere says why there is no definition to show.
func nowhere(l *query.Look) string {
	switch {
	case l.Kind == "builtin":
		return l.Name + " is built in: no definition"
	case l.Kind == "keyword":
		return l.Name + " is a keyword: no definition"
	case l.Name == "" && l.Type != "":
		return fmt.Sprintf("no definition: %s is an expression of type %s", shorten(l.Expr, 30), shorten(l.Type, 60))
	case l.Name == "":
		return fmt.Sprintf("no definition: %s is an expression", shorten(l.Expr, 30))
	}
	return fmt.Sprintf("no definition of %s %s is known", l.Kind, l.Name)
}

func isNameRune(r rune) bool {
	return r == '_' || r == '$' || unicode.IsLetter(r) || unicode.IsDigit(r)
}

func defTable(r *query.DefResult) table {
	t := table{head: []string{"name", "kind", "file", "line", "column", "module", "signature"}}
	for _, l := range r.Answers {
		for _, d := range l.Definitions {
			t.add(d.Name, d.Kind, d.File, d.Line, d.Col, d.Module, l.Sig)
		}
	}
	return t
}

// Definition002 prints the answer in the form of find_definition in the manual of cot's
// server.
func Definition002(r *query.DefResult) string {
	var b strings.Builder
	for i := range r.Answers {
		l := &r.Answers[i]
		for _, d := range l.Definitions {
			if d.File == "" {
				fmt.Fprintf(&b, "Defined in %s (%s)\n", outsideOf(&d), declaration(d.Kind))
				continue
			}
			fmt.Fprintf(&b, "Defined at %s (%s)\n", spotOf(&d.Place), declaration(d.Kind))
		}
		if len(l.Definitions) == 0 {
			b.WriteString(nowhere(l) + "\n")
		}
	}
	return b.String()
}

// declaration names what declares things of a kind.
func declaration(kind string) string {
	switch kind {
	case "parameter", "receiver", "result", "type parameter", "label", "import", "package", "file", "module":
		return kind
	}
	return kind + " declaration"
}

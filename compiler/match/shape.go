package match

import (
	"slices"
	"sort"

	"github.com/settgraph/sett/compiler/source"
	"github.com/settgraph/sett/compiler/syntax"
	"github.com/settgraph/sett/compiler/xref"
)

// shape is what is compared of the text of a declaration. Comments, newlines, commas, `pub`
// and its own name count for nothing, names that are other ones now for what they are now.
type shape struct {
	all  uint64   // a hash of all tokens
	rest uint64   // likewise, with its own name inside as it is: of fields and the like, the type
	body int      // the number of tokens of the body, or of what is in the braces
	head []uint64 // tokens before the body, sorted
	two  []uint64 // neighbours in the body, its ends included, sorted
}

const (
	basis uint64 = 14695981039346656037
	prime uint64 = 1099511628211
)

func hash(s string) uint64 {
	h := basis
	for i := range len(s) {
		h = (h ^ uint64(s[i])) * prime
	}
	return h
}

// mix is a hash of two in their order.
func mix(a, b uint64) uint64 {
	h := (a*prime ^ b) * 0x9e3779b97f4a7c15
	return h ^ h>>29
}

var (
	ownName = hash("\x00name")
	brink   = hash("\x00edge")
)

// shape is that of a declaration of either side; old ones are read with the names of now.
func (m *matcher) shape(d *xref.Decl) *shape {
	if s := m.tokens[d]; s != nil {
		return s
	}
	s := m.newShape(d)
	m.tokens[d] = s
	return s
}

func (m *matcher) newShape(d *xref.Decl) *shape {
	s := &shape{all: basis, rest: basis}
	body := bodySpan(d)
	last := brink
	for _, t := range tokens(d.File, d.Full) {
		switch t.Kind {
		case syntax.NEWLINE, syntax.COMMENT, syntax.COMMA, syntax.PUB, syntax.EOF:
			continue
		}
		h := uint64(0)
		text := d.File.Src.Text[t.At.Start:t.At.End]
		switch {
		case t.At.Start == d.NameAt.Start:
			h = ownName
		case t.Kind == syntax.IDENT && text == d.Name:
			h = ownName
			s.rest = mix(s.rest, hash(text))
		case t.Kind == syntax.IDENT && m.names[text] != "":
			h = hash(m.names[text])
			s.rest = mix(s.rest, h)
		default:
			h = hash(text)
			s.rest = mix(s.rest, h)
		}
		s.all = mix(s.all, h)
		switch {
		case t.At.Start < body.Start || t.At.Start >= body.End:
			s.head = append(s.head, h)
		case t.At.Start == body.Start || t.At.End == body.End: // the braces
		default:
			s.body++
			s.two = append(s.two, mix(last, h))
			last = h
		}
	}
	if s.body > 0 {
		s.two = append(s.two, mix(last, brink))
	}
	slices.Sort(s.head)
	slices.Sort(s.two)
	return s
}

// bodySpan is the block of a declaration with its braces; empty where there is none.
func bodySpan(d *xref.Decl) source.Span {
	none := source.Span{Start: d.Full.End, End: d.Full.End}
	switch n := d.Node.(type) {
	case *syntax.FuncDecl:
		if n.Body == nil {
			return none
		}
		return n.Body.Span()
	case *syntax.TestDecl:
		if n.Body == nil {
			return none
		}
		return n.Body.Span()
	case *syntax.ClassDecl, *syntax.TraitDecl, *syntax.EnumDecl, *syntax.ErrorDecl, *syntax.AppDecl:
		for _, t := range tokens(d.File, d.Full) {
			if t.Kind == syntax.LBRACE {
				return source.Span{Start: t.At.Start, End: d.Full.End}
			}
		}
	}
	return none
}

// tokens are those of a file in a span.
func tokens(f *syntax.File, at source.Span) []syntax.Token {
	all := f.Tokens
	lo := sort.Search(len(all), func(i int) bool { return all[i].At.Start >= at.Start })
	hi := lo + sort.Search(len(all)-lo, func(i int) bool { return all[lo+i].At.Start >= at.End })
	return all[lo:hi]
}

// dice is how much of two sorted lists is in both: 0 nothing, 1 everything.
func dice(a, b []uint64) float64 {
	if len(a)+len(b) == 0 {
		return 1
	}
	both := 0
	for i, j := 0, 0; i < len(a) && j < len(b); {
		switch {
		case a[i] < b[j]:
			i++
		case a[i] > b[j]:
			j++
		default:
			both++
			i++
			j++
		}
	}
	return 2 * float64(both) / float64(len(a)+len(b))
}

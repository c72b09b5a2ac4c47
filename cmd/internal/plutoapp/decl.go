package plutoapp

import (
	"context"
	"fmt"
	"regexp"
	"strings"

	"github.com/google/uuid"

	"github.com/settgraph/sett/cmd/internal/params"
	"github.com/settgraph/sett/compiler/syntax"
	"github.com/settgraph/sett/compiler/xref"
	"github.com/settgraph/sett/sdk/pluto"
)

var (
	idLike = regexp.MustCompile(`^[0-9a-fA-F]{8}[0-9a-fA-F-]*$`)
	handle = regexp.MustCompile(`^[\pL_][\pL\pN_./:#-]*$`)
)

// find is the declaration that the arguments name.
func (c *Call) find(ctx context.Context, symbol, path string, kinds ...xref.Kind) (*pluto.Decl, error) {
	v, err := c.look(ctx)
	if err != nil {
		return nil, err
	}
	if c.also == nil {
		return c.resolve(v, symbol, path, kinds...)
	}
	var all []*pluto.Decl
	for _, s := range c.also {
		d, err := c.resolve(v, s.value, path, kinds...)
		if err != nil || len(all) > 0 && d.ID != all[0].ID {
			return nil, &params.Error{Text: fmt.Sprintf("%s and %s are the same parameter and disagree: %q and %q",
				c.also[0].name, c.also[1].name, clip(c.also[0].value), clip(c.also[1].value))}
		}
		all = append(all, d)
	}
	return all[0], nil
}

func (c *Call) resolve(v *pluto.View, symbol, path string, kinds ...xref.Kind) (*pluto.Decl, error) {
	if symbol == "" {
		return nil, &params.Error{Param: "symbol", Text: "it is empty"}
	}
	if idLike.MatchString(symbol) && path != "" {
		d, err := v.ResolveKinds(symbol, "", kinds...)
		if err != nil {
			return nil, c.noDecl(err, symbol)
		}
		if rel, err := v.Path(path); err != nil {
			return nil, err
		} else if m, err := v.Module(rel); err == nil && m.Path != d.Module.Path {
			return nil, &Failure{Code: "not_found", Text: fmt.Sprintf("%s %s is in %s, not in %s", d.Kind, d.Qual, d.Module.Path, m.Path),
				Hint: "leave path out, or name " + d.Module.Path}
		} else if err != nil && rel != "" && rel != "." && !strings.HasPrefix(d.Module.Path, strings.TrimSuffix(rel, "/")+"/") {
			return nil, err
		}
		return d, nil
	}
	d, err := v.ResolveKinds(symbol, path, kinds...)
	return onlyTests(d, err, symbol, c)
}

// onlyTests takes a name that a test has too to mean what is no test: a test is named by its
// handle or id.
func onlyTests(d *pluto.Decl, err error, symbol string, c *Call) (*pluto.Decl, error) {
	e := new(pluto.Error)
	if err == nil || !asEngine(err, &e) || e.Code != pluto.Ambiguous {
		return d, c.noDecl(err, symbol)
	}
	for _, candidate := range e.Candidates {
		switch {
		case candidate.Kind == xref.Test:
		case d != nil:
			return nil, err
		default:
			d = candidate
		}
	}
	if d == nil {
		return nil, err
	}
	return d, nil
}

// noDecl says that a UUID is none where one was expected.
func (c *Call) noDecl(err error, symbol string) error {
	switch {
	case err == nil || pluto.CodeOf(err) != pluto.NotFound:
		return err
	case idLike.MatchString(symbol):
		return &Failure{Code: "not_found", Text: "no declaration has the id " + symbol, Hint: "it may have been deleted; look it up by its name", err: err}
	case c.byID == "":
		return err
	}
	if _, bad := uuid.Parse(symbol); bad == nil || idLike.MatchString(symbol) || handle.MatchString(symbol) && !strings.Contains(symbol, "-") {
		return err
	}
	return &Failure{Code: "invalid_argument", Text: fmt.Sprintf("Invalid UUID: %s: %q has not the form of one", c.byID, clip(symbol)),
		Hint: "a UUID, its first 8 digits or more, or a handle like math/vectors.dot", err: err}
}

// spot reads a position: end, before:<symbol> or after:<symbol>.
func (c *Call) spot(v *pluto.View, position, path string, kinds ...xref.Kind) (pluto.Spot, error) {
	if position == "" || position == "end" {
		return pluto.Spot{}, nil
	}
	where, symbol, ok := strings.Cut(position, ":")
	if !ok || symbol == "" || where != "before" && where != "after" {
		return pluto.Spot{}, &params.Error{Param: "position", Text: fmt.Sprintf("%q is none", clip(position)), Choices: []string{"end", "before:<symbol>", "after:<symbol>"}}
	}
	d, err := v.ResolveKinds(symbol, path, kinds...)
	if err != nil {
		return pluto.Spot{}, err
	}
	if where == "before" {
		return pluto.Spot{Before: d}, nil
	}
	return pluto.Spot{After: d}, nil
}

// kindWords are the kinds that the tools know, in the order in which they are listed.
var topKinds = []xref.Kind{xref.Function, xref.Class, xref.Enum, xref.Trait, xref.Error, xref.App, xref.Test, xref.Extern}

// kinds reads a kind; "" is all of them.
func kinds(word string, members bool) ([]xref.Kind, error) {
	if word == "" {
		return nil, nil
	}
	known := topKinds
	if members {
		known = append(known[:len(known):len(known)], xref.Method, xref.Field, xref.Variant)
	}
	var words []string
	for _, k := range known {
		if k.String() == word {
			return []xref.Kind{k}, nil
		}
		words = append(words, k.String())
	}
	return nil, &params.Error{Param: "kind", Text: fmt.Sprintf("Unknown kind '%s'. Valid: %s", clip(word), strings.Join(words, ", ")), Near: params.Near(word, words)}
}

// short is the part of an id that lists show.
func short(id uuid.UUID) string { return id.String()[:8] }

// row is a declaration on one line: signature, id, place.
func row(d *pluto.Decl) string {
	p := d.Place()
	text := head(d)
	if d.Parent != nil {
		text = d.Kind.String() + " " + d.Qual + ": " + text
	}
	return fmt.Sprintf("%s  %s  %s:%s", text, short(d.ID), d.Module.Path, lineRange(p))
}

func lineRange(p pluto.Place) string {
	if p.EndLine == p.Line {
		return fmt.Sprint(p.Line)
	}
	return fmt.Sprintf("%d-%d", p.Line, p.EndLine)
}

// head is the declaration as written, without its body, on one line.
func head(d *pluto.Decl) string {
	if d.Kind == xref.Module {
		return "module " + d.Module.Name
	}
	text := d.Bare()
	end := int32(len(text))
	cut := func(at int32) {
		if at >= d.Full.Start && at-d.Full.Start < end {
			end = at - d.Full.Start
		}
	}
	switch n := d.Node.(type) {
	case *syntax.FuncDecl:
		for _, c := range n.Requires {
			cut(c.Span().Start)
		}
		for _, c := range n.Ensures {
			cut(c.Span().Start)
		}
		if n.Body != nil {
			cut(n.Body.Span().Start)
		}
	case *syntax.Param, *syntax.Variant, *syntax.ExternDecl:
	default:
		if i := strings.IndexByte(text, '{'); i >= 0 && d.Kind != xref.Test {
			end = int32(i)
		} else if d.Kind == xref.Test {
			cut(d.NameAt.End)
		}
	}
	return strings.TrimRight(strings.Join(strings.Fields(text[:max(end, 0)]), " "), " ,")
}

// signature is the head without `pub`.
func signature(d *pluto.Decl) string { return strings.TrimPrefix(head(d), "pub ") }

// span is a place as both documents have it.
func span(p pluto.Place) *object {
	return (&object{}).put("start", p.Start).put("end", p.End).
		put("start_line", p.Line).put("start_col", p.Col).put("end_line", p.EndLine).put("end_col", p.EndCol)
}

// rows is how many rows an answer of lines shows unless it is asked for another number;
// JSON shows all.
func (c *Call) rows(usual int) int {
	if c.json {
		return 0
	}
	return usual
}

// slice is a part of a list, and a line that says which when it is not all of it.
func slice[T any](p page, list []T, usual int, what string) (part []T, cut string, err error) {
	start := 0
	if p.Cursor != "" {
		if _, err := fmt.Sscanf(p.Cursor, "%d", &start); err != nil || start < 0 {
			return nil, "", &params.Error{Param: "cursor", Text: fmt.Sprintf("%q is none that an answer gave", clip(p.Cursor))}
		}
		start = min(start, len(list))
	}
	if p.Limit < 0 {
		return nil, "", &params.Error{Param: "limit", Text: "want something positive"}
	}
	limit := p.Limit
	if limit == 0 {
		limit = usual
	}
	end := len(list)
	if limit > 0 {
		end = min(end, start+limit)
	}
	if start > 0 || end < len(list) {
		cut = fmt.Sprintf("showing %d-%d of %s", min(start+1, end), end, plural(len(list), what))
		if end < len(list) {
			cut += fmt.Sprintf("; cursor %d goes on", end)
		}
		cut += "\n"
	}
	return list[start:end], cut, nil
}

func plural(n int, what string) string {
	switch {
	case n == 1:
		return "1 " + what
	case strings.HasSuffix(what, "s"):
		return fmt.Sprintf("%d %ses", n, what)
	case strings.HasSuffix(what, "y"):
		return fmt.Sprintf("%d %sies", n, what[:len(what)-1])
	}
	return fmt.Sprintf("%d %ss", n, what)
}

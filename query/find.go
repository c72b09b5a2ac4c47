package query

import (
	"cmp"
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/settgraph/sett/graph"
)

// FindArgs asks where declarations are.
type FindArgs struct {
	Symbol   string   `json:"symbol" pos:"0" alias:"pattern,name,query" help:"name, handle, prefix (New*), regular expression, file:line or UUID"`
	Kind     []string `json:"kind" short:"k" help:"comma list: function,method,struct,interface,type,..."`
	Path     string   `json:"path" short:"p" help:"only in this file, folder or glob"`
	Limit    int      `json:"limit" default:"20" short:"n" help:"show at most this many"`
	Sig      bool     `json:"sig" help:"show signatures"`
	NoTests  bool     `json:"no_tests" help:"leave out test files"`
	External bool     `json:"external" mcp:"-" help:"also what is declared outside the project"`
	Shape
}

// FindResult lists declarations, the likeliest first.
type FindResult struct {
	Room
	Hits  []Hit `json:"hits"`
	Total int   `json:"total"`
	Sigs  bool  `json:"-"` // signatures were asked for
}

// A Hit is a declaration that was found.
type Hit struct {
	Ref
	Col int    `json:"col,omitempty"`
	Sig string `json:"signature,omitempty"`
}

var findSpec = define(Spec{
	Verb:    "find",
	Tool:    "find_symbol",
	Title:   "Find symbols",
	Short:   "find where a symbol is declared",
	Long:    "Use to locate declarations by name instead of text search: an exact or qualified name, a prefix (New*), a regular expression (/^Test.*OOO/) or a place. Answers lines `def <name> <file>:<line> <kind>`, best match first.",
	Example: []string{"sett find NewHead", "sett find 'New*' --kind function --path tsdb", "sett find '/^Test.*OOO/' --sig"},
}, find)

func find(ctx context.Context, g *graph.Snapshot, args *FindArgs) (*FindResult, error) {
	a := newAsker(ctx, g, args.Full)
	f := finder{asker: a, args: args}
	var err error
	if f.kinds, err = parseKinds("kind", args.Kind); err != nil {
		return nil, err
	}
	if f.path, err = newPathFilter("path", args.Path); err != nil {
		return nil, err
	}
	if cleanName(args.Symbol) == "" {
		return nil, &InvalidError{"symbol", "it is missing: a name, a prefix (New*), a regular expression, file:line or a UUID"}
	}
	if err := f.search(); err != nil {
		return nil, err
	}
	if a.err != nil {
		return nil, a.err
	}
	if len(f.found) == 0 {
		return nil, f.nothing()
	}
	return f.result(), nil
}

type finder struct {
	*asker
	args  *FindArgs
	kinds kindSet
	path  *pathFilter
	found []found
	other []graph.NodeID // what has the name but not the kind or path
}

type found struct {
	id    graph.NodeID
	rank  int
	order int // by importance: exported and not of tests first
	name  string
}

// search collects what the pattern means: the first reading that gives something counts.
func (f *finder) search() error {
	typed := f.args.Symbol
	name := cleanName(typed)
	if strings.HasPrefix(typed, "*") && globWord.MatchString(typed) {
		name = "" // not a pointer but a name that ends so
	} else if ids := match(f.g, name); f.add(rankExact, ids...) > 0 || len(f.other) > 0 {
		return nil
	}
	if position.MatchString(name) {
		ids, err := resolveAt(f.g, name)
		if err != nil {
			return err
		}
		f.add(rankExact, ids...)
		return nil
	}
	if ids := byUUID(f.g, name); len(ids) > 0 {
		f.add(rankExact, ids...)
		return nil
	}
	re, prefix, err := pattern(strings.TrimSpace(typed))
	if err != nil {
		return err
	}
	if re != nil {
		f.regexp(re, prefix)
		return nil
	}
	f.names(name)
	return nil
}

// names looks at all names: any case, prefixes, and words within.
func (f *finder) names(typed string) {
	qualified, word := "", typed
	if i := strings.LastIndexAny(typed, ".#"); i >= 0 {
		qualified, word = typed[:i+1], typed[i+1:]
	}
	if word == "" {
		return
	}
	f.g.Names("", func(name string, ids []graph.NodeID) bool {
		r := rankName(name, word)
		if r == rankNone || r == rankExact && qualified == "" {
			return !f.stop()
		}
		for _, id := range ids {
			if n := f.g.Node(id); n == nil || isModule(n) && f.kinds == nil {
				continue // files and packages are found by their paths
			}
			// With a front part, the whole must fit: Head.app finds Head.Append.
			if qualified != "" {
				if n := f.g.Node(id); n == nil || matches(n, qualified+name, true) < matchPlain {
					continue
				}
			}
			f.add(r, id)
		}
		return !f.stop()
	})
	best := rankNone
	for _, m := range f.found {
		best = min(best, m.rank)
	}
	if best == rankFold { // a name in another case is what was meant
		f.found = slices.DeleteFunc(f.found, func(m found) bool { return m.rank != rankFold })
	}
}

func (f *finder) regexp(re *regexp.Regexp, prefix string) {
	dotted := strings.Contains(re.String(), `.`)
	f.g.Names(prefix, func(name string, ids []graph.NodeID) bool {
		whole := re.MatchString(name)
		if !whole && !dotted {
			return !f.stop()
		}
		for _, id := range ids {
			if !whole {
				if n := f.g.Node(id); n == nil || !strings.Contains(n.Qual, ".") || !re.MatchString(n.Qual) {
					continue
				}
			}
			f.add(rankPrefix, id)
		}
		return !f.stop()
	})
}

// add keeps the declarations that pass the filters and returns how many did.
func (f *finder) add(rank int, ids ...graph.NodeID) int {
	kept := 0
	for _, id := range ids {
		n := f.g.Node(id)
		if n == nil || n.External && (!f.args.External || len(f.g.In(id)) == 0) {
			continue
		}
		if f.args.NoTests && n.Flags&graph.FlagTest != 0 {
			f.other = append(f.other, id)
			continue
		}
		if !f.kinds.has(n.Kind) || !f.path.node(f.g, n) {
			f.other = append(f.other, id)
			continue
		}
		f.found = append(f.found, found{id: id, rank: rank, order: importance(n), name: n.Name})
		kept++
	}
	return kept
}

func (f *finder) result() *FindResult {
	slices.SortStableFunc(f.found, func(a, b found) int {
		return cmp.Or(cmp.Compare(a.rank, b.rank), cmp.Compare(a.order, b.order), cmp.Compare(len(a.name), len(b.name)),
			cmp.Compare(a.name, b.name), cmp.Compare(a.id, b.id))
	})
	res := &FindResult{Hits: []Hit{}, Sigs: f.args.Sig, Total: len(f.found)}
	limit := f.args.Limit
	if limit <= 0 {
		limit = len(f.found)
	}
	for _, m := range f.found[:min(limit, len(f.found))] {
		h := Hit{Ref: f.ref(m.id)}
		n := f.g.Node(m.id)
		if len(n.Decls) > 0 {
			h.Col = int(n.Decls[0].Name.Col)
			if f.args.Sig || f.full {
				h.Sig = n.Decls[0].Sig
			}
		}
		res.Hits = append(res.Hits, h)
	}
	return res
}

// nothing says why nothing was found: the name is unknown, or the filters hid it.
func (f *finder) nothing() error {
	if len(f.other) > 0 {
		slices.Sort(f.other)
		n := f.g.Node(f.other[0])
		r := refTo(f.g, n)
		reason := fmt.Sprintf("no %s %q%s: %s is %s at %s:%d", orWord(strings.Join(f.args.Kind, " or "), "symbol"), f.args.Symbol,
			inWords(f.args.Path), r.Name, article(r.Kind), r.File, r.Line)
		if len(f.other) > 1 {
			reason += fmt.Sprintf(", and %d more", len(f.other)-1)
		}
		return &NotFoundError{Name: f.args.Symbol, Reason: reason}
	}
	re, _, err := pattern(f.args.Symbol)
	if err == nil && re != nil {
		return &NotFoundError{Name: f.args.Symbol, Reason: fmt.Sprintf("no symbol matches %q", f.args.Symbol)}
	}
	return notFound(f.g, f.args.Symbol)
}

func orWord(s, other string) string {
	if s == "" {
		return other
	}
	return s
}

func inWords(path string) string {
	if path == "" {
		return ""
	}
	return " in " + path
}

func article(noun string) string {
	if noun != "" && strings.ContainsRune("aeiou", rune(noun[0])) {
		return "an " + noun
	}
	return "a " + noun
}

var globWord = regexp.MustCompile(`^[\pL\pN_$.*]*\*[\pL\pN_$.*]*$`)

// pattern reads /re/, a name with stars, or anything with the other signs of a regular
// expression; re is nil for a plain name. Names with another prefix need not be tried.
func pattern(s string) (re *regexp.Regexp, prefix string, err error) {
	text := ""
	switch {
	case len(s) > 2 && s[0] == '/' && s[len(s)-1] == '/':
		text = s[1 : len(s)-1]
	case globWord.MatchString(s) && !strings.Contains(s, ".*"):
		parts := strings.Split(s, "*")
		if !strings.Contains(parts[0], ".") {
			prefix = parts[0]
		}
		for i := range parts {
			parts[i] = regexp.QuoteMeta(parts[i])
		}
		text = "^" + strings.Join(parts, ".*") + "$"
	case strings.ContainsAny(s, `^|()[]{}+?*\`) || strings.HasSuffix(s, "$"):
		text = s
	default:
		return nil, "", nil
	}
	if len(text) > 1000 {
		return nil, "", &InvalidError{"symbol", "the regular expression is longer than 1000 bytes"}
	}
	re, err = regexp.Compile(text)
	if err != nil {
		msg := strings.TrimPrefix(err.Error(), "error parsing regexp: ")
		return nil, "", &InvalidError{"symbol", fmt.Sprintf("bad regular expression %q: %s", text, msg)}
	}
	return re, prefix, nil
}

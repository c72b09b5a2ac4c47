package query

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/settgraph/sett/graph"
)

// Selector says which declaration a question is about. It is embedded by the arguments
// of questions about one.
type Selector struct {
	Symbol string `json:"symbol" pos:"0?" alias:"id,uuid,name,class_id,class_name,target_id,old_name" help:"handle (tsdb.NewHead, Head.Append), name, file:line[:col] or UUID"`
	At     string `json:"at" mcp:"-" help:"file:line[:col] of a declaration or use, instead of a symbol"`
}

// maxMeanings is how many meanings of an ambiguous name are answered together.
const maxMeanings = 3

// maxCandidates is how many meanings an [AmbiguousError] lists.
const maxCandidates = 5

// A target is a declaration that a selector means.
type target struct {
	id        graph.NodeID
	namesakes int // weaker meanings of the name, not answered for
}

// targets resolves a selector to at most most meanings, narrowed to files that within
// accepts.
func (a *asker) targets(sel Selector, within string, most int) ([]target, error) {
	name := sel.At
	if name == "" {
		name = sel.Symbol
	}
	ids, weaker, err := resolve(a.g, sel, within)
	if err != nil {
		return nil, err
	}
	if len(ids) > most {
		return nil, ambiguous(a.g, name, ids)
	}
	ts := make([]target, len(ids))
	for i, id := range ids {
		ts[i] = target{id, weaker}
	}
	return ts, nil
}

func ambiguous(g *graph.Snapshot, name string, ids []graph.NodeID) error {
	e := &AmbiguousError{Name: name, Total: len(ids)}
	// Those that were most likely meant first.
	order := make(map[graph.NodeID]int, len(ids))
	for _, id := range ids {
		order[id] = importance(g.Node(id))
	}
	ids = slices.Clone(ids)
	slices.SortStableFunc(ids, func(a, b graph.NodeID) int { return order[a] - order[b] })
	for _, id := range ids[:min(len(ids), maxCandidates)] {
		r := refTo(g, g.Node(id))
		r.Handle = Handle(g, id)
		e.Candidates = append(e.Candidates, r)
	}
	return e
}

// Resolve returns the declarations that a selector means, in the order of ids: at least
// one when err is nil. A qualified name may leave out the front; all of a qualified name
// beats its end, exact case beats any case, and what the project declares beats
// externals. within, if not empty, keeps only what the file, folder or glob declares.
// An error is a [NotFoundError] or an [InvalidError].
func Resolve(g *graph.Snapshot, sel Selector, within string) ([]graph.NodeID, error) {
	ids, _, err := resolve(g, sel, within)
	return ids, err
}

func resolve(g *graph.Snapshot, sel Selector, within string) (ids []graph.NodeID, weaker int, err error) {
	if sel.At != "" {
		if sel.Symbol != "" {
			return nil, 0, &InvalidError{"at", "give a symbol or a position, not both"}
		}
		ids, err := resolveAt(g, sel.At)
		return ids, 0, err
	}
	name := cleanName(sel.Symbol)
	if name == "" {
		return nil, 0, &InvalidError{"symbol", "it is missing: a handle, a name, file:line[:col] or a UUID"}
	}
	in, err := newPathFilter("path", within)
	if err != nil {
		return nil, 0, err
	}
	narrow := func(ids []graph.NodeID) []graph.NodeID {
		if in == nil {
			return ids
		}
		return slices.DeleteFunc(ids, func(id graph.NodeID) bool { return !in.node(g, g.Node(id)) })
	}
	elsewhere := 0
	for _, fold := range []bool{false, true} {
		if fold {
			// Positions and UUIDs are no names in another case.
			if position.MatchString(name) {
				ids, err := resolveAt(g, name)
				return ids, 0, err
			}
			if ids := byUUID(g, name); len(ids) > 0 {
				return ids, 0, nil
			}
		}
		found, weaker := matchAll(g, name, fold)
		if kept := narrow(slices.Clone(found)); len(kept) > 0 {
			if in != nil {
				weaker = 0
			}
			return kept, weaker, nil
		}
		if elsewhere = len(found); elsewhere > 0 {
			break
		}
	}
	if elsewhere > 0 {
		return nil, 0, &NotFoundError{Name: sel.Symbol, Reason: fmt.Sprintf("no symbol %q in %s, %d elsewhere", sel.Symbol, within, elsewhere)}
	}
	return nil, 0, notFound(g, sel.Symbol)
}

var receiver = regexp.MustCompile(`\(\*?([\pL_$][\pL\pN_$]*)\)\.`)

// cleanName turns the ways in which people write names into ours: (*Head).Append,
// tsdb.NewHead(), ./src/app.ts.
func cleanName(s string) string {
	s = strings.TrimSpace(s)
	s = strings.TrimSuffix(s, "()")
	s = receiver.ReplaceAllString(s, "$1.")
	s = strings.TrimPrefix(s, "*")
	for strings.HasPrefix(s, "./") {
		s = s[2:]
	}
	if len(s) > 1 {
		s = strings.TrimSuffix(s, "/")
	}
	return s
}

var position = regexp.MustCompile(`^(.+?):(\d+)(?::(\d+))?$`)

// resolveAt returns what a position names: the declaration there, else what is used
// there, else the innermost declaration around it.
func resolveAt(g *graph.Snapshot, at string) ([]graph.NodeID, error) {
	m := position.FindStringSubmatch(strings.TrimSpace(at))
	if m == nil {
		return nil, &InvalidError{"at", fmt.Sprintf("%q is not file:line or file:line:col", at)}
	}
	line, err1 := strconv.ParseUint(m[2], 10, 31)
	col := uint64(0)
	var err2 error
	if m[3] != "" {
		col, err2 = strconv.ParseUint(m[3], 10, 31)
	}
	if err1 != nil || err2 != nil || line == 0 {
		return nil, &InvalidError{"at", fmt.Sprintf("%q: lines and columns count from 1", at)}
	}
	f, err := findFile(g, cleanName(m[1]))
	if err != nil {
		return nil, err
	}
	pos := graph.Pos{Line: uint32(line), Col: uint32(col)}
	if f.Lines > 0 && pos.Line > f.Lines {
		return nil, &NotFoundError{Name: at, Reason: fmt.Sprintf("%s has %d lines", f.Path, f.Lines)}
	}
	hit := g.At(f.ID, pos)
	if hit.Decl != graph.NoNode {
		return []graph.NodeID{hit.Decl}, nil
	}
	if len(hit.Uses) > 0 {
		var ids []graph.NodeID
		for _, e := range hit.Uses {
			ids = append(ids, e.To)
		}
		slices.Sort(ids)
		return slices.Compact(ids), nil
	}
	if id := enclosing(g, f.ID, pos.Line); id != graph.NoNode {
		return []graph.NodeID{id}, nil
	}
	return nil, &NotFoundError{Name: at, Reason: fmt.Sprintf("nothing is declared or used at %s:%d", f.Path, pos.Line)}
}

// enclosing returns the innermost declaration around a line, the file for lack of one.
func enclosing(g *graph.Snapshot, f graph.FileID, line uint32) graph.NodeID {
	best, size := graph.NoNode, ^uint32(0)
	for _, id := range g.InFile(f) {
		n := g.Node(id)
		if n == nil || n.Kind == graph.KindPackage {
			continue
		}
		for _, d := range n.Decls {
			if d.File == f && d.Full.Line <= line && line <= d.Full.EndLine && d.Full.End-d.Full.Off <= size {
				best, size = id, d.Full.End-d.Full.Off
			}
		}
	}
	return best
}

// findFile finds a file by its path from the root, or by the end of it when only one
// file ends so.
func findFile(g *graph.Snapshot, p string) (*graph.File, error) {
	if f, ok := g.FileByPath(p); ok {
		return f, nil
	}
	var found []*graph.File
	for i := range g.Files() {
		if f := g.File(graph.FileID(i)); f.Node != graph.NoNode && pathTail(f.Path, p) {
			found = append(found, f)
		}
	}
	switch len(found) {
	case 0:
		return nil, &NotFoundError{Name: p, Reason: fmt.Sprintf("no indexed file %q", p), Near: nearFiles(g, p)}
	case 1:
		return found[0], nil
	}
	var near []string
	for _, f := range found[:min(3, len(found))] {
		near = append(near, f.Path)
	}
	return nil, &NotFoundError{Name: p, Reason: fmt.Sprintf("%d files end in %q", len(found), p), Near: near}
}

// nearFiles suggests files of the same base name.
func nearFiles(g *graph.Snapshot, p string) []string {
	var near []string
	for _, f := range g.Files() {
		if f.Node != graph.NoNode && lastElem(f.Path) == lastElem(p) && len(near) < 3 {
			near = append(near, f.Path)
		}
	}
	return near
}

var uuidPrefix = regexp.MustCompile(`^[0-9a-fA-F]{8}[0-9a-fA-F-]{0,28}$`)

// byUUID returns the declarations whose UUID begins so.
func byUUID(g *graph.Snapshot, prefix string) []graph.NodeID {
	if !uuidPrefix.MatchString(prefix) {
		return nil
	}
	prefix = strings.ToLower(prefix)
	if !strings.Contains(prefix, "-") { // written without dashes
		var b strings.Builder
		for i := range len(prefix) {
			if i == 8 || i == 12 || i == 16 || i == 20 {
				b.WriteByte('-')
			}
			b.WriteByte(prefix[i])
		}
		prefix = b.String()
	}
	var ids []graph.NodeID
	for id := range graph.NodeID(g.NumNodes()) {
		if n := g.Node(id); n != nil && strings.HasPrefix(nodeUUID(n), prefix) {
			ids = append(ids, id)
		}
	}
	return ids
}

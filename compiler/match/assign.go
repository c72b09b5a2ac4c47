package match

import (
	"cmp"
	"slices"

	"github.com/settgraph/sett/compiler/xref"
)

const (
	enough = 6    // tokens of a body that say something even when several declarations have them
	most   = 8    // declarations that one is compared with in full
	budget = 2000 // places looked at to find these
	exact  = 128  // declarations on each side for which the best pairing is computed exactly
)

// same pairs what has the same tokens but for its name: first what kept its name and is in
// another file, then what stayed in its file, then the others.
func (m *matcher) same(olds, news []*xref.Decl) {
	type key struct {
		kind xref.Kind
		all  uint64
	}
	of := func(d *xref.Decl) key { return key{d.Kind, m.shape(d).all} }
	gone := groupBy(olds, of, m.oldFree)
	if len(gone) == 0 {
		return
	}
	come := groupBy(news, of, m.newFree)
	for k, g := range gone {
		h := come[k]
		if len(h) == 0 {
			continue
		}
		m.inOrder(g, h, func(d *xref.Decl) string { return d.Name })
		g, h = slices.DeleteFunc(g, not(m.oldFree)), slices.DeleteFunc(h, not(m.newFree))
		if len(g) == 0 || len(h) == 0 || k.kind == xref.Extern {
			continue
		}
		if body := m.shape(g[0]).body; body == 0 || body < enough && len(g) != len(h) {
			continue // only a signature, or a line that anybody writes
		}
		m.inOrder(g, h, func(d *xref.Decl) string { return d.Key.File })
		m.inOrder(g, h, func(*xref.Decl) string { return "" })
	}
}

func (m *matcher) oldFree(d *xref.Decl) bool { return m.partner[d] == nil }
func (m *matcher) newFree(d *xref.Decl) bool { return m.pairs[d] == nil }

func not(f func(*xref.Decl) bool) func(*xref.Decl) bool {
	return func(d *xref.Decl) bool { return !f(d) }
}

// inOrder pairs those with equal labels, the first with the first.
func (m *matcher) inOrder(olds, news []*xref.Decl, label func(*xref.Decl) string) {
	come := groupBy(news, label, m.newFree)
	for _, o := range olds {
		if g := come[label(o)]; len(g) > 0 && m.partner[o] == nil {
			m.pair(o, g[0], ByBody)
			come[label(o)] = g[1:]
		}
	}
}

// edge is a possible pair: indices into what is compared.
type edge struct {
	old, new int
	score    float64
}

// alike pairs what is similar, so that the similarity is the greatest over all pairs.
func (m *matcher) alike(olds, news []*xref.Decl) {
	gone := groupBy(olds, func(d *xref.Decl) xref.Kind { return d.Kind }, m.oldFree)
	come := groupBy(news, func(d *xref.Decl) xref.Kind { return d.Kind }, m.newFree)
	for kind, g := range gone {
		h := come[kind]
		if len(h) == 0 {
			continue
		}
		for _, e := range best(m.candidates(g, h)) {
			m.pair(g[e.old], h[e.new], ByLikeness)
		}
	}
}

// candidates are the pairs that are similar enough. What shares little that is rare with a
// declaration is not looked at.
func (m *matcher) candidates(olds, news []*xref.Decl) []edge {
	where := map[uint64][]int32{} // which old ones have two tokens side by side
	for i, o := range olds {
		for j, h := range m.shape(o).two {
			if two := m.shape(o).two; j == 0 || two[j-1] != h {
				where[h] = append(where[h], int32(i))
			}
		}
	}
	byName := groupBy(indices(len(olds)), func(i int) string { return olds[i].Name }, func(int) bool { return true })
	var edges []edge
	shared := make([]int, len(olds))
	for i, n := range news {
		two := slices.Compact(slices.Clone(m.shape(n).two))
		two = slices.DeleteFunc(two, func(h uint64) bool { return len(where[h]) == 0 })
		slices.SortFunc(two, func(a, b uint64) int {
			return cmp.Or(cmp.Compare(len(where[a]), len(where[b])), cmp.Compare(a, b))
		})
		var found []int
		left := budget
		for _, h := range two {
			list := where[h]
			list = list[:min(len(list), left)]
			left -= len(list)
			for _, o := range list {
				if shared[o]++; shared[o] == 1 {
					found = append(found, int(o))
				}
			}
		}
		slices.SortFunc(found, func(a, b int) int { return cmp.Or(cmp.Compare(shared[b], shared[a]), cmp.Compare(a, b)) })
		for _, o := range found {
			shared[o] = 0
		}
		found = append(found[:min(len(found), most)], byName[n.Name]...)
		slices.Sort(found)
		for _, o := range slices.Compact(found) {
			if score := m.similar(olds[o], n); score > 0 {
				edges = append(edges, edge{o, i, score})
			}
		}
	}
	return edges
}

func indices(n int) []int {
	is := make([]int, n)
	for i := range is {
		is[i] = i
	}
	return is
}

// similar is how much two declarations of one kind are alike, or 0 when it is not enough to
// take them for one. The shorter the bodies, the more must be the same: in `return a + b` and
// `return a - b` much is.
func (m *matcher) similar(old, new *xref.Decl) float64 {
	o, n := m.shape(old), m.shape(new)
	if o.body == 0 || n.body == 0 {
		return 0
	}
	body := dice(o.two, n.two)
	score := 0.8*body + 0.2*dice(o.head, n.head)
	if old.Name == new.Name { // it went to another file
		if body < 0.3 || score < 0.4 {
			return 0
		}
		return score + 0.5
	}
	if body < 0.5 || score < 0.5+3/float64(o.body+n.body) {
		return 0
	}
	if old.Key.File == new.Key.File {
		score += 0.05
	}
	return score
}

// best chooses edges of which no two share an end. In each part of the graph that hangs
// together the sum of scores is the greatest; in very large parts the best edges come first.
func best(edges []edge) []edge {
	if len(edges) == 0 {
		return nil
	}
	var chosen []edge
	for _, part := range parts(edges) {
		olds, news := ends(part, func(e edge) int { return e.old }), ends(part, func(e edge) int { return e.new })
		if len(olds) > exact || len(news) > exact {
			chosen = append(chosen, greedy(part)...)
			continue
		}
		n := max(len(olds), len(news))
		cost := make([][]float64, n)
		for i := range cost {
			cost[i] = make([]float64, n)
		}
		at := map[[2]int]edge{}
		for _, e := range part {
			i, _ := slices.BinarySearch(olds, e.old)
			j, _ := slices.BinarySearch(news, e.new)
			cost[i][j] = -e.score
			at[[2]int{i, j}] = e
		}
		for i, j := range hungarian(cost) {
			if e, ok := at[[2]int{i, j}]; ok {
				chosen = append(chosen, e)
			}
		}
	}
	return chosen
}

func ends(edges []edge, of func(edge) int) []int {
	var out []int
	for _, e := range edges {
		out = append(out, of(e))
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// parts are the connected parts of the graph, in the order of their first edges.
func parts(edges []edge) [][]edge {
	up := map[int]int{} // old i is 2i, new i is 2i+1
	var root func(x int) int
	root = func(x int) int {
		for {
			p, ok := up[x]
			if !ok || p == x {
				return x
			}
			if q, ok := up[p]; ok {
				up[x] = q
			}
			x = p
		}
	}
	for _, e := range edges {
		if a, b := root(2*e.old), root(2*e.new+1); a != b {
			up[a] = b
		}
	}
	index := map[int]int{}
	var out [][]edge
	for _, e := range edges {
		r := root(2 * e.old)
		i, ok := index[r]
		if !ok {
			i = len(out)
			index[r] = i
			out = append(out, nil)
		}
		out[i] = append(out[i], e)
	}
	return out
}

func greedy(edges []edge) []edge {
	edges = slices.Clone(edges)
	slices.SortFunc(edges, func(a, b edge) int {
		return cmp.Or(cmp.Compare(b.score, a.score), cmp.Compare(a.new, b.new), cmp.Compare(a.old, b.old))
	})
	olds, news := map[int]bool{}, map[int]bool{}
	return slices.DeleteFunc(edges, func(e edge) bool {
		if olds[e.old] || news[e.new] {
			return true
		}
		olds[e.old], news[e.new] = true, true
		return false
	})
}

// hungarian finds for each row of a square matrix a column of its own so that the sum of the
// costs is the least. It grows a solution row by row along cheapest alternating paths.
func hungarian(cost [][]float64) []int {
	n := len(cost)
	const inf = 1e18
	u, v := make([]float64, n+1), make([]float64, n+1)
	row := make([]int, n+1) // of a column, both from 1; 0 is none
	way := make([]int, n+1)
	for i := 1; i <= n; i++ {
		row[0] = i
		col := 0
		least := make([]float64, n+1)
		for j := range least {
			least[j] = inf
		}
		used := make([]bool, n+1)
		for row[col] != 0 {
			used[col] = true
			r, delta, next := row[col], inf, 0
			for j := 1; j <= n; j++ {
				if used[j] {
					continue
				}
				if c := cost[r-1][j-1] - u[r] - v[j]; c < least[j] {
					least[j], way[j] = c, col
				}
				if least[j] < delta {
					delta, next = least[j], j
				}
			}
			for j := 0; j <= n; j++ {
				if used[j] {
					u[row[j]] += delta
					v[j] -= delta
				} else {
					least[j] -= delta
				}
			}
			col = next
		}
		for col != 0 {
			row[col] = row[way[col]]
			col = way[col]
		}
	}
	out := make([]int, n)
	for j := 1; j <= n; j++ {
		out[row[j]-1] = j - 1
	}
	return out
}

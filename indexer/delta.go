package indexer

import (
	"fmt"
	"slices"
	"strings"

	"github.com/settgraph/sett/indexer/lang"
)

// checkUnits verifies what a front end says of its units and brings them in order.
func checkUnits(l lang.Language, files []lang.File, units []lang.Unit) ([]lang.Unit, error) {
	units = slices.Clone(units)
	slices.SortFunc(units, func(a, b lang.Unit) int { return strings.Compare(a.Name, b.Name) })
	owner := make(map[string]string, len(files))
	for _, f := range files {
		owner[f.Path] = ""
	}
	for i, u := range units {
		if i > 0 && units[i-1].Name == u.Name {
			return nil, fmt.Errorf("internal error: the %s front end has two units %s", l.Name, u.Name)
		}
		for _, f := range u.Files {
			switch other, ok := owner[f]; {
			case !ok:
				return nil, fmt.Errorf("internal error: unit %s has a file %s that is no source of %s", u.Name, f, l.Name)
			case other != "":
				return nil, fmt.Errorf("internal error: file %s is in the units %s and %s", f, other, u.Name)
			}
			owner[f] = u.Name
		}
	}
	return units, nil
}

// keys gives each unit the hash of all that its facts can depend on: the front end, its
// configuration, the unit's own files, and the shape of every unit that can be reached
// from it. base covers what is the same for all units of the language; files gives the
// hash of a file's contents.
func keys(base uint64, units []lang.Unit, files map[string]uint64) [][16]byte {
	at := make(map[string]int, len(units))
	for i, u := range units {
		at[u.Name] = i
	}
	deps := make([][]int, len(units))
	for i, u := range units {
		for _, name := range u.Deps {
			if j, ok := at[name]; ok {
				deps[i] = append(deps[i], j)
			}
		}
	}
	reach := reaches(units, deps)
	out := make([][16]byte, len(units))
	var e encoder
	for i, u := range units {
		e.buf = append(e.buf[:0], "sett unit 1\n"...)
		e.u64(base)
		e.str(u.Name)
		e.u64(u.Shape)
		for _, f := range u.Files {
			e.str(f)
			e.u64(files[f])
		}
		e.uint(uint64(len(u.Deps)))
		for _, name := range u.Deps {
			e.str(name)
			j, ok := at[name]
			if !ok { // a name that a later version of the files may give a meaning
				e.uint(0)
				continue
			}
			e.uint(1)
			e.buf = append(e.buf, reach[j][:]...)
		}
		out[i] = sum(e.buf)
	}
	return out
}

// reaches returns for each unit a hash of the names and shapes of all units that it
// reaches, itself included. Units that reach each other form a component and share it: a
// component is hashed by its members and the hashes of the components it leads to.
func reaches(units []lang.Unit, deps [][]int) [][16]byte {
	out := make([][16]byte, len(units))
	of := make([]int, len(units)) // the component of a unit
	var e encoder
	n := 0
	components(deps, func(members []int) {
		n++
		slices.Sort(members) // units are sorted by name
		e.buf = append(e.buf[:0], "sett reach 1\n"...)
		for _, i := range members {
			of[i] = n
			e.str(units[i].Name)
			e.u64(units[i].Shape)
		}
		var next [][16]byte
		for _, i := range members {
			for _, j := range deps[i] {
				if of[j] != n {
					next = append(next, out[j])
				}
			}
		}
		slices.SortFunc(next, func(a, b [16]byte) int { return strings.Compare(string(a[:]), string(b[:])) })
		for _, h := range slices.Compact(next) {
			e.buf = append(e.buf, h[:]...)
		}
		h := sum(e.buf)
		for _, i := range members {
			out[i] = h
		}
	})
	return out
}

// components calls f for each strongly connected component, those that it leads to
// first. It is Tarjan's algorithm with a stack of its own: chains of imports may be long.
func components(edges [][]int, f func(members []int)) {
	const unseen = 0
	order := make([]int, len(edges)) // when a node was met, from 1
	low := make([]int, len(edges))
	place := make([]int, len(edges)) // in the stack, from 1; 0 when it is not there
	var stack []int
	type frame struct{ node, edge int }
	var calls []frame
	clock := 0
	meet := func(v int) {
		clock++
		order[v], low[v] = clock, clock
		stack = append(stack, v)
		place[v] = len(stack)
		calls = append(calls, frame{node: v})
	}
	for root := range edges {
		if order[root] != unseen {
			continue
		}
		meet(root)
		for len(calls) > 0 {
			c := &calls[len(calls)-1]
			v := c.node
			if c.edge < len(edges[v]) {
				u := edges[v][c.edge]
				c.edge++
				if order[u] == unseen {
					meet(u)
				} else if place[u] > 0 {
					low[v] = min(low[v], order[u])
				}
				continue
			}
			calls = calls[:len(calls)-1]
			if len(calls) > 0 {
				up := calls[len(calls)-1].node
				low[up] = min(low[up], low[v])
			}
			if low[v] == order[v] {
				i := place[v] - 1
				members := slices.Clone(stack[i:])
				stack = stack[:i]
				for _, u := range members {
					place[u] = 0
				}
				f(members)
			}
		}
	}
}

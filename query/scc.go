package query

import "slices"

// components returns the strongly connected components of a graph of small numbers that
// have more than one node, each sorted, in the order of their smallest node.
//
// It is Tarjan's walk with its own stack: deep graphs must not overflow, and the answer
// must be the same every time. The graph library that the project has for such work
// builds a hash map for each node and visits in random order.
func components(next [][]int32) [][]int32 {
	n := len(next)
	index := make([]int32, n) // 0: not visited
	low := make([]int32, n)
	onStack := make([]bool, n)
	var stack []int32
	var found [][]int32
	type frame struct{ node, edge int32 }
	var frames []frame
	clock := int32(0)
	enter := func(v int32) {
		clock++
		index[v], low[v] = clock, clock
		stack = append(stack, v)
		onStack[v] = true
		frames = append(frames, frame{node: v})
	}
	for root := range int32(n) {
		if index[root] != 0 {
			continue
		}
		enter(root)
		for len(frames) > 0 {
			f := &frames[len(frames)-1]
			v := f.node
			if int(f.edge) < len(next[v]) {
				w := next[v][f.edge]
				f.edge++
				switch {
				case index[w] == 0:
					enter(w)
				case onStack[w]:
					low[v] = min(low[v], index[w])
				}
				continue
			}
			frames = frames[:len(frames)-1]
			if len(frames) > 0 {
				p := frames[len(frames)-1].node
				low[p] = min(low[p], low[v])
			}
			if low[v] != index[v] {
				continue
			}
			at := len(stack) - 1
			for stack[at] != v {
				at--
			}
			if len(stack)-at > 1 {
				c := slices.Clone(stack[at:])
				slices.Sort(c)
				found = append(found, c)
			}
			for _, w := range stack[at:] {
				onStack[w] = false
			}
			stack = stack[:at]
		}
	}
	slices.SortFunc(found, func(a, b []int32) int { return int(a[0]) - int(b[0]) })
	return found
}

// shortestCycle returns one shortest cycle within a component, beginning at the smallest
// node that lies on a shortest one; next must be sorted.
func shortestCycle(next [][]int32, component []int32) []int32 {
	in := make(map[int32]bool, len(component))
	for _, v := range component {
		in[v] = true
	}
	var best []int32
	for _, start := range component {
		prev := map[int32]int32{}
		level := []int32{start}
		for depth := 1; len(level) > 0 && (best == nil || depth < len(best)); depth++ {
			var below []int32
			for _, v := range level {
				for _, w := range next[v] {
					if w == start {
						cycle := []int32{v}
						for v != start {
							v = prev[v]
							cycle = append(cycle, v)
						}
						slices.Reverse(cycle)
						best, below = cycle, nil
						goto done
					}
					if _, seen := prev[w]; !seen && in[w] {
						prev[w] = v
						below = append(below, w)
					}
				}
			}
			level = below
		}
	done:
		if len(best) == 2 {
			break // nothing is shorter
		}
	}
	return best
}

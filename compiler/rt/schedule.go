package rt

import "slices"

// roundRobin lets each task go on in turn.
type roundRobin struct{}

func (roundRobin) next(current *task, can []*task) *task {
	for _, t := range can {
		if t.number > current.number {
			return t
		}
	}
	return can[0]
}

func (roundRobin) choose(int) int { return 0 }

// randomOrder lets any task go on. The same seed gives the same order.
type randomOrder struct{ state uint64 }

// draw is a step of splitmix64, reduced to n.
func (r *randomOrder) draw(n int) int {
	r.state += 0x9E3779B97F4A7C15
	z := r.state
	z = (z ^ z>>30) * 0xBF58476D1CE4E5B9
	z = (z ^ z>>27) * 0x94D049BB133111EB
	return int((z ^ z>>31) % uint64(n))
}

func (r *randomOrder) next(_ *task, can []*task) *task { return can[r.draw(len(can))] }

func (r *randomOrder) choose(n int) int { return r.draw(n) }

// explorer goes through all orders, depth first: each run repeats the decisions of the one
// before it up to the last that had an alternative left. Orders that differ only in steps
// that touch different things are one order: once a task's step was tried first, it sleeps
// in the alternatives until a step touches what it touches.
type explorer struct {
	path     []decision
	at       int // in path, in this run
	sleep    []sleeper
	maxDepth int
	ids      map[any]int // of what was touched in this run, in order: the same in every run
}

type decision struct {
	tasks []sleeper // the options, or
	arms  int       // how many arms were ready
	taken int
	sleep []sleeper // when it was come to
}

// sleeper is a task that would now take a step that touches something.
type sleeper struct {
	number  int
	touches []int
}

// restart begins a run.
func (e *explorer) restart() { e.at, e.sleep, e.ids = 0, nil, map[any]int{} }

// advance takes the next alternative; false when there is none left.
func (e *explorer) advance() bool {
	e.path = e.path[:e.at]
	for n := len(e.path) - 1; n >= 0; n-- {
		d := &e.path[n]
		d.taken++
		if d.taken < max(d.arms, len(d.tasks)) {
			return true
		}
		e.path = e.path[:n]
	}
	return false
}

func (e *explorer) next(current *task, can []*task) *task {
	if e.at >= e.maxDepth {
		return roundRobin{}.next(current, can)
	}
	options := make([]sleeper, len(can))
	for i, t := range can {
		options[i] = sleeper{t.number, e.identify(t.touches)}
		if t == current { // to go on with the current task comes first
			copy(options[1:], options[:i])
			options[0] = sleeper{t.number, e.identify(t.touches)}
		}
	}
	if e.at == len(e.path) {
		d := decision{sleep: e.sleep}
		for _, o := range options {
			if !slices.ContainsFunc(e.sleep, func(s sleeper) bool { return s.number == o.number }) {
				d.tasks = append(d.tasks, o)
			}
		}
		if len(d.tasks) == 0 {
			return nil
		}
		e.path = append(e.path, d)
	}
	d := e.path[e.at]
	e.at++
	if d.taken >= len(d.tasks) {
		return can[0] // the test depends on more than the order, and did something else this time
	}
	step := d.tasks[d.taken]
	e.sleep = nil
	for _, asleep := range [...][]sleeper{d.sleep, d.tasks[:d.taken]} {
		for _, s := range asleep {
			if s.number != step.number && !meet(s.touches, step.touches) {
				e.sleep = append(e.sleep, s)
			}
		}
	}
	for _, t := range can {
		if t.number == step.number {
			return t
		}
	}
	return can[0]
}

// identify numbers things in the order in which runs come to them.
func (e *explorer) identify(touches []any) []int {
	if touches == nil {
		return nil
	}
	ids := make([]int, len(touches))
	for i, x := range touches {
		id, ok := e.ids[x]
		if !ok {
			id = len(e.ids)
			e.ids[x] = id
		}
		ids[i] = id
	}
	return ids
}

// meet says whether the order of two steps can matter.
func meet(a, b []int) bool {
	if a == nil || b == nil {
		return true
	}
	for _, x := range a {
		for _, y := range b {
			if x == y {
				return true
			}
		}
	}
	return false
}

func (e *explorer) choose(n int) int {
	if e.at >= e.maxDepth {
		return 0
	}
	if e.at == len(e.path) {
		e.path = append(e.path, decision{arms: n, sleep: e.sleep})
	}
	d := e.path[e.at]
	e.at++
	return min(d.taken, n-1)
}

package rt

import (
	"runtime"
	"sync/atomic"
)

// stage is where the tasks of one run of a test go on, one at a time. Sequential runs a
// spawned task to its end where it is spawned; the other schedulers hand on from task to
// task at every operation that others could notice.
type stage struct {
	inline   bool
	strategy strategy // nil when inline
	fibers   []*task  // that have not ended, by number; the one that runs may change it

	dead   atomic.Bool   // the run is over: whoever is left unwinds at its next operation
	over   chan struct{} // gets a value when it is over
	result result
}

// result is how a run ended.
type result struct {
	failure string // what to show; empty when it passed
	pruned  bool   // the strategy knows this run already
}

// strategy decides who goes on.
type strategy interface {
	// next picks one of the tasks that can go on, which are never none; nil ends the run,
	// which would teach nothing new. current is the one that runs or has just stopped.
	next(current *task, can []*task) *task
	// choose picks one of n ready arms of a select.
	choose(n int) int
}

// fiber is what a stage knows of a task.
type fiber struct {
	blocked bool
	touches []any // what its next operation is on: channels, tasks, locks; nil is everything
}

func newStage(w *world, s strategy) *stage {
	st := &stage{inline: s == nil, strategy: s, over: make(chan struct{}, 1)}
	w.stage = st
	return st
}

// finish ends the run; the first one to say so is right.
func (s *stage) finish(r result) {
	if s.dead.CompareAndSwap(false, true) {
		s.result = r
		s.over <- struct{}{}
	}
}

// fail ends the run with a failure, and the calling goroutine.
func (s *stage) fail(text string) {
	s.finish(result{failure: text})
	runtime.Goexit()
}

// unwind ends the goroutines that wait on the stage of a run that is over. One of the tasks
// is not waiting; what it is sent goes nowhere.
func (s *stage) unwind() {
	for _, t := range s.fibers {
		t.parker.signal()
	}
}

// alive ends the goroutine if the run is over.
func (s *stage) alive() {
	if s.dead.Load() {
		runtime.Goexit()
	}
}

// pause is where another task may go on, before an operation on the things that it names.
func pause(touches ...any) {
	t := current()
	s := t.world.stage
	if s == nil {
		return
	}
	s.alive()
	if !s.inline {
		t.touches = touches
		s.handOn(t, true)
	}
}

func pauseSelect(t *task, cases []Case) {
	touches := make([]any, len(cases))
	for i, c := range cases {
		touches[i] = c.channel()
	}
	pause(touches...)
}

// handOn lets the strategy pick who goes on, and waits until that is t again, if it is to go
// on at all.
func (s *stage) handOn(t *task, waits bool) {
	can := make([]*task, 0, len(s.fibers))
	for _, f := range s.fibers {
		if !f.blocked {
			can = append(can, f)
		}
	}
	if len(can) == 0 {
		s.fail(s.stuck())
	}
	n := s.strategy.next(t, can)
	switch n {
	case t:
		return
	case nil:
		s.finish(result{pruned: true})
		runtime.Goexit()
	}
	n.parker.signal()
	if waits {
		t.parker.wait()
		s.alive()
	}
}

// park is [task.park] on a stage.
func (s *stage) park(t *task) {
	if s.inline {
		panic(s.refuse(t.what))
	}
	t.blocked, t.touches = true, []any{&t.fiber}
	s.handOn(t, true)
}

func (s *stage) ready(t *task) { t.blocked = false }

// spawn starts a task.
func (s *stage) spawn(t *task, run func()) {
	parent := current()
	s.alive()
	if s.inline {
		run()
		parent.enter()
		return
	}
	t.touches = []any{&t.fiber}
	s.fibers = append(s.fibers, t)
	go func() {
		t.parker.wait()
		if !s.dead.Load() {
			run()
		}
	}()
	pause(&parent.fiber)
}

// ended takes a task off the stage. The run ends with its first task.
func (s *stage) ended(t *task) {
	if t.number == 0 {
		r := result{}
		if t.err != nil {
			r.failure = uncaught(t.err)
		}
		s.finish(r)
		return
	}
	if s.inline {
		return
	}
	for i, f := range s.fibers {
		if f == t {
			s.fibers = append(s.fibers[:i], s.fibers[i+1:]...)
			break
		}
	}
	s.handOn(t, false)
}

// choose picks the arm of a select to begin with.
func (s *stage) choose(cases []Case) int {
	var ready []int
	for i, c := range cases {
		if c.ready() {
			ready = append(ready, i)
		}
	}
	switch {
	case len(ready) == 0:
		return 0
	case len(ready) == 1 || s.inline:
		return ready[0]
	}
	return ready[s.strategy.choose(len(ready))]
}

// refuse says what is wrong with waiting when nobody else can run; nil when somebody can.
func (s *stage) refuse(what string) *Failure {
	if !s.inline {
		return nil
	}
	switch what {
	case "channel send":
		what += " on full buffer"
	case "channel recv":
		what += " on empty buffer"
	case "select":
		what += " with no ready channels"
	}
	return &Failure{text: "pluto: deadlock detected — " + what + " in sequential test mode"}
}

// stuck describes tasks that all wait.
func (s *stage) stuck() string {
	text := "pluto: deadlock detected in test"
	for _, f := range s.fibers {
		text += "\n  Fiber " + ShowInt(int64(f.number)) + ": blocked on " + f.what
	}
	return text
}

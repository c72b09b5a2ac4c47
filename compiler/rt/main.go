package rt

import (
	"runtime"
	"strings"
	"sync"
)

// Main runs the program and ends the process: with 0, or with 1 after telling what went
// wrong. A program with an exit code of its own calls [Exit] in f.
func Main(f func() Error) {
	program.newTask("main").enter()
	catchFatal()
	tuneHeap()
	defer func() {
		if r := recover(); r != nil {
			program.fail(r)
		}
	}()
	if err := f(); err != nil {
		dying.Lock()
		Warn(uncaught(err))
		Exit(1)
	}
	Exit(0)
}

// dying is taken by the first task that ends the process, for ever.
var dying sync.Mutex

// fail ends the world because a task panicked with r. It runs in a deferred function, so
// that the stack still shows where.
func (w *world) fail(r any) {
	text := failureText(r)
	if w.stage != nil {
		w.stage.fail(text)
		return
	}
	dying.Lock()
	Warn(text)
	Exit(1)
}

// warn writes a line that ends nothing.
func (w *world) warn(line string) {
	if o := w.out; o.kept {
		o.mu.Lock()
		o.warns = append(append(o.warns, line...), '\n')
		o.mu.Unlock()
		return
	}
	Warn(line)
}

// failureText is what a panic tells the user.
func failureText(r any) string {
	if text, ok := faultText(r); ok {
		return withPlace(text, place())
	}
	switch r := r.(type) {
	case *Failure:
		if r.plain {
			return r.text
		}
		return withPlace(r.text, place())
	case *escape:
		return uncaught(r.err)
	case *Frame: // left behind by a function that returned without Catch
		return uncaught(r.err)
	case runtime.Error:
		return withPlace(translate(r.Error()), place())
	case error:
		return withPlace("pluto: "+r.Error(), place())
	case string:
		return withPlace("pluto: "+r, place())
	}
	return withPlace("pluto: failure in the runtime", place())
}

// translate says in Pluto's words what Go says of a failed operation.
func translate(text string) string {
	if text, ok := boundsText(text); ok {
		return text
	}
	switch {
	case strings.Contains(text, "divide by zero"):
		return "pluto: division by zero"
	case strings.Contains(text, "nil pointer"), strings.Contains(text, "nil map"):
		return string(unset)
	case strings.Contains(text, "out of range") && strings.Contains(text, "make"):
		return "pluto: out of memory"
	}
	return "pluto: " + strings.TrimPrefix(text, "runtime error: ")
}

func uncaught(err Error) string { return withPlace("error: uncaught "+err.ErrorText(), err.ErrorAt()) }

func withPlace(text, place string) string {
	if place == "" {
		return text
	}
	return text + "\n  at " + place
}

package rt

import (
	"runtime"
	"strconv"
	"strings"
)

// sources are the names of the program's files as they must be shown.
var sources []string

// Sources tells the names of the program's files, those of its //line directives. It is
// called once, before Main.
func Sources(names ...string) { sources = names }

// shown is how a file that the Go compiler recorded is shown: it puts the folder of the
// generated file before relative names.
func shown(file string) (string, bool) {
	best := ""
	for _, name := range sources {
		if len(name) > len(best) && (file == name || strings.HasSuffix(file, "/"+name)) {
			best = name
		}
	}
	if best != "" {
		return best, true
	}
	return file, sources == nil && (strings.HasSuffix(file, ".pluto") || strings.HasSuffix(file, ".pt"))
}

// place is file:line of the innermost Pluto frame of the calling goroutine. In a deferred
// function that includes the frames that are panicking.
func place() string {
	pcs := make([]uintptr, 256)
	return placeIn(pcs[:runtime.Callers(2, pcs)])
}

func placeIn(pcs []uintptr) string {
	frames := runtime.CallersFrames(pcs)
	for {
		frame, more := frames.Next()
		if file, ok := shown(frame.File); ok {
			return file + ":" + strconv.Itoa(frame.Line)
		}
		if !more {
			return ""
		}
	}
}

// raisedHere remembers the stack for an error that the runtime raises. Finding the line is
// left to who asks.
func raisedHere() Raised {
	stack := new([8]uintptr)
	runtime.Callers(3, stack[:])
	return Raised{stack: stack}
}

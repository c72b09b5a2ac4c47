package rt

import (
	"runtime"
	"slices"
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
	file, line := pluto(pcs)
	if file == "" {
		return ""
	}
	return file + ":" + strconv.Itoa(line)
}

// pluto finds the innermost frame in a Pluto file.
func pluto(pcs []uintptr) (string, int) {
	frames := runtime.CallersFrames(pcs)
	for {
		frame, more := frames.Next()
		if file, ok := shown(frame.File); ok {
			return file, frame.Line
		}
		if !more {
			return "", 0
		}
	}
}

// raisedHere is the place of an error that the runtime raises.
func raisedHere() Raised {
	var stack [8]uintptr
	file, line := pluto(stack[:runtime.Callers(3, stack[:])])
	return Raised{uint32(slices.Index(sources, file) + 1), uint32(line)}
}

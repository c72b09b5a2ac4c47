package indexer

import (
	"fmt"
	"maps"
	"runtime"
	"runtime/debug"
	"slices"

	"github.com/settgraph/sett/indexer/lang"
)

// Options say what is indexed, and how.
type Options struct {
	Root      string          // absolute path of the project root
	Languages []lang.Language // nil stands for [Languages]
	Workers   int             // how many goroutines work at once; 0 stands for GOMAXPROCS

	// Cache is a folder where services of languages may keep what spares the next process
	// work; "": nothing is kept.
	Cache string

	// Overlay holds unsaved text by slash-separated path. It counts as the contents of
	// the file, which need not exist.
	Overlay map[string][]byte

	// Progress, which may be nil, is told how far the run is. It is called from several
	// goroutines.
	Progress func(Event)

	// Last, which may be nil, is the scan before of the same project. It is worth what the
	// bytes of its Stat are, without decoding them, and more when nothing changed.
	Last *Scan

	// Force makes Update extract everything.
	Force bool
}

// An Event says how far a run is: Done of Total files in a phase.
type Event struct {
	Phase string // "scan", "read" or "extract"
	Lang  string // of the files; empty while scanning
	Done  int
	Total int // 0 when unknown
}

func (o *Options) languages() []lang.Language {
	if o.Languages != nil {
		return o.Languages
	}
	return Languages()
}

func (o *Options) workers() int {
	if o.Workers > 0 {
		return o.Workers
	}
	return runtime.GOMAXPROCS(0)
}

func (o *Options) progress(e Event) {
	if o.Progress != nil {
		o.Progress(e)
	}
}

// A PanicError is a mistake of this program: a front end did not survive its input.
type PanicError struct {
	Lang  string
	What  string // the file or unit it was at, or the step
	Value any
	Stack []byte
}

func (e *PanicError) Error() string {
	return fmt.Sprintf("internal error: the %s front end failed on %s: %v", e.Lang, e.What, e.Value)
}

// guard turns a panic of a front end into an error.
func guard(err *error, lang string, what func() string) {
	if r := recover(); r != nil {
		*err = &PanicError{Lang: lang, What: what(), Value: r, Stack: debug.Stack()}
	}
}

func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }

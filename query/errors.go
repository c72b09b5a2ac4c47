package query

import (
	"fmt"
	"strings"
)

// A NotFoundError says that nothing answers to a name.
type NotFoundError struct {
	Name   string   // as asked
	Near   []string // at most three names that were probably meant, the likeliest first
	Reason string   // why, when more is known than that the name is unknown
}

func (e *NotFoundError) Error() string {
	s := fmt.Sprintf("no symbol %q", e.Name)
	if e.Reason != "" {
		s = e.Reason
	}
	if len(e.Near) > 0 {
		s += "; did you mean " + strings.Join(e.Near, ", ") + "?"
	}
	return s
}

// An AmbiguousError says that a name has more meanings than can be answered together.
type AmbiguousError struct {
	Name       string
	Candidates []Ref // the first five
	Total      int
}

func (e *AmbiguousError) Error() string {
	names := make([]string, len(e.Candidates))
	for i, c := range e.Candidates {
		names[i] = c.Handle
	}
	return fmt.Sprintf("%q has %d meanings: %s", e.Name, e.Total, strings.Join(names, ", "))
}

// An InvalidError says that a parameter has a value that cannot be used.
type InvalidError struct {
	Param string
	Msg   string
}

func (e *InvalidError) Error() string { return e.Param + ": " + e.Msg }

package format

import (
	"errors"
	"fmt"
	"strings"

	"github.com/settgraph/sett/query"
)

// Error tells an error of a question as the asker should read it: a code, one sentence,
// and what to try. Other errors are told as they are.
func Error(err error) string {
	var (
		notFound  *query.NotFoundError
		ambiguous *query.AmbiguousError
		invalid   *query.InvalidError
	)
	switch {
	case errors.As(err, &notFound):
		return "not_found: " + notFound.Error()
	case errors.As(err, &ambiguous):
		return ambiguousText(ambiguous)
	case errors.As(err, &invalid):
		return "invalid_argument: " + invalid.Error()
	}
	return err.Error()
}

func ambiguousText(e *query.AmbiguousError) string {
	var b strings.Builder
	fmt.Fprintf(&b, "ambiguous: %q has %d meanings; take one of", e.Name, e.Total)
	for _, c := range e.Candidates {
		b.WriteString("\n" + c.Handle + " " + c.Kind + " " + at(c.File, c.Line))
	}
	if n := e.Total - len(e.Candidates); n > 0 {
		fmt.Fprintf(&b, "\n+%d: find %s", n, e.Name)
	}
	return b.String()
}

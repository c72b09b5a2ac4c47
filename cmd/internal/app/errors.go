package app

import (
	"context"
	"errors"
	"strings"

	"github.com/settgraph/sett/cmd/internal/params"
	"github.com/settgraph/sett/format"
	"github.com/settgraph/sett/query"
	"github.com/settgraph/sett/query/report"
)

// Class says whose an error is.
type Class uint8

// The classes of errors.
const (
	Nothing     Class = iota // the question was understood and names nothing, or several things
	Misuse                   // the question cannot be understood
	Interrupted              // the asker gave up
	Fault                    // ours or the machine's
)

// Explain returns what to tell the asker, `code: sentence; did you mean A, B?`, and
// whose the error is. Both doors print the same text.
func Explain(err error) (text string, class Class) {
	var (
		notFound  *query.NotFoundError
		ambiguous *query.AmbiguousError
		invalid   *query.InvalidError
		param     *params.Error
		misuse    *report.Misuse
		outside   *OutsideError
	)
	switch {
	case errors.As(err, &notFound), errors.As(err, &ambiguous):
		return oneEnd(format.Error(err)), Nothing
	case errors.As(err, &invalid):
		return oneEnd(format.Error(err)), Misuse
	case errors.Is(err, format.ErrForm):
		return "invalid_argument: " + err.Error(), Misuse
	case errors.As(err, &outside):
		return "outside_project: " + outside.Error(), Misuse
	case errors.As(err, &param):
		return "invalid_argument: " + param.Error(), Misuse
	case errors.As(err, &misuse):
		return "invalid_argument: " + misuse.Error(), Misuse
	case errors.Is(err, context.Canceled):
		return "interrupted", Interrupted
	case errors.Is(err, context.DeadlineExceeded):
		return "timeout: the answer was not ready in time", Nothing
	}
	return err.Error(), Fault
}

func oneEnd(s string) string { return strings.TrimRight(s, "\n") }

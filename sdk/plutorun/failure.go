package plutorun

import (
	"regexp"
	"strconv"
	"strings"

	"github.com/settgraph/sett/query/report"
)

// endedProcess is what the runner says of a test that ended it.
const endedProcess = "the test ended the process"

var (
	failAt  = regexp.MustCompile(`^FAIL \(line (\d+)\): `)
	place   = regexp.MustCompile(`(?m)^  at (.+):(\d+)$`)
	timeUp  = regexp.MustCompile(`^pluto: test timed out after \d+ ms`)
	verdict = regexp.MustCompile(`^expected (true|false) but got (true|false)$`)
)

// failure reads what the runtime says of a test that failed: what kind of failure it was, where
// it was in the files of the program, and what was expected.
func failure(message string, files map[string]bool) report.Failure {
	f := report.Failure{Kind: report.Failed, Message: message}
	if m := failAt.FindStringSubmatch(message); m != nil {
		f.Line, _ = strconv.Atoi(m[1])
		f.Message = message[len(m[0]):]
		f.Expected, f.Got = sides(f.Message)
		return f
	}
	if m := place.FindStringSubmatch(message); m != nil && files[m[1]] {
		f.File = m[1]
		f.Line, _ = strconv.Atoi(m[2])
		f.Message = strings.Replace(message, "\n"+m[0], "", 1)
	}
	switch {
	case timeUp.MatchString(message):
		f.Kind = report.Timeout
	case strings.HasPrefix(message, endedProcess), strings.HasPrefix(message, "pluto: "), strings.Contains(message, " violation "):
		f.Kind = report.Panic
	}
	return f
}

// sides are what an expectation wanted and what it got; "" when its words do not say so.
func sides(message string) (want, got string) {
	first, _, _ := strings.Cut(message, "\n(seed: ")
	if m := verdict.FindStringSubmatch(first); m != nil {
		return m[1], m[2]
	}
	rest, ok := strings.CutPrefix(first, "expected ")
	i := strings.LastIndex(rest, " to equal ")
	if !ok || i < 0 {
		return "", ""
	}
	return rest[i+len(" to equal "):], rest[:i]
}

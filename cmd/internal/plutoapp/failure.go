package plutoapp

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"strings"

	"github.com/settgraph/sett/cmd/internal/params"
	"github.com/settgraph/sett/compiler/doc"
	"github.com/settgraph/sett/sdk/pluto"
)

// Failure is an error that the asker can do something about.
type Failure struct {
	Code    string   // one word: not_found, ambiguous, invalid_argument, ...
	Text    string   // one sentence without a full stop
	Near    []string // at most three that may have been meant
	Hint    string   // what to do next
	Details []string // lines: candidates, uses in the way
	json    bool     // the call was one for JSON
	err     error
}

func (f *Failure) Error() string {
	var b strings.Builder
	b.WriteString(f.Code + ": " + f.Text)
	if len(f.Near) > 0 {
		b.WriteString("; did you mean " + strings.Join(f.Near, ", ") + "?")
	}
	for _, d := range f.Details {
		b.WriteString("\n  " + d)
	}
	if f.Hint != "" {
		b.WriteString("\nnext: " + f.Hint)
	}
	return b.String()
}

// Unwrap is the cause.
func (f *Failure) Unwrap() error { return f.err }

// Explain is what to tell the asker about a failed call; ok is false when the fault is ours
// or the machine's, or when the asker gave up.
func Explain(err error) (text string, ok bool) {
	var f *Failure
	if !errors.As(err, &f) {
		return "", false
	}
	if !f.json {
		return f.Error(), true
	}
	o := (&object{}).put("code", f.Code).put("message", f.Text).put("did_you_mean", each(f.Near, func(s string) any { return s }))
	if len(f.Details) > 0 {
		o.put("details", f.Details)
	}
	b, err := compact(o.put("hint", f.Hint))
	if err != nil {
		return f.Error(), true
	}
	return string(b), true
}

// Misuse says whether the request itself made no sense, rather than finding nothing.
func (f *Failure) Misuse() bool {
	switch f.Code {
	case "not_found", "ambiguous", "conflict", "stale", "timeout", "locked", "parse_error":
		return false
	}
	return true
}

// failed makes a Failure of what the asker can mend; other errors stay as they are.
func (c *Call) failed(err error) error {
	var f *Failure
	if !errors.As(err, &f) {
		f = c.failure(err)
	}
	if f == nil {
		return err
	}
	f.json = c.json
	f.Text = Brief(f.Text)
	f.Hint = c.app.callable(f.Hint)
	return f
}

// instead are the tools of the graph that do what tools of Pluto do which are not listed.
func instead() map[string]string {
	return map[string]string{
		"find_declaration": "find_symbol", "list_modules": "list_symbols", "list_declarations": "list_symbols",
		"get_declaration": "get_context", "usages_of": "find_references", "callers_of": "find_references",
	}
}

var toolName = regexp.MustCompile(`\b[a-z]+(?:_[a-z]+)+\b`)

// callable is a hint about tools that the asker can call.
func (a *App) callable(hint string) string {
	if a.options.Listed == nil || hint == "" || a.options.Listed("find_declaration") {
		return hint
	}
	hint = strings.ReplaceAll(hint, fuzzyHint, "find_symbol takes patterns: *part*, /regex/")
	hint = strings.ReplaceAll(hint, findHint, "find_symbol takes patterns: *part*, /regex/")
	names := instead()
	return toolName.ReplaceAllStringFunc(hint, func(name string) string {
		if other := names[name]; other != "" && !a.options.Listed(name) {
			return other
		}
		return name
	})
}

// Hints that say what is particular to a tool.
const (
	fuzzyHint = "find_declaration with match: fuzzy looks for similar names"
	findHint  = "find_declaration finds by prefix or part of a name"
)

// Brief is a sentence without most of what the asker said at length in it.
func Brief(text string) string {
	const most = 600
	if len(text) <= most {
		return text
	}
	return strings.ToValidUTF8(text[:most/2], "") + "..." + strings.ToValidUTF8(text[len(text)-most/4:], "")
}

func (c *Call) failure(err error) *Failure {
	var (
		param  *params.Error
		lost   *doc.NotFound
		engine *pluto.Error
	)
	switch {
	case errors.As(err, &engine):
		return c.engineFailure(engine)
	case errors.As(err, &param):
		return &Failure{Code: "invalid_argument", Text: param.Error(), err: err}
	case errors.As(err, &lost):
		next := lost.Next
		if next == "" {
			next = c.tool.Name + " without arguments lists what there is"
		}
		return &Failure{Code: "not_found", Text: fmt.Sprintf("no %s %q", lost.What, lost.Name), Near: lost.Near, Hint: next, err: err}
	case errors.Is(err, context.DeadlineExceeded):
		return &Failure{Code: "timeout", Text: "the answer was not ready in time", err: err}
	}
	return nil
}

func (c *Call) engineFailure(e *pluto.Error) *Failure {
	f := &Failure{Code: string(e.Code), Text: e.Text, Near: e.Near[:min(3, len(e.Near))], Hint: e.Hint, err: e}
	if e.Code == pluto.ParseError && e.At != nil && e.At.Line > 0 && !strings.Contains(e.Text, fmt.Sprintf("line %d", e.At.Line)) &&
		!strings.HasPrefix(e.Text, fmt.Sprintf("%s:%d:", e.At.File, e.At.Line)) {
		f.Text = fmt.Sprintf("line %d, column %d of the source: %s", e.At.Line, e.At.Col, e.Text)
	}
	const most = 10
	for _, d := range e.Candidates[:min(most, len(e.Candidates))] {
		f.Details = append(f.Details, row(d))
	}
	for _, u := range e.Dangling[:min(most, len(e.Dangling))] {
		f.Details = append(f.Details, fmt.Sprintf("%s:%d %s %s", u.At.File, u.At.Line, u.Kind, u.Line))
	}
	if n := max(len(e.Candidates), len(e.Dangling)) - most; n > 0 {
		f.Details = append(f.Details, fmt.Sprintf("and %d more", n))
	}
	if f.Hint == "" {
		f.Hint = nextStep(c.tool, f.Code, f.Text)
	}
	return f
}

// nextStep is what helps after most failures of a kind.
func nextStep(t *Tool, code, text string) string {
	switch code {
	case "not_found":
		if t.params.Lookup("symbol") != nil {
			return findHint + "; list_modules lists the files"
		}
		if t.params.Lookup("path") != nil {
			return "list_modules lists the files"
		}
	case "ambiguous":
		return "name one of them by its id"
	case "parse_error":
		return "mend the source and call again; docs has the grammar by topic"
	case "conflict":
		if strings.Contains(text, "already") || strings.Contains(text, "the name ") {
			return "choose another name"
		}
	case "stale":
		return "look at the declaration as it is now and call again"
	case "outside_project":
		return "use a path in the project, or project_path for another one"
	}
	return ""
}

func asEngine(err error, e **pluto.Error) bool { return errors.As(err, e) }

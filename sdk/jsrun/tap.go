package jsrun

import (
	"regexp"
	"strings"

	"github.com/settgraph/sett/query/report"
	"github.com/settgraph/sett/sdk/child"
)

// A tapReader reads the Test Anything Protocol, which many runners print, as it comes.
type tapReader struct {
	version, plan bool
	points        []tapPoint
	passed        int
	skips         []string
	bail          string
	block         *tapPoint // whose details are being read
}

// A tapPoint is one test that failed.
type tapPoint struct {
	name    string
	details []string
}

var (
	tapResult = regexp.MustCompile(`^(not )?ok\b(?:\s+(\d+))?(?:\s+-)?\s*(.*)$`)
	tapPlan   = regexp.MustCompile(`^1\.\.\d+(\s|$)`)
	tapNote   = regexp.MustCompile(`(?i)\s#\s*(skip\S*|todo)\b\s*(.*)$`)
)

const (
	mostPoints  = 500 // failures that are kept
	mostDetails = 60  // lines of one
)

// line takes one line of output.
func (t *tapReader) line(l string) {
	l = strings.TrimRight(l, "\r")
	if t.block != nil {
		switch trimmed := strings.TrimSpace(l); {
		case trimmed == "..." || trimmed == "---" && len(t.block.details) > 0:
			t.block = nil
			return
		case strings.HasPrefix(l, " "):
			if trimmed != "---" && len(t.block.details) < mostDetails {
				t.block.details = append(t.block.details, child.Clean(l))
			}
			return
		default:
			t.block = nil
		}
	}
	switch {
	case strings.HasPrefix(l, "TAP version "):
		t.version = true
	case tapPlan.MatchString(l):
		t.plan = true
	case strings.HasPrefix(l, "Bail out!"):
		t.bail = strings.TrimSpace(strings.TrimPrefix(l, "Bail out!"))
		if t.bail == "" {
			t.bail = "the run was given up"
		}
	}
	m := tapResult.FindStringSubmatch(l)
	if m == nil {
		return
	}
	name := m[3]
	note := tapNote.FindStringSubmatchIndex(" " + name)
	skip := note != nil
	if skip {
		name = strings.TrimSpace((" " + name)[:note[0]])
	}
	switch {
	case skip && len(t.skips) < mostPoints:
		t.skips = append(t.skips, child.Clean(name))
	case skip:
	case m[1] == "":
		t.passed++
	default:
		t.points = append(t.points, tapPoint{name: child.Clean(name)})
		if len(t.points) <= mostPoints {
			t.block = &t.points[len(t.points)-1]
		}
	}
}

// seen says whether it was TAP that came.
func (t *tapReader) seen() bool {
	return (t.version || t.plan) && t.passed+len(t.points)+len(t.skips) > 0 || t.version && t.bail != ""
}

// into puts what was read into a report.
func (t *tapReader) into(out *report.Test, r *run, suite string) {
	out.Passed += t.passed
	out.Skipped += len(t.skips)
	out.Suites++
	for _, s := range t.skips {
		out.Skips = append(out.Skips, report.Skip{Name: s, Suite: suite})
	}
	for i, p := range t.points {
		out.Failed++
		if i >= mostPoints {
			continue
		}
		f := report.Failure{Name: p.name, Suite: suite, Kind: report.Failed}
		f.Expected, f.Got = p.field("expected", "wanted"), p.field("actual", "found", "received")
		if f.Message = p.field("message", "error"); f.Message == "" {
			f.Message = clean(strings.Join(p.details, "\n"))
		}
		if f.Message == "" {
			f.Message = "not ok"
		}
		f.File, f.Line, f.Col = r.place(problem{Stack: p.stack()})
		out.Failures = append(out.Failures, f)
	}
	if t.bail != "" {
		out.Failed++
		out.Failures = append(out.Failures, report.Failure{Suite: suite, Kind: report.Panic, Message: t.bail})
	}
}

// field is the value of a line "key: value" of the details.
func (p tapPoint) field(keys ...string) string {
	for _, d := range p.details {
		k, v, ok := strings.Cut(strings.TrimSpace(d), ":")
		for _, key := range keys {
			if v = strings.TrimSpace(v); ok && k == key && v != "" && v != "|-" && v != ">-" && v != "|" {
				return strings.Trim(v, `'"`)
			}
		}
	}
	return ""
}

// placed is a place in details: "at: file:///x.js:3:7", "    fn (x.js:3:7)".
var placed = regexp.MustCompile(`((?:file://)?[^\s()'"]+\.[cm]?[jt]sx?):(\d+):(\d+)`)

// stack are the places in the details, as a stack has them.
func (p tapPoint) stack() string {
	var b strings.Builder
	for _, d := range p.details {
		if m := placed.FindString(d); m != "" {
			b.WriteString("    at " + m + "\n")
		}
	}
	return b.String()
}

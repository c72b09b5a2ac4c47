package jsrun

import (
	"fmt"
	"net/url"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/settgraph/sett/sdk/child"
)

// A frame is one place of a stack.
type frame struct {
	File string `json:"file"`
	Line int    `json:"line"`
	Col  int    `json:"col"`
}

// frameLine is a line of a stack as V8 writes it.
var frameLine = regexp.MustCompile(`^\s+at (?:.*\()?((?:file://)?[^\s()]*[^:()]):(\d+):(\d+)\)?$`)

// frames are the places of a stack.
func frames(stack string) []frame {
	var all []frame
	for line := range strings.SplitSeq(stack, "\n") {
		m := frameLine.FindStringSubmatch(strings.TrimRight(line, "\r"))
		if m == nil {
			continue
		}
		all = append(all, frame{m[1], number(m[2]), number(m[3])})
	}
	return all
}

// place is where a problem is in the project: its first frame there, else the place that its
// words name.
func (r *run) place(p problem) (file string, line, col int) {
	for _, f := range slices.Concat(p.Frames, frames(p.Report), frames(p.Stack)) {
		if at, ok := r.own(f.File); ok && f.Line > 0 {
			return at, f.Line, f.Col
		}
	}
	for _, text := range []string{p.Message, p.Stack, p.Report} {
		for _, d := range findings(r.local(), text) {
			if d.File != "" && d.Line > 0 && !filepath.IsAbs(d.File) {
				return d.File, d.Line, d.Col
			}
		}
	}
	return "", 0, 0
}

// own is a file of the project, from the root; what is installed is not the project's.
func (r *run) own(file string) (string, bool) {
	if strings.HasPrefix(file, "node:") || strings.Contains(file, "node_modules/") || strings.HasPrefix(file, "internal/") {
		return "", false
	}
	at := r.from(file)
	return at, at != "" && filepath.IsLocal(at) && strings.Contains(filepath.Base(at), ".")
}

// from is a path or a file URL as a path from the root, if it is below.
func (r *run) from(file string) string { return r.local()(file) }

// local turns paths as tools print them into paths from the root.
func (r *run) local() func(string) string { return localizer(r.root, r.real, r.cwd) }

// localizer makes paths from the root of paths that are absolute, file URLs or from cwd.
func localizer(root, real, cwd string) func(string) string {
	return func(file string) string {
		if strings.HasPrefix(file, "file://") {
			if u, err := url.Parse(file); err == nil {
				file = u.Path
			}
		}
		file, _, _ = strings.Cut(file, "?")
		file = filepath.FromSlash(file)
		if file != "" && !filepath.IsAbs(file) && cwd != "" {
			file = filepath.Join(cwd, file)
		}
		if at := child.From(root, file); !filepath.IsAbs(at) {
			return at
		}
		return child.From(real, file)
	}
}

// words are what a problem says, without its stack and colours.
func (p problem) words() string {
	text := p.Message
	if text == "" {
		text = p.Stack
		if i := firstFrame(text); i >= 0 {
			text = text[:i]
		}
		text = strings.TrimPrefix(text, "Error: ")
	} else if p.Name != "" && p.Name != "Error" && !strings.HasPrefix(p.Name, "AssertionError") && !strings.HasPrefix(text, p.Name) && plainName.MatchString(p.Name) {
		text = p.Name + ": " + text
	}
	if text == "" {
		text = p.Report
	}
	if i := strings.Index(text, "\n\nStack backtrace:"); i >= 0 {
		text = text[:i]
	}
	return clean(text)
}

var plainName = regexp.MustCompile(`^[A-Za-z_$][\w$]*$`)

// firstFrame is where the stack begins in a text, or -1.
func firstFrame(text string) int {
	at := 0
	for line := range strings.SplitAfterSeq(text, "\n") {
		if strings.HasPrefix(strings.TrimLeft(line, " "), "at ") && strings.HasPrefix(line, " ") && (strings.Contains(line, ":") || strings.Contains(line, "<anonymous>")) {
			return at
		}
		at += len(line)
	}
	return -1
}

// clean is a text of several lines as a terminal shows it.
func clean(text string) string {
	const most = 60
	lines := strings.Split(strings.TrimSpace(text), "\n")
	cut := len(lines) > most
	lines = lines[:min(most, len(lines))]
	for i := range lines {
		lines[i] = child.Clean(lines[i])
	}
	if cut {
		lines = append(lines, "...")
	}
	return strings.TrimSpace(strings.Join(lines, "\n"))
}

// values are what an assertion expected and got: as the error has it, else as its words say.
func (p problem) values() (expected, got string) {
	if p.Expected != nil || p.Actual != nil {
		if p.Expected != nil {
			expected = clean(*p.Expected)
		}
		if p.Actual != nil {
			got = clean(*p.Actual)
		}
		if len(expected)+len(got) > 0 && expected != "undefined" || got != "undefined" {
			return expected, got
		}
		return "", ""
	}
	text := p.words()
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		value := func(rest string) string {
			if rest = strings.TrimSpace(rest); rest == "" && i+1 < len(lines) {
				rest = strings.TrimSpace(lines[i+1])
			}
			return rest
		}
		if m := expectedLine.FindStringSubmatch(line); m != nil && expected == "" {
			expected = value(m[1])
		} else if m := receivedLine.FindStringSubmatch(line); m != nil && got == "" {
			got = value(m[1])
		}
	}
	return expected, got
}

// What jest says of values: "Expected: 4", "Received value: 3", "Expected value to equal:".
var (
	expectedLine = regexp.MustCompile(`^Expected(?: \w+| value to [^:]*)?:(.*)$`)
	receivedLine = regexp.MustCompile(`^Received(?: \w+)?:(.*)$`)
)

// withoutValues drops from a message the lines that only tell the values.
func withoutValues(message string) string {
	var kept []string
	skip := false
	for line := range strings.SplitSeq(message, "\n") {
		e, r := expectedLine.FindStringSubmatch(line), receivedLine.FindStringSubmatch(line)
		switch {
		case e != nil || r != nil:
			skip = e != nil && strings.TrimSpace(e[1]) == "" || r != nil && strings.TrimSpace(r[1]) == ""
		case skip:
			skip = false
		default:
			kept = append(kept, line)
		}
	}
	if text := strings.TrimSpace(strings.Join(kept, "\n")); text != "" {
		return text
	}
	return message
}

// thrownLine begins what node prints of an error that nobody caught.
var thrownLine = regexp.MustCompile(`^(?:Uncaught )?((?:[A-Z]\w*)?(?:Error|Exception)(?: \[[A-Z_0-9]+\])?): (.*)$`)

// headLine is the place that node prints above the line of a syntax error.
var headLine = regexp.MustCompile(`^((?:file://)?/[^\s:]+|[A-Za-z]:\\[^\s:]+):(\d+)$`)

// thrown finds the error that a process printed when it ended.
func thrown(text string) (problem, bool) {
	lines := strings.Split(text, "\n")
	var p problem
	found := false
	for i, line := range lines {
		if m := headLine.FindStringSubmatch(line); m != nil && !found && !strings.Contains(m[1], "node_modules/") {
			col := 0
			if i+2 < len(lines) && strings.Contains(lines[i+2], "^") {
				col = strings.Index(lines[i+2], "^") + 1
			}
			p.Frames = []frame{{m[1], number(m[2]), col}}
			continue
		}
		m := thrownLine.FindStringSubmatch(line)
		if m == nil || found {
			continue
		}
		found = true
		name, _, _ := strings.Cut(m[1], " ")
		p.Name, p.Message = name, m[2]
		if name != "SyntaxError" {
			p.Frames = nil // the stack knows better
		}
		stack := strings.Join(lines[i:], "\n")
		if j := firstFrame(stack); j >= 0 {
			p.Stack = stack
		}
	}
	return p, found
}

func number(s string) int {
	n, err := strconv.Atoi(s)
	if err != nil {
		return 0
	}
	return n
}

func itoa(n int) string { return strconv.Itoa(n) }

func plural(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}

func round(d time.Duration) string {
	if d > time.Second {
		return d.Round(100 * time.Millisecond).String()
	}
	return d.Round(time.Millisecond).String()
}

// last are the last n lines.
func last(lines []string, n int) []string {
	if len(lines) == 0 {
		return nil
	}
	return lines[max(0, len(lines)-n):]
}

package format

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/settgraph/sett/query/report"
)

// buildLines prints
//
//	built app (linux-amd64, 45.2 KB)
//
// or what was wrong:
//
//	build failed: 3 errors in 2 files
//	main.go:12:5: error: undefined: foo
//	log: .sett/logs/build-1.log
func buildLines(r *report.Build) string {
	head := buildHead(r) + "\n"
	tail := ""
	if !r.OK {
		tail = stepLines(r.Steps, len(r.Diagnostics) == 0)
	}
	tail += noteLines(r.Notes)
	if !r.OK && len(r.Artifacts)+len(r.Built) > 0 {
		tail = "built all the same: " + whatBuilt(r) + "\n" + tail
	}
	room := left(r.Budget, head+tail)
	if r.OK && len(r.Artifacts) > 1 {
		var b strings.Builder
		for _, a := range r.Artifacts {
			b.WriteString(artifact(&a) + "\n")
		}
		list := b.String()
		head += cutLines(list, max(room/2, 60), func(n int) string {
			return fmt.Sprintf("+%s: --budget %d\n", plural(n, "file"), roundUp(2*Tokens(list)+100))
		})
		room = left(r.Budget, head+tail)
	}
	return head + findings(r.Diagnostics, room) + tail
}

func buildHead(r *report.Build) string {
	ds := r.Diagnostics
	if !r.OK {
		s := "build failed"
		switch {
		case len(ds) > 0:
			s += ": " + tally(ds) + inFiles(ds)
		case ending(r.Steps) != "":
			s += ": " + r.What + " " + ending(r.Steps)
		case r.What != "":
			s += ": " + r.What
		}
		return s
	}
	s := "built " + whatBuilt(r)
	if len(ds) > 0 {
		s += ", " + tally(ds)
	}
	return s
}

// whatBuilt says what there is now that was not there before.
func whatBuilt(r *report.Build) string {
	parts := slices.Clone(r.Built)
	switch len(r.Artifacts) {
	case 0:
	case 1:
		parts = append(parts, artifact(&r.Artifacts[0]))
	default:
		total := int64(0)
		for _, a := range r.Artifacts {
			total += a.Bytes
		}
		parts = append(parts, fmt.Sprintf("%s (%s)", plural(len(r.Artifacts), "file"), size(total)))
	}
	if len(parts) == 0 {
		return "nothing in " + r.What
	}
	return strings.Join(parts, ", ")
}

func artifact(a *report.Artifact) string {
	if a.Target == "" {
		return fmt.Sprintf("%s (%s)", a.Path, size(a.Bytes))
	}
	return fmt.Sprintf("%s (%s, %s)", a.Path, a.Target, size(a.Bytes))
}

func size(n int64) string {
	switch {
	case n < 1000:
		return plural(int(n), "byte")
	case n < 999_950:
		return fmt.Sprintf("%.1f KB", float64(n)/1e3)
	case n < 999_950_000:
		return fmt.Sprintf("%.1f MB", float64(n)/1e6)
	}
	return fmt.Sprintf("%.1f GB", float64(n)/1e9)
}

func took(d time.Duration) string {
	switch {
	case d < time.Second:
		return fmt.Sprintf("%dms", d.Milliseconds())
	case d < time.Minute:
		return fmt.Sprintf("%.1fs", d.Seconds())
	}
	return d.Round(time.Second).String()
}

// stepLines says which commands did not end well and where all that they printed is. Their
// last lines are shown when nothing else says what was wrong.
func stepLines(steps []report.Step, tails bool) string {
	var b strings.Builder
	logs := map[string]bool{}
	for _, s := range steps {
		bad := true
		in := ""
		if s.Dir != "" && s.Dir != "." {
			in = " in " + s.Dir
		}
		switch {
		case s.TimedOut:
			fmt.Fprintf(&b, "timed out after %s: %s%s\n", took(s.Took), shorten(s.Command, 60), in)
		case s.Canceled:
			fmt.Fprintf(&b, "stopped after %s: %s%s\n", took(s.Took), shorten(s.Command, 60), in)
		case s.Code != 0 && (tails || len(s.Tail) > 0):
			fmt.Fprintf(&b, "exit code %d: %s%s\n", s.Code, shorten(s.Command, 60), in)
		default:
			bad = s.Code != 0
		}
		if !bad {
			continue
		}
		for _, l := range s.Tail[max(0, len(s.Tail)-maxTail):] {
			b.WriteString("  " + shortLine(l) + "\n")
		}
		if s.Log != "" && !logs[s.Log] {
			logs[s.Log] = true
			b.WriteString("log: " + s.Log + "\n")
		}
	}
	return b.String()
}

// ending says that a command was ended before it was done; "" when none was.
func ending(steps []report.Step) string {
	for _, s := range steps {
		switch {
		case s.TimedOut:
			return "timed out"
		case s.Canceled:
			return "was stopped"
		}
	}
	return ""
}

// maxTail is how many last lines of a command's output are shown.
const maxTail = 8

// shortLine is a line of somebody's output: in one line, not too long, its indentation kept.
func shortLine(l string) string {
	l = harmless(l)
	body := strings.TrimLeft(l, " \t")
	if Tokens(body) > 60 {
		return l[:len(l)-len(body)] + shorten(body, 60)
	}
	return l
}

func buildTable(r *report.Build) table {
	if len(r.Diagnostics) > 0 || !r.OK {
		return findingsTable(r.Diagnostics)
	}
	t := table{head: []string{"path", "target", "bytes"}}
	for _, a := range r.Artifacts {
		t.add(a.Path, a.Target, a.Bytes)
	}
	return t
}

// Build002 prints a build in the form of build in the manual of cot's server.
func Build002(r *report.Build) string {
	if !r.OK {
		return "Build failed:\n" + findings002(r.Diagnostics) + stepLines(r.Steps, len(r.Diagnostics) == 0) + noteLines(r.Notes)
	}
	if len(r.Artifacts) == 0 {
		return "Build successful: " + whatBuilt(r) + "\n" + findings002(r.Diagnostics) + noteLines(r.Notes)
	}
	var b strings.Builder
	if len(r.Built) > 0 {
		b.WriteString("Build successful: " + strings.Join(r.Built, ", ") + "\n")
	}
	for _, a := range r.Artifacts {
		path := a.Path
		if !strings.HasPrefix(path, "/") && !strings.HasPrefix(path, "./") {
			path = "./" + path
		}
		target := ""
		if os, arch, ok := strings.Cut(a.Target, "-"); ok {
			target = arch + "-" + os + ", "
		}
		fmt.Fprintf(&b, "Build successful: %s (%s%s)\n", path, target, size(a.Bytes))
	}
	return b.String() + findings002(r.Diagnostics) + noteLines(r.Notes)
}

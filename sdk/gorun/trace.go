package gorun

import (
	"path"
	"regexp"
	"strconv"
	"strings"
)

// A frame is a call in a trace of Go's runtime.
type frame struct {
	fn   string // a/b.(*T).F
	file string // as printed
	line int
	made bool // the call that made the goroutine
}

// A goroutine is one of a trace.
type goroutine struct{ frames []frame }

var (
	goroutineLine = regexp.MustCompile(`^goroutine \d+ .*\[.*\]:$`)
	fileLine      = regexp.MustCompile(`^\s+(\S.*\.(?:go|s)):(\d+)(?: \+0x[0-9a-f]+)?(?: fp=.*)?$`)
	createdBy     = regexp.MustCompile(`^created by (.*?)(?: in goroutine \d+)?$`)
)

// trace reads last words: what they say, and the goroutines they list.
func trace(lines []string) (message string, all []goroutine) {
	var words []string
	i := 0
	for ; i < len(lines); i++ {
		line := strings.TrimRight(lines[i], " \t\r")
		if goroutineLine.MatchString(line) || line == "" && i > 0 {
			break
		}
		if strings.HasPrefix(line, "[signal ") || strings.HasPrefix(line, "PC=") {
			continue
		}
		line = strings.TrimSuffix(strings.TrimSuffix(line, " [recovered, repanicked]"), " [recovered]")
		if n := len(words); n > 0 && strings.TrimSpace(line) == words[n-1] {
			continue // it was raised again
		}
		words = append(words, line)
	}
	var fn string
	for ; i < len(lines); i++ {
		line := lines[i]
		m := fileLine.FindStringSubmatch(line)
		switch {
		case goroutineLine.MatchString(strings.TrimRight(line, "\r")):
			all = append(all, goroutine{})
			fn = ""
		case m != nil && fn != "" && len(all) > 0:
			g := &all[len(all)-1]
			f := frame{fn: fn, file: m[1]}
			f.line, _ = strconv.Atoi(m[2])
			if made := createdBy.FindStringSubmatch(fn); made != nil {
				f.fn, f.made = made[1], true
			} else if j := strings.LastIndexByte(fn, '('); j > 0 {
				f.fn = fn[:j]
			}
			g.frames = append(g.frames, f)
			fn = ""
		default:
			fn = strings.TrimSpace(line)
		}
	}
	return strings.Join(words, "\n"), all
}

// testName is the test whose function, or a function literal in it, the frame is of.
func (f frame) testName(pkg string) string {
	rest := f.fn[strings.LastIndexByte(f.fn, '/')+1:]
	folder := f.fn[:len(f.fn)-len(rest)]
	name, fn, ok := strings.Cut(rest, ".")
	full := strings.ReplaceAll(folder+name, "%2e", ".")
	if !ok || full != pkg && full != pkg+"_test" {
		return ""
	}
	fn, _, _ = strings.Cut(fn, ".")
	for _, prefix := range [...]string{"Test", "Fuzz", "Example"} {
		if strings.HasPrefix(fn, prefix) {
			return fn
		}
	}
	return ""
}

// A spot is a frame in a file of the project.
type spot struct {
	fn   string // b.F
	file string // from the root
	line int
}

// spots are the frames in files of the project, the innermost first.
func (p *places) spots(dir string, frames []frame) []spot {
	var out []spot
	for _, f := range frames {
		if strings.HasSuffix(f.file, "_testmain.go") {
			continue
		}
		file := p.named(dir, f.file)
		if path.IsAbs(file) || strings.Contains(file, ":") || strings.HasPrefix(file, "vendor/") || strings.Contains(file, "/vendor/") ||
			strings.Contains(file, "pkg/mod/") || !p.exists(file) {
			continue
		}
		out = append(out, spot{fn: f.fn[strings.LastIndexByte(f.fn, '/')+1:], file: file, line: f.line})
	}
	return out
}

// lines are spots in words, without those said before.
func spotLines(spots []spot) []string {
	const most = 8
	var out []string
	for i, s := range spots {
		if i == most {
			out = append(out, leftOut(len(spots)-most))
			break
		}
		out = append(out, s.String())
	}
	return out
}

func (s spot) String() string { return s.fn + " at " + s.file + ":" + strconv.Itoa(s.line) }

// of finds the goroutine that works for a test, best the one that does not only wait for a
// subtest.
func of(all []goroutine, pkg, root string) []frame {
	var waiting []frame
	for _, g := range all {
		waits := false
		for _, f := range g.frames {
			if f.made {
				continue
			}
			waits = waits || f.fn == "testing.(*T).Run"
			if f.testName(pkg) != root {
				continue
			}
			if !waits {
				return g.frames
			}
			if waiting == nil {
				waiting = g.frames
			}
		}
	}
	return waiting
}

var (
	raceAccess = regexp.MustCompile(`^(Read|Write|Previous read|Previous write|Atomic read|Atomic write|Previous atomic read|Previous atomic write) at 0x[0-9a-f]+ by `)
	raceEdge   = regexp.MustCompile(`^==================$`)
)

// race reads the first report of the race detector among lines. It gives where the accesses
// are, in words and as spots.
func (p *places) race(dir string, lines []string) (message string, at []spot, ok bool) {
	for i, line := range lines {
		if strings.TrimSpace(line) != "WARNING: DATA RACE" {
			continue
		}
		var kinds []string
		var frames []frame
		var words []string
		flush := func() {
			if len(kinds) == 0 {
				return
			}
			word := strings.ToLower(kinds[len(kinds)-1])
			if spots := p.spots(dir, frames); len(spots) > 0 {
				word += " in " + spots[0].String()
				at = append(at, spots[0])
			}
			words, frames, kinds = append(words, word), nil, nil
		}
		fn := ""
		for _, line := range lines[i+1:] {
			if raceEdge.MatchString(line) {
				break
			}
			if m := raceAccess.FindStringSubmatch(line); m != nil {
				flush()
				kinds = append(kinds, m[1])
			} else if m := fileLine.FindStringSubmatch(line); m != nil && fn != "" {
				f := frame{fn: strings.TrimSuffix(fn, "()"), file: m[1]}
				f.line, _ = strconv.Atoi(m[2])
				frames = append(frames, f)
			} else if strings.TrimSpace(line) == "" {
				flush()
			} else {
				fn = strings.TrimSpace(line)
			}
		}
		flush()
		return "data race: " + strings.Join(words, "; "), at, true
	}
	return "", nil, false
}

// withoutRaces drops the reports of the race detector.
func withoutRaces(lines []string) []string {
	var out []string
	in := false
	for i, line := range lines {
		if raceEdge.MatchString(line) {
			if in || i+1 < len(lines) && strings.TrimSpace(lines[i+1]) == "WARNING: DATA RACE" {
				in = !in
				continue
			}
		}
		if !in {
			out = append(out, line)
		}
	}
	return out
}

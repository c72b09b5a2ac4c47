package gorun

import (
	"regexp"
	"strings"
)

// valueMax is how many bytes of an expected or actual value are kept.
const valueMax = 2000

var (
	gotWord  = regexp.MustCompile(`(?i)(^|[^\w-])(got|have|actual|received|actually got|but got|but was|but is)( value| result)?\b[ \t]*[:=]?`)
	wantWord = regexp.MustCompile(`(?i)(^|[^\w-])(want|wanted|wants|expected|expect|expecting|exp|should be|should have been)( value| result)?\b[ \t]*[:=]?`)
	quoted   = regexp.MustCompile("\"(?:[^\"\\\\\n]|\\\\.)*\"|`[^`]*`")
	wantGot  = regexp.MustCompile(`\(?-\s*(want|expected|exp)\b.{0,3}\+\s*(got|actual|have)\b`)
	gotWant  = regexp.MustCompile(`\(?-\s*(got|actual|have)\b.{0,3}\+\s*(want|expected|exp)\b`)
	joints   = regexp.MustCompile(`(?i)(^[\s,;:.=]+|[\s,;:.(\[]+$|[\s,;.]+(and|but|instead)$)`)
)

// values finds what a failed test expected and what it got in the words of its message, ""
// when the message does not say in any of the usual ways. It guesses nothing from position:
// of "X != Y" nobody knows which is which.
func values(message string) (expected, got string) {
	if expected, got, ok := diff(message); ok {
		return expected, got
	}
	masked := quoted.ReplaceAllStringFunc(message, func(q string) string {
		return strings.Map(func(r rune) rune {
			if r == '\n' {
				return r
			}
			return '_'
		}, strings.Repeat("_", len(q)))
	})
	w, g := wantWord.FindStringIndex(masked), gotWord.FindStringIndex(masked)
	switch {
	case w == nil:
		return "", ""
	case g == nil: // F(1) = 2, want 3
		left := trim(message[:w[0]])
		if left == "" || strings.Contains(left, "\n") {
			return "", ""
		}
		if i := strings.LastIndex(masked[:len(message[:w[0]])], " = "); i >= 0 {
			left = trim(message[i+3 : w[0]])
		} else if i := strings.LastIndex(masked[:w[0]], ": "); i >= 0 {
			left = trim(message[i+2 : w[0]])
		}
		right := trim(lastValue(message[w[1]:], false))
		if right == "" || left == "" {
			return "", ""
		}
		return cut(right), cut(left)
	case g[0] < w[0]:
		// the label may be said twice: "got: got 1, want 2"
		return cut(trim(lastValue(message[w[1]:], apart(message, g, w)))), cut(trim(message[g[1]:max(g[1], w[0])]))
	default:
		return cut(trim(message[w[1]:max(w[1], g[0])])), cut(trim(lastValue(message[g[1]:], apart(message, w, g))))
	}
}

// apart says whether two labels begin lines of their own, so that values may have many lines.
func apart(message string, a, b []int) bool {
	return strings.Contains(message[a[1]:max(a[1], b[0]+1)], "\n") && lineStart(message, b[0])
}

func lineStart(message string, i int) bool {
	before := message[:min(len(message), i+1)]
	return strings.TrimSpace(before[strings.LastIndexByte(before, '\n')+1:]) == ""
}

// lastValue is the value that text begins with: its first line, or all of it.
func lastValue(text string, all bool) string {
	text = strings.TrimLeft(text, " \t")
	if all || strings.HasPrefix(text, "\n") {
		return text
	}
	line, _, _ := strings.Cut(text, "\n")
	return line
}

func trim(value string) string {
	for {
		was := value
		value = joints.ReplaceAllString(strings.TrimSpace(value), "")
		if value == was {
			break
		}
	}
	if strings.Count(value, ")") == strings.Count(value, "(")+1 { // (got 1, want 2)
		value = strings.TrimSuffix(value, ")")
	}
	if strings.Count(value, "]") == strings.Count(value, "[")+1 {
		value = strings.TrimSuffix(value, "]")
	}
	return unindent(value)
}

func cut(value string) string {
	if len(value) > valueMax {
		return strings.ToValidUTF8(value[:valueMax], "") + "..."
	}
	return value
}

// unindent takes the white space that all lines but the first have in common off them.
func unindent(text string) string {
	lines := strings.Split(text, "\n")
	common := -1
	for _, l := range lines[1:] {
		if strings.TrimSpace(l) == "" {
			continue
		}
		n := len(l) - len(strings.TrimLeft(l, " \t"))
		if common < 0 || n < common {
			common = n
		}
	}
	for i, l := range lines[1:] {
		lines[i+1] = strings.TrimRight(l[min(len(l), max(common, 0)):], " \t")
	}
	return strings.Join(lines, "\n")
}

// diff reads the two sides of a difference whose heading says which is which: -want +got.
func diff(message string) (expected, got string, ok bool) {
	normal, swapped := wantGot.FindStringIndex(message), gotWant.FindStringIndex(message)
	head := normal
	if head == nil {
		if head = swapped; head == nil {
			return "", "", false
		}
	}
	var minus, plus []string
	for line := range strings.Lines(message[head[1]:]) {
		line = strings.TrimRight(strings.ReplaceAll(line, "\u00a0", " "), "\r\n")
		body := strings.TrimLeft(line, " \t")
		switch {
		case strings.HasPrefix(body, "---"), strings.HasPrefix(body, "+++"):
		case strings.HasPrefix(body, "-"):
			minus = append(minus, strings.TrimSpace(body[1:]))
		case strings.HasPrefix(body, "+"):
			plus = append(plus, strings.TrimSpace(body[1:]))
		}
	}
	if len(minus)+len(plus) == 0 {
		return "", "", false
	}
	side := func(lines []string) string {
		if len(lines) == 1 {
			return cut(strings.TrimSuffix(lines[0], ",")) // an element of a list
		}
		return cut(strings.Join(lines, "\n"))
	}
	a, b := side(minus), side(plus)
	if normal == nil {
		a, b = b, a
	}
	return a, b, true
}

var (
	testifyField = regexp.MustCompile(`^(Error Trace|Error|Test|Messages):[ \t]*(.*)$`)
	testifyWant  = regexp.MustCompile(`^expected *: ?(.*)$`)
	testifyGot   = regexp.MustCompile(`^actual *: ?(.*)$`)
)

// An assertion is what testify prints of one.
type assertion struct {
	place                  string // file:line
	message, expected, got string
}

// testify reads a message of testify.
func testify(message string) (assertion, bool) {
	if !strings.Contains(message, "Error Trace:") {
		return assertion{}, false
	}
	fields := map[string][]string{}
	field := ""
	for line := range strings.Lines(message) {
		line = strings.TrimRight(line, " \t\r\n")
		body := strings.TrimLeft(line, " \t")
		if m := testifyField.FindStringSubmatch(body); m != nil {
			field = m[1]
			fields[field] = append(fields[field], m[2])
		} else if field != "" {
			fields[field] = append(fields[field], body)
		}
	}
	var a assertion
	if trace := fields["Error Trace"]; len(trace) > 0 {
		a.place = trace[0]
	}
	var words []string
	in := &words
	var want, got []string
	for _, line := range fields["Error"] {
		if strings.HasPrefix(line, "Diff:") {
			break
		}
		if m := testifyWant.FindStringSubmatch(line); m != nil {
			in, line = &want, m[1]
		} else if m := testifyGot.FindStringSubmatch(line); m != nil {
			in, line = &got, m[1]
		}
		*in = append(*in, line)
	}
	join := func(lines []string) string { return strings.TrimSpace(strings.Join(lines, "\n")) }
	a.message, a.expected, a.got = join(words), cut(join(want)), cut(join(got))
	if a.expected == "" && a.got == "" {
		if a.expected, a.got = values(a.message); a.got == "" {
			a.expected = ""
		}
	}
	if more := join(fields["Messages"]); more != "" {
		a.message += "\n" + more
	}
	return a, true
}

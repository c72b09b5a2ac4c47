package gogen

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/settgraph/sett/compiler/source"
)

// flow says whether control reaches the end of some statements.
type flow uint8

const (
	falls flow = iota // it may
	jumps             // it does not: break, continue
	ends              // it does not, and Go agrees that no return is missing: return, panic
)

// local is a Go variable. Go refuses variables that nothing reads, so reads are noted.
type local struct {
	name string
	used bool
}

// line is a line of Go text.
type line struct {
	text   string
	at     int32 // the line of the Pluto file; 0 when nothing in it can fail or be on a stack
	file   *source.File
	nested *block // instead of text
	unused *local // keep the line only when nothing reads the variable
	used   *local // keep the line only when something reads the variable
}

// block is a list of lines that grows. It belongs to one function.
type block struct {
	lines  []line
	flow   flow
	lastIf int // the index of the line that begins the last if of [fn.fork]
}

func (b *block) add(l line) { b.lines = append(b.lines, l) }

func (b *block) nest(n *block) { b.lines = append(b.lines, line{nested: n}) }

// displace makes the block one that comes from no line of Pluto.
func (b *block) displace() {
	for i := range b.lines {
		b.lines[i].at = 0
		if n := b.lines[i].nested; n != nil {
			n.displace()
		}
	}
}

// empty says whether the block has no text, whatever becomes of its conditional lines.
func (b *block) empty() bool { return len(b.lines) == 0 }

// printer writes the lines of functions with //line directives before those whose place is
// not the one after the line before.
type printer struct {
	bytes.Buffer
	file *source.File
	next int32 // the line that Go would give the next line of text
}

// unknown is a line that no text has.
const unknown = -1

func (p *printer) block(b *block) {
	for _, l := range b.lines {
		switch {
		case l.nested != nil:
			p.block(l.nested)
		case l.unused != nil && l.unused.used, l.used != nil && !l.used.used:
		default:
			p.line(l)
		}
	}
}

// canFail says whether a line can fail or be on a stack: it has a call, a selector or a
// division. For others nobody asks where they come from.
func canFail(text string) bool { return strings.ContainsAny(text, "(./%") }

func (p *printer) line(l line) {
	if l.at != 0 && canFail(l.text) && (l.at != p.next || l.file != p.file) {
		fmt.Fprintf(p, "//line %s:%d\n", l.file.Name, l.at)
		p.file, p.next = l.file, l.at
	}
	p.WriteString(l.text)
	p.WriteByte('\n')
	switch {
	case strings.Contains(l.text, "\n"): // directives in it, of a closure
		p.next = unknown
	case p.next != unknown:
		p.next++
	}
}

package indexer

import (
	"strings"
)

// This file matches paths as git does: the rules of gitignore(5), and of the matcher that
// git uses for them, byte by byte.

// wild are the bytes that are not just themselves in a pattern.
const wild = `*?[\`

// A verdict is what a list of patterns says of a path.
type verdict uint8

const (
	unmatched verdict = iota
	ignored
	included // by a pattern that begins with !
)

// An ignoreList holds the patterns of one file, which apply below the folder it is in.
type ignoreList struct {
	base     string // the folder, from the root; empty for the root
	patterns []pattern
}

// A pattern is one line of a list.
type pattern struct {
	negated  bool
	dirOnly  bool    // it ended in a slash
	whole    bool    // it is matched with the path from the base, not with the last element
	literal  string  // when tokens is nil, what the text must be, or end with if suffix is set
	suffix   bool    // it is a star and a literal
	tokens   []token // of a pattern with wildcards
	segments []string
}

// parseIgnore reads a list. What git would never match is left out.
func parseIgnore(base string, data []byte) *ignoreList {
	l := &ignoreList{base: base}
	text := strings.TrimPrefix(string(data), "\ufeff")
	for line := range strings.SplitSeq(text, "\n") {
		line = strings.TrimSuffix(line, "\r")
		if p, ok := parsePattern(line); ok {
			l.patterns = append(l.patterns, p)
		}
	}
	return l
}

func parsePattern(line string) (p pattern, ok bool) {
	if line == "" || line[0] == '#' {
		return p, false
	}
	line = trimSpaces(line)
	line, p.negated = strings.CutPrefix(line, "!")
	line, p.dirOnly = strings.CutSuffix(line, "/")
	p.whole = strings.Contains(line, "/")
	line = strings.TrimPrefix(line, "/")
	if line == "" {
		return p, false
	}
	p.segments = literalSegments(line)
	if !strings.ContainsAny(line, wild) {
		p.literal = line
		return p, true
	}
	if rest := line[1:]; line[0] == '*' && !p.whole && rest != "" && !strings.ContainsAny(rest, wild) {
		p.literal, p.suffix = rest, true
		return p, true
	}
	p.tokens, ok = compile(line)
	return p, ok
}

// literalSegments returns the leading path elements without wildcards: the folders
// through which every match must go.
func literalSegments(line string) []string {
	elems := strings.Split(line, "/")
	for i, e := range elems {
		if strings.ContainsAny(e, wild) {
			return elems[:i]
		}
	}
	return elems
}

// trimSpaces removes spaces from the end, except one that a backslash protects.
func trimSpaces(line string) string {
	end := len(line)
	from := -1
	for i := 0; i < len(line); i++ {
		switch line[i] {
		case ' ':
			if from < 0 {
				from = i
			}
		case '\\':
			i++
			if i == len(line) {
				return line
			}
			from = -1
		default:
			from = -1
		}
	}
	if from >= 0 {
		end = from
	}
	return line[:end]
}

// match returns what the last pattern that matches the path says. The path is from the
// root and lies below the base.
func (l *ignoreList) match(path string, dir bool) verdict {
	rel := path
	if l.base != "" {
		rel = path[len(l.base)+1:]
	}
	name := path[strings.LastIndexByte(path, '/')+1:]
	for i := len(l.patterns) - 1; i >= 0; i-- {
		p := &l.patterns[i]
		if p.dirOnly && !dir {
			continue
		}
		text := name
		if p.whole {
			text = rel
		}
		if !p.matches(text) {
			continue
		}
		if p.negated {
			return included
		}
		return ignored
	}
	return unmatched
}

// leadsTo reports whether something below a folder, which itself does not match, could be
// named by a pattern that spells out the way to it.
func (l *ignoreList) leadsTo(dir string) bool {
	elems := strings.Split(dir, "/")
	for _, p := range l.patterns {
		if p.negated || !p.whole || len(p.segments) < len(elems) {
			continue
		}
		ok := true
		for i, e := range elems {
			ok = ok && p.segments[i] == e
		}
		if ok {
			return true
		}
	}
	return false
}

func (p *pattern) matches(text string) bool {
	switch {
	case p.tokens != nil:
		return matchTokens(p.tokens, text)
	case p.suffix:
		return strings.HasSuffix(text, p.literal)
	}
	return text == p.literal
}

// A token is one element of a compiled pattern.
type token struct {
	kind tokenKind
	char byte       // of tokenChar
	set  *[8]uint32 // of tokenSet: a bit for each byte that matches
}

type tokenKind uint8

const (
	tokenChar tokenKind = iota
	tokenAny            // ?: one byte that is no slash
	tokenSet            // [...]: one byte that is no slash
	tokenStar           // *: bytes that are no slashes
	tokenDirs           // **/: nothing, or whole folders
	tokenRest           // ** at the end: everything
)

// compile returns false for a pattern that cannot match anything.
func compile(s string) ([]token, bool) {
	var ts []token
	prefix := strings.IndexAny(s, wild)
	for i := 0; i < len(s); {
		switch c := s[i]; c {
		case '?':
			ts = append(ts, token{kind: tokenAny})
			i++
		case '*':
			j := i
			for j < len(s) && s[j] == '*' {
				j++
			}
			// Two stars are special between slashes only. But git compares what comes
			// before the first wildcard on its own, and then takes the rest for a whole.
			free := i == prefix || s[i-1] == '/'
			switch {
			case j-i >= 2 && free && j == len(s):
				ts = append(ts, token{kind: tokenRest})
			case j-i >= 2 && free && s[j] == '/':
				ts = append(ts, token{kind: tokenDirs})
				j++
			default:
				ts = append(ts, token{kind: tokenStar})
			}
			i = j
		case '[':
			set, n := compileSet(s[i:])
			if n == 0 {
				return nil, false
			}
			ts = append(ts, token{kind: tokenSet, set: set})
			i += n
		case '\\':
			if i++; i == len(s) {
				return nil, false
			}
			ts = append(ts, token{kind: tokenChar, char: s[i]})
			i++
		default:
			ts = append(ts, token{kind: tokenChar, char: c})
			i++
		}
	}
	return ts, true
}

// compileSet reads a set in brackets and returns its length, or zero when it never ends
// or names an unknown class.
func compileSet(s string) (*[8]uint32, int) {
	var set [8]uint32
	add := func(lo, hi byte) {
		for c := int(lo); c <= int(hi); c++ {
			set[c>>5] |= 1 << (c & 31)
		}
	}
	i := 1
	negated := i < len(s) && (s[i] == '!' || s[i] == '^')
	if negated {
		i++
	}
	var prev byte // the character that a following - would start a range at
	for first := true; ; first = false {
		if i >= len(s) {
			return nil, 0
		}
		c := s[i]
		switch {
		case c == ']' && !first:
			if negated {
				for k := range set {
					set[k] = ^set[k]
				}
			}
			set['/'>>5] &^= 1 << ('/' & 31)
			return &set, i + 1
		case c == '\\':
			if i++; i >= len(s) {
				return nil, 0
			}
			add(s[i], s[i])
			prev = s[i]
		case c == '-' && prev != 0 && i+1 < len(s) && s[i+1] != ']':
			i++
			if s[i] == '\\' {
				if i++; i >= len(s) {
					return nil, 0
				}
			}
			add(prev, s[i])
			prev = 0
		case c == '[' && i+1 < len(s) && s[i+1] == ':':
			end := strings.IndexByte(s[i+2:], ']')
			if end < 0 {
				return nil, 0
			}
			name := s[i+2 : i+2+end]
			if !strings.HasSuffix(name, ":") { // no class after all: a bracket in the set
				add('[', '[')
				prev = '['
				break
			}
			in := classes[strings.TrimSuffix(name, ":")]
			if in == nil {
				return nil, 0
			}
			for b := range 128 {
				if in(byte(b)) {
					add(byte(b), byte(b))
				}
			}
			i += 2 + end
			prev = 0
		default:
			add(c, c)
			prev = c
		}
		i++
	}
}

// classes are the named classes of POSIX, in ASCII.
var classes = map[string]func(byte) bool{
	"alnum":  func(c byte) bool { return isAlpha(c) || isDigit(c) },
	"alpha":  isAlpha,
	"blank":  func(c byte) bool { return c == ' ' || c == '\t' },
	"cntrl":  func(c byte) bool { return c < 32 || c == 127 },
	"digit":  isDigit,
	"graph":  func(c byte) bool { return c > 32 && c < 127 },
	"lower":  isLower,
	"print":  func(c byte) bool { return c >= 32 && c < 127 },
	"punct":  func(c byte) bool { return c > 32 && c < 127 && !isAlpha(c) && !isDigit(c) },
	"space":  func(c byte) bool { return c == ' ' || c >= 9 && c <= 13 },
	"upper":  isUpper,
	"xdigit": func(c byte) bool { return isDigit(c) || c >= 'a' && c <= 'f' || c >= 'A' && c <= 'F' },
}

func isLower(c byte) bool { return c >= 'a' && c <= 'z' }
func isUpper(c byte) bool { return c >= 'A' && c <= 'Z' }
func isDigit(c byte) bool { return c >= '0' && c <= '9' }
func isAlpha(c byte) bool { return isLower(c) || isUpper(c) }

// matchTokens matches the whole text. It remembers the last star and the last double
// star, and on a mismatch lets the star take one byte more, or else the double star one
// folder more. An earlier one never needs to be tried again: what lies between it and the
// later one was matched as early as possible. So no pattern takes exponential time.
func matchTokens(ts []token, text string) bool {
	type mark struct{ p, t int }
	none := mark{-1, 0}
	star, dirs := none, none
	p, t := 0, 0
	for {
		if p < len(ts) {
			k := &ts[p]
			switch k.kind {
			case tokenRest:
				return true
			case tokenStar:
				star = mark{p + 1, t}
				p++
				continue
			case tokenDirs:
				star, dirs = none, mark{p + 1, t}
				p++
				continue
			}
			if t < len(text) && k.takes(text[t]) {
				p++
				t++
				continue
			}
		} else if t == len(text) {
			return true
		}
		if star.p >= 0 && star.t < len(text) && text[star.t] != '/' {
			star.t++
			p, t = star.p, star.t
			continue
		}
		if dirs.p < 0 {
			return false
		}
		slash := strings.IndexByte(text[dirs.t:], '/')
		if slash < 0 {
			return false
		}
		dirs.t += slash + 1
		star = none
		p, t = dirs.p, dirs.t
	}
}

func (k *token) takes(c byte) bool {
	switch k.kind {
	case tokenChar:
		return k.char == c
	case tokenAny:
		return c != '/'
	case tokenSet:
		return k.set[c>>5]&(1<<(c&31)) != 0
	}
	return false
}

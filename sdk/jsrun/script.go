package jsrun

import (
	"regexp"
	"strings"
)

// holder is the script, the given one or one that it runs, whose text fits; "" for none.
func (p *Package) holder(script string, fits func(string) bool) string {
	return p.holderBut(script, fits, map[string]bool{})
}

// holderBut passes over the scripts that were seen.
func (p *Package) holderBut(script string, fits func(string) bool, seen map[string]bool) string {
	text := p.script(script)
	if seen[script] || text == "" {
		return ""
	}
	seen[script] = true
	if fits(text) {
		return script
	}
	for _, cmd := range commands(text) {
		for _, s := range p.called(cmd) {
			if h := p.holderBut(s, fits, seen); h != "" {
				return h
			}
		}
	}
	return ""
}

func setsOptions(text string) bool { return strings.Contains(text, "NODE_OPTIONS=") }

func runsNodeTest(text string) bool { return testFlag.MatchString(text) }

// testFlag is the flag that makes node run tests.
var testFlag = regexp.MustCompile(`(^|\s)--test(\s|$)`)

// joinOptions puts ours before what a script gives NODE_OPTIONS: a shell joins what is
// written without a space between.
func joinOptions(text, option string) string {
	return strings.ReplaceAll(text, "NODE_OPTIONS=", "NODE_OPTIONS="+quoted(option+" "))
}

// editNodeTest gives flags, and instead of its own files those, to the node of a script that
// runs tests.
func editNodeTest(text string, flags, files []string) string {
	at := testFlag.FindStringIndex(text)
	if at == nil {
		return text
	}
	start := at[0] + strings.Index(text[at[0]:at[1]], "--test") + len("--test")
	end := start + commandEnd(text[start:])
	rest := text[start:end]
	var b strings.Builder
	b.WriteString(text[:start])
	for _, f := range flags {
		b.WriteString(" " + quoted(f))
	}
	if len(files) == 0 {
		b.WriteString(rest)
	} else {
		value := false
		for _, w := range rawWords(rest) {
			if value || strings.HasPrefix(w, "-") {
				b.WriteString(" " + w)
			}
			value = !value && takesValue[w]
		}
		for _, f := range files {
			b.WriteString(" " + quoted(f))
		}
		b.WriteString(" ")
	}
	b.WriteString(text[end:])
	return strings.TrimSpace(b.String())
}

// takesValue are the flags of node that are followed by a value.
var takesValue = map[string]bool{
	"--import": true, "--require": true, "-r": true, "--loader": true, "--experimental-loader": true, "--env-file": true,
	"-C": true, "--conditions": true, "--test-reporter": true, "--test-reporter-destination": true, "--test-concurrency": true,
	"--test-timeout": true, "--test-name-pattern": true, "--test-skip-pattern": true, "--test-shard": true, "--tsconfig": true,
}

// commandEnd is where the first command of a text ends.
func commandEnd(text string) int {
	quote := byte(0)
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case c == '\\':
			i++
		case c == '\'' || c == '"':
			quote = c
		case c == '&' || c == '|' || c == ';' || c == '\n' || c == ')' || c == '>' || c == '<':
			return i
		}
	}
	return len(text)
}

// rawWords are the words of a command with their quotes.
func rawWords(text string) []string {
	var words []string
	begin, quote := -1, byte(0)
	for i := 0; i <= len(text); i++ {
		if i == len(text) || quote == 0 && (text[i] == ' ' || text[i] == '\t') {
			if begin >= 0 {
				words = append(words, text[begin:i])
			}
			begin = -1
			continue
		}
		if begin < 0 {
			begin = i
		}
		switch c := text[i]; {
		case quote != 0 && c == quote:
			quote = 0
		case quote == 0 && (c == '\'' || c == '"'):
			quote = c
		case quote == 0 && c == '\\' && i+1 < len(text):
			i++
		}
	}
	return words
}

// quoted is a word as a shell takes it.
func quoted(word string) string {
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}

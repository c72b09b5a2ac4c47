package jsrun

import (
	"os/exec"
	"path"
	"regexp"
	"slices"
	"strings"
)

// nodeTest is the test runner that node has itself.
const nodeTest = "node:test"

func inPath(name string) bool {
	_, err := exec.LookPath(name)
	return err == nil
}

// ours says whether we have a reporter for the runner.
func ours(runner string) bool {
	return runner == "vitest" || runner == "jest" || runner == "mocha" || runner == nodeTest
}

// runners are the programs that run tests, and what the runner is then called.
var runners = map[string]string{
	"vitest": "vitest", "jest": "jest", "mocha": "mocha", "_mocha": "mocha", "react-scripts": "jest",
	"ava": "ava", "tap": "tap", "tape": "tape", "jasmine": "jasmine", "playwright": "playwright", "cypress": "cypress",
	"karma": "karma", "uvu": "uvu", "qunit": "qunit", "lab": "lab", "wtr": "web-test-runner",
}

// runnerOf is the test runner of a package: what its test script starts, else what it depends on.
func runnerOf(p *Package) string {
	if r := p.starts("test", map[string]bool{}); r != "" {
		return r
	}
	if p.script("test") != "" {
		return "" // its own business
	}
	for _, name := range []string{"vitest", "jest", "mocha"} {
		if p.deps[name] {
			return name
		}
	}
	return ""
}

// starts is the runner that a script starts, also through other scripts of the package, but
// not those that were seen.
func (p *Package) starts(script string, seen map[string]bool) string {
	if seen[script] {
		return ""
	}
	seen[script] = true
	for _, cmd := range commands(p.script(script)) {
		if r := started(cmd); r != "" {
			return r
		}
		for _, s := range p.called(cmd) {
			if r := p.starts(s, seen); r != "" {
				return r
			}
		}
	}
	return ""
}

// starting is how many times a script starts a runner that we know, also through other scripts.
func (p *Package) starting(script string) int { return p.counted(script, map[string]int{}) }

// counted remembers what it knows of scripts; one that comes to itself starts nothing more.
func (p *Package) counted(script string, known map[string]int) int {
	if n, ok := known[script]; ok {
		return n
	}
	known[script] = 0
	n := 0
	for _, cmd := range commands(p.script(script)) {
		if r := started(cmd); r != "" {
			n++
			continue
		}
		for _, s := range p.called(cmd) {
			n += p.counted(s, known)
		}
	}
	n = min(n, 1000) // scripts that double each other are no reason to overflow
	known[script] = n
	return n
}

// started is the runner that one command starts.
func started(cmd []string) string {
	for i, w := range cmd {
		base := strings.TrimSuffix(path.Base(w), ".js")
		if r, ok := runners[base]; ok && (r != "jest" || base != "react-scripts" || slices.Contains(cmd[i:], "test")) {
			return r
		}
		if base == "vitest.mjs" {
			return "vitest"
		}
		if (w == "--test" || strings.HasPrefix(w, "--test=")) && i > 0 {
			return nodeTest
		}
		if base == "bun" && i+1 < len(cmd) && cmd[i+1] == "test" {
			return "bun"
		}
		if strings.HasPrefix(w, "-") && i == 0 {
			return ""
		}
	}
	return ""
}

// called are the scripts of the package that a command runs: "npm run a", "yarn a", "run-s a b".
func (p *Package) called(cmd []string) []string {
	for len(cmd) > 0 && (assignment.MatchString(cmd[0]) || cmd[0] == "cross-env") {
		cmd = cmd[1:]
	}
	if len(cmd) < 2 {
		return nil
	}
	var names []string
	switch path.Base(cmd[0]) {
	case "npm", "pnpm", "yarn", "bun", "run-s", "run-p", "npm-run-all", "npm-run-all2", "concurrently":
		for _, w := range cmd[1:] {
			w = strings.TrimPrefix(strings.TrimPrefix(w, "npm:"), "npm run ")
			if strings.Contains(w, "*") {
				names = append(names, p.matching(w)...)
			} else if p.script(w) != "" && w != "run" {
				names = append(names, w)
			}
		}
	}
	return names
}

// matching are the scripts whose names a pattern means: "test:*".
func (p *Package) matching(pattern string) []string {
	var names []string
	for name := range p.Scripts {
		if ok, err := path.Match(pattern, name); err == nil && ok && p.script(name) != "" {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

var assignment = regexp.MustCompile(`^[A-Za-z_]\w*=`)

// commands splits a script as a shell would, roughly: into commands, and these into words
// without their quotes. What is between quotes and has spaces is also looked into as a
// command, for concurrently and sh -c.
func commands(script string) [][]string {
	var all [][]string
	var cmd []string
	var word strings.Builder
	has := false
	endWord := func() {
		if has {
			cmd = append(cmd, word.String())
		}
		word.Reset()
		has = false
	}
	end := func() {
		endWord()
		if len(cmd) > 0 {
			all = append(all, cmd)
		}
		cmd = nil
	}
	quote := byte(0)
	for i := 0; i < len(script); i++ {
		c := script[i]
		switch {
		case quote != 0 && c == quote:
			quote = 0
		case quote != 0:
			word.WriteByte(c)
		case c == '\'' || c == '"':
			quote, has = c, true
		case c == '\\' && i+1 < len(script):
			i++
			word.WriteByte(script[i])
			has = true
		case c == ' ' || c == '\t':
			endWord()
		case c == '&' || c == '|' || c == ';' || c == '\n' || c == '(' || c == ')':
			end()
		default:
			word.WriteByte(c)
			has = true
		}
	}
	end()
	for _, cmd := range slices.Clone(all) {
		for _, w := range cmd {
			if strings.Contains(w, " ") && len(w) < len(script) {
				all = append(all, commands(w)...)
			}
		}
	}
	return all
}

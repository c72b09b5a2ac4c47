// Package regex is behind std.regex. Patterns have the syntax of RE2, so matching takes time
// in proportion to the text whatever the pattern. Functions given a pattern that is none find
// nothing; [Check] says what is wrong with it.
package regex

import (
	"regexp"
	"strings"
	"sync"

	"github.com/settgraph/sett/compiler/rt"
)

// compiled keeps what the patterns of the process mean, a bounded number of them: a
// program has few, but it uses each many times.
var compiled = struct {
	sync.RWMutex
	patterns map[string]*regexp.Regexp // nil for what is no pattern
}{patterns: map[string]*regexp.Regexp{}}

const maxCompiled = 512

// pattern compiles a pattern; the result is nil for one that is none.
func pattern(p string) *regexp.Regexp {
	compiled.RLock()
	re, ok := compiled.patterns[p]
	compiled.RUnlock()
	if ok {
		return re
	}
	re, err := regexp.Compile(p)
	if err != nil {
		re = nil
	}
	compiled.Lock()
	defer compiled.Unlock()
	if len(compiled.patterns) >= maxCompiled {
		clear(compiled.patterns)
	}
	compiled.patterns[p] = re
	return re
}

// Check returns "" for a pattern, else what is wrong with it.
func Check(p string) string {
	if pattern(p) != nil {
		return ""
	}
	_, err := regexp.Compile(p)
	return strings.TrimPrefix(err.Error(), "error parsing regexp: ")
}

// Matches says whether the pattern is somewhere in the text.
func Matches(p, text string) bool {
	re := pattern(p)
	return re != nil && re.MatchString(text)
}

// Find gives the first match: where it starts and ends, then where each group of the pattern
// does, -1 and -1 for a group without a part in the match. Without a match it is empty.
func Find(p, text string) *rt.Array[int64] {
	re := pattern(p)
	if re == nil {
		return rt.NewArray[int64]()
	}
	return ints(re.FindStringSubmatchIndex(text))
}

// FindAll gives all matches that do not overlap, one after the other, each as [Find] does.
func FindAll(p, text string) *rt.Array[int64] {
	re := pattern(p)
	if re == nil {
		return rt.NewArray[int64]()
	}
	var all []int
	for _, m := range re.FindAllStringSubmatchIndex(text, -1) {
		all = append(all, m...)
	}
	return ints(all)
}

// Groups is how many groups the pattern has.
func Groups(p string) int64 {
	re := pattern(p)
	if re == nil {
		return 0
	}
	return int64(re.NumSubexp())
}

// GroupNames are the names of the groups, "" for those without one.
func GroupNames(p string) *rt.Array[string] {
	re := pattern(p)
	if re == nil {
		return rt.NewArray[string]()
	}
	return rt.NewArray(re.SubexpNames()[1:]...)
}

// Replace puts the replacement, as it is, in the place of the first match.
func Replace(p, replacement, text string) string {
	re := pattern(p)
	if re == nil {
		return text
	}
	at := re.FindStringIndex(text)
	if at == nil {
		return text
	}
	return text[:at[0]] + replacement + text[at[1]:]
}

// ReplaceAll puts the replacement, as it is, in the place of every match.
func ReplaceAll(p, replacement, text string) string {
	re := pattern(p)
	if re == nil {
		return text
	}
	return re.ReplaceAllLiteralString(text, replacement)
}

// ExpandAll puts the template in the place of every match; $1 or ${name} in it is what the
// group matched, $$ a dollar sign.
func ExpandAll(p, template, text string) string {
	re := pattern(p)
	if re == nil {
		return text
	}
	return re.ReplaceAllString(text, template)
}

// Split gives the pieces of the text between matches.
func Split(p, text string) *rt.Array[string] {
	re := pattern(p)
	if re == nil {
		return rt.NewArray(text)
	}
	return rt.NewArray(re.Split(text, -1)...)
}

// Quote is a pattern that matches exactly the text.
func Quote(text string) string { return regexp.QuoteMeta(text) }

func ints(from []int) *rt.Array[int64] {
	to := make([]int64, len(from))
	for i, n := range from {
		to[i] = int64(n)
	}
	return rt.NewArray(to...)
}

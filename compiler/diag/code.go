package diag

import (
	"cmp"
	"slices"
)

// Code is the stable name of a rule, as printed between brackets: P0203. The first two
// digits are the chapter: 01 text and tokens, 02 grammar, 03 names and declarations,
// 04 types and expressions, 05 statements, 06 generics and traits, 07 errors,
// 08 mutability, 09 contracts, 10 injection and lifecycles, 11 concurrency,
// 12 modules and packages, 13 tests, 14 lowering and linking, 15 warnings.
type Code string

// Rule explains a code.
type Rule struct {
	Code  Code
	Title string // the rule in one sentence
	Text  string // why it is so and what to do about it, in plain paragraphs
	Wrong string // the smallest program that breaks it; checking it reports Code
	Right string // the same program mended; checking it reports nothing
}

// rules is filled by the chapters' files, one table each.
var rules = slices.Concat(syntaxRules, declRules, typeRules, stmtRules, flowRules, moduleRules)

// Rules is every rule in the order of its code.
func Rules() []Rule {
	return slices.SortedFunc(slices.Values(rules), func(a, b Rule) int { return cmp.Compare(a.Code, b.Code) })
}

// Explain finds the rule of a code.
func Explain(code Code) (Rule, bool) {
	i := slices.IndexFunc(rules, func(r Rule) bool { return r.Code == code })
	if i < 0 {
		return Rule{}, false
	}
	return rules[i], true
}

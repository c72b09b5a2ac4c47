package query

import "slices"

// All returns THE table of questions, in the order in which help lists them.
func All() []Spec {
	return []Spec{
		findSpec,
		refsSpec,
		impactSpec,
		callGraphSpec,
		contextSpec,
		circularSpec,
		symbolsSpec,
		sourceSpec,
		typeSpec,
		defSpec,
		pathSpec,
		deadCodeSpec,
		statsSpec,
	}
}

// ByVerb finds a question by its verb or another name of it.
func ByVerb(verb string) (Spec, bool) {
	for _, s := range All() {
		if s.Verb == verb || slices.Contains(s.Aliases, verb) {
			return s, true
		}
	}
	return Spec{}, false
}

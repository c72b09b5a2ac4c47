package query

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
		pathSpec,
		deadCodeSpec,
		statsSpec,
	}
}

// ByVerb finds a question by its verb.
func ByVerb(verb string) (Spec, bool) {
	for _, s := range All() {
		if s.Verb == verb {
			return s, true
		}
	}
	return Spec{}, false
}

package doc

import (
	"cmp"
	"slices"
	"strings"

	"github.com/settgraph/sett/compiler/diag"
)

// Hit is a section of the documentation that a search found.
type Hit struct {
	Topic   string // what to ask for to see all of it: a topic, a module, the code of a rule
	Section string // the heading; "" for the text before the first one
	Text    string // without the heading
}

// Search finds the sections of the reference, the declarations of the standard library and
// the rules of the compiler that have all words of a query, best first. When nothing has all,
// it finds what has the most of them, if that is at least half.
func Search(query string) []Hit {
	return search(query, everything())
}

// everything that can be searched.
func everything() []Hit {
	var out []Hit
	for _, t := range Topics() {
		out = append(out, sections(t)...)
	}
	modules, err := StdlibModules()
	if err == nil { // a library that does not check is for the compiler to tell
		for _, m := range modules {
			out = append(out, sections(m)...)
		}
	}
	for _, r := range diag.Rules() {
		out = append(out, Hit{string(r.Code), r.Title, strings.TrimSpace(r.Text)})
	}
	return out
}

// sections cuts a page at its headings. Headings inside of code are none.
func sections(t Topic) []Hit {
	out := []Hit{{Topic: t.Name}}
	code := false
	for line := range strings.Lines(t.Text) {
		if strings.HasPrefix(line, "```") {
			code = !code
		}
		if hashes, heading, ok := strings.Cut(line, " "); ok && !code && strings.Trim(hashes, "#") == "" && hashes != "" {
			if len(hashes) > 1 {
				out = append(out, Hit{Topic: t.Name, Section: strings.Trim(strings.TrimSpace(heading), "`")})
			}
			continue
		}
		out[len(out)-1].Text += line
	}
	for i := range out {
		out[i].Text = strings.TrimSpace(out[i].Text)
	}
	return out
}

func search(query string, all []Hit) []Hit {
	terms := terms(query)
	type scored struct {
		Hit
		found, score int
	}
	var list []scored
	most := (len(terms) + 1) / 2
	for _, h := range all {
		s := scored{Hit: h}
		topic, section, text := strings.ToLower(h.Topic), strings.ToLower(h.Section), strings.ToLower(h.Text)
		heading := 8
		if codeLike.MatchString(h.Topic) {
			heading = 2 // the title of a rule is a whole sentence
		}
		for _, w := range terms {
			n := heading*min(1, strings.Count(section, w)) + 5*min(1, strings.Count(topic, w)) + min(3, strings.Count(text, w))
			if slices.Contains(strings.FieldsFunc(section, notLetter), w) {
				n += heading / 2
			}
			s.found += min(1, n)
			s.score += n
		}
		if len(terms) > 0 && s.found >= most {
			most = s.found
			list = append(list, s)
		}
	}
	list = slices.DeleteFunc(list, func(s scored) bool { return s.found < most })
	slices.SortStableFunc(list, func(a, b scored) int { return cmp.Compare(b.score, a.score) })
	out := make([]Hit, len(list))
	for i, s := range list {
		out[i] = s.Hit
	}
	return out
}

// terms are the words of a query that say something, without the s of a plural.
func terms(query string) []string {
	var out []string
	for _, w := range strings.FieldsFunc(strings.ToLower(query), func(r rune) bool { return r == ',' || r == ' ' || r == '?' && len(query) > 2 || r == '\t' || r == '\n' }) {
		if slices.Contains(strings.Fields("a an the of in on to for is are by do does i how what why can with and or my"), w) {
			continue
		}
		if len(w) > 3 && strings.HasSuffix(w, "s") && !strings.HasSuffix(w, "ss") {
			w = strings.TrimSuffix(w, "s")
		}
		if !slices.Contains(out, w) {
			out = append(out, w)
		}
	}
	return out
}

func notLetter(r rune) bool { return r != '_' && (r < 'a' || r > 'z') && (r < '0' || r > '9') }

package doc_test

import (
	"errors"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/settgraph/sett/compiler/diag"
	"github.com/settgraph/sett/compiler/doc"
)

// TestTopics reads the heads of all pages and what they refer to.
func TestTopics(t *testing.T) {
	topics := doc.Topics()
	if topics[0].Name != "types" || topics[len(topics)-1].Name != "gotchas" {
		t.Errorf("the reference goes from %s to %s", topics[0].Name, topics[len(topics)-1].Name)
	}
	// The topics of the manual that this one follows, and of the parts it left out.
	for _, name := range strings.Fields("types operators statements declarations strings errors closures generics modules contracts concurrency gotchas " +
		"testing app nullable enums-and-match traits cli packages formatting binary") {
		if _, _, ok := doc.Find(name); !ok {
			t.Errorf("there is no topic %s", name)
		}
	}
	code := regexp.MustCompile(`\bP\d{4}\b`)
	other := regexp.MustCompile("topics? ((?:`[a-z-]+`(?:, | and )?)+)")
	name := regexp.MustCompile("`([^`]+)`")
	module := regexp.MustCompile(`\bstd\.([a-z_]+)`)
	for _, topic := range topics {
		if topic.Title == "" || topic.Summary == "" || len(topic.Summary) > 90 || !strings.HasPrefix(topic.Text, "# ") || !strings.HasSuffix(topic.Text, "\n") {
			t.Errorf("%s: title %q, summary %q", topic.Name, topic.Title, topic.Summary)
		}
		if len(topic.Text) > 6000 {
			t.Errorf("%s has %d bytes: whoever asks pays for them", topic.Name, len(topic.Text))
		}
		for _, c := range code.FindAllString(topic.Text, -1) {
			if _, ok := diag.Explain(diag.Code(c)); !ok {
				t.Errorf("%s: there is no rule %s", topic.Name, c)
			}
		}
		for _, m := range other.FindAllStringSubmatch(topic.Text, -1) {
			for _, n := range name.FindAllStringSubmatch(m[1], -1) {
				if to, _, ok := doc.Find(n[1]); !ok || to.Name != n[1] {
					t.Errorf("%s refers to a topic %s", topic.Name, n[1])
				}
			}
		}
		for _, m := range module.FindAllStringSubmatch(topic.Text, -1) {
			if _, err := doc.StdlibModule(m[1]); err != nil && m[1] != "x" {
				t.Errorf("%s: %v", topic.Name, err)
			}
		}
	}
}

func TestDocsAnswer(t *testing.T) {
	tests := []struct {
		topic, query string
		want         string // phrases that are in the answer, in this order
		most         int    // bytes
	}{
		{"", "", "types: What values|concurrency: |gotchas: |std: ", 1900},
		{"errors", "", "# Errors\n|raise|## Refused", 6000},
		{" Errors ", "", "# Errors\n", 6000},
		{"di", "", "# App and injection\n", 6000},
		{"select", "", "# Concurrency\n", 6000},
		{"all", "", "# Types\n|# Operators\n|# Gotchas\n", 100000},
		{"std.strings", "", "# std.strings\n|### `fn join(", 20000},
		{"strings.join", "", "`fn join(", 400},
		{"std", "", "std.base64: Base64|std.wire: ", 2000},
		{"p0407", "", "P0407: Arithmetic|Wrong:|Right:", 1000},
		{"", "close a channel", "## concurrency: Channels\n|tx.close()", 8000},
		{"", "sort an array", "## collections: Arrays\n|std.collections", 8000},
		{"", "how do I split a string?", "fn split(", 8000},
		{"", "Exhaustive scheduler", "## testing: Tasks in tests\n", 8000},
		{"", "P0502", "## P0502: A name hides", 8000},
		{"errors", "uncaught", "## errors: An error that leaves main\n", 2000},
		{"std.json", "parse", "## std.json: fn parse(", 8000},
	}
	for _, tt := range tests {
		got, err := doc.DocsAnswer(tt.topic, tt.query)
		if err != nil || len(got) > tt.most || !strings.HasSuffix(got, "\n") {
			t.Errorf("docs %q %q: %d bytes, %v", tt.topic, tt.query, len(got), err)
		}
		rest := got
		for _, phrase := range strings.Split(tt.want, "|") {
			_, after, ok := strings.Cut(rest, phrase)
			if !ok {
				t.Errorf("docs %q %q: where is %q in\n%s", tt.topic, tt.query, phrase, got[:min(len(got), 600)])
				break
			}
			rest = after
		}
	}
}

func TestStdlibAnswer(t *testing.T) {
	for _, name := range []string{"strings", "std.strings"} {
		if got, err := doc.StdlibAnswer(name); err != nil || !strings.HasPrefix(got, "# std.strings\n") {
			t.Errorf("stdlib_docs %s: %v %.80s", name, err, got)
		}
	}
	got, err := doc.StdlibAnswer("")
	if err != nil || strings.Count(got, "\nstd.") < 18 || len(got) > 2000 {
		t.Errorf("stdlib_docs: %v, %d bytes\n%s", err, len(got), got)
	}
	modules, err := doc.StdlibModules()
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range modules {
		if len(m.Text) > 16000 || m.Summary == "" {
			t.Errorf("%s has %d bytes", m.Name, len(m.Text))
		}
	}
}

// TestNotFound sees to it that what is not there is said to be missing, with at most three
// things that may have been meant.
func TestNotFound(t *testing.T) {
	docs := func(name string) (string, error) { return doc.DocsAnswer(name, "") }
	query := func(words string) (string, error) { return doc.DocsAnswer("", words) }
	tests := []struct {
		ask  func(string) (string, error)
		name string
		want string
	}{
		{docs, "eror", `no topic "eror"; did you mean errors?`},
		{docs, "conccurency", `no topic "conccurency"; did you mean concurrency?`},
		{docs, "json", `no topic "json"; did you mean std.json?`},
		{docs, "zzz", `no topic "zzz"`},
		{docs, "std.strngs", `no module "std.strngs"; did you mean std.strings, `},
		{docs, "std.strings.jion", `no declaration "std.strings.jion"; did you mean std.strings.join`},
		{docs, "P9999", `no rule "P9999"`},
		{doc.StdlibAnswer, "sting", `no module "sting"; did you mean std.strings`},
		{doc.ExplainAnswer, "P12", `no rule "P12"; did you mean P1201, P1202, P1203?`},
		{doc.ExplainAnswer, "nothinglikethis", `no rule "nothinglikethis"`},
		{query, "qwertz", `no section with "qwertz" (fewer words find more)`},
	}
	for _, tt := range tests {
		_, err := tt.ask(tt.name)
		var missing *doc.NotFound
		if !errors.As(err, &missing) || len(missing.Near) > 3 || !strings.HasPrefix(err.Error(), tt.want) {
			t.Errorf("%s: %v, want %s", tt.name, err, tt.want)
		}
	}
}

// TestSearch holds the search to what it promises.
func TestSearch(t *testing.T) {
	if hits := doc.Search(""); len(hits) > 0 {
		t.Errorf("nothing finds %d sections", len(hits))
	}
	all := doc.Search("channel")
	both := doc.Search("channel closed")
	if len(both) == 0 || len(both) > len(all) {
		t.Errorf("%d sections have two words, %d one of them", len(both), len(all))
	}
	for _, h := range both {
		text := strings.ToLower(h.Topic + h.Section + h.Text)
		if !strings.Contains(text, "channel") || !strings.Contains(text, "closed") {
			t.Errorf("%s %s does not have both words", h.Topic, h.Section)
		}
	}
	if most := doc.Search("channel closed qwertz"); !slices.Equal(most, both) {
		t.Errorf("a word that is nowhere leaves %d of %d sections", len(most), len(both))
	}
}

package regex

import (
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
)

func TestMatches(t *testing.T) {
	for _, c := range []struct {
		pattern, text string
		want          bool
	}{
		{"abc", "xabcx", true}, {"^abc", "xabc", false}, {"abc$", "abcx", false}, {"^$", "", true}, {"", "hello", true},
		{"ab*c", "ac", true}, {"ab*c", "abbbc", true}, {"ab+c", "ac", false}, {"ab+c", "abc", true}, {"ab?c", "abc", true}, {"ab?c", "abbc", false},
		{".*c", "abc", true}, {"a.c", "abc", true}, {"a.c", "ac", false}, {`\d+`, "abc123", true}, {`^\d+$`, "12a", false}, {`^\w+$`, "ab_1", true}, {`\s`, "a b", true}, {`\s`, "ab", false},
		{"[a-c]+", "xxb", true}, {"(a|b)c", "bc", true}, {"a{2,3}", "aa", true}, {"(?i)ABC", "abc", true}, {`\.`, "ab", false},
		{"(", "(", false}, {"*", "*", false}, {"[", "[", false}, {`(a)\1`, "aa", false},
	} {
		if got := Matches(c.pattern, c.text); got != c.want {
			t.Errorf("Matches(%q, %q) = %v", c.pattern, c.text, got)
		}
	}
}

func TestFinding(t *testing.T) {
	for _, c := range []struct {
		what      string
		got, want []int64
	}{
		{"find", Find("l+", "hello").S, []int64{2, 4}},
		{"empty pattern", Find("", "hello").S, []int64{0, 0}},
		{"none", Find("z", "hello").S, []int64{}},
		{"groups", Find(`(\d+)-(x)?`, "a12-").S, []int64{1, 4, 1, 3, -1, -1}},
		{"no pattern", Find("(", "(").S, []int64{}},
		{"all", FindAll("o", "foo boo").S, []int64{1, 2, 2, 3, 5, 6, 6, 7}},
		{"all with groups", FindAll("(a)|b", "ab").S, []int64{0, 1, 0, 1, 1, 2, -1, -1}},
		{"all of nothing", FindAll("x*", "aé").S, []int64{0, 0, 1, 1, 3, 3}},
		{"all of no pattern", FindAll("[", "[").S, []int64{}},
	} {
		if !slices.Equal(c.got, c.want) {
			t.Errorf("%s: %v, want %v", c.what, c.got, c.want)
		}
	}
	if Groups("(a)(b(c))") != 3 || Groups("(") != 0 {
		t.Error("Groups")
	}
	if got := GroupNames("(?P<x>a)(b)").S; !slices.Equal(got, []string{"x", ""}) {
		t.Errorf("GroupNames = %q", got)
	}
}

func TestReplacing(t *testing.T) {
	for _, c := range []struct{ what, got, want string }{
		{"first", Replace("o", "0", "foo boo"), "f0o boo"},
		{"all", ReplaceAll("o", "0", "foo boo"), "f00 b00"},
		{"runs", ReplaceAll(" +", " ", "a  b   c    d"), "a b c d"},
		{"its own output", ReplaceAll("a", "aa", "aba"), "aabaa"},
		{"dollars stay", ReplaceAll("(b)", "$1$0", "abc"), "a$1$0c"},
		{"dollars stay in one", Replace("(b)", "$1", "abc"), "a$1c"},
		{"expanded", ExpandAll(`(\w+)@(?P<host>\w+)`, "${host} has $1, $$", "ada@math"), "math has ada, $"},
		{"nothing", Replace("z", "x", "abc"), "abc"},
		{"no pattern", Replace("(", "x", "a(b"), "a(b"},
		{"no pattern, all", ReplaceAll("(", "x", "a(b"), "a(b"},
		{"no pattern, expanded", ExpandAll("(", "x", "a(b"), "a(b"},
		{"quote", Quote("a.b*(c)"), `a\.b\*\(c\)`},
		{"split", strings.Join(Split(",", "a,b,,c,").S, "|"), "a|b||c|"},
		{"split by runs", strings.Join(Split(`\s+`, "a  b\tc").S, "|"), "a|b|c"},
		{"split of nothing", strconv.Itoa(len(Split(",", "").S)), "1"},
		{"split by no pattern", strings.Join(Split("(", "a(b").S, "|"), "a(b"},
	} {
		if c.got != c.want {
			t.Errorf("%s: %q, want %q", c.what, c.got, c.want)
		}
	}
}

func TestCheck(t *testing.T) {
	if got := Check("a+"); got != "" {
		t.Errorf("Check of a pattern = %q", got)
	}
	for pattern, want := range map[string]string{"(": "missing closing ): `(`", "a**": "invalid nested repetition operator: `**`", "[b-a]": "invalid character class range: `b-a`", `\8`: "invalid escape sequence: `\\8`"} {
		if got := Check(pattern); got != want {
			t.Errorf("Check(%q) = %q, want %q", pattern, got, want)
		}
	}
}

func TestTimeIsInProportion(t *testing.T) {
	start := time.Now()
	if Matches(`^(a+)+$`, strings.Repeat("a", 50_000)+"b") {
		t.Error("it matches")
	}
	if took := time.Since(start); took > 10*time.Second {
		t.Errorf("it took %v", took)
	}
}

func TestManyPatterns(t *testing.T) {
	for i := range 3 * maxCompiled {
		if !Matches("^"+strconv.Itoa(i)+"$", strconv.Itoa(i)) {
			t.Fatalf("pattern %d does not match", i)
		}
	}
	compiled.RLock()
	defer compiled.RUnlock()
	if n := len(compiled.patterns); n > maxCompiled {
		t.Errorf("%d patterns are kept", n)
	}
}

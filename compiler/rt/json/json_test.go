package json

import (
	"encoding/json"
	"fmt"
	"math"
	"reflect"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/settgraph/sett/compiler/rt"
)

// doc is a document in the flat form.
type doc struct {
	codes  rt.Array[int64]
	floats rt.Array[float64]
	texts  rt.Array[string]
}

func scan(text string) (*doc, string) {
	var d doc
	return &d, Scan(text, &d.codes, &d.floats, &d.texts)
}

func (d *doc) render(indent int64) string { return Render(&d.codes, &d.floats, &d.texts, indent) }

func TestConformance(t *testing.T) {
	if n := len(accepted) + len(refused); n < 400 {
		t.Errorf("only %d cases", n)
	}
	for _, text := range accepted {
		if !json.Valid([]byte(text)) {
			t.Errorf("Go does not take %q for JSON", text)
		}
		d, problem := scan(text)
		if problem != "" {
			t.Errorf("%q is refused: %s", text, problem)
			continue
		}
		sameValue(t, text, d.render(0))
		sameValue(t, text, d.render(2))
	}
	for _, text := range refused {
		if d, problem := scan(text); problem == "" {
			t.Errorf("%q is accepted as %s", text, d.render(0))
		}
	}
}

// sameValue compares two texts by what Go reads in them, with 15 digits.
func sameValue(t *testing.T, text, written string) {
	t.Helper()
	var a, b any
	if err := json.Unmarshal([]byte(text), &a); err != nil {
		t.Errorf("%q: %v", text, err)
	}
	if err := json.Unmarshal([]byte(written), &b); err != nil {
		t.Errorf("%q became %q: %v", text, written, err)
	}
	if !reflect.DeepEqual(rounded(a), rounded(b)) {
		t.Errorf("%q became %q", text, written)
	}
}

func rounded(v any) any {
	switch v := v.(type) {
	case float64:
		return fmt.Sprintf("%.14g", v+0) // -0 and 0 are the same number
	case []any:
		for i := range v {
			v[i] = rounded(v[i])
		}
	case map[string]any:
		for k := range v {
			v[k] = rounded(v[k])
		}
	}
	return v
}

func TestFlatForm(t *testing.T) {
	d, problem := scan(`{"a":[1,-2.5,true,null,"x"],"b":{},"c":9223372036854775808}`)
	if problem != "" {
		t.Fatal(problem)
	}
	if want := []int64{6, 3, 5, 5, 2, 1, 3, 0, 1, 1, 0, 0, 4, 0, 6, 0, 3, 0}; !reflect.DeepEqual(d.codes.S, want) {
		t.Errorf("codes = %v, want %v", d.codes.S, want)
	}
	if want := []float64{-2.5, 9223372036854775808}; !reflect.DeepEqual(d.floats.S, want) {
		t.Errorf("floats = %v, want %v", d.floats.S, want)
	}
	if want := []string{"a", "x", "b", "c"}; !reflect.DeepEqual(d.texts.S, want) {
		t.Errorf("texts = %v, want %v", d.texts.S, want)
	}
}

func TestProblems(t *testing.T) {
	for text, want := range map[string]string{
		"":                  "unexpected end of input at offset 0",
		"  ":                "unexpected end of input at offset 2",
		"[":                 "unexpected end of input at offset 1",
		"[1,":               "unexpected end of input at offset 3",
		`{"a":`:             "unexpected end of input at offset 5",
		"[1":                "invalid JSON at offset 2: expected ',' or ']'",
		"{":                 "invalid JSON at offset 1: expected a key",
		"{invalid}":         "invalid JSON at offset 1: expected a key",
		`{"a" 1}`:           "invalid JSON at offset 5: expected ':'",
		`{"a":1 "b"}`:       "invalid JSON at offset 7: expected ',' or '}'",
		"[1,]":              "invalid JSON at offset 3: expected a value",
		"1 2":               "invalid JSON at offset 2: there is more after the value",
		"01":                "invalid JSON at offset 0: a number begins with 0",
		"-":                 "invalid JSON at offset 1: expected a digit",
		"1e999":             "invalid JSON at offset 0: the number is too large",
		`"abc`:              "invalid JSON at offset 4: a string without end",
		"\"a\tb\"":          "invalid JSON at offset 2: a control character in a string",
		`"\x"`:              "invalid JSON at offset 1: an unknown escape",
		`"\u12"`:            "invalid JSON at offset 1: an escape needs four hex digits",
		`"\ud800"`:          "invalid JSON at offset 1: half of a surrogate pair",
		"[1, \"a\xff\"]":    "invalid JSON at offset 6: the text is not UTF-8",
		"[\"\ufffd\", \xff": "invalid JSON at offset 8: the text is not UTF-8",
	} {
		if _, problem := scan(text); problem != want {
			t.Errorf("%q: %q, want %q", text, problem, want)
		}
	}
}

func TestDepth(t *testing.T) {
	nested := func(n int) string { return strings.Repeat("[", n) + strings.Repeat("]", n) }
	if _, problem := scan(nested(MaxDepth)); problem != "" {
		t.Errorf("depth %d: %s", MaxDepth, problem)
	}
	for _, text := range []string{nested(MaxDepth + 1), strings.Repeat("[", 1_000_000), strings.Repeat(`{"a":`, 1_000_000)} {
		if _, problem := scan(text); !strings.HasPrefix(problem, "invalid JSON at offset") || !strings.Contains(problem, "nested") {
			t.Errorf("%d bytes: %s", len(text), problem)
		}
	}
	if d, problem := scan("[" + strings.Repeat("[],", 3*MaxDepth) + "[]]"); problem != "" {
		t.Errorf("neighbours are not nested: %s", problem)
	} else if len(d.codes.S) != 2*(3*MaxDepth+2) {
		t.Errorf("%d codes", len(d.codes.S))
	}
}

func TestRenderFloats(t *testing.T) {
	for f, want := range map[float64]string{
		3: "3.0", -3: "-3.0", 0: "0.0", 3.14: "3.14", 0.1 + 0.2: "0.3", 1e15: "1e+15", 1e-5: "1e-05", 100: "100.0", 1.0 / 3: "0.333333333333333",
		math.Inf(1): "null", math.Inf(-1): "null", math.NaN(): "null", math.MaxFloat64: "1.7976931348623157e+308",
	} {
		d := doc{}
		d.codes.S, d.floats.S = []int64{tagFloat, 0}, []float64{f}
		if got := d.render(0); got != want {
			t.Errorf("%v is %s, want %s", f, got, want)
		}
	}
}

func TestRenderStrings(t *testing.T) {
	for s, want := range map[string]string{
		"":                    `""`,
		"a\"\\/b":             `"a\"\\/b"`,
		"\b\f\n\r\t":          `"\b\f\n\r\t"`,
		"\x00\x01\x1f\x7f":    `"\u0000\u0001\u001f` + "\x7f\"",
		"é日😀":                 `"é日😀"`,
		"a\xffb\xc3":          "\"a\uFFFDb\uFFFD\"",
		"\xed\xa0\x80\u2028/": "\"\uFFFD\uFFFD\uFFFD\u2028/\"",
	} {
		d := doc{}
		d.codes.S, d.texts.S = []int64{tagString, 0}, []string{s}
		if got := d.render(0); got != want {
			t.Errorf("%q is %s, want %s", s, got, want)
		}
	}
}

func TestRenderIndented(t *testing.T) {
	d, _ := scan(`{"a":[1,{"b":2}],"c":{},"d":[]}`)
	want := `{
  "a": [
    1,
    {
      "b": 2
    }
  ],
  "c": {},
  "d": []
}`
	if got := d.render(2); got != want {
		t.Errorf("got\n%s", got)
	}
}

// TestLargeDocuments fails when reading or writing takes more than in proportion to the size.
func TestLargeDocuments(t *testing.T) {
	row := `{"id":12345,"name":"somebody \"quoted\" é","score":0.25,"tags":["a","b","c"],"ok":true,"none":null},`
	text := "[" + strings.Repeat(row, 4<<20/len(row)) + "0]"
	start := time.Now()
	d, problem := scan(text)
	if problem != "" {
		t.Fatal(problem)
	}
	again := d.render(0)
	if took := time.Since(start); took > 15*time.Second {
		t.Errorf("%d bytes took %v", len(text), took)
	}
	if e, _ := scan(again); !reflect.DeepEqual(d, e) {
		t.Error("another document after writing and reading")
	}
}

func TestNumbersOfC(t *testing.T) {
	for s, want := range map[string]int64{"": 0, "x": 0, "12": 12, " -7": -7, "+5": 5, "42abc": 42, "-": 0, "9999999999999999999": math.MaxInt64, "-9999999999999999999": math.MinInt64} {
		if got := ParseInt(s); got != want {
			t.Errorf("ParseInt(%q) = %d, want %d", s, got, want)
		}
	}
	for s, want := range map[string]float64{"": 0, "x": 0, "1.5e2": 150, " 2 ": 2, "1e999": math.Inf(1), "-1e999": math.Inf(-1)} {
		if got := ParseFloat(s); got != want {
			t.Errorf("ParseFloat(%q) = %v, want %v", s, got, want)
		}
	}
}

func TestExtract(t *testing.T) {
	const nested = `{"x":{"result":1},"list":[{"result":2},"result"],"result":`
	if got := ExtractInt(nested + `42}`); got != 42 {
		t.Errorf("ExtractInt = %d", got)
	}
	if got := ExtractInt(nested + `42.9}`); got != 42 {
		t.Errorf("ExtractInt of a float = %d", got)
	}
	if got := ExtractFloat(nested + `2}`); got != 2 {
		t.Errorf("ExtractFloat = %v", got)
	}
	if got := ExtractFloat(nested + `2.5}`); got != 2.5 {
		t.Errorf("ExtractFloat = %v", got)
	}
	if got := ExtractString(nested + `"a"}`); got != "a" {
		t.Errorf("ExtractString = %q", got)
	}
	if !ExtractBool(nested + `true}`) {
		t.Error("ExtractBool = false")
	}
	for _, text := range []string{"", "[]", "1", "{}", `{"result":[]}`, `{"result":{"a":1,"b":2.5}}`, `{"result":null}`, `{"results":1}`, "{"} {
		if ExtractInt(text) != 0 || ExtractFloat(text) != 0 || ExtractString(text) != "" || ExtractBool(text) {
			t.Errorf("something is in %q", text)
		}
	}
}

func FuzzScan(f *testing.F) {
	for _, text := range append(append([]string{}, accepted...), refused...) {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		d, problem := scan(text)
		valid := json.Valid([]byte(text))
		if problem == "" && (!valid || !utf8.ValidString(text)) {
			t.Fatalf("%q is accepted", text)
		}
		if problem != "" && valid && utf8.ValidString(text) && !strings.Contains(problem, "too large") && !strings.Contains(problem, "surrogate") && !strings.Contains(problem, "nested") {
			t.Fatalf("%q is refused: %s", text, problem)
		}
		if problem == "" {
			once := d.render(0)
			e, problem := scan(once)
			if problem != "" || e.render(0) != once {
				t.Fatalf("%q became %q, then %q %s", text, once, e.render(0), problem)
			}
		}
	})
}

func BenchmarkScan(b *testing.B) {
	row := `{"id":12345,"name":"somebody","score":0.25,"tags":["a","b","c"],"ok":true,"none":null},`
	text := "[" + strings.Repeat(row, 1<<20/len(row)) + "0]"
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		if _, problem := scan(text); problem != "" {
			b.Fatal(problem)
		}
	}
}

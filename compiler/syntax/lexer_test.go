package syntax

import (
	"fmt"
	"strings"
	"testing"
)

// tokens is the tokens of a text without EOF, each as its text, or its kind for newlines.
func tokens(text string) string {
	f, _ := parseAny(text)
	var out []string
	for _, t := range f.Tokens[:len(f.Tokens)-1] {
		lit := text[t.At.Start:t.At.End]
		switch t.Kind {
		case NEWLINE:
			lit = "NL"
		case IDENT, INT, FLOAT, ILLEGAL:
			lit = map[Kind]string{IDENT: "id:", INT: "int:", FLOAT: "float:", ILLEGAL: "bad:"}[t.Kind] + lit
		case STRING, FSTRING, RSTRING, COMMENT:
		default:
			if lit != t.Kind.String() {
				lit = fmt.Sprintf("%s is not %s", lit, t.Kind)
			}
		}
		out = append(out, lit)
	}
	return strings.Join(out, " ")
}

func TestTokens(t *testing.T) {
	keywords := `fn let mut return if else while true false class trait app inject error raise catch spawn serve enum impl self pub for in
break continue match import as extern uses ambient tests test invariant requires assert select default scope scoped
transient none system stage override yield stream`
	for _, c := range []struct{ text, want string }{
		{"", ""},
		{" \t ", ""},
		{keywords, strings.ReplaceAll(keywords, "\n", " NL ")},
		{"int Map ensures old loop null chan remote", "id:int id:Map id:ensures id:old id:loop id:null id:chan id:remote"},
		{"_ _a A9 fnx Fn", "id:_ id:_a id:A9 id:fnx id:Fn"},
		{"++ + -- - * / % += -= *= /= %= == = != << < > <= >= & | ^ ~ && || ! ( ) { } [ ] , : :: -> => ..= .. . ?",
			"++ + -- - * / % += -= *= /= %= == = != << < > <= >= & | ^ ~ && || ! ( ) { } [ ] , : :: -> => ..= .. . ?"},
		{"+++", "++ +"}, {"---", "-- -"}, {"===", "== ="}, {">>", "> >"}, {">>=", "> >="}, {"<<=", "<< ="},
		{"&&&", "&& &"}, {"|||", "|| |"}, {"...", ".. ."}, {"...=", ".. . ="}, {":::", ":: :"}, {"=>=", "=> ="},
		{"!==", "!= ="}, {"->>", "-> >"}, {"??", "? ?"}, {"**", "* *"}, {"-=-", "-= -"}, {"a-b", "id:a - id:b"},
		{"a\nb", "id:a NL id:b"}, {"a\n \n\t\r\n  b", "id:a NL id:b"}, {"\n\n", "NL"},
		{"a // c\n// d\nb", "id:a // c NL // d NL id:b"}, {"// c\r\nx", "// c NL id:x"}, {"//", "//"}, {"// é\n", "// é NL"},
		{"a / /b", "id:a / / id:b"},
		{"0 007 1_000 1__ 9", "int:0 int:007 int:1_000 int:1__ int:9"},
		{"0xFF 0Xab_c 0b1 0B1_0", "int:0xFF int:0Xab_c int:0b1 int:0B1_0"},
		{"0o17 123abc", "int:0 id:o17 int:123 id:abc"},
		{"1.5 1_0.2_5 1e5 1E-5 2.5e+10 1e", "float:1.5 float:1_0.2_5 float:1e5 float:1E-5 float:2.5e+10 int:1 id:e"},
		{"1..5 1..=5 1.x .5 5.", "int:1 .. int:5 int:1 ..= int:5 int:1 . id:x . int:5 int:5 ."},
		{"1.e5 1_.5 1e5_0", "int:1 . id:e5 float:1_.5 float:1e5_0"},
		{`"" "a" "a\"b" "\\"`, `"" "a" "a\"b" "\\"`},
		{"\"a\nb\"", "\"a\nb\""},
		{`f"a{b}" f "x" of"x" f`, `f"a{b}" id:f "x" id:of "x" id:f`},
		{`r"\" r"{x}" r "x" rr"x"`, `r"\" r"{x}" id:r "x" id:rr "x"`},
		{`f"{m[\"k\"]}"`, `f"{m[\"k\"]}"`},
		{"a;b", "id:a bad:; id:b"}, {"a\rb", "id:a bad:\r id:b"}, {"é", "bad:é"}, {"\"ab\nc", "bad:\"ab NL id:c"},
		{"'x'", "bad:' id:x bad:'"}, {"\f", "bad:\f"},
	} {
		if got := tokens(c.text); got != c.want {
			t.Errorf("%q\n got %q\nwant %q", c.text, got, c.want)
		}
	}
}

// value is the only expression of a text that is `fn f() { let x = ... }`.
func value(t *testing.T, text string) Expr {
	t.Helper()
	f := parse(t, "fn f() {\nlet x = "+text+"\n}")
	return f.Decls[0].(*FuncDecl).Body.Stmts[0].(*LetStmt).Value
}

func TestNumbers(t *testing.T) {
	for text, want := range map[string]int64{
		"0": 0, "007": 7, "1_000_": 1000, "0xFF": 255, "0x7fff_ffff": 0x7fffffff, "0b101": 5, "0b1_1": 3,
		"9223372036854775807": 1<<63 - 1, "9223372036854775808": -1 << 63, "0x8000000000000000": -1 << 63,
	} {
		if got := value(t, text).(*IntLit).Value; got != want {
			t.Errorf("%s is %d, want %d", text, got, want)
		}
	}
	for text, want := range map[string]float64{"1.5": 1.5, "1_0.2_5": 10.25, "2e3": 2000, "1E-2": 0.01, "0.5e+1": 5} {
		if got := value(t, text).(*FloatLit).Value; got != want {
			t.Errorf("%s is %v, want %v", text, got, want)
		}
	}
	if got := value(t, "1e999").(*FloatLit).Value; got <= 1e308 {
		t.Errorf("1e999 is %v, not infinite", got)
	}
}

// parts spells the parts of a string literal: text as it is, expressions between ‹ and ›.
func parts(x Expr) string {
	var b strings.Builder
	for _, p := range x.(*StringLit).Parts {
		if p.X != nil {
			b.WriteString("‹" + ExprString(p.X) + "›")
		} else {
			b.WriteString(p.Text)
		}
	}
	return b.String()
}

func TestStrings(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{`""`, ""},
		{`"abc"`, "abc"},
		{`"\n\r\t\\\"\0"`, "\n\r\t\\\"\x00"},
		{`"\x41\xFF"`, "Aÿ"},
		{`"\u{e9}\u{1F600}"`, "é😀"},
		{"\"a\r\nb\"", "a\r\nb"},
		{`r"\n{x}{{"`, `\n{x}{{`},

		{`"hello {name}"`, "hello ‹name›"},
		{`"{p.x + 1}{self}"`, "‹p.x + 1›‹self›"},
		{`"{f(1, \"a\")} {xs[0]} {a?.b}"`, `‹f(1, "a")› ‹xs[0]› ‹a?.b›`},
		{`"{}"`, "{}"},
		{`"{ x }"`, "{ x }"},
		{`"{1 + x}"`, "{1 + x}"},
		{`"{(x)}"`, "{(x)}"},
		{`"{if}{true}{none}"`, "{if}{true}{none}"},
		{`"{x y}"`, "{x y}"},
		{`"{x:5}"`, "{x:5}"},
		{`"{x +}"`, "{x +}"},
		{`"{x;}"`, "{x;}"},
		{`"{x"`, "{x"},
		{`"x}"`, "x}"},
		{`"{{x}}"`, "{x}"},
		{`"}}{{"`, "}{"},
		{`"{{{x}}}"`, "{‹x›}"},
		{`"{\"k\": 1}"`, `{"k": 1}`},
		{`"{\"a\":{\"b\":{\"c\":1}}}"`, `{"a":{"b":{"c":1}}}`},
		{`"{{\"a\": {{\"b\": {x}}}}}"`, `{"a": {"b": ‹x›}}`},
		{`"[{\"k\": {x}}]"`, `[{"k": ‹x›}]`},
		{`"a{b"`, "a{b"},
		{`"body {color: red} {x}"`, "body {color: red} ‹x›"},
		{`"{x}\n{y}"`, "‹x›\n‹y›"},

		{`f"abc"`, "abc"},
		{`f"{a}{b}c"`, "‹a›‹b›c"},
		{`f"{{}} {{{x}}}"`, "{} {‹x›}"},
		{`f"{ 1 + 2 }"`, "‹1 + 2›"},
		{`f"{m[\"k\"]}"`, `‹m["k"]›`},
		{`f"{f(\"a\\n\")}"`, `‹f("a\n")›`},
		{`f"{f(f\"{x}\")}"`, `‹f(f"{x}")›`},
		{`f"{if a { 1 } else { 2 }}"`, "‹if a { ... } else { ... }›"},
		{`f"{P { x: 1 }.x}"`, "‹P { x: 1 }.x›"},
		{`f"{g((x: int) => { return x })}"`, "‹g((x: int) => { ... })›"},
		{`f"\u{7b}x\u{7d}"`, "‹x›"},
		{`f"{\x61}"`, "‹a›"},
		{`f"{Opt<Box<int>>.None}"`, "‹Opt<Box<int>>.None›"},
		{`f"{a >> 1}{\"\"}"`, `‹a >> 1›‹""›`},
	} {
		if got := parts(value(t, c.text)); got != c.want {
			t.Errorf("%s\n got %q\nwant %q", c.text, got, c.want)
		}
	}
}

func TestInterpolatedExpressionsKnowTheirPlaces(t *testing.T) {
	for _, c := range []struct{ text, name, want string }{
		{`"ab {name} c"`, "name", "name"},
		{`f"{a + name}"`, "name", "name"},
		{`f"\t\"{a[\"k\"]}{name}"`, "name", "name"},
		{`f"{a[\"k\\n\"].f(name)}"`, "name", "name"},
		{`f"{g(f\"{name}\")}"`, "name", "name"},
		{`f"\u{1F600}é{name}"`, "name", "name"},
		{`f"{\x6eame}"`, "name", `\x6eame`},
	} {
		found := false
		x := value(t, c.text)
		text := "fn f() {\nlet x = " + c.text + "\n}"
		Walk(x, func(n Node) bool {
			if id, ok := n.(*IdentExpr); ok && id.Name == c.name {
				found = true
				if got := text[id.At.Start:id.At.End]; got != c.want {
					t.Errorf("%s: the name is at %q", c.text, got)
				}
			}
			return true
		})
		if !found {
			t.Errorf("%s: no %s in it", c.text, c.name)
		}
	}
}

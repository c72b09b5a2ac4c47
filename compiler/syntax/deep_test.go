package syntax

import (
	"strings"
	"testing"
)

func TestDeepNestingIsAnErrorNotACrash(t *testing.T) {
	const many = 200000
	nested := func(open, in, end string) string { return strings.Repeat(open, many) + in + strings.Repeat(end, many) }
	for name, text := range map[string]string{
		"parens":    "fn f() { let x = " + nested("(", "1", ")") + " }",
		"arrays":    "fn f() { let x = " + nested("[", "1", "]") + " }",
		"calls":     "fn f() { " + nested("g(", "1", ")") + " }",
		"prefix":    "fn f() { let x = " + strings.Repeat("- ", many) + "1 }",
		"types":     "fn f(x: " + nested("[", "int", "]") + ") {}",
		"arguments": "fn f(x: " + nested("Box<", "int", "> ") + ") {}",
		"functions": "fn f(x: " + nested("fn(", "int", ")") + ") {}",
		"results":   "fn f(x: " + strings.Repeat("fn() ", many) + "int) {}",
		"blocks":    "fn f() { " + nested("while a { ", "", "}") + " }",
		"closures":  "fn f() { let x = " + strings.Repeat("() => ", many) + "1 }",
		"bodies":    "fn f() { let x = " + nested("() => { return ", "1", "}") + " }",
		"ifs":       "fn f() { let x = " + nested("if a { ", "1", "} else { 2 }") + " }",
		"else ifs":  "fn f() { " + strings.Repeat("if a { } else ", many) + "{ } }",
		"matches":   "fn f() { let x = " + nested("match a { E.A => ", "1", "}") + " }",
		"catches":   "fn f() { let x = a()" + strings.Repeat(" catch b()", many) + " }",
		"handlers":  "fn f() { let x = a()" + strings.Repeat(" catch e { 1 }", many) + " }",
		"operators": "fn f() { let x = 1" + strings.Repeat(" + 1", many) + " }",
		"climbing":  "fn f() { let x = " + strings.Repeat("a || b && c | d ^ ", many) + "1 }",
		"selectors": "fn f() { let x = a" + strings.Repeat(".b", many) + " }",
		"methods":   "fn f() { let x = a" + strings.Repeat(".b()", many) + " }",
		"unwraps":   "fn f() { let x = a" + strings.Repeat("?", many) + " }",
		"casts":     "fn f() { let x = a" + strings.Repeat(" as int", many) + " }",
		"spawn":     "fn f() { let x = spawn a" + strings.Repeat(".b", many) + "() }",
		"generics":  "fn f() { let x = " + strings.Repeat("a<", many) + " }",
		"braces":    `fn f() { let x = "` + strings.Repeat("{a", many) + strings.Repeat("}", many) + `" }`,
		"open":      `fn f() { let x = "` + strings.Repeat("{a", many) + `" }`,
	} {
		f, diags := parseAny(text)
		Walk(f, func(Node) bool { return true })
		if name == "braces" || name == "open" {
			if !f.OK {
				t.Errorf("%s: %s", name, diags[0].Message)
			}
			continue
		}
		if f.OK {
			t.Errorf("%s: no error", name)
		} else if msg := diags[0].Message; name != "generics" && msg != "Syntax error: expression nests too deeply" {
			t.Errorf("%s: %s", name, msg)
		}
	}
}

func TestReasonableNestingIsFine(t *testing.T) {
	parse(t, "fn f() { let x = "+strings.Repeat("(", 300)+"1"+strings.Repeat(")", 300)+" }")
	parse(t, "fn f() { let x = a"+strings.Repeat(" + a", 5000)+" }")
	parse(t, "fn f() { let x = a"+strings.Repeat(".b()", 5000)+" }")
	parse(t, "fn f() { "+strings.Repeat("if a { } else ", 500)+"{ } }")
}

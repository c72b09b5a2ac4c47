package plutogen

import (
	"fmt"
	"strings"
)

// show is the text of an expression that makes text of a value, down to a depth.
func (g *gen) show(t *typ, x, depth string) string {
	if t.prim() {
		return x
	}
	return g.shower(t) + "(" + x + ", " + depth + ")"
}

// shown is the same as a string.
func (g *gen) shown(t *typ, x string) string {
	switch {
	case t.kind == kString:
		return x
	case t.prim():
		return `f"{` + x + `}"`
	case t.kind == kFunc:
		return `"fn"`
	}
	return g.show(t, x, "d - 1")
}

// shower is the name of the function that makes text of values of a type.
func (g *gen) shower(t *typ) string {
	name, ok := g.shows[t.text]
	if ok {
		return name
	}
	name = fmt.Sprintf("show%d", len(g.shows))
	g.shows[t.text] = name
	text := fmt.Sprintf("fn %s(x: %s, d: int) string {\n    if d <= 0 {\n        return \"..\"\n    }\n", name, t)
	each := func(item string) string {
		return "    for e in " + item
	}
	switch t.kind {
	case kArray:
		text += g.showItems(each("x"), t.elem, "")
	case kSet:
		text += g.showItems(each("x.to_array()"), t.elem, "")
	case kBytes:
		text += g.showItems(each("x"), byteT, "")
	case kMap:
		text += g.showItems(each("x.keys()"), t.key, ` + "=" + `+g.shown(t.elem, "x[e]"))
	case kNullable:
		text += fmt.Sprintf("    let out = [\"none\"]\n    %s_into(x, d, out)\n    return out[0]\n", name)
		g.decls = append(g.decls, fmt.Sprintf("fn %s_into(x: %s, d: int, out: [string]) {\n    let v = x?\n    out[0] = %s\n}", name, t, g.shown(t.elem, "v")))
	case kClass:
		var parts []string
		for _, f := range fieldsOf(t) {
			parts = append(parts, `"`+f.name+`:" + `+g.shown(f.t, "x."+f.name))
		}
		text += "    return " + strings.Join(append(parts, `"."`), ` + " " + `) + "\n"
	case kEnum:
		text += "    match x {\n"
		m := bind(t.enum.params, t.args)
		for _, v := range t.enum.variants {
			var binds, parts []string
			for i, f := range v.fields {
				binds = append(binds, fmt.Sprintf("%s: v%d", f.name, i))
				parts = append(parts, fmt.Sprintf(` + " " + %s`, g.shown(subst(f.t, m), fmt.Sprintf("v%d", i))))
			}
			pattern := ""
			if len(binds) > 0 {
				pattern = " { " + strings.Join(binds, ", ") + " }"
			}
			text += fmt.Sprintf("        %s.%s%s {\n            return \"%s\"%s\n        }\n", t.enum.name, v.name, pattern, v.name, strings.Join(parts, ""))
		}
		text += "    }\n"
	default:
		text += fmt.Sprintf("    return %q\n", t.text)
	}
	g.decls = append(g.decls, text+"}")
	return name
}

// showItems is a loop over what is in a collection.
func (g *gen) showItems(head string, t *typ, more string) string {
	return "    let mut out = \"[\"\n    let mut n = 0\n" + head + ` {
        if n == 6 {
            break
        }
        n++
        out += " " + ` + g.shown(t, "e") + more + `
    }
    return out + "]"
`
}

package check

import (
	"testing"

	"github.com/settgraph/sett/compiler/syntax"
)

// TestGeneral looks at what no program needs: a generic function without instances, a
// default method that nobody inherits, a dropped test.
func TestGeneral(t *testing.T) {
	p := checkText(`
trait Sized {
    fn size(self) int
    fn twice(self) int { return self.size() * 2 }
}
class Box<T> {
    v: T
    fn get(self) T { return self.v }
}
fn sum<T: Sized>(b: Box<T>) int { return b.get().size() }
test "dropped" { sum(nothing) }
fn main() {}
`)
	accepts(t, p)
	want := map[string]string{"size": "trait method Sized.size", "get": "func Box$$T$get", "v": "field v"}
	got := map[string]string{}
	funcs := map[string]bool{}
	for _, f := range p.General().Funcs {
		funcs[f.Short] = true
		if f.Decl.Body == nil {
			continue
		}
		syntax.Walk(f.Decl.Body, func(n syntax.Node) bool {
			e, ok := n.(syntax.Expr)
			if !ok {
				return true
			}
			switch o := f.Info.Target(e).(type) {
			case *TraitMethod:
				got[o.Name] = "trait method " + o.Trait.Name + "." + o.Name
			case *Field:
				got[o.Name] = "field " + o.Name
			case *Func:
				got[o.Short] = "func " + o.Name
			}
			return true
		})
	}
	for name, what := range want {
		if got[name] != what {
			t.Errorf("%s is %q, want %q", name, got[name], what)
		}
	}
	for _, name := range []string{"sum", "get", "twice", `test "dropped"`} {
		if !funcs[name] {
			t.Errorf("%s is not there: %v", name, funcs)
		}
	}
	if len(p.Funcs) != 1 || p.Diags.Errors() > 0 {
		t.Errorf("the program changed: %d functions, %v", len(p.Funcs), messages(p))
	}
}

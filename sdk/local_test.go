package sdk_test

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/settgraph/sett/query"
	"github.com/settgraph/sett/sdk"
)

// TestLocalsFollowTheFiles asks about a local before and after its file changes.
func TestLocalsFollowTheFiles(t *testing.T) {
	dir := project(t, sample)
	p := open(t, dir, sdk.Options{})
	ask := func(p *sdk.Project, at string) string {
		t.Helper()
		res, err := p.Refs(t.Context(), query.RefsArgs{Selector: query.Selector{At: at}})
		if err != nil {
			t.Fatal(err)
		}
		s := res.Answers[0].Symbol
		out := fmt.Sprintf("%s %s in %s %d:", s.Name, s.Kind, s.Within, s.Places[0].Line)
		for _, g := range res.Answers[0].Groups {
			for _, site := range g.Sites {
				out += fmt.Sprintf(" %s:%d:%d", g.File, site.Line, site.Col)
			}
		}
		return out
	}
	if got, want := ask(p, "cart/cart.go:17:6"), "t variable in Cart.Total 17: cart/cart.go:19:3 cart/cart.go:19:7 cart/cart.go:21:9"; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	edit(t, dir, "cart/cart.go", "\tvar t money.Amount\n", "\t// A sum.\n\tvar t money.Amount\n")
	if got, want := ask(p, "cart/cart.go:22:9"), "t variable in Cart.Total 18: cart/cart.go:20:3 cart/cart.go:20:7 cart/cart.go:22:9"; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	// An index without its file still knows the declaration around the position.
	if err := os.Remove(filepath.Join(dir, "cart", "cart.go")); err != nil {
		t.Fatal(err)
	}
	old := open(t, dir, sdk.Options{NoRefresh: true})
	if got, want := ask(old, "cart/cart.go:18:6"), "Cart.Total method in  16: main.go:16:9 cart/cart_test.go:8:7"; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

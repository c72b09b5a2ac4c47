package pluto_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/settgraph/sett/compiler/plto"
	"github.com/settgraph/sett/sdk/pluto"
)

// TestAnalyze keeps what was found out in binary modules, and says when it is of an older
// text.
func TestAnalyze(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"errs.pluto": "pub error Bad {\n}\n",
		"main.pluto": "import errs\n\ntrait T {\n    fn f(self) int\n}\n\nclass C impl T {\n    fn f(self) int {\n        return 1\n    }\n}\n\nfn risky(n: int) string {\n    if n == 0 {\n        raise errs.Bad {}\n    }\n    return \"\"\n}\n\nfn main() {\n    print(risky(1) catch \"\")\n    let c = C {}\n    print(c.f())\n}\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	p, err := pluto.Open(dir, pluto.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	ctx := t.Context()
	r, err := p.Analyze(ctx, nil, pluto.EditOptions{})
	if err != nil || len(r.Written) != 0 || len(r.Diags) != 0 || r.Functions != 4 || r.Known != r.Functions {
		t.Fatalf("of text: %+v, %v", r, err)
	}
	if _, err := p.Migrate(ctx, nil, pluto.MigrateOptions{To: pluto.BinaryForm}); err != nil {
		t.Fatal(err)
	}
	derived := func(path string) (*pluto.Module, pluto.Freshness) {
		t.Helper()
		v, err := p.View(ctx)
		if err != nil {
			t.Fatal(err)
		}
		m, err := v.Module(path)
		if err != nil {
			t.Fatal(err)
		}
		return m, m.Derived
	}
	before, fresh := derived("main.pluto")
	if fresh != pluto.NoDerived {
		t.Errorf("at first: %s", fresh)
	}
	if r, err = p.Analyze(ctx, nil, pluto.EditOptions{}); err != nil || len(r.Written) != 2 {
		t.Fatalf("of binary: %+v, %v", r, err)
	}
	m, fresh := derived("main.pluto")
	if fresh != pluto.GoodDerived || m.Text() != before.Text() || m.Decls[0].ID != before.Decls[0].ID {
		t.Errorf("afterwards: %s", fresh)
	}
	file, err := plto.Decode(m.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	found := false
	for _, f := range file.Derived.Facts {
		if file.Decls[f.Decl].Name == "risky" {
			found = true
			if f.Signature.Return != "string" || len(f.Errors.List) != 1 || f.Errors.List[0].Name != "Bad" || f.Errors.List[0].Module != "errs.pluto" {
				t.Errorf("risky: %+v %+v", f.Signature, f.Errors)
			}
		}
	}
	if !found || len(file.Derived.Interfaces) != 1 {
		t.Errorf("derived: %+v", file.Derived)
	}
	if r, err = p.Analyze(ctx, []string{"main.pluto"}, pluto.EditOptions{}); err != nil || len(r.Written) != 0 {
		t.Errorf("again: %+v, %v", r, err)
	}
	_, err = p.Edit(ctx, pluto.EditOptions{}, func(tx *pluto.Tx) error {
		_, err := tx.Add("main.pluto", "fn wrong() int {\n    return \"\"\n}", pluto.Spot{})
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if _, fresh := derived("main.pluto"); fresh == pluto.GoodDerived {
		t.Error("fresh after an edit")
	}
	if r, err = p.Analyze(ctx, nil, pluto.EditOptions{}); err != nil || len(r.Diags) != 1 || len(r.Written) != 0 {
		t.Errorf("with an error: %+v, %v", r, err)
	}
}

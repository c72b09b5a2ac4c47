package pluto_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/settgraph/sett/sdk/pluto"
)

// large lays out a project of five hundred modules. A fifth of them use the class Base.
func large(b *testing.B) string {
	b.Helper()
	root := b.TempDir()
	write(b, root, "base.pluto", "pub class Base {\n    n: int\n\n    fn twice(self) int {\n        return self.n * 2\n    }\n}\n")
	main := "import m499\n\nfn main() {\n    print(m499.total499(1))\n}\n"
	for i := range 500 {
		var t strings.Builder
		if i%5 == 0 {
			t.WriteString("import base\n")
		}
		if i > 0 {
			fmt.Fprintf(&t, "import m%d\n", i-1)
		}
		fmt.Fprintf(&t, `
// What module %[1]d knows about loads.
pub class Load%[1]d {
    weight: int
    label: string

    fn heavy(self, limit: int) bool {
        return self.weight > limit
    }
}

pub error Broken%[1]d { code: int }

pub enum State%[1]d {
    Idle
    Busy { since: int }
}

pub fn check%[1]d(l: Load%[1]d) int {
    if l.heavy(1000000) {
        raise Broken%[1]d { code: l.weight }
    }
    let s = State%[1]d.Busy { since: l.weight }
    match s {
        State%[1]d.Idle { return 0 }
        State%[1]d.Busy { since } { return since }
    }
}

pub fn total%[1]d(n: int) int {
    let l = Load%[1]d { weight: n, label: f"load {n}" }
    let mut sum = check%[1]d(l) catch 0
`, i)
		if i%5 == 0 {
			t.WriteString("    let b = base.Base { n: sum }\n    sum = sum + b.twice()\n")
		}
		if i > 0 {
			fmt.Fprintf(&t, "    sum = sum + m%[1]d.total%[1]d(n)\n", i-1)
		}
		t.WriteString("    return sum\n}\n")
		write(b, root, fmt.Sprintf("m%d.pluto", i), t.String())
	}
	write(b, root, "main.pluto", main)
	return root
}

// BenchmarkOpen is from nothing to the first view.
func BenchmarkOpen(b *testing.B) {
	root := large(b)
	for b.Loop() {
		p, err := pluto.Open(root, pluto.Options{})
		if err != nil {
			b.Fatal(err)
		}
		if _, err := p.View(ctx); err != nil {
			b.Fatal(err)
		}
		p.Close()
	}
}

// BenchmarkView is a view of what did not change.
func BenchmarkView(b *testing.B) {
	p := open(b, large(b), pluto.Options{})
	view(b, p)
	for b.Loop() {
		view(b, p)
	}
}

func BenchmarkFind(b *testing.B) {
	v := view(b, open(b, large(b), pluto.Options{}))
	v.Find("Base", pluto.FindOptions{})
	for b.Loop() {
		v.Find("check250", pluto.FindOptions{})
	}
}

func BenchmarkFindFuzzy(b *testing.B) {
	v := view(b, open(b, large(b), pluto.Options{}))
	for b.Loop() {
		v.Find("lod", pluto.FindOptions{Match: pluto.Fuzzy, Limit: 20})
	}
}

func BenchmarkNear(b *testing.B) {
	v := view(b, open(b, large(b), pluto.Options{}))
	for b.Loop() {
		v.Near("laod", pluto.FindOptions{})
	}
}

func benchRename(b *testing.B, o pluto.EditOptions) {
	p := open(b, large(b), pluto.Options{})
	v := view(b, p)
	id := resolve(b, v, "Base").ID
	clean(b, v)
	names := []string{"Renamed", "Base"}
	files, i := 0, 0
	for b.Loop() {
		c, err := p.Edit(ctx, o, func(tx *pluto.Tx) error {
			d, err := tx.View().Lookup(id)
			if err == nil {
				_, err = tx.Rename(d, names[i%2], false)
			}
			return err
		})
		if err != nil {
			b.Fatal(err)
		}
		files = len(c.Files)
		i++
	}
	b.ReportMetric(float64(files), "files")
}

// BenchmarkRename renames across modules and writes it, without and with the diagnostics.
func BenchmarkRename(b *testing.B)        { benchRename(b, pluto.EditOptions{NoCheck: true}) }
func BenchmarkRenameChecked(b *testing.B) { benchRename(b, pluto.EditOptions{}) }
func BenchmarkRenameStaged(b *testing.B) {
	benchRename(b, pluto.EditOptions{Staged: true, NoCheck: true})
}

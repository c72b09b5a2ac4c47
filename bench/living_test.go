package bench

import (
	"context"
	"testing"

	"github.com/settgraph/sett/sdk/pluto"
)

// forms runs a benchmark on the project of five hundred modules in both forms of modules.
func forms(b *testing.B, f func(b *testing.B, root string)) {
	for _, form := range []string{pluto.TextForm, pluto.BinaryForm} {
		b.Run(form, func(b *testing.B) {
			root := livingPluto(b)
			if form == pluto.BinaryForm {
				r, err := living(b, root).Migrate(context.Background(), nil, pluto.MigrateOptions{To: form})
				if err != nil || len(r.Files) < modules {
					b.Fatalf("migrating: %+v, %v", r, err)
				}
			}
			f(b, root)
		})
	}
}

func living(b *testing.B, root string) *pluto.Project {
	b.Helper()
	p, err := pluto.Open(root, pluto.Options{})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { p.Close() })
	return p
}

// BenchmarkLiving works with the project through the Go API.
func BenchmarkLiving(b *testing.B) {
	ctx := context.Background()
	look := func(b *testing.B, p *pluto.Project, check bool) *pluto.View {
		v, err := p.View(ctx)
		if err != nil {
			b.Fatal(err)
		}
		if check {
			if diags, err := v.Check(ctx, ""); err != nil || len(diags) > 0 {
				b.Fatal(diags, err)
			}
		}
		return v
	}
	forms(b, func(b *testing.B, root string) {
		load := func(check bool) func(b *testing.B) {
			return func(b *testing.B) {
				timed(b, nil, func(int) {
					p, err := pluto.Open(root, pluto.Options{})
					if err != nil {
						b.Fatal(err)
					}
					look(b, p, check)
					p.Close()
				})
			}
		}
		b.Run("load", load(false))
		b.Run("loadAndCheck", load(true))

		p := living(b, root)
		v := look(b, p, true)
		base, err := v.Resolve("base.Base", "")
		if err != nil {
			b.Fatal(err)
		}
		b.Run("viewAgain", func(b *testing.B) { timed(b, nil, func(int) { look(b, p, false) }) })
		find := func(name string, o pluto.FindOptions) func(b *testing.B) {
			return func(b *testing.B) {
				timed(b, nil, func(int) {
					if len(v.Find(name, o)) == 0 {
						b.Fatalf("no %s", name)
					}
				})
			}
		}
		b.Run("find", find("check250", pluto.FindOptions{}))
		b.Run("findFuzzy", find("chk250", pluto.FindOptions{Match: pluto.Fuzzy, Limit: 20}))
		b.Run("uses", func(b *testing.B) {
			timed(b, nil, func(int) {
				if uses, err := v.Uses(ctx, base); err != nil || len(uses) < modules/5 {
					b.Fatal(len(uses), err)
				}
			})
		})

		name, files := "Base", 0
		rename := func(b *testing.B, o pluto.EditOptions) {
			to := map[string]string{"Base": "Fundament", "Fundament": "Base"}[name]
			c, err := p.Edit(ctx, o, func(tx *pluto.Tx) error {
				d, err := tx.View().Lookup(base.ID)
				if err == nil {
					_, err = tx.Rename(d, to, false)
				}
				return err
			})
			if err != nil || len(c.Diags) > 0 {
				b.Fatal(c, err)
			}
			if files = len(c.Files); !o.DryRun {
				name = to
			}
		}
		b.Run("rename", func(b *testing.B) {
			timed(b, nil, func(int) { rename(b, pluto.EditOptions{}) })
			b.ReportMetric(float64(files), "files")
		})
		b.Run("renameDryRun", func(b *testing.B) { timed(b, nil, func(int) { rename(b, pluto.EditOptions{DryRun: true}) }) })
		b.Run("undo", func(b *testing.B) {
			undo := func(int) { rename(b, pluto.EditOptions{}) }
			timed(b, undo, func(int) {
				if _, err := p.Undo(ctx); err != nil {
					b.Fatal(err)
				}
				name = map[string]string{"Base": "Fundament", "Fundament": "Base"}[name]
			})
		})
	})
}

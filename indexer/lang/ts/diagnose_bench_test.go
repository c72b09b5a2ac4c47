package ts

import (
	"os"
	"testing"

	"github.com/settgraph/sett/indexer/lang"
)

// BenchmarkCheck measures checks of the project that SETT_CHECK_REPO names: of all of it, and
// of the file SETT_CHECK_FILE, with a new checker and again after an edit of a body.
func BenchmarkCheck(b *testing.B) {
	root, file := os.Getenv("SETT_CHECK_REPO"), os.Getenv("SETT_CHECK_FILE")
	if root == "" || file == "" {
		b.Skip("SETT_CHECK_REPO and SETT_CHECK_FILE name no project and file")
	}
	in := diskInput(b, root, nil)
	src, err := in.ReadFile(file)
	if err != nil {
		b.Fatal(err)
	}
	for _, s := range []struct {
		name  string
		scope lang.Scope
	}{{"project", lang.Scope{}}, {"file", lang.Scope{Files: []string{file}}}} {
		b.Run(s.name+"/cold", func(b *testing.B) {
			for b.Loop() {
				out := checkAll(b, in, s.scope)
				b.ReportMetric(float64(len(out.Findings)), "findings")
				b.ReportMetric(float64(out.Files), "files")
			}
		})
		for _, edit := range []struct{ name, text string }{
			{"body", "\nfunction settBench(): void { let x = %d; x++ }\n"}, {"shape", "\nexport const settBench = 1\n"},
		} {
			b.Run(s.name+"/warm-"+edit.name, func(b *testing.B) {
				c := newChecker()
				defer c.Close()
				checkWith(b, c, in, s.scope)
				inputs := []*lang.Input{edited(in, file, string(src)+edit.text), in}
				b.ResetTimer()
				for i := 0; b.Loop(); i++ {
					checkWith(b, c, inputs[i%2], s.scope)
				}
			})
		}
	}
}

package plutogen

import (
	"os"
	"strconv"
	"testing"

	"github.com/settgraph/sett/compiler/check"
	"github.com/settgraph/sett/compiler/diag"
	"github.com/settgraph/sett/compiler/load"
)

// TestAccepted checks the programs of some seeds: nearly all must be accepted. PROGRAMS says
// of how many, SEED which one to show.
func TestAccepted(t *testing.T) {
	n := 300
	if k, err := strconv.Atoi(os.Getenv("PROGRAMS")); err == nil {
		n = k
	}
	if seed, err := strconv.Atoi(os.Getenv("SEED")); err == nil {
		t.Log("\n" + Program(uint64(seed)))
	}
	good, bytes := 0, 0
	for seed := range n {
		text := Program(uint64(seed))
		bytes += len(text)
		p := check.Check(load.LoadText("main.pluto", text, load.Options{Standalone: true, Offline: true}))
		if p.Diags.Errors() == 0 {
			good++
			continue
		}
		for _, d := range p.Diags.Sorted() {
			if d.Severity == diag.Error {
				line, _ := d.File.Position(d.Span.Start)
				t.Logf("seed %d: %s\n    %s", seed, d.Message, d.File.LineText(line))
				break
			}
		}
	}
	t.Logf("%d of %d programs are accepted, %d bytes each", good, n, bytes/n)
	if good*20 < n*19 {
		t.Errorf("%d of %d programs are accepted", good, n)
	}
}

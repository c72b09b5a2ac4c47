//go:build slow

package ts

import (
	"context"
	"errors"
	"sync"
	"testing"
	"time"

	"github.com/settgraph/sett/indexer/lang"
)

// TestScenarioLawsSlow takes all scenarios.
func TestScenarioLawsSlow(t *testing.T) { scenarioLaws(t, 1) }

// TestCheckerRemembersSlow takes all broken projects.
func TestCheckerRemembersSlow(t *testing.T) { checkerRemembers(t, 1) }

// TestCheckerRaces has one checker check several projects at once, and gives up some of the
// checks at any moment: a check that was given up says so, and what it leaves behind makes
// no other wrong.
func TestCheckerRaces(t *testing.T) {
	c := newChecker()
	defer c.Close()
	var wg sync.WaitGroup
	for i, b := range brokenProjects(t) {
		if i%8 != 0 {
			continue
		}
		root := realRoot(t)
		b.lay(t, root)
		in := diskInput(t, root, nil)
		want := lines(printed(root, checkAll(t, in, lang.Scope{}).Findings))
		wg.Go(func() {
			for turn := range 4 {
				ctx, cancel := context.WithTimeout(context.Background(), time.Duration(turn*turn)*20*time.Millisecond)
				out, err := c.Check(ctx, in, lang.Scope{})
				cancel()
				if err == nil {
					if got := lines(printed(root, out.Findings)); got != want {
						t.Errorf("%s: among others: %s\nalone: %s", b.name, got, want)
					}
				} else if !errors.Is(err, context.DeadlineExceeded) {
					t.Error(b.name, err)
				}
			}
			out, err := c.Check(context.Background(), in, lang.Scope{})
			if err != nil {
				t.Error(b.name, err)
			} else if got := lines(printed(root, out.Findings)); got != want {
				t.Errorf("%s: after checks that were given up: %s\nalone: %s", b.name, got, want)
			}
		})
	}
	wg.Wait()
}

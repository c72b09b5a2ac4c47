package app_test

import (
	"runtime"
	"testing"
	"testing/synctest"
	"time"

	"github.com/settgraph/sett/cmd/internal/app"
	"github.com/settgraph/sett/sdk"
)

// TestIdleGivesMemoryBack waits, in time that is not real, after the last of two questions.
func TestIdleGivesMemoryBack(t *testing.T) {
	dir := t.TempDir()
	synctest.Test(t, func(t *testing.T) {
		ps := app.NewProjects(sdk.Options{}, nil)
		defer ps.Close()
		ask := func(during func()) {
			if err := ps.Do(dir, nil, func(*sdk.Project) error { during(); return nil }); err != nil {
				t.Fatal(err)
			}
		}
		wait := func(d time.Duration) { time.Sleep(d); synctest.Wait() }
		ask(func() {})
		before := forced()
		ask(func() { wait(time.Hour) })
		wait(time.Second)
		if forced() != before {
			t.Error("memory was given back while somebody asked, or at once")
		}
		wait(time.Minute)
		if forced() != before+1 {
			t.Errorf("%d collections in an idle minute, want 1", forced()-before)
		}
	})
}

// forced counts the collections that somebody has called for.
func forced() uint32 {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.NumForcedGC
}

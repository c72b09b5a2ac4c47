package rt

import "testing"

func TestGrowth(t *testing.T) {
	for _, c := range []struct {
		live uint64
		want int32
	}{{0, 400}, {smallHeap - 1, 400}, {smallHeap, 200}, {mediumHeap, 100}, {1 << 40, 100}} {
		if got := growth(c.live); got != c.want {
			t.Errorf("growth(%d) = %d, want %d", c.live, got, c.want)
		}
	}
}

func TestTuneHeapFollowsTheHeap(t *testing.T) {
	before := setGCPercent(100)
	defer setGCPercent(before)
	t.Setenv("GOGC", "77")
	tuneHeap()
	if now := setGCPercent(100); now != 100 {
		t.Errorf("with GOGC set, the heap grows by %d%%", now)
	}
}

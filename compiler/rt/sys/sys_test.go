package sys

import (
	"math"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/settgraph/sett/compiler/rt"
)

func TestSameSeedSameNumbers(t *testing.T) {
	for seed, want := range map[int64][]int64{
		42: {6255019084209693600, -4016670646968046118, -3871288216479333770, -1032231191467822881, -4346169525355410938},
		1:  {5180492295206395165, -6066446928794000099, -5057245994778681513, 5599127315341312413, 1036278371763004928},
		0:  {5180492295206395165, -6066446928794000099, -5057245994778681513, 5599127315341312413, 1036278371763004928},
		-1: {-491796270583644160, -8073682164474007837, 3777559059212774342, -4226966228917947712, 7794997853504412167},
	} {
		Seed(seed)
		for i, w := range want {
			if got := RandomInt(); got != w {
				t.Errorf("seed %d, number %d: %d, want %d", seed, i, got, w)
			}
		}
	}
	Seed(42)
	for i, w := range []float64{0.33908526400192196, 0.7822558479199243, 0.7901370452687786} {
		if got := RandomFloat(); got != w {
			t.Errorf("float %d: %v, want %v", i, got, w)
		}
	}
	Seed(42)
	for i, w := range []int64{1, 3, 3, 4, 3, 6, 1, 6, 5, 5} {
		if got := RandomBetween(1, 6); got != w {
			t.Errorf("between %d: %d, want %d", i, got, w)
		}
	}
	Seed(42)
	if got := RandomHex(10); got != "56ce4ab7719ba3a0c841" {
		t.Errorf("RandomHex = %s", got)
	}
	if !Seeded() {
		t.Error("not seeded")
	}
}

func TestBetweenKeepsItsBounds(t *testing.T) {
	for _, b := range [][2]int64{{1, 10}, {5, 5}, {-10, -5}, {0, 1}, {5, 4}, {math.MinInt64, math.MaxInt64}, {math.MinInt64, 0}, {0, math.MaxInt64}, {-3, math.MaxInt64}, {math.MaxInt64, math.MaxInt64}} {
		low, high := min(b[0], b[1]), max(b[0], b[1])
		for range 200 {
			if got := RandomBetween(b[0], b[1]); got < low || got > high {
				t.Fatalf("between %d and %d: %d", b[0], b[1], got)
			}
		}
	}
}

func TestTasksShareTheGenerator(t *testing.T) {
	Seed(7)
	want := map[int64]bool{}
	for range 4000 {
		want[RandomInt()] = true
	}
	Seed(7)
	var mu sync.Mutex
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for range 1000 {
				n := RandomInt()
				mu.Lock()
				if !want[n] {
					t.Errorf("%d is none of the first 4000", n)
				}
				delete(want, n)
				mu.Unlock()
			}
		})
	}
	wg.Wait()
	if len(want) != 0 {
		t.Errorf("%d numbers were not drawn", len(want))
	}
}

func TestEnvironment(t *testing.T) {
	t.Setenv("PLUTO_T", "a=b")
	if Getenv("PLUTO_T") != "a=b" || GetenvOr("PLUTO_T", "x") != "a=b" || HasEnv("PLUTO_T") != 1 || !slices.Contains(EnvNames().S, "PLUTO_T") {
		t.Error("a variable that is set is not")
	}
	if !slices.IsSorted(EnvNames().S) {
		t.Error("the names are not sorted")
	}
	if Unsetenv("PLUTO_T") != 1 || Unsetenv("PLUTO_T") != 1 {
		t.Error("Unsetenv failed")
	}
	if Getenv("PLUTO_T") != "" || GetenvOr("PLUTO_T", "x") != "x" || HasEnv("PLUTO_T") != 0 || slices.Contains(EnvNames().S, "PLUTO_T") {
		t.Error("a variable that is removed is not")
	}
	if Setenv("PLUTO_T", "") != 0 || HasEnv("PLUTO_T") != 1 || GetenvOr("PLUTO_T", "x") != "" {
		t.Error("a variable set to nothing is not set")
	}
	for _, name := range []string{"", "a=b", "a\x00"} {
		if Setenv(name, "x") != -1 || Unsetenv(name) != 0 || HasEnv(name) != 0 {
			t.Errorf("%q is taken for a name", name)
		}
	}
}

func TestClock(t *testing.T) {
	if d := time.Since(time.Unix(0, WallNs())); d < -10*time.Second || d > 10*time.Second {
		t.Errorf("off by %v", d)
	}
	start := time.Now()
	SleepMs(-5)
	SleepMs(0)
	SleepMs(math.MinInt64)
	if d := time.Since(start); d > 10*time.Second {
		t.Errorf("no sleep took %v", d)
	}
	SleepMs(30)
	if d := time.Since(start); d < 30*time.Millisecond {
		t.Errorf("30 ms took %v", d)
	}
}

// TestLog runs itself as another process, whose stderr it reads.
func TestLog(t *testing.T) {
	if os.Getenv("PLUTO_TEST_LOG") != "" {
		Log(0, 1, "a")
		Log(1, 22, "b c")
		Log(2, 3, "d")
		Log(3, 4, "")
		Log(9, 5, "e")
		LogFields(1, 6, "f", rt.NewArray("k", "l", "m", "left over"), rt.NewArray("v", "two words", `q"`))
		return
	}
	cmd := exec.Command(os.Args[0], "-test.run=^TestLog$")
	cmd.Env = append(os.Environ(), "PLUTO_TEST_LOG=1")
	var stderr strings.Builder
	cmd.Stderr = &stderr
	if err := cmd.Run(); err != nil {
		t.Fatal(err)
	}
	want := "[DEBUG] 1 a\n[INFO] 22 b c\n[WARN] 3 d\n[ERROR] 4 \n[ERROR] 5 e\n[INFO] 6 f k=v l=\"two words\" m=\"q\\\"\"\n"
	if stderr.String() != want {
		t.Errorf("got\n%s", stderr.String())
	}
}

func TestLogLevel(t *testing.T) {
	if got := LogLevel(); got != 1 {
		t.Errorf("it starts as %d", got)
	}
	SetLogLevel(3)
	if got := LogLevel(); got != 3 {
		t.Errorf("set to 3, it is %d", got)
	}
	SetLogLevel(1)
}

func TestRandomHex(t *testing.T) {
	for n := range int64(40) {
		if got := RandomHex(n); len(got) != int(2*n) || !regexp.MustCompile(`^[0-9a-f]*$`).MatchString(got) {
			t.Errorf("RandomHex(%d) = %q", n, got)
		}
	}
	if RandomHex(-1) != "" {
		t.Error("RandomHex of a negative number")
	}
}

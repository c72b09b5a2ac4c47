package bench

import (
	"bytes"
	"cmp"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// usage is what something took.
type usage struct {
	wall, cpu time.Duration
}

// measure runs f as often as the benchmark says, with something before it that does not
// count, and reports the median and the slowest of time and of processor time.
func measure(b *testing.B, before func(i int), f func(i int) usage) {
	b.Helper()
	var all []usage
	for i := 0; b.Loop(); i++ {
		if before != nil {
			before(i)
		}
		all = append(all, f(i))
	}
	for what, of := range map[string]func(usage) time.Duration{
		"": func(u usage) time.Duration { return u.wall }, "cpu-": func(u usage) time.Duration { return u.cpu },
	} {
		slices.SortFunc(all, func(x, y usage) int { return cmp.Compare(of(x), of(y)) })
		for _, p := range []int{50, 95, 99} {
			b.ReportMetric(float64(of(all[len(all)*p/100]).Microseconds())/1000, fmt.Sprintf("%sp%d-ms", what, p))
		}
	}
	b.ReportMetric(0, "ns/op")
}

// self measures work of this process.
func self(f func()) usage {
	cpu := func() time.Duration {
		var r syscall.Rusage
		if err := syscall.Getrusage(syscall.RUSAGE_SELF, &r); err != nil {
			return 0
		}
		return time.Duration(r.Utime.Nano() + r.Stime.Nano())
	}
	start, used := time.Now(), cpu()
	f()
	return usage{wall: time.Since(start), cpu: cpu() - used}
}

// ofProcess measures work that another process, which goes on, does meanwhile.
func ofProcess(pid int, f func()) usage {
	start, used := time.Now(), cpuOf(pid)
	f()
	return usage{wall: time.Since(start), cpu: cpuOf(pid) - used}
}

// cpuOf is the processor time that a process has used, of all its threads.
func cpuOf(pid int) (sum time.Duration) {
	tasks, err := os.ReadDir(fmt.Sprintf("/proc/%d/task", pid))
	if err != nil {
		return 0
	}
	for _, t := range tasks {
		text, err := os.ReadFile(fmt.Sprintf("/proc/%d/task/%s/schedstat", pid, t.Name()))
		if fields := strings.Fields(string(text)); err == nil && len(fields) > 0 {
			ns, _ := strconv.ParseInt(fields[0], 10, 64)
			sum += time.Duration(ns)
		}
	}
	return sum
}

// stopwatch measures a process from before its start to its end, which f waits for.
func stopwatch(f func() *os.ProcessState) usage {
	start := time.Now()
	state := f()
	return usage{wall: time.Since(start), cpu: state.UserTime() + state.SystemTime()}
}

// child runs a process to its end. That it finds nothing or something wrong is no failure
// here, that it cannot run is one.
func child(b *testing.B, dir, bin string, args ...string) usage {
	b.Helper()
	return stopwatch(func() *os.ProcessState {
		cmd := exec.Command(bin, args...)
		cmd.Dir = dir
		var out bytes.Buffer
		cmd.Stdout, cmd.Stderr = &out, &out
		if err := cmd.Run(); cmd.ProcessState == nil || !cmd.ProcessState.Exited() {
			b.Fatalf("%s %v: %v\n%s", bin, args, err, out.Bytes())
		}
		return cmd.ProcessState
	})
}

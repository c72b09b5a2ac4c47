package rt

import (
	"bytes"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"
	"time"
)

// programs are what generated code could be. Each runs in a process of its own, this test
// binary with RT_PROGRAM set.
var programs = map[string]func(){}

func TestMain(m *testing.M) {
	if p := programs[os.Getenv("RT_PROGRAM")]; p != nil {
		p()
		panic("the program has not ended the process")
	}
	os.Exit(m.Run())
}

type ended struct {
	stdout, stderr string
	code           int
}

func (e ended) lines() []string { return []string{e.stdout, e.stderr, strconv.Itoa(e.code)} }

// runProgram runs a program with a part of the environment.
func runProgram(t *testing.T, name, stdin string, env ...string) ended {
	t.Helper()
	if programs[name] == nil {
		t.Fatalf("no program %q", name)
	}
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(append(os.Environ(), "RT_PROGRAM="+name), env...)
	cmd.Stdin = strings.NewReader(stdin)
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	timer := time.AfterFunc(20*time.Second, func() { cmd.Process.Kill() })
	defer timer.Stop()
	cmd.Wait() // the exit code is looked at
	return ended{stdout.String(), stderr.String(), cmd.ProcessState.ExitCode()}
}

func TestPrograms(t *testing.T) {
	for _, c := range []struct {
		name, stdin string
		want        ended
	}{
		{"hello", "", ended{"hello\n1\n1.5\ntrue\n255\nno newline", "", 0}},
		{"exit code", "", ended{"out\n", "", 44}},
		{"index", "", ended{"before\n", "pluto: array index out of bounds: index 5, length 1\n  at util/text.pluto:12\n", 1}},
		{"zero", "", ended{"", "pluto: division by zero\n  at main.pluto:20\n", 1}},
		{"unset", "", ended{"", "pluto: use of a value that was never set\n  at main.pluto:30\n", 1}},
		{"fault", "", ended{"", "requires violation in half: n > 0\n  at main.pluto:35\n", 1}},
		{"uncaught", "", ended{"before\n", "error: uncaught ChannelFull { message: \"channel full\" }\n  at main.pluto:42\n", 1}},
		{"raised by hand", "", ended{"", "error: uncaught TimeoutError { millis: 5 }\n  at main.pluto:3\n", 1}},
		{"expectation", "", ended{"", "FAIL (line 3): expected 1 to equal 2\n", 1}},
		{"failure in a task", "", ended{"started\n", "pluto: map key not found\n  at main.pluto:52\n", 1}},
		{"unfinished task", "", ended{"", "", 0}},
		{"detached error", "", ended{"", "pluto: error in detached task: negative exponent in integer pow\n", 0}},
		{"read lines", "a\r\n\nb\r\r\nlast", ended{"> [a][][b][last][]", "", 0}},
		{"deadlock", "", ended{"before\n", "pluto: deadlock detected\n  main: blocked on task get at main.pluto:74\n  left: blocked on channel recv at main.pluto:62\n  right: blocked on channel send at main.pluto:68\n", 1}},
		{"deadlock at the end of a task", "", ended{"", "pluto: deadlock detected\n  main: blocked on channel recv at main.pluto:81\n", 1}},
		{"deadlock in select", "", ended{"", "pluto: deadlock detected\n  main: blocked on select at main.pluto:90\n", 1}},
		{"get of a cancelled task", "", ended{"", "error: uncaught TaskCancelled { message: \"task cancelled\" }\n", 1}},
		{"frames", "", ended{"outer caught 7\n", "error: uncaught TimeoutError { millis: 8 }\n", 1}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			got := runProgram(t, c.name, c.stdin)
			if c.name == "get of a cancelled task" { // the place is in the runtime's own loop
				got.stderr, _, _ = strings.Cut(got.stderr, "  at")
			}
			if got != c.want {
				t.Errorf("\ngot  %q\nwant %q", got.lines(), c.want.lines())
			}
		})
	}
}

// A stack overflow is a crash that the hook translates; the race detector does not let it.
func TestStackOverflow(t *testing.T) {
	if inRace {
		t.Skip()
	}
	for _, name := range []string{"overflow", "overflow in a task"} {
		want := ended{"before\n", "pluto: stack overflow\n  at main.pluto:96\n", 1}
		if got := runProgram(t, name, ""); got != want {
			t.Errorf("\ngot  %q\nwant %q", got.lines(), want.lines())
		}
	}
}

// What cannot be printed is not lost in silence.
func TestFullDisk(t *testing.T) {
	full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
	if err != nil {
		t.Skip(err)
	}
	defer full.Close()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), "RT_PROGRAM=hello")
	var stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = full, &stderr
	cmd.Run() // the exit code is looked at
	if code := cmd.ProcessState.ExitCode(); code != 1 || stderr.String() != "pluto: write /dev/stdout: no space left on device\n" {
		t.Errorf("exit %d, %q", code, &stderr)
	}
}

// What is printed shows a moment later, not when the program ends.
func TestOutputIsNotLate(t *testing.T) {
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), "RT_PROGRAM=prints and computes")
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	began := time.Now()
	buf := make([]byte, 10)
	n, _ := out.Read(buf)
	took := time.Since(began)
	cmd.Process.Kill()
	cmd.Wait()
	if string(buf[:n]) != "hello\n" || took > 5*time.Second {
		t.Errorf("%q came after %v", buf[:n], took)
	}
}

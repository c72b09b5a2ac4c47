package bench

import (
	"os"
	"path/filepath"
	"testing"
)

// BenchmarkTestRun runs the tests of a Go project through sett and through the go command
// alone, in turn, with results from the go command's cache, so that what differs is sett's
// part. The processor time is that of all children.
func BenchmarkTestRun(b *testing.B) {
	bin := command(b)
	each(b, func(b *testing.B, dir string) {
		if !isGo(sources(b, dir)[0]) {
			b.Skip("no Go project")
		}
		indexed(b, dir)
		child(b, dir, bin, "test") // its own flags have results of their own
		child(b, dir, "go", "test", "./...")
		for name, args := range map[string][]string{"sett": {bin, "test"}, "go": {"go", "test", "-json", "./..."}} {
			b.Run(name, func(b *testing.B) { measure(b, nil, func(int) usage { return child(b, dir, args[0], args[1:]...) }) })
		}
	})
}

// BenchmarkTestOutput runs a test that prints 100 MB through sett and through the go command
// alone.
func BenchmarkTestOutput(b *testing.B) {
	bin, dir := command(b), b.TempDir()
	for name, text := range map[string]string{"go.mod": "module loud\n\ngo 1.24\n", "loud_test.go": `package loud

import (
	"bufio"
	"os"
	"testing"
)

func TestLoud(t *testing.T) {
	w := bufio.NewWriter(os.Stdout)
	for range 1000000 {
		w.WriteString("a line of the output of a test, which is as long as such lines are: about a hundred bytes, or so...\n")
	}
	w.Flush()
}
`} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			b.Fatal(err)
		}
	}
	for name, args := range map[string][]string{"sett": {bin, "test", "--", "-count=1"}, "go": {"go", "test", "-json", "-count=1", "./..."}} {
		b.Run(name, func(b *testing.B) { measure(b, nil, func(int) usage { return child(b, dir, args[0], args[1:]...) }) })
	}
}

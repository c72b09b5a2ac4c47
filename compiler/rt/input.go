package rt

import (
	"bufio"
	"io"
	"os"
	"strings"
	"sync"
)

var stdin struct {
	mu sync.Mutex
	r  *bufio.Reader
}

// ReadLine reads a line of stdin, without any \n and \r at its end; "" when there is none.
func ReadLine() string {
	line, _ := nextLine()
	return line
}

// NextLine appends the line that ReadLine would return to out and returns 1, or returns 0 at
// the end of the input.
func NextLine(out *Array[string]) int64 {
	line, ok := nextLine()
	if !ok {
		return 0
	}
	out.Push(line)
	return 1
}

func nextLine() (line string, ok bool) {
	Flush()
	stdin.mu.Lock()
	defer stdin.mu.Unlock()
	line, _ = input().ReadString('\n') // at the end of the input: what there is
	return strings.TrimRight(line, "\r\n"), line != ""
}

// ReadAll reads what is left of stdin.
func ReadAll() string {
	Flush()
	stdin.mu.Lock()
	defer stdin.mu.Unlock()
	text, _ := io.ReadAll(input()) // what could be read
	return string(text)
}

// input is the reader of stdin; the caller holds its lock.
func input() *bufio.Reader {
	if stdin.r == nil {
		stdin.r = bufio.NewReader(os.Stdin)
	}
	return stdin.r
}

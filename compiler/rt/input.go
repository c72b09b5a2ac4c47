package rt

import (
	"bufio"
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
	Flush()
	stdin.mu.Lock()
	defer stdin.mu.Unlock()
	if stdin.r == nil {
		stdin.r = bufio.NewReader(os.Stdin)
	}
	line, _ := stdin.r.ReadString('\n') // at the end of the input: what there is
	return strings.TrimRight(line, "\r\n")
}

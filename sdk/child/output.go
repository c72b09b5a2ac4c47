package child

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"sync"
)

const (
	longest = 64 << 10  // bytes of a line
	logMax  = 256 << 20 // bytes of a log
)

// duct is a pipe from the child to us.
type duct struct {
	r, w *os.File
	once sync.Once
}

// pipe makes a pipe whose far end is the given output of a command. The command gets the file
// itself: so nothing but the process is waited for when it ends.
func pipe(to *io.Writer) (*duct, error) {
	r, w, err := os.Pipe()
	if err != nil {
		return nil, fmt.Errorf("making a pipe: %w", err)
	}
	*to = w
	return &duct{r: r, w: w}, nil
}

// started closes our copy of the child's end.
func (d *duct) started() { d.w.Close() }

// close ends reading. Where closing waits for a read that is under way, nobody waits for that.
func (d *duct) close() {
	d.once.Do(func() {
		d.w.Close()
		go d.r.Close()
	})
}

// sink is where both outputs of a child come together.
type sink struct {
	keep int
	log  *os.File // nil for none

	mu     sync.Mutex
	closed bool
	bytes  int64
	logged int64
	cut    bool // nothing more goes to the log
	tail   []byte
}

// read reads one output to its end. Whole lines go on at once, so that the two outputs meet
// between lines.
func (s *sink) read(r io.Reader, tell func([]byte), logged func() []byte) {
	buf := make([]byte, longest)
	n := 0        // bytes in buf
	told := false // of the line that buf is in the middle of
	for {
		m, err := r.Read(buf[n:])
		from := n
		n += m
		end := bytes.LastIndexByte(buf[from:n], '\n') + 1
		if end > 0 {
			end += from
		}
		if n == len(buf) && end == 0 || err != nil {
			end = n
		}
		if end > 0 {
			told = s.take(buf[:end], tell, logged, told)
			n = copy(buf, buf[end:n])
		}
		if err != nil {
			return
		}
	}
}

// take takes bytes that end with a line, or are all there is room for. It says whether they
// end within a line that was told of.
func (s *sink) take(text []byte, tell func([]byte), logged func() []byte, told bool) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return false
	}
	s.bytes += int64(len(text))
	if logged == nil {
		s.write(text)
	}
	s.keepEnd(text)
	var instead []byte // of the text in the log
	for len(text) > 0 {
		line, rest, whole := bytes.Cut(text, []byte("\n"))
		if tell != nil && !told {
			tell(bytes.TrimSuffix(line, []byte("\r")))
			if logged != nil {
				instead = append(instead, logged()...)
			}
		}
		text, told = rest, !whole
	}
	s.write(instead)
	return told
}

// write writes to the log as long as that is possible: a full disk is no reason to stop.
func (s *sink) write(text []byte) {
	if s.log == nil || s.cut {
		return
	}
	room := logMax - s.logged
	n, err := s.log.Write(text[:min(room, int64(len(text)))])
	s.logged += int64(n)
	if err == nil && int64(len(text)) <= room {
		return
	}
	s.cut = true
	if err == nil {
		fmt.Fprintf(s.log, "\n[the log ends here: more than %d MB were printed]\n", logMax>>20)
	}
}

// keepEnd keeps the end of the output.
func (s *sink) keepEnd(text []byte) {
	if over := len(text) - s.keep; over > 0 {
		text = text[over:]
	}
	if len(s.tail)+len(text) > 2*s.keep {
		over := max(0, len(s.tail)-(s.keep-len(text)))
		s.tail = append(s.tail[:0], s.tail[over:]...)
	}
	s.tail = append(s.tail, text...)
}

// end closes the sink: nothing more is taken, or told.
func (s *sink) end() (n int64, tail []byte, cut bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.closed = true
	return s.bytes, s.tail[max(0, len(s.tail)-s.keep):], s.cut
}

// createLog makes the file of a log, and its folder.
func createLog(path string) (*os.File, error) {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return nil, fmt.Errorf("making the folder of the log: %w", err)
	}
	f, err := os.Create(path)
	if err != nil {
		return nil, fmt.Errorf("making the log: %w", err)
	}
	return f, nil
}

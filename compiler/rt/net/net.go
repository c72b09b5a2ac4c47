package net

import (
	"errors"
	"io"
	"net"
	"time"

	"github.com/settgraph/sett/compiler/rt"
	"github.com/settgraph/sett/compiler/rt/handle"
)

// TCPListen makes a listening socket. When that fails it returns -1 and appends the reason
// to out.
func TCPListen(host string, port int64, out *rt.Array[string]) int64 {
	addr, err := address(host, port)
	var ln net.Listener
	if err == nil {
		ln, err = net.Listen("tcp", addr)
	}
	if err != nil {
		out.S = append(out.S, reason(err))
		return -1
	}
	return handle.Add(&socket{network: "tcp", ln: ln, local: ln.Addr().String()})
}

// TCPConnect makes a connected socket, within a time unless that is 0. When that fails it
// returns -1 and appends the reason to out.
func TCPConnect(host string, port, timeoutMs int64, out *rt.Array[string]) int64 {
	addr, err := address(host, port)
	var c net.Conn
	if err == nil {
		c, err = net.DialTimeout("tcp", addr, Duration(timeoutMs))
	}
	if err != nil {
		out.S = append(out.S, reason(err))
		return -1
	}
	return handle.Add(&socket{network: "tcp", conn: newConn(c)})
}

// Duration is a time in milliseconds, at most a year, so that it can be added to any time.
func Duration(ms int64) time.Duration {
	const year = 365 * 24 * time.Hour
	return time.Duration(max(0, min(ms, int64(year/time.Millisecond)))) * time.Millisecond
}

// SetTimeout bounds how long each read, write and accept of a socket may wait; 0 is for ever.
func SetTimeout(fd, ms int64) int64 {
	s, ok := handle.Get[*socket](fd)
	if !ok {
		return -1
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.timeout = Duration(ms)
	return 0
}

// LastError is why the latest call with a socket failed, without the names of the calls
// inside Go; it is "" when none has failed since it was last asked.
func LastError(fd int64) string {
	s, ok := handle.Get[*socket](fd)
	if !ok {
		return errNumber.Error()
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	err := s.failure
	s.failure = nil
	return reason(err)
}

// PeerAddress is the address of the other side, host:port, or "".
func PeerAddress(fd int64) string {
	s, ok := handle.Get[*socket](fd)
	if !ok {
		return ""
	}
	conn := s.connection()
	if conn == nil {
		return ""
	}
	return conn.RemoteAddr().String()
}

// reason is the text of a failure for people.
func reason(err error) string {
	if err == nil {
		return ""
	}
	if t, ok := err.(net.Error); ok && t.Timeout() {
		return "timed out"
	}
	var dns *net.DNSError
	if errors.As(err, &dns) {
		return "unknown host: " + dns.Name
	}
	if errors.Is(err, net.ErrClosed) {
		return "the socket is closed"
	}
	if errors.Is(err, io.EOF) {
		return "the connection ended"
	}
	for inner := err; inner != nil; inner = errors.Unwrap(inner) {
		err = inner
	}
	return err.Error()
}

// Connection is the connection of a socket, for what reads a protocol from it.
func Connection(fd int64) (*Conn, bool) {
	s, ok := handle.Get[*socket](fd)
	if !ok {
		return nil, false
	}
	conn := s.connection()
	return conn, conn != nil
}

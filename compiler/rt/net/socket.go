// Package net is behind std.socket and std.net: stream and datagram sockets by number.
//
// Sockets have the calls of BSD sockets but are the connections and listeners of Go
// underneath, so a waiting task costs no thread, host names work, and IPv6 does. A call that
// fails returns -1, or "" when it should return data; [LastError] says why.
package net

import (
	"bufio"
	"context"
	"errors"
	"io"
	"net"
	"strconv"
	"sync"
	"time"

	"github.com/settgraph/sett/compiler/rt/handle"
)

// maxRead bounds one read.
const maxRead = 1 << 20

// The numbers that [Create] takes, those of Linux.
const (
	inet    = 2
	inet6   = 10
	stream  = 1
	dgram   = 2
	tcp     = 6
	udp     = 17
	anyAddr = 0 // a domain of ours: IPv4 or IPv6
)

// socket is one socket in whatever state it is. The lock is for the state and not held while
// waiting, so that a socket can be closed under a task that waits for it.
type socket struct {
	network string // tcp, tcp4, tcp6, udp, udp4, udp6

	mu      sync.Mutex
	local   string         // where it is bound, "" when it is not
	ln      net.Listener   // of a bound stream socket until it is connected
	packets net.PacketConn // of a bound datagram socket until it is connected
	conn    *Conn          // once it is connected
	timeout time.Duration  // of each read, write and accept; 0 waits for ever
	failure error
}

// Conn is a connection with what was received and not yet asked for.
type Conn struct {
	net.Conn
	Reading sync.Mutex // held by whoever uses R
	R       *bufio.Reader
}

func newConn(c net.Conn) *Conn { return &Conn{Conn: c, R: bufio.NewReaderSize(c, 16<<10)} }

var (
	errNumber = errors.New("no such socket")
	errState  = errors.New("the socket is not in a state for that")
)

// failed keeps the reason and returns -1.
func (s *socket) failed(err error) int64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.failure = err
	return -1
}

// Create makes a socket. The domain is 2 for IPv4, 10 for IPv6, 0 for either; the kind is 1
// for a stream, 2 for datagrams; the protocol is 0, or the one that the kind has anyway.
func Create(domain, kind, protocol int64) int64 {
	var network string
	switch {
	case kind == stream && (protocol == 0 || protocol == tcp):
		network = "tcp"
	case kind == dgram && (protocol == 0 || protocol == udp):
		network = "udp"
	default:
		return -1
	}
	switch domain {
	case inet:
		network += "4"
	case inet6:
		network += "6"
	case anyAddr:
	default:
		return -1
	}
	return handle.Add(&socket{network: network})
}

// address joins a host and a port, or fails when there is no such port.
func address(host string, port int64) (string, error) {
	if port < 0 || port > 65535 {
		return "", errors.New("no such port: " + strconv.FormatInt(port, 10))
	}
	return net.JoinHostPort(host, strconv.FormatInt(port, 10)), nil
}

// Bind gives a socket an address of this machine; port 0 is any that is free.
func Bind(fd int64, host string, port int64) int64 {
	s, ok := handle.Get[*socket](fd)
	if !ok {
		return -1
	}
	addr, err := address(host, port)
	if err != nil {
		return s.failed(err)
	}
	s.mu.Lock()
	idle := s.local == "" && s.conn == nil
	s.mu.Unlock()
	if !idle {
		return s.failed(errState)
	}
	var ln net.Listener
	var packets net.PacketConn
	if s.network[0] == 't' {
		ln, err = net.Listen(s.network, addr)
	} else {
		packets, err = net.ListenPacket(s.network, addr)
	}
	if err != nil {
		return s.failed(err)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.ln, s.packets = ln, packets
	if ln != nil {
		s.local = ln.Addr().String()
	} else {
		s.local = packets.LocalAddr().String()
	}
	return 0
}

// Listen lets a bound stream socket take connections. How many may wait is up to the system.
func Listen(fd, _ int64) int64 {
	s, ok := handle.Get[*socket](fd)
	if !ok {
		return -1
	}
	if s.listener() == nil {
		return s.failed(errState)
	}
	return 0
}

func (s *socket) listener() net.Listener {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.ln
}

// connection is the connection of a socket, or nil.
func (s *socket) connection() *Conn {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.conn
}

// deadline is the time at which an operation that starts now has taken too long.
func (s *socket) deadline() time.Time {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.timeout <= 0 {
		return time.Time{}
	}
	return time.Now().Add(s.timeout)
}

// Accept waits for a connection and returns a socket for it.
func Accept(fd int64) int64 {
	s, ok := handle.Get[*socket](fd)
	if !ok {
		return -1
	}
	ln := s.listener()
	if ln == nil {
		return s.failed(errState)
	}
	if d, ok := ln.(interface{ SetDeadline(time.Time) error }); ok {
		if err := d.SetDeadline(s.deadline()); err != nil {
			return s.failed(err)
		}
	}
	c, err := ln.Accept()
	if err != nil {
		return s.failed(err)
	}
	return handle.Add(&socket{network: s.network, conn: newConn(c)})
}

// Connect connects a socket. A bound one keeps its address.
func Connect(fd int64, host string, port int64) int64 {
	s, ok := handle.Get[*socket](fd)
	if !ok {
		return -1
	}
	addr, err := address(host, port)
	if err != nil {
		return s.failed(err)
	}
	s.mu.Lock()
	local, ln, packets, connected, timeout := s.local, s.ln, s.packets, s.conn != nil, s.timeout
	s.ln, s.packets = nil, nil
	s.mu.Unlock()
	if connected {
		return s.failed(errState)
	}
	dialer := net.Dialer{Timeout: timeout}
	if local != "" {
		if dialer.LocalAddr, err = s.release(local, ln, packets); err != nil {
			return s.failed(err)
		}
	}
	c, err := dialer.DialContext(context.Background(), s.network, addr)
	if err != nil {
		return s.failed(err)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.conn = newConn(c)
	return 0
}

// release frees the address of a bound socket, for the connection that takes it over.
func (s *socket) release(local string, ln net.Listener, packets net.PacketConn) (net.Addr, error) {
	if ln != nil {
		if err := ln.Close(); err != nil {
			return nil, err
		}
		return net.ResolveTCPAddr(s.network, local)
	}
	if packets != nil {
		if err := packets.Close(); err != nil {
			return nil, err
		}
	}
	return net.ResolveUDPAddr(s.network, local)
}

// Read waits for data and returns at most max bytes of it, 1 MiB at most. At the end of the
// stream and after a failure it is "".
func Read(fd, max int64) string {
	s, ok := handle.Get[*socket](fd)
	if !ok || max <= 0 {
		return ""
	}
	s.mu.Lock()
	conn, packets := s.conn, s.packets
	s.mu.Unlock()
	var src io.Reader
	var limit func(time.Time) error
	switch {
	case packets != nil:
		src, limit = datagrams{packets}, packets.SetReadDeadline
	case conn == nil:
		s.failed(errState)
		return ""
	case s.network[0] == 'u':
		src, limit = conn.Conn, conn.SetReadDeadline
	default:
		conn.Reading.Lock()
		defer conn.Reading.Unlock()
		src, limit = conn.R, conn.SetReadDeadline
	}
	if err := limit(s.deadline()); err != nil {
		s.failed(err)
		return ""
	}
	buf := make([]byte, min(max, maxRead))
	n, err := src.Read(buf)
	if err != nil && err != io.EOF {
		s.failed(err)
	}
	return string(buf[:n])
}

// datagrams reads what anybody sends.
type datagrams struct{ from net.PacketConn }

func (d datagrams) Read(p []byte) (int, error) {
	n, _, err := d.from.ReadFrom(p)
	return n, err
}

// Write sends all the data and returns how much that is.
func Write(fd int64, data string) int64 {
	s, ok := handle.Get[*socket](fd)
	if !ok {
		return -1
	}
	conn := s.connection()
	if conn == nil {
		return s.failed(errState)
	}
	if err := conn.SetWriteDeadline(s.deadline()); err != nil {
		return s.failed(err)
	}
	n, err := io.WriteString(conn.Conn, data)
	if err != nil {
		return s.failed(err)
	}
	return int64(n)
}

// Close closes a socket, also under a task that waits for it.
func Close(fd int64) int64 {
	s, ok := handle.Take[*socket](fd)
	if !ok {
		return -1
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	var errs []error
	if s.ln != nil {
		errs = append(errs, s.ln.Close())
	}
	if s.packets != nil {
		errs = append(errs, s.packets.Close())
	}
	if s.conn != nil {
		errs = append(errs, s.conn.Close())
	}
	if errors.Join(errs...) != nil {
		return -1
	}
	return 0
}

// SetReuseaddr lets a socket be bound to an address that was just in use, as sockets of ours
// may anyway.
func SetReuseaddr(fd int64) int64 {
	if _, ok := handle.Get[*socket](fd); !ok {
		return -1
	}
	return 0
}

// Port is the port of this side of a socket that is bound or connected.
func Port(fd int64) int64 {
	s, ok := handle.Get[*socket](fd)
	if !ok {
		return -1
	}
	s.mu.Lock()
	local := s.local
	if s.conn != nil {
		local = s.conn.LocalAddr().String()
	}
	s.mu.Unlock()
	_, port, err := net.SplitHostPort(local)
	if err != nil {
		return s.failed(errState)
	}
	n, err := strconv.ParseInt(port, 10, 64)
	if err != nil {
		return s.failed(err)
	}
	return n
}

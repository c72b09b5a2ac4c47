package net

import (
	"strings"
	"testing"
	"time"

	"github.com/settgraph/sett/compiler/rt"
)

// pair is two ends of a connection, made in one task: connecting does not wait for accept.
func pair(t *testing.T) (server, client, peer int64) {
	t.Helper()
	server = Create(inet, stream, 0)
	if SetReuseaddr(server) != 0 || Bind(server, "127.0.0.1", 0) != 0 || Listen(server, 128) != 0 {
		t.Fatal(LastError(server))
	}
	client = Create(inet, stream, 0)
	if Connect(client, "127.0.0.1", Port(server)) != 0 {
		t.Fatal(LastError(client))
	}
	if peer = Accept(server); peer < 0 {
		t.Fatal(LastError(server))
	}
	t.Cleanup(func() { Close(server); Close(client); Close(peer) })
	return server, client, peer
}

func TestExchange(t *testing.T) {
	server, client, peer := pair(t)
	if Write(client, "ping") != 4 || Read(peer, 100) != "ping" || Write(peer, "pong\x00\xff") != 6 || Read(client, 4) != "pong" || Read(client, 9) != "\x00\xff" {
		t.Error("what was sent did not arrive")
	}
	if Port(peer) != Port(server) || Port(client) <= 0 || Port(client) == Port(server) {
		t.Errorf("ports: server %d, peer %d, client %d", Port(server), Port(peer), Port(client))
	}
	if !strings.HasPrefix(PeerAddress(peer), "127.0.0.1:") || PeerAddress(server) != "" {
		t.Errorf("peer address %q", PeerAddress(peer))
	}
	if Close(client) != 0 || Read(peer, 10) != "" || LastError(peer) != "" {
		t.Error("the end of the stream is not an end")
	}
	if Close(client) != -1 || Write(client, "x") != -1 || Read(client, 1) != "" || Port(client) != -1 || Listen(client, 1) != -1 || LastError(client) == "" {
		t.Error("a closed socket works")
	}
}

func TestLargeTransfer(t *testing.T) {
	_, client, peer := pair(t)
	data := strings.Repeat("0123456789", 1<<20)
	sent := make(chan int64, 1)
	go func() { sent <- Write(client, data); Close(client) }()
	var got strings.Builder
	for {
		part := Read(peer, 1<<30)
		if part == "" {
			break
		}
		got.WriteString(part)
	}
	if n := <-sent; n != int64(len(data)) || got.String() != data {
		t.Errorf("sent %d, received %d", n, got.Len())
	}
}

func TestWrongUse(t *testing.T) {
	for _, c := range [][3]int64{{1, stream, 0}, {inet, 3, 0}, {inet, stream, udp}, {inet, dgram, tcp}, {99, dgram, 0}} {
		if fd := Create(c[0], c[1], c[2]); fd != -1 {
			t.Errorf("Create(%v) = %d", c, fd)
		}
	}
	fd := Create(inet, stream, 0)
	defer Close(fd)
	if Read(fd, 1) != "" || Write(fd, "x") != -1 || Accept(fd) != -1 || Listen(fd, 1) != -1 || Port(fd) != -1 {
		t.Error("an idle socket works")
	}
	if Bind(fd, "127.0.0.1", 70000) != -1 || LastError(fd) != "no such port: 70000" || LastError(fd) != "" {
		t.Error("there is a port 70000")
	}
	if Bind(fd, "192.0.2.1", 0) != -1 || LastError(fd) != "cannot assign requested address" {
		t.Error("it is bound to an address of others")
	}
	if Bind(fd, "127.0.0.1", 0) != 0 || Bind(fd, "127.0.0.1", 0) != -1 {
		t.Error("it is bound twice")
	}
	other := Create(inet, stream, 0)
	defer Close(other)
	if Bind(other, "127.0.0.1", Port(fd)) != -1 || LastError(other) != "address already in use" {
		t.Error("two are bound to one port")
	}
	_, client, _ := pair(t)
	if Connect(client, "127.0.0.1", Port(fd)) != -1 || Bind(client, "127.0.0.1", 0) != -1 {
		t.Error("a connected socket is connected again")
	}
}

func TestConnectFromAPort(t *testing.T) {
	server, _, _ := pair(t)
	fd := Create(inet, stream, 0)
	defer Close(fd)
	if Bind(fd, "127.0.0.1", 0) != 0 {
		t.Fatal(LastError(fd))
	}
	port := Port(fd)
	if Connect(fd, "127.0.0.1", Port(server)) != 0 || Port(fd) != port {
		t.Errorf("port %d became %d: %s", port, Port(fd), LastError(fd))
	}
}

func TestDatagrams(t *testing.T) {
	server := Create(inet, dgram, 0)
	client := Create(inet, dgram, 0)
	defer Close(server)
	defer Close(client)
	if Bind(server, "127.0.0.1", 0) != 0 || Connect(client, "127.0.0.1", Port(server)) != 0 {
		t.Fatal(LastError(server), LastError(client))
	}
	if Write(client, "one") != 3 || Write(client, "two") != 3 || Read(server, 100) != "one" || Read(server, 2) != "tw" {
		t.Error("datagrams run together or got lost")
	}
	if Accept(server) != -1 || Listen(server, 1) != -1 {
		t.Error("datagrams are accepted")
	}
}

func TestHostNamesAndIPv6(t *testing.T) {
	for _, host := range []string{"localhost", "127.0.0.1", "::1", ""} {
		out := rt.NewArray[string]()
		server := TCPListen(host, 0, out)
		if server < 0 {
			if host == "::1" {
				t.Logf("no IPv6 here: %v", out.S)
				continue
			}
			t.Fatalf("%q: %v", host, out.S)
		}
		client := TCPConnect(host, Port(server), 5000, out)
		if client < 0 {
			t.Fatalf("%q: %v", host, out.S)
		}
		peer := Accept(server)
		if Write(client, host+"!") < 0 || Read(peer, 99) != host+"!" {
			t.Errorf("%q: nothing arrived", host)
		}
		Close(client)
		Close(peer)
		Close(server)
	}
}

func TestReasons(t *testing.T) {
	out := rt.NewArray[string]()
	server := TCPListen("127.0.0.1", 0, out)
	port := Port(server)
	TCPListen("127.0.0.1", port, out)
	Close(server)
	TCPConnect("127.0.0.1", port, 1000, out)
	TCPConnect("127.0.0.1", -1, 1000, out)
	want := []string{"address already in use", "connection refused", "no such port: -1"}
	if strings.Join(out.S, "\n") != strings.Join(want, "\n") {
		t.Errorf("got %q, want %q", out.S, want)
	}
}

func TestTimeouts(t *testing.T) {
	server, client, peer := pair(t)
	for _, fd := range []int64{server, client, peer} {
		if SetTimeout(fd, 30) != 0 {
			t.Fatal(LastError(fd))
		}
	}
	start := time.Now()
	if Read(client, 1) != "" || LastError(client) != "timed out" {
		t.Error("a read without data has an end")
	}
	if Accept(server) != -1 || LastError(server) != "timed out" {
		t.Error("an accept without clients has an end")
	}
	if d := time.Since(start); d < 60*time.Millisecond || d > 5*time.Second {
		t.Errorf("two timeouts of 30 ms took %v", d)
	}
	if Write(peer, "late") != 4 || Read(client, 10) != "late" {
		t.Error("a connection is of no use after a timeout")
	}
	if SetTimeout(client, 0) != 0 || SetTimeout(-1, 0) != -1 {
		t.Error("SetTimeout")
	}
}

func TestCloseUnderAWaitingTask(t *testing.T) {
	server, client, _ := pair(t)
	done := make(chan string, 2)
	go func() { Accept(server); done <- "accept" }()
	go func() { Read(client, 1); done <- "read" }()
	time.Sleep(20 * time.Millisecond)
	Close(server)
	Close(client)
	for range 2 {
		select {
		case <-done:
		case <-time.After(5 * time.Second):
			t.Fatal("a task still waits")
		}
	}
}

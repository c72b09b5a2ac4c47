package http

import (
	"bufio"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/settgraph/sett/compiler/rt"
	rtnet "github.com/settgraph/sett/compiler/rt/net"
)

// connect returns the number of the server's side of a connection, and the client's side.
func connect(t *testing.T) (int64, net.Conn) {
	t.Helper()
	out := rt.NewArray[string]()
	server := rtnet.TCPListen("127.0.0.1", 0, out)
	if server < 0 {
		t.Fatal(out.S)
	}
	client, err := net.Dial("tcp", "127.0.0.1:"+rt.ShowInt(rtnet.Port(server)))
	if err != nil {
		t.Fatal(err)
	}
	fd := rtnet.Accept(server)
	t.Cleanup(func() { rtnet.Close(server); rtnet.Close(fd); client.Close() })
	return fd, client
}

// exchange sends a text and says what was read, or why nothing was, and what came back.
func exchange(t *testing.T, text string, maxBody int64) (parts []string, problem, answer string) {
	t.Helper()
	fd, client := connect(t)
	go func() {
		io.WriteString(client, text)
		client.(*net.TCPConn).CloseWrite()
	}()
	out := rt.NewArray[string]()
	problem = Read(fd, maxBody, 5000, out)
	rtnet.Close(fd)
	back, _ := io.ReadAll(client) // a reset is an end too
	return out.S, problem, string(back)
}

func TestRead(t *testing.T) {
	long := strings.Repeat("x", 40_000)
	for _, c := range []struct{ what, text, want string }{
		{"get", "GET /hello HTTP/1.1\r\nHost: a\r\n\r\n", "GET|/hello|Host: a|"},
		{"no header", "GET / HTTP/1.1\r\n\r\n", "GET|/||"},
		{"query", "GET /a%20b?x=1&y=2 HTTP/1.1\r\nHost: a\r\nAccept: */*\r\n\r\n", "GET|/a%20b?x=1&y=2|Host: a\r\nAccept: */*|"},
		{"body", "POST /p HTTP/1.1\r\ncontent-length: 5\r\n\r\nhello", "POST|/p|content-length: 5|hello"},
		{"body and more", "POST /p HTTP/1.1\r\nContent-Length:5\r\n\r\nhelloGET / HTTP/1.1", "POST|/p|Content-Length:5|hello"},
		{"another length", "GET /p HTTP/1.1\r\nX-Content-Length: 5\r\n\r\nhello", "GET|/p|X-Content-Length: 5|"},
		{"short body", "POST /p HTTP/1.1\r\nContent-Length: 10\r\n\r\nhel", "POST|/p|Content-Length: 10|hel"},
		{"the same length twice", "POST /p HTTP/1.1\r\nContent-Length: 2\r\nContent-Length: 2\r\n\r\nok", "POST|/p|Content-Length: 2\r\nContent-Length: 2|ok"},
		{"no version", "GET /old\r\n\r\n", "GET|/old||"},
		{"line feeds", "GET / HTTP/1.1\nHost: a\n\n", "GET|/|Host: a|"},
		{"empty lines first", "\r\n\r\nGET / HTTP/1.1\r\n\r\n", "GET|/||"},
		{"chunks", "POST /c HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n6;x=y\r\n world\r\n0\r\nTrailer: t\r\n\r\n", "POST|/c|Transfer-Encoding: chunked|hello world"},
		{"long line", "GET /" + long + " HTTP/1.1\r\nX: " + long + "\r\n\r\n", "GET|/" + long + "|X: " + long + "|"},
		{"binary body", "POST / HTTP/1.1\r\nContent-Length: 4\r\n\r\n\x00\xff\r\n", "POST|/|Content-Length: 4|\x00\xff\r\n"},
	} {
		parts, problem, answer := exchange(t, c.text, 1000)
		if got := strings.Join(parts, "|"); got != c.want || problem != "" || answer != "" {
			t.Errorf("%s: %.200q, problem %q, answer %q", c.what, got, problem, answer)
		}
	}
}

func TestRefuse(t *testing.T) {
	for _, c := range []struct{ what, text, problem, status string }{
		{"nothing", "", "connection closed", ""},
		{"half a header", "GET / HTTP/1.1\r\nHost", "connection closed", ""},
		{"half a line", "GET", "connection closed", ""},
		{"one word", "GET\r\n\r\n", "malformed request line", "400 Bad Request"},
		{"no path", "GET  HTTP/1.1\r\n\r\n", "malformed request line", "400 Bad Request"},
		{"TLS", "\x16\x03\x01\x02 x\r\n\r\n", "malformed request line", "400 Bad Request"},
		{"no colon", "GET / HTTP/1.1\r\nHost\r\n\r\n", "malformed header line", "400 Bad Request"},
		{"blank before colon", "GET / HTTP/1.1\r\nHost : a\r\n\r\n", "malformed header line", "400 Bad Request"},
		{"folded line", "GET / HTTP/1.1\r\nA: b\r\n c: d\r\n\r\n", "malformed header line", "400 Bad Request"},
		{"negative length", "POST / HTTP/1.1\r\nContent-Length: -1\r\n\r\n", "bad Content-Length", "400 Bad Request"},
		{"no number", "POST / HTTP/1.1\r\nContent-Length: 1x\r\n\r\n", "bad Content-Length", "400 Bad Request"},
		{"signed length", "POST / HTTP/1.1\r\nContent-Length: +1\r\n\r\nx", "bad Content-Length", "400 Bad Request"},
		{"empty length", "POST / HTTP/1.1\r\nContent-Length:\r\n\r\n", "bad Content-Length", "400 Bad Request"},
		{"two lengths", "POST / HTTP/1.1\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nxx", "bad Content-Length", "400 Bad Request"},
		{"huge length", "POST / HTTP/1.1\r\nContent-Length: 99999999999999999999\r\n\r\n", "bad Content-Length", "400 Bad Request"},
		{"large body", "POST / HTTP/1.1\r\nContent-Length: 1001\r\n\r\n", "the body is too large", "413 Content Too Large"},
		{"both framings", "POST / HTTP/1.1\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n", "both Content-Length and Transfer-Encoding", "400 Bad Request"},
		{"other encoding", "POST / HTTP/1.1\r\nTransfer-Encoding: gzip\r\n\r\n", "unknown Transfer-Encoding", "501 Not Implemented"},
		{"chunked twice", "POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n", "unknown Transfer-Encoding", "501 Not Implemented"},
		{"bad chunk", "POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n", "malformed chunk", "400 Bad Request"},
		{"long chunk", "POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nab\r\n0\r\n\r\n", "malformed chunk", "400 Bad Request"},
		{"large chunks", "POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n3e8\r\n" + strings.Repeat("x", 1000) + "\r\n1\r\n", "the body is too large", "413 Content Too Large"},
		{"chunks without end", "POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n1\r\na\r\n", "connection closed", ""},
		{"long line", "GET /" + strings.Repeat("x", maxLine) + " HTTP/1.1\r\n\r\n", "the header is too large", "431 Request Header Fields Too Large"},
		{"long header", "GET / HTTP/1.1\r\n" + strings.Repeat("A: "+strings.Repeat("x", 50_000)+"\r\n", 22) + "\r\n", "the header is too large", "431 Request Header Fields Too Large"},
	} {
		parts, problem, answer := exchange(t, c.text, 1000)
		first, _, _ := strings.Cut(answer, "\r\n")
		if problem != c.problem || len(parts) != 0 {
			t.Errorf("%s: problem %q, parts %.100q", c.what, problem, parts)
		}
		if c.status != "" && first != "" && first != "HTTP/1.1 "+c.status || c.status == "" && answer != "" {
			t.Errorf("%s: answer %q", c.what, first)
		}
	}
}

func TestKeepAlive(t *testing.T) {
	fd, client := connect(t)
	io.WriteString(client, "GET /1 HTTP/1.1\r\n\r\nPOST /2 HTTP/1.1\r\nContent-Length: 2\r\n\r\nabGET /3 HTTP/1.1\r\n\r\n")
	for _, want := range []string{"GET /1", "POST /2", "GET /3"} {
		out := rt.NewArray[string]()
		if problem := Read(fd, 100, 1000, out); problem != "" || out.S[0]+" "+out.S[1] != want {
			t.Fatalf("%s: %q %v", want, problem, out.S)
		}
	}
}

func TestTimeout(t *testing.T) {
	fd, client := connect(t)
	io.WriteString(client, "GET / HTTP/1.1\r\nHo")
	start := time.Now()
	if problem := Read(fd, 100, 50, rt.NewArray[string]()); problem != "timed out" {
		t.Errorf("problem %q", problem)
	}
	if d := time.Since(start); d < 50*time.Millisecond || d > 5*time.Second {
		t.Errorf("50 ms took %v", d)
	}
	if line, err := bufio.NewReader(client).ReadString('\n'); err != nil || line != "HTTP/1.1 408 Request Timeout\r\n" {
		t.Errorf("answer %q %v", line, err)
	}
}

func TestRawRequest(t *testing.T) {
	fd, client := connect(t)
	const text = "POST /x HTTP/1.1\r\nA: b\r\nContent-Length: 2\r\n\r\nok"
	io.WriteString(client, text)
	if got := ReadRaw(fd); got != text {
		t.Errorf("got %q", got)
	}
	client.Close()
	if got := ReadRaw(fd); got != "" {
		t.Errorf("after the end: %q", got)
	}
	if got := ReadRaw(-1); got != "" {
		t.Errorf("of no connection: %q", got)
	}
}

// TestGoClient sends what Go's client does, bodies of known and unknown length, and waits for
// leave to go on.
func TestGoClient(t *testing.T) {
	body := strings.Repeat("0123456789", 100_000)
	for _, c := range []struct {
		what   string
		body   io.Reader
		expect string
	}{
		{"length", strings.NewReader(body), ""},
		{"chunked", io.MultiReader(strings.NewReader(body)), ""},
		{"expect", strings.NewReader(body), "100-continue"},
	} {
		out := rt.NewArray[string]()
		server := rtnet.TCPListen("127.0.0.1", 0, out)
		req, err := http.NewRequest("POST", "http://127.0.0.1:"+rt.ShowInt(rtnet.Port(server))+"/upload?a=b", c.body)
		if err != nil {
			t.Fatal(err)
		}
		if c.expect != "" {
			req.Header.Set("Expect", c.expect)
		}
		problem := make(chan string, 1)
		go func() {
			fd := rtnet.Accept(server)
			p := Read(fd, 1<<21, 10_000, out)
			rtnet.Write(fd, "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
			rtnet.Close(fd)
			problem <- p
		}()
		client := http.Client{Transport: &http.Transport{ExpectContinueTimeout: time.Minute}, Timeout: 20 * time.Second}
		resp, err := client.Do(req)
		if err != nil {
			t.Fatalf("%s: %v", c.what, err)
		}
		answer, err := io.ReadAll(resp.Body)
		resp.Body.Close()
		if p := <-problem; p != "" || err != nil || string(answer) != "ok" || out.S[1] != "/upload?a=b" || out.S[3] != body {
			t.Errorf("%s: problem %q, answer %q %v, %d parts", c.what, p, answer, err, len(out.S))
		}
		rtnet.Close(server)
	}
}

func FuzzRead(f *testing.F) {
	f.Add("GET / HTTP/1.1\r\nA: b\r\n\r\n")
	f.Add("POST / HTTP/1.1\r\nContent-Length: 3\r\n\r\nabc")
	f.Add("POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n1\r\na\r\n0\r\n\r\n")
	f.Fuzz(func(t *testing.T, text string) {
		req, err := read(bufio.NewReader(strings.NewReader(text)), io.Discard, 100)
		if err != nil {
			return
		}
		if req.Method == "" || req.Path == "" || len(req.Body) > 100 || strings.Contains(req.Method, "\n") || strings.Contains(req.Path, "\n") {
			t.Errorf("%q is read as %+v", text, req)
		}
	})
}

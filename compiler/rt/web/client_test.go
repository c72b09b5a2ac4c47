package web

import (
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/settgraph/sett/compiler/rt"
)

func server(t *testing.T) *httptest.Server {
	mux := http.NewServeMux()
	mux.HandleFunc("/echo", func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		w.Header().Set("X-B", "2")
		w.Header().Add("X-A", "1")
		w.Header().Add("X-A", "one")
		fmt.Fprintf(w, "%s %s host=%s type=%s agent=%s x=%s body=%s", r.Method, r.URL, r.Host, r.Header.Get("Content-Type"), r.UserAgent(), r.Header.Get("X-Sent"), body)
	})
	mux.HandleFunc("/moved", func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, "/echo", http.StatusFound) })
	mux.HandleFunc("/loop", func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, "/loop", http.StatusFound) })
	mux.HandleFunc("/slow", func(_ http.ResponseWriter, r *http.Request) {
		io.Copy(io.Discard, r.Body) // only then does the server see the client go
		select {
		case <-r.Context().Done():
		case <-time.After(10 * time.Second):
		}
	})
	mux.HandleFunc("/busy", func(w http.ResponseWriter, _ *http.Request) { http.Error(w, "later", http.StatusServiceUnavailable) })
	mux.HandleFunc("/cut", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Length", "100")
		io.WriteString(w, "short")
	})
	s := httptest.NewServer(mux)
	t.Cleanup(s.Close)
	return s
}

func TestRequest(t *testing.T) {
	s := server(t)
	host := strings.TrimPrefix(s.URL, "http://")
	for _, c := range []struct {
		what, method, path, header, body string
		status                           int64
		want                             string
	}{
		{"get", "GET", "/echo?a=b", "", "", 200, "GET /echo?a=b host=" + host + " type= agent=pluto x= body="},
		{"post", "POST", "/echo", "Content-Type: text/plain\nX-Sent: yes", "data", 200, "POST /echo host=" + host + " type=text/plain agent=pluto x=yes body=data"},
		{"own host", "PUT", "/echo", "Host: example.org\r\nUser-Agent: me", "", 200, "PUT /echo host=example.org type= agent=me x= body="},
		{"redirect", "GET", "/moved", "", "", 200, "GET /echo host=" + host + " type= agent=pluto x= body="},
		{"status", "GET", "/busy", "", "", 503, "later\n"},
		{"nowhere", "GET", "/nowhere", "", "", 404, "404 page not found\n"},
	} {
		out := rt.NewArray[string]()
		status := Request(c.method, s.URL+c.path, c.header, c.body, 5000, out)
		if status != c.status || len(out.S) != 3 || out.S[2] != c.want {
			t.Errorf("%s: %d %q", c.what, status, out.S)
		}
	}
	out := rt.NewArray[string]()
	Request("GET", s.URL+"/echo", "", "", 0, out)
	if out.S[0] != "OK" || !strings.Contains(out.S[1], "X-A: 1\r\nX-A: one\r\nX-B: 2") {
		t.Errorf("phrase and header: %q", out.S[:2])
	}
}

func TestNoAnswer(t *testing.T) {
	s := server(t)
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	closed := "http://" + l.Addr().String()
	l.Close()
	for _, c := range []struct {
		what, method, url string
		status            int64
		want              string
	}{
		{"nobody there", "GET", closed, Failed, "connection refused"},
		{"slow", "GET", s.URL + "/slow", TimedOut, "timed out"},
		{"loop", "GET", s.URL + "/loop", Failed, "stopped after 10 redirects"},
		{"cut", "GET", s.URL + "/cut", Failed, "unexpected EOF"},
		{"no scheme", "GET", "example.org", Failed, `unsupported protocol scheme ""`},
		{"other scheme", "GET", "ftp://example.org", Failed, `unsupported protocol scheme "ftp"`},
		{"no address", "GET", "http://[", Failed, "missing ']' in host"},
		{"bad method", "G T", s.URL, Failed, `net/http: invalid method "G T"`},
	} {
		out := rt.NewArray[string]()
		status := Request(c.method, c.url, "", "", 200, out)
		if status != c.status || len(out.S) != 1 || out.S[0] != c.want {
			t.Errorf("%s: %d %q", c.what, status, out.S)
		}
	}
}

func TestPost(t *testing.T) {
	s := server(t)
	if got := Post(s.URL+"/echo", "{}", 5000); !strings.Contains(got, "type=application/json") || !strings.HasSuffix(got, "body={}") {
		t.Errorf("got %q", got)
	}
	for _, path := range []string{"/busy", "/nowhere", "/slow"} {
		if got := Post(s.URL+path, "{}", 100); got != "" {
			t.Errorf("%s: %q", path, got)
		}
	}
}

package mcpserver

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"
)

// TestHTTP knocks at the other transport.
func TestHTTP(t *testing.T) {
	s := newServer(t, Options{Project: writeSample(t)})
	web := httptest.NewServer(s.httpHandler("secret"))
	defer web.Close()
	post := func(body string, header ...string) (int, string) {
		t.Helper()
		r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, web.URL+"/mcp", strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("Content-Type", "application/json")
		r.Header.Set("Accept", "application/json, text/event-stream")
		for i := 0; i < len(header); i += 2 {
			r.Header.Set(header[i], header[i+1])
		}
		c := http.Client{Timeout: 20 * time.Second}
		resp, err := c.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		defer resp.Body.Close()
		b, err := io.ReadAll(resp.Body)
		if err != nil {
			t.Fatal(err)
		}
		return resp.StatusCode, string(b)
	}
	const auth, bearer = "Authorization", "Bearer secret"
	list := request(1, "tools/list", map[string]any{})
	tests := []struct {
		name   string
		header []string
		status int
	}{
		{"no token", nil, 401},
		{"a wrong token", []string{auth, "Bearer secre"}, 401},
		{"a token of another kind", []string{auth, "Basic secret"}, 401},
		{"a page elsewhere", []string{auth, bearer, "Origin", "https://example.com"}, 403},
		{"a page of a file", []string{auth, bearer, "Origin", "null"}, 403},
		{"a page that looks local", []string{auth, bearer, "Origin", "https://localhost.example.com"}, 403},
		{"a local page", []string{auth, bearer, "Origin", "http://localhost:3000"}, 200},
		{"no page", []string{auth, bearer}, 200},
	}
	for _, tt := range tests {
		if status, body := post(list, tt.header...); status != tt.status {
			t.Errorf("%s: %d %s", tt.name, status, body)
		}
	}
	status, body := post(callRequest(2, "find_symbol", map[string]any{"symbol": "Greeter"}), auth, bearer)
	if status != 200 || !strings.Contains(body, "def Greeter greet.go:4 struct") {
		t.Errorf("a call: %d %s", status, body)
	}
	if status, _ := post(strings.Repeat(" ", maxLine+1)+list, auth, bearer); status < 400 {
		t.Errorf("an oversized message: %d", status)
	}
	for _, address := range []string{"0.0.0.0:0", ":0", "192.0.2.1:80", "example.com:80", "127.0.0.1"} {
		if err := s.ServeHTTP(t.Context(), address, "secret"); err == nil || !strings.Contains(err.Error(), "not a loopback address") {
			t.Errorf("listening on %s: %v", address, err)
		}
	}
}

package stdlib_test

import (
	"bufio"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os/exec"
	"regexp"
	"strings"
	"testing"
	"time"
)

func TestInput(t *testing.T) {
	for stdin, want := range map[string]string{
		"Ada\r\nsecond\n\nmore\nlast": "name? hello Ada, 3 bytes\nnext: second\nnext: \nrest: more\nlast\ntrue\ntrue\ntrue\n",
		"":                            "name? hello , 0 bytes\nrest: \ntrue\ntrue\ntrue\n",
		"x":                           "name? hello x, 1 bytes\nrest: \ntrue\ntrue\ntrue\n",
	} {
		stdout, stderr, err := run(t, "run io", stdin)
		if stdout != want || stderr != "a word on the side\n" || err != nil {
			t.Errorf("%q: %v %q\ngot\n%s", stdin, err, stderr, stdout)
		}
	}
}

func TestLogging(t *testing.T) {
	stdout, stderr, err := run(t, "run log", "")
	if stdout != "info\ndebug\ninfo\nwarn\nerror\n" || err != nil {
		t.Errorf("%v\n%s", err, stdout)
	}
	lines := regexp.MustCompile(`(?m)\] \d{13,} `).ReplaceAllString(stderr, "] ")
	want := `[INFO] i1
[WARN] w1
[ERROR] e1
[INFO] i a="one two" b=2
[WARN] w a="one two" b=2
[ERROR] e a="one two" b=2
[ERROR] e2
[ERROR] e a="one two" b=2
[DEBUG] d3
[INFO] i3
[WARN] w3
[ERROR] e3
[DEBUG] d a="one two" b=2
[INFO] i a="one two" b=2
[WARN] w a="one two" b=2
[ERROR] e a="one two" b=2
`
	if lines != want {
		t.Errorf("got\n%s", stderr)
	}
}

func TestAborts(t *testing.T) {
	for how, want := range map[string]string{
		"char_at": "pluto: string index out of bounds: index 3, length 3\n",
		"byte_at": "pluto: string byte_at index out of bounds: index -1, length 3\n",
		"reduce":  "pluto: array index out of bounds: index 0, length 0\n",
		"json":    "pluto: array index out of bounds: index 0, length 0\n",
		"pick":    "pluto: array index out of bounds: index 0, length 0\n",
		"error":   "JsonError { message: \"unexpected end of input\", detail: \"at offset 1\" }\n",
	} {
		cmd := program(t, "run abort", "PLUTO_HOW="+how)
		var stderr strings.Builder
		cmd.Stderr = &stderr
		stdout, err := cmd.Output()
		exit, ok := err.(*exec.ExitError)
		if string(stdout) != "before\n" || !strings.Contains(stderr.String(), want) || !ok || exit.ExitCode() != 1 {
			t.Errorf("%s: %v, stdout %q, stderr %q", how, err, stdout, stderr.String())
		}
	}
}

func TestExterns(t *testing.T) {
	stdout, stderr, err := run(t, "run externs", "")
	if want := "a b=c\n1\n2\n1\né\n12\n2.5\n42\nx\ntrue\n1.5\n0\n0\ndone\n"; stdout != want || err != nil {
		t.Errorf("%v %s\ngot\n%s", err, stderr, stdout)
	}
}

// TestServer asks a server in Pluto with Go's client and with curl.
func TestServer(t *testing.T) {
	cmd := program(t, "run http_server")
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewReader(out)
	url, err := lines.ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	url = strings.TrimSpace(url)

	client := http.Client{Timeout: 20 * time.Second}
	ask := func(method, path, kind string, body io.Reader) (*http.Response, string) {
		t.Helper()
		req, err := http.NewRequest(method, url+path, body)
		if err != nil {
			t.Fatal(err)
		}
		req.Header.Set("Content-Type", kind)
		resp, err := client.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		defer resp.Body.Close()
		text, err := io.ReadAll(resp.Body)
		if err != nil {
			t.Fatal(err)
		}
		return resp, string(text)
	}
	resp, text := ask("GET", "/a%20b?q=x+y%26", "", nil)
	if want := `{"method":"GET","path":"/a%20b?q=x+y%26","q":"x y&","type":"","length":0,"body":""}`; text != want || resp.StatusCode != 200 || resp.Header.Get("X-Served-By") != "pluto" || resp.Header.Get("Content-Type") != "application/json" {
		t.Errorf("get: %v %s", resp, text)
	}
	resp, text = ask("GET", "/none", "", nil)
	if text != "Not Found" || resp.StatusCode != 404 {
		t.Errorf("missing: %v %s", resp, text)
	}
	big := strings.Repeat("0123456789", 300_000)
	for what, body := range map[string]io.Reader{"length": strings.NewReader(big), "chunks": io.MultiReader(strings.NewReader(big))} {
		if _, text = ask("POST", "/up", "text/plain", body); !strings.Contains(text, `"type":"text/plain","length":3000000,`) {
			t.Errorf("%s: %s", what, text)
		}
	}
	if curl, err := exec.LookPath("curl"); err != nil {
		t.Log("there is no curl here")
	} else {
		for _, c := range []struct {
			args []string
			want string
		}{
			{[]string{"-s", url + "/c?q=1"}, `"method":"GET","path":"/c?q=1","q":"1"`},
			{[]string{"-s", "-d", "a=b", url + "/form"}, `"type":"application/x-www-form-urlencoded","length":3,"body":"a=b"`},
			{[]string{"-s", "--data-binary", "@-", "-H", "Expect: 100-continue", url + "/big"}, `"length":3000000`},
			{[]string{"-s", "-T", "-", url + "/put"}, `"method":"PUT","path":"/put","q":"","type":"","length":3000000`},
			{[]string{"-s", "-H", "Content-Length: x", url + "/bad"}, "Bad Request"},
		} {
			cmd := exec.Command(curl, c.args...)
			cmd.Stdin = strings.NewReader(big)
			got, err := cmd.CombinedOutput()
			if err != nil || !strings.Contains(string(got), c.want) {
				t.Errorf("curl %q: %v %s", c.args, err, got)
			}
		}
	}
	if _, text = ask("GET", "/stop", "", nil); !strings.Contains(text, "/stop") {
		t.Errorf("stop: %s", text)
	}
	if err := cmd.Wait(); err != nil {
		t.Error(err)
	}
}

// TestClient lets a client in Pluto ask a server in Go.
func TestClient(t *testing.T) {
	mux := http.NewServeMux()
	mux.HandleFunc("/echo", func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body) // what arrived
		w.Header().Set("X-Kind", "echo")
		fmt.Fprintf(w, "%s %s %s sent=%s %s", r.Method, r.URL, r.Header.Get("Content-Type"), r.Header.Get("X-Sent"), body)
	})
	mux.HandleFunc("/slow", func(_ http.ResponseWriter, r *http.Request) {
		io.Copy(io.Discard, r.Body) // only then does the server see the client go
		<-r.Context().Done()
	})
	mux.HandleFunc("/busy", func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusServiceUnavailable) })
	server := httptest.NewServer(mux)
	defer server.Close()
	stdout, err := program(t, "run http_client", "PLUTO_URL="+server.URL).Output()
	want := `get: 200 OK echo GET /echo?a=b  sent= 
post: 200 OK echo POST /echo text/x-test sent= dätä
missing: 404 Not Found  404 page not found

delete: 200 OK echo DELETE /echo  sent=1 
slow: 0 timed out  
POST /echo application/json sent= []
POST /echo application/json sent= [1]
timeout after 100
unavailable: true
network: status 404 Not Found
network: connection refused
`
	if string(stdout) != want || err != nil {
		t.Errorf("%v\ngot\n%s", err, stdout)
	}
}

// TestManyClients fails when one task that waits for the net keeps another from going on.
func TestManyClients(t *testing.T) {
	stdout, stderr, err := run(t, "run concurrent", "")
	want := "/0/1/2/3/4/5/6/7/8/9/10/11/12/13/14/15/16/17/18/19\ntrue\ntrue\n"
	if stdout != want || err != nil {
		t.Errorf("%v %s\ngot\n%s", err, stderr, stdout)
	}
}

// Package web is the HTTP client behind std.http and std.rpc. It links net/http and TLS.
package web

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/settgraph/sett/compiler/rt"
)

// maxAnswer bounds the body of an answer.
const maxAnswer = 256 << 20

// The results of [Request] that are no status.
const (
	Failed   = -1 // no answer came
	TimedOut = -2 // none came in time
)

// Request sends a request and waits for the answer, following redirects, for at most a time
// unless that is 0. The header has a line for each field. The result is the status of the
// answer, and out gets its phrase, its header in the same form and its body; or the result is
// [Failed] or [TimedOut] and out gets the reason.
func Request(method, address, header, body string, timeoutMs int64, out *rt.Array[string]) int64 {
	ctx, cancel := context.WithCancel(context.Background())
	if timeoutMs > 0 {
		ctx, cancel = context.WithTimeout(ctx, time.Duration(min(timeoutMs, 1<<40))*time.Millisecond)
	}
	defer cancel()
	status, answer, err := do(ctx, method, address, header, body)
	if err == nil {
		out.S = append(out.S, answer[:]...)
		return status
	}
	var timeout net.Error
	if errors.As(err, &timeout) && timeout.Timeout() {
		out.S = append(out.S, "timed out")
		return TimedOut
	}
	out.S = append(out.S, reason(err))
	return Failed
}

// do returns the status, and phrase, header and body of the answer.
func do(ctx context.Context, method, address, header, body string) (int64, [3]string, error) {
	req, err := http.NewRequestWithContext(ctx, method, address, strings.NewReader(body))
	if err != nil {
		return 0, [3]string{}, err
	}
	// A server in Pluto closes the connection after its answer without having said so. What is
	// sent into it by then is lost, so only connections that cost a handshake are used again.
	req.Close = req.URL.Scheme == "http"
	req.Header.Set("User-Agent", "pluto")
	for line := range strings.Lines(header) {
		if name, value, ok := strings.Cut(line, ":"); ok {
			name, value = strings.TrimSpace(name), strings.TrimSpace(value)
			if strings.EqualFold(name, "host") {
				req.Host = value
			}
			req.Header.Set(name, value)
		}
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return 0, [3]string{}, err
	}
	defer resp.Body.Close()
	var buf bytes.Buffer
	if n, err := io.Copy(&buf, io.LimitReader(resp.Body, maxAnswer+1)); err != nil {
		return 0, [3]string{}, err
	} else if n > maxAnswer {
		return 0, [3]string{}, errors.New("the answer is too large")
	}
	var lines []string
	for name, values := range resp.Header {
		for _, v := range values {
			lines = append(lines, name+": "+v)
		}
	}
	slices.Sort(lines)
	_, phrase, _ := strings.Cut(resp.Status, " ")
	return int64(resp.StatusCode), [3]string{phrase, strings.Join(lines, "\r\n"), buf.String()}, nil
}

// reason is the text of a failure for people: what the system says, without the calls that
// led to it.
func reason(err error) string {
	var dns *net.DNSError
	if errors.As(err, &dns) {
		return "unknown host: " + dns.Name
	}
	var op *net.OpError
	if errors.As(err, &op) {
		err = op.Err
		for inner := errors.Unwrap(err); inner != nil; inner = errors.Unwrap(err) {
			err = inner
		}
	}
	var wrapped *url.Error
	if errors.As(err, &wrapped) {
		err = wrapped.Err
	}
	return err.Error()
}

// Post sends a body of JSON and returns the body of the answer, or "" when none came in time
// or its status is none of success.
func Post(address, body string, timeoutMs int64) string {
	out := rt.NewArray[string]()
	status := Request(http.MethodPost, address, "Content-Type: application/json", body, timeoutMs, out)
	if status < 200 || status > 299 {
		return ""
	}
	return out.S[2]
}

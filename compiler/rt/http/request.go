// Package http is behind the server of std.http: it reads requests from connections of
// package net. It does not link net/http, which is many times its size.
package http

import (
	"bufio"
	"errors"
	"io"
	"net"
	"strconv"
	"strings"
	"time"

	"github.com/settgraph/sett/compiler/rt"
	rtnet "github.com/settgraph/sett/compiler/rt/net"
)

// Limits of what one request may be.
const (
	maxLine   = 64 << 10
	maxHeader = 1 << 20
)

// Request is one request as it was sent, its body without the framing of the transfer.
type Request struct {
	Method, Path string
	Header       string // the lines of the header, \r\n between them
	Body         string
}

// refusal is a request that gets an answer from here.
type refusal struct {
	status int
	phrase string
	why    string
}

func (r *refusal) Error() string { return r.why }

func refuse(status int, phrase, why string) error { return &refusal{status, phrase, why} }

var errClosed = errors.New("connection closed")

// Read waits for a request on a connection, for at most a time unless that is 0, with a body
// of at most maxBody bytes. It appends method, path, header and body to out and returns "", or
// says what went wrong; a peer that sent something wrong or too large was then told so.
func Read(fd, maxBody, timeoutMs int64, out *rt.Array[string]) string {
	conn, ok := rtnet.Connection(fd)
	if !ok {
		return errClosed.Error()
	}
	conn.Reading.Lock()
	defer conn.Reading.Unlock()
	var deadline time.Time
	if timeoutMs > 0 {
		deadline = time.Now().Add(rtnet.Duration(timeoutMs))
	}
	if conn.SetReadDeadline(deadline) != nil {
		return errClosed.Error()
	}
	req, err := read(conn.R, conn, maxBody)
	if err == nil {
		out.S = append(out.S, req.Method, req.Path, req.Header, req.Body)
		return ""
	}
	var timeout net.Error
	if errors.As(err, &timeout) && timeout.Timeout() {
		err = refuse(408, "Request Timeout", "timed out")
	}
	var r *refusal
	if !errors.As(err, &r) {
		return errClosed.Error()
	}
	_ = conn.SetWriteDeadline(time.Now().Add(5 * time.Second)) // fails when the write does
	_, _ = io.WriteString(conn, "HTTP/1.1 "+strconv.Itoa(r.status)+" "+r.phrase+"\r\nContent-Type: text/plain\r\nConnection: close\r\nContent-Length: "+
		strconv.Itoa(len(r.phrase))+"\r\n\r\n"+r.phrase) // the peer may be gone
	return r.why
}

// ReadRaw is a request as text, header and body, with the usual limits; "" when there is none.
func ReadRaw(fd int64) string {
	out := rt.NewArray[string]()
	if Read(fd, DefaultMaxBody, DefaultTimeoutMs, out) != "" {
		return ""
	}
	text := out.S[0] + " " + out.S[1] + " HTTP/1.1\r\n"
	if out.S[2] != "" {
		text += out.S[2] + "\r\n"
	}
	return text + "\r\n" + out.S[3]
}

// The limits that std.http has unless the program says others.
const (
	DefaultMaxBody   = 64 << 20
	DefaultTimeoutMs = 60_000
)

// read reads a request; w is where a client that waits for leave to go on is told.
func read(r *bufio.Reader, w io.Writer, maxBody int64) (Request, error) {
	first, err := line(r, maxLine)
	for tries := 0; err == nil && first == "" && tries < 4; tries++ {
		first, err = line(r, maxLine) // line ends before a request are passed over
	}
	if err != nil {
		return Request{}, err
	}
	method, rest, ok := strings.Cut(first, " ")
	if !ok || !token(method) {
		return Request{}, refuse(400, "Bad Request", "malformed request line")
	}
	path, _, _ := strings.Cut(rest, " ")
	if path == "" {
		return Request{}, refuse(400, "Bad Request", "malformed request line")
	}
	req := Request{Method: method, Path: path}
	var h framing
	if req.Header, err = header(r, &h); err != nil {
		return Request{}, err
	}
	if err := h.check(maxBody); err != nil {
		return Request{}, err
	}
	if h.continues && (h.chunked || h.length > 0) && r.Buffered() == 0 {
		if _, err := io.WriteString(w, "HTTP/1.1 100 Continue\r\n\r\n"); err != nil {
			return Request{}, err
		}
	}
	if h.chunked {
		req.Body, err = chunks(r, maxBody)
	} else {
		req.Body, err = exactly(r, h.length)
		if errors.Is(err, io.EOF) {
			err = nil // the body is what arrived
		}
	}
	return req, err
}

// line reads to a line end, which is not part of the result.
func line(r *bufio.Reader, limit int) (string, error) {
	var long []byte
	for {
		part, err := r.ReadSlice('\n')
		if len(long)+len(part) > limit {
			return "", refuse(431, "Request Header Fields Too Large", "the header is too large")
		}
		if err == bufio.ErrBufferFull {
			long = append(long, part...)
			continue
		}
		if err != nil {
			return "", err
		}
		text := string(append(long, part...))
		return strings.TrimSuffix(strings.TrimSuffix(text, "\n"), "\r"), nil
	}
}

// token says whether a text can be a method or the name of a field.
func token(s string) bool {
	for i := range len(s) {
		if s[i] <= ' ' || s[i] >= 0x7f || strings.IndexByte("()<>@,;:\\\"/[]?={}", s[i]) >= 0 {
			return false
		}
	}
	return s != ""
}

// framing is what the header says of how the body is sent.
type framing struct {
	length    int64
	hasLength bool
	chunked   bool
	encoding  bool // some transfer encoding
	continues bool // the client waits before it sends the body
}

// header reads the fields of a request up to the empty line.
func header(r *bufio.Reader, h *framing) (string, error) {
	var lines []string
	size := 0
	for {
		text, err := line(r, maxLine)
		if err != nil {
			return "", err
		}
		if text == "" {
			return strings.Join(lines, "\r\n"), nil
		}
		if size += len(text) + 2; size > maxHeader {
			return "", refuse(431, "Request Header Fields Too Large", "the header is too large")
		}
		name, value, ok := strings.Cut(text, ":")
		if !ok || !token(name) {
			return "", refuse(400, "Bad Request", "malformed header line")
		}
		if err := h.field(name, strings.Trim(value, " \t")); err != nil {
			return "", err
		}
		lines = append(lines, text)
	}
}

// field takes note of one field.
func (h *framing) field(name, value string) error {
	switch strings.ToLower(name) {
	case "content-length":
		n, err := strconv.ParseUint(value, 10, 63)
		if err != nil || value[0] == '+' || h.hasLength && h.length != int64(n) {
			return refuse(400, "Bad Request", "bad Content-Length")
		}
		h.hasLength, h.length = true, int64(n)
	case "transfer-encoding":
		h.encoding = true
		h.chunked = strings.EqualFold(value, "chunked") && !h.chunked
	case "expect":
		h.continues = strings.EqualFold(value, "100-continue")
	}
	return nil
}

// check refuses what cannot be read safely.
func (h *framing) check(maxBody int64) error {
	switch {
	case h.encoding && !h.chunked:
		return refuse(501, "Not Implemented", "unknown Transfer-Encoding")
	case h.encoding && h.hasLength:
		return refuse(400, "Bad Request", "both Content-Length and Transfer-Encoding")
	case h.length > maxBody:
		return tooLarge()
	}
	return nil
}

func tooLarge() error { return refuse(413, "Content Too Large", "the body is too large") }

// exactly reads n bytes, or what there is before the end together with an error.
func exactly(r *bufio.Reader, n int64) (string, error) {
	var b strings.Builder
	b.Grow(int(min(n, 1<<20))) // the rest when it comes: a peer may announce what it never sends
	_, err := io.CopyN(&b, r, n)
	return b.String(), err
}

// chunks reads a body that is sent in chunks, and the trailer after it.
func chunks(r *bufio.Reader, maxBody int64) (string, error) {
	var body strings.Builder
	for {
		text, err := line(r, maxLine)
		if err != nil {
			return "", err
		}
		digits, _, _ := strings.Cut(text, ";")
		n, err := strconv.ParseUint(strings.Trim(digits, " \t"), 16, 63)
		if err != nil {
			return "", refuse(400, "Bad Request", "malformed chunk")
		}
		if n == 0 {
			break
		}
		if int64(n) > maxBody-int64(body.Len()) {
			return "", tooLarge()
		}
		part, err := exactly(r, int64(n))
		if err != nil {
			return "", err
		}
		body.WriteString(part)
		if end, err := line(r, 2); err != nil || end != "" {
			return "", refuse(400, "Bad Request", "malformed chunk")
		}
	}
	_, err := header(r, &framing{})
	return body.String(), err
}

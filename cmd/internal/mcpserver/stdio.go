package mcpserver

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"sync"
	"time"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"
)

// The limits of one connection.
const (
	maxLine    = 16 << 20 // bytes in a message
	maxBatch   = 100      // messages in a JSON-RPC batch
	maxPending = 1000     // requests under way or waiting
	maxRunning = 16       // requests under way

	// When the input ends, what is under way is still answered. Input that ends at once is
	// that of a command line, which wants its answers; a client that has been waiting for one
	// when it hangs up does not want it any more.
	graceAtOnce = 20 * time.Second
	graceAtWait = 300 * time.Millisecond
	endsAtOnce  = time.Second // after the last message
)

// conn speaks JSON-RPC, one message a line, with one client. mcp-go has a stdio server,
// but it drops what is under way when the input ends, reads lines of any length into
// memory, refuses batches, and keeps its session in a package variable.
type conn struct {
	srv     *server.MCPServer
	log     *log.Logger
	session *session
	running chan struct{} // a token per request under way
	heard   time.Time     // when the last message came
	stop    context.CancelFunc
	handled sync.WaitGroup

	writing sync.Mutex // guards out and broken
	out     io.Writer
	broken  bool

	mu      sync.Mutex // guards pending
	pending map[string]context.CancelFunc
}

// serveConn answers until in ends or ctx is done. What was asked before the input ended
// is still answered.
func serveConn(ctx context.Context, srv *server.MCPServer, in io.Reader, out io.Writer, logger *log.Logger) error {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	c := &conn{
		srv: srv, log: logger, out: out, stop: stop,
		running: make(chan struct{}, maxRunning),
		pending: map[string]context.CancelFunc{},
	}
	c.session = newSession(c.send)
	if err := srv.RegisterSession(ctx, c.session); err != nil {
		return fmt.Errorf("starting the session: %w", err)
	}
	defer srv.UnregisterSession(context.WithoutCancel(ctx), c.session.SessionID())
	ctx = srv.WithContext(ctx, c.session)
	go c.session.forward(ctx)

	lines := make(chan line)
	go readLines(ctx, in, lines)
	err := c.loop(ctx, lines)
	c.drain(ctx)
	return err
}

// loop dispatches lines until there are no more.
func (c *conn) loop(ctx context.Context, lines <-chan line) error {
	for {
		select {
		case <-ctx.Done():
			return nil
		case l, ok := <-lines:
			switch {
			case !ok:
				return nil
			case l.err != nil:
				return fmt.Errorf("reading the protocol: %w", l.err)
			case l.tooLong:
				c.refuse(nil, mcp.INVALID_REQUEST, fmt.Sprintf("the message is longer than %d MiB", maxLine>>20))
			default:
				c.heard = time.Now()
				c.dispatch(ctx, l.text)
			}
		}
	}
}

// drain waits for the requests under way, then cancels those that are left.
func (c *conn) drain(ctx context.Context) {
	grace := graceAtOnce
	if time.Since(c.heard) > endsAtOnce {
		grace = graceAtWait
	}
	done := make(chan struct{})
	go func() { c.handled.Wait(); close(done) }()
	select {
	case <-done:
	case <-ctx.Done():
	case <-time.After(grace):
	}
	c.stop()
	<-done
}

// line is one message, or the reason why there is none.
type line struct {
	text    []byte
	tooLong bool
	err     error
}

// readLines sends each line that is not blank and closes the channel at the end of input.
func readLines(ctx context.Context, in io.Reader, lines chan<- line) {
	defer close(lines)
	r := bufio.NewReaderSize(in, 64<<10)
	for {
		l, err := readLine(r)
		if l.tooLong || len(l.text) > 0 {
			select {
			case lines <- l:
			case <-ctx.Done():
				return
			}
		}
		if err != nil {
			if !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrClosedPipe) {
				select {
				case lines <- line{err: err}:
				case <-ctx.Done():
				}
			}
			return
		}
	}
}

// readLine reads to the next newline and keeps no more than maxLine bytes of it.
func readLine(r *bufio.Reader) (line, error) {
	var l line
	for {
		part, err := r.ReadSlice('\n')
		if !l.tooLong {
			l.text = append(l.text, part...)
			if len(l.text) > maxLine {
				l.tooLong, l.text = true, nil
			}
		}
		if errors.Is(err, bufio.ErrBufferFull) {
			continue
		}
		l.text = bytes.TrimSpace(bytes.TrimPrefix(l.text, []byte("\ufeff")))
		return l, err
	}
}

// message is what every JSON-RPC message shares.
type message struct {
	Version string          `json:"jsonrpc"`
	ID      json.RawMessage `json:"id"`
	Method  string          `json:"method"`
	Params  json.RawMessage `json:"params"`
	Result  json.RawMessage `json:"result"`
	Error   json.RawMessage `json:"error"`
}

// dispatch handles one line: a message or a batch of them.
func (c *conn) dispatch(ctx context.Context, text []byte) {
	if text[0] != '[' {
		c.accept(ctx, text, c.write)
		return
	}
	var batch []json.RawMessage
	switch err := json.Unmarshal(text, &batch); {
	case err != nil:
		c.refuse(nil, mcp.PARSE_ERROR, "the message is not JSON")
	case len(batch) == 0:
		c.refuse(nil, mcp.INVALID_REQUEST, "the batch is empty")
	case len(batch) > maxBatch:
		c.refuse(nil, mcp.INVALID_REQUEST, fmt.Sprintf("the batch has more than %d messages", maxBatch))
	default:
		c.dispatchBatch(ctx, batch)
	}
}

// dispatchBatch answers the requests of a batch with one array, in their order.
func (c *conn) dispatchBatch(ctx context.Context, batch []json.RawMessage) {
	replies := make([]mcp.JSONRPCMessage, len(batch))
	var all sync.WaitGroup
	for i, text := range batch {
		all.Add(1)
		c.accept(ctx, text, func(reply mcp.JSONRPCMessage) {
			replies[i] = reply
			all.Done()
		})
	}
	c.handled.Go(func() {
		all.Wait()
		given := replies[:0]
		for _, r := range replies {
			if r != nil {
				given = append(given, r)
			}
		}
		if len(given) > 0 {
			c.write(given)
		}
	})
}

// accept handles one message and calls reply exactly once, with nil when there is
// nothing to answer. Requests that take time are handled in goroutines of their own.
func (c *conn) accept(ctx context.Context, text []byte, reply func(mcp.JSONRPCMessage)) {
	var m message
	if err := json.Unmarshal(text, &m); err != nil {
		code, why := mcp.PARSE_ERROR, "the message is not JSON"
		if json.Valid(text) {
			code, why = mcp.INVALID_REQUEST, "the message is not a JSON-RPC object"
		}
		reply(failure(nil, code, why))
		return
	}
	id, okID := requestID(m.ID)
	switch {
	case !okID:
		reply(failure(nil, mcp.INVALID_REQUEST, "the id is neither a string nor a number"))
	case m.Version != "2.0":
		reply(failure(id, mcp.INVALID_REQUEST, "the JSON-RPC version is not 2.0"))
	case m.Method == "" && (m.Result != nil || m.Error != nil):
		c.session.deliver(m)
		reply(nil)
	case m.Method == "":
		reply(failure(id, mcp.INVALID_REQUEST, "the method is missing"))
	case id == nil:
		c.notified(ctx, m, text)
		reply(nil)
	case quick(m.Method):
		reply(withID(c.srv.HandleMessage(ctx, text), id))
	default:
		c.request(ctx, id, text, reply)
	}
}

// quick reports whether a request is answered before the next message is read: it
// neither blocks nor touches the project, and a client may count on initialize being
// done first.
func quick(method string) bool {
	switch mcp.MCPMethod(method) {
	case mcp.MethodInitialize, mcp.MethodPing, mcp.MethodServerDiscover, mcp.MethodToolsList:
		return true
	}
	return false
}

// requestID returns the id as it was written, nil for a notification.
func requestID(raw json.RawMessage) (id json.RawMessage, ok bool) {
	if len(raw) == 0 {
		return nil, true
	}
	switch raw[0] {
	case '"', '-', '0', '1', '2', '3', '4', '5', '6', '7', '8', '9':
		return raw, true
	}
	return nil, false
}

func (c *conn) notified(ctx context.Context, m message, text []byte) {
	if m.Method == "notifications/cancelled" {
		var p struct {
			ID json.RawMessage `json:"requestId"`
		}
		if json.Unmarshal(m.Params, &p) == nil {
			c.cancel(string(p.ID))
		}
		return
	}
	c.srv.HandleMessage(ctx, text)
}

func (c *conn) cancel(id string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if cancel := c.pending[id]; cancel != nil {
		cancel()
	}
}

// request answers one request. A request that the client cancelled is not answered.
func (c *conn) request(ctx context.Context, id json.RawMessage, text []byte, reply func(mcp.JSONRPCMessage)) {
	ctx, cancel := context.WithCancel(ctx)
	key := string(id)
	c.mu.Lock()
	switch {
	case len(c.pending) >= maxPending:
		c.mu.Unlock()
		cancel()
		reply(failure(id, mcp.INTERNAL_ERROR, "too many requests at once"))
		return
	case c.pending[key] != nil:
		c.mu.Unlock()
		cancel()
		reply(failure(id, mcp.INVALID_REQUEST, "a request with this id is under way"))
		return
	}
	c.pending[key] = cancel
	c.mu.Unlock()

	c.handled.Go(func() {
		var response mcp.JSONRPCMessage
		defer func() {
			if r := recover(); r != nil {
				c.log.Printf("request %s: panic: %v", key, r)
				response = failure(id, mcp.INTERNAL_ERROR, "internal error")
			}
			c.mu.Lock()
			cancelled := ctx.Err() != nil
			delete(c.pending, key)
			c.mu.Unlock()
			cancel()
			if cancelled {
				response = nil
			}
			reply(response)
		}()
		select {
		case c.running <- struct{}{}:
			defer func() { <-c.running }()
		case <-ctx.Done():
			return
		}
		response = withID(c.srv.HandleMessage(context.WithValue(ctx, requestKey{}, key), text), id)
	})
}

// withID gives the response the id as the client wrote it, whatever its size.
func withID(m mcp.JSONRPCMessage, id json.RawMessage) mcp.JSONRPCMessage {
	switch r := m.(type) {
	case mcp.JSONRPCResponse:
		r.ID = mcp.NewRequestId(id)
		return r
	case mcp.JSONRPCError:
		r.ID = mcp.NewRequestId(id)
		return r
	}
	return m
}

func failure(id json.RawMessage, code int, text string) mcp.JSONRPCMessage {
	rid := mcp.NewRequestId(nil)
	if id != nil {
		rid = mcp.NewRequestId(id)
	}
	return mcp.NewJSONRPCError(rid, code, text, nil)
}

func (c *conn) refuse(id json.RawMessage, code int, text string) { c.write(failure(id, code, text)) }

// write sends a reply; nil sends nothing.
func (c *conn) write(reply mcp.JSONRPCMessage) {
	if reply == nil {
		return
	}
	if err := c.send(reply); err != nil {
		c.log.Printf("writing the protocol: %v", err)
	}
}

// send writes one message as one line. When the client is gone, all work stops.
func (c *conn) send(m any) error {
	b, err := json.Marshal(m)
	if err != nil {
		return err
	}
	b = append(b, '\n')
	c.writing.Lock()
	defer c.writing.Unlock()
	if c.broken {
		return nil
	}
	if _, err := c.out.Write(b); err != nil {
		c.broken = true
		c.stop()
		return err
	}
	return nil
}

package mcpserver

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"
)

// session is what mcp-go knows of the one client at the other end of a [conn].
type session struct {
	send    func(any) error
	notices chan mcp.JSONRPCNotification
	ready   atomic.Bool
	nextID  atomic.Int64

	mu      sync.Mutex // guards the rest
	client  mcp.Implementation
	caps    mcp.ClientCapabilities
	version string
	asked   map[string]chan message // our requests that the client has not answered
}

func newSession(send func(any) error) *session {
	return &session{
		send:    send,
		notices: make(chan mcp.JSONRPCNotification, 64),
		asked:   map[string]chan message{},
	}
}

var (
	_ server.SessionWithClientInfo      = (*session)(nil)
	_ server.SessionWithProtocolVersion = (*session)(nil)
	_ server.SessionWithRoots           = (*session)(nil)
)

func (s *session) Initialize()                                         { s.ready.Store(true) }
func (s *session) Initialized() bool                                   { return s.ready.Load() }
func (s *session) NotificationChannel() chan<- mcp.JSONRPCNotification { return s.notices }
func (s *session) SessionID() string                                   { return "stdio" }
func (s *session) GetClientInfo() mcp.Implementation                   { return locked(s, &s.client) }
func (s *session) GetClientCapabilities() mcp.ClientCapabilities       { return locked(s, &s.caps) }
func (s *session) ProtocolVersion() string                             { return locked(s, &s.version) }
func (s *session) SetClientInfo(i mcp.Implementation)                  { set(s, &s.client, i) }
func (s *session) SetClientCapabilities(caps mcp.ClientCapabilities)   { set(s, &s.caps, caps) }
func (s *session) SetProtocolVersion(version string)                   { set(s, &s.version, version) }

func locked[T any](s *session, field *T) T {
	s.mu.Lock()
	defer s.mu.Unlock()
	return *field
}

func set[T any](s *session, field *T, v T) {
	s.mu.Lock()
	defer s.mu.Unlock()
	*field = v
}

// forward writes what mcp-go itself has to tell the client.
func (s *session) forward(ctx context.Context) {
	for {
		select {
		case n := <-s.notices:
			_ = s.send(n)
		case <-ctx.Done():
			return
		}
	}
}

// notify writes a notification before it returns, so that progress never comes after the
// answer that it belongs to.
func (s *session) notify(n mcp.JSONRPCNotification) { _ = s.send(n) }

// deliver hands the client's answer to whoever asked; an answer nobody asked for is dropped.
func (s *session) deliver(m message) {
	s.mu.Lock()
	waiter := s.asked[string(m.ID)]
	delete(s.asked, string(m.ID))
	s.mu.Unlock()
	if waiter != nil {
		waiter <- m
	}
}

// ListRoots asks the client which folders it works in.
func (s *session) ListRoots(ctx context.Context, request mcp.ListRootsRequest) (*mcp.ListRootsResult, error) {
	id := fmt.Sprintf(`"sett-%d"`, s.nextID.Add(1))
	waiter := make(chan message, 1)
	s.mu.Lock()
	s.asked[id] = waiter
	s.mu.Unlock()
	defer func() {
		s.mu.Lock()
		delete(s.asked, id)
		s.mu.Unlock()
	}()
	err := s.send(struct {
		Version string          `json:"jsonrpc"`
		ID      json.RawMessage `json:"id"`
		Method  string          `json:"method"`
	}{"2.0", json.RawMessage(id), string(mcp.MethodListRoots)})
	if err != nil {
		return nil, err
	}
	select {
	case <-ctx.Done():
		return nil, ctx.Err()
	case m := <-waiter:
		if m.Error != nil {
			return nil, errors.New("the client has no roots")
		}
		var result mcp.ListRootsResult
		if err := json.Unmarshal(m.Result, &result); err != nil {
			return nil, fmt.Errorf("reading the client's roots: %w", err)
		}
		return &result, nil
	}
}

package mcpserver

import (
	"context"
	"crypto/rand"
	"crypto/subtle"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/mark3labs/mcp-go/server"

	"github.com/settgraph/sett/cmd/internal/params"
)

// ServeHTTP speaks streamable HTTP on a loopback address until ctx is done. Every
// request must carry the bearer token; an empty one is replaced by a random one, which
// is logged. Requests that a web page of another origin made are refused.
func (s *Server) ServeHTTP(ctx context.Context, listen, token string) error {
	host, _, err := net.SplitHostPort(listen)
	if err != nil || !isLoopback(host) {
		return &params.Error{Param: "listen", Text: fmt.Sprintf("%q is not a loopback address with a port, as 127.0.0.1:0", listen)}
	}
	if token == "" {
		token = rand.Text()
		s.log.Printf("bearer token %s", token)
	}
	l, err := net.Listen("tcp", listen)
	if err != nil {
		return fmt.Errorf("listening on %s: %w", listen, err)
	}
	s.log.Printf("serving http://%s/mcp", l.Addr())
	h := &http.Server{
		Handler:           s.httpHandler(token),
		ReadHeaderTimeout: 10 * time.Second,
		BaseContext:       func(net.Listener) context.Context { return ctx },
	}
	stopped := context.AfterFunc(ctx, func() {
		grace, cancel := context.WithTimeout(context.WithoutCancel(ctx), 2*time.Second)
		defer cancel()
		if h.Shutdown(grace) != nil {
			_ = h.Close()
		}
	})
	defer stopped()
	if err := h.Serve(l); !errors.Is(err, http.ErrServerClosed) {
		return fmt.Errorf("serving http: %w", err)
	}
	return nil
}

// httpHandler serves the protocol at /mcp to who knows the token.
func (s *Server) httpHandler(token string) http.Handler {
	protocol := server.NewStreamableHTTPServer(s.mcp, server.WithStateLess(true))
	mux := http.NewServeMux()
	mux.Handle("/mcp", http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		given, ok := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer ")
		switch {
		case !localOrigin(r.Header.Get("Origin")):
			http.Error(w, "requests from this origin are refused", http.StatusForbidden)
		case !ok || subtle.ConstantTimeCompare([]byte(given), []byte(token)) != 1:
			w.Header().Set("WWW-Authenticate", "Bearer")
			http.Error(w, "a bearer token is needed", http.StatusUnauthorized)
		default:
			r.Body = http.MaxBytesReader(w, r.Body, maxLine)
			protocol.ServeHTTP(w, r)
		}
	}))
	return mux
}

// localOrigin reports whether a request with this Origin header comes from this machine
// or from no web page at all.
func localOrigin(origin string) bool {
	if origin == "" {
		return true
	}
	u, err := url.Parse(origin)
	return err == nil && isLoopback(u.Hostname())
}

func isLoopback(host string) bool {
	if strings.EqualFold(host, "localhost") {
		return true
	}
	ip := net.ParseIP(host)
	return ip != nil && ip.IsLoopback()
}

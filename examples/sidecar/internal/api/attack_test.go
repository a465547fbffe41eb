package api_test

import (
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/lobbywire/lobbywire/examples/sidecar/internal/state"
	"github.com/lobbywire/lobbywire/internal/test/suite"
)

// patience is how long tests wait for events that do not depend on time.
const patience = time.Minute

// serve serves on loopback, without time limits, so that only other limits end connections.
func serve(t *testing.T, server *http.Server) (addr string) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	server.ReadHeaderTimeout, server.ReadTimeout, server.WriteTimeout, server.IdleTimeout = 0, 0, 0, 0
	go server.Serve(l)
	t.Cleanup(func() { server.Close() })
	return l.Addr().String()
}

// If more connections than a server may have are open and each has begun a request, the oldest
// are closed.
func TestConnectionsAreBounded(t *testing.T) {
	const most, more = 256, 64
	for name, server := range map[string]*http.Server{
		"feed": newServer("").Feed(), "watch": newServer("").Watch(), "feed with a token": newServer(token).Feed(),
	} {
		t.Run(name, func(t *testing.T) {
			addr := serve(t, server)
			var all []net.Conn
			for range most + more {
				c, err := new(net.Dialer).DialContext(t.Context(), "tcp", addr)
				if err != nil {
					t.Fatal(err)
				}
				defer c.Close()
				_, _ = io.WriteString(c, "PUT /v1/state HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 9\r\n")
				all = append(all, c)
			}
			for i, c := range all[:more] {
				c.SetReadDeadline(time.Now().Add(patience))
				if _, err := c.Read(make([]byte, 1)); err == nil || errors.Is(err, os.ErrDeadlineExceeded) {
					t.Fatalf("connection %d of %d is still open: %v", i, len(all), err)
				}
			}
			resp, err := http.Get("http://" + addr + "/v1/openapi.json")
			if err != nil || resp.StatusCode != http.StatusOK {
				t.Fatalf("%v, %v", resp, err)
			}
			resp.Body.Close()
		})
	}
}

// Only requests for an IP address or localhost, or with the token, get the status: the page of
// another site, whose name leads to the sidecar, does not.
func TestStatusNeedsALocalHostOrTheToken(t *testing.T) {
	for _, secret := range []string{"", token} {
		for _, server := range []*http.Server{newServer(secret).Feed(), newServer(secret).Watch()} {
			for _, path := range []string{"/v1/status", "/metrics", "/healthz"} {
				for _, tt := range []struct {
					host, authorization string
					isShown             bool
				}{
					{"127.0.0.1:7790", "", true},
					{"[::1]:7790", "", true},
					{"192.0.2.1", "", true},
					{"localhost:7790", "", true},
					{"rebound.example:7790", "", false},
					{"127.0.0.1.example", "", false},
					{"sidecar", "", false},
					{"", "", false},
					{"rebound.example", "Bearer ", false},
					{"rebound.example", "Bearer x", false},
					{"sidecar:7791", "Bearer " + token, secret != ""},
				} {
					r := httptest.NewRequest(http.MethodGet, path, nil)
					r.Host = tt.host
					r.Header.Set("Authorization", tt.authorization)
					w := httptest.NewRecorder()
					server.Handler.ServeHTTP(w, r)
					if (w.Code != http.StatusForbidden) != tt.isShown {
						t.Errorf("%s of %q with %q and the token %q: status %d", path, tt.host, tt.authorization, secret, w.Code)
					}
				}
			}
		}
	}
}

// largeState is a state of nearly the maximum size.
func largeState() string {
	var b strings.Builder
	b.WriteString(`{"name":"a","rules":[`)
	for i := 0; b.Len() < state.MaxText-200; i++ {
		fmt.Fprintf(&b, `{"key":"k%d","value":"v"},`, i)
	}
	b.WriteString(`{"key":"last","value":"v"}]}`)
	return b.String()
}

// However many large, unfinished states arrive at once, few are in memory, and small states
// are accepted.
func TestLargeStatesDoNotBlockSmallOnes(t *testing.T) {
	const requests = 200
	addr := serve(t, newServer("").Feed())
	large := []byte(largeState())
	before := suite.Heap()
	var conns []net.Conn
	for range requests {
		c, err := new(net.Dialer).DialContext(t.Context(), "tcp", addr)
		if err != nil {
			t.Fatal(err)
		}
		defer c.Close()
		c.SetDeadline(time.Now().Add(patience))
		conns = append(conns, c)
	}
	// All but the last byte of each arrives, as far as the server reads it.
	var sending sync.WaitGroup
	for _, c := range conns {
		sending.Go(func() {
			fmt.Fprintf(c, "PUT /v1/state HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: %d\r\n\r\n", len(large))
			_, _ = c.Write(large[:len(large)-1])
		})
	}
	peak := 0
	for range suite.Pick(10, 50) {
		req, err := http.NewRequest(http.MethodPut, "http://"+addr+"/v1/state", strings.NewReader(`{"name":"small"}`))
		if err != nil {
			t.Fatal(err)
		}
		resp, err := http.DefaultClient.Do(req)
		if err != nil || resp.StatusCode != http.StatusNoContent {
			t.Fatalf("a small state: %v, %v", resp, err)
		}
		resp.Body.Close()
		peak = max(peak, suite.Heap())
	}
	for _, c := range conns {
		c.Close()
	}
	sending.Wait()
	t.Logf("%d KiB before, %d KiB at the peak", before>>10, peak>>10)
	const most = 32 << 20
	if peak-before > most {
		t.Errorf("%d large states at once take %d bytes, more than %d", requests, peak-before, most)
	}
}

// busyState is too large to be read at once.
var busyState = largeState()

// busy passes a request to a server that is reading the maximum number of large, unfinished
// states.
func busy(t *testing.T, w http.ResponseWriter, r *http.Request) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		h := newServer("").Feed().Handler
		var writers []*io.PipeWriter
		for range 4 {
			body, part := io.Pipe()
			writers = append(writers, part)
			go h.ServeHTTP(httptest.NewRecorder(), httptest.NewRequest(http.MethodPut, "http://127.0.0.1/v1/state", body))
			if _, err := io.WriteString(part, busyState[:20<<10]); err != nil {
				t.Fatal(err)
			}
		}
		synctest.Wait()
		h.ServeHTTP(w, r)
		for _, w := range writers {
			w.Close()
		}
	})
}

package wzhttpnet

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/lobbywire/lobbywire/warzone/wzhttp"
)

// A redirecting lobby answers all requests with a redirect to another host.
type redirecting struct {
	status int

	mu     sync.Mutex
	dialed map[string]int // connections, by their address
}

func (l *redirecting) dial(_ context.Context, _, addr string) (net.Conn, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.dialed[addr]++
	if addr != "lobby.example:80" {
		return nil, net.ErrClosed
	}
	here, there := net.Pipe()
	go func() {
		defer there.Close()
		there.Read(make([]byte, 4<<10))
		fmt.Fprintf(there, "HTTP/1.1 %d Moved\r\nLocation: http://192.0.2.66:22/\r\nContent-Length: 0\r\n\r\n", l.status)
	}()
	return here, nil
}

// A lobby can send neither a client nor a host to another address, also if the caller
// brings an http.Client, which follows redirects.
func TestClientFollowsNoRedirects(t *testing.T) {
	const addr = "http://lobby.example/x"
	clients := map[string]func(l *redirecting) *http.Client{
		"no client":   func(*redirecting) *http.Client { return nil },
		"a Transport": func(l *redirecting) *http.Client { return &http.Client{Transport: l.transport()} },
		"another RoundTripper": func(l *redirecting) *http.Client {
			return &http.Client{Transport: transport(l.transport().RoundTrip)}
		},
		"a CheckRedirect": func(l *redirecting) *http.Client {
			return &http.Client{Transport: l.transport(),
				CheckRedirect: func(*http.Request, []*http.Request) error { return nil }}
		},
	}
	requests := map[string]func(ctx context.Context, l *redirecting, c *http.Client) error{
		"List": func(ctx context.Context, l *redirecting, c *http.Client) error {
			_, err := (&Client{Dial: l.dial, HTTP: c}).List(ctx, addr)
			return err
		},
		"Join": func(ctx context.Context, l *redirecting, c *http.Client) error {
			_, err := (&Client{Dial: l.dial, HTTP: c}).Join(ctx, addr, "G7K2Q", wzhttp.JoinRequest{})
			return err
		},
		"Host": func(ctx context.Context, l *redirecting, c *http.Client) error {
			h := &Host{Addr: addr, Dial: l.dial, HTTP: c}
			if err := h.Set(testRoom("One")); err != nil {
				return err
			}
			ctx, cancel := context.WithTimeout(ctx, time.Minute)
			defer cancel()
			return h.Run(ctx)
		},
	}
	for _, status := range []int{301, 302, 303, 307, 308} {
		for name, client := range clients {
			for request, do := range requests {
				t.Run(fmt.Sprintf("%d to %s with %s", status, request, name), func(t *testing.T) {
					synctest.Test(t, func(t *testing.T) {
						l := &redirecting{status: status, dialed: map[string]int{}}
						err := do(t.Context(), l, client(l))
						if err == nil || len(l.dialed) != 1 || l.dialed["lobby.example:80"] == 0 {
							t.Errorf("%v, connected to %v", err, l.dialed)
						}
					})
				})
			}
		}
	}
}

func (l *redirecting) transport() *http.Transport {
	return &http.Transport{DialContext: l.dial, DisableKeepAlives: true}
}

// The error of a redirect says where the lobby is now, without the password of its user.
func TestRedirectSaysWhere(t *testing.T) {
	for location, want := range map[string]string{
		"https://lobby.example/x/": "moved to https://lobby.example/x/",
		"/y":                       "moved to http://lobby.example/y",
		"":                         "",
	} {
		synctest.Test(t, func(t *testing.T) {
			c := &Client{Dial: func(context.Context, string, string) (net.Conn, error) {
				here, there := net.Pipe()
				go func() {
					defer there.Close()
					there.Read(make([]byte, 4<<10))
					fmt.Fprintf(there, "HTTP/1.1 301 Moved\r\nLocation: %s\r\nContent-Length: 0\r\n\r\n", location)
				}()
				return here, nil
			}}
			_, err := c.List(t.Context(), "http://ann:secret@lobby.example/x")
			refused, ok := errors.AsType[*Error](err)
			if !ok || refused.Status != 301 || refused.Code != wzhttp.CodeGeneric || refused.Message != want {
				t.Errorf("%q: %v, want %q", location, err, want)
			}
		})
	}
}

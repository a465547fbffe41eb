package bombermannet_test

import (
	"crypto/tls"
	"net"
	"slices"
	"testing"
	"time"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/bomberman/bombermannet"
	"github.com/lobbywire/lobbywire/internal/nettest"
)

// A game server registers, is listed and ends, over real sockets for IPv4 and IPv6 and
// over TLS.
func TestSockets(t *testing.T) {
	for _, tt := range []struct {
		name, addr string
		tls        bool
	}{
		{"IPv4", "127.0.0.1:0", false},
		{"IPv6", "[::1]:0", false},
		{"TLS", "127.0.0.1:0", true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			l, err := net.Listen("tcp", tt.addr)
			if err != nil {
				t.Skip(err)
			}
			r := bombermannet.Registrar{Addr: l.Addr().String()}
			c := bombermannet.Client{ListEvery: -1}
			if tt.tls {
				config, trust := nettest.Certificate()
				l = tls.NewListener(l, config)
				dialer := tls.Dialer{Config: trust}
				r.Dial, c.Dial = dialer.DialContext, dialer.DialContext
			}
			var m bombermannet.ManagementServer
			serve(t, &m, l)
			want := listed("Bömber", 4000, 1, 4, true, 1)
			if err := r.Set(want); err != nil {
				t.Fatal(err)
			}
			ended := make(chan error, 1)
			go func() { ended <- r.Run(t.Context()) }()
			wait := func(n int) {
				t.Helper()
				for begin := time.Now(); ; {
					got, err := c.List(t.Context(), l.Addr().String())
					if err != nil {
						t.Fatal(err)
					}
					if len(got.Servers) == n {
						return
					}
					if time.Since(begin) > 10*time.Second {
						t.Fatalf("got %v", got.Servers)
					}
				}
			}
			wait(1)
			if e := slices.Collect(m.Servers()); len(e) != 1 || !e[0].From.Addr().IsLoopback() ||
				e[0].Server.Name != want.Name {
				t.Errorf("got %+v", e)
			}
			if err := r.Close(); err != nil {
				t.Error(err)
			}
			if err := <-ended; err != lobbywire.ErrClosed {
				t.Errorf("Run: %v", err)
			}
			wait(0)
			if err := m.Shutdown(t.Context()); err != nil {
				t.Error(err)
			}
		})
	}
}

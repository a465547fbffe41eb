package stream

import (
	"net"
	"net/netip"
	"testing"
	"testing/synctest"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/internal/nettest"
)

// A limited listener closes connections beyond its limits, and accepts more when others
// are closed.
func TestLimitListener(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		network := new(nettest.Streams)
		addr := netip.MustParseAddrPort("192.0.2.1:80")
		inner, err := network.Listen(addr)
		if err != nil {
			t.Fatal(err)
		}
		l := LimitListener(inner, lobbywire.ConnLimits{MaxConns: 4, MaxPerAddress: 2},
			lobbywire.ConnLimits{MaxPerPrefix: 3})
		defer l.Close()
		accepted := make(chan net.Conn, 16)
		go func() {
			for {
				c, err := l.Accept()
				if err != nil {
					close(accepted)
					return
				}
				accepted <- c
			}
		}()
		// open reports whether a connection from an address is served.
		open := func(from string) bool {
			before := len(accepted)
			c, err := network.DialFrom(netip.MustParseAddr(from))(t.Context(), "tcp", addr.String())
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { c.Close() })
			synctest.Wait()
			return len(accepted) > before
		}
		for _, tt := range []struct {
			from string
			want bool
		}{
			{"198.51.100.1", true},
			{"198.51.100.1", true},
			{"198.51.100.1", false}, // of the address
			{"198.51.100.2", true},
			{"198.51.100.3", false}, // of the prefix
			{"203.0.113.1", true},
			{"203.0.113.2", false}, // in total
		} {
			if got := open(tt.from); got != tt.want {
				t.Errorf("from %s: %v, want %v", tt.from, got, tt.want)
			}
		}
		c := <-accepted
		c.Close()
		c.Close()
		if !open("198.51.100.1") || open("198.51.100.1") {
			t.Error("a closed connection leaves room for other than one")
		}
	})
}

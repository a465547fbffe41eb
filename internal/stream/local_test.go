package stream

import (
	"net"
	"net/netip"
	"testing"

	"github.com/lobbywire/lobbywire/internal/test/suite"
)

// Connections come from the address of a listener, if it has one and can be connected from.
func TestConnectsFromTheListenersAddress(t *testing.T) {
	listen := func(at string) net.Listener {
		l, err := net.Listen("tcp", at)
		if err != nil {
			t.Skip(err)
		}
		t.Cleanup(func() { l.Close() })
		return l
	}
	v4, v6 := listen("127.0.0.1:0"), listen("[::1]:0")
	_, port, err := net.SplitHostPort(v4.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		name     string
		listener net.Addr
		network  string
		peer     net.Listener
		addr     string // of peer, unless empty
		want     string
	}{
		{"none", nil, "tcp", v4, "", "127.0.0.1"},
		{"an address", tcp("127.0.31.3:2100"), "tcp", v4, "", "127.0.31.3"},
		{"an address in the form of IPv6", tcp("[::ffff:127.0.31.3]:2100"), "tcp", v4, "", "127.0.31.3"},
		{"an address, over its family", tcp("127.0.31.3:2100"), "tcp4", v4, "", "127.0.31.3"},
		{"any address of IPv4", tcp("0.0.0.0:2100"), "tcp", v4, "", "127.0.0.1"},
		{"any address", tcp("[::]:2100"), "tcp", v4, "", "127.0.0.1"},
		{"the other family", tcp("127.0.31.3:2100"), "tcp", v6, "", "::1"},
		{"the other family, alone", tcp("127.0.31.3:2100"), "tcp6", v6, "", "::1"},
		{"IPv6 and a peer of IPv4", tcp("[::1]:2100"), "tcp", v4, "", "127.0.0.1"},
		{"IPv6", tcp("[::1]:2100"), "tcp", v6, "", "::1"},
		{"an address of another machine", tcp("192.0.2.7:2100"), "tcp", v4, "", "127.0.0.1"},
		{"no TCP", &net.UnixAddr{Name: "/run/game"}, "tcp", v4, "", "127.0.0.1"},
		{"a name", tcp("127.0.31.3:2100"), "tcp", v4, "localhost:" + port, "127.0.31.3"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			addr := tt.addr
			if addr == "" {
				addr = tt.peer.Addr().String()
			} else {
				suite.Localhost(t)
			}
			var l Local
			l.Set(tt.listener)
			c, err := l.Or(nil)(t.Context(), tt.network, addr)
			if err != nil {
				t.Fatal(err)
			}
			defer c.Close()
			there, err := tt.peer.Accept()
			if err != nil {
				t.Fatal(err)
			}
			defer there.Close()
			from := netip.MustParseAddrPort(there.RemoteAddr().String()).Addr().Unmap().String()
			if from != tt.want {
				t.Errorf("connected from %s, want %s", from, tt.want)
			}
		})
	}
}

func tcp(addr string) net.Addr { return net.TCPAddrFromAddrPort(netip.MustParseAddrPort(addr)) }

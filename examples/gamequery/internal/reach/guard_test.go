package reach

import (
	"context"
	"errors"
	"net"
	"net/netip"
	"sync"
	"testing"
)

func TestRanges(t *testing.T) {
	for _, tt := range []struct {
		addr   string
		public bool
	}{
		{"8.8.8.8", true},
		{"1.1.1.1", true},
		{"2606:4700::1111", true},
		{"2001:4860:4860::8888", true},
		{"64:ff9b::808:808", true}, // 8.8.8.8 by NAT64
		{"0.0.0.0", false},
		{"10.1.2.3", false},
		{"100.64.0.1", false}, // CGNAT
		{"127.0.0.1", false},
		{"127.255.255.254", false},
		{"169.254.169.254", false}, // metadata of clouds
		{"172.31.0.1", false},
		{"192.0.2.1", false},
		{"192.168.1.1", false},
		{"198.19.0.1", false},
		{"224.0.0.1", false},
		{"240.0.0.1", false},
		{"255.255.255.255", false},
		{"::", false},
		{"::1", false},
		{"::127.0.0.1", false},
		{"::ffff:127.0.0.1", false},
		{"::ffff:8.8.8.8", true},
		{"64:ff9b::7f00:1", false},   // 127.0.0.1 by NAT64
		{"64:ff9b:1::a00:1", false},  // local NAT64
		{"2002:7f00:1::", false},     // 6to4
		{"2001:0:808:808::1", false}, // Teredo
		{"fc00::1", false},
		{"fd12:3456::1", false},
		{"fe80::1", false},
		{"fe80::1%eth0", false},
		{"2606:4700::1111%eth0", false},
		{"ff02::1", false},
	} {
		if got := new(Guard).Allows(netip.MustParseAddr(tt.addr)); got != tt.public {
			t.Errorf("%s: allowed %v", tt.addr, got)
		}
	}
	g := Guard{Allow: []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}}
	for addr, want := range map[string]bool{"127.0.0.1": true, "::ffff:127.0.0.1": true, "10.0.0.1": false, "::1": false} {
		if got := g.Allows(netip.MustParseAddr(addr)); got != want {
			t.Errorf("with 127.0.0.0/8, %s: allowed %v", addr, got)
		}
	}
}

// answers is a resolver that gives the next of some answers each time.
type answers struct {
	mu   sync.Mutex
	all  [][]netip.Addr
	asks int
}

func (a *answers) LookupNetIP(context.Context, string, string) ([]netip.Addr, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.asks++
	return a.all[min(a.asks, len(a.all))-1], nil
}

func addrs(all ...string) (parsed []netip.Addr) {
	for _, s := range all {
		parsed = append(parsed, netip.MustParseAddr(s))
	}
	return parsed
}

// Hosts that lead to forbidden addresses are refused, however they are written.
func TestForbiddenHosts(t *testing.T) {
	loopback := &answers{all: [][]netip.Addr{addrs("127.0.0.1")}}
	mixed := &answers{all: [][]netip.Addr{addrs("8.8.8.8", "::ffff:10.0.0.1")}}
	for _, tt := range []struct {
		host     string
		resolver *answers
		asks     int
	}{
		{"evil.example", loopback, 1},
		{"mixed.example", mixed, 1},
		{"127.0.0.1", loopback, 0},
		{"::1", loopback, 0},
		{"::ffff:127.0.0.1", loopback, 0},
	} {
		tt.resolver.asks = 0
		g := Guard{Resolver: tt.resolver}
		_, err := g.Addresses(t.Context(), tt.host)
		if _, ok := errors.AsType[*ForbiddenError](err); !ok || tt.resolver.asks != tt.asks {
			t.Errorf("%s: %v, resolved %d times", tt.host, err, tt.resolver.asks)
		}
		if _, err := g.Sockets().Dial(t.Context(), "udp", net.JoinHostPort(tt.host, "5000")); err == nil {
			t.Errorf("%s: connected", tt.host)
		}
	}
}

// Numbers that some systems read as addresses are not resolved.
func TestNumbersAreNoNames(t *testing.T) {
	r := &answers{all: [][]netip.Addr{addrs("8.8.8.8")}}
	g := Guard{Resolver: r}
	for _, host := range []string{"2130706433", "0177.0.0.1", "0x7f.1", "127.1", "0x7f000001", "127.0.0.1.", "08", "99999999999999999999"} {
		if got, err := g.Addresses(t.Context(), host); err == nil {
			t.Errorf("%s is %v", host, got)
		}
	}
	if r.asks != 0 {
		t.Errorf("resolved %d times", r.asks)
	}
	for _, host := range []string{"game.example.org", "1.example", "0xcafe.example", "localhost"} {
		if _, err := g.Addresses(t.Context(), host); err != nil {
			t.Errorf("%s: %v", host, err)
		}
	}
}

// A name whose addresses change is checked and connected with the same answer.
func TestChangingName(t *testing.T) {
	r := &answers{all: [][]netip.Addr{addrs("127.0.0.1"), addrs("127.0.0.2")}}
	g := Guard{Resolver: r, Allow: []netip.Prefix{netip.MustParsePrefix("127.0.0.1/32")}}
	conn, err := g.Sockets().Dial(t.Context(), "udp", "rebind.example:5000")
	if err != nil || conn.RemoteAddr().String() != "127.0.0.1:5000" || r.asks != 1 {
		t.Fatalf("%v, resolved %d times", err, r.asks)
	}
	conn.Close()
	if _, err := g.Sockets().Dial(t.Context(), "udp", "rebind.example:5000"); err == nil {
		t.Error("connected to the second address")
	}
}

// The socket is checked even if the address before it was not.
func TestLastCheck(t *testing.T) {
	d := net.Dialer{ControlContext: new(Guard).control}
	for _, addr := range []string{"127.0.0.1:5000", "[::1]:5000"} {
		conn, err := d.DialContext(t.Context(), "udp", addr)
		if err == nil {
			conn.Close()
		}
		if _, ok := errors.AsType[*ForbiddenError](err); !ok {
			t.Errorf("%s: %v", addr, err)
		}
	}
}

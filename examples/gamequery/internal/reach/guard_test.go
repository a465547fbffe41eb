package reach

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

func TestOnlyPublicRangesAreAllowed(t *testing.T) {
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
		{"169.254.169.254", false},      // metadata of clouds
		{"168.63.129.16", false},        // of Azure
		{"::ffff:168.63.129.16", false}, // the same
		{"64:ff9b::a83f:8110", false},   // the same by NAT64
		{"168.63.129.17", true},         // its neighbour
		{"100.100.100.200", false},      // of Alibaba Cloud
		{"192.0.0.192", false},          // of Oracle Cloud
		{"161.26.0.10", false},          // of IBM Cloud
		{"166.9.1.1", false},            // of IBM Cloud
		{"fd00:ec2::254", false},        // of AWS
		{"fd20:ce::254", false},         // of Google Cloud
		{"fe80::1234:5678:9abc", false}, // of Azure
		{"fe80::a9fe:a9fe", false},      // of OpenStack
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
		{"64:ff9b::7f00:1", false},     // 127.0.0.1 by NAT64
		{"64:ff9b:1::a00:1", false},    // local NAT64
		{"2002:7f00:1::", false},       // 6to4
		{"2001:0:808:808::1", false},   // Teredo
		{"::ffff:0:8.8.8.8", false},    // SIIT
		{"2600::5efe:10.0.0.1", false}, // ISATAP
		{"100::1", false},
		{"2001:db8::1", false},
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
func TestForbiddenHostsAreRefused(t *testing.T) {
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
	for _, host := range []string{
		"2130706433", "0177.0.0.1", "0x7f.1", "127.1", "0x7f000001", "127.0.0.1.", "08", "99999999999999999999",
	} {
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
func TestChangingNameIsResolvedOnce(t *testing.T) {
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

// Addresses of this machine are not public, whatever they are. -allow allows them, too.
func TestOwnAddressesAreNotPublic(t *testing.T) {
	g := Guard{Interfaces: func() ([]net.Addr, error) {
		return []net.Addr{
			&net.IPNet{IP: net.ParseIP("8.8.8.8"), Mask: net.CIDRMask(24, 32)},
			&net.IPNet{IP: net.ParseIP("2001:4860:4860::8888"), Mask: net.CIDRMask(64, 128)},
		}, nil
	}}
	for addr, want := range map[string]bool{
		"8.8.8.8": false, "::ffff:8.8.8.8": false, "64:ff9b::808:808": false, "2001:4860:4860::8888": false,
		"8.8.8.9": true, "2001:4860:4860::8889": true,
	} {
		if got := g.Allows(netip.MustParseAddr(addr)); got != want {
			t.Errorf("%s: allowed %v", addr, got)
		}
	}
	g.Allow = []netip.Prefix{netip.MustParsePrefix("8.8.8.8/32")}
	if !g.Allows(netip.MustParseAddr("8.8.8.8")) {
		t.Error("not allowed by Allow")
	}
	unknown := Guard{Interfaces: func() ([]net.Addr, error) { return nil, errors.New("no such system call") }}
	if unknown.Allows(netip.MustParseAddr("8.8.8.8")) {
		t.Error("allowed, although it may be an own address")
	}
}

// An address that becomes one of this machine after it was checked is refused when the socket is
// connected.
func TestAddressChangesBeforeTheSocket(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		reads := 0
		g := Guard{Interfaces: func() (all []net.Addr, err error) {
			reads++
			if reads > 1 {
				all = append(all, &net.IPNet{IP: net.IPv4(8, 8, 8, 8), Mask: net.CIDRMask(24, 32)})
			}
			time.Sleep(ownEvery)
			return all, nil
		}}
		conn, err := g.Sockets().Dial(t.Context(), "udp", "8.8.8.8:5000")
		if err == nil {
			conn.Close()
		}
		if _, ok := errors.AsType[*ForbiddenError](err); !ok || reads != 2 {
			t.Errorf("%v after %d reads", err, reads)
		}
	})
}

// Clients get no sockets that send to any address.
func TestClientsGetNoOtherSockets(t *testing.T) {
	pc, err := new(Guard).Sockets().Listen(t.Context())
	if err == nil {
		pc.Close()
		t.Error("a socket for any address")
	}
}

// The socket is not connected to ports of other services, whatever chose them. Only lobbies over
// HTTP may use the ports of the web.
func TestServicePortsAreNotConnected(t *testing.T) {
	g := Guard{Allow: []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}}
	for _, tt := range []struct {
		network string
		port    int
		want    bool
	}{
		{"udp", 53, false}, {"udp", 80, false}, {"udp", 443, false}, {"udp", 1900, false}, {"udp", 11211, false},
		{"udp", 1024, true}, {"tcp", 80, true}, {"tcp", 443, true}, {"tcp", 25, false}, {"tcp", 6379, false},
		{"tcp", 28900, true},
	} {
		err := g.control(t.Context(), tt.network+"4", fmt.Sprint("127.0.0.1:", tt.port), nil)
		if (err == nil) != tt.want {
			t.Errorf("%s port %d: %v", tt.network, tt.port, err)
		}
	}
	if _, err := g.Sockets().Dial(t.Context(), "udp", "127.0.0.1:1900"); !errors.Is(err, ErrPort) {
		t.Error(err)
	}
}

// The socket is checked even if the address before it was not.
func TestSocketIsCheckedAgain(t *testing.T) {
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

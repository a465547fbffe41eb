package ban_test

import (
	"fmt"
	"io"
	"net"
	"net/netip"
	"strings"
	"testing"
	"time"

	"github.com/lobbywire/lobbywire/examples/lobbyd/internal/ban"
)

// prefixes parses prefixes that are separated by commas.
func prefixes(t testing.TB, text string) (all []ban.Prefix) {
	t.Helper()
	for one := range strings.SplitSeq(text, ",") {
		if one == "" {
			continue
		}
		p, err := ban.ParsePrefix(one)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, p)
	}
	return all
}

func TestParsePrefixRefusesOtherTexts(t *testing.T) {
	for text, want := range map[string]string{
		"192.0.2.7":               "192.0.2.7/32",
		"192.0.2.7/24":            "192.0.2.0/24",
		"0.0.0.0/0":               "0.0.0.0/0",
		"2001:db8::1":             "2001:db8::1/128",
		"2001:db8:ffff::/32":      "2001:db8::/32",
		"::ffff:192.0.2.7/120":    "192.0.2.0/24",
		"::ffff:192.0.2.7":        "192.0.2.7/32",
		"":                        "",
		"fe80::1%eth0":            "",
		"192.0.2.0/33":            "",
		"192.0.2.0-192.0.2.9":     "",
		"example.org":             "",
		"2001:db8::/129":          "",
		"2001:db8:0:0:0:0:0:0:1/": "",
	} {
		var p ban.Prefix
		err := p.UnmarshalText([]byte(text))
		if (err == nil) != (want != "") || err == nil && p.String() != want {
			t.Errorf("%q: %v, %v; want %q", text, p, err, want)
		}
	}
}

func TestBannedFindsEachPrefix(t *testing.T) {
	var g ban.Gate
	if g.Banned(netip.MustParseAddr("192.0.2.1")) {
		t.Error("a Gate bans without being arrived to")
	}
	set := prefixes(t, "192.0.2.0/24,198.51.100.7,2001:db8::/32,2001:db9::1")
	if err := g.Set(set); err != nil {
		t.Fatal(err)
	}
	for addr, want := range map[string]bool{
		"192.0.2.255": true, "::ffff:192.0.2.1": true, "198.51.100.7": true, "2001:db8:1::1": true, "2001:db9::1%eth0": true,
		"192.0.3.0": false, "198.51.100.6": false, "2001:db9::2": false,
	} {
		if got := g.Banned(netip.MustParseAddr(addr)); got != want {
			t.Errorf("%s: %v", addr, got)
		}
	}
}

// Connections from banned addresses are closed at once. Accept returns the others
// unchanged.
func TestListenerClosesBannedConnections(t *testing.T) {
	var g ban.Gate
	inner, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	l := g.Listener(inner)
	defer l.Close()
	if err := g.Set(prefixes(t, "127.0.0.2")); err != nil {
		t.Fatal(err)
	}
	dial := func(from string) net.Conn {
		d := net.Dialer{LocalAddr: &net.TCPAddr{IP: net.ParseIP(from)}}
		c, err := d.Dial("tcp", l.Addr().String())
		if err != nil {
			t.Skip(err) // not all systems have more than one loopback address
		}
		t.Cleanup(func() { c.Close() })
		return c
	}
	banned, welcome := dial("127.0.0.2"), dial("127.0.0.1")
	c, err := l.Accept()
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	if _, ok := c.(*net.TCPConn); !ok || c.RemoteAddr().String() != welcome.LocalAddr().String() {
		t.Errorf("accepted %T of %v", c, c.RemoteAddr())
	}
	if n, err := banned.Read(make([]byte, 1)); n != 0 || err == nil {
		t.Errorf("read %d bytes, %v", n, err)
	}
	if g.Refused() != 1 {
		t.Errorf("%d refused", g.Refused())
	}
}

// arrived sends a datagram from each address to at, and returns the ones that arrive, in
// order. The last one must arrive.
func arrived(t *testing.T, at net.PacketConn, from ...string) (got []string) {
	t.Helper()
	for _, addr := range from {
		c, err := net.ListenPacket("udp", net.JoinHostPort(addr, "0"))
		if err != nil {
			t.Skip(err)
		}
		defer c.Close()
		to := at.LocalAddr().(*net.UDPAddr)
		if ip := net.ParseIP(addr); to.IP.IsUnspecified() {
			to = &net.UDPAddr{IP: ip, Port: to.Port}
		}
		if _, err := io.WriteString(writer{c, to}, addr); err != nil {
			t.Fatal(err)
		}
	}
	at.SetReadDeadline(time.Now().Add(time.Minute))
	for b := make([]byte, 64); len(got) == 0 || got[len(got)-1] != from[len(from)-1]; {
		n, _, err := at.ReadFrom(b)
		if err != nil {
			t.Fatalf("got %v, then %v", got, err)
		}
		got = append(got, string(b[:n]))
	}
	return got
}

type writer struct {
	net.PacketConn
	to net.Addr
}

func (w writer) Write(b []byte) (int, error) { return w.WriteTo(b, w.to) }

func TestDatagramsOfBannedAddressesAreDropped(t *testing.T) {
	for _, tt := range []struct{ at, banned, want string }{
		{"127.0.0.1:0", "", "[127.0.0.2 127.0.1.3 127.0.0.1]"},
		{"127.0.0.1:0", "127.0.0.2", "[127.0.1.3 127.0.0.1]"},
		{"127.0.0.1:0", "127.0.0.2/31,127.0.1.0/24", "[127.0.0.1]"},
		{"127.0.0.1:0", "2001:db8::/32,::/0", "[127.0.0.2 127.0.1.3 127.0.0.1]"},
		{"0.0.0.0:0", "127.0.1.0/24", "[127.0.0.2 127.0.0.1]"},
		{"[::]:0", "127.0.1.0/24,2001:db8::/33", "[127.0.0.2 127.0.0.1]"},
	} {
		var g ban.Gate
		inner, err := net.ListenPacket("udp", tt.at)
		if err != nil {
			t.Skip(err)
		}
		defer inner.Close()
		pc, err := g.PacketConn(inner)
		if err != nil {
			t.Fatal(err)
		}
		arrived(t, pc, "127.0.0.2", "127.0.0.1")
		if err := g.Set(prefixes(t, tt.banned)); err != nil {
			t.Fatal(err)
		}
		if got := fmt.Sprint(arrived(t, pc, "127.0.0.2", "127.0.1.3", "127.0.0.1")); got != tt.want {
			t.Errorf("%s without %s: %s, want %s", tt.at, tt.banned, got, tt.want)
		}
		if err := g.Set(nil); err != nil {
			t.Fatal(err)
		}
		if got := arrived(t, pc, "127.0.1.3", "127.0.0.1"); len(got) != 2 {
			t.Errorf("after the ban: %v", got)
		}
	}
}

// IPv6 has only one loopback address, so the ban is lifted before the last datagram.
func TestIPv6DatagramsAreDropped(t *testing.T) {
	for _, tt := range []struct {
		banned string
		comes  bool
	}{
		{"::2", true}, {"::/127", false}, {"::1", false}, {"::/96", false}, {"::/0", false},
		{"0.0.0.0/0", true}, {"8000::/1", true}, {"0:0:0:1::/64", true}, {"2001:db8::,::1", false},
	} {
		var g ban.Gate
		inner, err := net.ListenPacket("udp", "[::1]:0")
		if err != nil {
			t.Skip(err)
		}
		defer inner.Close()
		pc, err := g.PacketConn(inner)
		if err != nil {
			t.Fatal(err)
		}
		if err := g.Set(prefixes(t, tt.banned)); err != nil {
			t.Fatal(err)
		}
		first, err := net.Dial("udp", pc.LocalAddr().String())
		if err != nil {
			t.Fatal(err)
		}
		defer first.Close()
		io.WriteString(first, "first")
		if err := g.Set(nil); err != nil {
			t.Fatal(err)
		}
		got := arrived(t, pc, "::1")
		if comes := len(got) == 2; comes != tt.comes {
			t.Errorf("without %s came %v", tt.banned, got)
		}
	}
}

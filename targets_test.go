package lobbywire_test

import (
	"fmt"
	"net/netip"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/internal/test/suite"
)

func at(s string) netip.AddrPort { return netip.MustParseAddrPort(s) }

// listFrom returns the list of a master with servers at query addresses.
func listFrom(master string, queries ...string) lobbywire.ListResult {
	r := lobbywire.ListResult{Protocol: "gamespy2"}
	if master != "" {
		r.MasterIP = netip.MustParseAddr(master)
	}
	for _, q := range queries {
		r.Servers = append(r.Servers, lobbywire.Listed{Query: at(q)})
	}
	return r
}

// A list names only servers that a master of its network may make its clients query.
func TestListsLeaveOutForbiddenTargets(t *testing.T) {
	const public, none = "198.51.100.1", ""
	address, private := lobbywire.LeftOut{Address: 1}, lobbywire.LeftOut{Private: 1}
	service, queried := lobbywire.LeftOut{Service: 1}, lobbywire.LeftOut{}
	for _, tt := range []struct {
		master, query string
		want          lobbywire.LeftOut
	}{
		{public, "192.0.2.1:29900", queried},
		{public, "[2001:db8::1]:29900", queried},
		{public, "[::ffff:192.0.2.1]:29900", queried},
		{public, "[64:ff9b::192.0.2.1]:29900", queried},
		{none, "8.8.8.8:29900", queried},
		{public, "8.8.8.8:29900", queried},
		{public, "[2606:4700::1111]:29900", queried},
		{public, "[2606:4700::5eff:808:808]:29900", queried},
		{public, "168.63.129.17:29900", queried},
		{none, "192.0.2.1:29900", private},
		{"8.8.8.8", "192.0.2.1:29900", private},
		{"8.8.8.8", "198.18.0.1:29900", private},
		{"8.8.8.8", "[2001:db8::1]:29900", private},
		{"8.8.8.8", "[3fff::1]:29900", private},

		{"127.0.0.1", "192.0.2.1:0", address},
		{"127.0.0.1", "0.0.0.0:29900", address},
		{"127.0.0.1", "0.1.2.3:29900", address},
		{"127.0.0.1", "[::]:29900", address},
		{"127.0.0.1", "[::ffff:0.0.0.0]:29900", address},
		{"127.0.0.1", "127.255.255.255:29900", address},
		{"127.0.0.1", "255.255.255.255:29900", address},
		{"127.0.0.1", "[::ffff:255.255.255.255]:29900", address},
		{"127.0.0.1", "240.0.0.1:29900", address},
		{"127.0.0.1", "224.0.0.1:29900", address},
		{"127.0.0.1", "239.255.255.250:29900", address},
		{"127.0.0.1", "[::ffff:224.0.0.1]:29900", address},
		{"127.0.0.1", "[64:ff9b::224.0.0.1]:29900", address},
		{"127.0.0.1", "[2002:e000:1::]:29900", address},
		{public, "[2002:a00:1::]:29900", address},                 // 6to4
		{public, "[2002:808:808::1]:29900", address},              // the same
		{public, "[2001:0:808:808:0:0:f5ff:fffe]:29900", address}, // Teredo
		{public, "[::ffff:0:10.0.0.1]:29900", address},            // SIIT
		{public, "[::ffff:0:8.8.8.8]:29900", address},             // the same
		{public, "[2600::5efe:10.0.0.1]:29900", address},          // ISATAP
		{public, "[2600::200:5efe:8.8.8.8]:29900", address},       // the same
		{"fe80::1", "[fe80::5efe:10.0.0.1]:29900", address},       // the same
		{public, "[::10.0.0.1]:29900", address},                   // IPv4-compatible
		{"127.0.0.1", "[::127.0.0.1]:29900", address},             // the same
		{public, "[100::1]:29900", address},                       // discard-only
		{public, "[2001:20::1]:29900", address},                   // ORCHID
		{public, "[4000::1]:29900", address},                      // unassigned
		{"127.0.0.1", "192.0.0.192:29900", address},               // Oracle Cloud
		{"127.0.0.1", "192.88.99.1:29900", address},               // 6to4 relays
		{"127.0.0.1", "[ff02::1]:29900", address},
		{"127.0.0.1", "[ff02::1%eth0]:29900", address},

		{public, "10.0.0.1:29900", private},
		{public, "172.31.255.1:29900", private},
		{public, "192.168.1.1:29900", private},
		{public, "100.64.0.1:29900", private},
		{public, "169.254.169.254:29900", private},
		{public, "127.0.0.1:29900", private},
		{public, "127.9.9.9:29900", private},
		{public, "[::1]:29900", private},
		{public, "[::1%lo]:29900", private},
		{public, "[fe80::1%eth0]:29900", private},
		{public, "[fec0::1]:29900", private},
		{public, "[fd00::1]:29900", private},
		{public, "[64:ff9b:1::1]:29900", private},
		{public, "[::ffff:10.0.0.1]:29900", private},
		{public, "[64:ff9b::10.0.0.1]:29900", private},
		{public, "168.63.129.16:29900", private},
		{"10.9.9.9", "168.63.129.16:29900", private},
		{public, "[64:ff9b::a83f:8110]:29900", private}, // the same by NAT64
		{public, "166.9.1.1:29900", private},
		{public, "161.26.0.10:29900", private},
		{"2002:7f00:1::1", "127.0.0.1:29900", private},
		{"::127.0.0.1", "127.0.0.1:29900", private},
		{"2600::5efe:10.0.0.1", "10.0.0.1:29900", private},
		{none, "10.0.0.1:29900", private},
		{none, "127.0.0.1:29900", private},
		{"10.9.9.9", "10.0.0.1:29900", queried},
		{"::ffff:10.9.9.9", "10.0.0.1:29900", queried},
		{"64:ff9b::10.9.9.9", "10.0.0.1:29900", queried},
		{"64:ff9b::127.0.0.1", "127.0.0.1:29900", queried},
		{"fe80::1%eth0", "[fe80::2%eth1]:29900", queried},
		{"::1%lo", "127.0.0.1:29900", queried},
		{"10.9.9.9", "192.0.2.1:29900", queried},
		{"10.9.9.9", "[fd00::1]:29900", queried},
		{"10.9.9.9", "127.0.0.1:29900", private},
		{"10.9.9.9", "169.254.169.254:29900", private},
		{"fe80::1%eth0", "169.254.1.1:29900", queried},
		{"fe80::1%eth0", "127.0.0.1:29900", private},
		{"127.0.0.1", "127.0.0.1:29900", queried},
		{"::1", "127.0.0.1:29900", queried},
		{"127.0.0.1", "10.0.0.1:29900", queried},
		{"127.0.0.1", "169.254.1.1:29900", queried},

		{public, "192.0.2.1:7", service},
		{public, "192.0.2.1:19", service},
		{public, "192.0.2.1:53", service},
		{public, "192.0.2.1:123", service},
		{public, "192.0.2.1:1023", service},
		{public, "192.0.2.1:1024", queried},
		{public, "192.0.2.1:1434", service},
		{public, "[2001:db8::1]:1900", service},
		{"127.0.0.1", "127.0.0.1:11211", service},
	} {
		targets, left := listFrom(tt.master, tt.query).Targets(t.Context())
		want := []netip.AddrPort{netip.AddrPortFrom(at(tt.query).Addr().Unmap(), at(tt.query).Port())}
		if tt.want != queried {
			want = nil
		}
		if got := slices.Collect(targets); left != tt.want || !slices.Equal(got, want) {
			t.Errorf("%s of the master %q: left out %+v, want %+v; targets %v", tt.query, tt.master, left, tt.want, got)
		}
	}
	r := listFrom(public)
	r.Servers = []lobbywire.Listed{{}, {Query: netip.AddrPortFrom(netip.Addr{}, 29900)}}
	if targets, left := r.Targets(t.Context()); left != address || len(slices.Collect(targets)) > 0 {
		t.Errorf("left out %+v of a server without and one with an invalid query address", left)
	}
}

func TestIsPublicRefusesReservedAddresses(t *testing.T) {
	for addr, want := range map[string]bool{
		"8.8.8.8": true, "::ffff:8.8.8.8": true, "64:ff9b::808:808": true, "2606:4700::1111": true,
		"192.0.2.1": false, "10.0.0.1": false, "100.100.100.200": false, "169.254.169.254": false, "127.0.0.1": false,
		"240.0.0.1": false, "::": false, "fd00:ec2::254": false, "fe80::1%eth0": false, "64:ff9b::7f00:1": false,
	} {
		if got := lobbywire.IsPublic(netip.MustParseAddr(addr)); got != want {
			t.Errorf("%s: %v", addr, got)
		}
	}
	if lobbywire.IsPublic(netip.Addr{}) {
		t.Error("no address is public")
	}
}

func TestIsServicePortKnowsOtherServices(t *testing.T) {
	services := []uint16{
		0, 1, 22, 53, 123, 161, 389, 443, 1023, 1433, 1434, 1900, 3283, 3389, 3702, 5351, 5353, 5683, 6379, 6881, 10001,
		11211, 17185, 32414, 37810,
	}
	for _, port := range services {
		if !lobbywire.IsServicePort(port) {
			t.Errorf("%d is none", port)
		}
	}
	for _, port := range []uint16{1024, 1432, 1435, 2100, 7777, 9005, 25601, 27900, 28910, 29900, 65535} {
		if lobbywire.IsServicePort(port) {
			t.Errorf("%d is one", port)
		}
	}
}

// A list makes its clients query at most 64 servers of a host, one each 50 ms, whatever
// the order of the list. Other hosts do not wait for it.
func TestListsQueryFewServersOfAHost(t *testing.T) {
	servers := suite.Pick(4000, 60_000)
	for _, tt := range []struct {
		name  string
		crowd func(i int) string
	}{
		{"ports of an IPv4 address", func(i int) string { return fmt.Sprintf("192.0.2.1:%d", 5500+i) }},
		{"addresses of an IPv6 network", func(i int) string { return fmt.Sprintf("[2001:db8::%x]:29900", i+1) }},
		{"several forms of an address", func(i int) string {
			form := [...]string{"192.0.2.1", "[::ffff:192.0.2.1]", "[64:ff9b::192.0.2.1]"}[i%3]
			return fmt.Sprintf("%s:%d", form, 5500+i)
		}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var queries []string
				for i := range servers {
					queries = append(queries, tt.crowd(i))
				}
				otherHosts := []string{"198.51.100.7:29900", "198.51.100.8:29900"}
				targets, left := listFrom("203.0.113.1", append(queries, otherHosts...)...).Targets(t.Context())
				if left.Total() != servers-64 || left.Crowd+left.Service != left.Total() {
					t.Errorf("left out %+v", left)
				}
				for range 2 { // the sequence can be used again
					crowd, others := 0, 0
					start, lastOfCrowd := time.Now(), time.Time{}
					for at := range targets {
						if slices.Contains(otherHosts, at.String()) && time.Since(start) == 0 {
							others++
							continue
						}
						if d := time.Since(lastOfCrowd); d < 50*time.Millisecond {
							t.Fatalf("two servers within %v", d)
						}
						lastOfCrowd = time.Now()
						crowd++
					}
					if took := time.Since(start); crowd != 64 || others != 2 || took != 63*50*time.Millisecond {
						t.Errorf("%d targets of the crowd and %d others, in %v", crowd, others, took)
					}
				}
			})
		})
	}
}

func TestLeftOutTextCountsReasons(t *testing.T) {
	for _, tt := range []struct {
		left lobbywire.LeftOut
		want string
	}{
		{lobbywire.LeftOut{}, "none"},
		{lobbywire.LeftOut{Private: 1}, "not queried: private address on a public list"},
		{lobbywire.LeftOut{Address: 2, Private: 3, Service: 4, Crowd: 5}, "not queried: 2 (no address of a server), " +
			"3 (private address on a public list), 4 (port of another service), 5 (more than 64 servers of its address)"},
		{lobbywire.LeftOut{Unreadable: 1}, "left out: entry that cannot be read"},
		{lobbywire.LeftOut{Private: 1, Unreadable: 2},
			"not queried: 1 (private address on a public list), 2 (entry that cannot be read)"},
	} {
		err := lobbywire.LeftOutError{LeftOut: tt.left}
		if got := tt.left.String(); got != tt.want || err.Error() != tt.want {
			t.Errorf("%q and %v, want %q", got, err, tt.want)
		}
	}
}

package lobbywire_test

import (
	"fmt"
	"net/netip"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/lobbywire/lobbywire"
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
func TestTargetsOfLists(t *testing.T) {
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
		{none, "192.0.2.1:29900", queried},

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
		{public, "[2002:a00:1::]:29900", private},
		{public, "[::10.0.0.1]:29900", private},
		{none, "10.0.0.1:29900", private},
		{none, "127.0.0.1:29900", private},
		{"10.9.9.9", "10.0.0.1:29900", queried},
		{"::ffff:10.9.9.9", "10.0.0.1:29900", queried},
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
		{public, "192.0.2.1:3702", service},
		{public, "192.0.2.1:5353", service},
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

// A list makes its clients query at most 64 servers of a host, one each 50 ms, whatever
// the order of the list. Other hosts do not wait for it.
func TestTargetsOfAHost(t *testing.T) {
	for _, tt := range []struct {
		name  string
		crowd func(i int) string
	}{
		{"ports of an IPv4 address", func(i int) string { return fmt.Sprintf("192.0.2.1:%d", 5500+i) }},
		{"addresses of an IPv6 network", func(i int) string { return fmt.Sprintf("[2001:db8::%x]:29900", i+1) }},
		{"several forms of an address", func(i int) string {
			form := [...]string{"192.0.2.1", "[::ffff:192.0.2.1]", "[64:ff9b::192.0.2.1]", "[2002:c000:201::1]"}[i%4]
			return fmt.Sprintf("%s:%d", form, 5500+i)
		}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var queries []string
				for i := range 60_000 {
					queries = append(queries, tt.crowd(i))
				}
				otherHosts := []string{"198.51.100.7:29900", "198.51.100.8:29900"}
				targets, left := listFrom("203.0.113.1", append(queries, otherHosts...)...).Targets(t.Context())
				if left.Total() != 60_000-64 || left.Crowd+left.Service != left.Total() {
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

func TestLeftOutText(t *testing.T) {
	for _, tt := range []struct {
		left lobbywire.LeftOut
		want string
	}{
		{lobbywire.LeftOut{Private: 1}, "not queried: private address on a public list"},
		{lobbywire.LeftOut{Address: 2, Private: 3, Service: 4, Crowd: 5}, "not queried: 2 (no address of a server), " +
			"3 (private address on a public list), 4 (port of another service), 5 (more than 64 servers of its address)"},
	} {
		if got := tt.left.Error(); got != tt.want {
			t.Errorf("%q, want %q", got, tt.want)
		}
	}
}

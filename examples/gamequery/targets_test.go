package main

import (
	"errors"
	"net/netip"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lobbywire/lobbywire/examples/gamequery/internal/protocols"
	"github.com/lobbywire/lobbywire/examples/gamequery/internal/targets"
	"github.com/lobbywire/lobbywire/examples/gamequery/internal/usage"
)

func TestTargetsAreRead(t *testing.T) {
	swat4, _ := protocols.Named("swat4")
	bf2, _ := protocols.Named("BF2")
	sqp, _ := protocols.Named("sqp")
	for _, tt := range []struct {
		in    string
		ports targets.Ports
		want  []string // nil if the target is invalid
	}{
		{"127.0.0.1:25600", sqp.Ports, []string{"127.0.0.1:25600"}},
		{"127.0.0.1:65534-65535", sqp.Ports, []string{"127.0.0.1:65534", "127.0.0.1:65535"}},
		{"[::1]:7-8", sqp.Ports, []string{"[::1]:7", "[::1]:8"}},
		{"[::ffff:127.0.0.1]:7", sqp.Ports, []string{"127.0.0.1:7"}},
		{"192.0.2.7/30:7", sqp.Ports, []string{"192.0.2.4:7", "192.0.2.5:7", "192.0.2.6:7", "192.0.2.7:7"}},
		{"255.255.255.254/31:7", sqp.Ports, []string{"255.255.255.254:7", "255.255.255.255:7"}},
		{"[2001:db8::/127]:7-8", sqp.Ports,
			[]string{"[2001:db8::]:7", "[2001:db8::]:8", "[2001:db8::1]:7", "[2001:db8::1]:8"}},
		{"192.0.2.1/32", swat4.Ports, []string{"192.0.2.1:10482"}},
		{"[2001:db8::1/128]", swat4.Ports, []string{"[2001:db8::1]:10482"}},
		{"192.0.2.0/33:7", sqp.Ports, nil},
		{"192.0.2.0/19:7", sqp.Ports, nil},
		{"::1:7", sqp.Ports, nil},
		{"127.0.0.1", sqp.Ports, nil},
		{":7", sqp.Ports, nil},
		{"", sqp.Ports, nil},
		{"[]:7", sqp.Ports, nil},
		{"127.0.0.1:0", sqp.Ports, nil},
		{"127.0.0.1:7-", sqp.Ports, nil},
		{"127.0.0.1:65536", sqp.Ports, nil},
		{"::1", swat4.Ports, []string{"[::1]:10482"}},
		{"[::1]", swat4.Ports, []string{"[::1]:10482"}},
		{"127.0.0.1:10490", swat4.Ports, []string{"127.0.0.1:10492"}},
		{"127.0.0.1:65534-65535", swat4.Ports, []string{"127.0.0.1:65534", "127.0.0.1:65535"}},
		{"127.0.0.1", bf2.Ports, []string{"127.0.0.1:29900"}},
		{"127.0.0.1:16567", bf2.Ports, []string{"127.0.0.1:29900"}},
		{"127.0.0.1:29901", bf2.Ports, []string{"127.0.0.1:29901"}},
		{"127.0.0.1:16567-16568", bf2.Ports, []string{"127.0.0.1:16567", "127.0.0.1:16568"}},
	} {
		all, err := targets.Parse(t.Context(), tt.in, tt.ports)
		if usage := new(usage.Error); (err != nil) != (tt.want == nil) || err != nil && !errors.As(err, &usage) {
			t.Errorf("%s: %v", tt.in, err)
		}
		f := targets.NewFeed(t.Context(), targets.Of(all...))
		var got []string
		for addr := range f.Addrs(t.Context()) {
			f.Done(addr, true)
			got = append(got, addr.String())
		}
		if diff := cmp.Diff(tt.want, got); diff != "" || int(f.Count.Load()) != len(got) {
			t.Errorf("%s: counted %d (-want +got):\n%s", tt.in, f.Count.Load(), diff)
		}
	}
}

// Candidates are the likeliest port at every address, then the other port.
func TestCandidatesBeginWithTheLikeliestPort(t *testing.T) {
	here := []netip.Addr{netip.MustParseAddr("2001:db8::1"), netip.MustParseAddr("192.0.2.1")}
	for _, tt := range []struct {
		name  string
		given uint16
		want  []string
	}{
		{"sqp", 0, nil},
		{"sqp", 7, []string{"[2001:db8::1]:7", "192.0.2.1:7"}},
		{"ut3", 0, []string{"[2001:db8::1]:6500", "192.0.2.1:6500"}},
		{"ut3", 7778, []string{"[2001:db8::1]:6501", "192.0.2.1:6501", "[2001:db8::1]:7778", "192.0.2.1:7778"}},
		{"ut3", 1000, []string{"[2001:db8::1]:1000", "192.0.2.1:1000"}},
		{"battlefield2", 16567, []string{"[2001:db8::1]:29900", "192.0.2.1:29900", "[2001:db8::1]:16567", "192.0.2.1:16567"}},
		{"battlefield2", 29901, []string{"[2001:db8::1]:29901", "192.0.2.1:29901"}},
		{"halo", 2303, []string{"[2001:db8::1]:2303", "192.0.2.1:2303"}},
		{"fear", 0, []string{"[2001:db8::1]:27888", "192.0.2.1:27888"}},
	} {
		p, ok := protocols.Named(tt.name)
		var got []string
		for _, at := range p.Ports.Candidates(here, tt.given) {
			got = append(got, at.String())
		}
		if diff := cmp.Diff(tt.want, got); diff != "" || !ok {
			t.Errorf("%s %d (-want +got):\n%s", tt.name, tt.given, diff)
		}
	}
}

package main

import (
	"context"
	"errors"
	"net/netip"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestTargets(t *testing.T) {
	swat4, _ := protocolNamed("swat4")
	bf2, _ := protocolNamed("BF2")
	sqp, _ := protocolNamed("sqp")
	for _, tt := range []struct {
		in    string
		ports ports
		want  []string // nil if the target is invalid
	}{
		{"127.0.0.1:25600", sqp.ports, []string{"127.0.0.1:25600"}},
		{"127.0.0.1:65534-65535", sqp.ports, []string{"127.0.0.1:65534", "127.0.0.1:65535"}},
		{"[::1]:7-8", sqp.ports, []string{"[::1]:7", "[::1]:8"}},
		{"[::ffff:127.0.0.1]:7", sqp.ports, []string{"127.0.0.1:7"}},
		{"::1:7", sqp.ports, nil},
		{"127.0.0.1", sqp.ports, nil},
		{":7", sqp.ports, nil},
		{"", sqp.ports, nil},
		{"[]:7", sqp.ports, nil},
		{"127.0.0.1:0", sqp.ports, nil},
		{"127.0.0.1:7-", sqp.ports, nil},
		{"127.0.0.1:65536", sqp.ports, nil},
		{"::1", swat4.ports, []string{"[::1]:10482"}},
		{"[::1]", swat4.ports, []string{"[::1]:10482"}},
		{"127.0.0.1:10490", swat4.ports, []string{"127.0.0.1:10492"}},
		{"127.0.0.1:65534-65535", swat4.ports, []string{"127.0.0.1:65534", "127.0.0.1:65535"}},
		{"127.0.0.1", bf2.ports, []string{"127.0.0.1:29900"}},
		{"127.0.0.1:16567", bf2.ports, []string{"127.0.0.1:29900"}},
		{"127.0.0.1:29901", bf2.ports, []string{"127.0.0.1:29901"}},
		{"127.0.0.1:16567-16568", bf2.ports, []string{"127.0.0.1:16567", "127.0.0.1:16568"}},
	} {
		all, err := parseTargets(t.Context(), tt.in, tt.ports)
		if usage := new(usageError); (err != nil) != (tt.want == nil) || err != nil && !errors.As(err, &usage) {
			t.Errorf("%s: %v", tt.in, err)
		}
		f := newFeed(t.Context(), sourceOf(all...))
		var got []string
		for addr := range f.ready(t.Context()) {
			got = append(got, addr.String())
		}
		if diff := cmp.Diff(tt.want, got); diff != "" || int(f.count.Load()) != len(got) {
			t.Errorf("%s: counted %d (-want +got):\n%s", tt.in, f.count.Load(), diff)
		}
	}
}

// Candidates are the likeliest port at every address, then the other port.
func TestCandidates(t *testing.T) {
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
		p, ok := protocolNamed(tt.name)
		var got []string
		for _, at := range p.ports.candidates(here, tt.given) {
			got = append(got, at.String())
		}
		if diff := cmp.Diff(tt.want, got); diff != "" || !ok {
			t.Errorf("%s %d (-want +got):\n%s", tt.name, tt.given, diff)
		}
	}
}

// IPv6 and IPv4 addresses alternate, IPv6 first, without duplicates.
func TestInTurn(t *testing.T) {
	parse := func(all ...string) (addrs []netip.Addr) {
		for _, s := range all {
			addrs = append(addrs, netip.MustParseAddr(s))
		}
		return addrs
	}
	got := inTurn(parse("192.0.2.1", "::ffff:192.0.2.1", "192.0.2.2", "192.0.2.3", "2001:db8::2", "2001:db8::1", "2001:db8::2"))
	want := parse("2001:db8::2", "192.0.2.1", "2001:db8::1", "192.0.2.2", "192.0.2.3")
	if diff := cmp.Diff(want, got, cmp.Comparer(func(a, b netip.Addr) bool { return a == b })); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// A silent candidate delays the next one by stagger, a failing one does not, and the
// first success cancels the others.
func TestTryInTurn(t *testing.T) {
	silent, broken, late, good := netip.MustParseAddrPort("192.0.2.1:1"), netip.MustParseAddrPort("192.0.2.1:2"), netip.MustParseAddrPort("192.0.2.1:3"), netip.MustParseAddrPort("192.0.2.1:4")
	errBroken := errors.New("broken")
	for _, tt := range []struct {
		name       string
		candidates []netip.AddrPort
		at         netip.AddrPort
		err        error
		took       time.Duration
	}{
		{"one", []netip.AddrPort{good}, good, nil, 0},
		{"after silence", []netip.AddrPort{silent, good}, good, nil, stagger},
		{"after a failure", []netip.AddrPort{broken, good}, good, nil, 0},
		{"the first to answer", []netip.AddrPort{late, good}, good, nil, stagger},
		{"all fail", []netip.AddrPort{silent, broken}, silent, context.DeadlineExceeded, time.Minute},
	} {
		synctest.Test(t, func(t *testing.T) {
			ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
			defer cancel()
			start := time.Now()
			text, at, err := tryInTurn(ctx, tt.candidates, func(ctx context.Context, at netip.AddrPort) (string, error) {
				switch at {
				case good:
					return "yes", nil
				case broken:
					return "", errBroken
				case late:
					select {
					case <-time.After(2 * stagger):
						return "late", nil
					case <-ctx.Done():
						return "", ctx.Err()
					}
				}
				<-ctx.Done()
				return "", ctx.Err()
			})
			if at != tt.at || !errors.Is(err, tt.err) || (text == "yes") != (tt.err == nil) || time.Since(start) != tt.took {
				t.Errorf("%s: %q at %s, %v, after %v", tt.name, text, at, err, time.Since(start))
			}
			synctest.Wait()
		})
	}
}

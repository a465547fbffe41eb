package serverlist

import (
	"bytes"
	"errors"
	"math/rand/v2"
	"net/netip"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/gameagent"
)

// An encodedList is the packets of the list after each change.
func TestEncodedListFollowsChanges(t *testing.T) {
	var l encodedList
	var servers []netip.AddrPort
	r := rand.New(rand.NewPCG(1, 2))
	grow := true
	for i := range 3000 {
		switch {
		case len(servers) == 3*gameagent.MaxListEntries:
			grow = false
		case len(servers) == 0:
			grow = true
		}
		if grow == (r.IntN(4) > 0) || len(servers) == 0 {
			game := netip.AddrPortFrom(netip.AddrFrom4([4]byte{10, 0, byte(i >> 8), byte(i)}), 25600)
			servers = append(servers, game)
			if err := l.add(game); err != nil {
				t.Fatal(err)
			}
		} else {
			i, last := r.IntN(len(servers)), len(servers)-1
			servers[i] = servers[last]
			servers = servers[:last]
			l.remove(i)
		}
		want, err := gameagent.ServerList{Servers: servers}.Packets()
		if err != nil {
			t.Fatal(err)
		}
		if !slices.EqualFunc(want, l.datagrams(), bytes.Equal) || l.n != len(servers) {
			t.Fatalf("after %d changes: %d servers, want %d", i+1, l.n, len(servers))
		}
	}
}

func TestEncodedListRefusesOtherAddresses(t *testing.T) {
	var l encodedList
	for n := range gameagent.MaxListEntries + 1 {
		for _, game := range []string{"[2001:db8::1]:25600", "192.0.2.1:0", "192.0.2.1:65535"} {
			if err := l.add(netip.MustParseAddrPort(game)); !errors.Is(err, lobbywire.ErrInvalid) {
				t.Errorf("%s: got error %v", game, err)
			}
		}
		if got, want := len(l.datagrams()), 1; n > 0 && n <= gameagent.MaxListEntries && got != want {
			t.Errorf("%d packets for %d servers", got, n)
		}
		if err := l.add(netip.MustParseAddrPort("192.0.2.1:25600")); err != nil {
			t.Fatal(err)
		}
	}
	if l.n != gameagent.MaxListEntries+1 || len(l.datagrams()) != 2 {
		t.Errorf("%d servers in %d packets", l.n, len(l.datagrams()))
	}
}

func TestEmptyEncodedListIsOnePacket(t *testing.T) {
	want, err := gameagent.ServerList{}.Packets()
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, new(encodedList).datagrams()); diff != "" {
		t.Error(diff)
	}
}

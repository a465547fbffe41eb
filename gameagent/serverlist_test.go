package gameagent_test

import (
	"errors"
	"net/netip"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/gameagent"
	"github.com/lobbywire/lobbywire/internal/test/codectest"
)

// addrs parses addresses.
func addrs(list ...string) []netip.AddrPort {
	out := []netip.AddrPort{}
	for _, s := range list {
		out = append(out, netip.MustParseAddrPort(s))
	}
	return out
}

func TestServerListAcceptsItsFormsOnly(t *testing.T) {
	serverListCodec.Table(t, []codectest.Case[gameagent.ServerList]{
		{Name: "no server", In: "s", Want: gameagent.ServerList{Servers: addrs()}},
		{Name: "port in little-endian", In: "s\x7f\x00\x00\x01\x00\x64",
			Want: gameagent.ServerList{Servers: addrs("127.0.0.1:25600")}},
		{Name: "tail", In: "s\x7f\x00\x00\x01\x00\x64\x7f\x00\x00\x01\x00",
			Want: gameagent.ServerList{Servers: addrs("127.0.0.1:25600")}, Differs: true,
			Strict: lobbywire.ErrTruncated},
		{Name: "empty datagram", In: "", Err: lobbywire.ErrTruncated, Field: "type", Offset: 0},
		{Name: "status", In: "0;", Err: lobbywire.ErrInvalid, Field: "type", Offset: 0},
	})
	strictly(serverListCodec, gameagent.Options.ParseServerList).Table(t, []codectest.Case[gameagent.ServerList]{
		{Name: "strictly no server", In: "s", Want: gameagent.ServerList{Servers: addrs()}},
		{Name: "strictly a tail", In: "s\x7f\x00\x00\x01\x00\x64\x7f",
			Err: lobbywire.ErrTruncated, Field: "servers[1]", Offset: 7},
	})
	codectest.Refusals(t, []codectest.Refusal{
		{Name: "IPv6", Value: gameagent.ServerList{Servers: addrs("[::1]:25600")},
			Err: lobbywire.ErrInvalid, Field: "servers[0].addr"},
		{Name: "IPv4 in IPv6", Value: gameagent.ServerList{Servers: addrs("[::ffff:127.0.0.1]:25600")},
			Err: lobbywire.ErrInvalid, Field: "servers[0].addr"},
		{Name: "no address", Value: gameagent.ServerList{Servers: make([]netip.AddrPort, 1)},
			Err: lobbywire.ErrInvalid, Field: "servers[0].addr"},
		{Name: "port 0", Value: gameagent.ServerList{Servers: addrs("127.0.0.1:1", "127.0.0.1:0")},
			Err: lobbywire.ErrInvalid, Field: "servers[1].port"},
		{Name: "no port above", Value: gameagent.ServerList{Servers: addrs("127.0.0.1:65535")},
			Err: lobbywire.ErrInvalid, Field: "servers[0].port"},
		{Name: "171 servers", Value: gameagent.ServerList{Servers: make([]netip.AddrPort, 171)},
			Err: lobbywire.ErrTooLarge, Field: "servers"},
	})
}

// Packets splits a list of any length as the original master does, and a
// ListAssembler joins the packets.
func TestServerListIsCutBetweenServers(t *testing.T) {
	for n, want := range map[int][]int{0: {1}, 1: {7}, 170: {1021}, 171: {1021, 7}, 340: {1021, 1021},
		341: {1021, 1021, 7}} {
		list := gameagent.ServerList{Servers: addrs()}
		for i := range n {
			addr := netip.AddrFrom4([4]byte{10, 0, byte(i >> 8), byte(i)})
			list.Servers = append(list.Servers, netip.AddrPortFrom(addr, gameagent.GamePort))
		}
		packets, err := list.Packets()
		if err != nil {
			t.Fatal(err)
		}
		var sizes []int
		var a gameagent.ListAssembler
		for _, p := range packets {
			sizes = append(sizes, len(p))
			for range 2 {
				if _, err := a.Add(p); err != nil {
					t.Fatal(err)
				}
			}
		}
		joined, err := a.ServerList()
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, sizes); diff != "" {
			t.Errorf("%d servers: sizes (-want +got):\n%s", n, diff)
		}
		if diff := cmp.Diff(list, joined, compare); diff != "" {
			t.Errorf("%d servers: joined (-want +got):\n%s", n, diff)
		}
	}
	servers := make([]netip.AddrPort, 172)
	for i := range servers {
		servers[i] = netip.MustParseAddrPort("10.0.0.1:25600")
	}
	servers[171] = netip.AddrPort{}
	_, err := gameagent.ServerList{Servers: servers}.Packets()
	if want := "gameagent: servers[171].addr: invalid value: is not an IPv4 address"; err == nil ||
		err.Error() != want {
		t.Errorf("error %v, want %s", err, want)
	}
}

func TestQueryAddrIsThePortAboveTheGame(t *testing.T) {
	for in, want := range map[string]string{"127.0.0.1:25600": "127.0.0.1:25601", "127.0.0.1:0": "127.0.0.1:1",
		"[::1]:65534": "[::1]:65535"} {
		got, err := gameagent.QueryAddr(netip.MustParseAddrPort(in))
		if err != nil || got.String() != want {
			t.Errorf("%s: %s, %v, want %s", in, got, err, want)
		}
		if back := gameagent.GameAddr(got); back.String() != in {
			t.Errorf("%s: back as %s", in, back)
		}
	}
	if got := gameagent.GameAddr(netip.MustParseAddrPort("127.0.0.1:0")); got.Port() != 0 {
		t.Errorf("port 0: game at %s", got)
	}
	if got, err := gameagent.QueryAddr(netip.MustParseAddrPort("127.0.0.1:65535")); err == nil ||
		!errors.Is(err, lobbywire.ErrInvalid) || got.IsValid() {
		t.Errorf("port 65535: %s, %v", got, err)
	}
}

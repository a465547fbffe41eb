package qr2_test

import (
	"net/netip"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/lobbywire/lobbywire/gamespy2"
	"github.com/lobbywire/lobbywire/gamespy2/qr2"
)

var compareIdentity = cmp.Options{cmpopts.EquateComparable(netip.Addr{}, netip.AddrPort{}), cmpopts.EquateEmpty()}

func TestIdentityIsThatOfRecordedServers(t *testing.T) {
	loopback := netip.MustParseAddr("127.0.0.1")
	for _, tt := range []struct {
		golden string
		want   qr2.Identity
	}{
		{"heartbeat_first", qr2.Identity{LocalAddrs: []netip.Addr{loopback}, LocalPort: 11111, NATNegotiation: true,
			State: qr2.StateStart, GameName: "gmtest"}},
		{"heartbeat_changed", qr2.Identity{LocalAddrs: []netip.Addr{loopback}, LocalPort: 11111, NATNegotiation: true,
			State: qr2.StateChanged, GameName: "gmtest"}},
		{"heartbeat_shutdown", qr2.Identity{
			LocalAddrs: []netip.Addr{netip.MustParseAddr("192.0.2.7"), netip.MustParseAddr("10.0.0.7")},
			LocalPort:  6500, State: qr2.StateShutdown, GameName: "gmtest",
		}},
		{"heartbeat_public", qr2.Identity{
			LocalPort: 6500, NATNegotiation: true, State: qr2.StateChanged, GameName: "gmtest",
			Public: netip.AddrPortFrom(loopback, 11111),
		}},
		{"heartbeat_rows_without_columns", qr2.Identity{GameName: "gmtest"}},
	} {
		m, err := qr2.ParseHeartbeat(load(t, tt.golden))
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(tt.want, m.Identity(), compareIdentity); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.golden, diff)
		}
		// The keys are written as servers write them.
		want := m.Info[:len(m.Info)-len(m.GameInfo())]
		got := qr2.Heartbeat{Info: tt.want.AppendTo(nil)}
		if tt.want.LocalPort == 0 {
			continue // a server always sends its port
		}
		for i, kv := range got.Info {
			if kv.Key != "gamename" && i < len(want) && kv != want[i] {
				t.Errorf("%s: key %d is %v, want %v", tt.golden, i, kv, want[i])
			}
		}
	}
}

// Values that are invalid count as missing.
func TestIdentityIgnoresInvalidValues(t *testing.T) {
	info := func(pairs ...string) (list []gamespy2.KeyValue) {
		for i := 0; i < len(pairs); i += 2 {
			list = append(list, gamespy2.KeyValue{Key: pairs[i], Value: pairs[i+1]})
		}
		return list
	}
	zero := netip.AddrPortFrom(netip.IPv4Unspecified(), 0)
	for _, tt := range []struct {
		name string
		info []gamespy2.KeyValue
		want qr2.Identity
	}{
		{"an address that is none", info("localip0", "localhost"), qr2.Identity{}},
		{"a sixth address", info("localip5", "10.0.0.1"), qr2.Identity{}},
		{"a port above 65535", info("localport", "65536"), qr2.Identity{}},
		{"a state that is no number", info("statechanged", "yes"), qr2.Identity{}},
		{"no public address yet", info("publicip", "0", "publicport", "0"), qr2.Identity{Public: zero}},
		{"a public address that is none", info("publicip", "x", "publicport", "y"), qr2.Identity{Public: zero}},
		{"a negative public address", info("publicip", "-2", "publicport", "1"),
			qr2.Identity{Public: netip.MustParseAddrPort("254.255.255.255:1")}},
		{"a game twice", info("gamename", "a", "gamename", "b"), qr2.Identity{GameName: "b"}},
	} {
		if diff := cmp.Diff(tt.want, qr2.Heartbeat{Info: tt.info}.Identity(), compareIdentity); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.name, diff)
		}
	}
}

func TestGameInfoLacksTheIdentity(t *testing.T) {
	m, err := qr2.ParseHeartbeat(load(t, "heartbeat_public"))
	if err != nil {
		t.Fatal(err)
	}
	want := []gamespy2.KeyValue{{Key: "gamename", Value: "gmtest"}, {Key: "hostname", Value: "Harbour"}}
	if diff := cmp.Diff(want, m.GameInfo()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// Numbers and flags are read as in all protocols: with blanks and zeros, and as words.
func TestIdentityReadsLooseNumbers(t *testing.T) {
	for _, tt := range []struct {
		port, natneg, state string
		want                qr2.Identity
	}{
		{" 7778", "True", " 01", qr2.Identity{LocalPort: 7778, NATNegotiation: true, State: qr2.StateChanged}},
		{"07778", " 0", "2.0", qr2.Identity{LocalPort: 7778, State: qr2.StateShutdown}},
		{"65536", "?", "256", qr2.Identity{}},
		{"-1", "", "x", qr2.Identity{}},
	} {
		m := qr2.Heartbeat{Info: []gamespy2.KeyValue{{Key: "localport", Value: tt.port},
			{Key: "natneg", Value: tt.natneg}, {Key: "statechanged", Value: tt.state}}}
		if diff := cmp.Diff(tt.want, m.Identity(), compareIdentity); diff != "" {
			t.Errorf("%q, %q, %q (-want +got):\n%s", tt.port, tt.natneg, tt.state, diff)
		}
	}
}

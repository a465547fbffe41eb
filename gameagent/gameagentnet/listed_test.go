package gameagentnet_test

import (
	"net/netip"
	"slices"
	"testing"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/gameagent"
	"github.com/lobbywire/lobbywire/gameagent/gamespy1/gamespy1net"
)

var (
	gameServer = netip.MustParseAddrPort("198.51.100.1:25601")
	join       = []byte("q")
)

// newMaster returns a master without rate limits.
func newMaster() *gamespy1net.Master {
	return &gamespy1net.Master{Limits: gamespy1net.MasterLimits{
		Rates: lobbywire.Rates{PerSource: 1 << 30, Global: 1 << 30},
	}}
}

// enlist registers a server.
func enlist(t *testing.T, m *gamespy1net.Master, from netip.AddrPort) {
	t.Helper()
	packets, _ := m.Respond(from, join, nil)
	challenge, err := gameagent.ParseChallenge(one(t, packets))
	if err != nil {
		t.Fatal(err)
	}
	heartbeat, err := gameagent.Heartbeat{Challenge: challenge.Challenge}.AppendBinary(nil)
	if err != nil {
		t.Fatal(err)
	}
	m.Respond(from, heartbeat, nil)
}

// expectListed checks which servers are listed, by their query addresses.
func expectListed(t *testing.T, m *gamespy1net.Master, want ...netip.AddrPort) {
	t.Helper()
	var got []netip.AddrPort
	for e := range m.Servers() {
		got = append(got, netip.AddrPortFrom(e.Game.Addr(), e.Game.Port()+1))
	}
	if !slices.Equal(got, want) {
		t.Errorf("listed %v, want %v", got, want)
	}
}

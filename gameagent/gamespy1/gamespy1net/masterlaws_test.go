package gamespy1net_test

import (
	"net/netip"
	"testing"

	"github.com/lobbywire/lobbywire/gameagent/gamespy1/gamespy1net"
	"github.com/lobbywire/lobbywire/internal/test/laws"
)

func TestMasterObeysTheLaws(t *testing.T) {
	laws.Master[*gamespy1net.Master]{
		New: newMaster,
		Nodes: func() func() *gamespy1net.Master {
			h := newHub()
			return func() *gamespy1net.Master {
				m, _ := newNode(h)
				return m
			}
		},
		Requests: [][]byte{join, answerTo(1<<31 - 1)},
		Enlist:   func(t testing.TB, m *gamespy1net.Master, server netip.AddrPort) { enlist(t, m, server) },
		Refresh:  periodic,
		Listed: func(t testing.TB, m *gamespy1net.Master) (all []netip.AddrPort) {
			for _, game := range listing(t, m) {
				all = append(all, netip.AddrPortFrom(game.Addr(), game.Port()+1))
			}
			return all
		},
		Limit: func(m *gamespy1net.Master, servers int) {
			limits := newMaster().Limits
			limits.MaxServers = servers
			m.SetLimits(limits)
		},
		Expiry: gamespy1net.Expiry,
		Memory: 64 << 10,
	}.Test(t)
}

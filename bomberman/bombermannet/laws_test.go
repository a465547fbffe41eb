package bombermannet_test

import (
	"strings"
	"testing"
	"time"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/bomberman/bombermannet"
	"github.com/lobbywire/lobbywire/internal/test/laws"
)

// A managementServer has the settings of the laws.
type managementServer struct{ *bombermannet.ManagementServer }

func (m managementServer) SetLimits(limits lobbywire.ConnLimits) {
	m.ManagementServer.SetLimits(bombermannet.ManagementServerLimits{ConnLimits: limits})
}

func newManagementServer(s laws.LobbySettings) managementServer {
	m := &bombermannet.ManagementServer{Public: s.Public}
	m.Limits.ConnLimits = s.Limits
	m.Limits.QueryRate, m.Limits.Rate = s.Max, s.Max // a negative MaxServers admits none
	if s.Admit != nil {
		m.Admit = func(e bombermannet.Entry) bool { return s.Admit(e.Server.Name) }
	}
	return managementServer{m}
}

func TestManagementServerListsGames(t *testing.T) {
	laws.Lobby{
		New: func(s laws.LobbySettings) laws.StreamServer { return newManagementServer(s) },
		Nodes: func() func(s laws.LobbySettings) laws.StreamServer {
			h := newHub()
			return func(s laws.LobbySettings) laws.StreamServer {
				m := newManagementServer(s)
				m.Store = h.Node()
				return m
			}
		},
		Host: func(s laws.HostSettings) laws.Host {
			return &bombermannet.Registrar{Addr: s.Lobby, Dial: s.Dial, Every: s.Every,
				Changed: s.Changed, Logger: s.Logger}
		},
		Client: func(dial laws.Dial) lobbywire.Lister {
			return &bombermannet.Client{Dial: dial, ListEvery: -1}
		},
		Conns:    func(s laws.StreamServer) lobbywire.ConnStats { return s.(managementServer).Stats().ConnStats },
		Unheard:  lobbywire.StandingListed, // management servers answer no host
		BadAddrs: map[string]string{"": "Addr"},
		Return:   2 * time.Second,
		Again:    2 * time.Minute,
		Request:  []byte(frame(query)),
		Session: []byte(frame(register("Bömber", 1)) + frame(update(1, 4, true, 1)) + frame(query) + frame(unregister) +
			frame(query) + frame(register("Two", 2)) + frame(query)),
		// A registered game server may be silent.
		Silences: []laws.Silence{
			{Name: "silent from the start", After: 10 * time.Second},
			{Name: "half a frame", Sent: frame(query)[:9], After: 10 * time.Second},
			{Name: "half a frame of a game server", After: 10 * time.Second,
				Sent: frame(register("A", 1)) + frame(update(1, 4, true, 1))[:9]},
			{Name: "byte by byte", Sent: `60000{`, More: strings.Repeat("x", 100), After: 10 * time.Second},
			{Name: "silent client", Sent: frame(`{"command":"xxHeartbeat"}`), After: 2 * time.Minute},
			{Name: "line ends", Sent: "\n", More: strings.Repeat("\n", 1000), After: 2 * time.Minute},
			{Name: "game server that has left", Sent: frame(register("A", 1)) + frame(unregister), After: 2 * time.Minute},
			{Name: "game server", Sent: frame(register("A", 1))},
			{Name: "game server that sends line ends", Sent: frame(register("A", 1)) + "\r\n",
				More: strings.Repeat("\r\n", 1800)},
		},
		Limits: lobbywire.ConnLimits{Write: 10 * time.Second, MaxPerAddress: 64, MaxPerPrefix: 256},
		Golden: []string{".."},
	}.Test(t)
}

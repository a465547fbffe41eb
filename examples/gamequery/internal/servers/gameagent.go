package servers

import (
	"cmp"
	"context"
	"fmt"
	"net"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/gameagent"
	"github.com/lobbywire/lobbywire/gameagent/gameagentnet"
	"github.com/lobbywire/lobbywire/gameagent/gamespy1"
	"github.com/lobbywire/lobbywire/gameagent/gamespy1/gamespy1net"
)

// NewGameAgentMaster returns a master of the games of Serious Sam and, in the legacy
// form, of another one.
func NewGameAgentMaster(k GameKey) Server {
	games := gamespy1net.SeriousSam()
	if k.Game != "" {
		games[k.Game] = gamespy1net.Game{Key: k.Key}
	}
	m := &gamespy1net.Master{Games: games}
	return Server{
		serve:    m.Serve,
		accept:   m.ServeLists,
		shutdown: m.Shutdown,
		Stats: func() string {
			s := m.Stats()
			return fmt.Sprintf("%s, listed %d servers", datagrams(s.Received, s.Sent), s.Listed)
		},
	}
}

// NewGameAgent returns a test server of GameAgent.
func NewGameAgent(g Game) (Server, error) {
	s := new(gameagentnet.Server)
	state := gameagentnet.State{
		SessionName: g.Name,
		GameName:    cmp.Or(g.Registered.Game, "serioussamse"),
		Version:     g.Version,
		Level:       g.Level,
		GameType:    g.GameType,
		MaxPlayers:  g.MaxPlayers,
		GamePort:    g.At.Port() - 1,
	}
	for i := range g.Players {
		state.Players = append(state.Players, gameagent.Player{
			Index: i, Name: playerName(i), Frags: new(int32(score(i))), Ping: new(ping(i)),
		})
	}
	made := Server{
		serve:    s.Serve,
		shutdown: s.Shutdown,
		Stats:    func() string { return datagrams(s.Stats().Received, s.Stats().Sent) },
	}
	if err := s.Set(state); err != nil || len(g.Masters) == 0 {
		return made, badState(err)
	}
	s.LegacyKey = cmp.Or(g.Registered.Key, gamespy1.SeriousSamKey)
	notices := newNotices(g.Messages)
	var registrations []*gameagentnet.Registration
	for _, master := range g.Masters {
		changed := notices.standing("master "+master, nil)
		// A master that knows one form ignores the other.
		registrations = append(registrations,
			&gameagentnet.Registration{Server: s, Addr: master, Changed: changed},
			&gameagentnet.Registration{Server: s, Addr: master, Legacy: true, Changed: func(s lobbywire.RegistrationStatus) {
				if s.Standing == lobbywire.StandingListed {
					changed(s)
				}
			}})
	}
	made.register = func(ctx context.Context, pc net.PacketConn) error {
		var runs []func(context.Context) error
		for _, r := range registrations {
			r.Conn = pc
			runs = append(runs, r.Run)
		}
		return runAll(ctx, runs)
	}
	return made, nil
}

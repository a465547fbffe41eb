package servers

import (
	"cmp"
	"context"
	"fmt"
	"net"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/examples/internal/oneport"
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
	s := oneport.New(lobbywire.Rates{})
	state := gameagentnet.State{
		SessionName: g.Name,
		GameName:    cmp.Or(g.Registered.Game, "serioussamse"),
		Version:     g.Version,
		Level:       g.Level,
		GameType:    g.GameType,
		MaxPlayers:  g.MaxPlayers,
	}
	status := gamespy1.Status{
		HostName:    state.SessionName,
		GameName:    state.GameName,
		GameVersion: state.Version,
		MapName:     state.Level,
		GameType:    state.GameType,
		MaxPlayers:  &state.MaxPlayers,
		HostPort:    g.At.Port() - 1,
	}
	for i := range g.Players {
		player := gameagent.Player{Index: i, Name: playerName(i), Frags: new(int32(score(i))), Ping: new(ping(i))}
		state.Players = append(state.Players, player)
		status.Players = append(status.Players, gamespy1.Player(player))
	}
	made := Server{
		serve:    s.Serve,
		shutdown: s.Shutdown,
		Stats:    func() string { return answered(s.Stats()) },
	}
	if err := cmp.Or(s.Set(state), s.GameSpy.Set(status)); err != nil || len(g.Masters) == 0 {
		return made, badState(err)
	}
	key := cmp.Or(g.Registered.Key, gamespy1.SeriousSamKey)
	notices := newNotices(g.Messages)
	var native []*gameagentnet.Registration
	var gamespy []*gamespy1net.Registration
	for _, master := range g.Masters {
		changed := notices.standing("master "+master, nil)
		// A master that knows one form ignores the other.
		native = append(native, &gameagentnet.Registration{Server: &s.Server, Addr: master, Changed: changed})
		gamespy = append(gamespy, &gamespy1net.Registration{
			Server: &s.GameSpy, Addr: master, Key: key, Changed: func(s lobbywire.RegistrationStatus) {
				if s.Standing == lobbywire.StandingListed {
					changed(s)
				}
			},
		})
	}
	made.register = func(ctx context.Context, pc net.PacketConn) error {
		var runs []func(context.Context) error
		for i := range native {
			native[i].Conn, gamespy[i].Conn = pc, pc
			runs = append(runs, native[i].Run, gamespy[i].Run)
		}
		return runAll(ctx, runs)
	}
	return made, nil
}

package servers

import (
	"context"
	"fmt"
	"net"
	"strconv"

	"github.com/lobbywire/lobbywire/gamespy2"
	"github.com/lobbywire/lobbywire/gamespy2/gamespy2net"
)

// NewGameSpyMaster returns a master of a game, or of the sample of GameSpy's SDK.
func NewGameSpyMaster(k GameKey) Server {
	k = k.OrSample()
	m := &gamespy2net.Master{Games: []gamespy2net.Game{{Name: k.Game, Key: k.Key}}}
	return Server{
		serve:    m.Serve,
		accept:   m.ServeLists,
		shutdown: m.Shutdown,
		Stats: func() string {
			s := m.Stats()
			text := fmt.Sprintf("%s, listed %d servers", datagrams(s.Received, s.Sent), s.Listed)
			if s.Wrong > 0 {
				text += fmt.Sprintf("; %d had another secret key", s.Wrong)
			}
			return text
		},
		Note: "servers of " + k.Game + " are listed once they answer a challenge and a query",
	}
}

// A ChallengeMode is a value of the flag -challenge.
type ChallengeMode struct {
	gamespy2net.ChallengeMode
	Meaning string
}

// ChallengeModes returns the modes by the value of -challenge.
func ChallengeModes() map[string]ChallengeMode {
	return map[string]ChallengeMode{
		"offered": {gamespy2net.ChallengeOffered,
			"every client gets an answer; those without a valid challenge get 10 a second, and all of them together " +
				"200"},
		"required": {gamespy2net.ChallengeRequired,
			"only clients that repeat a challenge get an answer; the browser of Battlefield 2, qstat -gs2 and -gs3 " +
				"and others do not"},
		"off": {gamespy2net.ChallengeOff,
			"no client needs a challenge; a client gets 10 answers a second, and all of them together 200"},
	}
}

// NewGameSpy2 returns a test server of GameSpy 2.
func NewGameSpy2(g Game) (Server, error) { return serveGameSpy2(g, gameSpy2State(g)) }

func gameSpy2State(g Game) gamespy2net.State {
	players := gamespy2.Table{Columns: []string{"player_", "score_", "ping_", "team_"}}
	for i := range g.Players {
		players.Rows = append(players.Rows, []string{
			playerName(i), strconv.Itoa(score(i)), strconv.Itoa(ping(i)), strconv.Itoa(1 + i%2),
		})
	}
	return gamespy2net.State{
		Info: []gamespy2.KeyValue{
			{Key: "hostname", Value: g.Name},
			{Key: "gamename", Value: "gamequery"},
			{Key: "gamever", Value: g.Version},
			{Key: "mapname", Value: g.Level},
			{Key: "gametype", Value: g.GameType},
			{Key: "numplayers", Value: strconv.Itoa(g.Players)},
			{Key: "maxplayers", Value: strconv.Itoa(g.MaxPlayers)},
			{Key: "password", Value: "0"},
			{Key: "hostport", Value: strconv.Itoa(int(g.At.Port()))},
		},
		Players: players,
		Teams:   gamespy2.Table{Columns: []string{"team_t", "score_t"}, Rows: [][]string{{"Red", "0"}, {"Blue", "0"}}},
	}
}

// serveGameSpy2 returns a test server with a state.
func serveGameSpy2(g Game, state gamespy2net.State) (Server, error) {
	mode := ChallengeModes()[g.Challenge]
	s := &gamespy2net.Server{Challenge: mode.ChallengeMode}
	err := s.Set(state)
	made := Server{
		serve:    s.Serve,
		shutdown: s.Shutdown,
		Stats:    func() string { return answered(s.Stats()) },
		Note:     "challenge " + g.Challenge + ": " + mode.Meaning,
	}
	if err != nil || len(g.Masters) == 0 {
		return made, badState(err)
	}
	at := g.Registered.OrSample()
	notices := newNotices(g.Messages)
	var registrations []*gamespy2net.Registration
	for _, master := range g.Masters {
		r := &gamespy2net.Registration{Server: s, Addr: master, Game: at.Game, Key: at.Key,
			Changed: notices.standing("master "+master, nil)}
		registrations = append(registrations, r)
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

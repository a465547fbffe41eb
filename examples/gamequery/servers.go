package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"slices"
	"strconv"

	"github.com/lobbywire/lobbywire/gameagent"
	"github.com/lobbywire/lobbywire/gameagent/gameagentnet"
	"github.com/lobbywire/lobbywire/gamespy2"
	"github.com/lobbywire/lobbywire/gamespy2/gamespy2net"
	"github.com/lobbywire/lobbywire/sqp"
	"github.com/lobbywire/lobbywire/sqp/sqpnet"
)

func newSQPServer(g game) (gameServer, error) {
	s := new(sqpnet.Server)
	players := sqp.Table{
		Columns: []string{"name", "score", "ping"},
		Types:   []sqp.ValueType{sqp.ValueString, sqp.ValueUint32, sqp.ValueUint16},
	}
	for i := range g.players {
		players.Rows = append(players.Rows, []sqp.Value{
			sqp.String(playerName(i)), sqp.Uint32(uint32(score(i))), sqp.Uint16(uint16(ping(i))),
		})
	}
	err := s.Set(sqpnet.State{
		ServerInfo: sqp.ServerInfo{
			CurrentPlayers: uint16(g.players),
			MaxPlayers:     uint16(g.maxPlayers),
			ServerName:     g.name,
			GameType:       g.gameType,
			BuildID:        g.version,
			Map:            g.level,
			Port:           g.port,
		},
		ServerRules: []sqp.Rule{{Key: "friendlyFire", Value: sqp.Byte(0)}, {Key: "timeLimit", Value: sqp.Uint16(900)}},
		PlayerInfo:  players,
		Metrics:     []float32{60, 0.5},
	})
	return gameServer{
		serve:    s.Serve,
		shutdown: s.Shutdown,
		stats:    func() string { return traffic(s.Stats().Received, s.Stats().Sent) },
	}, tooMany(err)
}

// A challengeMode is a value of the flag -challenge.
type challengeMode struct {
	gamespy2net.ChallengeMode
	meaning string
}

func challengeModes() map[string]challengeMode {
	return map[string]challengeMode{
		"offered": {gamespy2net.ChallengeOffered,
			"every client gets an answer; those without a valid challenge get 10 a second, and all of them together 200"},
		"required": {gamespy2net.ChallengeRequired,
			"only clients that repeat a challenge get an answer; the browser of Battlefield 2, qstat -gs2 and -gs3 and others do not"},
		"off": {gamespy2net.ChallengeOff,
			"no client needs a challenge; a client gets 10 answers a second, and all of them together 200"},
	}
}

func newGameSpy2Server(g game) (gameServer, error) {
	mode := challengeModes()[g.challenge]
	s := &gamespy2net.Server{Challenge: mode.ChallengeMode}
	players := gamespy2.Table{Columns: []string{"player_", "score_", "ping_", "team_"}}
	for i := range g.players {
		players.Rows = append(players.Rows, []string{
			playerName(i), strconv.Itoa(score(i)), strconv.Itoa(ping(i)), strconv.Itoa(1 + i%2),
		})
	}
	err := s.Set(gamespy2net.State{
		Info: []gamespy2.KeyValue{
			{Key: "hostname", Value: g.name},
			{Key: "gamename", Value: "gamequery"},
			{Key: "gamever", Value: g.version},
			{Key: "mapname", Value: g.level},
			{Key: "gametype", Value: g.gameType},
			{Key: "numplayers", Value: strconv.Itoa(g.players)},
			{Key: "maxplayers", Value: strconv.Itoa(g.maxPlayers)},
			{Key: "password", Value: "0"},
			{Key: "hostport", Value: strconv.Itoa(int(g.port))},
		},
		Players: players,
		Teams:   gamespy2.Table{Columns: []string{"team_t", "score_t"}, Rows: [][]string{{"Red", "0"}, {"Blue", "0"}}},
	})
	made := gameServer{
		serve:    s.Serve,
		shutdown: s.Shutdown,
		stats:    func() string { return traffic(s.Stats().Received, s.Stats().Sent) },
		note:     "challenge " + g.challenge + ": " + mode.meaning,
	}
	if err != nil || !g.master.IsValid() {
		return made, tooMany(err)
	}
	at := g.registered.orSample()
	registration := &gamespy2net.Registration{Server: s, Addr: g.master.String(), Game: at.game, Key: at.key}
	made.register = func(ctx context.Context, pc net.PacketConn) error {
		registration.Conn = pc
		return registration.Run(ctx)
	}
	made.stats = func() string {
		told := traffic(s.Stats().Received, s.Stats().Sent)
		if why := notListed(registration.Stats()); why != "" {
			told += fmt.Sprintf("; not listed at %s: %s", g.master, why)
		}
		return told
	}
	return made, nil
}

// notListed returns why a master does not list the server, as far as that is known.
func notListed(s gamespy2net.RegistrationStats) string {
	switch {
	case s.Err != nil:
		return s.Err.Error()
	case !s.Challenged:
		return "the master sent no challenge; check that it runs there and has the game"
	case !s.Registered:
		return "the master did not accept the answer to its challenge; check -key"
	}
	return ""
}

func newGameAgentServer(g game) (gameServer, error) {
	s := new(gameagentnet.Server)
	state := gameagentnet.State{
		SessionName: g.name,
		GameName:    "serioussamse",
		Version:     g.version,
		Level:       g.level,
		GameType:    g.gameType,
		MaxPlayers:  g.maxPlayers,
		GamePort:    g.port - 1,
	}
	for i := range g.players {
		state.Players = append(state.Players, gameagent.Player{
			Index: i, Name: playerName(i), Frags: int32(score(i)), Ping: ping(i),
		})
	}
	made := gameServer{
		serve:    s.Serve,
		shutdown: s.Shutdown,
		stats:    func() string { return traffic(s.Stats().Received, s.Stats().Sent) },
	}
	if err := s.Set(state); err != nil || !g.master.IsValid() {
		return made, tooMany(err)
	}
	s.LegacyKey = gameagent.LegacyGameKey
	// A master that knows one form ignores the other.
	registrations := []*gameagentnet.Registration{
		{Server: s, Addr: g.master.String()},
		{Server: s, Addr: g.master.String(), Form: gameagentnet.FormLegacy},
	}
	made.register = func(ctx context.Context, pc net.PacketConn) error {
		ended := make(chan error)
		for _, r := range registrations {
			r.Conn = pc
			go func() { ended <- r.Run(ctx) }()
		}
		return errors.Join(<-ended, <-ended)
	}
	made.stats = func() string {
		told := traffic(s.Stats().Received, s.Stats().Sent)
		if !slices.ContainsFunc(registrations, func(r *gameagentnet.Registration) bool { return r.Stats().Challenged }) {
			told += fmt.Sprintf("; the master %s never answered: check that it runs there", g.master)
		}
		return told
	}
	return made, nil
}

// score and ping are of player i.
func score(i int) int { return i * 7 % 40 }
func ping(i int) int  { return 20 + i*13%90 }

func traffic(received, sent uint64) string {
	return fmt.Sprintf("received %d datagrams, sent %d", received, sent)
}

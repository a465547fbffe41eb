package main

import (
	"context"
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
	if err != nil || len(g.masters) == 0 {
		return made, tooMany(err)
	}
	at := g.registered.orSample()
	registrations := map[string][]*gamespy2net.Registration{} // by the master
	for _, m := range g.masters {
		for _, addr := range m.addresses {
			r := &gamespy2net.Registration{Server: s, Addr: addr.String(), Game: at.game, Key: at.key}
			registrations[m.addr] = append(registrations[m.addr], r)
		}
	}
	made.register = func(ctx context.Context, pc net.PacketConn) error {
		var runs []func(context.Context) error
		for _, all := range registrations {
			for _, r := range all {
				r.Conn = pc
				runs = append(runs, r.Run)
			}
		}
		return runAll(ctx, runs)
	}
	made.stats = func() string {
		text := traffic(s.Stats().Received, s.Stats().Sent)
		for _, m := range g.masters {
			text += notListedAt(m.addr, registrations[m.addr])
		}
		return text
	}
	return made, nil
}

// notListedAt returns why no address of a master lists the server, "" if one does.
func notListedAt(master string, all []*gamespy2net.Registration) (text string) {
	for _, r := range all {
		why := notListed(r.Stats())
		if why == "" {
			return ""
		}
		text += fmt.Sprintf("; not listed at %s: %s", master, why)
		if r.Addr != master {
			text += " (" + r.Addr + ")"
		}
	}
	return text
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
	if err := s.Set(state); err != nil || len(g.masters) == 0 {
		return made, tooMany(err)
	}
	s.LegacyKey = gameagent.LegacyGameKey
	registrations := map[string][]*gameagentnet.Registration{} // by the master
	for _, m := range g.masters {
		for _, addr := range m.addresses {
			// A master that knows one form ignores the other.
			registrations[m.addr] = append(registrations[m.addr],
				&gameagentnet.Registration{Server: s, Addr: addr.String()},
				&gameagentnet.Registration{Server: s, Addr: addr.String(), Form: gameagentnet.FormLegacy})
		}
	}
	made.register = func(ctx context.Context, pc net.PacketConn) error {
		var runs []func(context.Context) error
		for _, all := range registrations {
			for _, r := range all {
				r.Conn = pc
				runs = append(runs, r.Run)
			}
		}
		return runAll(ctx, runs)
	}
	made.stats = func() string {
		text := traffic(s.Stats().Received, s.Stats().Sent)
		for _, m := range g.masters {
			if !slices.ContainsFunc(registrations[m.addr], func(r *gameagentnet.Registration) bool { return r.Stats().Challenged }) {
				text += fmt.Sprintf("; the master %s never answered: check that it runs there", m.addr)
			}
		}
		return text
	}
	return made, nil
}

// score and ping are of player i.
func score(i int) int { return i * 7 % 40 }
func ping(i int) int  { return 20 + i*13%90 }

func traffic(received, sent uint64) string {
	return fmt.Sprintf("received %d datagrams, sent %d", received, sent)
}

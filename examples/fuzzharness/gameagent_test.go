package fuzzharness

import (
	"bytes"
	"encoding"
	"net"
	"net/netip"
	"testing"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/gameagent"
)

// newGameAgentServer returns the server under test. Put yours here.
func newGameAgentServer() server {
	s := new(GameAgentServer)
	return server{s.Respond, func(v lobbywire.View) {
		game := GameAgentGame{
			SessionName: v.Name, Level: v.Map, GameType: v.Mode, Version: v.Version, MaxPlayers: *v.Max,
		}
		for _, p := range v.Roster {
			game.Players = append(game.Players, p.Name)
		}
		s.Set(game)
	}}
}

// gameAgentProtocol has no port: players join one below the port that answers. The server
// counts the names of players.
var gameAgentProtocol = protocol{
	query: queryGameAgent,
	shown: func(v lobbywire.View) lobbywire.View {
		v.Port, v.Players = 0, new(len(v.Roster))
		return v
	},
	edges: GameAgentEdges(),
}

// FuzzGameAgent fuzzes the server's function for one datagram.
func FuzzGameAgent(f *testing.F) {
	s := newGameAgentServer()
	gameAgentProtocol.fuzz(f, s.clients(), s.set, gameAgentSeeds(f), tryGameAgent)
}

// FuzzGameAgentSocket fuzzes the server behind a socket.
func FuzzGameAgentSocket(f *testing.F) {
	s := newGameAgentServer()
	gameAgentProtocol.fuzz(f, listenGameAgent(f, s), s.set, gameAgentSeeds(f), tryGameAgent)
}

// The server shows each state as soon as it is set.
func TestGameAgentShowsEachState(t *testing.T) {
	s := newGameAgentServer()
	if err := gameAgentProtocol.check(s.clients(), s.set); err != nil {
		t.Error(err)
	}
	if err := gameAgentProtocol.check(listenGameAgent(t, s), s.set); err != nil {
		t.Errorf("over a socket: %v", err)
	}
}

func gameAgentSeeds(t testing.TB) [][]byte {
	return golden(t, "gameagent", "client to server", "master to server")
}

func listenGameAgent(t testing.TB, s server) clients {
	return listen(t, func(conn *net.UDPConn) error { return serve(conn, s.respond) }, func(ask) ([2]mark, error) {
		return [2]mark{{gameagent.StatusRequest{}, '0'}, {gameagent.PingRequest{}, 4}}, nil
	})
}

// queryGameAgent asks for the status and the players, and returns what the answers show.
func queryGameAgent(a ask) (v lobbywire.View, err error) {
	b, err := answerOfGameAgent(a, gameagent.StatusRequest{})
	if err != nil {
		return v, err
	}
	status, err := gameagent.ParseStatus(b)
	if err != nil {
		return v, err
	}
	b, err = answerOfGameAgent(a, gameagent.PlayersRequest{})
	if err != nil {
		return v, err
	}
	players, err := gameagent.ParsePlayers(b)
	v = status.View()
	v.Game, v.Rules = "", nil // the same keys
	for _, p := range players.View().Roster {
		v.Roster = append(v.Roster, lobbywire.Player{Name: p.Name})
	}
	return v, err
}

// answerOfGameAgent sends a request that has one answer, and returns it.
func answerOfGameAgent(a ask, request encoding.BinaryAppender) ([]byte, error) {
	b, err := request.AppendBinary(nil)
	if err != nil {
		return nil, err
	}
	answers, err := a(b)
	if err == nil {
		err = JudgeGameAgent(b, answers)
	}
	if err != nil {
		return nil, err
	}
	return answers[0], nil
}

// tryGameAgent sends a request and checks the answers.
func tryGameAgent(all clients, request []byte) error {
	answers, err := all[0](request)
	if err != nil {
		return err
	}
	return JudgeGameAgent(request, answers)
}

// The harness detects these faults of servers.
func TestFaultsOfGameAgentAreFound(t *testing.T) {
	changed := func(old, with string) func(server) server {
		return answering(func(right server, from netip.AddrPort, req []byte) []byte {
			answer := right.respond(from, req)
			if answer == nil {
				return nil
			}
			return bytes.ReplaceAll(answer, []byte(old), []byte(with))
		})
	}
	for name, tt := range map[string]fault{
		"silent": {
			answering(func(server, netip.AddrPort, []byte) []byte { return nil }),
			"no answer",
		},
		"answers all": {
			answering(func(server, netip.AddrPort, []byte) []byte { return []byte{4, '0'} }),
			"answered, and must not be",
		},
		"spells a key":           {changed("maxplayers", "max"), "gameagent: key"},
		"a ping without players": {changed("\x042", "\x04"), "gameagent: players at byte 1: truncated"},
		"no end mark":            {changed("50\x03\x04", "50\x03"), "gameagent: end"},
		"a record has no number": {changed("frags_1", "frags"), "gameagent: key"},
		"does not end a text":    {changed("Player 1^r\x03", "Player 1^r"), "gameagent: "},
		"cuts answers": {
			answering(func(right server, from netip.AddrPort, req []byte) []byte {
				answer := right.respond(from, req)
				return answer[:min(len(answer), 512)]
			}),
			`state "full", client 0: gameagent: `,
		},
		"counts a player more": {changed("players;2;", "players;3;"), "players is 3, want 2"},
		"swaps map and mode": {
			setting(func(v lobbywire.View) lobbywire.View {
				v.Map, v.Mode = v.Mode, v.Map
				return v
			}),
			`map is "ctf", want "Harbor"; mode is "Harbor", want "ctf"`,
		},
		"shows an old state": {stale, `state "empty", client 0: the answer shows another state: players is 2, want 0`},
	} {
		t.Run(name, func(t *testing.T) {
			tt.wantNoticed(t, newGameAgentServer, gameAgentProtocol, gameAgentSeeds(t), tryGameAgent)
		})
	}
}

package fuzzharness

import (
	"bytes"
	"fmt"
	"net"
	"net/netip"
	"strconv"
	"testing"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/gamespy2"
)

// newGameSpyServer returns the server under test. Put yours here.
func newGameSpyServer() server {
	s := &GameSpyServer{Key: []byte("secret")}
	return server{s.Respond, func(v lobbywire.View) {
		game := GameSpyGame{Info: [][2]string{
			{"hostname", v.Name}, {"gametype", v.Mode}, {"gamever", v.Version}, {"mapname", v.Map},
			{"hostport", strconv.Itoa(int(v.Port))},
			{"numplayers", strconv.Itoa(*v.Players)}, {"maxplayers", strconv.Itoa(*v.Max)},
		}}
		for _, p := range v.Roster {
			game.Players = append(game.Players, p.Name)
		}
		s.Set(game)
	}}
}

var gameSpyProtocol = protocol{
	token: func(a ask) (uint32, error) {
		number, err := gameSpyChallenge(a)
		return uint32(number), err
	},
	query: queryGameSpy,
	shown: func(v lobbywire.View) lobbywire.View { return v },
	edges: GameSpyEdges(),
}

// FuzzGameSpy fuzzes the server's function for one datagram.
func FuzzGameSpy(f *testing.F) {
	s := newGameSpyServer()
	gameSpyProtocol.fuzz(f, s.clients(), s.set, gameSpySeeds(f), tryGameSpy)
}

// FuzzGameSpySocket fuzzes the server behind a socket.
func FuzzGameSpySocket(f *testing.F) {
	s := newGameSpyServer()
	gameSpyProtocol.fuzz(f, listenGameSpy(f, s), s.set, gameSpySeeds(f), tryGameSpy)
}

// The server shows each state as soon as it is set.
func TestGameSpyShowsEachState(t *testing.T) {
	s := newGameSpyServer()
	if err := gameSpyProtocol.check(s.clients(), s.set); err != nil {
		t.Error(err)
	}
	if err := gameSpyProtocol.check(listenGameSpy(t, s), s.set); err != nil {
		t.Errorf("over a socket: %v", err)
	}
}

func gameSpySeeds(t testing.TB) [][]byte { return golden(t, "gamespy2", "client to server") }

func listenGameSpy(t testing.TB, s server) clients {
	return listen(t, func(conn *net.UDPConn) error { return serve(conn, s.respond) }, func(a ask) ([2]mark, error) {
		number, err := gameSpyChallenge(a)
		return [2]mark{
			{gamespy2.Request{HasChallenge: true, Challenge: number, Info: gamespy2.All()}, byte(gamespy2.TypeQuery)},
			{gamespy2.Request{Type: gamespy2.TypeChallenge}, byte(gamespy2.TypeChallenge)},
		}, err
	})
}

// gameSpyChallenge requests a challenge from a server and returns its number.
func gameSpyChallenge(a ask) (int32, error) {
	c, err := challenge(a, gamespy2.Request{Type: gamespy2.TypeChallenge}, gamespy2.ParseChallengeResponse,
		gamespy2.Explain[gamespy2.ChallengeResponse])
	return c.Number, err
}

// queryGameSpy asks for all keys and all players, and returns what the answer shows.
func queryGameSpy(a ask) (v lobbywire.View, err error) {
	number, err := gameSpyChallenge(a)
	if err != nil {
		return v, err
	}
	q := gamespy2.Request{HasChallenge: true, Challenge: number, Info: gamespy2.All(), Players: gamespy2.All()}
	request, err := q.AppendBinary(nil)
	if err != nil {
		return v, err
	}
	answers, err := a(request)
	if err == nil {
		err = JudgeGameSpy(request, answers, number)
	}
	if err != nil {
		return v, err
	}
	m, err := gamespy2.Options{Sections: q.Sections()}.ParseResponse(answers[0])
	v = m.View()
	v.Rules = nil // the same keys
	return v, err
}

// tryGameSpy sends a request from the first client: unchanged, with its challenge, and
// with the challenges of the other clients. It checks the answers.
func tryGameSpy(all clients, request []byte) error {
	var own int32
	requests := []variant{{"unchanged", request}}
	m, err := gamespy2.ParseRequest(request)
	isQuery := err == nil && m.Type == gamespy2.TypeQuery
	for i, a := range all {
		number, err := gameSpyChallenge(a)
		if err != nil {
			return err
		}
		if i == 0 {
			own = number
		}
		if !isQuery {
			continue
		}
		m.HasChallenge, m.Challenge = true, number
		r, err := m.AppendBinary(nil)
		if err != nil {
			return err
		}
		requests = append(requests, variant{fmt.Sprintf("with the challenge of client %d", i), r})
	}
	for _, r := range requests {
		answers, err := all[0](r.request)
		if err == nil {
			err = JudgeGameSpy(r.request, answers, own)
		}
		if err != nil {
			return explained(fmt.Errorf("%s: %w", r.how, err), gamespy2.Explain[gamespy2.Request](r.request), r.request)
		}
	}
	return nil
}

// The harness detects these faults of servers.
func TestFaultsOfGameSpyAreFound(t *testing.T) {
	changed := func(old, with string) func(server) server {
		return answering(func(right server, from netip.AddrPort, req []byte) []byte {
			return bytes.ReplaceAll(right.respond(from, req), []byte(old), []byte(with))
		})
	}
	for name, tt := range map[string]fault{
		"silent": {
			answering(func(server, netip.AddrPort, []byte) []byte { return nil }),
			"0 answers to a challenge request",
		},
		"takes any challenge": {
			answering(func(right server, from netip.AddrPort, req []byte) []byte {
				if len(req) == 14 {
					c := right.respond(from, append([]byte{0xfe, 0xfd, 9}, req[3:7]...))
					number, _ := gamespy2.ParseChallengeResponse(c)
					m, err := gamespy2.Options{Challenge: true}.ParseRequest(req)
					m.Challenge = number.Number
					if r, _ := m.AppendBinary(nil); err == nil {
						req = r
					}
				}
				return right.respond(from, req)
			}),
			"answered, and must not be",
		},
		"gives one challenge to all ports of a host": {
			answering(oneToken),
			"clients 0 and 1 have the same token",
		},
		"takes the challenge of another port": {
			answering(tokenOf(1)),
			"with the challenge of client 1: answered, and must not be",
		},
		"forgets the id": {
			answering(func(right server, from netip.AddrPort, req []byte) []byte {
				answer := right.respond(from, req)
				if len(answer) > 5 {
					clear(answer[1:5])
				}
				return answer
			}),
			"another token or id",
		},
		"ends too early":             {changed("Player 1\x00", ""), "truncated"},
		"does not end the last text": {changed("Player 1\x00", "Player 1"), "truncated"},
		"cuts answers": {
			answering(func(right server, from netip.AddrPort, req []byte) []byte {
				answer := right.respond(from, req)
				return answer[:min(len(answer), 512)]
			}),
			`state "texts of 200 bytes", client 0: gamespy2: `,
		},
		"counts a player more": {changed("\x02player_", "\x03player_"), "players"},
		"swaps map and mode": {
			setting(func(v lobbywire.View) lobbywire.View {
				v.Map, v.Mode = v.Mode, v.Map
				return v
			}),
			`map is "ctf", want "Harbor"; mode is "Harbor", want "ctf"`,
		},
		"shows an old state": {stale, `state "empty", client 0: the answer shows another state: players is 2, want 0`},
		"has no name":        {changed("hostname", "host"), "no hostname"},
	} {
		t.Run(name, func(t *testing.T) {
			tt.wantNoticed(t, newGameSpyServer, gameSpyProtocol, gameSpySeeds(t), tryGameSpy)
		})
	}
}

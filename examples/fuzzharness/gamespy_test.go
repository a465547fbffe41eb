package fuzzharness

import (
	"bytes"
	"fmt"
	"net"
	"net/netip"
	"testing"

	"github.com/lobbywire/lobbywire/gamespy2"
)

// newGameSpyServer returns the server under test. Put yours here.
func newGameSpyServer() *GameSpyServer {
	return &GameSpyServer{
		Info:    [][2]string{{"hostname", "Duel"}, {"mapname", "Harbor"}, {"numplayers", "2"}, {"maxplayers", "16"}},
		Players: []string{"Ann", "Bob"},
		Key:     []byte("secret"),
	}
}

// FuzzGameSpy fuzzes the server's function for one datagram.
func FuzzGameSpy(f *testing.F) { fuzzGameSpy(f, respond(newGameSpyServer().Respond)) }

// FuzzGameSpySocket fuzzes the server behind a socket.
func FuzzGameSpySocket(f *testing.F) {
	fuzzGameSpy(f, listen(f, func(conn *net.UDPConn) error { return serve(conn, newGameSpyServer().Respond) },
		func(a ask) ([2]mark, error) {
			number, err := gameSpyChallenge(a)
			return [2]mark{
				{gamespy2.Request{HasChallenge: true, Challenge: number, Info: gamespy2.All()}, byte(gamespy2.TypeQuery)},
				{gamespy2.Request{Type: gamespy2.TypeChallenge}, byte(gamespy2.TypeChallenge)},
			}, err
		}))
}

func fuzzGameSpy(f *testing.F, a ask) {
	fuzz(f, golden(f, "gamespy2", "client to server"), func(request []byte) error { return tryGameSpy(a, request) })
}

// gameSpyChallenge requests a challenge from a server and returns its number.
func gameSpyChallenge(a ask) (int32, error) {
	c, err := challenge(a, gamespy2.Request{Type: gamespy2.TypeChallenge}, gamespy2.ParseChallengeResponse,
		gamespy2.Explain[gamespy2.ChallengeResponse])
	return c.Number, err
}

// tryGameSpy gets a challenge, sends a request unchanged, with the challenge in
// it and with a different one, and checks the answers.
func tryGameSpy(a ask, request []byte) error {
	number, err := gameSpyChallenge(a)
	if err != nil {
		return err
	}
	requests := [][]byte{request}
	if m, err := gamespy2.ParseRequest(request); err == nil && m.Type == gamespy2.TypeQuery {
		for _, m.Challenge = range []int32{number, number + 1} {
			m.HasChallenge = true
			r, err := m.AppendBinary(nil)
			if err != nil {
				return err
			}
			requests = append(requests, r)
		}
	}
	for _, r := range requests {
		answers, err := a(r)
		if err == nil {
			err = judgeGameSpy(r, answers, number)
		}
		if err != nil {
			return explained(err, gamespy2.Explain[gamespy2.Request](r), r)
		}
	}
	return nil
}

// judgeGameSpy returns an error if the answers to a request are wrong. The
// request comes from an address that has a challenge.
func judgeGameSpy(request []byte, answers [][]byte, number int32) error {
	m, err := gamespy2.Options{Challenge: true}.ParseRequest(request)
	least, most := 0, 0
	switch {
	case err != nil:
	case m.Type == gamespy2.TypeChallenge:
		least, most = 1, 1
	case m.Type != gamespy2.TypeQuery:
		most = 1 // a server need not answer an echo request
	case m.Challenge != number, m.Sections() == 0:
	case m.Info == gamespy2.All() && m.Flags == 0 && wholeOrNone(m.Players) && wholeOrNone(m.Teams):
		least, most = 1, 1
	case m.Split():
		most = gamespy2.MaxPackets // nor queries of version 3
	default:
		most = 1 // nor those for single keys
	}
	if n := len(answers); n < least || n > most {
		return fmt.Errorf("%d answers, want %d to %d", n, least, most)
	}
	for _, b := range answers {
		if err := judgeGameSpyAnswer(m, request, b); err != nil {
			return err
		}
	}
	return nil
}

// wholeOrNone reports whether a query selects all keys of a section, or none.
func wholeOrNone(s gamespy2.Selector) bool {
	return s == gamespy2.All() || s == gamespy2.Selector{}
}

// judgeGameSpyAnswer returns an error if an answer is wrong.
func judgeGameSpyAnswer(m gamespy2.Request, request, b []byte) error {
	if len(b) < 5 || !bytes.Equal(b[1:5], request[3:7]) {
		return fmt.Errorf("the answer %x does not have the id of the request", b)
	}
	if m.Type == gamespy2.TypeChallenge {
		_, err := gamespy2.ParseChallengeResponse(b)
		if err != nil {
			return explained(err, gamespy2.Explain[gamespy2.ChallengeResponse](b), b)
		}
		return nil
	}
	answer, err := gamespy2.Options{Strict: true, Sections: m.Sections(), Part: m.Split()}.ParseResponse(b)
	if err != nil {
		return explained(err, gamespy2.Explain[gamespy2.Response](b), b)
	}
	if _, ok := answer.Lookup("hostname"); !ok && m.Info == gamespy2.All() {
		return fmt.Errorf("no hostname in %x", b)
	}
	return nil
}

// The harness detects the faults of these servers.
func TestFaultyGameSpyServers(t *testing.T) {
	right := newGameSpyServer()
	changed := func(old, with string) func(netip.AddrPort, []byte) []byte {
		return func(from netip.AddrPort, req []byte) []byte {
			return bytes.ReplaceAll(right.Respond(from, req), []byte(old), []byte(with))
		}
	}
	for name, tt := range map[string]struct {
		server func(from netip.AddrPort, req []byte) []byte
		want   string
	}{
		"silent": {
			func(netip.AddrPort, []byte) []byte { return nil },
			"0 answers to a challenge request",
		},
		"takes any challenge": {
			func(from netip.AddrPort, req []byte) []byte {
				if len(req) == 14 {
					return right.answer(req[3:7], req[11:])
				}
				return right.Respond(from, req)
			},
			"1 answers, want 0 to 0",
		},
		"forgets the id": {
			func(from netip.AddrPort, req []byte) []byte {
				answer := right.Respond(from, req)
				if len(answer) > 5 {
					clear(answer[1:5])
				}
				return answer
			},
			"does not have the id",
		},
		"ends too early":       {changed("Bob\x00", ""), "truncated"},
		"counts a player more": {changed("\x02player_", "\x03player_"), "players"},
		"has no name":          {changed("hostname", "host"), "no hostname"},
	} {
		t.Run(name, func(t *testing.T) {
			wantNoticed(t, tt.want, golden(t, "gamespy2", "client to server"), func(seed []byte) error {
				return tryGameSpy(respond(tt.server), seed)
			})
		})
	}
}

package fuzzharness

import (
	"bytes"
	"fmt"
	"net"
	"net/netip"
	"testing"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/gameagent"
)

// newGameAgentServer returns the server under test. Put yours here.
func newGameAgentServer() *GameAgentServer {
	return &GameAgentServer{Level: "Yodeller", SessionName: "Duel", MaxPlayers: 8, Players: []string{"Ann", "Bob"}}
}

// FuzzGameAgent fuzzes the server's function for one datagram.
func FuzzGameAgent(f *testing.F) { fuzzGameAgent(f, respond(newGameAgentServer().Respond)) }

// FuzzGameAgentSocket fuzzes the server behind a socket.
func FuzzGameAgentSocket(f *testing.F) {
	fuzzGameAgent(f, listen(f, func(conn *net.UDPConn) error { return serve(conn, newGameAgentServer().Respond) },
		func(ask) ([2]mark, error) {
			return [2]mark{{gameagent.StatusRequest{}, '0'}, {gameagent.PingRequest{}, 4}}, nil
		}))
}

func fuzzGameAgent(f *testing.F, a ask) {
	fuzz(f, golden(f, "gameagent", "client to server", "master to server"),
		func(request []byte) error { return tryGameAgent(a, request) })
}

// tryGameAgent sends a request and checks the answers.
func tryGameAgent(a ask, request []byte) error {
	answers, err := a(request)
	if err != nil {
		return err
	}
	if m, err := gameagent.ParseToServer(request); err == nil {
		if err := judgeGameAgent(m, answers); err != nil {
			return fmt.Errorf("%w\nrequest: %x", err, request)
		}
		return nil
	}
	if len(answers) > 0 {
		return fmt.Errorf("%d answers to what is no request: %x", len(answers), request)
	}
	return nil
}

// judgeGameAgent returns an error if the answers to a request are wrong. Games
// check only its first byte, and only servers of the legacy form send legacy
// answers.
func judgeGameAgent(request gameagent.ToServer, answers [][]byte) error {
	strict := gameagent.Options{Strict: true}
	want := 1
	var parse func(b []byte) (lobbywire.Explanation, error)
	switch request.(type) {
	case gameagent.StatusRequest:
		parse = func(b []byte) (lobbywire.Explanation, error) {
			_, err := strict.ParseStatus(b)
			return gameagent.Explain[gameagent.Status](b), err
		}
	case gameagent.PlayersRequest:
		parse = func(b []byte) (lobbywire.Explanation, error) {
			_, err := strict.ParsePlayers(b)
			return gameagent.Explain[gameagent.Players](b), err
		}
	case gameagent.PingRequest:
		parse = func(b []byte) (lobbywire.Explanation, error) {
			_, err := gameagent.ParsePing(b)
			return gameagent.Explain[gameagent.Ping](b), err
		}
	default:
		want = 0
	}
	if len(answers) != want {
		return fmt.Errorf("%d answers, want %d", len(answers), want)
	}
	for _, b := range answers {
		if e, err := parse(b); err != nil {
			return explained(err, e, b)
		}
	}
	return nil
}

// The harness detects the faults of these servers.
func TestFaultyGameAgentServers(t *testing.T) {
	right := newGameAgentServer()
	changed := func(old, with string) func(netip.AddrPort, []byte) []byte {
		return func(from netip.AddrPort, req []byte) []byte {
			answer := right.Respond(from, req)
			if answer == nil {
				return nil
			}
			return bytes.ReplaceAll(answer, []byte(old), []byte(with))
		}
	}
	for name, tt := range map[string]struct {
		server func(from netip.AddrPort, req []byte) []byte
		want   string
	}{
		"silent":                 {func(netip.AddrPort, []byte) []byte { return nil }, "0 answers, want 1"},
		"answers all":            {func(netip.AddrPort, []byte) []byte { return []byte{4, '0'} }, "1 answers, want 0"},
		"spells a key":           {changed("maxplayers", "max"), "gameagent: key"},
		"a ping without players": {changed("\x042", "\x04"), "gameagent: players at byte 1: truncated"},
		"no end mark":            {changed("50\x03\x04", "50\x03"), "gameagent: end"},
		"a record has no number": {changed("frags_1", "frags"), "gameagent: key"},
	} {
		t.Run(name, func(t *testing.T) {
			wantNoticed(t, tt.want, golden(t, "gameagent", "client to server", "master to server"),
				func(seed []byte) error {
					return tryGameAgent(respond(tt.server), seed)
				})
		})
	}
}

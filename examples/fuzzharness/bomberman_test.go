package fuzzharness

import (
	"bytes"
	"fmt"
	"testing"

	"github.com/lobbywire/lobbywire/bomberman"
)

// FuzzBomberman fuzzes the server's function for one connection.
func FuzzBomberman(f *testing.F) {
	fuzzBomberman(f, converse(new(BombermanServer).Converse))
}

// FuzzBombermanSocket fuzzes the server behind a socket.
func FuzzBombermanSocket(f *testing.F) { fuzzBomberman(f, listenTCP(f, new(BombermanServer).Serve)) }

func fuzzBomberman(f *testing.F, server talk) {
	fuzz(f, bombermanSeeds(f), func(stream []byte) error { return tryBomberman(server, stream) })
}

// bombermanSeeds returns the golden files of messages to management servers:
// each unchanged and, if it is a single message, also re-encoded and followed
// by a query, whose answer shows its effect.
func bombermanSeeds(t testing.TB) (all [][]byte) {
	t.Helper()
	for _, frame := range golden(t, "bomberman", "server to master", "client to master", "either") {
		all = append(all, frame)
		m, err := bomberman.ParseFrame(frame)
		if err != nil {
			continue
		}
		stream, err := bomberman.AppendMessage(nil, m)
		if err != nil {
			continue // real programs send it, but the encoder refuses it
		}
		stream, err = bomberman.AppendMessage(stream, bomberman.QueryGameServers{})
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, stream)
	}
	return all
}

// tryBomberman sends a stream, checks the answers, and then checks that the
// server still answers.
func tryBomberman(server talk, stream []byte) error {
	query, err := bomberman.AppendMessage(nil, bomberman.QueryGameServers{})
	if err != nil {
		return err
	}
	return server.tryAll(JudgeBomberman, stream, query)
}

// The list shows each game as it was registered, and immediately.
func TestBombermanListsGamesAsRegistered(t *testing.T) {
	if err := checkBombermanGames(converse(new(BombermanServer).Converse)); err != nil {
		t.Error(err)
	}
	if err := checkBombermanGames(listenTCP(t, new(BombermanServer).Serve)); err != nil {
		t.Errorf("over a socket: %v", err)
	}
}

// checkBombermanGames registers one game after the other on one connection, and asks for
// the list after each.
func checkBombermanGames(server talk) error {
	games := BombermanGames()
	var stream []byte
	for _, g := range games {
		for _, m := range []bomberman.Message{g, bomberman.QueryGameServers{}} {
			var err error
			if stream, err = bomberman.AppendMessage(stream, m); err != nil {
				return err
			}
		}
	}
	answers, err := server(stream)
	if err == nil {
		err = JudgeBomberman(stream, answers)
	}
	if err != nil {
		return err
	}
	var framer bomberman.Framer
	for i, g := range games {
		payload, rest, err := framer.Next(answers)
		if err != nil {
			return err
		}
		answers = rest
		list, err := bomberman.ParseQueryGameServersResponse(payload)
		if err != nil {
			return err
		}
		if n := len(list.Servers); n != 1 {
			return fmt.Errorf("list %d has %d games, want 1", i, n)
		}
		v := list.Servers[0].View()
		v.Mode, v.Players, v.Max, v.Rules = "", nil, nil, nil // what no registration has
		if err := Differ(g.View(), v); err != nil {
			return fmt.Errorf("list %d: %w", i, err)
		}
	}
	return nil
}

// The harness detects the faults of these servers.
func TestFaultsOfBombermanAreFound(t *testing.T) {
	for name, tt := range map[string]struct {
		change func(answers []byte) []byte
		want   string
	}{
		"silent":        {func([]byte) []byte { return nil }, "0 of 1 queries are answered"},
		"answers twice": {func(b []byte) []byte { return append(b, b...) }, "2 answers to 1 queries"},
		"forgets the line end": {
			func(b []byte) []byte { return bytes.ReplaceAll(b, []byte("\n"), []byte(" ")) },
			"newline at byte 60: invalid value",
		},
		"counts one short": {
			func(b []byte) []byte { return bytes.ReplaceAll(b, []byte("59{"), []byte("58{")) },
			"newline at byte 59: invalid value",
		},
		"sends a query back": {
			func([]byte) []byte { return []byte(`33{"command":"msQueryGameServers"}` + "\n") },
			"command at byte 11: invalid value",
		},
		"lists a port that none is": {
			func(b []byte) []byte { return bytes.ReplaceAll(b, []byte(`"port":2`), []byte(`"port":9`)) },
			"content.servers[0].port at byte",
		},
		"swaps name and address": {
			func(b []byte) []byte {
				b = bytes.ReplaceAll(b, []byte(`"name"`), []byte(`"nom"`))
				b = bytes.ReplaceAll(b, []byte(`"address"`), []byte(`"name"`))
				return bytes.ReplaceAll(b, []byte(`"nom"`), []byte(`"address"`))
			},
			"address at byte 66: invalid value: is neither an IP address nor a host name",
		},
		"shows an old list": {
			func(b []byte) []byte {
				first := bytes.IndexByte(b, '\n') + 1
				return bytes.Repeat(b[:first], bytes.Count(b, []byte("\n")))
			},
			`list 1: the answer shows another state: host is "192.0.2.7"`,
		},
	} {
		t.Run(name, func(t *testing.T) {
			faulty := converse(new(BombermanServer).Converse).changed(tt.change)
			tries := []func() error{func() error { return checkBombermanGames(faulty) }}
			for _, seed := range bombermanSeeds(t) {
				tries = append(tries, func() error { return tryBomberman(faulty, seed) })
			}
			wantError(t, tt.want, tries)
		})
	}
}

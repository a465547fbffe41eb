package fuzzharness

import (
	"bytes"
	"encoding"
	"fmt"
	"io"
	"testing"

	"github.com/lobbywire/lobbywire/warzone"
)

// newWarzoneTalk returns a talk with the lobby under test, in this process, from an
// address. Put yours here.
func newWarzoneTalk(from string) talk {
	lobby := new(WarzoneLobby)
	return converse(func(r io.Reader, w io.Writer) error { return lobby.Converse(from, r, w) })
}

// FuzzWarzone fuzzes the lobby's function for one connection.
func FuzzWarzone(f *testing.F) { fuzzWarzone(f, newWarzoneTalk("192.0.2.7")) }

// FuzzWarzoneSocket fuzzes the lobby behind a socket.
func FuzzWarzoneSocket(f *testing.F) { fuzzWarzone(f, listenTCP(f, new(WarzoneLobby).Serve)) }

func fuzzWarzone(f *testing.F, lobby talk) {
	fuzz(f, warzoneSeeds(f), func(stream []byte) error { return tryWarzone(lobby, stream) })
}

// warzoneSeeds returns the golden files of messages from hosts and clients:
// each unchanged, and each followed by a request for the list.
func warzoneSeeds(t testing.TB) (all [][]byte) {
	t.Helper()
	list, err := warzone.ListRequest{}.AppendBinary(nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, stream := range golden(t, "warzone", "server to master", "client to master") {
		all = append(all, stream, append(bytes.Clone(stream), list...))
	}
	return all
}

// tryWarzone sends a stream, checks the answers, and then checks that the lobby
// still answers.
func tryWarzone(lobby talk, stream []byte) error {
	list, err := warzone.ListRequest{}.AppendBinary(nil)
	if err != nil {
		return err
	}
	return lobby.tryAll(JudgeWarzone, stream, list)
}

// The list shows each game as it was added or updated, with the address of its host.
func TestWarzoneListsGamesAsAdded(t *testing.T) {
	for _, from := range []string{"192.0.2.7", "198.51.100.255", "2001:db8::7"} {
		if err := checkWarzoneGames(newWarzoneTalk(from), from); err != nil {
			t.Errorf("from %s: %v", from, err)
		}
	}
	if err := checkWarzoneGames(listenTCP(t, new(WarzoneLobby).Serve), "127.0.0.1"); err != nil {
		t.Errorf("over a socket: %v", err)
	}
}

// checkWarzoneGames adds each game on a connection from an address, updates it to the
// next one, and asks for the list.
func checkWarzoneGames(lobby talk, from string) error {
	games := WarzoneGames()
	for i, added := range games {
		updated := games[(i+1)%len(games)]
		var stream []byte
		for _, m := range []encoding.BinaryAppender{
			warzone.AddGame{Game: added}, warzone.Update{Game: updated}, warzone.ListRequest{},
		} {
			var err error
			if stream, err = m.AppendBinary(stream); err != nil {
				return err
			}
		}
		answers, err := lobby(stream)
		if err == nil {
			err = JudgeWarzone(stream, answers)
		}
		if err != nil {
			return fmt.Errorf("game %d: %w", i, err)
		}
		hello := warzone.LobbyStream{HasGameID: true}
		for range 2 { // the statuses of the two messages
			if _, answers, err = hello.NextResponse(answers); err != nil {
				return err
			}
		}
		list, err := warzone.ParseListReply(answers)
		if err != nil {
			return err
		}
		if n := len(list.Games); n != 1 {
			return fmt.Errorf("game %d: %d games in the list, want 1", i, n)
		}
		want := updated.View()
		want.Host = from
		if err := Differ(want, list.Games[0].View()); err != nil {
			return fmt.Errorf("game %d: %w", i, err)
		}
	}
	return nil
}

// The harness detects the faults of these lobbies.
func TestFaultsOfWarzoneAreFound(t *testing.T) {
	for name, tt := range map[string]struct {
		change func(answers []byte) []byte
		want   string
	}{
		"silent":        {func([]byte) []byte { return nil }, "games.count at byte 0: truncated"},
		"answers twice": {func(b []byte) []byte { return append(b, b...) }, "secondBatch[0]"},
		"leaves out the status": {
			func(b []byte) []byte { return bytes.TrimSuffix(b, status("")) },
			"no status after the games",
		},
		"keeps the address of the host": {
			func(b []byte) []byte { return bytes.ReplaceAll(b, []byte("192.0.2.7"), make([]byte, 9)) },
			"no address",
		},
		"gives out no ids": {
			func(b []byte) []byte { return append(make([]byte, min(len(b), 4)), b[min(len(b), 4):]...) },
			"0 is no id",
		},
		"counts a text one short": {
			func(b []byte) []byte { return bytes.ReplaceAll(b, []byte("\x07Welcome"), []byte("\x06Welcome")) },
			"limit exceeded",
		},
		"has the port in the other byte order": {
			func(b []byte) []byte { return bytes.ReplaceAll(b, []byte{0x64, 0x01}, []byte{0x01, 0x64}) },
			"port is 356, want 25601",
		},
		"counts a player more": {
			func(b []byte) []byte {
				return bytes.ReplaceAll(b, []byte{0, 10, 0, 0, 0, 2}, []byte{0, 10, 0, 0, 0, 3})
			},
			"players is 3, want 2",
		},
		"shows the map as the name": {
			func(b []byte) []byte { return bytes.ReplaceAll(b, []byte("Duel\x00\x00"), []byte("Harbor")) },
			`name is "Harbor", want "Duel"`,
		},
	} {
		t.Run(name, func(t *testing.T) {
			faulty := newWarzoneTalk("192.0.2.7").changed(tt.change)
			tries := []func() error{func() error { return checkWarzoneGames(faulty, "192.0.2.7") }}
			for _, seed := range warzoneSeeds(t) {
				tries = append(tries, func() error { return tryWarzone(faulty, seed) })
			}
			wantError(t, tt.want, tries)
		})
	}
}

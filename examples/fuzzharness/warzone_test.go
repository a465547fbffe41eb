package fuzzharness

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"testing"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/warzone"
)

// newWarzoneTalk returns a talk with the lobby under test, in this process. Put
// yours here.
func newWarzoneTalk() talk {
	lobby := new(WarzoneLobby)
	return converse(func(r io.Reader, w io.Writer) error { return lobby.Converse("192.0.2.7", r, w) })
}

// FuzzWarzone fuzzes the lobby's function for one connection.
func FuzzWarzone(f *testing.F) { fuzzWarzone(f, newWarzoneTalk()) }

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
	return lobby.tryAll(judgeWarzone, stream, list)
}

// judgeWarzone returns an error if the answers to a stream are wrong. Answers
// do not contain their types, which follow from the requests.
func judgeWarzone(stream, answers []byte) error {
	requests := warzone.HostStream{Options: warzone.Options{Strict: true}}
	id, host := false, false // the connection has requested an id, has added a game
	for {
		m, rest, err := requests.NextRequest(stream)
		if errors.Is(err, lobbywire.ErrTruncated) {
			break
		}
		if err != nil {
			return nil // a lobby may treat the rest in any way
		}
		stream = rest
		switch m := m.(type) {
		case warzone.GameIDRequest:
			if id || host {
				return nil // real games request an id once, before they add the game
			}
			id = true
			answers, err = judgeGameID(answers)
		case warzone.AddGame:
			if m.Game.Layout != warzone.LayoutVersioned || m.Game.Version != version {
				return nil // a lobby need not know hosts of all versions
			}
			host = true
			answers, err = judgeStatus(answers)
		case warzone.Update:
			answers, err = judgeStatus(answers)
		case warzone.ListRequest:
			return judgeList(answers)
		case warzone.Keep:
		default:
			return nil // a lobby need not know the request
		}
		if err != nil {
			return err
		}
	}
	if len(answers) > 0 {
		return fmt.Errorf("%d unexpected bytes: %x", len(answers), answers)
	}
	return nil
}

func judgeGameID(answers []byte) (rest []byte, err error) {
	first := answers[:min(len(answers), 4)]
	m, err := warzone.ParseGameIDReply(first)
	if err == nil && m.GameID == 0 {
		err = errors.New("0 is no id")
	}
	if err != nil {
		return nil, explained(err, warzone.Explain[warzone.GameIDReply](first), first)
	}
	return answers[len(first):], nil
}

func judgeStatus(answers []byte) (rest []byte, err error) {
	s := warzone.LobbyStream{HasGameID: true}
	_, rest, err = s.NextResponse(answers)
	if err != nil {
		return nil, explained(err, warzone.Explain[warzone.Status](answers), answers)
	}
	return rest, nil
}

// judgeList returns an error if the answer to a list request is wrong. After
// the answer, a lobby closes the connection.
func judgeList(answers []byte) error {
	list, err := warzone.Options{Strict: true}.ParseListReply(answers)
	if err != nil {
		return explained(err, warzone.Explain[warzone.ListReply](answers), answers)
	}
	for i, game := range list.Games {
		if game.Host == "" {
			return fmt.Errorf("game %d has no address: nobody can join it", i)
		}
	}
	if list.Status == nil {
		return errors.New("no status after the games: clients since 3.1 show none")
	}
	return nil
}

// The harness detects the faults of these lobbies.
func TestFaultyWarzoneLobbies(t *testing.T) {
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
			"unexpected bytes",
		},
	} {
		t.Run(name, func(t *testing.T) {
			faulty := newWarzoneTalk().changed(tt.change)
			wantNoticed(t, tt.want, warzoneSeeds(t), func(seed []byte) error { return tryWarzone(faulty, seed) })
		})
	}
}

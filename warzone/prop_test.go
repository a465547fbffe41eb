package warzone_test

import (
	"bytes"
	"testing"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/internal/test/codectest"
	"github.com/lobbywire/lobbywire/internal/test/golden"
	"github.com/lobbywire/lobbywire/warzone"
)

var (
	hostStreams  = hostStream(warzone.Options{})
	lobbyStreams = lobbyStream(warzone.LobbyStream{})
)

// hostStream returns the law of the stream of a host.
func hostStream(o warzone.Options) stream {
	return stream{
		Proto: "warzone",
		Open: func() func([]byte) (codectest.Message, []byte, error) {
			s := warzone.HostStream{Options: o}
			return func(b []byte) (codectest.Message, []byte, error) { return s.NextRequest(b) }
		},
		Explain: explainHosts,
		Members: []codectest.Message{
			warzone.GameIDRequest{}, warzone.AddGame{}, warzone.Update{}, warzone.Keep{},
			warzone.ListRequest{}, warzone.JoinRequest{}, warzone.MOTDRequest{}, warzone.Unknown{},
		},
	}
}

// explainHosts explains a request. The bytes alone do not show that a game without
// a version word is an update.
func explainHosts(m codectest.Message, b []byte) lobbywire.Explanation {
	u, ok := m.(warzone.Update)
	if !ok || u.Game.Layout != warzone.Layout20 && u.Game.Layout != warzone.Layout21 {
		return warzone.ExplainRequest(b)
	}
	e := warzone.Explain[warzone.Game](b)
	for i := range e.Fields {
		e.Fields[i].Name = "game." + e.Fields[i].Name
	}
	return e
}

// lobbyStream returns the law of the stream of a lobby to a host, from start on.
func lobbyStream(start warzone.LobbyStream) stream {
	return stream{
		Proto: "warzone",
		Open: func() func([]byte) (codectest.Message, []byte, error) {
			s := start
			return func(b []byte) (codectest.Message, []byte, error) { return s.NextResponse(b) }
		},
		Explain: func(m codectest.Message, b []byte) lobbywire.Explanation {
			if _, ok := m.(warzone.GameIDReply); ok {
				return warzone.Explain[warzone.GameIDReply](b)
			}
			return warzone.Explain[warzone.Status](b)
		},
		Members: []codectest.Message{warzone.GameIDReply{}, warzone.Status{}},
	}
}

// specialLaw returns the law of a golden file that needs more than its message.
//
//wire:test
func specialLaw(t testing.TB, f golden.File) codectest.Law {
	switch f.Message() {
	case "HostStream":
		return hostStreams
	case "LobbyStream":
		return lobbyStreams
	}
	return nil
}

// strict refuses any bytes that AppendBinary would write differently.
var strict = warzone.Options{Strict: true}

func TestStrictIsCanonical(t *testing.T) {
	for _, f := range golden.Load(t) {
		for n := range len(f.Data) + 1 {
			checkStrict(t, f.Data[:n])
		}
	}
}

func checkStrict(t *testing.T, b []byte) {
	t.Helper()
	checkCanonical(t, b, strict.ParseGame)
	checkCanonical(t, b, strict.ParseRequest)
	checkCanonical(t, b, strict.ParseListReply)
}

// checkCanonical checks that a message that parse accepts is appended as the same
// bytes.
func checkCanonical[T codectest.Message](t *testing.T, b []byte, parse func([]byte) (T, error)) {
	t.Helper()
	m, err := parse(b)
	if err != nil {
		return
	}
	if got, err := m.AppendBinary(nil); err != nil || !bytes.Equal(got, b) {
		t.Fatalf("%x is strictly valid, but appended as %x, %v", b, got, err)
	}
}

// All recorded messages are strictly valid, except the messages of the PHP lobby.
func TestRealMessagesAreStrict(t *testing.T) {
	for _, name := range []string{"host_update1", "host_update2", "game_20", "game_22", "game_32"} {
		if _, err := strict.ParseGame(golden.Read(t, name)); err != nil {
			t.Errorf("%s is no game: %v", name, err)
		}
	}
	for _, name := range []string{"list_legacy", "list_empty", "record_list", "record_list_empty", "list_replaced",
		"list_continued"} {
		if _, err := strict.ParseListReply(golden.Read(t, name)); err != nil {
			t.Errorf("%s is no list: %v", name, err)
		}
	}
	session := golden.Read(t, "host_session")
	if all, left, err := hostStream(strict).Read(session, func() int { return len(session) }); len(all) != 6 ||
		len(left) > 0 || err != nil {
		t.Errorf("%d requests, %d bytes left, %v", len(all), len(left), err)
	}
}

// optionsFor returns the Options for parsing the encoding of m: a game does not
// always show its layout.
//
//wire:test
func optionsFor(m any) warzone.Options {
	switch m := m.(type) {
	case warzone.Game:
		return warzone.Options{Layout: m.Layout}
	case warzone.AddGame:
		return warzone.Options{Layout: m.Game.Layout}
	case warzone.Update:
		return warzone.Options{Layout: m.Game.Layout}
	}
	return warzone.Options{}
}

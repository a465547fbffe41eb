package bomberman_test

import (
	"encoding/json"
	"errors"
	"testing"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/bomberman"
)

// server returns an entry that is in order.
func server() bomberman.Server {
	return bomberman.Server{
		Name: "Feuerland", Address: "192.168.0.10", Port: 20000,
		Players: bomberman.PlayerCount{Current: 1, Max: 4}, IsLobbyOpen: true, GameplayMode: 1,
	}
}

func list(servers ...bomberman.Server) bomberman.QueryGameServersResponse {
	return bomberman.QueryGameServersResponse{Servers: append([]bomberman.Server{}, servers...)}
}

// with returns a server that was changed.
func with(change func(s *bomberman.Server)) bomberman.Server {
	s := server()
	change(&s)
	return s
}

func TestQueryGameServersResponse(t *testing.T) {
	const head = `{"command":"msRQueryGameServers","content":{"servers":[`
	const entry = `{"name":"Feuerland","address":"192.168.0.10","port":20000,"players":{"current":1,"max":4},"isLobbyOpen":true,"gameplayMode":1}`
	odd := bomberman.Server{Address: "1.2.3", Port: 70000, Players: bomberman.PlayerCount{Current: -5, Max: 99}, GameplayMode: -1}
	testParse(t, bomberman.Options.ParseQueryGameServersResponse, []parseCase[bomberman.QueryGameServersResponse]{
		{name: "none", in: head + `]}}`, want: list()},
		{name: "two", in: head + entry + `,` + entry + `]}}`, want: list(server(), server())},
		{name: "member of an entry", in: head + entry[:len(entry)-1] + `,"map":{"a":1}}]},"v":2}`,
			want: bomberman.QueryGameServersResponse{
				Servers:  []bomberman.Server{with(func(s *bomberman.Server) { s.Extra = map[string]json.RawMessage{"map": []byte(`{"a":1}`)} })},
				Envelope: bomberman.Envelope{EnvelopeExtra: map[string]json.RawMessage{"v": []byte("2")}},
			}},
		{name: "odd values", in: head + `{"name":"","address":"1.2.3","port":70000,"players":{"current":-5,"max":99},"isLobbyOpen":false,"gameplayMode":-1}]}}`,
			want: list(odd), strict: lobbywire.ErrInvalid, out: "refused"},
		{name: "port that no integer holds", in: head + `{"port":3000000000,`, kind: lobbywire.ErrInvalid, field: "content.servers[0].port", offset: 63},
		{name: "entry without a mode", in: head + entry + `,` + entry[:len(entry)-len(`,"gameplayMode":1}`)] + `}]}}`,
			kind: lobbywire.ErrInvalid, field: "content.servers[1].gameplayMode", offset: 290},
		{name: "null for an entry", in: head + `null]}}`, kind: lobbywire.ErrInvalid, field: "content.servers[0]", offset: 55},
		{name: "no array", in: `{"command":"msRQueryGameServers","content":{"servers":{}}}`, kind: lobbywire.ErrInvalid, field: "content.servers", offset: 54},
		{name: "cut between entries", in: head + entry + `,`, kind: lobbywire.ErrTruncated, field: "content.servers[1]", offset: 182},
	})
	testRefusals(t, []refusal{
		{"name", list(server(), with(func(s *bomberman.Server) { s.Name = "" })), lobbywire.ErrInvalid, "content.servers[1].name"},
		{"address", list(with(func(s *bomberman.Server) { s.Address = "::g" })), lobbywire.ErrInvalid, "content.servers[0].address"},
		{"port", list(with(func(s *bomberman.Server) { s.Port = bomberman.Port })), lobbywire.ErrInvalid, "content.servers[0].port"},
		{"current", list(with(func(s *bomberman.Server) { s.Players.Current = -1 })), lobbywire.ErrInvalid, "content.servers[0].players.current"},
		{"max", list(with(func(s *bomberman.Server) { s.Players.Max = 1 })), lobbywire.ErrInvalid, "content.servers[0].players.max"},
		{"mode", list(with(func(s *bomberman.Server) { s.GameplayMode = 3 })), lobbywire.ErrInvalid, "content.servers[0].gameplayMode"},
		{"too long", list(tooMany()...), lobbywire.ErrTooLarge, ""},
	})
}

// tooMany returns more servers than fit.
func tooMany() []bomberman.Server {
	servers := make([]bomberman.Server, 600)
	for i := range servers {
		servers[i] = server()
	}
	return servers
}

func TestClipServers(t *testing.T) {
	servers := tooMany()
	clipped := bomberman.ClipServers(servers)
	b, err := list(clipped...).MarshalBinary()
	if err != nil || len(b) > bomberman.MaxPayload-1 {
		t.Errorf("%d servers have %d bytes, %v", len(clipped), len(b), err)
	}
	if _, err := list(servers[:len(clipped)+1]...).MarshalBinary(); !errors.Is(err, lobbywire.ErrTooLarge) {
		t.Errorf("%d servers would fit: %v", len(clipped)+1, err)
	}
	if got := bomberman.ClipServers(servers[:3]); len(got) != 3 {
		t.Errorf("3 servers clipped to %d", len(got))
	}
}

func TestServerCheck(t *testing.T) {
	if err := server().Check(); err != nil {
		t.Error(err)
	}
	wantError(t, with(func(s *bomberman.Server) { s.Port = 0 }).Check(), lobbywire.ErrInvalid, "port", -1)
	wantError(t, with(func(s *bomberman.Server) { s.Players.Max = 9 }).Check(), lobbywire.ErrInvalid, "players.max", -1)
}

package bomberman_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/bomberman"
	"github.com/lobbywire/lobbywire/internal/test/codectest"
)

// server returns a valid entry.
func server() bomberman.Server {
	return bomberman.Server{
		Name: "Feuerland", Address: "192.168.0.10", Port: 20000,
		Players: bomberman.PlayerCount{Current: 1, Max: 4}, IsLobbyOpen: true, GameplayMode: 1,
	}
}

func list(servers ...bomberman.Server) bomberman.QueryGameServersResponse {
	return bomberman.QueryGameServersResponse{Servers: append([]bomberman.Server{}, servers...)}
}

// skipped returns a list without n entries that cannot be read.
func skipped(n int, servers ...bomberman.Server) bomberman.QueryGameServersResponse {
	m := list(servers...)
	m.Skipped = n
	return m
}

// with returns a valid entry with a change.
func with(change func(s *bomberman.Server)) bomberman.Server {
	s := server()
	change(&s)
	return s
}

func TestQueryGameServersResponseAcceptsItsFormsOnly(t *testing.T) {
	const head = `{"command":"msRQueryGameServers","content":{"servers":[`
	const entry = `{"name":"Feuerland","address":"192.168.0.10","port":20000,"players":{"current":1,"max":4},` +
		`"isLobbyOpen":true,"gameplayMode":1}`
	odd := bomberman.Server{Address: "1.2.3", Port: 70000, Players: bomberman.PlayerCount{Current: -5, Max: 99},
		GameplayMode: -1}
	queryGameServersResponseCodec.Table(t, []codectest.Case[bomberman.QueryGameServersResponse]{
		{Name: "none", In: head + `]}}`, Want: list()},
		{Name: "two", In: head + entry + `,` + entry + `]}}`, Want: list(server(), server())},
		{Name: "member of an entry", In: head + entry[:len(entry)-1] + `,"map":{"a":1}}]},"v":2}`,
			Want: bomberman.QueryGameServersResponse{
				Servers: []bomberman.Server{with(func(s *bomberman.Server) {
					s.Extra = map[string]json.RawMessage{"map": []byte(`{"a":1}`)}
				})},
				Envelope: bomberman.Envelope{EnvelopeExtra: map[string]json.RawMessage{"v": []byte("2")}},
			}},
		{Name: "odd values", In: head + `{"name":"","address":"1.2.3","port":70000,"players":{"current":-5,` +
			`"max":99},"isLobbyOpen":false,"gameplayMode":-1}]}}`,
			Want: list(odd), Strict: lobbywire.ErrInvalid, Refused: true},
		{Name: "port that no integer holds", In: head + `{"port":3000000000,`,
			Err: lobbywire.ErrTruncated, Field: "content.servers[0]", Offset: 55, Strict: lobbywire.ErrInvalid},
		{Name: "entry without a mode", In: head + entry + `,` + entry[:len(entry)-len(`,"gameplayMode":1}`)] + `}]}}`,
			Want: skipped(1, server()), Strict: lobbywire.ErrInvalid, Refused: true},
		{Name: "null for an entry", In: head + `null,` + entry + `,7,"]",["x"],` + entry + `]}}`,
			Want: skipped(4, server(), server()), Strict: lobbywire.ErrInvalid, Refused: true},
		{Name: "text that is not UTF-8", In: head + "{\"name\":\"\xfc\\\\\",\"a\":\"\\\"]}\"}," + entry + `]}}`,
			Want: skipped(1, server()), Strict: lobbywire.ErrInvalid, Refused: true},
		{Name: "member twice", In: head + entry[:len(entry)-1] + `,"port":1},` + entry + `]}}`,
			Want: skipped(1, server()), Strict: lobbywire.ErrInvalid, Refused: true},
		{Name: "nested too deep", In: head + strings.Repeat("[", 40) + strings.Repeat("]", 40) + `,` + entry + `]}}`,
			Want: skipped(1, server()), Strict: lobbywire.ErrInvalid, Refused: true},
		{Name: "null", In: `{"command":"msRQueryGameServers","content":{"servers":null}}`,
			Want: list(), Strict: lobbywire.ErrInvalid, Differs: true},
		{Name: "no servers", In: `{"command":"msRQueryGameServers","content":{}}`,
			Want: list(), Strict: lobbywire.ErrInvalid, Differs: true},
		{Name: "null for the content", In: `{"command":"msRQueryGameServers","content":null}`,
			Want: list(), Strict: lobbywire.ErrInvalid, Differs: true},
		{Name: "no content", In: `{"command":"msRQueryGameServers"}`,
			Want: list(), Strict: lobbywire.ErrInvalid, Differs: true},
		{Name: "entry without an end", In: head + `{"name":"a,` + entry + `]}}`,
			Err: lobbywire.ErrTruncated, Field: "content.servers[0]", Offset: 55, Strict: lobbywire.ErrInvalid},
		{Name: "no entry before a comma", In: head + `,` + entry + `]}}`,
			Err: lobbywire.ErrInvalid, Field: "content.servers[0]", Offset: 55},
		{Name: "no array", In: `{"command":"msRQueryGameServers","content":{"servers":{}}}`,
			Err: lobbywire.ErrInvalid, Field: "content.servers", Offset: 54},
		{Name: "cut between entries", In: head + entry + `,`,
			Err: lobbywire.ErrTruncated, Field: "content.servers[1]", Offset: 182},
	})
	codectest.Refusals(t, []codectest.Refusal{
		{Name: "name", Value: list(server(), with(func(s *bomberman.Server) { s.Name = "" })),
			Err: lobbywire.ErrInvalid, Field: "content.servers[1].name"},
		{Name: "address", Value: list(with(func(s *bomberman.Server) { s.Address = "::g" })),
			Err: lobbywire.ErrInvalid, Field: "content.servers[0].address"},
		{Name: "port", Value: list(with(func(s *bomberman.Server) { s.Port = bomberman.Port })),
			Err: lobbywire.ErrInvalid, Field: "content.servers[0].port"},
		{Name: "current", Value: list(with(func(s *bomberman.Server) { s.Players.Current = -1 })),
			Err: lobbywire.ErrInvalid, Field: "content.servers[0].players.current"},
		{Name: "max", Value: list(with(func(s *bomberman.Server) { s.Players.Max = 1 })),
			Err: lobbywire.ErrInvalid, Field: "content.servers[0].players.max"},
		{Name: "mode", Value: list(with(func(s *bomberman.Server) { s.GameplayMode = 3 })),
			Err: lobbywire.ErrInvalid, Field: "content.servers[0].gameplayMode"},
		{Name: "skipped", Value: skipped(1), Err: lobbywire.ErrInvalid, Field: "content.servers"},
		{Name: "too long", Value: list(tooMany()...), Err: lobbywire.ErrTooLarge},
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

func TestServerCheckNamesTheWrongField(t *testing.T) {
	if err := server().Check(); err != nil {
		t.Error(err)
	}
	wantError(t, with(func(s *bomberman.Server) { s.Port = 0 }).Check(), lobbywire.ErrInvalid, "port", -1)
	wantError(t, with(func(s *bomberman.Server) { s.Players.Max = 9 }).Check(), lobbywire.ErrInvalid, "players.max", -1)
}

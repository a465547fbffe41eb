package check

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/bomberman"
	"github.com/lobbywire/lobbywire/examples/fuzzharness"
)

// frames returns messages as a stream. Those of the cases can all be encoded.
func frames(messages ...bomberman.Message) (stream []byte) {
	for _, m := range messages {
		stream, _ = bomberman.AppendMessage(stream, m)
	}
	return stream
}

// framed returns JSON texts as a stream.
func framed(objects ...string) (stream []byte) {
	for _, object := range objects {
		stream, _ = bomberman.AppendFrame(stream, []byte(object))
	}
	return stream
}

// lists sends a stream on one connection, and returns the lists that come back, judged.
func lists(s *Session, stream []byte) (all []bomberman.QueryGameServersResponse, err error) {
	answers, err := s.talk(0, stream)
	if err == nil {
		err = summary(fuzzharness.JudgeBomberman(stream, answers))
	}
	if err != nil {
		return nil, err
	}
	return parsedLists(answers)
}

// parsedLists returns the lists of a stream.
func parsedLists(answers []byte) (all []bomberman.QueryGameServersResponse, err error) {
	var framer bomberman.Framer
	for len(answers) > 0 {
		payload, rest, err := framer.Next(answers)
		if err != nil {
			return nil, err
		}
		list, err := bomberman.ParseQueryGameServersResponse(payload)
		if err != nil {
			return nil, err
		}
		all, answers = append(all, list), rest
	}
	return all, nil
}

// answered is a case of a stream with a number of queries, which must all be answered.
func answered(queries int, stream []byte) func(*Session) error {
	return func(s *Session) error {
		all, err := lists(s, stream)
		if err == nil && len(all) != queries {
			err = fmt.Errorf("%d lists, want %d", len(all), queries)
		}
		return err
	}
}

// hasTimes returns an error if a list does not have a name as many times as it must.
func hasTimes(list bomberman.QueryGameServersResponse, name string, want int) error {
	if _, n := entry(list, name); n != want {
		return fmt.Errorf("the list has the game %q %d times, want %d", clip(name), n, want)
	}
	return nil
}

// entry returns the game of a name in a list.
func entry(list bomberman.QueryGameServersResponse, name string) (found bomberman.Server, count int) {
	for _, g := range list.Servers {
		if g.Name == name {
			found, count = g, count+1
		}
	}
	return found, count
}

// registered is a case of a game that is registered. Its list must show it.
func registered(g bomberman.RegisterGameServer) func(*Session) error {
	return func(s *Session) error {
		all, err := lists(s, frames(g, bomberman.QueryGameServers{}))
		if err != nil {
			return err
		}
		if err := hasTimes(all[0], g.ServerName, 1); err != nil {
			return err
		}
		found, _ := entry(all[0], g.ServerName)
		v := found.View()
		v.Mode, v.Players, v.Max, v.Rules = "", nil, nil, nil // what no registration has
		return fuzzharness.Differ(g.View(), v)
	}
}

// dropped is a case of a registration that is not valid. The game must not be listed, and
// the one that was registered before stays.
func dropped(name, object string) func(*Session) error {
	return func(s *Session) error {
		game := fuzzharness.BombermanGames()[0]
		all, err := lists(s, slices.Concat(frames(game), framed(object), frames(bomberman.QueryGameServers{})))
		if err != nil {
			return err
		}
		last := all[len(all)-1]
		return cmp.Or(hasTimes(last, name, 0), hasTimes(last, game.ServerName, 1))
	}
}

// register returns the JSON of a registration with any values.
func register(name, address, port string) string {
	const form = `{"command":"msRegisterGameServer","content":{"serverName":%q,"serverAddress":%s,"serverPort":%s}}`
	return fmt.Sprintf(form, name, address, port)
}

// bombermanSuite has the cases of a management server.
func bombermanSuite() *Suite {
	query := bomberman.QueryGameServers{}
	games := fuzzharness.BombermanGames()
	game := games[0]
	suite := &Suite{
		Protocol: "bomberman",
		Sections: []string{"Flow", "Wire format", "Strictness", "Limits", "Quirks"},
		explain:  explainBomberman,
		sources:  1,
	}
	add := suite.add
	add("Flow", Must, "a query is answered with a list", answered(1, frames(query)))
	add("Flow", Must, "each query of a connection is answered", answered(3, frames(query, query, query)))
	for _, g := range games {
		sentence := fmt.Sprintf("a game %q is listed as it was registered, at once", clip(g.ServerName))
		add("Flow", Must, sentence, registered(g))
	}
	add("Flow", Must, "a second registration replaces the first", func(s *Session) error {
		all, err := lists(s, frames(game, query, games[1], query))
		if err != nil {
			return err
		}
		return cmp.Or(hasTimes(all[1], game.ServerName, 0), hasTimes(all[1], games[1].ServerName, 1))
	})
	add("Flow", Must, "updates change the list, also with more players than places", func(s *Session) error {
		for _, update := range []bomberman.UpdateGameServerStats{
			{Players: bomberman.PlayerCount{Current: 3, Max: 4}, IsLobbyOpen: false, GameplayMode: 2},
			{Players: bomberman.PlayerCount{Current: 5, Max: 2}, IsLobbyOpen: true, GameplayMode: 1},
		} {
			all, err := lists(s, frames(game, update, query))
			if err != nil {
				return err
			}
			found, _ := entry(all[0], game.ServerName)
			want := found
			want.Players, want.IsLobbyOpen, want.GameplayMode = update.Players, update.IsLobbyOpen, update.GameplayMode
			if err := fuzzharness.Differ(want.View(), found.View()); err != nil {
				return err
			}
		}
		return nil
	})
	add("Flow", Must, "a game that is unregistered is not listed, and another can be registered", func(s *Session) error {
		all, err := lists(s, frames(game, bomberman.UnregisterGameServer{}, query, games[1], query))
		if err != nil {
			return err
		}
		return cmp.Or(hasTimes(all[0], game.ServerName, 0), hasTimes(all[1], games[1].ServerName, 1))
	})
	add("Flow", Must, "the game of a connection that has ended is not listed", func(s *Session) error {
		if _, err := lists(s, frames(game, query)); err != nil {
			return err
		}
		return s.eventually(func() error {
			all, err := lists(s, frames(query))
			if err != nil {
				return err
			}
			return hasTimes(all[0], game.ServerName, 0)
		})
	})
	add("Wire format", Must, "a list that is sent to the server is not answered", func(s *Session) error {
		stream := framed(`{"command":"msRQueryGameServers","content":{"servers":[]}}`)
		return answered(0, stream)(s)
	})
	add("Wire format", Must, "members in another order, lines and escapes are accepted",
		answered(1, framed(" {\n\"content\" : null ,\n\"command\" : \"ms\\u0051ueryGameServers\"\n} ")))
	add("Wire format", Must, "two frames without a space between them are two messages",
		answered(2, frames(query, query)))
	add("Strictness", Must, "an unknown command is ignored, and the connection goes on",
		answered(1, append(framed(`{"command":"msUnknown"}`), frames(query)...)))
	add("Strictness", Must, "JSON that is broken is ignored, and the connection goes on",
		answered(1, append(framed(`{"command":"msRegisterGameServer",}`), frames(query)...)))
	for _, bad := range []struct{ what, address, port string }{
		{"the port 0", `"192.0.2.7"`, "0"}, {"the port 65536", `"192.0.2.7"`, "65536"},
		{"the port of management servers", `"192.0.2.7"`, fmt.Sprint(bomberman.Port)},
		{"a port in quotes", `"192.0.2.7"`, `"25601"`},
		{"no address", `""`, "25601"}, {"an address with a space", `"192.0.2.7 x"`, "25601"},
	} {
		add("Strictness", Must, "a registration with "+bad.what+" is dropped",
			dropped("Bad", register("Bad", bad.address, bad.port)))
	}
	add("Strictness", Must, "a registration without a name is dropped",
		dropped("", register("", `"192.0.2.7"`, "25601")))
	add("Strictness", Must, "a command in another case is no query",
		answered(0, framed(`{"command":"MSQUERYGAMESERVERS"}`)))
	add("Strictness", Should, "nothing is answered after a length that is no number",
		func(s *Session) error {
			stream := append([]byte("x{\n"), frames(query)...)
			answers, err := s.talk(0, stream)
			if err == nil && len(answers) > 0 {
				err = fmt.Errorf("%d bytes: the position of the next frame is unknown", len(answers))
			}
			return err
		})
	const largeStart, largeEnd = `{"command":"msQueryGameServers"`, "}"
	blanks := strings.Repeat(" ", bomberman.MaxPayload-len(largeStart+largeEnd+"\n"))
	add("Limits", Must, "an object of 65536 bytes is read", answered(1, framed(largeStart+blanks+largeEnd)))
	add("Limits", Should, "a frame with a longer length is not read", func(s *Session) error {
		answers, err := s.talk(0, append([]byte("70000{}\n"), frames(query)...))
		if err == nil && len(answers) > 0 {
			err = fmt.Errorf("%d bytes after a length of 70000", len(answers))
		}
		return err
	})
	add("Quirks", Should, "a frame that ends in the middle is not answered", func(s *Session) error {
		stream := frames(query)
		return answered(0, stream[:len(stream)-2])(s)
	})
	add("Quirks", Robust, "broken streams are answered as they must be, and the server survives them",
		func(s *Session) error {
			for range mutations {
				stream := append(s.mutated(frames(game, query)), frames(query)...)
				answers, err := s.talk(0, stream)
				if err == nil {
					err = summary(fuzzharness.JudgeBomberman(stream, answers))
				}
				if err != nil {
					return err
				}
			}
			return answered(1, frames(query))(s)
		})
	add("Strictness", Must, "a registration with an address that only looks like an IP address is dropped",
		dropped("Bad", register("Bad", `"192.0.2.256"`, "25601")))
	const bad = `{"command":"msUpdateGameServerStats","content":{"players":{"current":1,"max":9},` +
		`"isLobbyOpen":true,"gameplayMode":7}}`
	add("Strictness", Must, "messages about no game, and updates with wrong numbers, are dropped",
		answered(2, slices.Concat(frames(bomberman.UnregisterGameServer{}), framed(bad), frames(query, game), framed(bad),
			frames(query))))
	addBombermanCalls(suite)
	add("Flow", Must, "a game is listed whose address is the name of a host", registered(
		bomberman.RegisterGameServer{ServerName: "Duel", ServerAddress: "game.example.org", ServerPort: 25601}))
	return suite
}

// clip returns the start of a text.
func clip(text string) string {
	const most = 20
	if len(text) <= most {
		return text
	}
	return text[:most] + "..."
}

// explainBomberman explains the first frame of a stream.
func explainBomberman(p Packet) lobbywire.Explanation { return bomberman.ExplainFrame(p.Bytes) }

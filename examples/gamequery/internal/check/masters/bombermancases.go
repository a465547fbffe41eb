package masters

import (
	"fmt"
	"slices"
	"strings"

	"github.com/lobbywire/lobbywire/bomberman"
	"github.com/lobbywire/lobbywire/examples/fuzzharness"
	"github.com/lobbywire/lobbywire/examples/gamequery/internal/check"
)

// Sources of the cases of Bomberman: pages of the specification.
const (
	bmQuery    = "management-server, msQueryGameServers"
	bmRegister = "management-server, msRegisterGameServer"
	bmUpdate   = "management-server, msUpdateGameServerStats"
	bmLeave    = "management-server, msUnregisterGameServer"
	bmFrame    = "protocol, frames"
	bmCommand  = "protocol, commands"
)

// bombermanRows are the cases of a management server.
func bombermanRows() []row[*bombermanMaster] {
	type m = *bombermanMaster
	query, games := bomberman.QueryGameServers{}, fuzzharness.BombermanGames()
	const largeStart, largeEnd = `{"command":"msQueryGameServers"`, "}"
	blanks := strings.Repeat(" ", bomberman.MaxPayload-len(largeStart+largeEnd+"\n"))
	const anAddress, aPort = `"192.0.2.7"`, "25601"
	return []row[m]{
		{"1.1", check.Must, "a query is answered with a list", bmQuery, answered(1, check.Frames(query))},
		{"1.2", check.Must, "each query of a connection is answered", bmQuery,
			answered(3, check.Frames(query, query, query))},
		{"1.3", check.Must, "a game is listed as it was registered, at once", bmRegister, shows(games[0])},
		{"1.4", check.Must, "a game with a name of one letter, an address of IPv6 and the port 1 is listed", bmRegister,
			shows(games[1])},
		{"1.5", check.Must, "a game with a name of 100 letters and the port 65535 is listed", bmRegister, shows(games[2])},
		{"1.6", check.Must, "a game whose name has odd characters is listed", bmRegister, shows(games[3])},
		{"1.7", check.Must, "a second registration replaces the first", bmRegister, m.replaces},
		{"1.8", check.Must, "updates change the list, also with more players than places", bmUpdate, m.takesUpdates},
		{"1.9", check.Must, "a game that is unregistered is not listed, and another can be registered", bmLeave,
			m.takesAnother},
		{"1.10", check.Must, "the game of a connection that has ended is not listed", bmRegister, m.removesClosed},
		{"1.11", check.Must, "a client in the middle of a frame does not keep others waiting", bmFrame,
			func(m m) { check.AskBesideSlow(m.Session, m, 10) }},
		{"1.12", check.Must, "the games of two connections are listed, and only the one is removed that is unregistered",
			bmLeave, listsTwo[m]},
		{"1.13", check.Must, "the games of two connections are listed, and only the one is removed whose connection is reset",
			bmRegister, func(m m) { listsTwoThen(m, func(server int) { m.calls[server].Line.Close() }) }},
		{"1.14", check.Must, "an update changes only the game of its connection", bmUpdate, m.updatesOne},
		{"1.15", check.Should, "two games of one name and address are listed, and only one is removed", bmRegister,
			m.listsTwins},
		{"1.16", check.Must, "a game is listed whose address is the name of a host", bmRegister, shows(
			bomberman.RegisterGameServer{ServerName: "Duel", ServerAddress: "game.example.org", ServerPort: 25601})},
		{"2.1", check.Must, "a list that is sent to the server is not answered", bmCommand,
			answered(0, check.Framed(`{"command":"msRQueryGameServers","content":{"servers":[]}}`))},
		{"2.2", check.Must, "members in another order, lines and escapes are accepted", bmCommand,
			answered(1, check.Framed(" {\n\"content\" : null ,\n\"command\" : \"ms\\u0051ueryGameServers\"\n} "))},
		{"2.3", check.Must, "two frames without a space between them are two messages", bmFrame,
			answered(2, check.Frames(query, query))},
		{"2.4", check.Must, "frames that come in pieces are read, and answered while the connection is open", bmFrame,
			m.readsPieces},
		{"3.1", check.Must, "an unknown command is ignored, and the connection goes on", bmCommand,
			answered(1, append(check.Framed(`{"command":"msUnknown"}`), check.Frames(query)...))},
		{"3.2", check.Must, "JSON that is broken is ignored, and the connection goes on", bmFrame,
			answered(1, append(check.Framed(`{"command":"msRegisterGameServer",}`), check.Frames(query)...))},
		{"3.3", check.Must, "a registration with the port 0 is dropped", bmRegister, drops("Bad", anAddress, "0")},
		{"3.4", check.Must, "a registration with the port 65536 is dropped", bmRegister, drops("Bad", anAddress, "65536")},
		{"3.5", check.Must, "a registration with the port of management servers is dropped", bmRegister,
			drops("Bad", anAddress, fmt.Sprint(bomberman.Port))},
		{"3.6", check.Must, "a registration with a port in quotes is dropped", bmRegister,
			drops("Bad", anAddress, `"25601"`)},
		{"3.7", check.Must, "a registration with no address is dropped", bmRegister, drops("Bad", `""`, aPort)},
		{"3.8", check.Must, "a registration with an address with a space is dropped", bmRegister,
			drops("Bad", `"192.0.2.7 x"`, aPort)},
		{"3.9", check.Must, "a registration without a name is dropped", bmRegister, drops("", anAddress, aPort)},
		{"3.10", check.Must, "a command in another case is no query", bmCommand,
			answered(0, check.Framed(`{"command":"MSQUERYGAMESERVERS"}`))},
		{"3.11", check.Should, "nothing is answered after a length that is no number", bmFrame,
			silentAfter(append([]byte("x{\n"), check.Frames(query)...))},
		{"3.12", check.Must, "a registration with an address that only looks like an IP address is dropped", bmRegister,
			drops("Bad", `"192.0.2.256"`, aPort)},
		{"3.13", check.Must, "messages about no game, and updates with wrong numbers, are dropped", bmUpdate, m.dropsUpdates},
		{"4.1", check.Must, "an object of 65536 bytes is read", bmFrame,
			answered(1, check.Framed(largeStart+blanks+largeEnd))},
		{"4.2", check.Should, "a frame with a longer length is not read", bmFrame,
			silentAfter(append([]byte("70000{}\n"), check.Frames(query)...))},
		{"5.1", check.Should, "a frame that ends in the middle is not answered", bmFrame,
			answered(0, check.Frames(query)[:len(check.Frames(query))-2])},
		{"5.2", check.Robust, "broken streams are answered as they must be, and the server survives them", bmFrame,
			m.survives},
	}
}

func (m *bombermanMaster) replaces() {
	games := fuzzharness.BombermanGames()
	l := m.lists(games[0], bomberman.QueryGameServers{}, games[1], bomberman.QueryGameServers{})[1]
	m.hasTimes(l, games[0].ServerName, 0)
	m.hasTimes(l, games[1].ServerName, 1)
}

func (m *bombermanMaster) takesUpdates() {
	game := fuzzharness.BombermanGames()[0]
	for _, update := range []bomberman.UpdateGameServerStats{
		{Players: bomberman.PlayerCount{Current: 3, Max: 4}, IsLobbyOpen: false, GameplayMode: 2},
		{Players: bomberman.PlayerCount{Current: 5, Max: 2}, IsLobbyOpen: true, GameplayMode: 1},
	} {
		found, _ := entry(m.lists(game, update, bomberman.QueryGameServers{})[0], game.ServerName)
		want := found
		want.Players, want.IsLobbyOpen, want.GameplayMode = update.Players, update.IsLobbyOpen, update.GameplayMode
		m.Check(fuzzharness.Differ(want.View(), found.View()))
	}
}

func (m *bombermanMaster) takesAnother() {
	games, query := fuzzharness.BombermanGames(), bomberman.QueryGameServers{}
	all := m.lists(games[0], bomberman.UnregisterGameServer{}, query, games[1], query)
	m.hasTimes(all[0], games[0].ServerName, 0)
	m.hasTimes(all[1], games[1].ServerName, 1)
}

func (m *bombermanMaster) removesClosed() {
	game := newGame(0)
	m.lists(game, bomberman.QueryGameServers{})
	m.Eventually(func() { m.hasTimes(m.lists(bomberman.QueryGameServers{})[0], game.ServerName, 0) })
}

// readsPieces registers a game and queries in pieces, with cuts in lengths, in objects and
// before their ends. It sends the second query after the answer to the first.
func (m *bombermanMaster) readsPieces() {
	m.host(0, newGame(0), 1, 2, 30, -1)
	for range 2 {
		m.hasTimes(m.listOn(m.calls[0], 1, 2, 10, -1), m.games[0].ServerName, 1)
	}
}

// updatesOne updates the first of two games, and looks from both connections.
func (m *bombermanMaster) updatesOne() {
	for server := range 2 {
		listed(m, server)
	}
	const mode = 2
	look := func(c *check.Call) {
		l := m.listOn(c)
		first, _ := entry(l, m.games[0].ServerName)
		second, _ := entry(l, m.games[1].ServerName)
		if first.GameplayMode != mode || second.GameplayMode == mode {
			m.Failf("the games have the modes %d and %d, and the first was set to %d",
				first.GameplayMode, second.GameplayMode, mode)
		}
	}
	m.calls[0].Send(check.Frames(bomberman.UpdateGameServerStats{
		Players: bomberman.PlayerCount{Current: 2, Max: 3}, GameplayMode: mode,
	}))
	look(m.calls[0])
	m.Eventually(func() { look(m.calls[1]) })
}

func (m *bombermanMaster) listsTwins() {
	game := newGame(0)
	has := func(want int) {
		m.Eventually(func() {
			if n := countOf(m.listOn(m.calls[0]), game); n != want {
				m.Failf("the list has the game %d times, want %d", n, want)
			}
		})
	}
	for server := range 2 {
		m.host(server, game)
		has(server + 1)
	}
	m.end(1)
	has(1)
}

// silentAfter is a case of a stream that must not be answered, because the position of the next
// frame is unknown.
func silentAfter(stream []byte) func(m *bombermanMaster) {
	return func(m *bombermanMaster) {
		if len(m.Talk(stream)) > 0 {
			m.Fail(fuzzharness.ErrAnswered)
		}
	}
}

func (m *bombermanMaster) dropsUpdates() {
	const bad = `{"command":"msUpdateGameServerStats","content":{"players":{"current":1,"max":9},` +
		`"isLobbyOpen":true,"gameplayMode":7}}`
	game, query := fuzzharness.BombermanGames()[0], bomberman.QueryGameServers{}
	answered(2, slices.Concat(check.Frames(bomberman.UnregisterGameServer{}), check.Framed(bad), check.Frames(query, game),
		check.Framed(bad), check.Frames(query)))(m)
}

func (m *bombermanMaster) survives() {
	for range check.Mutations {
		stream := append(m.Mutated(check.Frames(fuzzharness.BombermanGames()[0], bomberman.QueryGameServers{})), m.Query()...)
		m.Check(fuzzharness.JudgeBomberman(stream, m.Talk(stream)))
	}
	answered(1, m.Query())(m)
}
